"""A step of an explicit method with steps of one size, recorded; and its start, and a sample.

A step is recorded from where whole numbers stand as every step finds them. Which cells change from step to step is
found by recording: first those alone that differ between instances are inputs; whatever a step leaves other than it
found it becomes one, too, until nothing else changes. All other cells hold constants.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.integrators import runge_kutta_kernels as one_size
from linkwork.integrators.evaluation import Entries, evaluate_here
from linkwork.integrators.explicit_table import RUN, TABLEAU, table_of
from linkwork.integrators.runge_kutta_run import RungeKuttaRun
from linkwork.integrators.stages import combine, first_stage, keep
from linkwork.kernels.records import places_of
from linkwork.kernels.sparse.pattern import FACTORIZATIONS, Factors
from linkwork.lanes.traced.kept_records import RECORDS
from linkwork.lanes.traced.memory import called
from linkwork.lanes.traced.numbers import Graph, Key, NotTracedError, key_of
from linkwork.lanes.traced.recording import MOST_NODES, Nowhere, Recording, RunRecorder, good, nothing_collected
from linkwork.lanes.traced.selections import selections_recorded
from linkwork.problems.explicit_context import DEPENDENT, WORK
from linkwork.problems.layout import WORDS
from linkwork.problems.levels import level_of

MOST_ROUNDS = 12  # of finding what changes
SHORT = 4_000  # nodes: a step in one piece stays within the processor's first cache
Timed = tuple[Callable[[Graph], tuple[Key, ...]], float | None]  # a part of a step, and when it is


@dataclass(frozen=True)
class Part:
    """A part of a step, as it is called. function : its number among those that differ. time : it is that of the step's
    beginning plus so many steps; of its end, exactly, where it is None."""

    function: int
    time: float | None


@dataclass(frozen=True)
class Recorded:
    """Start, step and sample of a run. functions : parts of a step that differ; left : the cells
    that each writes. cells : their values where a run is placed. carried : cells that the three read, in order.
    inputs : cells that are not taken for constants. made : code that was made of it, by what it is for."""

    start: Recording
    functions: tuple[Recording, ...]
    left: tuple[frozenset[int], ...]
    step: tuple[Part, ...]
    sample: Recording
    cells: NDArray[np.float64]
    carried: tuple[int, ...]
    inputs: frozenset[int]
    made: dict[Any, Any] = field(default_factory=dict)


class Recorder(RunRecorder):
    """Records a run that is placed. instead : entry -> what is recorded in its place. most : operations of a part."""

    def __init__(self, run: RungeKuttaRun, instead: Any = None, most: int = MOST_NODES) -> None:
        self.most, self.instead = most, instead
        entries = run._entries()
        words = table_of(run.problem.context, Entries(*map(Nowhere, entries)), run.run, run.arrays)
        super().__init__(level_of(run.problem, entries), words, (RUN, TABLEAU), instead=instead)
        self.run = run
        self.run_record, self.tableau = RUN(self.table), TABLEAU(self.table)
        self.entries = Entries(*((instead or {}).get(one) or called(one) for one in entries))

    @property
    def counters(self) -> tuple[Any, ...]:
        """Arrays of whole numbers that no number of a step depends on."""
        records = getattr(self.run.problem.solver, "records", ())
        return tuple(one.counters[FACTORIZATIONS:] for one in records if isinstance(one, Factors))

    @property
    def measures(self) -> frozenset[int]:
        """Cells that errors are measured by. Among those given, no record of steps of one size hangs on their values,
        which follow from masses."""
        spans = [(self.cells.cell(one.ctypes.data), one.size) for one in (self.run.run.size, self.run.run.weight)]
        return frozenset(k for first, count in spans if first >= 0 for k in range(first, first + count))

    @property
    def lengths(self) -> frozenset[int]:
        """Cells of the length that errors of rows are measured by. Derivatives hold it, but where other numbers move
        bodies it is another one: an input, so that no record hangs on its value."""
        read = {part for one in self.level for entry in one.entries for part in entry.parts}
        places = [slot.first + places_of(slot.record)["length"] for slot in (WORK, DEPENDENT) if slot in read]
        return frozenset(self.cells.cell(int(self.run.problem.context[WORDS * one])) for one in places) - {-1}

    def recorded(self, given: frozenset[int], likely: frozenset[int] = frozenset(), *, kept: bool = False) -> Recorded:
        """Start, step and sample. given : cells that differ between instances. likely : cells that are known to follow
        from these; the more there are, the fewer rounds it takes. kept : it may be a record that was made before, which
        is kept then (`kept_records`). Raises NotTracedError."""
        if self.instead or not kept:  # which rows are solved for instead is what a run's search says, without a guard
            return self.anew(given, likely)

        def make() -> tuple[Recorded, tuple[Recording, ...], frozenset[int]]:
            made = self.anew(given, likely)
            return made, (made.start, *made.functions, made.sample), made.inputs

        found = RECORDS.of(self, (type(self.run), self.most, given), given, make)
        return replace(found, cells=self.cells.values)

    def anew(self, given: frozenset[int], likely: frozenset[int]) -> Recorded:
        """The same, recorded now."""
        found = self._recorded(given | likely, self._parts)
        if sum(len(found.functions[part.function].graph.nodes) for part in found.step) < SHORT:
            found = self._recorded(given | likely, self._in_one)
        return found

    def _recorded(self, given: frozenset[int], step: Callable[[], Iterator[Timed]]) -> Recorded:
        changing, before = set(given), self.cells.values
        with selections_recorded(), nothing_collected():
            for _ in range(MOST_ROUNDS):
                start, first, whole = self.record(self._start, before, self.integers, changing)
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
            sample, _, _ = self.record(self._sample, values, after, changing)
        return self._live(start, parts, [time for _, time in step()], sample, frozenset(changing))

    def _live(
        self,
        start: Recording,
        parts: list[Recording],
        times: list[float | None],
        sample: Recording,
        inputs: frozenset[int],
    ) -> Recorded:
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
        return Recorded(
            start,
            tuple(functions),
            tuple(leaves),
            tuple(step),
            sample,
            self.cells.values,
            tuple(sorted(numbers)),
            inputs,
        )

    def _in_turn(
        self, step: Callable[[], Iterator[Timed]], values: Any, whole: Any, changing: set[int]
    ) -> tuple[list[Recording], NDArray[np.float64], Any]:
        """All parts of a step from there, and how everything stands then."""
        parts = []
        for what, _ in step():
            part, values, whole = self.record(what, values, whole, changing)
            parts.append(part)
        return parts, values, whole

    def _same(self, before: Any, after: Any) -> bool:
        """Whether these whole numbers are the same, counters aside."""
        run = self.run.run
        return self.same_integers(before, after, (run.steps, run.evaluations, *self.counters))

    def _start(self, graph: Graph) -> tuple[Key, ...]:
        good(one_size.start(self.entries, self.context, self.run_record))
        return ()

    def _parts(self) -> Iterator[Timed]:
        """What a step consists of, and when: increments and slopes of its stages, its end, the slope there."""
        run, tableau, h = self.run_record, self.tableau, float(self.run.run.step[0])
        fsal = bool(run.fsal[0] == 1)

        def increment(j: int, graph: Graph) -> tuple[Key, ...]:
            if j > 1:
                keep(run, j - 1)
            combine(run, tableau.a[j], j, h)
            return ()

        def stage_rates(graph: Graph) -> tuple[Key, ...]:
            t = graph.input("t", float(self.run.run.start_time[0]))
            good(evaluate_here(self.entries, self.context, run, t, False))
            return ()

        def end(graph: Graph) -> tuple[Key, ...]:
            stages = int(run.stages[0])
            if stages > 1:
                keep(run, stages - 1)
            if not fsal:
                combine(run, tableau.b, stages, h)
            t = graph.input("t", float(self.run.run.start_time[0]))
            good(one_size.accept_and_project(self.entries, self.context, run, tableau, t, fsal))
            run.part_done[0] = 0.0
            return ()

        def begin(graph: Graph) -> tuple[Key, ...]:
            good(first_stage(self.entries, self.context, run, graph.input("t", float(self.run.run.start_time[0]))))
            return ()

        for j in range(1, int(run.stages[0])):
            yield partial(increment, j), 0.0
            yield stage_rates, float(tableau.c[j])
        yield end, None
        yield begin, None

    def _in_one(self) -> Iterator[Timed]:
        """The same as one part."""

        def step(graph: Graph) -> tuple[Key, ...]:
            run, h, begin = self.run_record, float(self.run.run.step[0]), float(self.run.run.start_time[0])
            t, later = graph.input("t", begin), graph.input("end", begin + h)
            good(one_size.stages_of_step(self.entries, self.context, run, self.tableau, t, h))
            fsal = bool(run.fsal[0] == 1)
            good(one_size.accept_and_project(self.entries, self.context, run, self.tableau, later, fsal))
            run.part_done[0] = 0.0
            good(first_stage(self.entries, self.context, run, later))
            return ()

        yield step, 0.0

    def _sample(self, graph: Graph) -> tuple[Key, ...]:
        run, nb = self.run_record, self.run.problem.mechanism.nb
        one_size.show(self.entries, self.context, run)
        parts = (run.motion[:nb, : one_size.RECORDED], run.lam, run.extra[:nb])
        return tuple(key_of(x) for part in parts for x in part.reshape(-1))
