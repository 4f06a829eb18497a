"""Arrays of dual numbers beside those that a run works on, and the tables of addresses that say so.

A table tells where each array stands. Every real number of theirs gets a cell of eight: value and tangents. Arrays that
share memory share cells. Whole numbers stay where they are.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.problems.layout import WORDS, Slot, standing_in

CELL = 8  # numbers: `dual_numbers`
ALIGNED = 64  # bytes

Array = NDArray[np.float64]
Words = NDArray[np.int64]


def arrays_read(entries: Sequence[Any], table: int, size: int) -> dict[int, tuple[str, int]]:
    """Of each array that entries read from their table number `table`: place -> letter, dimensions."""
    slots = dict.fromkeys(part for one in entries for part in one.parts if isinstance(part, Slot))
    standing = (pair for slot in slots if slot.table == table for pair in standing_in(slot, size))
    return {at: (one.letter, len(one.kind)) for at, one in standing if isinstance(one.kind, tuple)}


def numbers_at(words: Words, place: int, ndim: int, dtype: type = np.float64) -> Any:
    """The array at a place, as it stands in memory."""
    address, *extents = (int(word) for word in words[WORDS * place : WORDS * place + 1 + ndim])
    size = int(np.prod(extents)) * np.dtype(dtype).itemsize
    if size == 0:
        return np.zeros(extents, dtype)
    raw: Any = (ctypes.c_char * size).from_address(address)
    return np.frombuffer(raw, dtype).reshape(extents)


class Reals:
    """The real numbers of some tables, in the order of their places. owner : keeps what stands there alive."""

    def __init__(self, tables: Sequence[tuple[Words, dict[int, tuple[str, int]]]], owner: Any) -> None:
        self.tables, self.owner = tables, owner
        self.arrays = [
            numbers_at(words, place, ndim)
            for words, places in tables
            for place, (letter, ndim) in sorted(places.items())
            if letter == "f"
        ]

    @property
    def values(self) -> Array:
        """All of them, one after the other."""
        return np.concatenate([array.ravel() for array in self.arrays])

    @property
    def once(self) -> NDArray[np.bool_]:
        """(reals,) each number in memory once: false where one stands in an array named before, too."""
        addresses = [_address(array) + 8 * np.arange(array.size) for array in self.arrays]
        out = np.zeros(sum(map(len, addresses)), dtype=bool)
        out[np.unique(np.concatenate(addresses), return_index=True)[1]] = True
        return out

    @property
    def integers(self) -> list[NDArray[Any]]:
        """The arrays of whole numbers, as they stand in memory."""
        kinds = {"i": np.int64, "h": np.int32, "u": np.uint32}
        return [
            numbers_at(words, place, ndim, kinds[letter])
            for words, places in self.tables
            for place, (letter, ndim) in sorted(places.items())
            if letter in kinds
        ]

    @property
    def structure(self) -> tuple[Any, ...]:
        """All that is no real number: shapes, and whole numbers."""
        return tuple(array.shape for array in self.arrays), [array.tolist() for array in self.integers]


class Cells:
    """Cells for the real numbers of some tables, values filled in. width : numbers of a cell, the value first."""

    def __init__(self, reals: Reals, width: int) -> None:
        self.reals, self.width = reals, width
        spans: list[list[int]] = []
        for begin, end in sorted((_address(a), _address(a) + a.nbytes) for a in reals.arrays if a.size):
            if spans and begin < spans[-1][1]:
                spans[-1][1] = max(spans[-1][1], end)
            else:
                spans.append([begin, end])
        counts = [(end - begin) // 8 for begin, end in spans]
        self.begins = [begin for begin, _ in spans]
        self.firsts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        self.all = _aligned(int(self.firsts[-1]), width)
        self.plain = [_raw(begin, count) for begin, count in zip(self.begins, counts, strict=True)]
        self.all[:, 0] = self.values

    @property
    def values(self) -> Array:
        """The numbers themselves, one for each cell, as they now are."""
        return np.concatenate(self.plain) if self.plain else np.zeros(0)

    def first_of(self, array: Array) -> int:
        """Number of the cell in which an array begins."""
        k = int(np.searchsorted(self.begins, _address(array), side="right")) - 1
        return int(self.firsts[k]) + (_address(array) - self.begins[k]) // 8

    def of(self, array: Array) -> Array:
        """The cells of an array, (..., width)."""
        if not array.size:
            return np.zeros((*array.shape, self.width))
        first = self.first_of(array)
        return self.all[first : first + array.size].reshape(*array.shape, self.width)

    def table(self, number: int) -> Words:
        """A table with the addresses of cells."""
        words, places = self.reals.tables[number]
        out = words.copy()
        for place, (letter, ndim) in places.items():
            array = numbers_at(words, place, ndim) if letter == "f" else None
            if array is not None and array.size:
                out[WORDS * place] = _address(self.of(array))
        return out


class DualMemory(Cells):
    """Cells of a value and seven tangents."""

    def __init__(self, reals: Reals) -> None:
        super().__init__(reals, CELL)

    def give(self, tangents: Array) -> None:
        """Tangents (numbers, up to 7) of all real numbers."""
        first = 0
        for array in self.reals.arrays:
            of = tangents[first : first + array.size]
            self.of(array).reshape(-1, CELL)[:, 1 : 1 + of.shape[1]] = of
            first += array.size


def _raw(begin: int, count: int) -> Array:
    raw: Any = (ctypes.c_char * (8 * count)).from_address(begin)
    return np.frombuffer(raw, np.float64)


def _address(array: Any) -> int:
    return int(array.__array_interface__["data"][0])


def _aligned(count: int, width: int) -> Array:
    raw = np.zeros(width * count + ALIGNED // 8)
    first = (-_address(raw) % ALIGNED) // 8
    return raw[first : first + width * count].reshape(count, width)
