"""A step of an explicit method with steps of one size, recorded; and its start, and a sample.

A step is recorded from where whole numbers stand as every step finds them. Which cells change from step to step is
found by recording: first those alone that differ between instances are inputs; whatever a step leaves other than it
found it becomes one, too, until nothing else changes. All other cells hold constants.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.integrators import runge_kutta_kernels as one_size
from linkwork.integrators.evaluation import Entries, evaluate_here
from linkwork.integrators.explicit_table import RUN, TABLEAU, table_of
from linkwork.integrators.runge_kutta_run import RungeKuttaRun
from linkwork.integrators.stages import combine, first_stage, keep
from linkwork.lanes.memory import Span, arrays_of
from linkwork.lanes.traced.memory import Cells, TracedTable
from linkwork.lanes.traced.numbers import Graph, Key, NotTracedError, Traced, key_of
from linkwork.lanes.traced.selections import selections_recorded
from linkwork.problems.layout import Slot
from linkwork.status import Status

MOST_NODES = 150_000  # beyond, straight-line code leaves the processor's caches, and LLVM takes long
MOST_ROUNDS = 12  # of finding what changes
SHORT = 4_000  # nodes: a step in one piece stays within the processor's first cache
Timed = tuple[Callable[[Graph], tuple[Key, ...]], float | None]  # a part of a step, and when it is


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


@dataclass(frozen=True)
class Part:
    """A part of a step, as it is called. function : its number among those that differ. time : it is that of the step's
    beginning plus so many steps; of its end, exactly, where it is None."""

    function: int
    time: float | None


@dataclass(frozen=True)
class Recorded:
    """Start, step and sample of a run. functions : parts of a step that differ; left : the cells
    that each writes. cells : their values where a run is placed. carried : cells that the three read, in order."""

    start: Recording
    functions: tuple[Recording, ...]
    left: tuple[frozenset[int], ...]
    step: tuple[Part, ...]
    sample: Recording
    cells: NDArray[np.float64]
    carried: tuple[int, ...]


class Recorder:
    """Records a run that is placed."""

    def __init__(self, run: RungeKuttaRun) -> None:
        self.run = run
        entries = run._entries()
        words = table_of(run.problem.context, Entries(*map(_Nowhere, entries)), run.run, run.arrays)
        slots = {part for one in entries for part in one.parts if isinstance(part, Slot)}
        spans: list[Span] = [span for slot in slots for _, span in arrays_of(slot, run.problem.context)]
        spans += [span for slot in (RUN, TABLEAU) for _, span in arrays_of(slot, words)]
        self.cells = Cells(spans)
        self.context: Any = TracedTable(run.problem.context, self.cells)  # in the place of a table
        table = TracedTable(words, self.cells)
        self.record, self.tableau = RUN(table), TABLEAU(table)
        self.entries = Entries(*(_called(one) for one in entries))
        self.whole = self.cells.whole_numbers()

    def recorded(self, given: frozenset[int]) -> Recorded:
        """Start, step and sample. given : cells that differ between instances. Raises NotTracedError."""
        found = self._recorded(given, self._parts)
        if sum(len(found.functions[part.function].graph.nodes) for part in found.step) < SHORT:
            found = self._recorded(given, self._in_one)
        return found

    def _recorded(self, given: frozenset[int], step: Callable[[], Iterator[Timed]]) -> Recorded:
        changing, before = set(given), self.cells.values
        with selections_recorded():
            for _ in range(MOST_ROUNDS):
                start, first, whole = self._record(self._start, before, self.whole, changing)
                parts, values, after = self._in_turn(step, first, whole, changing)
                more = {k for part in (start, *parts) for k, x in part.found.items() if isinstance(x, int)} - changing
                more |= set(np.flatnonzero(values != first).tolist()) - changing
                if not more:
                    break
                changing |= more
            else:
                raise NotTracedError("what a step changes")
            if not self._same(whole, after):  # what the start leaves may be of no matter
                again, _, whole = self._in_turn(step, values, after, changing)
                if not (self._same(whole, after) and all(map(Recording.is_like, parts, again))):
                    raise NotTracedError("whole numbers that change from step to step")
            sample, _, _ = self._record(self._sample, values, after, changing)
        return self._live(start, parts, [time for _, time in step()], sample)

    def _live(self, start: Recording, parts: list[Recording], times: list[float | None], sample: Recording) -> Recorded:
        """Only what something depends on."""
        carried = sample.cells_read(sample.samples)
        while True:
            needed, left = set(carried), []
            for part in reversed(parts):
                left.append(frozenset(k for k in needed if k in part.found))
                needed = part.cells_read(part.found[k] for k in left[-1]) | (needed - left[-1])
            if needed <= carried:
                break
            carried |= needed
        left.reverse()
        functions: list[Recording] = []
        leaves: list[frozenset[int]] = []
        step: list[Part] = []
        for part, kept, time in zip(parts, left, times, strict=True):
            same = [k for k, one in enumerate(functions) if one.is_like(part)]
            if same:
                leaves[same[0]] |= kept
            else:
                functions.append(part)
                leaves.append(kept)
            step.append(Part(same[0] if same else len(functions) - 1, time))
        numbers = set(carried)
        for one, kept in zip(functions, leaves, strict=True):
            numbers |= kept | one.cells_read(one.found[k] for k in kept)
        numbers |= start.cells_read(start.found[k] for k in numbers if k in start.found)
        values = self.cells.values
        return Recorded(start, tuple(functions), tuple(leaves), tuple(step), sample, values, tuple(sorted(numbers)))

    def _in_turn(
        self, step: Callable[[], Iterator[Timed]], values: Any, whole: Any, changing: set[int]
    ) -> tuple[list[Recording], NDArray[np.float64], Any]:
        """All parts of a step from there, and how everything stands then."""
        parts = []
        for what, _ in step():
            part, values, whole = self._record(what, values, whole, changing)
            parts.append(part)
        return parts, values, whole

    def _same(self, before: Any, after: Any) -> bool:
        """Whether these whole numbers are the same, counters aside."""
        return all(
            np.array_equal(one[~counted], other[~counted])
            for one, other, counted in zip(before, after, self._counts(), strict=True)
        )

    def _counts(self) -> list[NDArray[np.bool_]]:
        """Of all bytes of whole numbers: those of counters, which nothing depends on."""
        found = [np.zeros(array.shape, dtype=bool) for array in self.cells.integers]
        array = self.run.run.counts
        for name in ("steps", "evaluations"):
            address = getattr(self.run.run, name).__array_interface__["data"][0]
            for one, mask in zip(self.cells.others, found, strict=True):
                if one.address <= address < one.end:
                    mask[address - one.address : address - one.address + array.itemsize] = True
        return found

    def _record(
        self, what: Callable[[Graph], tuple[Key, ...]], values: Any, whole: Any, changing: Iterable[int]
    ) -> tuple[Recording, NDArray[np.float64], Any]:
        """What was recorded, and how all cells and whole numbers stand then."""
        graph = Graph()
        self.cells.stand(values)
        for array, kept in zip(self.cells.integers, whole, strict=True):
            array[:] = kept
        self.cells.record(graph, changing)
        inputs = {k: self.cells.objects[k] for k in changing}
        samples = what(graph)
        if len(graph.nodes) > MOST_NODES:
            raise NotTracedError("more operations than straight-line code is good for")
        found: dict[int, Key] = {}
        for k, x in enumerate(self.cells.objects):
            if isinstance(x, Traced):
                if k not in inputs or x.node != inputs[k].node:
                    found[k] = x.node
            elif k in inputs:
                found[k] = float(x)
        return Recording(graph, found, samples), self.cells.plain(), self.cells.whole_numbers()

    def _start(self, graph: Graph) -> tuple[Key, ...]:
        _good(one_size.start(self.entries, self.context, self.record))
        return ()

    def _parts(self) -> Iterator[Timed]:
        """What a step consists of, and when: increments and slopes of its stages, its end, the slope there."""
        run, tableau, h = self.record, self.tableau, float(self.run.run.step[0])
        fsal = bool(run.fsal[0] == 1)

        def increment(j: int, graph: Graph) -> tuple[Key, ...]:
            if j > 1:
                keep(run, j - 1)
            combine(run, tableau.a[j], j, h)
            return ()

        def slope(graph: Graph) -> tuple[Key, ...]:
            t = graph.input("t", float(self.run.run.start_time[0]))
            _good(evaluate_here(self.entries, self.context, run, t, False))
            return ()

        def end(graph: Graph) -> tuple[Key, ...]:
            stages = int(run.stages[0])
            if stages > 1:
                keep(run, stages - 1)
            if not fsal:
                combine(run, tableau.b, stages, h)
            t = graph.input("t", float(self.run.run.start_time[0]))
            _good(one_size.accept_and_project(self.entries, self.context, run, tableau, t, fsal))
            run.part_done[0] = 0.0
            return ()

        def begin(graph: Graph) -> tuple[Key, ...]:
            _good(first_stage(self.entries, self.context, run, graph.input("t", float(self.run.run.start_time[0]))))
            return ()

        for j in range(1, int(run.stages[0])):
            yield partial(increment, j), 0.0
            yield slope, float(tableau.c[j])
        yield end, None
        yield begin, None

    def _in_one(self) -> Iterator[Timed]:
        """The same as one part."""

        def step(graph: Graph) -> tuple[Key, ...]:
            run, h, begin = self.record, float(self.run.run.step[0]), float(self.run.run.start_time[0])
            t, later = graph.input("t", begin), graph.input("end", begin + h)
            _good(one_size.stages_of_step(self.entries, self.context, run, self.tableau, t, h))
            fsal = bool(run.fsal[0] == 1)
            _good(one_size.accept_and_project(self.entries, self.context, run, self.tableau, later, fsal))
            run.part_done[0] = 0.0
            _good(first_stage(self.entries, self.context, run, later))
            return ()

        yield step, 0.0

    def _sample(self, graph: Graph) -> tuple[Key, ...]:
        run, nb = self.record, self.run.problem.mechanism.nb
        one_size.show(self.entries, self.context, run)
        parts = (run.motion[:nb, : one_size.RECORDED], run.lam, run.extra[:nb])
        return tuple(key_of(x) for part in parts for x in part.reshape(-1))


def _good(status: Any) -> None:
    if status != Status.OK:
        raise NotTracedError(f"a step that ends with {Status(int(status)).name}")


def _called(entry: Any) -> Callable[[Any], Any]:
    return lambda context: entry.__wrapped__(context)


class _Nowhere:
    """An entry of which only the place in the table matters."""

    address = 0

    def __init__(self, entry: Any) -> None:
        self.entry = entry
