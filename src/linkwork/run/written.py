"""Numbers of flat mechanisms and of tables by where they stand: which differ, and others written in their place."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache, partial
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.mechanism.expressions import Expression
from linkwork.mechanism.lowered import Lowered, LoweredBody
from linkwork.remembered import with_fields
from linkwork.system import CompiledMechanism

Array = NDArray[np.float64]
Remake = Callable[[list[float]], Any]
Path = tuple[Any, ...]  # to a number: names of fields, places in tuples and in arrays
LISTS = "rows", "joints", "bodies", "elements", "loads", "inputs"  # of a flat mechanism, of which numbers may differ
WHOLE = {"efforts": "efforts", "couplings": "couplings", "tables": "curves"}  # which differ as wholes; roots of paths
ARRAYS = "tables", "system", "coupled"  # roots of paths to numbers in arrays
FORMULA = "formula"  # the last part of a path to a formula that differs


class OtherStructureError(Exception):
    """More than numbers differs, or numbers that decide more."""


class Written(Lowered):
    """A flat mechanism some parts of which are made when they are asked for: most runs ask for few of them.

    makers : these, by name."""

    @classmethod
    def of(cls, known: Lowered, makers: Mapping[str, Callable[[], Any]]) -> Written:
        """What others than these parts are is taken from a known one."""
        return cls.like({name: value for name, value in vars(known).items() if name not in makers}, makers)

    @classmethod
    def like(cls, parts: Mapping[str, Any], makers: Mapping[str, Callable[[], Any]]) -> Written:
        """The same, of all other parts."""
        made = object.__new__(cls)
        vars(made).update(parts, makers=makers)
        return made

    def __getattr__(self, name: str) -> Any:
        make = vars(self).get("makers", {}).get(name)
        if make is None:
            raise AttributeError(name)
        found = vars(self)[name] = make()
        return found

    def without_couplings(self) -> Lowered:
        """The same without the rows of rigid couplings; parts that nobody has asked for are not made."""
        waiting = [name for name in vars(self)["makers"] if name not in vars(self)]
        makers: dict[str, Callable[[], Any]] = {name: partial(getattr, self, name) for name in waiting}
        return Written.of(self, makers | {"rows": lambda: self.rows[: len(self.rows) - self.rigid]})

    def __reduce__(self) -> Any:
        return Lowered, tuple(getattr(self, one.name) for one in fields(Lowered))


def differing(known: CompiledMechanism, other: CompiledMechanism) -> Iterator[Path]:
    """Paths to all numbers that differ: of the flat mechanisms, ("rows", 3, "s_i", 0), and of tables, ("tables", "row",
    12), to formulas that do, ("rows", 3, "f", FORMULA), and to efforts, couplings and curves, ("efforts", 2); and
    ("sensors",) where these do. Raises OtherStructureError where anything else does."""
    before, after = known.lowered, other.lowered
    if _said_of_sensors(before) != _said_of_sensors(after):
        yield ("sensors",)
    for name in (*WHOLE, *LISTS):
        mine, theirs = getattr(before, name), getattr(after, name)
        if len(mine) != len(theirs):
            raise OtherStructureError
        for k, (one, another) in enumerate(zip(mine, theirs, strict=True)):
            if one is another:
                continue
            if name not in WHOLE:
                yield from ((name, k, *path) for path in paths_to(one, another))
            elif one != another or repr(one) != repr(another):
                yield WHOLE[name], k
    yield from (("gravity", *path) for path in paths_to(before.gravity, after.gravity))
    mine, theirs = tables_in(known), tables_in(other)
    for place, array in mine.items():
        for path in paths_to(array.reshape(-1), theirs[place].reshape(-1)):
            yield (*place, *path)


def tables_in(compiled: CompiledMechanism) -> dict[Path, Array]:
    """All arrays of a mechanism's tables, and of the system, which has them once more."""
    found: dict[Path, Array] = {("tables", name): array for name, array in compiled.tables._asdict().items()}
    found |= {("coupled", name): array for name, array in compiled.couplings._asdict().items()}
    for name, part in compiled.system._asdict().items():
        found |= _arrays_in(("system", name), part)
    return found


def _arrays_in(place: Path, part: Any) -> dict[Path, Array]:
    if isinstance(part, np.ndarray):
        return {place: part}
    found = dict[Path, Array]()
    for name, inner in part._asdict().items():
        found |= _arrays_in((*place, name), inner)
    return found


def with_arrays(compiled: CompiledMechanism, arrays: Mapping[Path, Array]) -> dict[str, Any]:
    """The fields `tables`, `system` and `couplings` with other arrays, by place: of tables, of couplings, of the
    system, or of a part of it."""
    tables, coupled, system, parts = dict[str, Any](), dict[str, Any](), dict[str, Any](), dict[str, dict[str, Any]]()
    for (root, name, *inner), array in arrays.items():
        if root != "system":
            (tables if root == "tables" else coupled)[name] = array
        elif inner:
            parts.setdefault(name, {})[inner[0]] = array
        else:
            system[name] = array
    for name, some in parts.items():
        system[name] = with_parts(getattr(compiled.system, name), some)
    if "curves" in system:  # which stand with the rows once more
        system["rows"] = with_parts(system.get("rows", compiled.system.rows), {"curves": system["curves"]})
    made: dict[str, Any] = {"tables": with_parts(compiled.tables, tables)} if tables else {}
    if coupled:
        made["couplings"] = with_parts(compiled.couplings, coupled)
    if system:
        made["system"] = with_parts(compiled.system, system)
    return made


def with_parts(record: Any, parts: Mapping[str, Any]) -> Any:
    """A named tuple with other parts, in a third of the time of `_replace`."""
    kind: Any = type(record)
    made, places = list(record), _places(kind)
    for name, part in parts.items():
        made[places[name]] = part
    return kind._make(made)


@cache
def _places(kind: Any) -> dict[str, int]:
    """Of the fields of a kind of named tuple."""
    return {name: k for k, name in enumerate(kind._fields)}


def paths_to(one: Any, other: Any) -> Iterator[Path]:
    """Paths to the numbers and formulas in which two values of the same structure differ. Raises OtherStructureError
    elsewhere."""
    if type(one) is not type(other):
        raise OtherStructureError
    if isinstance(one, float):
        if struct.pack("d", one) != struct.pack("d", other):
            yield ()
        return
    if isinstance(one, np.ndarray):
        yield from _in_arrays(one, other)
        return
    names: Any = ()
    if isinstance(one, Expression):
        if one != other:
            yield (FORMULA,)
    elif type(one) is tuple and len(one) == len(other):
        names = range(len(one))
    elif isinstance(one, tuple) and hasattr(one, "_fields"):
        names = one._fields
    elif is_dataclass(one):
        names = [field.name for field in fields(one)]
    elif isinstance(one, tuple) or one != other:
        raise OtherStructureError
    for name in names:
        for path in paths_to(part_of(one, name), part_of(other, name)):
            yield (name, *path)


def _in_arrays(one: Array, other: Array) -> Iterator[Path]:
    if one.shape != other.shape or one.dtype != other.dtype:
        raise OtherStructureError
    if one.tobytes() == other.tobytes():
        return
    if one.dtype.kind != "f":
        raise OtherStructureError
    same = np.ascontiguousarray(one).view(np.int64) == np.ascontiguousarray(other).view(np.int64)
    yield from map(tuple, np.argwhere(~same).tolist())


def part_of(value: Any, name: int | str) -> Any:
    """A part, by its place in a tuple or an array, or its name."""
    return value[name] if isinstance(name, int) else getattr(value, name)


def number_at(compiled: CompiledMechanism, path: Path) -> float:
    """The number that a path leads to."""
    root, *_ = path
    value: Any = compiled if root in ARRAYS else compiled.lowered
    for name in ("couplings" if root == "coupled" else root, *path[1:-1]):
        value = part_of(value, name)
    last = path[-1]
    return float(value.reshape(-1)[last] if root in ARRAYS else part_of(value, last))


def put(tree: dict[Any, Any], path: Path, spot: int) -> None:
    """Write a spot into a tree of dictionaries."""
    for name in path[:-1]:
        tree = tree.setdefault(name, {})
    tree[path[-1]] = spot


def remaker(value: Any, changes: Any, frozen: bool = True) -> Remake:
    """What makes a value again with other numbers. changes : which of them, or what changes of its parts, by name or
    place; of arrays, where all are numbers, by their places in them. frozen : arrays are not to be written into."""
    if isinstance(changes, int):
        return itemgetter(changes)
    spots = list(changes.items())
    if isinstance(value, np.ndarray) and all(isinstance(one, int) for one in changes.values()):

        def numbers_in(numbers: list[float]) -> Any:
            made = value.copy()
            flattened = made.reshape(-1)
            for k, spot in spots:
                flattened[k] = numbers[spot]
            made.flags.writeable = not frozen
            return made

        return numbers_in
    parts = [(k, remaker(part_of(value, k) if isinstance(k, str) else value[k], one, frozen)) for k, one in spots]
    kind = type(value)

    def array(numbers: list[float]) -> Any:
        made = value.copy()
        for k, part in parts:
            made[k] = part(numbers)
        made.flags.writeable = False
        return made

    def record(numbers: list[float]) -> Any:
        return with_fields(value, **{name: part(numbers) for name, part in parts})

    def several(numbers: list[float]) -> Any:
        made = [*value]
        for k, part in places:
            made[k] = part(numbers)
        return make(made)

    if isinstance(value, np.ndarray):
        return array
    if not isinstance(value, tuple):
        return record
    make = getattr(kind, "_make", tuple)
    names = getattr(kind, "_fields", ())
    places = [(names.index(k) if isinstance(k, str) else k, part) for k, part in parts]
    return several


def said_of(compiled: CompiledMechanism) -> tuple[Any, ...]:
    """All that it comes to, bit by bit."""
    lowered = compiled.lowered
    arrays = [*tables_in(compiled).values(), compiled.r, compiled.A, compiled.v, compiled.w]
    flat_rows = [tuple(map(repr, row)) for row in lowered.rows]
    numbers = [_said_of_body(one) for one in lowered.bodies]
    named = [one.name for one in lowered.bodies]
    some = lowered.joints, lowered.loads, lowered.elements, lowered.efforts, lowered.couplings, lowered.tables
    parts = *map(repr, some), lowered.inputs, lowered.gravity.tobytes()
    whole = compiled.length, compiled.extent, repr(compiled.counted_angles)
    return (
        [one.tobytes() for one in arrays],
        flat_rows,
        numbers,
        named,
        parts,
        whole,
        lowered.notes,
        _said_of_sensors(lowered),
    )


def _said_of_sensors(lowered: Lowered) -> Any:
    turned = [None if one.imu is None else one.imu.rotation.tobytes() for one in lowered.sensors]
    return repr(lowered.sensors), turned, repr(lowered.base)


def _said_of_body(one: LoweredBody) -> Any:
    arrays = one.inertia, one.position, one.rotation, one.velocity, one.angular_velocity
    parts = [None if array is None else array.tobytes() for array in arrays]
    return repr(one.mass), parts, one.stated, repr(one.centre)
