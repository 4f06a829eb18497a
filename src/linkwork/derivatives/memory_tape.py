"""All numbers of an explicit run, kept at equal distances while the run itself is carried out.

Where a record solves the equations of a step anew (`lanes.traced.newton_euler`), its steps are those of the run but for
rounding, which grows from step to step as the motion lets it. Wherever the run was kept, steps go on from what it has
there, and what they came to themselves must be the same but for rounding.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.derivatives.traced import same_but_for_rounding
from linkwork.integrators.runge_kutta_run import RungeKuttaRun
from linkwork.lanes.traced.numbers import NotTracedError
from linkwork.lanes.traced.step import Recorder
from linkwork.run.recording import joined_blocks
from linkwork.status import Status

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
PARTS = 64  # of a run, with a place at the end of each
NUMBERS = 2**22  # of all places, about: 32 MB


class SamplesTape:
    """Samples of an explicit run that is at its start, and not begun, arrays as compiled code writes them."""

    def __init__(self, run: RungeKuttaRun) -> None:
        self.run, self._blocks = run, [dict(run.first())]

    def advance(self, units: int) -> tuple[Status, dict[str, Any]]:
        """Go on by so many units, as `RungeKuttaRun.advance` does."""
        status, block = RungeKuttaRun.advance(self.run, units)
        self._blocks.append({name: array.copy() for name, array in block.items()})
        return status, block

    @property
    def samples(self) -> dict[str, Array]:
        """Of the whole run."""
        return joined_blocks(self._blocks)


class MemoryTape(SamplesTape):
    """The same of steps of one size, and all that compiled code works on.

    distance : steps between places, of which the last is the end of the run.
    """

    def __init__(self, run: RungeKuttaRun) -> None:
        super().__init__(run)
        self._taken = 0
        self._cells = Recorder(run).cells
        parts = min(PARTS, max(1, NUMBERS // max(1, len(self._cells.values))))
        self.distance = -(-run.total // parts)
        self._kept: list[Array] = []  # all cells, at each place

    def advance(self, steps: int) -> tuple[Status, dict[str, Any]]:
        """Take so many steps, as `RungeKuttaRun.advance` does."""
        some, end = [], self._taken + steps
        while True:
            ahead = min(end, self.next_place(self._taken)) - self._taken
            status, block = super().advance(ahead)
            some.append(block)
            self._taken += ahead
            if status == Status.OK and self.is_place(self._taken):
                self._kept.append(self._cells.now)
            if status != Status.OK or self._taken >= end:
                break
        return status, joined_blocks(some)

    def next_place(self, steps: int) -> int:
        """Steps of the run at the first place behind so many."""
        return min(self.run.total, (steps // self.distance + 1) * self.distance)

    def is_place(self, steps: int) -> bool:
        """Whether the run was kept after so many steps."""
        return steps > 0 and (steps % self.distance == 0 or steps == self.run.total)

    def at(self, steps: int, cells: Ints, found: Array) -> Array:
        """What these cells hold in the run after so many steps, at a place. found : what they hold in steps that follow
        it. Raises NotTracedError where that is not the same, rounding aside."""
        wanted: Array = self._kept[-(-steps // self.distance) - 1][cells]
        array = np.searchsorted(self._cells.starts, cells, side="right")
        begins = 1 + np.flatnonzero(np.diff(array))
        pairs = zip(np.split(found, begins), np.split(wanted, begins), strict=True)
        if not all(same_but_for_rounding(pairs)):
            raise NotTracedError("steps that come to another state than the run")
        return wanted
