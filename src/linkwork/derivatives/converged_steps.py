"""A run of an implicit method whose converged steps are recorded: what its tangents and its adjoint have in common.

Compiled kernels take the steps; what each leaves is kept in a row of numbers, and code that was made of the recorded
parts (`lanes.traced.tangent_steps`) follows from there, forwards or backwards.
"""

from __future__ import annotations

import ctypes
from collections.abc import Set
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
    of the start solve equations of their own; shown : the cells of that.
    """

    def __init__(
        self, prepared: Prepared, moves: NDArray[np.bool_], dependent: bool = False, shares: bool = False
    ) -> None:
        from linkwork.integrators.implicit_kernels import ADVANCE

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
        self.shared = shared = SharedReactions(run) if shares and run.problem.droppable else None
        contacts = self.contacts = Contacts(run)
        contacts.look()
        recorder = TangentRecorder(run, contacts, shared)
        placed = recorder.cells.values
        self.cells = [recorder.cells.cell(address) for address in addresses_of(prepared, moves)]
        given = {k for k in self.cells if k >= 0}
        self.start = self._begun(recorder, given)
        moving = cells_left(self.start, given) | (given - set(self.start.found))
        self.block = run._room(1)
        self._memory = Kept(recorder)
        for _ in range(min(FIRST_STEPS, run.total)):
            self._step()
        if shared:
            shared.look()
        contacts.look()
        after = TangentRecorder(run, contacts, shared, index_1=self.index_1)
        changed = set(np.flatnonzero(after.cells.values != placed).tolist())
        for array in (*run.problem.dependence.found, run.run.rank):
            changed.update(after.cells_of(array))
        self.recorded = recorded = after.recorded((moving | changed) - after.factors, given)
        self._cells, self.values, self.shown = after.cells, after.cells.values, after.shown
        self.restart()
        self.moving = frozenset(moving & set(recorded.kept))
        made_once(recorded.made, ("smooth", self.moving), lambda: recorded.need_smooth(self.moving))
        self._rows = [array.copy() for array in self._dependence]
        self.call = ADVANCE.address
        self.addresses = np.array([after.cells.address(k) for k in recorded.kept], dtype=np.int64)
        self._shown = addresses_in(self.block)
        code = partial(TapeCode, len(recorded.kept), len(self._shown))
        self.code = made_once(recorded.made, "rows", code)
        places = {cell: k for k, cell in enumerate(recorded.kept)}
        if shared:
            self._columns = [places[cell] for cell in recorded.columns]
            self.addresses[self._columns] = shared.addresses
        self._contacts = self._contacts_of_steps(contacts, places) if contacts.rows else None

    def _contacts_of_steps(self, contacts: Contacts, places: dict[int, int]) -> ContactsOfSteps:
        """places : of cells in what is kept of a step."""
        motion = self.run.run.motion
        cells = np.reshape(self._cells.cell(motion.ctypes.data) + np.arange(motion.size), motion.shape)[:, :POSE]
        poses = np.array([[places.get(cell, -1) for cell in row] for row in cells.tolist()])
        columns = np.array([places[cell] for cell in self.recorded.contacts]).reshape(-1, 2)
        return ContactsOfSteps(contacts, columns, poses, self.values[cells])

    def _begun(self, recorder: TangentRecorder, given: Set[int]) -> Recording:
        """The start, recorded and carried out."""
        start, expected = recorder.start(given)
        if hangs_on_equality(start, given):
            raise NotTracedError("a start that hangs on equality")
        if self.run.initialise() != Status.OK:
            raise NotTracedError("a start that fails")
        self.run.run.from_index_1[0] = 0  # a sample's equations are recorded; memory stays as steps leave it
        set_coefficients(self.run.run)
        found, record = recorder.cells.now, self.run.run
        every = [list(recorder.cells_of(array)) for array in (record.z, record.rate, record.carried)]
        sizes = [float(np.max(np.abs(found[cells]), initial=0.0)) for cells in every]
        rounding = ROUNDING * max(sizes)
        for cells, size in zip(every, sizes, strict=True):
            if not np.all(np.abs(found[cells] - expected[cells]) <= max(NEAR * size, rounding)):
                raise NotTracedError("another course of the start")
        return start

    def _step(self) -> None:
        from linkwork.integrators.implicit_kernels import ADVANCE

        status, _ = ADVANCE(self.run._table, 1, address_table(self.block))
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
        now, fixed = self._cells.now, self.recorded.constants
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
