"""Converged steps of a large mechanism, recorded once and taken backwards by pieces (`lanes.traced.newton_shapes`).

What was recorded is cut and laid out at once, the start as well, and then let go: a later run of the mechanism is taken
backwards by what is left, kept in the process, and nothing is recorded.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.derivatives.converged_steps import ConvergedSteps
from linkwork.derivatives.tangent_run import Prepared
from linkwork.derivatives.traced import addresses_of
from linkwork.integrators.implicit_run import ImplicitRun
from linkwork.kernels.sparse_lu import Pattern
from linkwork.lanes.traced import engine
from linkwork.lanes.traced.contacts import POSE
from linkwork.lanes.traced.kept_records import RECORDS
from linkwork.lanes.traced.linear_nodes import LinearNodeRecorder, RecordedStart
from linkwork.lanes.traced.newton_shapes import NewtonLayout, NewtonRecord, laid_out
from linkwork.lanes.traced.newton_shapes_code import NewtonShapesCode
from linkwork.lanes.traced.numbers import NotTracedError
from linkwork.lanes.traced.recording import Recording
from linkwork.lanes.traced.selections import kinks_are_selected
from linkwork.problems.transposed import TransposedEquations

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
LEAST = 150  # unknowns: of fewer, straight-line code is made as fast
LIGHTER = 20  # times less is kept than of records with their operations


@dataclass
class NewtonPieces:
    """What is kept of a recorded run.

    carried, kept, contacts, constants : cells, as of the record. fixed : those carried that stand as behind the start.
    integers : whole numbers behind the first steps. record : itself, while it is there. layouts : by functions at once.
    made : code that was made.
    """

    carried: tuple[int, ...]
    kept: tuple[int, ...]
    contacts: tuple[int, ...]
    constants: Ints
    fixed: Ints
    integers: list[NDArray[np.uint8]]
    record: NewtonRecord | None
    layouts: dict[int, NewtonLayout] = field(default_factory=dict)
    made: dict[Any, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, record: NewtonRecord, integers: list[NDArray[np.uint8]]) -> NewtonPieces:
        """What was recorded now."""
        constants = record.recorded.constants
        fixed = np.union1d(constants, np.array(record.fixed, dtype=np.int64))
        return cls(record.carried, record.kept, record.recorded.contacts, constants, fixed, integers, record)

    def code(self, lanes: int, pattern: Pattern) -> NewtonShapesCode:
        """Backwards for so many functions at once. pattern : of the matrix. Raises NotTracedError where the record is
        not here any more."""
        found: NewtonShapesCode | None = self.made.pop(lanes, None)
        if found is not None:
            return found
        layout = self.layouts.get(lanes)
        made = engine.engine_kept(layout.code) if layout else None
        if layout is None or made is None:
            if self.record is None:
                raise NotTracedError("a record that is not here")
            layout, text = laid_out(self.record, lanes)
            made, self.layouts[lanes], self.record = engine.engine_of(text), layout, None
        return NewtonShapesCode(layout, made, TransposedEquations(pattern, lanes))


def are_many(run: Any) -> bool:
    """Whether steps of this run have so many unknowns that they are taken backwards by pieces."""
    return type(run) is ImplicitRun and run.problem.layout.total >= LEAST and run.problem.inside is None


class StepsInPieces(ConvergedSteps):
    """As `ConvergedSteps`, to be taken backwards by pieces; of dependent rows, it is not followed how they share
    reactions. placed, begun : what the cells carried hold before and behind the start."""

    recorder = LinearNodeRecorder

    def __init__(self, prepared: Prepared, moves: NDArray[np.bool_]) -> None:
        recorder = self._recorder(prepared, True, False)
        placed, run = recorder.cells.values, prepared.run
        self.cells = [recorder.cells.cell(address) for address in addresses_of(prepared, moves)]
        given = frozenset(k for k in self.cells if k >= 0)
        self._after: LinearNodeRecorder | None = None

        weights = frozenset(recorder.cells_of(run.run.weight))  # other masses have others

        def make() -> tuple[NewtonPieces, tuple[Recording, ...], frozenset[int]]:
            after = self._begun(recorder)
            changed = self._changed(after, placed)
            start, _ = recorder.in_parts(given, weights)
            start.need_smooth(given)
            record = self._followed(after, start, given, changed)
            parts = (*start.parts, *record.recorded.parts.values())
            return NewtonPieces.of(record, after.integers), parts, given | weights

        weighed = (run.run.weight != 0.0).tobytes()
        about = ("pieces", type(run), given, self.index_1, weighed, kinks_are_selected())
        self.pieces = pieces = RECORDS.of(recorder, about, set(given), make, lighter=LIGHTER)
        after = self._begun(recorder)
        same = recorder.same_integers(after.integers, pieces.integers, after.counters)
        if not same or not np.array_equal(placed[pieces.constants], after.cells.values[pieces.constants], True):
            raise NotTracedError("a change of what was taken for a constant")
        self._connect(after, pieces.kept, pieces.fixed, pieces.contacts, pieces.made)
        carried = list(pieces.carried)
        self.placed, self.begun = placed[carried], self._cells.now[carried]
        stands = np.setdiff1d(pieces.fixed, pieces.constants)  # as the start leaves it
        self.values[stands] = self._cells.now[stands]

    def _begun(self, recorder: LinearNodeRecorder) -> LinearNodeRecorder:
        """The start and first steps, carried out; a recorder of the run as it stands then."""
        if self._after is None:
            self._begin(recorder, None)
            self._after = self._first_steps(recorder)
        return self._after

    def _followed(
        self, after: LinearNodeRecorder, start: RecordedStart, given: frozenset[int], changed: set[int]
    ) -> NewtonRecord:
        """The record of a step."""
        moving = start.moving(given)[-1]
        recorded = after.anew((moving | changed) - after.factors)
        moves = frozenset(moving & {*recorded.carried, *recorded.kept})
        recorded.need_smooth(moves)
        motion, poses = self.run.run.motion, set[int]()
        if self.contacts.rows:
            cells = np.reshape(after.cells.cell(motion.ctypes.data) + np.arange(motion.size), motion.shape)
            poses = set(cells[:, :POSE].ravel().tolist())
        shown = after.shown if self.index_1 else []
        return NewtonRecord.of(recorded, start, given, recorded.moving(moves), changed, shown, poses)

    def need_same_start(self, found: Array, followed: Ints) -> None:
        """Raise NotTracedError where these are not what the cells carried hold behind the start, rounding aside.
        followed : places of those that the recorded start leaves something else in than a constant."""
        places, run = {self.pieces.carried[k]: k for k in followed.tolist()}, self.run.run
        every = [[k for k in self.cells_of(array) if k in places] for array in (run.z, run.rate, run.carried)]
        at = [np.array([places[k] for k in cells], dtype=np.int64) for cells in every]
        self.need_near([found[one] for one in at], [self.begun[one] for one in at])
