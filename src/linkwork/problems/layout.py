"""Which records stand one after the other in the table of addresses that an entry receives.

    TABLES, WORK, DEPENDENT = slots(Tables, Work, Dependent)        # from the table's start on
    SPACE, FACTORS = slots(RangeSpace, LdlFactors, after=DEPENDENT)  # behind another record
    LINKS, OWN = slots(Links, Own, last=True)                        # the last of the table
    SAMPLES, = slots(Block, table=2)                                 # in the table that is a direct entry's argument 2

A slot says to an entry where a record is: `entry(kernel, TABLES, WORK)` (`kernels.jit`). In the table a record's arrays
take four words each: address and three extents. Whoever makes a table keeps its arrays alive.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from linkwork.kernels.records import (
    Call,
    Columns,
    Field,
    Length,
    arrays_in,
    field_from,
    fields_of,
    is_record,
    places_of,
    room_of,
    said,
)

WORDS = 4  # per array in a table
_ANYWHERE = np.zeros(1)  # what arrays without elements point to
NOWHERE: int = _ANYWHERE.__array_interface__["data"][0]
_REST = tuple((0,) * (WORDS - 1 - ndim) for ndim in range(WORDS))  # of the words, by dimensions
NUMBERS = {"f": "float64", "i": "int64", "h": "int32", "u": "uint32"}


class Slot:
    """Where a record stands in a table, or an array (`Annotated[Ints, Shape("words")]`). table : the entry's argument
    that is the table."""

    def __init__(
        self, record: Any, before: Slot | None = None, behind: tuple[Any, ...] = (), last: bool = False, table: int = 0
    ) -> None:
        self.record, self.before, self.behind, self.last, self.table = record, before, behind, last, table

    @cached_property
    def field(self) -> Field:
        """What stands there."""
        return field_from("what a slot is of", self.record)

    @cached_property
    def room(self) -> int:
        """How many arrays it takes."""
        return room_of(self.field.kind)

    @cached_property
    def first(self) -> int:
        """Number of its first array in the table; below zero, counted from the end."""
        if self.last:
            return -sum(Slot(each).room for each in (self.record, *self.behind))
        return 0 if self.before is None else self.before.first + self.before.room

    def __call__(self, context: Any) -> Any:
        """The record, from Python. context : the table, or an object that has `.array(k, dtype, ndim)`."""
        table = context if hasattr(context, "array") else Table(context)
        first = self.first if self.first >= 0 else table.shape[0] // WORDS + self.first
        if is_record(self.field.kind):
            return read(self.record, table, first)
        return table.array(first, NUMBERS[self.field.letter], len(self.field.kind))

    def __repr__(self) -> str:
        kind = self.field.kind
        what = said(kind) if is_record(kind) else f"{self.field.letter}{len(kind)}"
        return f"slot {self.first} of table {self.table}: {what}"


@dataclass(frozen=True)
class Argument:
    """An argument that a direct entry hands on as it is. kind : "count", or "floats"."""

    number: int
    kind: str


def slots(*records: Any, after: Slot | None = None, last: bool = False, table: int = 0) -> tuple[Slot, ...]:
    """Slots of records that stand one after the other."""
    found: list[Slot] = []
    for k, record in enumerate(records):
        found.append(Slot(record, found[-1] if found else after, records[k + 1 :], last, table))
    return tuple(found)


def standing_in(slot: Slot, size: int) -> Iterator[tuple[int, Field]]:
    """The arrays and entries that stand in a slot of a table of so many: their numbers in the table, what they are."""
    yield from _standing(slot.field, slot.first if slot.first >= 0 else size + slot.first)


def _standing(one: Field, at: int) -> Iterator[tuple[int, Field]]:
    if not is_record(one.kind):
        yield at, one
        return
    places = places_of(one.kind)
    for each in fields_of(one.kind):
        if each.stands:
            yield from _standing(each, at + places[each.name])


def address_table(parts: Iterable[Any]) -> np.ndarray:
    """The table for these records, arrays and entries, which must outlive it. Raises ValueError for an array that is
    not contiguous."""
    words: list[int] = []
    for part in parts:
        for array in arrays_in(part):
            if not isinstance(array, np.ndarray):
                words += (array.address, 0, 0, 0)
            elif array.size:
                words += (address_of(array), *array.shape, *_REST[array.ndim])
            else:
                words += (NOWHERE, *array.shape, *_REST[array.ndim])
    return np.array(words, dtype=np.int64)


def address_of(array: np.ndarray) -> int:
    """Where the numbers of an array are. Raises ValueError where it is not contiguous."""
    try:
        return ctypes.addressof(ctypes.c_char.from_buffer(array))  # type: ignore[arg-type]  # what can be written, in less time
    except TypeError:
        if not array.flags.c_contiguous:
            raise ValueError("arrays of a problem must be contiguous") from None
        return int(array.__array_interface__["data"][0])


class Table:
    """A table of addresses as Python reads it: arrays over the same memory."""

    def __init__(self, words: np.ndarray) -> None:
        self.words, self.shape = words, words.shape

    def __getitem__(self, word: int) -> int:
        return int(self.words[word])

    def array(self, k: int, dtype: str, ndim: int) -> np.ndarray:
        """Array number k."""
        address, *extents = (int(word) for word in self.words[WORDS * k : WORDS * (k + 1)])
        size = int(np.prod(extents[:ndim])) * np.dtype(dtype).itemsize
        if size == 0:
            return np.zeros(extents[:ndim], dtype)
        raw = (ctypes.c_char * size).from_address(address)
        return np.ndarray(tuple(extents[:ndim]), dtype, memoryview(raw))


def read(record: type, context: Any, first: int) -> Any:
    """A record of the table from array number `first` on, from Python. Raises ValueError where an array has another
    number of columns than it should."""
    found: dict[str, Any] = {}
    places = places_of(record)
    for one in fields_of(record):
        kind, at = one.kind, first + places[one.name]
        if isinstance(kind, Columns):
            array, start = found[kind.of], places[one.name]
            found[one.name] = array[:, start] if kind.many is None else array[:, start : start + kind.many]
        elif isinstance(kind, Length):
            found[one.name] = int(context[WORDS * (first + places[kind.of]) + 1]) if kind.of else 0
        elif isinstance(kind, Call):
            found[one.name] = context[WORDS * at]
        elif is_record(kind):
            found[one.name] = read(kind, context, at)
        else:
            array = found[one.name] = context.array(at, NUMBERS[one.letter], len(kind))
            if len(kind) > 1 and isinstance(kind[-1], int) and array.shape[-1] != kind[-1]:
                raise ValueError(f"{array.shape[-1]} columns where {record.__name__}.{one.name} says {kind[-1]}")
    return record(**found)
