"""A mechanism's constraint rows as straight-line machine code, with the bits of the same kernels in plain Python.

Starts are made to fit their rows in plain Python, whose kernels take 0.2 ms for 18 rows. Whoever asks for many starts
of one structure has the kernels recorded once, on numbers that note every operation, and runs what was noted. Nothing
is left out, put in another order or fused, so that every bit is the same, signs of zeros included. Cosines and sines
of what drives a row are taken by NumPy beforehand, as the kernels do. A kernel that asks what a number is (it
branches), or calls another function, cannot be recorded: its rows are evaluated in Python as before.
"""

from __future__ import annotations

import ctypes
import struct
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.kernels.direct_calls import address_of
from linkwork.kernels.rows.blocks import put_part
from linkwork.kernels.rows.kind import rate_of_f
from linkwork.kernels.rows.kinds import KINDS
from linkwork.kernels.tables import Rows
from linkwork.lanes.traced.bound_rows import Bound, BoundRates
from linkwork.lanes.traced.engine import engine_of
from linkwork.lanes.traced.machine_code import OPERATIONS, LastFew
from linkwork.lanes.traced.numbers import NotTracedError
from linkwork.lanes.traced.several import MachineCall
from linkwork.system.packed import ROW_COLUMNS

Array = NDArray[np.float64]
INPUTS = "row", "r", "A", "drive", "cosine", "sine"
OUTPUTS = "phi", "G_i", "G_j"
MOST = 20_000  # operations, beyond which it is not worth it
Node = tuple[Any, ...]


class Number:
    """A number that notes what is done with it, and nothing else. node : its place in the notes."""

    __slots__ = ("node", "notes")

    def __init__(self, notes: Notes, node: int) -> None:
        self.notes, self.node = notes, node

    def __add__(self, other: Any) -> Number:
        return self.notes.two("+", self, other)

    def __radd__(self, other: Any) -> Number:
        return self.notes.two("+", other, self)

    def __sub__(self, other: Any) -> Number:
        return self.notes.two("-", self, other)

    def __rsub__(self, other: Any) -> Number:
        return self.notes.two("-", other, self)

    def __mul__(self, other: Any) -> Number:
        return self.notes.two("*", self, other)

    def __rmul__(self, other: Any) -> Number:
        return self.notes.two("*", other, self)

    def __truediv__(self, other: Any) -> Number:
        return self.notes.two("/", self, other)

    def __rtruediv__(self, other: Any) -> Number:
        return self.notes.two("/", other, self)

    def __neg__(self) -> Number:
        return self.notes.node("neg", self.node)

    def sqrt(self) -> Number:
        """Rounded as NumPy rounds it: correctly."""
        return self.notes.node("sqrt", self.node)

    def cos(self) -> Number:
        """Of a row's drive alone."""
        return self.notes.of_drive("cosine", self)

    def sin(self) -> Number:
        """Of a row's drive alone."""
        return self.notes.of_drive("sine", self)

    def arctan2(self, other: Number) -> Angle:
        """What a row measures, to be taken by NumPy."""
        return Angle(self, other)


class Angle(NamedTuple):
    """The angle of a point in a plane, which nothing more is done with."""

    y: Number
    x: Number


class Notes:
    """What was done: operations, of which none is noted twice."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self._places: dict[Node, int] = {}

    def node(self, *told: Any) -> Number:
        """An operation on operands: nodes by number, constants as words."""
        if told not in self._places:
            self._places[told] = len(self.nodes)
            self.nodes.append(told)
        return Number(self, self._places[told])

    def key(self, value: Any) -> int | str:
        """An operand."""
        return value.node if isinstance(value, Number) else f"0x{struct.pack('>d', float(value)).hex().upper()}"

    def two(self, operation: str, a: Any, b: Any) -> Number:
        """An operation on two numbers."""
        return self.node(operation, self.key(a), self.key(b))

    def of_drive(self, function: str, a: Number) -> Number:
        """A function that is taken beforehand, of a row's f. Raises NotTracedError of anything else."""
        kind, array, place = (*self.nodes[a.node], None, None)[:3]
        if kind != "in" or array != "drive":
            raise NotTracedError(f"the {function} of a number that is worked out")
        return self.node("in", function, place)

    def inputs(self, array: str, shape: tuple[int, ...]) -> Any:
        """An array of numbers that are read."""
        found = np.empty(shape, dtype=object)
        for k in range(found.size):
            found.flat[k] = self.node("in", array, k)
        return found


class RowCode:
    """Rows of one structure: kinds and bodies. `evaluate` is `kernels.rows.table.evaluate_rows` of these.

    alone : rows that stayed in Python. rated : of which nu is more than f'. waves : places of drives of which cosines
    and sines are asked. Several threads may use it.
    """

    def __init__(self, kind: NDArray[np.int64], body_i: NDArray[np.int64], body_j: NDArray[np.int64], nb: int) -> None:
        """Raises NotTracedError where nothing can be recorded, or too much."""
        self.structure = kind.tobytes() + body_i.tobytes() + body_j.tobytes()
        notes, nc = Notes(), len(kind)
        table = notes.inputs("row", (nc, 20))
        columns = {name: table[:, part] for name, part in ROW_COLUMNS.items()}
        rows: Any = Rows(kind=kind, body_i=body_i, body_j=body_j, nonholonomic=kind, program=kind, **columns)
        state = notes.inputs("r", (nb + 1, 3)), notes.inputs("A", (nb + 1, 9)), notes.inputs("drive", (nc, 3))
        phi, G_i, G_j = (np.zeros(shape, dtype=object) for shape in ((nc,), (nc, 6), (nc, 6)))
        self.alone: list[int] = []
        for k in range(nc):
            one = KINDS[kind[k]]
            try:
                if one.one_by_one:
                    raise NotTracedError("a branch")
                value, along_i, about_i, along_j, about_j = one.row(rows, k, *state)
            except (NotTracedError, TypeError, AttributeError):
                self.alone.append(k)
                continue
            phi[k] = value
            put_part(G_i, k, along_i, about_i)
            put_part(G_j, k, along_j, about_j)
        if len(self.alone) == nc or len(notes.nodes) > MOST:
            raise NotTracedError("what rows do")
        self.waves = sorted({node[2] for node in notes.nodes if node[:2] in (("in", "cosine"), ("in", "sine"))})
        shown = np.setdiff1d(np.arange(nc), self.alone)
        outputs = (
            (name, k * width + c, notes.key(array[k, c]))
            for name, array, width in (("phi", phi[:, None], 1), ("G_i", G_i, 6), ("G_j", G_j, 6))
            for k in shown
            for c in range(width)
        )
        self.code: _Function = row_code("\n".join(_text(notes, list(outputs))))
        self.angles: list[int] = []  # rows that measure an angle
        points: list[tuple[str, int, int | str]] = []  # of which the angles are
        for k in range(nc):
            measured = KINDS[kind[k]].value
            try:
                angle = None if measured is None else measured(rows, k, *state[:2])
            except (NotTracedError, TypeError, AttributeError):
                continue
            if isinstance(angle, Angle):
                points += [("phi", 2 * len(self.angles) + c, notes.key(part)) for c, part in enumerate(angle)]
                self.angles.append(k)
        self.points: _Function | None = row_code("\n".join(_text(notes, points))) if points else None
        self.rated = [k for k in range(nc) if KINDS[kind[k]].nu is not rate_of_f]
        self.rates = self._rates(notes, rows, state)

    def _rates(self, notes: Notes, rows: Any, state: tuple[Any, ...]) -> _Function | None:
        """nu of rows for which it is more than f', written as phi; None where there are none or one is not recorded."""
        try:
            found = [("phi", k, notes.key(KINDS[rows.kind[k]].nu(rows, k, *state))) for k in self.rated]
        except (NotTracedError, TypeError, AttributeError):
            return None
        return row_code("\n".join(_text(notes, found))) if found else None

    def fits(self, rows: Rows) -> bool:
        """Whether these rows have its structure."""
        return rows.kind.tobytes() + rows.body_i.tobytes() + rows.body_j.tobytes() == self.structure

    def bound(self, *arrays: Array, then: MachineCall) -> Bound | None:
        """`system.compiled.RowEvaluation.bound`."""
        return None if self.alone else Bound(self, arrays, then)

    def bound_rates(self, *arrays: Array) -> BoundRates | None:
        """`system.compiled.RowEvaluation.bound_rates`."""
        return None if self.rates is None else BoundRates(self.rates.address, self.rated, arrays)

    def waves_of(self, drive: Array) -> tuple[Array, Array]:
        """Where cosines and sines of drives go, where some are asked of."""
        return (np.empty(drive.size), np.empty(drive.size)) if self.waves else (drive, drive)

    def set_waves(self, drive: Array, cosine: Array, sine: Array) -> None:
        """Take them, one by one, as in the kernels."""
        for place in self.waves:
            angle = drive.item(place)
            cosine[place], sine[place] = np.cos(angle), np.sin(angle)

    def evaluate(self, rows: Rows, table: Array, r: Array, A: Array, drive: Array, *out: Array) -> None:
        """Write phi (nc,) and G_i, G_j (nc, 6). table : `Tables.row` of these rows."""
        cosine, sine = self.waves_of(drive)
        self.set_waves(drive, cosine, sine)
        arrays = (table, r, A, drive, cosine, sine, *out)
        self.code(*[address_of(array) for array in arrays])
        phi, G_i, G_j = out
        for k in self.alone:
            phi[k], along_i, about_i, along_j, about_j = KINDS[rows.kind[k]].row(rows, k, r, A, drive)
            put_part(G_i, k, along_i, about_i)
            put_part(G_j, k, along_j, about_j)


def _text(notes: Notes, outputs: list[tuple[str, int, int | str]]) -> list[str]:
    """A function of plain numbers, as LLVM reads it; nothing in it may be put otherwise."""
    names = [f"ptr noalias %{name}" for name in (*INPUTS, *OUTPUTS)]
    lines = ["declare double @llvm.sqrt.f64(double)", f"define void @rows({', '.join(names)}) {{", "entry:"]

    def named(key: int | str) -> str:
        return key if isinstance(key, str) else f"%x{key}"

    live = {key for _, _, key in outputs}
    for k, node in reversed([*enumerate(notes.nodes)]):
        if k in live and node[0] != "in":
            live.update(node[1:])
    for k, (operation, *of) in enumerate(notes.nodes):
        if k not in live:
            continue
        if operation == "in":
            array, place = of
            lines.append(f"  %p{k} = getelementptr double, ptr %{array}, i64 {place}")
            lines.append(f"  %x{k} = load double, ptr %p{k}")
        elif operation == "neg":
            lines.append(f"  %x{k} = fneg double {named(of[0])}")
        elif operation == "sqrt":
            lines.append(f"  %x{k} = call double @llvm.sqrt.f64(double {named(of[0])})")
        else:
            lines.append(f"  %x{k} = {OPERATIONS[operation]} double {named(of[0])}, {named(of[1])}")
    for n, (array, place, key) in enumerate(outputs):
        lines.append(f"  %q{n} = getelementptr double, ptr %{array}, i64 {place}")
        lines.append(f"  store double {named(key)}, ptr %q{n}")
    return [*lines, "  ret void", "}"]


class _Function:
    """The compiled function, as long as this is kept."""

    def __init__(self, text: str) -> None:
        self._engine: Any = engine_of(text, optimised=0)
        kind = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * (len(INPUTS) + len(OUTPUTS)))
        self.address: int = self._engine.get_function_address("rows")
        self._call = kind(self.address)

    def __call__(self, *addresses: int) -> None:
        self._call(*addresses)


row_code = LastFew(_Function)
