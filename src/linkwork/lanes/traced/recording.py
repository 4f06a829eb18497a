"""What was recorded of a part of a step, and how: kernels run on a run's arrays with recording numbers in them."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.lanes.memory import Span, arrays_of
from linkwork.lanes.traced.memory import Cells, TracedTable
from linkwork.lanes.traced.numbers import Graph, Key, NotTracedError, Traced, key_of
from linkwork.problems.layout import Slot
from linkwork.problems.levels import Level
from linkwork.status import Status

MOST_NODES = 150_000  # beyond, straight-line code leaves the processor's caches, and LLVM takes long


@dataclass(frozen=True)
class Recording:
    """What was recorded. found : cell -> what stands there afterwards, of cells that hold something else than before.
    samples : what is recorded of a state, in the order of a sample."""

    graph: Graph
    found: dict[int, Key]
    samples: tuple[Key, ...] = ()

    def reads(self, wanted: Iterable[Key]) -> set[int | str]:
        """Cells, and times, that these and all guards follow from."""
        live = self.live(wanted)
        return {self.graph.nodes[k][1] for k in live if self.graph.nodes[k][0] == "in"}

    def cells_read(self, wanted: Iterable[Key]) -> set[int]:
        """Cells among them."""
        return {k for k in self.reads(wanted) if isinstance(k, int)}

    def is_like(self, other: Recording) -> bool:
        """Whether it does the same."""
        one, two = self.graph, other.graph
        return one.nodes == two.nodes and one.guards == two.guards and self.found == other.found

    def live(self, wanted: Iterable[Key], partners: Mapping[int, tuple[int, int, str]] | None = None) -> list[int]:
        """Nodes that these and all guards follow from, in order. partners : cosines and sines, each with its angle and
        the other one; then the other of each is there too, and guards are not."""
        seen: set[int] = set()
        todo = [k for k in wanted if isinstance(k, int)] + list(self.graph.guards if partners is None else ())
        while todo:
            k = todo.pop()
            if k not in seen:
                seen.add(k)
                if partners is not None and k in partners:
                    todo.append(partners[k][1])
                if self.graph.nodes[k][0] != "in":
                    todo += [x for x in self.graph.nodes[k][1:] if isinstance(x, int)]
        return sorted(seen)


@contextmanager
def nothing_collected() -> Iterator[None]:
    """Within, Python does not look for cycles among a record's many operations, which have none."""
    searched = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if searched:
            gc.enable()


class RunRecorder:
    """Records parts of a run.

    level : the table that its entries receive, and tables inside; words : the run's own. slots : of the run's records
    in `words`; further : memory beside these. most : operations of a part, beyond which it is not recorded.
    """

    most = MOST_NODES

    def __init__(
        self, level: Level, words: Any, slots: Iterable[Slot], further: Iterable[Span] = (), instead: Any = None
    ) -> None:
        spans = [span for one in level for span in _spans_of(one)]
        spans += [span for slot in slots for _, span in arrays_of(slot, words)]
        self.level, self.cells = level, Cells([*spans, *further])
        self.context: Any = TracedTable(level.words, self.cells, level, instead)  # in the place of a table
        self.table: Any = TracedTable(words, self.cells)
        self.integers = self.cells.whole_numbers()

    @property
    def counters(self) -> tuple[Any, ...]:
        """Arrays of whole numbers that no number of a step depends on."""
        return ()

    def record(
        self, what: Callable[[Graph], tuple[Key, ...]], values: Any, whole: Any, changing: Iterable[int]
    ) -> tuple[Recording, NDArray[np.float64], Any]:
        """What was recorded, and how all cells and whole numbers stand then."""
        graph = Graph()
        self.cells.stand(values)
        for array, kept in zip(self.cells.integers, whole, strict=True):
            array[:] = kept
        self.cells.record(graph, sorted(changing))
        inputs = {k: self.cells.objects[k] for k in changing}
        try:
            with np.errstate(all="ignore"):  # as compiled kernels, which say nothing of what no number comes of
                samples = what(graph)
        except (TypeError, AttributeError) as why:  # a function of NumPy that has no recorded kind
            raise NotTracedError(f"a function ({why})") from why
        if len(graph.nodes) > self.most:
            raise NotTracedError("more operations than straight-line code is good for")
        found: dict[int, Key] = {}
        for k, x in enumerate(self.cells.objects):
            if isinstance(x, Traced):
                if k not in inputs or x.node != inputs[k].node:
                    found[k] = x.node
            elif k in inputs:
                found[k] = key_of(x)
        return Recording(graph, found, samples), self.cells.plain(), self.cells.whole_numbers()

    def bytes_outside(self, counters: Iterable[Any]) -> list[NDArray[np.bool_]]:
        """Of all bytes of whole numbers: those that are none of these arrays'."""
        found = [np.ones(array.shape, dtype=bool) for array in self.cells.integers]
        for array in counters:
            address = array.__array_interface__["data"][0]
            for one, mask in zip(self.cells.others, found, strict=True):
                if one.address <= address < one.end:
                    mask[address - one.address : address - one.address + array.nbytes] = False
        return found

    def same_integers(self, before: Any, after: Any, counters: Iterable[Any]) -> bool:
        """Whether these whole numbers are the same, counters aside."""
        return all(
            np.array_equal(one[matters], other[matters])
            for one, other, matters in zip(before, after, self.bytes_outside(counters), strict=True)
        )


def good(status: Any) -> None:
    """Raises NotTracedError where a part of a step failed."""
    if status != Status.OK:
        raise NotTracedError(f"a step that ends with {Status(int(status)).name}")


def _spans_of(level: Level) -> Iterator[Span]:
    """The memory of a table's arrays, in the order in which entries name them."""
    read = dict.fromkeys(part for one in level.entries for part in one.parts if isinstance(part, Slot))
    return (span for slot in read for at, span in arrays_of(slot, level.words) if at != level.index)


class Nowhere:
    """An entry of which only the place in the table matters."""

    address = 0

    def __init__(self, entry: Any) -> None:
        self.entry = entry
