"""The arrays of W instances: number by number side by side, and tables of addresses for them.

What one instance's tables say stays as it is, extents included; floating-point arrays are others, W times as long.
Arrays that share memory still do. Whole numbers are those of all instances, which have to agree.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linkwork.kernels.records import Call
from linkwork.problems.layout import NUMBERS, WORDS, Slot, standing_in

Ints = NDArray[np.int64]
LINE = 64  # bytes: vectors stand at multiples


@dataclass(frozen=True)
class Span:
    """Memory of one instance: from an address on, so many bytes. floats : of floating-point numbers."""

    address: int
    size: int
    floats: bool

    @property
    def end(self) -> int:
        """The address behind."""
        return self.address + self.size

    def within(self, other: Span) -> bool:
        """Whether the other has all of it."""
        return other.address <= self.address and self.end <= other.end


def arrays_of(slot: Slot, words: Ints) -> Iterator[tuple[int, Span]]:
    """The arrays that stand in a slot of a table: their number in the table, and their memory."""
    for at, one in standing_in(slot, len(words) // WORDS):
        if not isinstance(one.kind, Call):
            address, *extents = (int(word) for word in words[WORDS * at : WORDS * (at + 1)])
            size = np.dtype(NUMBERS[one.letter]).itemsize
            yield at, Span(address, size * int(np.prod(extents[: len(one.kind)])), one.letter == "f")


def merged(spans: Iterable[Span]) -> list[Span]:
    """Spans that no longer overlap. Raises ValueError where memory holds both kinds of numbers."""
    found: list[Span] = []
    for one in sorted({one for one in spans if one.size}, key=lambda one: (one.address, -one.size)):
        last = found[-1] if found else None
        if last is not None and one.address < last.end:
            if last.floats != one.floats:
                raise ValueError("an array of floating-point numbers shares memory with one of whole numbers")
            found[-1] = Span(last.address, max(last.end, one.end) - last.address, last.floats)
        else:
            found.append(one)
    return found


class Memory:
    """Memory of W instances for these spans of one."""

    def __init__(self, spans: Iterable[Span], width: int) -> None:
        self.width = width
        every = merged(spans)
        self.floats = [one for one in every if one.floats]
        self.ints = [one for one in every if not one.floats]
        self._starts = np.array([one.address for one in every], dtype=np.int64)
        self._spans = every
        count = sum(one.size for one in self.floats) // 8
        self.lanes = aligned(count * width).reshape(count, width)
        self.rows = np.zeros((width, count))  # what lanes begin with, instance by instance
        self.integers = aligned(sum(-(-one.size // 8) for one in self.ints))
        self.first, self.seen = np.zeros_like(self.integers), np.zeros_like(self.integers)
        self._places: dict[int, int] = {}
        at = 0
        for one in self.floats:
            self._places[one.address] = at
            at += one.size // 8
        at = 0
        for one in self.ints:
            self._places[one.address] = at
            at += -(-one.size // 8)

    def address(self, of: int) -> int:
        """Where the memory of W instances has what is at this address of one."""
        k = int(np.searchsorted(self._starts, of, side="right")) - 1
        one = self._spans[k]
        at = self._places[one.address]
        if one.floats:
            return int(self.lanes.ctypes.data) + 8 * at * self.width + (of - one.address) * self.width
        return int(self.integers.ctypes.data) + 8 * at + (of - one.address)

    def keep(self, lane: int) -> bool:
        """What one instance's memory holds now is what a lane begins with. False, and nothing kept, where its whole
        numbers are not those of lane 0."""
        for one in self.ints:
            ctypes.memmove(self.seen.ctypes.data + 8 * self._places[one.address], one.address, one.size)
        if lane == 0:
            self.first[:] = self.seen
        elif not np.array_equal(self.first.view(np.int64), self.seen.view(np.int64)):
            return False
        row = self.rows[lane].ctypes.data
        for one in self.floats:
            ctypes.memmove(row + 8 * self._places[one.address], one.address, one.size)
        return True

    def index(self, address: int) -> int:
        """The place in `rows` of what is at an address of one instance, -1 if that is no floating-point number."""
        k = int(np.searchsorted(self._starts, address, side="right")) - 1
        if k < 0 or not self._spans[k].floats or address >= self._spans[k].end:
            return -1
        return self._places[self._spans[k].address] + (address - self._spans[k].address) // 8

    def begin(self, kept: int) -> None:
        """The first so many lanes are as they were kept; those beyond are copies of the first."""
        self.integers[:] = self.first
        self.rows[kept:] = self.rows[0]
        self.lanes[:] = self.rows.T


def finite_lanes(samples: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether all numbers of a lane, the last axis, are finite."""
    finite = np.isfinite(samples)
    if finite.all():
        return np.ones(samples.shape[-1], dtype=bool)
    return np.array(finite.all(axis=tuple(range(samples.ndim - 1))))


def aligned(count: int, *, filled: bool = True) -> NDArray[np.float64]:
    """So many zeros, from a multiple of 64 bytes on; or whatever stands there."""
    raw = np.zeros(count + LINE // 8) if filled else np.empty(count + LINE // 8)
    skip = (-raw.ctypes.data % LINE) // 8
    return raw[skip : skip + count]


def lane_table(words: Ints, arrays: Iterable[tuple[int, Span]], memory: Memory, strays: Ints) -> Ints:
    """A table like that of one instance, of the memory of W. In front of it stands the address of the strays' word."""
    room = np.zeros(len(words) + 1, dtype=np.int64)
    room[0] = strays.ctypes.data
    table = room[1:]
    table[:] = words
    for at, span in arrays:
        if span.size:
            table[WORDS * at] = memory.address(span.address)
    return table


def with_strays(words: Ints, strays: Ints) -> Ints:
    """A table of addresses, with that of the strays' word in front of it."""
    return lane_table(words, (), Memory((), 1), strays)
