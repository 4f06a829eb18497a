"""Starts of mechanisms with other lengths, and masses: of tables that are there, written into, instead of new ones.

Points of joints on their bodies and lengths of rods are numbers of rows and of joints (`mechanism.lowered`), masses
those of bodies. Where such a number is a copy of one of the description, or of what a formula of it comes to
(`run.copied`), it is written there, and neither checks, nor lowering, nor compiled tables are asked for again. Which
numbers these are is found once for a set of names, by a few mechanisms that are lowered as usual, and whose tables must
be the same bit by bit. Poses of bodies, axes, and what drivers prescribe decide more than numbers: with other ones a
mechanism is lowered.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import LinkworkError
from linkwork.mechanism import Mechanism
from linkwork.mechanism.kept import kept
from linkwork.mechanism.lowered import Lowered
from linkwork.mechanism.variants import variant
from linkwork.remembered import with_fields
from linkwork.run.copied import copies_of, described_number, trials
from linkwork.run.row_codes import RowCodes
from linkwork.run.starting import Start, agreed, compiled_kin, flat, tables_of_kin
from linkwork.run.worked import Values
from linkwork.system import CompiledMechanism, compile_mechanism
from linkwork.system.alignment import Axes, apart, misaligned_at
from linkwork.system.dense import Pose
from linkwork.system.extent import lengths_of, spread_of
from linkwork.system.packed import ROW_COLUMNS

Array = NDArray[np.float64]
LARGEST = 1e100  # beyond it descriptions are refused
COLUMNS = {"s_i": "s_i", "s_j": "s_j", "scalar": "scalar", "f": "constant"}  # what may differ of rows: in tables
POINTS = "s_i", "s_j"
Path = tuple[Any, ...]  # to a number of a flat mechanism: names of fields, and places in tuples


class OtherStructureError(Exception):
    """More than some lengths differs."""


class Lengths:
    """Lengths of a mechanism by name, and masses beside them, and where they go. Several threads may use it.

    known : the tables that all share, from which others are made. changes : which numbers of rows, joints and bodies,
    as a tree of places and fields, are which spots. values : what stands in the spots. signs : that these must keep, 0
    where any will do. at : rows and columns of `tables.row` that hold the spots `taken`, and `columns` their names.
    bodies : those whose masses are the spots `masses`. kind : of runs of these (`run.placing`), once it is known: no
    number becomes zero.
    """

    known: CompiledMechanism
    changes: dict[str, dict[int, Any]]
    values: Values
    signs: Array
    at: tuple[Any, ...]
    taken: Any
    columns: list[str]
    bodies: list[int]
    masses: list[int]
    spread: tuple[float, float]
    misaligned: list[Axes]
    codes: RowCodes
    kind: bytes = b""

    def __init__(self, mech: Mechanism, names: tuple[str, ...], how: tuple[bool, bool]) -> None:
        """how : accept_drivers, accept_changes. Raises OtherStructureError where these are not lengths alone."""
        self.mechanism, self.names, self.how = mech, names, how
        some, known = other_lengths(mech, names)
        if mech.driver_mismatches(known.lowered):
            raise OtherStructureError
        self.known, before = known, known.lowered
        paths = list(dict.fromkeys(path for _, one in some for path in differing(before, one.lowered)))
        told = [{name: described_number(mech, name) or 0.0 for name in names}, *(trial for trial, _ in some)]
        flats = [before, *(one.lowered for _, one in some)]
        seen = [[number_at(one, path) for one in flats] for path in paths]
        spots, self.values = copies_of(mech, names, told, seen)
        if len(spots) < len(paths) or not paths:
            raise OtherStructureError
        self.changes = {}
        for spot, path in enumerate(paths):
            put(self.changes, path, spot)
        in_rows = [(spot, path) for spot, path in enumerate(paths) if path[0] == "rows"]
        self.taken = np.array([spot for spot, _ in in_rows], dtype=np.int64)
        self.at = tuple(
            np.array([(path[1], column_of(*path[2:])) for _, path in in_rows], dtype=np.int64).reshape(-1, 2).T
        )
        self.columns = sorted({COLUMNS[path[2]] for _, path in in_rows})
        of_bodies = [(path[1], spot) for spot, path in enumerate(paths) if path[0] == "bodies"]
        self.bodies, self.masses = [k for k, _ in of_bodies], [spot for _, spot in of_bodies]
        any_sign = [path[0] == "joints" or path[2] in POINTS for path in paths]
        self.signs = np.where(any_sign, 0.0, np.copysign(1.0, [one[0] for one in seen]))
        self.spread = spread_of(known.r)
        self.misaligned = misaligned_at(known, Pose(known.r, known.A))
        self.codes = kept(mech, "row codes", RowCodes)
        self._need_their_bits(some)

    def _need_their_bits(self, some: Iterable[tuple[dict[str, float], CompiledMechanism]]) -> None:
        """Raise OtherStructureError where these mechanisms, made as usual, are others."""
        for trial, wanted in some:
            made = self.compiled(trial)
            if made is None or said_of(made) != said_of(wanted):
                raise OtherStructureError

    def compiled(self, given: Mapping[str, float]) -> CompiledMechanism | None:
        """Tables of the mechanism with these numbers; None where they are to be made as usual."""
        found, good = self.values(np.array([[given[name] for name in self.names]]))
        row = found[0]
        if not (good[0] and np.all((np.abs(row) < LARGEST) & (row != 0.0) & (row * self.signs >= 0.0))):
            return None
        known, numbers = self.known, row.tolist()
        parts = {name: [*getattr(known.lowered, name)] for name in self.changes}
        for name, some in self.changes.items():
            for k, changes in some.items():
                parts[name][k] = rebuilt(parts[name][k], changes, numbers)
        table, system = known.tables.row.copy(), known.system
        table[self.at] = row[self.taken]
        columns: dict[str, Any] = {name: np.ascontiguousarray(table[:, ROW_COLUMNS[name]]) for name in self.columns}
        for column in columns.values():
            column.flags.writeable = False
        system = system._replace(rows=system.rows._replace(**columns))
        body = known.tables.body
        if self.bodies:
            body, mass = body.copy(), system.bodies.mass.copy()
            body[self.bodies, 0] = mass[self.bodies] = row[self.masses]
            mass.flags.writeable = False
            system = system._replace(bodies=system.bodies._replace(mass=mass))
        length, extent = lengths_of(system, known.r, known.A, self.spread)
        made = known.other(
            lowered=with_fields(known.lowered, **{name: tuple(some) for name, some in parts.items()}),
            system=system,
            tables=known.tables._replace(row=table, body=body),
            length=length,
            extent=extent,
            row_code=self.codes.code,
        )
        made.answers["misaligned"] = self.misaligned  # axes and poses are the same
        return made

    def start(self, given: Mapping[str, float]) -> Start | None:
        """`run.starting.prepare` of the mechanism with these numbers; None where that is to be asked."""
        compiled = self.compiled(given)
        if compiled is None:
            return None
        try:
            compiled, assembled = self.codes.assembled(compiled)
            messages = [*dict.fromkeys(compiled.lowered.notes), *apart(compiled, assembled.start)]
            return agreed(self.mechanism, compiled, assembled, messages, True, *self.how)
        except LinkworkError:  # preparing it tells why
            return None


def other_lengths(
    mech: Mechanism, names: tuple[str, ...]
) -> tuple[list[tuple[dict[str, float], CompiledMechanism]], CompiledMechanism]:
    """A few mechanisms with other such numbers, lowered as usual, with the numbers; and the tables that all share.

    Raises OtherStructureError where one is refused, or shares nothing."""
    found: list[tuple[dict[str, float], CompiledMechanism]] = []
    known = None
    for trial in trials(mech, names):
        try:
            other = variant(mech, trial)
            lowered = flat(other)
            known = tables_of_kin(other) if other._kept.kin is mech else None
            found.append((trial, compiled_kin(other, lowered) or compile_mechanism(lowered)))
        except LinkworkError:
            known = None
        if known is None:
            raise OtherStructureError
    if known is None:
        raise OtherStructureError
    return found, known


def differing(before: Lowered, other: Lowered) -> Iterator[Path]:
    """Paths to all numbers of rows, joints and bodies that differ. Raises OtherStructureError where anything else
    does."""
    if other.notes != before.notes or other.sensors or before.sensors:
        raise OtherStructureError
    for name in ("rows", "joints", "bodies"):
        mine, theirs = getattr(before, name), getattr(other, name)
        if len(mine) != len(theirs):
            raise OtherStructureError
        for k, (one, another) in enumerate(zip(mine, theirs, strict=True)):
            for path in paths_to(one, another) if one is not another else ():
                if name == "rows" and (path[0] not in COLUMNS or one.driver):
                    raise OtherStructureError
                if name == "bodies" and path != ("mass",):
                    raise OtherStructureError
                yield (name, k, *path)


def paths_to(one: Any, other: Any) -> Iterator[Path]:
    """Paths to the numbers in which two values of the same structure differ. Raises OtherStructureError elsewhere."""
    if type(one) is not type(other):
        raise OtherStructureError
    if isinstance(one, float):
        if struct.pack("d", one) != struct.pack("d", other):
            yield ()
        return
    names: Any = ()
    if type(one) is tuple and len(one) == len(other):
        names = range(len(one))
    elif isinstance(one, tuple) and hasattr(one, "_fields"):
        names = one._fields
    elif is_dataclass(one):
        names = [field.name for field in fields(one)]
    elif isinstance(one, tuple) or not np.array_equal(one, other):
        raise OtherStructureError
    for name in names:
        for path in paths_to(part_of(one, name), part_of(other, name)):
            yield (name, *path)


def part_of(value: Any, name: int | str) -> Any:
    """A part, by its place in a tuple or its name."""
    return value[name] if isinstance(name, int) else getattr(value, name)


def number_at(lowered: Lowered, path: Path) -> float:
    """The number that a path leads to."""
    value: Any = lowered
    for name in path:
        value = part_of(value, name)
    return float(value)


def put(tree: dict[Any, Any], path: Path, spot: int) -> None:
    """Write a spot into a tree of dictionaries."""
    for name in path[:-1]:
        tree = tree.setdefault(name, {})
    tree[path[-1]] = spot


def rebuilt(value: Any, changes: Any, numbers: list[float]) -> Any:
    """A value with other numbers. changes : which of them, or what changes of its parts, by name or place."""
    if isinstance(changes, int):
        return numbers[changes]
    if type(value) is tuple:
        parts = [*value]
        for k, one in changes.items():
            parts[k] = rebuilt(value[k], one, numbers)
        return tuple(parts)
    named = {name: rebuilt(getattr(value, name), one, numbers) for name, one in changes.items()}
    return value._replace(**named) if hasattr(value, "_replace") else with_fields(value, **named)


def column_of(field: str, component: int = 0) -> int:
    """The column of `Tables.row` that a number of a row stands in."""
    column = ROW_COLUMNS[COLUMNS[field]]
    return int(column.start) + component if isinstance(column, slice) else int(column)


def said_of(compiled: CompiledMechanism) -> tuple[Any, ...]:
    """All that it comes to, bit by bit."""
    rows, lowered = compiled.system.rows, compiled.lowered
    arrays = [*compiled.tables, *compiled.couplings, *(getattr(rows, name) for name in ROW_COLUMNS)]
    arrays += [compiled.r, compiled.A, compiled.v, compiled.w, *compiled.system.bodies]
    flat_rows = [tuple(map(repr, row[:-1])) for row in lowered.rows]
    masses = [repr(body.mass) for body in lowered.bodies]
    named = [
        [one.name for one in some] for some in (lowered.bodies, lowered.loads, lowered.elements, lowered.couplings)
    ]
    whole = compiled.length, compiled.extent, repr(lowered.joints), repr(compiled.counted_angles)
    return [one.tobytes() for one in arrays], flat_rows, masses, named, whole


def lengths(mech: Mechanism, names: tuple[str, ...], how: tuple[bool, bool]) -> Lengths | None:
    """Where these numbers go; None where more than lengths hangs on them."""
    try:
        return Lengths(mech, names, how)
    except OtherStructureError:
        return None
