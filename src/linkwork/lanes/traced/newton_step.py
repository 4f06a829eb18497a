"""A step of an implicit method, recorded in parts: prediction, residual, matrix, correction, end; and a sample.

Where rows may depend on others, the search for them is a part as well, at the first residual of a step: the rows of the
recorded run are kept, its pivots as long as they are good, and a lane in which others depend is a stray.

Each part is straight-line code; the loop over Newton's iterations is machine code that asks the lanes' controls
(`traced.newton`) how to go on. The first steps are not recorded: predictions reach three steps back, and pivots
are known after one. Compiled kernels take them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.integrators import implicit_kernels as implicit
from linkwork.integrators.implicit_run import ImplicitRun
from linkwork.integrators.start import set_known_parts
from linkwork.lanes.memory import Span
from linkwork.lanes.traced import newton
from linkwork.lanes.traced.implicit import Does, ImplicitRecorder, carried_by
from linkwork.lanes.traced.numbers import Graph, Key, NotTracedError, Traced, key_of, selected
from linkwork.lanes.traced.recording import Recording
from linkwork.lanes.traced.selections import selections_recorded
from linkwork.problems.sparse_redundancy import is_sparse
from linkwork.problems.step_state import rotation_too_large

FIRST_STEPS = 3  # that compiled kernels take: then predictions are what they stay
PARTS = ("begin", "residual", "detect", "matrix", "correct", "rounding", "end")


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


class NewtonRecorder(ImplicitRecorder):
    """Records a run that has taken its first steps. Raises NotTracedError where steps are not of one kind.

    controls : (CONTROLS,), where the lanes' controls are recorded; it has to outlive the recorder's spans.
    """

    def __init__(self, run: ImplicitRun, controls: NDArray[np.float64]) -> None:
        span = Span(controls.ctypes.data, controls.nbytes, True)
        super().__init__(run, (span,))
        if run.problem.droppable and is_sparse(run.problem.dependence.sparse):
            raise NotTracedError("a sparse search for dependent rows")
        first = self.cells.cell(span.address)
        self.control_cells = tuple(range(first, first + newton.CONTROLS))
        self.c = newton.Controls(self.cells.view(span.address, (newton.CONTROLS,), np.float64))

    def recorded(self, given: frozenset[int]) -> RecordedNewton:
        """All parts. given : cells that differ between instances, or that the first steps have changed."""
        does: dict[str, Does] = {
            "begin": self._begin, "residual": self.residual, "detect": self._detect, "matrix": self._matrix,
            "correct": self._correct, "rounding": self._rounding, "end": self._end,
        }  # fmt: skip
        if not self.run.problem.droppable:
            del does["detect"]
        parts, changing = self.in_turn(does, given | set(self.control_cells))
        with selections_recorded():
            sample, _, _ = self.record(self.sample, self.cells.values, self.integers, changing)
        return self._live(parts, sample, changing)

    def _live(self, parts: dict[str, Recording], sample: Recording, changing: set[int]) -> RecordedNewton:
        """Only what something depends on; what the matrix leaves goes to those lanes alone that renew theirs."""
        carried = carried_by(parts, sample.cells_read(sample.samples) | set(self.control_cells))
        left = {name: frozenset(k for k in carried if k in part.found) for name, part in parts.items()}
        matrix = parts["matrix"]
        for k in left["matrix"]:
            matrix.found[k] = held_unless(matrix.graph, self.control_cells[newton.PLACES["renew"]], k, matrix.found[k])
        run = self.run.run
        unread = self.factors.union(*map(self.cells_of, (run.before, run.aside, *self.searched)))
        fixed = np.array(sorted(set(range(len(self.cells.values))) - changing - unread), dtype=np.int64)
        return RecordedNewton(parts, left, sample, tuple(sorted(carried)), self.control_cells, fixed)

    def _begin(self, graph: Graph) -> tuple[Key, ...]:
        newton.begin_iterations(self.c, self.run_record)
        h = self.begin(graph)
        set_known_parts(self.run_record, h)
        if rotation_too_large(self.run_record.motion, h):
            raise NotTracedError("a rotation by half a revolution in a step")
        implicit.predict(self.run_record)
        return ()

    @property
    def searched(self) -> tuple[Any, ...]:
        """What a search for dependent rows writes before it reads it."""
        dependent = self.run.problem.dependence
        one = dependent.found
        return (dependent.G, one.C, one.K, one.reduced, one.factor, one.scale, one.pivot, one.first, one.last, one.w)

    @property
    def counters(self) -> tuple[Any, ...]:
        """As of any run of an implicit method, and what a search writes before it reads it."""
        return (*super().counters, *self.searched) if self.run.problem.droppable else super().counters

    def _detect(self, graph: Graph) -> tuple[Key, ...]:
        if self.entries.detect_redundant_rows(self.context) != 0:
            raise NotTracedError("rows that depend on others from now on, or no more,")
        return ()

    def _matrix(self, graph: Graph) -> tuple[Key, ...]:
        self.matrix(graph)
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
        if self.run.problem.droppable:
            self.entries.minimum_norm_multipliers(self.context)
        self.entries.set_state(self.context)
        implicit.carry_on(self.run_record)
        newton.end_iterations(self.c)
        return ()


def held_unless(graph: Graph, control: int, cell: int, key: Key) -> Key:
    """What goes into a cell where a control is 1; elsewhere what stands there."""
    new = Traced(graph, key) if isinstance(key, int) else key
    return key_of(selected(graph.input(control, 1.0) > 0.0, new, graph.input(cell, 0.0)))
