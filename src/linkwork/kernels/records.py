"""Records: sets of arrays that kernels share, declared once.

A record is a `typing.NamedTuple` whose fields say what they are:

    class Work(NamedTuple):
        motion: Annotated[Floats, Shape("nb + 1", 37), "m, 1", "pose of each body"]
        step: Annotated[Floats, Shape(1, 2), "s", "all of these:"]
        time: Annotated[Floats, Columns("step"), "s", "where the state is"]

From that come the tuple that kernels read, its place in an entry's table of addresses (`problems.layout`), its arrays
(`new_record`) and its page (docs/state.md). Nothing here needs Numba.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from operator import attrgetter
from typing import Annotated, Any, TypeVar, get_args, get_origin

import numpy as np

from linkwork.annotations import hints_of

R = TypeVar("R")
Extent = int | str  # a number, or sums and products of numbers and names: 3, "nb + 1", "12 nb", "2 * d"
LETTERS = {"float64": "f", "int64": "i", "int32": "h", "uint32": "u"}
INTEGERS = {"i": np.int64, "h": np.int32, "u": np.uint32}


class Shape:
    """An array of this shape, C-contiguous. The last of several extents is known to compiled code if it is a number."""

    def __init__(self, *extents: Extent) -> None:
        self.extents = extents


@dataclass(frozen=True)
class Columns:
    """Columns of the record's array `of`, those after the field before that has columns of it. many : how many, as an
    array with two indices; left out: one, as an array with one index, so that of one row `work.time[0]` is a number."""

    of: str
    many: int | None = None


@dataclass(frozen=True)
class Length:
    """The first extent of the record's array `of`, as a number; an empty name: for Python alone, not in the table."""

    of: str = ""


class Call:
    """A compiled entry that takes a table of addresses and returns a Status or a count."""

    def __repr__(self) -> str:
        return "call"


EntryCall = Annotated[Any, Call()]


@dataclass(frozen=True)
class Field:
    """One field of a record. kind : Shape, Columns, Length, Call, or a record. letter : of the numbers' type."""

    name: str
    kind: Any
    letter: str = ""
    about: tuple[str, ...] = field(default=(), compare=False)  # unit, meaning

    @property
    def stands(self) -> bool:
        """Whether it has a place of its own in a table of addresses, or several."""
        return not isinstance(self.kind, (Columns, Length))


@cache
def fields_of(record: type) -> tuple[Field, ...]:
    """The fields of a record, in order. Raises TypeError where one does not say what it is."""
    hints = _hints(record)
    fields = tuple(field_from(f"{record.__name__}.{name}", hints[name]) for name in names_of(record))
    places_in(fields)
    return fields


def names_of(record: type) -> tuple[str, ...]:
    """The names of a named tuple's fields."""
    names: tuple[str, ...] = getattr(record, "_fields")  # noqa: B009  # every named tuple has it, no type says so
    return names


@cache
def is_record(value: Any) -> bool:
    """Whether a class is a record: a named tuple all of whose fields say what they are."""
    if not (isinstance(value, type) and hasattr(value, "_fields")):
        return False
    return all(_says(hint) for hint in _hints(value).values())


@cache
def _hints(record: type) -> dict[str, Any]:
    return hints_of(record)  # asked for twice, and half of what reading a record costs


def _says(hint: Any) -> bool:
    kinds = (Shape, Columns, Length, Call)
    said = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    return is_record(said[0]) or any(isinstance(each, kinds) for each in said)


def field_from(path: str, hint: Any) -> Field:
    """The field that a type says. path : its name, the last part of it the field's."""
    name = path.rpartition(".")[2]
    if is_record(hint):
        return Field(name, hint)
    if get_origin(hint) is Annotated:
        of, *said = get_args(hint)
        words = tuple(each for each in said if isinstance(each, str))
        for kind in said:
            if isinstance(kind, Shape):
                return Field(name, kind.extents, letter_of(of), words)
            if isinstance(kind, (Columns, Length, Call)):
                return Field(name, kind, "", words)
            if is_record(of):
                return Field(name, of, "", words)
    raise TypeError(f"{path} does not say what it is: Annotated[Floats, Shape(...), unit, meaning]")


def letter_of(array: Any) -> str:
    """The letter of an array type such as NDArray[np.float64]."""
    said = get_args(array)
    number = said[0] if len(said) == 1 else get_args(said[1])[0]  # NumPy since 2.5 keeps the alias; before, its meaning
    return LETTERS[np.dtype(number).name]


def new_record(record: type[R], dtype: Any = np.float64, given: Mapping[str, Any] | None = None, **sizes: int) -> R:
    """A record of zeros. sizes : what the names in its shapes stand for; dtype : of floats, complex in some tests;
    given : fields that there are already (their columns, too, are taken from them)."""
    values: list[Any] = []
    lengths: list[tuple[int, int]] = []
    kind: Any = record
    for of, how in _made(kind, frozenset(given or ()), tuple(sizes.items())):
        if isinstance(how, tuple):
            values.append(np.zeros(how, of or dtype))
        elif given is not None and isinstance(how, str):
            values.append(given[how])
        elif isinstance(of, int):
            values.append(values[of][:, how])
        elif of is Length:
            lengths += [] if how is None else [(len(values), how)]
            values.append(0)
        else:
            values.append(new_record(how, dtype, None, **sizes))
    for place, of in lengths:
        values[place] = values[of].shape[0]
    made: R = kind._make(values)
    return made


@lru_cache(maxsize=1000)
def _made(record: type, given: frozenset[str], sizes: tuple[tuple[str, int], ...]) -> list[tuple[Any, Any]]:
    """How each field of a new record is made: a type of numbers (None: the floats') and a shape; or a name that is
    given; the place of an array and its columns; Length and the place of an array; or a record."""
    numbers, places, at = dict(sizes), places_of(record), {name: k for k, name in enumerate(names_of(record))}
    found: list[tuple[Any, Any]] = []
    for one in fields_of(record):
        kind = one.kind
        if one.name in given:
            found.append((None, one.name))
        elif isinstance(kind, tuple):
            shape = tuple(extent_of(extent, numbers) for extent in kind)
            found.append((INTEGERS.get(one.letter), shape))
        elif isinstance(kind, Columns):
            first = places[one.name]
            found.append((at[kind.of], first if kind.many is None else slice(first, first + kind.many)))
        elif is_record(kind):
            found.append((None, kind))
        elif isinstance(kind, Length):
            found.append((Length, at[kind.of]) if kind.of else (Length, None))
        else:
            raise TypeError(f"{record.__name__}.{one.name} is no array: it must be given")
    return found


def shared(record: Any, *names: str) -> dict[str, Any]:
    """Fields of a record by name, for another one that has the same arrays (`new_record(..., given=shared(...))`)."""
    return {name: getattr(record, name) for name in names}


def extent_of(extent: Extent, sizes: Mapping[str, int]) -> int:
    """A number for "nb + 1", "12 nb", "2 * d" or "n - m". Raises ValueError for anything else, and KeyError for a name
    that `sizes` does not have."""
    if isinstance(extent, int):
        return extent
    found = 0
    for number, names in terms_of(extent):
        for name in names:
            number *= sizes[name]
        found += number
    return found


@cache
def terms_of(extent: str) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """The terms of an extent: a number, and the names that it is multiplied by."""
    terms, sign = [], 1
    for k, word in enumerate(re.split(r"\s*([+-])\s*", extent.strip())):
        if k % 2:
            sign = 1 if word == "+" else -1
            continue
        factors = re.split(r"\s*\*\s*|\s+", word)
        if not all(re.fullmatch(r"\d+|[A-Za-z_]\w*", factor) for factor in factors):
            raise ValueError(f"'{extent}' is no extent: a sum of products of numbers and names")
        number = math.prod(int(factor) for factor in factors if factor.isdigit())
        terms.append((sign * number, tuple(factor for factor in factors if not factor.isdigit())))
    return tuple(terms)


@cache
def places_of(record: type) -> dict[str, int]:
    """`places_in` its fields."""
    return places_in(fields_of(record))


def places_in(fields: tuple[Field, ...]) -> dict[str, int]:
    """Of each field: the number of its first array among the record's, or of the first of its columns in their array.
    Raises ValueError where an array has too few columns."""
    places, taken, room = {}, dict[str, int](), 0
    by_name = {one.name: one for one in fields}
    for one in fields:
        if isinstance(one.kind, Columns):
            whole, first, many = by_name[one.kind.of], taken.get(one.kind.of, 0), one.kind.many or 1
            places[one.name] = first
            taken[whole.name] = first + many
            if not isinstance(whole.kind[-1], int) or first + many > whole.kind[-1]:
                raise ValueError(f"{whole.name} of {whole.kind[-1]} columns has no {first + many}")
        else:
            places[one.name] = room
            room += room_of(one.kind) if one.stands else 0
    return places


def said(record: type) -> str:
    """All that compiled code knows of a record, in words: not the names of extents, units and meanings."""
    words = []
    for one in fields_of(record):
        kind = one.kind
        if isinstance(kind, tuple):
            last = kind[-1] if len(kind) > 1 and isinstance(kind[-1], int) else ""
            words.append(f"{one.name} {one.letter}{len(kind)}x{last}")
        else:
            words.append(f"{one.name} {said(kind) if is_record(kind) else kind}")
    return f"{record.__module__}.{record.__qualname__}({', '.join(words)})"


def arrays_in(values: Any) -> Sequence[Any]:
    """What of a value stands in a table of addresses, in order: an array or entry itself, all arrays of a record."""
    if not hasattr(values, "_fields"):
        return (values,)
    kind: Any = type(values)
    found: Sequence[Any] = _arrays_of(kind)(values)
    return found


@cache
def _arrays_of(kind: type) -> Callable[[Any], Sequence[Any]]:
    """Reads `arrays_in` a named tuple of a kind: of records, all at once."""
    if not is_record(kind):
        return lambda values: [each for value in values for each in arrays_in(value)]
    paths = tuple(_paths(kind))
    return attrgetter(*paths) if len(paths) > 1 else lambda values: [attrgetter(path)(values) for path in paths]


def _paths(kind: type) -> Iterator[str]:
    """Of every array and entry of a record that stands in a table: its name, behind those of the records that it is
    in."""
    for one in fields_of(kind):
        if one.stands:
            inner = _paths(one.kind) if is_record(one.kind) else ()
            yield from [f"{one.name}.{path}" for path in inner] or ([] if is_record(one.kind) else [one.name])


@cache
def standing(kind: type) -> tuple[bool, ...]:
    """Of each field of a named tuple: whether it has a place of its own in a table of addresses."""
    return tuple(one.stands for one in fields_of(kind)) if is_record(kind) else (True,) * len(names_of(kind))


def room_of(kind: Any) -> int:
    """How many arrays (or entries) a record has in a table of addresses; of anything else, one."""
    return sum(room_of(one.kind) for one in fields_of(kind) if one.stands) if is_record(kind) else 1
