"""Many instances of one run on a device, in steps of one size, by code that was recorded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.integrators.runge_kutta_kernels import RECORDED
from linkwork.integrators.runge_kutta_run import RungeKuttaRun
from linkwork.lanes.gpu.device import Device
from linkwork.lanes.gpu.text import WARP, text_of
from linkwork.lanes.traced.batch import recorded_run

Floats = NDArray[np.float64]
LARGEST = 1 << 29  # bytes of samples that a device holds
MOST = 1 << 17  # instances at once


class GpuBatch:
    """Instances of one run.

    on : the device. run : the one run that all instances begin as, placed; it is read, and not changed. addresses : of
    the numbers in which they differ. Raises NotTracedError where a step cannot be recorded.
    """

    def __init__(self, on: Device, run: RungeKuttaRun, addresses: Sequence[int]) -> None:
        recorded, where = recorded_run(run, addresses)
        self.run, self.on = run, on
        self._motion = RECORDED * run.problem.mechanism.nb
        self._size = self._motion + run.problem.mechanism.nc  # numbers of a sample; nobody asks for those beyond
        self._kernels = on.kernels(text_of(recorded, self._size))
        self._base = recorded.cells[list(recorded.carried)]
        self._read = where >= 0
        self._places = np.ascontiguousarray(where[self._read])
        self._h, self._start = float(run.run.step[0]), float(run.run.start_time[0])

    def most(self) -> int:
        """Instances at once, by the memory that is free."""
        each = 8 * (len(self._base) + 2 * self._size + 64)
        return max(WARP, min(MOST, self.on.memory // 2 // each // WARP * WARP))

    def carry_out(self, values: Floats, units: int, columns: NDArray[np.int64], rows: int) -> tuple[Any, ...]:
        """Instances that begin with these numbers (n, addresses), through so many steps. columns : of a body's (nb, 24)
        numbers. rows : multipliers that are kept, all or none.

        Returns times (samples,), motion (samples, columns, n), multipliers (samples, rows, n), and which instances left
        the recorded path or came to what is not finite (n,)."""
        n, every = len(values), self.run.every
        warps = -(-n // WARP)
        room, marks = self.on.room(8 * warps * WARP * len(self._base)), self.on.room(8 * n)
        chosen = np.concatenate([columns, self._motion + np.arange(rows)]).astype(np.int64)
        at_once = max(1, min(units // every, LARGEST // (8 * self._size * warps * WARP)))
        out = self.on.room(8 * warps * WARP * self._size * at_once)
        kept = self.on.room(8 * n * max(len(chosen), 1) * at_once)
        wanted = self._sent(chosen)
        self._begin(values, room, marks)
        found = [np.zeros((1, len(chosen), n))]
        self._kernels.launch("sample", n, room, marks, out)
        self._gathered(n, found[0], marks, out, wanted, kept)
        done = 0
        while done < units:
            samples, steps = min(at_once, (units - done) // every), every
            if not samples:
                samples, steps = 1, units - done  # no sample: steps beyond the last one
            self._kernels.launch("advance", n, room, marks, out, samples, steps, done, self._start, self._h)
            done += samples * steps
            if steps == every:
                found.append(np.zeros((samples, len(chosen), n)))
                self._gathered(n, found[-1], marks, out, wanted, kept)
        strayed = np.zeros(n, dtype=np.int64)
        self.on.get(strayed, marks)
        both = np.concatenate(found)
        time = np.array([self._start + every * k * self._h for k in range(len(both))])
        return time, both[:, : len(columns)], both[:, len(columns) :], strayed != 0

    def _begin(self, values: Floats, room: Any, marks: Any) -> None:
        """Instances stand where they begin."""
        n, given = len(values), np.ascontiguousarray(values[:, self._read].T)
        taken = [self._sent(one) for one in (self._base, self._places, given)]
        self._kernels.launch("begin", n, room, marks, *taken, len(self._places), n)

    def _gathered(self, n: int, target: Floats, marks: Any, out: Any, wanted: Any, kept: Any) -> None:
        """Those numbers of samples that are kept, and marks of instances with any that is not finite."""
        samples, chosen, _ = target.shape
        self._kernels.launch("gather", n, marks, out, wanted, kept, samples, chosen, n)
        if target.size:
            self.on.get(target, kept)

    def _sent(self, array: Any) -> Any:
        """A copy of an array there."""
        found = self.on.room(array.nbytes)
        if array.size:
            self.on.put(found, array)
        return found
