"""A started run that is kept, and started again as often as wanted, without anything being built.

What the next step depends on stands in arrays and plain numbers (`run.snapshot`): they are copied when the run is at
its start, and written back. Two starts are kept: `placed`, with all bodies where they belong and nothing solved, where
numbers may be changed; and `started`, with the accelerations found.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.integrators.contract import Run
from linkwork.run.snapshot import arrays_in, numbers_of
from linkwork.run.starting import finite
from linkwork.system.packed import bodies_of

if TYPE_CHECKING:
    from linkwork.integrators.one_call import OneCall
    from linkwork.kernels.tables import Bodies

Array = NDArray[Any]
LARGEST, MOST = 4_000_000, 4  # bytes of a held run, and held runs, that are kept
WORD, SMALL = 8, 1024  # bytes; of an array that is written back word by word, together with all other small ones
MOST_PLACES = 32  # sets of numbers of which it is kept where they go
FEW = 8  # times that arrays are written back one by one: to find where they lie takes as long


class Spot(NamedTuple):
    """A number in a placed run: which array, and where in it."""

    array: str
    at: int


class Standing:
    """A copy of arrays and plain numbers, and how they are written back: one by one a few times, and where they lie in
    memory of a run that is started more often."""

    def __init__(self, held: Held) -> None:
        self.held, self.arrays = held.arrays, {place: array.copy() for place, array in held.arrays.items()}
        self.facts = [(thing, numbers_of(thing)) for thing in held.carried]
        self.remarks = list(held.run.remarks)
        self._few = FEW

    def restore(self, run: Run[Any]) -> None:
        """Stand there again."""
        if self._few:
            self._few -= 1
            for array, kept in zip(self.held.values(), self.arrays.values(), strict=True):
                array[...] = kept
        else:
            self._memory.restore()
        for thing, numbers in self.facts:
            vars(thing).update(numbers)
        run.remarks[:] = self.remarks

    @property
    def owners(self) -> list[str]:
        """Arrays that have all the memory, of which others are parts."""
        return self._memory.owners

    @cached_property
    def _memory(self) -> Memory:
        return Memory(self.held, self.arrays)


class Memory:
    """Where arrays lie, and what is kept of them. owners : as of `Standing`."""

    def __init__(self, arrays: Mapping[str, Array], kept: Mapping[str, Array]) -> None:
        self._moves: list[tuple[memoryview, memoryview]] = []
        self._others: list[tuple[Array, Array]] = []
        self.owners: list[str] = []
        small: dict[str, tuple[int, int]] = {}  # address and bytes
        reached = 0  # address up to which what begins before is covered
        known = set(map(id, arrays.values()))  # what is part of one of these is covered by it
        bounds = {place: extent(array) for place, array in arrays.items() if array.size and id(array.base) not in known}
        for place in sorted(bounds, key=lambda place: (bounds[place][0], -bounds[place][1])):
            array, (low, high) = arrays[place], bounds[place]
            if high <= reached:
                continue
            if array.flags.c_contiguous:
                reached = high
                if array.nbytes <= SMALL and array.nbytes % WORD == 0 and low % WORD == 0:
                    small[place] = low, array.nbytes
                else:
                    self._moves.append((bytes_of(array), bytes_of(kept[place])))
            else:
                self._others.append((array, kept[place]))
            self.owners.append(place)
        self._words = np.zeros(0, dtype=np.int64)
        if small:
            first, size = (np.array(column, dtype=np.int64) // WORD for column in zip(*small.values(), strict=True))
            whole = size.sum()
            within = np.arange(whole) - np.repeat(np.cumsum(size) - size, size)
            self._words = np.repeat(first - first[0], size) + within
            self._reach = words_from(WORD * int(first[0]), int(self._words[-1]) + 1)
            self._kept = np.concatenate([kept[place].reshape(-1).view(np.int64) for place in small])

    def restore(self) -> None:
        """Write it."""
        if len(self._words):
            self._reach[self._words] = self._kept
        for target, source in self._moves:  # in a third of the time that NumPy takes
            target[:] = source
        for array, kept in self._others:
            array[...] = kept


def extent(array: Array) -> tuple[int, int]:
    """Addresses of its first byte and beyond its last."""
    low = array.__array_interface__["data"][0]
    return (low, low + array.nbytes) if array.flags.c_contiguous else np.lib.array_utils.byte_bounds(array)


def numbers_in(array: Array) -> Any:
    """What takes a number of the array by its place in it."""
    plain = array.flags.c_contiguous and array.dtype == np.float64
    return array.data.cast("B").cast("d") if plain and array.size else array.flat


def bytes_of(array: Array) -> memoryview:
    """Those of a contiguous array."""
    return array.data.cast("B")


def words_from(address: int, count: int) -> Array:
    """Memory from an address on as whole numbers, whatever stands there; only what belongs to arrays may be used."""
    return np.ctypeslib.as_array((ctypes.c_int64 * count).from_address(address))


class Held:
    """A run at its start.

    arrays : every array that can change, by place (``problem.work.motion``), but those without elements; and, where
    they are written into, the mechanism's own tables (``tables.element``; those without couplings, if there are any:
    ``bare.element``), which compiled code reads.
    """

    placed: Standing
    started: Standing

    def __init__(self, run: Run[Any], *, tables: bool = True, without: Iterable[Array] = ()) -> None:
        """Of a run that is placed and not yet initialised. tables : whether the mechanism's own are written back.
        without : arrays that are not, since others write them."""
        self.run, self.carried, apart = run, (run, run.problem), set(map(id, without))
        found = arrays_in({"run": run, "problem": run.problem})
        self.arrays = {place: array for place, array in found.items() if array.size and id(array) not in apart}
        whole = run.problem.mechanism
        for kind, one in {"tables": whole, "bare": whole.bare}.items() if tables else ():
            if kind == "tables" or one is not whole:
                self.arrays |= {f"{kind}.{name}": array for name, array in one.tables._asdict().items()}
        self.size = sum(array.nbytes for array in self.arrays.values())  # bytes
        self.placed, self._places = Standing(self), dict[int, tuple[Sequence[Spot], list[tuple[Any, int]]]]()

    def places(self, spots: Sequence[Spot]) -> list[tuple[Any, int]]:
        """Memory, and where in it, of numbers that are written again and again: asked with the very same spots, it is
        found once."""
        known = self._places.get(id(spots))
        if known is None or known[0] is not spots:
            if len(self._places) >= MOST_PLACES:
                self._places.clear()
            known = self._places[id(spots)] = spots, [(numbers_in(self.arrays[one.array]), one.at) for one in spots]
        return known[1]

    @cached_property
    def bodies(self) -> Bodies:
        """Masses and inertias as they stand in the tables that compiled code reads."""
        return bodies_of(self.run.problem.mechanism.bare.tables)

    def has_started(self) -> None:
        """The run is initialised: where it stands is its start."""
        self.started = Standing(self)

    @cached_property
    def one_call(self) -> OneCall | None:
        """All steps of the run in one call, from wherever it stands at its start."""
        return self.run.in_one_call()

    @property
    def finite(self) -> bool:
        """Whether all that the run records where it stands at its start is."""
        return finite(self.run.sample()) if self.one_call is None else self.one_call.finite

    def again(self) -> Run[Any]:
        """The run, at its start."""
        self.started.restore(self.run)
        return self.run


class Pool:
    """Held runs of one kind that nobody uses at the moment."""

    def __init__(self) -> None:
        self.asked, self.free = 0, list[Held]()

    def borrow(self, make: Callable[[], Held]) -> Held | None:
        """A held run; None for who asks first, since most runs are made once."""
        self.asked += 1
        try:
            return self.free.pop()
        except IndexError:
            return make() if self.asked > 1 else None

    def hand_back(self, held: Held) -> None:
        """Hand one back that came to its end as usual."""
        if held.size <= LARGEST and len(self.free) < MOST:
            self.free.append(held)
