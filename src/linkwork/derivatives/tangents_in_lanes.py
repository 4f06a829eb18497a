"""Tangents of a recorded run by numbers side by side, vector by vector, in as many passes as it takes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.derivatives.tangent_run import Prepared
from linkwork.derivatives.traced import addresses_of
from linkwork.lanes.memory import aligned
from linkwork.lanes.processor import width
from linkwork.lanes.traced.batch import SampleLayout
from linkwork.lanes.traced.kept_records import made_once
from linkwork.lanes.traced.step import Recorder

Array = NDArray[np.float64]
AT_ONCE = 8  # numbers, at most: their tangents are one or two vectors, four on some processors


class TangentsInLanes(ABC):
    """A prepared run with tangents, its steps recorded.

    prepared : the run, which is not begun; it is read, and not changed. recorder : of it. tangents : (reals, numbers)
    of all that its compiled code works on. given : cells that begin with tangents.
    """

    recorded: Any

    def __init__(self, prepared: Prepared, recorder: Recorder, tangents: Array) -> None:
        self.run, moves = prepared.run, np.any(tangents != 0.0, axis=1)
        cells = np.array([recorder.cells.cell(address) for address in addresses_of(prepared, moves)], dtype=np.int64)
        read = cells >= 0
        self._cells, self._all_tangents = cells[read], tangents[moves][read]
        self.given = frozenset(self._cells.tolist())
        self.width, self.many = width(), tangents.shape[1]
        self.vectors = -(-min(self.many, AT_ONCE) // self.width)
        self.at_once = self.vectors * self.width

    def code_of(self, recorded: Any) -> Any:
        """Code of a record of the run, made once. Places of cells are those among `recorded.carried`."""
        self.recorded = recorded
        places = {cell: k for k, cell in enumerate(recorded.carried)}
        carried = np.array([cell in places for cell in self._cells.tolist()], dtype=bool)
        self._places = np.array([places[cell] for cell in self._cells[carried].tolist()], dtype=np.int64)
        self._tangents, self._base = self._all_tangents[carried], recorded.cells[list(recorded.carried)]
        within = [self._given(vector) for vector in range(self.vectors)]
        return made_once(recorded.made, (self.width, *within), lambda: self.compiled(within))

    def _given(self, vector: int) -> frozenset[int]:
        """Cells that begin with tangents in this vector, of any pass."""
        within = np.arange(self.many) % self.at_once // self.width == vector
        return frozenset(self._cells[np.any(self._all_tangents[:, within] != 0.0, axis=1)].tolist())

    def samples(self) -> dict[str, Array]:
        """Arrays (samples, ..., 1 + numbers), values first.

        Raises NotTracedError where the run leaves the course that was recorded, or a derivative is not finite."""
        found = None
        for first in range(0, self.many, self.at_once):
            of = self._tangents[:, first : first + self.at_once]
            now = self.carried_out(self._begun(of), of.shape[1])
            found = now if found is None else np.concatenate([found, now[..., 1:]], axis=-1)
        assert found is not None
        time = np.zeros((len(found), 1 + self.many))
        time[:, 0] = self.times
        return {"time": time, **SampleLayout.of(self.run).arrays(found)}

    def _begun(self, of: Array) -> Array:
        """(cells carried, 1 + vectors, width) as they are before the run, with these tangents (cells, numbers)."""
        cells = aligned(len(self._base) * (1 + self.vectors) * self.width).reshape(-1, 1 + self.vectors, self.width)
        cells[:, 0] = self._base[:, None]
        behind = np.zeros((len(self._base), self.at_once))
        behind[self._places, : of.shape[1]] = of
        cells[:, 1:] = behind.reshape(-1, self.vectors, self.width)
        return cells

    def room(self, samples: int, size: int) -> Array:
        """(samples, size, 1 + vectors, width) for samples as compiled code writes them."""
        one = 1 + self.vectors, self.width
        return aligned(samples * size * one[0] * self.width).reshape(samples, size, *one)

    @property
    @abstractmethod
    def times(self) -> Array:
        """(samples,) [s]."""

    @abstractmethod
    def compiled(self, given: Sequence[frozenset[int]]) -> Any:
        """Code. given : cells that begin with tangents, of each vector."""

    @abstractmethod
    def carried_out(self, cells: Array, many: int) -> Array:
        """(samples, numbers, 1 + many) of the run from these cells."""


def told(out: Array, some: Array) -> None:
    """Samples as compiled code writes them go to (samples, numbers, 1 + tangents)."""
    some = some[: len(out)]
    out[..., 0] = some[:, :, 0, 0]
    out[..., 1:] = some[:, :, 1:].reshape(*some.shape[:2], -1)[..., : out.shape[-1] - 1]
