"""The reverse of a run whose steps are recorded once and become straight-line code (`lanes.traced`).

What `adjoint_run` does for every explicit run, done for those that can be recorded, in steps of one size. A step
costs a few plain ones, whatever is moved; making the code costs up to seconds: `traced` says when it pays. The run is
kept at the beginning of each part; a part is taken again with its tape, which is all states that its steps' parts
begin with, and then followed backwards. A run whose whole tape is short has one part.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.derivatives.adjoint_run import SAMPLED, Seeds
from linkwork.derivatives.tangent_run import Prepared
from linkwork.derivatives.tape import Array, Ints
from linkwork.derivatives.traced import addresses_of
from linkwork.errors import UsageError
from linkwork.lanes.memory import aligned
from linkwork.lanes.traced.derivatives import need_smooth
from linkwork.lanes.traced.numbers import NotTracedError
from linkwork.lanes.traced.reverse_code import ReverseCode
from linkwork.lanes.traced.step import Recorder
from linkwork.status import Status

SHORT = 2**22  # numbers of a tape that is not worth dividing: 32 MB
AT_ONCE = 4  # functions


class TracedAdjoint:
    """A prepared run to be reversed, its steps recorded.

    prepare : makes the run, with room for so many samples. moving : (reals,) which of `Prepared.reals` move at the
    start. part : steps of a part, the best length if left out. cell_of : (reals,) columns of `gradients`, the last,
    which is zero, for what nothing depends on. Raises NotTracedError where a step cannot be recorded, or not be
    differentiated.
    """

    def __init__(self, prepare: Callable[[int], Prepared], moving: NDArray[np.bool_], part: int | None = None) -> None:
        self.prepare, prepared = prepare, prepare(1)
        run = self.run = prepared.run
        recorder = Recorder(run)
        cells = np.array([recorder.cells.cell(address) for address in addresses_of(prepared, moving)], dtype=np.int64)
        given = frozenset(cells[cells >= 0].tolist())
        recorded = self.recorded = recorder.recorded(given)
        need_smooth(recorded, given)
        places = {cell: k for k, cell in enumerate(recorded.carried)}
        self.size = len(places)
        self.cell_of: Ints = np.full(len(moving), self.size, dtype=np.int64)
        self.cell_of[np.flatnonzero(moving)] = [places.get(int(cell), self.size) for cell in cells]
        self.first = aligned(self.size)
        self.first[:] = recorded.cells[list(recorded.carried)]
        step = len(recorded.step) * self.size  # numbers of a step's tape
        best = max(1, round((run.total * self.size / step) ** 0.5))
        self.part = part or (run.total if run.total * step <= SHORT else max(best, SHORT // (4 * step)))
        self.tape = aligned((min(self.part, run.total) * len(recorded.step) + 1) * self.size)

    def samples(self) -> dict[str, Array]:
        """Those of the run as it is, arrays as compiled code writes them."""
        return samples_again(self.prepare(0).run)

    def gradients(self, seeds: Seeds) -> Array:
        """(functions, size + 1) derivatives by every number at the start. seeds : those by the samples. Raises
        NotTracedError where the run leaves the course that was recorded."""
        several = len(next(iter(seeds.values())))
        lanes = 1 if several == 1 else AT_ONCE
        code = ReverseCode(self.recorded, lanes)
        several_seeds = sown(seeds, lanes)  # (chunks, samples, numbers, lanes)
        bars = aligned(len(several_seeds) * self.size * lanes).reshape(-1, self.size, lanes)
        cells = aligned(self.size)
        kept = self._forwards(code, cells)
        run = self.run
        begin, h, every = float(run.run.start_time[0]), float(run.run.step[0]), run.every
        for first, state in reversed(kept):
            steps = min(self.part, run.total - first)
            if len(kept) > 1:
                cells[:] = state
                code.forward(cells.ctypes.data, self.tape.ctypes.data, steps, first, begin, h)
            for bar, seed in zip(bars, several_seeds, strict=True):
                at = seed[1 + first // every :]
                code.backward(self.tape.ctypes.data, bar.ctypes.data, at.ctypes.data, steps, every, first, begin, h)
        for bar, seed in zip(bars, several_seeds, strict=True):
            cells[:] = kept[0][1]
            code.back_sample(cells.ctypes.data, bar.ctypes.data, seed.ctypes.data, begin, begin)
            code.back_start(self.first.ctypes.data, bar.ctypes.data, 0, begin, begin)
        if not np.isfinite(bars).all():  # a root of zero, for example, which compiled kernels leave out
            raise NotTracedError("an infinite derivative")
        out = np.zeros((several, self.size + 1))
        out[:, :-1] = bars.transpose(0, 2, 1).reshape(-1, self.size)[:several]
        return out

    def _forwards(self, code: ReverseCode, cells: Array) -> list[tuple[int, Array]]:
        """The run, and what its parts begin from; of one part alone also its tape."""
        run = self.run
        begin, h = float(run.run.start_time[0]), float(run.run.step[0])
        cells[:] = self.first
        strayed = code.start(cells.ctypes.data, 0, begin, begin)
        kept = []
        for first in range(0, run.total, self.part):
            kept.append((first, cells.copy()))
            steps = min(self.part, run.total - first)
            advance: Any = code.forward if steps == run.total else code.walk
            strayed |= advance(cells.ctypes.data, self.tape.ctypes.data, steps, first, begin, h)
            if strayed or not np.isfinite(cells).all():
                raise NotTracedError("another course of the run")
        return kept


def samples_again(run: Any) -> dict[str, Array]:
    """Of a run that is not begun: its samples, arrays as compiled code writes them."""
    status = run.initialise()
    first = run.first()
    if status == Status.OK:
        status, told = run.advance(run.total)
    if status != Status.OK:
        raise UsageError(f"the run failed when it was taken again ({Status(status).name}).")
    names = [name for name in ("time", *SAMPLED) if name in told]
    return {name: np.concatenate([np.array(first[name]), told[name]]) for name in names}


def sown(seeds: Seeds, lanes: int) -> Array:
    """(chunks, samples, numbers, lanes) seeds as compiled code reads them."""
    flat = np.concatenate(
        [seeds[name].reshape(*seeds[name].shape[:2], -1) for name in SAMPLED if name in seeds], axis=2
    )
    many, samples, numbers = flat.shape
    chunks = -(-many // lanes)
    out = aligned(chunks * samples * numbers * lanes).reshape(chunks, samples, numbers, lanes)
    for k in range(many):
        out[k // lanes, :, :, k % lanes] = flat[k]
    return out
