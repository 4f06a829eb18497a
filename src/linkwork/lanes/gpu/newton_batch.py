"""Many runs of an implicit method on a device. Starts and first steps are taken one by one, by compiled kernels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import DeviceMemoryError
from linkwork.lanes.gpu.device import Device
from linkwork.lanes.gpu.text import WARP, newton_text_of
from linkwork.lanes.traced.newton_batch import Held, NewtonBatch, Place
from linkwork.lanes.traced.newton_step import RecordedNewton

LARGEST = 1 << 28  # bytes that instances stand in, and that their samples take
MOST = 4096  # instances at once
Floats = NDArray[np.float64]


class NewtonGpuBatch(NewtonBatch):
    """As `NewtonBatch`, whose lanes are threads of a device. width : how many, by what an instance carries."""

    def __init__(self, on: Device, held: Held, places: Sequence[Place]) -> None:
        self.on = on
        super().__init__(held, places, lanes=WARP)

    def _translate(self, recorded: RecordedNewton) -> None:
        carried = len(recorded.carried)
        self.width = max(WARP, min(MOST, LARGEST // (8 * carried) // WARP * WARP))
        self._kernels = self.on.kernels(newton_text_of(recorded))
        while True:
            try:
                self._place, self._marks = self.on.room(8 * carried * self.width), self.on.room(8 * self.width)
                break
            except DeviceMemoryError:
                if self.width == WARP:
                    raise
                self.width = max(WARP, self.width // 2 // WARP * WARP)
        self._wanted = self.on.room(8 * max(carried, len(recorded.sample.samples)))
        self.samples_at_once = max(1, LARGEST // (8 * len(recorded.sample.samples) * self.width))

    def begin(self, many: int) -> None:
        """The first so many instances stand where they begin."""
        super().begin(many)
        n = -(-many // WARP) * WARP
        cells = np.ascontiguousarray(self._cells[:, :n])
        base, values, places = (self.on.room(8 * len(cells)), self.on.room(cells.nbytes), np.arange(len(cells)))
        self.on.put(base, np.ascontiguousarray(cells[:, 0]))
        self.on.put(values, cells)
        self.on.put(self._wanted, places)
        self._kernels.launch("begin", n, self._place, self._marks, base, self._wanted, values, len(places), n)

    def _go_on(self, out: Floats, samples: int, each: int) -> int:
        n, size, on = self._many, out.shape[1], self.on
        warps = -(-n // WARP)
        h, begin = float(self.run.run.step[0]), float(self.run.run.start_time[0])
        shown, kept = on.room(8 * samples * size * warps * WARP), on.room(8 * samples * size * n)
        self._kernels.launch("advance", n, self._place, self._marks, shown, samples, each, self._done, begin, h)
        on.put(self._wanted, np.arange(size))
        self._kernels.launch("gather", n, self._marks, shown, self._wanted, kept, samples, size, n)
        found, marks = np.zeros((samples, size, n)), np.zeros(n, dtype=np.int64)
        on.get(found, kept)
        on.get(marks, self._marks)
        out[..., :n] = found
        return int.from_bytes(np.packbits(marks != 0, bitorder="little").tobytes(), "little")
