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
        self._first = list(zip(stands.values(), recorded.starts, recorded.sizes, strict=True))
        self._looked_at = [part for name, part in stands.items() if part.size and name not in SCALARS]
        behind = zip(recorded.starts, recorded.sizes, strict=True)
        self._behind = [(WORDS * k, 8 * (start + size)) for k, (start, size) in enumerate(behind)]
        self._expected = 0, samples - 1

    @property
    def finite(self) -> bool:
        """Whether all that is recorded where the run stands is."""
        return all(b"\0" not in np.isfinite(part).tobytes() for part in self._looked_at)

    def __call__(self) -> Array | None:
        """Carry it out: numbers of all samples, as `recorded` says; None where a step fails."""
        numbers = np.empty(self.recorded.size)
        for part, start, size in self._first:
            numbers[start : start + size] = part.ravel()
        address, words = _address_of(_place(numbers)), self._words  # type: ignore[arg-type]
        for word, behind in self._behind:
            words[word] = address + behind
        return numbers if self.loop() == self._expected else None


SCALARS = "time", "iterations"  # of which a sample has one number
