"""A step of an implicit method, recorded in parts: prediction, residual, matrix, correction, end; and a sample.

Each part is straight-line code; the loop over Newton's iterations is machine code that asks the lanes' controls
(`traced.newton`) how to go on. The first steps are not recorded: predictions reach three steps back, and pivots
are known after one. Compiled kernels take them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.integrators import implicit_kernels as implicit
from linkwork.integrators.implicit_run import ImplicitRun
from linkwork.integrators.implicit_table import RUN, table_of
from linkwork.integrators.newton import Entries, evaluate, renew_matrix
from linkwork.integrators.start import set_known_parts
from linkwork.lanes.memory import Span
from linkwork.lanes.traced import newton
from linkwork.lanes.traced.numbers import Graph, Key, NotTracedError, Traced, key_of, selected
from linkwork.lanes.traced.recording import Nowhere, Recording, RunRecorder, called, good
from linkwork.lanes.traced.selections import selections_recorded
from linkwork.problems.step_state import rotation_too_large

FIRST_STEPS = 3  # that compiled kernels take: then predictions are what they stay
MOST_ROUNDS = 20  # of finding what changes
PARTS = ("begin", "residual", "matrix", "correct", "rounding", "end")


@dataclass(frozen=True)
class RecordedNewton:
    """Parts of a step by name (PARTS), and a sample.

    left : the cells that each part writes. carried : cells that any reads, in order. controls : the cells of the lanes'
    controls. fixed : cells that have to hold in each instance what they hold in the recorded run; factors are those of
    its pivots in all instances.
    """

    parts: dict[str, Recording]
    left: dict[str, frozenset[int]]
    sample: Recording
    carried: tuple[int, ...]
    controls: tuple[int, ...]
    fixed: NDArray[np.int64]


class NewtonRecorder(RunRecorder):
    """Records a run that has taken its first steps. Raises NotTracedError where steps are not of one kind.

    controls : (CONTROLS,), where the lanes' controls are recorded; it has to outlive the recorder's spans.
    """

    def __init__(self, run: ImplicitRun, controls: NDArray[np.float64]) -> None:
        entries = run._entries()
        words = table_of(run.problem.context, Entries(*map(Nowhere, entries)), run.run)
        span = Span(controls.ctypes.data, controls.nbytes, True)
        super().__init__(run.problem.context, words, entries, (RUN,), (span,))
        self.run, self.run_record = run, RUN(self.table)
        self.entries: Any = Entries(*(called(one) for one in entries))
        first = self.cells.cell(span.address)
        self.control_cells = tuple(range(first, first + newton.CONTROLS))
        self.c = newton.Controls(self.cells.view(span.address, (newton.CONTROLS,), np.float64))

    @property
    def counters(self) -> tuple[Any, ...]:
        """Arrays of whole numbers that no number of a step depends on."""
        return (self.run.run.counts, self.run.problem.structure.factors.counters)

    def recorded(self, given: frozenset[int]) -> RecordedNewton:
        """All parts. given : cells that differ between instances, or that the first steps have changed."""
        does: dict[str, Callable[[Graph], tuple[Key, ...]]] = {
            "begin": self._begin, "residual": self._residual, "matrix": self._matrix,
            "correct": self._correct, "rounding": self._rounding, "end": self._end,
        }  # fmt: skip
        changing = set(given) | set(self.control_cells)
        before = self.cells.values.copy()
        with selections_recorded():
            for _ in range(MOST_ROUNDS):
                values, whole, parts, more = before, self.integers, dict[str, Recording](), set[int]()
                for name in PARTS:
                    parts[name], values, whole = self.record(does[name], values, whole, changing)
                    more |= set(parts[name].found) | set(np.flatnonzero(values != before).tolist())
                    if not self.same_integers(self.integers, whole, self.counters):
                        raise NotTracedError("whole numbers that change in a step")
                more -= changing
                if not more:
                    break
                changing |= more
            else:
                raise NotTracedError("what a step changes")
            sample, _, _ = self.record(self._sample, values, whole, changing)
        return self._live(parts, sample, changing)

    def _live(self, parts: dict[str, Recording], sample: Recording, changing: set[int]) -> RecordedNewton:
        """Only what something depends on; what the matrix leaves goes to those lanes alone that renew theirs."""
        carried = sample.cells_read(sample.samples) | set(self.control_cells)
        while True:
            needed = set(carried)
            for part in parts.values():
                needed |= part.cells_read(part.found[k] for k in carried if k in part.found)
            if needed == carried:
                break
            carried = needed
        left = {name: frozenset(k for k in carried if k in part.found) for name, part in parts.items()}
        matrix = parts["matrix"]
        for k in left["matrix"]:
            matrix.found[k] = held_unless(matrix.graph, self.control_cells[newton.PLACES["renew"]], k, matrix.found[k])
        run, factors = self.run.run, self.run.problem.structure.factors
        unread = {k for array in (run.before, run.aside, *factors) for k in self.cells_of(array)}
        fixed = np.array(sorted(set(range(len(self.cells.values))) - changing - unread), dtype=np.int64)
        return RecordedNewton(parts, left, sample, tuple(sorted(carried)), self.control_cells, fixed)

    def cells_of(self, array: Any) -> range:
        """The cells of an array, none where it holds whole numbers."""
        if not array.size or array.dtype != np.float64:
            return range(0)
        first = self.cells.cell(array.__array_interface__["data"][0])
        return range(first, first + array.size) if first >= 0 else range(0)

    def _begin(self, graph: Graph) -> tuple[Key, ...]:
        run, h = self.run_record, float(self.run.run.step[0])
        newton.begin_iterations(self.c, run)
        run.request.time[0] = graph.input("end", float(self.run.run.start_time[0]) + h)
        if self.entries.begin(self.context) > 0:
            raise NotTracedError("new coordinates of a body")
        set_known_parts(run, h)
        if rotation_too_large(run.motion, h):
            raise NotTracedError("a rotation by half a revolution in a step")
        implicit.predict(run)
        return ()

    def _residual(self, graph: Graph) -> tuple[Key, ...]:
        evaluate(self.entries, self.context, self.run_record)
        return ()

    def _matrix(self, graph: Graph) -> tuple[Key, ...]:
        good(renew_matrix(self.entries, self.context, self.run_record))
        newton.matrix_formed(self.c)
        return ()

    def _correct(self, graph: Graph) -> tuple[Key, ...]:
        self.entries.solve(self.context)
        newton.correct(self.c, self.run_record)
        return ()

    def _rounding(self, graph: Graph) -> tuple[Key, ...]:
        newton.rows_at_rounding(self.c, self.run_record)
        self.entries.solve(self.context)
        newton.end_at_rounding(self.c, self.run_record)
        return ()

    def _end(self, graph: Graph) -> tuple[Key, ...]:
        self.entries.set_state(self.context)
        implicit.carry_on(self.run_record)
        newton.end_iterations(self.c)
        return ()

    def _sample(self, graph: Graph) -> tuple[Key, ...]:
        run, nb, rows = self.run_record, self.run.problem.mechanism.nb, self.run.problem.layout.multipliers
        parts: Iterable[Any] = (run.motion[:nb, : implicit.RECORDED].reshape(-1), run.z[rows])
        return tuple(key_of(x) for part in parts for x in part)


def held_unless(graph: Graph, control: int, cell: int, key: Key) -> Key:
    """What goes into a cell where a control is 1; elsewhere what stands there."""
    new = Traced(graph, key) if isinstance(key, int) else key
    return key_of(selected(graph.input(control, 1.0) > 0.0, new, graph.input(cell, 0.0)))
