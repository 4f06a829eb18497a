"""States of an explicit run, kept while the run itself is carried out: its reverse need not take the run again.

Compiled kernels take each step as ever, with the same bits. What stands before each step in the cells that a step reads
and changes is copied, step by step (`tape_code`), where all of it is a few ten megabytes. Of longer runs all cells that
recorded steps read are kept at equal distances. Of shorter steps, whose code has another tape, samples alone are kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from linkwork.integrators.runge_kutta_run import RungeKuttaRun
from linkwork.lanes.memory import aligned
from linkwork.lanes.traced.step import Recorder
from linkwork.lanes.traced.tape_code import TapeCode, addresses_in
from linkwork.problems.layout import address_table
from linkwork.run.recording import joined_blocks
from linkwork.status import Status

if TYPE_CHECKING:
    from linkwork.derivatives.adjoint_traced import TracedAdjoint

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
LARGEST = 2**24  # numbers of all rows: 128 MB
PLACES = 2**22  # numbers of all that is kept at distances, about


class StatesTape:
    """What is kept of an explicit run that is at its start, and not begun. Of steps of one size.

    run : the run. back : the reverse of its recorded steps, by the reals that `moves` names. in_pieces : whether these
    are; where a step is one function, only samples are kept. rows : (steps + 1, cells of `Reversible.state`) before
    each step and at the end, None where these are too many. distance : steps between the states in `begins`, each of
    them (cells carried,), from the start on.
    """

    def __init__(self, run: RungeKuttaRun, back: TracedAdjoint, moves: NDArray[np.bool_]) -> None:
        self.run, self.back, self.moves, self._taken, self._blocks = run, back, moves, 0, [dict(run.first())]
        back.tape = self
        self.in_pieces = not back.back.one
        self.rows: Array | None = None
        self.begins: list[Array] = []
        self.distance = run.total
        if not self.in_pieces:
            return
        size, cells = back.size, Recorder(run).cells
        self._call = run._compiled().address
        self._carried = cells.addresses(back.back.carried)
        self._whole = TapeCode(size, 1)
        self._keep()
        self.state = back.back.state
        if (run.total + 1) * len(self.state) <= LARGEST:
            self.rows = aligned((run.total + 1) * len(self.state)).reshape(run.total + 1, -1)
            self._block = run._room(1)
            self._shown = addresses_in(self._block)
            self._code = TapeCode(len(self.state), len(self._shown))
            self._code.gather(self._carried[self.state], self.rows[0])
        else:
            self.distance = -(-run.total // max(1, PLACES // size))

    def _keep(self) -> None:
        row = np.zeros(len(self._carried))
        self._whole.gather(self._carried, row)
        self.begins.append(row)

    def advance(self, steps: int) -> tuple[Status, dict[str, Any]]:
        """Take so many steps, as `RungeKuttaRun.advance` does."""
        some = []
        while True:
            ahead = min(steps, self.distance - self._taken % self.distance)
            status, block = self._stepwise(ahead) if self.rows is not None else RungeKuttaRun.advance(self.run, ahead)
            some.append(block)
            steps -= ahead
            self._taken += ahead
            if status == Status.OK and self.begins and self._taken % self.distance == 0:
                self._keep()
            if status != Status.OK or steps <= 0:
                break
        whole = joined_blocks(some)
        self._blocks.append({name: array.copy() for name, array in whole.items()})
        return status, whole

    def _stepwise(self, steps: int) -> tuple[Status, dict[str, Any]]:
        run, block = self.run, self._block
        assert self.rows is not None
        tables = run._table, address_table(block)
        some = np.empty((steps // run.every + 1, len(self._shown)))
        here = self.rows[self._taken :]
        where = self._carried[self.state]
        _, status, many = self._code.keep(self._call, tables, where, here, self._shown, some, steps)
        run._done = int(run.run.steps[0] - run.run.pending[0])
        parts = np.split(some[:many], np.cumsum([one.size for one in block])[:-1], axis=1)
        told = {
            name: part.reshape(many, *array.shape[1:]).copy()
            for (name, array), part in zip(block._asdict().items(), parts, strict=True)
        }
        return Status(status), told

    @property
    def samples(self) -> dict[str, Array]:
        """Of the whole run, arrays as compiled code writes them."""
        return joined_blocks(self._blocks)

    def holds(self, moves: NDArray[np.bool_]) -> bool:
        """Whether all of the run is there, and the reverse is by what moves here."""
        return self._taken == self.run.total and np.array_equal(moves, self.moves)
