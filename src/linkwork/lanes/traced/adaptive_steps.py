"""Steps of an explicit method that find their own size, recorded part by part.

Which part follows which is not recorded: how long a step is, whether it is repeated, where samples lie in it are
decisions of the run (`integrators.dense_output_kernels`), which the code that is made of the parts takes anew
(`adaptive_code`). Time reached and size of a step are numbers as all others, and move with what moves errors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.integrators import dense_output_kernels as adaptive
from linkwork.integrators import runge_kutta_kernels as one_size
from linkwork.integrators.evaluation import evaluate_here
from linkwork.integrators.runge_kutta_run import RungeKuttaRun
from linkwork.integrators.stages import combine, first_stage, keep
from linkwork.integrators.step_control import changed, factor_after, factor_of_repetition
from linkwork.lanes.memory import Span
from linkwork.lanes.traced.kept_records import RECORDS
from linkwork.lanes.traced.numbers import Graph, Key, NotTracedError, value_of
from linkwork.lanes.traced.recording import Recording, good, nothing_collected
from linkwork.lanes.traced.selections import kinks_selected, selections_recorded
from linkwork.lanes.traced.step import MOST_ROUNDS, Recorder

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
Does = Callable[[Graph], tuple[Key, ...]]
START, SAMPLE, SHOWN = "start", "sample", "shown"
CHOICES = USUAL, LONGEST, TO_END, HALF = "usual", "longest", "to the end", "half"  # sizes of a step
SETTLED, AGAIN = ("settled", "settled after others"), ("again", "again after others")  # by whether one was rejected
ARRIVED, PLACED, FIRST, FIRST_PLACED = "arrived", "arrived as placed", "first", "first as placed"
STAGES, FURTHER = "stages", "further"  # operations that consist of several parts
MOST_OPERATIONS = 20_000  # of a part: 25 bodies of a chain; code is made of some thirty parts, in ten seconds then
READ = ("now", "step", "next_step", "max_step", "t_end")  # what decisions hang on, besides the error


@dataclass(frozen=True)
class AdaptiveRecord:
    """Parts of a run whose steps find their own size.

    functions : those that differ; left : the cells that each writes. operations : name -> functions, one after the
    other. cells : their values where a run is placed. carried : cells that functions read, in order. inputs : cells
    that are not taken for constants. places : cells that decisions hang on, by name; 'error' is the norm of the last
    one. fsal : whether the last stage is the next step's first, unless a sample was taken within the step. made : code
    that was made of it, by what it is for.
    """

    functions: tuple[Recording, ...]
    left: tuple[frozenset[int], ...]
    operations: dict[str, tuple[int, ...]]
    cells: Array
    carried: tuple[int, ...]
    inputs: frozenset[int]
    places: dict[str, int]
    fsal: bool
    made: dict[Any, Any] = field(default_factory=dict)

    @property
    def samples(self) -> int:
        """Numbers of a sample."""
        return len(self.functions[self.operations[SHOWN][-1]].samples)


class AdaptiveRecorder(Recorder):
    """Records a run that is placed, whose steps find their own size. instead : as `Recorder` has it."""

    def __init__(self, run: RungeKuttaRun, instead: Any = None) -> None:
        self.error = np.zeros(1)
        span = Span(self.error.ctypes.data, self.error.nbytes, True)
        super().__init__(run, instead, MOST_OPERATIONS, (span,))
        self._error = self.cells.view(span.address, (1,), np.dtype(float))

    @property
    def places(self) -> dict[str, int]:
        """Of the cells that decisions hang on."""
        found = {name: self.cells.cell(getattr(self.run.run, name).ctypes.data) for name in READ}
        return {**found, "error": self.cells.cell(self.error.ctypes.data)}

    def adaptive(self, given: frozenset[int]) -> AdaptiveRecord:
        """What is recorded. given : cells that differ between instances. Raises NotTracedError."""
        settings = self.run.run.settings
        first = self.cells.cell(settings.ctypes.data)
        given = given | frozenset(range(first, first + settings.size))
        if self.instead:
            return self._adaptive(given)

        def make() -> tuple[AdaptiveRecord, tuple[Recording, ...], frozenset[int]]:
            made = self._adaptive(given)
            return made, made.functions, made.inputs

        found = RECORDS.of(self, ("adaptive", type(self.run), given), given, make)
        return replace(found, cells=self.cells.values)

    def _adaptive(self, given: frozenset[int]) -> AdaptiveRecord:
        changing, cells = set(given), self.cells.values
        with kinks_selected(), selections_recorded(), nothing_collected():  # a trial may meet one that no step does
            for _ in range(MOST_ROUNDS):
                begin, values, whole = self.record(self._begin, cells, self.integers, changing)
                found, values_then, whole_then = self._two_steps(values, whole, changing)
                parts = [begin, *(part for several in found.values() for way in several for part in way)]
                more = {k for part in parts for k, x in part.found.items() if isinstance(x, int)} - changing
                more |= set(np.flatnonzero(values_then != values).tolist()) - changing
                if not more:
                    break
                changing |= more
            else:
                raise NotTracedError("what a step changes")
            if not self._same(whole, whole_then):  # what the start leaves may be of no matter
                again, _, whole_later = self._two_steps(values_then, whole_then, changing)
                if not self._same(whole_then, whole_later):
                    raise NotTracedError("whole numbers that change from step to step")
                found = {name: [*several, *again[name]] for name, several in found.items()}
            if not all(map(_alike, found.values())):
                raise NotTracedError("steps that go on in another way behind a sample")
            shown, _, _ = self.record(self._sample, values, whole, changing)
        operations = {START: [begin], SHOWN: [shown], **{name: several[0] for name, several in found.items()}}
        return self._with_what_counts(operations, frozenset(changing))

    def _two_steps(
        self, values: Array, whole: Any, changing: set[int]
    ) -> tuple[dict[str, list[list[Recording]]], Array, Any]:
        """The parts of two steps, the first with a sample in it: of each operation, one list for each time it is met;
        and how everything stands then."""
        found: dict[str, list[list[Recording]]] = {}
        for sampled in (True, False):
            for name, does, goes_on in self._step(sampled):
                parts = []
                for what in does:
                    part, *stands = self.record(what, values, whole, changing)
                    parts.append(part)
                    values, whole = stands if goes_on else (values, whole)
                found.setdefault(name, []).append(parts)
        return found, values, whole

    def _step(self, sampled: bool) -> Iterator[tuple[str, list[Does], bool]]:
        """What a step consists of, and whether it goes on from there: where there is a choice, the last one does."""
        run, tableau = self.run_record, self.tableau
        stages, further = int(run.stages[0]), int(run.extra_stages[0])
        for choice in (*CHOICES[1:], USUAL):
            yield choice, [partial(self._choose, choice)], choice == USUAL
        _, *later = zip(tableau.a[:stages], tableau.c[:stages], strict=True)
        yield STAGES, [*self._stages(1, later), self._find_error], True
        for name, repeats, after in ((AGAIN[0], True, False), (AGAIN[1], True, True), (SETTLED[1], False, True)):
            yield name, [partial(self._next_size, repeats, after)], False
        yield SETTLED[0], [partial(self._next_size, False, False)], True
        if sampled and further:
            more = self._stages(stages, zip(tableau.a_extra, tableau.c_extra, strict=True))
            yield FURTHER, [*more, partial(self._keep, stages + further - 1)], True
        if sampled:
            yield SAMPLE, [self._sample_within], True
        placed = bool(run.fsal[0] == 1) and not sampled
        yield (PLACED if placed else ARRIVED), [partial(self._arrive, placed)], True
        if not placed:
            yield FIRST, [self._first], True
        elif run.droppable[0] == 1:
            yield FIRST_PLACED, [self._first], True

    def _begin(self, graph: Graph) -> tuple[Key, ...]:
        run, entries = self.run_record, self.entries
        good(one_size.start(entries, self.context, run))
        good(adaptive.guess_step(entries, self.context, run))
        return self._start(graph)  # the guess has placed another state

    def _choose(self, choice: str, graph: Graph) -> tuple[Key, ...]:
        run = self.run_record
        left = run.t_end[0] - run.now[0]
        sizes = {USUAL: run.next_step[0], LONGEST: run.max_step[0], TO_END: left, HALF: 0.5 * left}
        run.step[0] = sizes[choice]
        return ()

    def _stages(self, first: int, weights: Iterable[tuple[Any, Any]]) -> Iterator[Does]:
        """Increments and slopes from a stage on, of which the last is not kept. weights : of each, and its time."""
        for k, (several, time) in enumerate(weights):
            yield partial(self._increment, first + k, several, time, k > 0)
            yield self._rates

    def _increment(self, j: int, weights: Any, time: Any, keeps: bool, graph: Graph) -> tuple[Key, ...]:
        run = self.run_record
        if keeps:
            keep(run, j - 1)
        combine(run, weights, j, run.step[0])
        run.request.time[0] = run.now[0] + time * run.step[0]
        return ()

    def _rates(self, graph: Graph) -> tuple[Key, ...]:
        run = self.run_record
        good(evaluate_here(self.entries, self.context, run, run.request.time[0], False))
        return ()

    def _keep(self, j: int, graph: Graph) -> tuple[Key, ...]:
        keep(self.run_record, j)
        return ()

    def _find_error(self, graph: Graph) -> tuple[Key, ...]:
        run = self.run_record
        keep(run, int(run.stages[0]) - 1)
        self._error.fill(adaptive.step_error(run, self.tableau, run.step[0]))
        return ()

    def _next_size(self, repeats: bool, after: bool, graph: Graph) -> tuple[Key, ...]:
        """The size of the next step, or of this one once more. after : of a step that was rejected before."""
        run, error = self.run_record, self._error.item()
        order, h = int(run.error_order[0]), run.step[0]
        if repeats:
            run.step[0] = changed(h, factor_of_repetition(error, order), after)
        else:
            run.next_step[0] = changed(h, factor_after(error, run.old_error[0], order), after)
            run.old_error[0] = error
        return ()

    def _sample_within(self, graph: Graph) -> tuple[Key, ...]:
        run = self.run_record
        at = graph.input("t", value_of(run.now[0]) + 0.5 * value_of(run.step[0]))
        run.extended[0] = 1
        good(adaptive.sample(self.entries, self.context, run, self.tableau, at, run.now[0], run.step[0]))
        run.extended[0] = 0
        return self._sample(graph)

    def _arrive(self, placed: bool, graph: Graph) -> tuple[Key, ...]:
        run = self.run_record
        h, t = run.step[0], run.now[0]
        combine(run, self.tableau.b, run.stages[0], h)
        good(one_size.accept_and_project(self.entries, self.context, run, self.tableau, t + h, placed))
        return ()

    def _first(self, graph: Graph) -> tuple[Key, ...]:
        run = self.run_record
        good(first_stage(self.entries, self.context, run, run.now[0]))
        return ()

    def _with_what_counts(self, operations: Mapping[str, list[Recording]], inputs: frozenset[int]) -> AdaptiveRecord:
        """Of all parts, what a sample or a decision hangs on."""
        functions: list[Recording] = []
        order = dict[str, tuple[int, ...]]()
        for name, parts in operations.items():
            which = []
            for part in parts:
                same = next(
                    (k for k, one in enumerate(functions) if one.samples == part.samples and one.is_like(part)), -1
                )
                functions += [part] if same < 0 else []
                which.append(same if same >= 0 else len(functions) - 1)
            order[name] = tuple(which)
        needed = set(self.places.values())
        while True:
            more = set(needed)
            for one in functions:
                more |= one.cells_read([*(one.found[k] for k in one.found.keys() & needed), *one.samples])
            if more == needed:
                break
            needed = more
        left = tuple(frozenset(one.found.keys() & needed) for one in functions)
        fsal = PLACED in order
        carried = tuple(sorted(needed))
        return AdaptiveRecord(tuple(functions), left, order, self.cells.values, carried, inputs, self.places, fsal)


def _alike(several: list[list[Recording]]) -> bool:
    """Whether an operation is the same each time."""
    one, *others = several
    return all(len(one) == len(other) and all(map(Recording.is_like, one, other)) for other in others)
