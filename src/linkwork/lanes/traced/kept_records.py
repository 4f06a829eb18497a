"""Records of runs that are kept in a process for later runs whose course they describe as well.

A record follows from the code that was recorded, from whole numbers, and from those floating-point numbers that were
taken for constants; of the others it is a function. Where another run has all of these to the last bit it is that run's
record, too, as far as its guards go. Code that was made of it is kept with it.

Where kernels pass over small pivots (`selections`) the first run's choice stays: a kept record may differ from one that
was made anew as two orders of elimination do, by rounding.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Set
from threading import Lock, local
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from linkwork.lanes.traced.numbers import NotTracedError
from linkwork.lanes.traced.recording import Recording, RunRecorder

MOST = 400_000  # operations of all that is kept; with the code that is made of them somewhat below 1 kB each
FEW = 8  # things that are made of one record
T = TypeVar("T")


class _Kept(NamedTuple):
    """A record. values : of all cells for the run that was recorded; constants : whether they were taken for such;
    integers : whole numbers. size : operations."""

    about: Hashable
    values: NDArray[np.float64]
    constants: NDArray[np.bool_]
    integers: list[NDArray[np.uint8]]
    found: Any
    size: int

    def fits(self, about: Hashable, recorder: RunRecorder, given: Set[int]) -> bool:
        """Whether it is the record of this run as well. given : cells that must not be constants."""
        if self.about != about or np.any(self.constants[list(given)]):
            return False
        if not recorder.same_integers(self.integers, recorder.integers, recorder.counters):
            return False
        kept, found = (values.view(np.int64)[self.constants] for values in (self.values, recorder.cells.values))
        return np.array_equal(kept, found)


class _Reused(local):
    """here : whether this thread took a kept record. forgotten : whether it takes none from disk."""

    here = forgotten = False


class KeptRecords:
    """The records that were asked for last."""

    def __init__(self, most: int = MOST) -> None:
        self.most, self._kept, self._lock, self._reused = most, list[_Kept](), Lock(), _Reused()

    def of(
        self,
        recorder: RunRecorder,
        about: Hashable,
        given: Set[int],
        make: Callable[[], tuple[T, Iterable[Recording], Set[int]]],
        load: Callable[[], tuple[T, Set[int], int] | None] = lambda: None,
        lighter: int = 1,
    ) -> T:
        """The record of a run. about : what it depends on besides. given : cells that are not taken for constants.
        make : makes it, and tells its parts and all cells that are not. load : reads it from disk, if it is there, and
        tells the same cells and how many operations there are. lighter : how many times less is kept than operations
        and what they lead to."""
        about = (about, *_code_of(recorder), tuple(one.size for one in (*recorder.cells.spans, *recorder.cells.others)))
        values = recorder.cells.values
        with self._lock:
            place = next((k for k, one in enumerate(self._kept) if one.fits(about, recorder, given)), -1)
            if place >= 0:
                self._kept.append(self._kept.pop(place))
                self._reused.here = True
                found: T = self._kept[-1].found
                return found
        integers = [array.copy() for array in recorder.integers]
        read = None if self._reused.forgotten else load()
        self._reused.here |= read is not None
        if read is None:
            made, parts, inputs = make()
            graphs = {id(one.graph): one.graph for one in parts}.values()
            size = sum(len(graph.nodes) for graph in graphs) // lighter
            for graph in graphs:
                graph.close()
        else:
            made, inputs, size = read
        constants = np.ones(len(values), dtype=bool)
        constants[list(inputs)] = False
        one = _Kept(about, values.copy(), constants, integers, made, size)
        with self._lock:
            self._kept = [*self._kept, one] if one.size <= self.most else self._kept
            while sum(each.size for each in self._kept) > self.most:
                self._kept.pop(0)
        return made

    def followed(self, do: Callable[[], T]) -> T:
        """What `do` comes to, which takes runs by records; by new ones where a run leaves the course of a kept one."""
        self._reused.here = self._reused.forgotten = False
        try:
            return do()
        except NotTracedError:
            if not self._reused.here:
                raise
        self.forget()
        return do()

    def forget(self) -> None:
        """All of them; and none is read from disk until another run is followed."""
        self._reused.forgotten = True
        with self._lock:
            self._kept.clear()

    def __len__(self) -> int:
        return len(self._kept)


def _code_of(recorder: RunRecorder) -> tuple[Hashable, ...]:
    """The entries whose kernels are recorded."""
    return tuple((one.entries, tuple(one.calls.items()), one.index) for one in recorder.level)


def made_once(made: dict[Any, Any], about: Hashable, make: Callable[[], T]) -> T:
    """What was made of a record. made : the last of it, by what it is for."""
    if about not in made:
        made[about] = make()
        while len(made) > FEW:
            made.pop(next(iter(made)))
    found: T = made[about]
    return found


RECORDS = KeptRecords()
