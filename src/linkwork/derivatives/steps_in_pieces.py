"""Converged steps of a large mechanism, recorded once and taken backwards by pieces (`lanes.traced.newton_shapes`).

What was recorded is cut and laid out at once, the start as well, and then let go: a later run of the mechanism is taken
backwards by what is left, kept in the process and on disk (`reverse_files`), and nothing is recorded.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.derivatives.converged_steps import ConvergedSteps
from linkwork.derivatives.tangent_run import Prepared
from linkwork.derivatives.traced import addresses_of
from linkwork.integrators.implicit_run import ImplicitRun
from linkwork.kernels import kept_files
from linkwork.kernels.sparse_lu import Pattern
from linkwork.lanes.traced import engine
from linkwork.lanes.traced.contacts import POSE
from linkwork.lanes.traced.kept_records import RECORDS
from linkwork.lanes.traced.linear_nodes import LinearNodeRecorder, RecordedStart
from linkwork.lanes.traced.newton_layout import NewtonLayout
from linkwork.lanes.traced.newton_shapes import NewtonRecord, laid_out
from linkwork.lanes.traced.newton_shapes_code import NewtonShapesCode
from linkwork.lanes.traced.numbers import NotTracedError
from linkwork.lanes.traced.recording import Recording
from linkwork.lanes.traced.reverse_files import UNREADABLE, About, Arrays, files_of
from linkwork.lanes.traced.selections import kinks_are_selected
from linkwork.problems.transposed import TransposedEquations

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
LEAST = 150  # unknowns: of fewer, straight-line code is made as fast
LIGHTER = 20  # times less is kept than of records with their operations
NAME = "linkwork.lanes.reversed-steps"  # of files on disk
CELLS = ("carried", "kept", "contacts", "constants", "fixed")


@dataclass
class NewtonPieces:
    """What is kept of a recorded run.

    carried, kept, contacts, constants : cells, as of the record. fixed : those carried that stand as behind the start.
    integers : whole numbers behind the first steps. operations : of the record. record : itself, while it is there.
    about : what it is kept under, None if it is not. layouts : by functions at once. made : code that was made.
    """

    carried: tuple[int, ...]
    kept: tuple[int, ...]
    contacts: tuple[int, ...]
    constants: Ints
    fixed: Ints
    integers: list[NDArray[np.uint8]]
    operations: int
    record: NewtonRecord | None
    about: About | None
    layouts: dict[int, NewtonLayout] = field(default_factory=dict)
    made: dict[Any, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, record: NewtonRecord, integers: list[NDArray[np.uint8]], about: About | None) -> NewtonPieces:
        """What was recorded now."""
        constants, recorded = record.recorded.constants, record.recorded
        fixed = np.union1d(constants, np.array(record.fixed, dtype=np.int64))
        graphs = {id(one.graph): one.graph for one in record.recordings}
        operations = sum(len(one.nodes) for one in graphs.values())
        cells = record.carried, record.kept, recorded.contacts
        return cls(*cells, constants, fixed, integers, operations, record, about)

    def _packed(self) -> Arrays:
        cells = {"carried": self.carried, "kept": self.kept, "contacts": self.contacts}
        arrays: Arrays = {name: np.array(one, dtype=np.int64) for name, one in cells.items()}
        arrays |= {"constants": self.constants, "fixed": self.fixed, "operations": np.array(self.operations)}
        arrays |= {f"integers {k}": one for k, one in enumerate(self.integers)}
        for lanes, layout in self.layouts.items():
            arrays |= {f"{lanes} of {name}": array for name, array in layout.arrays().items()}
        return arrays

    @classmethod
    def read(cls, arrays: Arrays, recorder: LinearNodeRecorder, how: tuple[Any, ...]) -> NewtonPieces | None:
        """What a file holds, None where it does not hold that of this run. how : as `About.of` has it, inputs aside."""
        given, inputs, *further = how
        cells, whole = len(recorder.cells.values), recorder.integers
        try:
            about = About.of(recorder, given, inputs, bool(arrays["chosen"]), *further)
            of = [arrays[name].astype(np.int64, casting="safe") for name in CELLS]
            integers = [arrays[f"integers {k}"] for k in range(len(whole))]
            operations = int(arrays["operations"])
            here = arrays["about"].tobytes().decode() == about.words
        except UNREADABLE:
            return None
        carried, kept, contacts, constants, fixed = of
        alike = all(one.dtype == b.dtype and one.shape == b.shape for one, b in zip(integers, whole, strict=True))
        within = all(one.ndim == 1 and bool(np.all((one >= 0) & (one < cells))) for one in of)
        if not (here and alike and within and np.all(np.diff(carried) > 0)):
            return None
        several = tuple(carried.tolist()), tuple(kept.tolist()), tuple(contacts.tolist())
        made = cls(*several, constants, fixed, integers, operations, None, about)
        n, entries = len(recorder.equations.right), len(recorder.equations.matrix)
        for lanes in {int(name.split()[0]) for name in arrays if name[:1].isdigit()}:
            layout = NewtonLayout.read({name.removeprefix(f"{lanes} of "): one for name, one in arrays.items()})
            if layout is None or layout.lanes != lanes or layout.cells != len(carried):
                return None
            if (len(layout.state), len(layout.unknowns), len(layout.matrix)) != (len(kept), n, entries):
                return None
            made.layouts[lanes] = layout
        return made if made.layouts else None

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
            if self.about and len(text) >= engine.LEAST:
                self.about.save(NAME, self._packed())
        TransposedEquations.make()
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

        weights = frozenset(recorder.cells_of(run.run.weight)) | recorder.lengths  # other mechanisms have others

        weighed = (run.run.weight != 0.0).tobytes()
        how = self.index_1, weighed, kinks_are_selected()
        known = given, given | weights, "pieces", *how

        def make() -> tuple[NewtonPieces, tuple[Recording, ...], frozenset[int]]:
            after = self._begun(recorder)
            changed = self._changed(after, placed)
            start, _ = recorder.in_parts(given, weights)
            start.need_smooth(given)
            record = self._followed(after, start, given, changed)
            chosen = any(one.graph.chosen for one in record.recordings)
            about = About.of(recorder, given, given | weights, chosen, "pieces", *how)
            return NewtonPieces.of(record, after.integers, about), record.recordings, given | weights

        def load() -> tuple[NewtonPieces, Set[int], int] | None:
            for file, arrays in files_of(NAME, recorder, given, "pieces", *how):
                found = NewtonPieces.read(arrays, recorder, known)
                if found is not None:
                    kept_files.used(file)
                    return found, given | weights, found.operations // LIGHTER
            return None

        about = ("pieces", type(run), given, *how)
        self.pieces = pieces = RECORDS.of(recorder, about, set(given), make, load, lighter=LIGHTER)
        after = self._begun(recorder)
        same = recorder.same_integers(after.integers, pieces.integers, after.counters)
        if not same or not np.array_equal(placed[pieces.constants], after.cells.values[pieces.constants], True):
            raise NotTracedError("a change of what was taken for a constant")
        self._connect(after, pieces.kept, pieces.fixed, pieces.contacts, pieces.made)
        carried = list(pieces.carried)
        self.placed, self.begun = placed[carried], self._cells.now[carried]
        left = np.zeros(len(self.values), dtype=bool)
        left[pieces.fixed], left[pieces.constants] = True, False
        stands = np.flatnonzero(left)  # as the start leaves it
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
        recorded = after.anew((moving | changed | after.lengths) - after.factors)
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
