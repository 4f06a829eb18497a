"""W runs of one mechanism at once, in steps of one size, by code that was recorded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.integrators import contract
from linkwork.integrators.runge_kutta_kernels import RECORDED
from linkwork.integrators.runge_kutta_run import RungeKuttaRun
from linkwork.lanes.memory import aligned, finite_lanes
from linkwork.lanes.processor import width
from linkwork.lanes.traced.machine_code import machine_code, text_of
from linkwork.lanes.traced.numbers import NotTracedError
from linkwork.lanes.traced.step import Recorded, Recorder
from linkwork.status import Status

PART = 4096  # steps between two looks at whether a run has left its path
Floats = NDArray[np.float64]


class TracedBatch:
    """W runs at once.

    run : the one run that all lanes begin as, placed; it is read, and not changed. addresses : of the numbers in which
    instances differ. width : how many lanes. strays : lanes that would have branched otherwise than the recorded run,
    and have to be run again elsewhere. Raises NotTracedError where a step cannot be recorded.
    """

    def __init__(self, run: RungeKuttaRun, addresses: Sequence[int], lanes: int | None = None) -> None:
        recorded, self._places = recorded_run(run, addresses)
        self.run, self.width, self._many, self._strayed = run, lanes or width(), 0, 0
        self._code = machine_code(text_of(recorded, self.width))
        self._cells = aligned(len(recorded.carried) * self.width).reshape(-1, self.width)
        self._base = recorded.cells[list(recorded.carried)]
        self._begin, self._values, self._done = np.zeros_like(self._cells), np.zeros((0, len(self._places))), 0
        self._size = len(recorded.sample.samples)
        self._at, self._h, self._start = self._cells.ctypes.data, float(run.run.step[0]), float(run.run.start_time[0])
        self._layout = SampleLayout.of(run)

    @property
    def every(self) -> int:
        """Steps from sample to sample."""
        return self.run.every

    def alter(self, values: Floats) -> None:
        """Lanes 0, 1, ... begin with these numbers (lanes, addresses)."""
        self._begin[:] = self._base[:, None]
        read = self._places >= 0
        self._begin[self._places[read], : len(values)] = values[:, read].T
        self._begin[:, len(values) :] = self._begin[:, :1]

    def begin(self, many: int) -> None:
        """The first so many lanes stand where they begin; the others are copies of the first."""
        self._many, self._done = many, 0
        self._cells[:] = self._begin
        self._strayed = 2**self.width - 2**many  # copies have no say

    def keeps_its_path(self, values: Floats, steps: int) -> bool:
        """Whether the instance with these numbers (1, addresses) is none of the strays after so many steps."""
        self.alter(values)
        self.begin(1)
        self.find_slopes()
        for first in range(0, steps, PART):
            self.advance(min(PART, steps - first))
            if self.strays:
                return False
        return True

    @property
    def strays(self) -> tuple[int, ...]:
        """The lanes that left the others' path."""
        return tuple(k for k in range(self._many) if self._strayed >> k & 1)

    def find_slopes(self) -> Status:
        """The slope where lanes begin."""
        self._strayed |= self._code.start(self._at, 0, 0.0, 0.0)
        return Status.OK

    def sample(self) -> contract.Block:
        """The present states as one sample."""
        out = aligned(self._size * self.width, filled=False).reshape(1, self._size, self.width)
        self._strayed |= self._code.sample(self._at, out.ctypes.data, 0.0, 0.0)
        return self._block(out, np.array([self._start]))

    def advance(self, steps: int) -> tuple[Status, contract.Block]:
        """Go on by so many steps. Samples as `contract.Run.advance` gives them, with a last axis for the lanes."""
        every, h, begin, first = self.run.every, self._h, self._start, self._done
        samples, rest = divmod(steps, every)
        out = aligned(max(samples, 1) * self._size * self.width, filled=False).reshape(-1, self._size, self.width)
        self._strayed |= self._code.advance(self._at, out.ctypes.data, samples, every, first, begin, h)
        if rest:
            beyond = aligned(self._size * self.width)
            self._strayed |= self._code.advance(
                self._at, beyond.ctypes.data, 1, rest, first + samples * every, begin, h
            )
        self._done += steps
        time = np.array([begin + (first + every * k) * h for k in range(1, samples + 1)])
        return Status.OK, self._block(out[:samples], time)

    def _block(self, out: Floats, time: Floats) -> contract.Block:
        """What stands in the samples, instances along the last axis. Numbers that are not finite make strays."""
        out = out[..., : self._many]
        if not np.isfinite(out).all():
            for lane in np.flatnonzero(~finite_lanes(out)):
                self._strayed |= 1 << int(lane)
        return {"time": np.repeat(time[:, None], self._many, axis=1), **self._layout.arrays(out)}


def recorded_run(run: RungeKuttaRun, addresses: Sequence[int]) -> tuple[Recorded, NDArray[np.int64]]:
    """What is recorded of a run that is placed, and where what it carries has the numbers at these addresses: -1 where
    no kernel reads one. Raises NotTracedError where a step cannot be recorded."""
    if run.held.project_every > 0:
        raise NotTracedError("projection after every few steps")
    recorder = Recorder(run)
    given = [recorder.cells.cell(address) for address in addresses]
    recorded = recorder.recorded(frozenset(given) - {-1})
    places = {cell: k for k, cell in enumerate(recorded.carried)}
    return recorded, np.array([places.get(cell, -1) for cell in given], dtype=np.int64)


class SampleLayout(NamedTuple):
    """Of nb bodies with nc rows, and `extra` further numbers a body: what stands one after the other in a sample."""

    nb: int
    nc: int
    extra: int

    @classmethod
    def of(cls, run: RungeKuttaRun) -> SampleLayout:
        """That of a run."""
        return cls(run.problem.mechanism.nb, run.problem.mechanism.nc, run.problem.extra.shape[1])

    def arrays(self, out: Floats) -> contract.Block:
        """The arrays in samples (samples, numbers, ...), which keep the last axes."""
        nb, nc, extra = self
        n, *last = len(out), *out.shape[2:]
        rows = RECORDED * nb
        ends = rows + nc
        return {
            "motion": out[:, :rows].reshape(n, nb, RECORDED, *last),
            "multiplier": out[:, rows:ends],
            "extra": out[:, ends : ends + extra * nb].reshape(n, nb, extra, *last),
        }
