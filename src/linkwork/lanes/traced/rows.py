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
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.kernels.direct_calls import address_of
from linkwork.kernels.rows.blocks import put_part
from linkwork.kernels.rows.kind import rate_of_f
from linkwork.kernels.rows.kinds import KINDS
from linkwork.kernels.tables import Rows
from linkwork.lanes.traced.engine import engine_of
from linkwork.lanes.traced.machine_code import OPERATIONS, LastFew
from linkwork.lanes.traced.numbers import NotTracedError
from linkwork.lanes.traced.numpy_loops import addresses, loop_of
from linkwork.lanes.traced.several import Copy, If, MachineCall, Off, Several, While
from linkwork.system.packed import ROW_COLUMNS

Array = NDArray[np.float64]
INPUTS = "row", "r", "A", "drive", "cosine", "sine"
OUTPUTS = "phi", "G_i", "G_j"
MOST = 20_000  # operations, beyond which it is not worth it
Node = tuple[Any, ...]
Behind = tuple[Any, Any]  # an array that is written, and what is written into it; or a call of machine code


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
        return None if self.rates is None else BoundRates(self.rates, self.rated, arrays)

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


class BoundRates:
    """nu of rows for which it is more than f', of arrays that stay where they are. call : of machine code, once `waves`
    are taken of what drives them."""

    def __init__(self, function: _Function, rated: list[int], arrays: Sequence[Array]) -> None:
        self._drive, nu = arrays[3:]
        self._rated, self._keep = rated, arrays
        self._cosine, self._sine = np.empty(self._drive.size), np.empty(self._drive.size)
        places = list(map(address_of, (*arrays[:4], self._cosine, self._sine, nu)))
        self.call: MachineCall = function.address, [*places, *[address_of(nu)] * 2]

    @cached_property
    def _evaluate(self) -> Several:
        return Several([self.call])

    def waves(self) -> None:
        """Take cosines and sines of what drives the rows."""
        for k in self._rated:
            angle = self._drive[k, 0]
            self._cosine[3 * k], self._sine[3 * k] = np.cos(angle), np.sin(angle)

    def __call__(self) -> None:
        self.waves()
        self._evaluate()


class Bound:
    """`RowCode.evaluate` of arrays that stay where they are, as part of one call of machine code: rows, what follows
    them, and the points whose angles rows measure there."""

    def __init__(self, rows: RowCode, arrays: Sequence[Array], then: MachineCall) -> None:
        _, _, _, self._drive, *_ = arrays
        self._rows, self._then = rows, then
        self._waves = rows.waves_of(self._drive)
        places = list(map(address_of, (*arrays[:4], *self._waves, *arrays[4:])))
        self._points = np.empty((len(rows.angles), 2))
        unused = address_of(self._points)
        self._taken: list[MachineCall] = []
        if rows.points is not None:
            self._taken.append((rows.points.address, [*places[:3], *[unused] * 6]))
        self._evaluated: MachineCall = rows.code.address, places
        self._keep: list[Any] = [arrays, then]

    @cached_property
    def _both(self) -> Several:
        return Several([self._evaluated, self._then, *self._taken])

    @cached_property
    def _alone(self) -> Several:
        return Several([self._evaluated])

    @cached_property
    def _look(self) -> Several:
        return Several(self._taken)

    def angles(self) -> list[float]:
        """Those of `RowCode.angles` at the points that were found last, rad, in (-pi, pi]."""
        return [float(np.arctan2(y, x)) for y, x in self._points.tolist()]

    def measure(self) -> None:
        """Find these points."""
        if self._taken:
            self._look()

    def evaluate(self) -> None:
        """Rows alone."""
        self._rows.set_waves(self._drive, *self._waves)
        self._alone()

    def __call__(self) -> None:
        """Rows, what follows, and the points where that leads."""
        self._rows.set_waves(self._drive, *self._waves)
        self._both()

    def search(
        self, prescribed: Array, period: Array, off: Array, status: tuple[Array, int, int], behind: Sequence[Behind]
    ) -> Callable[[], None] | None:
        """`system.compiled.BoundRows.search`."""
        arctan2, cos, sin = (loop_of(function) for function in (np.arctan2, np.cos, np.sin))
        if arctan2 is None or cos is None or sin is None:
            return None
        measured: list[MachineCall | Copy | Off] = []
        value, told, apart, turns = map(address_of, (self._drive, prescribed, off, period))
        for n, k in enumerate(self._rows.angles):
            y, x = (self._points[n, c : c + 1] for c in range(2))
            measured.append(arctan2.call(self._kept(addresses((y, x), self._drive[k, :1]))))
            measured.append(Off(value + 24 * k, told + 24 * k, turns + 8 * k, apart + 8 * k))
        for place in self._rows.waves:
            angle = self._drive.reshape(-1)[place : place + 1]
            for loop, found in zip((cos, sin), self._waves, strict=True):
                measured.append(loop.call(self._kept(addresses((angle,), found[place : place + 1]))))
        told_by, again, found_at = status
        after: list[Copy | MachineCall] = []
        for target, source in behind:
            if isinstance(target, int):
                after.append((target, source))
            else:
                after.append(Copy(address_of(target), address_of(source), target.nbytes))
        steps = [*measured, self._evaluated, self._then, *self._taken]
        place = address_of(told_by)
        return Several([*self._taken, While(place, again, steps), If(place, found_at, after)])

    def _kept(self, words: Array) -> Array:
        self._keep.append(words)
        return words


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
