"""Rows behind the converged steps of a run, kept while the run itself is carried out.

Compiled kernels take each step as ever, with the same bits; machine code calls them step by step, and copies behind
each what stands in the cells that recorded steps keep (`converged_steps`): derivatives need not take the run again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.derivatives.converged_steps import ConvergedSteps, Kept
from linkwork.derivatives.steps_in_pieces import StepsInPieces, are_many
from linkwork.derivatives.tangent_run import Prepared
from linkwork.integrators.implicit_run import ImplicitRun
from linkwork.integrators.start import set_coefficients
from linkwork.lanes.memory import aligned
from linkwork.lanes.traced.kept_records import RECORDS
from linkwork.lanes.traced.numbers import NotTracedError
from linkwork.lanes.traced.tangent_steps import TangentRecorder
from linkwork.lanes.traced.tape_code import addresses_in
from linkwork.problems.layout import address_table
from linkwork.status import Status

Array = NDArray[np.float64]
LEAST = 2_000  # steps of a run from which on its rows are kept: setting up costs as much as some thousand of them
LARGEST = 32_000_000  # numbers of all rows, or of those of a part


class RunTape:
    """The rows of a run that is at its start, and not begun.

    run : the run. prepared : another one, not begun, of which steps are recorded; moves : (reals,) which of its
    `Prepared.reals` move. backwards : whether it is to be reversed. steps : these steps. rows : (steps of a part + 1,
    numbers kept) before and behind each step of the part that was taken last; start : the first. Runs that are reversed
    have several parts where all rows are many, the first one the shortest, as the last is not taken again. Raises
    NotTracedError where rows are not kept.
    """

    def __init__(self, run: ImplicitRun, prepared: Prepared, moves: NDArray[np.bool_], backwards: bool) -> None:
        kind = StepsInPieces if backwards and are_many(run) else ConvergedSteps
        set_coefficients(run.run)  # as each chunk of steps does
        self.steps = steps = RECORDS.followed(lambda: kind(prepared, moves))
        recorder, kept = TangentRecorder(run, steps.contacts), steps.kept_cells
        self.part = min(run.total, LARGEST // len(kept) - 1)
        if steps.contact_cells or self.part < (1 if backwards else run.total):
            raise NotTracedError("rows that are not kept")
        self.run, self.moves, self.taken = run, moves, 0
        self._cells, self._fixed = recorder.cells, steps.constants
        self._values = steps.values[self._fixed]
        self._addresses = recorder.cells.addresses(kept)
        self._block = run._room(1)
        self._shown = addresses_in(self._block)
        self._parts = np.cumsum([one.size for one in self._block])[:-1]  # where time, motion, multipliers end
        self.rows, self._memory = aligned((self.part + 1) * len(kept)).reshape(-1, len(kept)), Kept(recorder)
        self._begins = [self._memory]
        self.start = np.zeros(len(kept))
        for addresses, row in ((self._addresses, self.rows[0]), (steps.addresses, self.start)):
            steps.code.gather(addresses, row)
        if self.rows[0].tobytes() != self.start.tobytes() or not self.is_whole:
            raise NotTracedError("a start that is another one than was recorded")

    @property
    def is_whole(self) -> bool:
        """Whether what was taken for constants still stands as it did."""
        return np.array_equal(self._cells.now[self._fixed], self._values, equal_nan=True)

    def advance(self, steps: int) -> tuple[Status, dict[str, Any]]:
        """Take so many steps, as `ImplicitRun.advance` does, and keep their rows."""
        samples, status, left = list[Array](), int(Status.OK), steps
        while left > 0 and status == Status.OK:
            first, most = self._part(len(self._begins) - 1)
            within = self.taken - first
            if within == most:
                self._begins.append(self._memory.again())
                self.rows[0], within, most = self.rows[most], 0, self.part
            many = min(left, most - within)
            status, some = self._keep(self.rows[within:], many)
            samples.append(some)
            left -= many
        every = np.concatenate(samples) if samples else np.zeros((0, len(self._shown)))
        many = len(every)
        time, motion, multiplier, iterations = np.split(every, self._parts, axis=1)
        return Status(status), {
            "time": time[:, 0].copy(),
            "motion": motion.reshape(many, *self._block.motion.shape[1:]).copy(),
            "multiplier": multiplier.copy(),
            "iterations": iterations[:, 0].copy().view(np.int64),
        }

    def _part(self, k: int) -> tuple[int, int]:
        """Where a part begins, and how many steps it has."""
        shortest = (self.run.total - 1) % self.part + 1
        return (shortest + (k - 1) * self.part, self.part) if k else (0, shortest)

    def _keep(self, rows: Array, steps: int) -> tuple[int, Array]:
        """Steps with their rows: the last one's status, and samples."""
        run, code = self.run, self.steps.code
        some = np.empty((steps // int(run.run.every[0]) + 1, len(self._shown)))
        tables = run._table, address_table(self._block)
        done, status, many = code.keep(self.steps.call, tables, self._addresses, rows, self._shown, some, steps)
        self.taken += done
        return status, some[:many]

    def parts(self) -> Iterator[tuple[int, int]]:
        """Parts of the run that was taken, the last one first, each with its rows: its first step, and how many. Those
        before the last are taken again; at the end all stands as it stood."""
        end, total = None, self.taken
        for k in reversed(range(len(self._begins))):
            first, most = self._part(k)
            many = min(most, total - first)
            if first + many < total:
                end = end or self._memory.again()
                self._begins[k].restore()
                self.steps.code.gather(self._addresses, self.rows[0])
                status, _ = self._keep(self.rows, many)
                if status != Status.OK:
                    raise NotTracedError("a step that fails")
            yield first, many
        self.taken = total
        if end:
            end.restore()

    def holds(self, moves: NDArray[np.bool_]) -> bool:
        """Whether all rows of the run are there, of steps that were recorded for what moves here."""
        return self.taken == self.run.total and np.array_equal(moves, self.moves) and self.is_whole


def worth(run: Any) -> bool:
    """Whether rows of this run are kept while it is carried out: of many steps whose samples are read off the state."""
    return (
        type(run) is ImplicitRun
        and run.total >= LEAST
        and not run.problem.droppable
        and int(run.run.from_index_1[0]) == 0
    )
