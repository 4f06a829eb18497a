"""A run of an implicit method whose converged steps are recorded: what its tangents and its adjoint have in common.

Compiled kernels take the steps; what each leaves is kept in a row of numbers, and code that was made of the recorded
parts (`lanes.traced.tangent_steps`) follows from there, forwards or backwards.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence, Set
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.derivatives.tangent_run import Prepared
from linkwork.derivatives.traced import addresses_of
from linkwork.integrators.start import set_coefficients
from linkwork.lanes.traced.contacts import POSE, Contacts, ContactsOfSteps
from linkwork.lanes.traced.derivatives import cells_left, hangs_on_equality
from linkwork.lanes.traced.implicit import why_not_recorded
from linkwork.lanes.traced.kept_records import made_once
from linkwork.lanes.traced.numbers import NotTracedError
from linkwork.lanes.traced.recording import Recording, RunRecorder
from linkwork.lanes.traced.shared_reactions import SharedReactions
from linkwork.lanes.traced.tangent_steps import TangentRecorder
from linkwork.lanes.traced.tape_code import TapeCode, addresses_in
from linkwork.problems.layout import address_table
from linkwork.status import Status

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
FIRST_STEPS = 3  # before a step is recorded: what it reads stands as in all steps then
NEAR = 1e-6  # of the largest: how far recorded kernels may be from compiled ones
ROUNDING = 1e-12  # of the largest of all: where an array is nothing but rounding, as accelerations may be at the start


class ConvergedSteps:
    """A prepared run, its start carried out and recorded, its converged steps recorded.

    prepared : the run, which is not begun. moves : (reals,) which of `Prepared.reals` move before it. dependent : rows
    may depend on others; how they do is then that of the run at each step, and what multipliers follow from their
    distribution is not among what is recorded. shares : that distribution is, with its derivatives. Raises
    NotTracedError where a step cannot be recorded, or not be differentiated.

    cells : (reals that move,) where these stand, -1 for none. start : what was recorded of the start. moving : cells
    that move after it. recorded : a step. values : what all cells hold there, `kept` aside. index_1 : samples but that
    of the start solve equations of their own; shown : the cells of that. recorder : by which steps are recorded.
    """

    recorder: type[TangentRecorder] = TangentRecorder

    def __init__(
        self, prepared: Prepared, moves: NDArray[np.bool_], dependent: bool = False, shares: bool = False
    ) -> None:
        recorder = self._recorder(prepared, dependent, shares)
        placed = recorder.cells.values
        self.cells = [recorder.cells.cell(address) for address in addresses_of(prepared, moves)]
        given = {k for k in self.cells if k >= 0}
        start, expected = self._start(recorder, given)
        self.start = start
        self._begin(recorder, expected)
        moving = cells_left(start, given) | (given - set(start.found))
        after = self._first_steps(recorder)
        changing = moving | self._changed(after, placed) | after.lengths
        self.recorded = recorded = after.recorded(changing - after.factors, given)
        self._connect(after, recorded.kept, recorded.constants, recorded.contacts, recorded.made)
        self.moving = frozenset(moving & set(recorded.kept))
        made_once(recorded.made, ("smooth", self.moving), lambda: recorded.need_smooth(self.moving))
        if shared := self.shared:
            places = {cell: k for k, cell in enumerate(recorded.kept)}
            self._columns = [places[cell] for cell in recorded.columns]
            self.addresses[self._columns] = shared.addresses

    def _recorder(self, prepared: Prepared, dependent: bool, shares: bool) -> Any:
        """Of the run as it is placed. Raises NotTracedError."""
        run = self.run = prepared.run
        why = why_not_recorded(run)
        self.index_1 = bool(run.run.from_index_1[0] == 1)
        if run.problem.droppable and not (dependent or shares):
            why = "rows that may depend on others are not recorded with Newton's method"
        elif run.problem.droppable and self.index_1 and not shares:
            why = why or "samples solve equations of their own, in which rows depend on others"
        if why:
            raise NotTracedError(why)
        set_coefficients(run.run)  # as each chunk of steps does
        self.shared = SharedReactions(run) if shares and run.problem.droppable else None
        self.contacts = Contacts(run)
        self.contacts.look()
        return self.recorder(run, self.contacts, self.shared)

    def _first_steps(self, recorder: Any) -> Any:
        """Behind the start: a few steps, and a recorder of the run as it stands then."""
        self.block = self.run._room(1)
        self._memory = Kept(recorder)
        for _ in range(min(FIRST_STEPS, self.run.total)):
            self._step()
        if self.shared:
            self.shared.look()
        self.contacts.look()
        return self.recorder(self.run, self.contacts, self.shared, index_1=self.index_1)

    def _changed(self, after: TangentRecorder, placed: Array) -> set[int]:
        """Cells that hold something else than before the start, or what a search has found."""
        changed = set(np.flatnonzero(after.cells.values != placed).tolist())
        for array in (*self.run.problem.dependence.found, self.run.run.rank):
            changed.update(after.cells_of(array))
        return changed

    def _connect(
        self, after: TangentRecorder, kept: Sequence[int], constants: Ints, contact_cells: Sequence[int], made: Any
    ) -> None:
        """What rows are made of; then back to the start. made : what was made of the record."""
        self._cells, self.values, self.shown = after.cells, after.cells.values, after.shown
        self.kept_cells, self.constants, self.contact_cells = kept, constants, contact_cells
        self.restart()
        self._rows = [array.copy() for array in self._dependence]
        self.call = _advance().address
        self.addresses = after.cells.addresses(kept)
        self._shown = addresses_in(self.block)
        self.code = made_once(made, "rows", partial(TapeCode, len(kept), len(self._shown)))
        places = {cell: k for k, cell in enumerate(kept)}
        self._contacts = self._contacts_of_steps(self.contacts, places) if self.contacts.rows else None

    def _contacts_of_steps(self, contacts: Contacts, places: dict[int, int]) -> ContactsOfSteps:
        """places : of cells in what is kept of a step."""
        motion = self.run.run.motion
        cells = np.reshape(self._cells.cell(motion.ctypes.data) + np.arange(motion.size), motion.shape)[:, :POSE]
        poses = np.array([[places.get(cell, -1) for cell in row] for row in cells.tolist()])
        columns = np.array([places[cell] for cell in self.contact_cells]).reshape(-1, 2)
        return ContactsOfSteps(contacts, columns, poses, self.values[cells])

    @staticmethod
    def _start(recorder: TangentRecorder, given: Set[int]) -> tuple[Recording, Array]:
        """The start, recorded, and how all cells stand then."""
        start, expected = recorder.start(given)
        if hangs_on_equality(start, given):
            raise NotTracedError("a start that hangs on equality")
        return start, expected

    def _begin(self, recorder: TangentRecorder, expected: Array | None) -> None:
        """The start, carried out. expected : how all cells should stand then, if that is known."""
        if self.run.initialise() != Status.OK:
            raise NotTracedError("a start that fails")
        self.run.run.from_index_1[0] = 0  # a sample's equations are recorded; memory stays as steps leave it
        set_coefficients(self.run.run)
        self.cells_of = recorder.cells_of
        if expected is not None:
            found, record = recorder.cells.now, self.run.run
            every = [list(recorder.cells_of(array)) for array in (record.z, record.rate, record.carried)]
            self.need_near([expected[cells] for cells in every], [found[cells] for cells in every])

    @staticmethod
    def need_near(expected: Sequence[Array], found: Sequence[Array]) -> None:
        """Raise NotTracedError where unknowns, rates and what is carried along differ by more than rounding."""
        sizes = [float(np.max(np.abs(one), initial=0.0)) for one in found]
        rounding = ROUNDING * max(sizes)
        for one, of, size in zip(found, expected, sizes, strict=True):
            if not np.all(np.abs(one - of) <= max(NEAR * size, rounding)):
                raise NotTracedError("another course of the start")

    def _step(self) -> None:
        status, _ = _advance()(self.run._table, 1, address_table(self.block))
        if status != Status.OK:
            raise NotTracedError("a step that fails")

    def first(self) -> Array:
        """(numbers of a sample,) the start's, after `restart`."""
        sample = self.run.first()
        return np.concatenate([sample["motion"].ravel(), sample["multiplier"].ravel()])

    def gather(self, row: Array) -> None:
        """What is kept of a step, as it stands now."""
        self.code.gather(self.addresses, row)

    def go_on(self, tape: Array, steps: int) -> None:
        """Take so many steps, and keep what stands behind each in the rows of a tape but the first."""
        tables, some = (self.run._table, address_table(self.block)), np.empty((steps + 1, len(self._shown)))
        if self.code.keep(self.call, tables, self.addresses, tape, self._shown, some, steps)[0] < steps:
            raise NotTracedError("a step that fails")
        if self.shared:
            rows = tape[1 : 1 + steps]
            rows[:, self._columns] = self.shared.columns_of(rows[:, self._columns], self._taken)
        if self._contacts:
            self._contacts.write(tape[1 : 1 + steps])
        self._taken += steps

    def need_constants(self) -> None:
        """After the last step. Raises NotTracedError where something changed that was taken for a constant."""
        if times := int(self.run.run.rebased[0]):
            raise NotTracedError(
                f"new coordinates of bodies on the way ({times} times, near singular positions; rA has none)"
            )
        now, fixed = self._cells.now, self.constants
        rows = all(map(np.array_equal, self._rows, self._dependence))
        if not rows or not np.array_equal(now[fixed], self.values[fixed], equal_nan=True):
            raise NotTracedError("a change of what was taken for a constant")

    @property
    def _dependence(self) -> tuple[NDArray[np.int64], ...]:
        """Which rows depend on others."""
        found = self.run.problem.dependence.found
        return (found.keep, found.kept, found.dropped, found.sizes)

    def restart(self) -> None:
        """Behind the start again, before the first step."""
        self.go_back(self._memory, 0)

    def go_back(self, kept: Kept, taken: int) -> None:
        """To where so many steps were taken. kept : the run as it stood there."""
        kept.restore()
        self._taken = taken

    def kept(self) -> Kept:
        """The run as it stands now."""
        return self._memory.again()


def _advance() -> Any:
    from linkwork.integrators.implicit_kernels import ADVANCE

    return ADVANCE


class Kept:
    """All memory that a recorder's run works on, as it stands now."""

    def __init__(self, recorder: RunRecorder) -> None:
        self._take([*recorder.cells.spans, *recorder.cells.others])

    def _take(self, spans: Any) -> None:
        self.spans = spans
        self.bytes = [ctypes.string_at(one.address, one.size) for one in spans]

    def again(self) -> Kept:
        """The same memory as it stands now."""
        found = Kept.__new__(Kept)
        found._take(self.spans)
        return found

    def restore(self) -> None:
        """Bring it back."""
        for one, kept in zip(self.spans, self.bytes, strict=True):
            ctypes.memmove(one.address, kept, one.size)
