"""A run in steps of one size as one call of compiled code, made often: its tables of addresses are laid once."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.integrators.contract import Block
from linkwork.problems.layout import WORDS, address_table

Array = NDArray[Any]
Part = tuple[str, Any, tuple[int, ...]]  # name, type of numbers (eight bytes each), shape of one sample
_place, _address_of = ctypes.c_char.from_buffer, ctypes.addressof


class Recorded:
    """Where samples stand in an array: all of one name, then those of the next. parts : in the order of the block that
    compiled code fills. starts, sizes : of parts in the array, and of one sample. size : of all."""

    def __init__(self, samples: int, parts: Sequence[Part]) -> None:
        self.samples, self.parts = samples, tuple(parts)
        self.sizes = [int(np.prod(shape, dtype=np.int64)) for _, _, shape in parts]
        bounds = np.cumsum([0, *(samples * size for size in self.sizes)]).tolist()
        self.starts, self.size = bounds[:-1], bounds[-1]

    def block(self, numbers: Array) -> Block:
        """Samples by name: parts of the array."""
        found: Block = {}
        for (name, kind, shape), start, size in zip(self.parts, self.starts, self.sizes, strict=True):
            some = numbers[start : start + self.samples * size]
            found[name] = (some if kind is float else some.view(kind)).reshape(self.samples, *shape)
        return found


class OneCall:
    """All steps of a run that stands at its start. entry : compiled code that takes steps. table : of all that it works
    on, as it takes it. every : steps between samples. stands : what is recorded of a state, by name, where it stands in
    the run's memory; the time [s] is first. room : a block of a sample, as compiled code takes it.

    recorded : where samples stand in what comes out. loop : the compiled code alone, which writes where the array that
    came out last is: whoever calls it has that still.
    """

    def __init__(
        self, entry: Any, table: Array, steps: int, every: int, stands: Mapping[str, Array], room: Any
    ) -> None:
        samples = steps // every + 1
        kinds = {name: float if array.dtype.kind == "f" else array.dtype for name, array in stands.items()}
        parts = [(name, kinds[name], () if name in SCALARS else array.shape) for name, array in stands.items()]
        self.recorded = recorded = Recorded(samples, parts)
        places = address_table((room,))
        places[1::WORDS] = samples - 1
        self.loop, self._words = entry.code.bound(table, steps, places), places.data
        self._rows: list[tuple[slice, memoryview]] = []  # where bytes of the first sample go, and where they stand
        self._others: list[tuple[slice, Array]] = []  # the same of numbers that lie apart
        for part, start in zip(stands.values(), recorded.starts, strict=True):
            if (rows := rows_of(part)) is None:
                self._others.append((slice(start, start + part.size), part))
            for row in rows or ():
                self._rows.append((slice(8 * start, 8 * start + row.nbytes), row.data.cast("B")))
                start += row.size
        self._looked_at = [part for name, part in stands.items() if part.size and name not in SCALARS]
        wholes = [whole_of(part) for part in self._looked_at]
        self._flags, ends = np.empty(sum(one.size for one in wholes), dtype=bool), np.cumsum([0, *map(np.size, wholes)])
        flags = zip(wholes, np.split(self._flags, ends[1:-1]), strict=True)
        self._looks = [(whole, some.reshape(whole.shape)) for whole, some in flags]
        behind = zip(recorded.starts, recorded.sizes, strict=True)
        self._behind = [(WORDS * k, 8 * (start + size)) for k, (start, size) in enumerate(behind)]
        self._expected = 0, samples - 1

    @property
    def finite(self) -> bool:
        """Whether all that is recorded where the run stands is."""
        for whole, flags in self._looks:
            np.isfinite(whole, flags)
        if b"\0" not in self._flags.tobytes():
            return True
        return all(b"\0" not in np.isfinite(part).tobytes() for part in self._looked_at)

    def __call__(self) -> Array | None:
        """Carry it out: numbers of all samples, as `recorded` says; None where a step fails."""
        numbers = np.empty(self.recorded.size)
        memory = numbers.data.cast("B")
        for place, row in self._rows:  # in a third of the time that NumPy takes
            memory[place] = row
        for numbered, part in self._others:
            numbers[numbered] = part.ravel()
        address, words = _address_of(_place(numbers)), self._words  # type: ignore[arg-type]
        for word, behind in self._behind:
            words[word] = address + behind
        return numbers if self.loop() == self._expected else None


def whole_of(part: Array) -> Array:
    """What an array is a part of, if it is not much more and all of it lies in one row, which is looked at in half the
    time; else the part."""
    whole = part if part.flags.c_contiguous else part.base
    fits = isinstance(whole, np.ndarray) and whole.flags.c_contiguous and whole.size <= MOST_WHOLE * part.size
    return whole if fits and whole is not None else part


def rows_of(part: Array) -> list[Array] | None:
    """Those parts of an array that are contiguous, where they are few."""
    if part.flags.c_contiguous:
        return [part] if part.size else []
    few = part.ndim > 1 and len(part) <= MOST_ROWS and part[0].flags.c_contiguous
    return list(part) if few else None


MOST_WHOLE, MOST_ROWS = 3, 6  # times the size of a part; rows
SCALARS = "time", "iterations"  # of which a sample has one number
