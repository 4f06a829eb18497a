"""Steps of an explicit method that find their own size, recorded part by part.

Which part follows which is not recorded: where samples lie in a step, and what is done at its end, are decisions of the
run (`integrators.dense_output_kernels`), which the code that is made of the parts takes anew (`adaptive_code`). Sizes
of steps are told by the run, which has kept them (`integrators.step_sizes`), and do not move.
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
from linkwork.lanes.traced.kept_records import RECORDS
from linkwork.lanes.traced.numbers import Graph, Key, NotTracedError, value_of
from linkwork.lanes.traced.recording import Recording, good, nothing_collected
from linkwork.lanes.traced.selections import kinks_selected, selections_recorded
from linkwork.lanes.traced.step import MOST_ROUNDS, Recorder

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
Does = Callable[[Graph], tuple[Key, ...]]
START, SAMPLE, SHOWN = "start", "sample", "shown"
ARRIVED, PLACED, FIRST, FIRST_PLACED = "arrived", "arrived as placed", "first", "first as placed"
STAGES, FURTHER = "stages", "further"  # operations that consist of several parts
MOST_OPERATIONS = 20_000  # of a part: 25 bodies of a chain; code is made of some thirty parts, in ten seconds then
READ = ("now", "step")  # what decisions hang on


@dataclass(frozen=True)
class AdaptiveRecord:
    """Parts of a run whose steps find their own size.

    functions : those that differ; left : the cells that each writes. operations : name -> functions, one after the
    other. cells : their values where a run is placed. carried : cells that functions read, in order. inputs : cells
    that are not taken for constants. places : cells that decisions hang on, by name. fsal : whether the last stage is
    the next step's first, unless a sample was taken within the step. made : code that was made of it, by what it is
    for.
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
    """Records a run that is placed, whose steps find their own size. instead : as `Recorder` has it. size : of the step
    that is recorded [s]; of other ones the record is the same."""

    def __init__(self, run: RungeKuttaRun, instead: Any, size: float) -> None:
        super().__init__(run, instead, MOST_OPERATIONS)
        self.cells.values[self.places["step"]] = size

    @property
    def places(self) -> dict[str, int]:
        """Of the cells that decisions hang on."""
        return {name: self.cells.cell(getattr(self.run.run, name).ctypes.data) for name in READ}

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
        with kinks_selected(), selections_recorded(), nothing_collected():
            for _ in range(MOST_ROUNDS):
                begin, values, whole = self.record(self._start, cells, self.integers, changing)
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
            for name, does in self._step(sampled):
                parts = []
                for what in does:
                    part, values, whole = self.record(what, values, whole, changing)
                    parts.append(part)
                found.setdefault(name, []).append(parts)
        return found, values, whole

    def _step(self, sampled: bool) -> Iterator[tuple[str, list[Does]]]:
        """What a step consists of."""
        run, tableau = self.run_record, self.tableau
        stages, further = int(run.stages[0]), int(run.extra_stages[0])
        _, *later = zip(tableau.a[:stages], tableau.c[:stages], strict=True)
        yield STAGES, [*self._stages(1, later), partial(self._keep, stages - 1)]
        if sampled and further:
            more = self._stages(stages, zip(tableau.a_extra, tableau.c_extra, strict=True))
            yield FURTHER, [*more, partial(self._keep, stages + further - 1)]
        if sampled:
            yield SAMPLE, [self._sample_within]
        placed = bool(run.fsal[0] == 1) and not sampled
        yield (PLACED if placed else ARRIVED), [partial(self._arrive, placed)]
        if not placed:
            yield FIRST, [self._first]
        elif run.droppable[0] == 1:
            yield FIRST_PLACED, [self._first]

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
