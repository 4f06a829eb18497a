"""Looks on while motions are computed, in kinematics as in dynamics: how far rows are off, how fast bodies move."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from linkwork.equations.derived import MechanismDeriver
from linkwork.judgement.bent_shafts import BentShafts
from linkwork.judgement.coupling_gaps import CouplingGaps
from linkwork.judgement.limits import Limits
from linkwork.judgement.samples import Gap, Gaps, Misfit, Seen, misfit
from linkwork.system import CompiledMechanism
from linkwork.verdict import Verdict

Array = NDArray[np.float64]
Peak = tuple[float, float, Array]  # the largest residual, its time [s], the bodies' motion then
Found = TypeVar("Found", Misfit, Seen)
MOST = 20_000  # samples that are looked at, about
NO_GAP = Gap(-1, 0.0, 0.0)
KEPT = ("time", "motion", "multiplier")


class MotionWatch(Generic[Found]):
    """What is seen of one run. stride : every so many samples one is looked at, and the last."""

    def __init__(self, mechanism: CompiledMechanism, limits: Limits, stride: int) -> None:
        self.mechanism, self.limits, self.stride = mechanism, limits, stride
        self.gap_finder = Gaps(mechanism)
        self.coupling_gaps = CouplingGaps(mechanism, min(limits.apart, 0.1) * mechanism.extent)
        self.bent_shafts = BentShafts(mechanism, limits.violation)
        self.steps = 0  # that the run has taken, told before it is judged
        self.ended: Verdict | None = None
        self.largest: dict[str, tuple[float, int, float]] = {}  # speed, spin -> value, body, time
        self._deriver = MechanismDeriver(mechanism)
        self._count = 0
        self._rest: dict[str, Array] | None = None  # the last sample, while it was not looked at
        self._peaks: dict[str, Peak] = {}  # largest residuals of position and velocity rows

    @property
    def seen_any(self) -> bool:
        """Whether anything was looked at to the end."""
        return bool(self.largest)

    def look(self, block: Mapping[str, Array]) -> int:
        """Look at a recorded block; how many of its samples to keep: all, unless the run has to end at one of them."""
        n, first = len(block["time"]), (-self._count) % self.stride
        if n:
            self._rest = {name: block[name][-1:] for name in KEPT if name in block}
        self._count += n
        if first >= n:
            return n
        if (n - 1 - first) % self.stride == 0:
            self._rest = None
        picked = {name: block[name][first :: self.stride] for name in KEPT if name in block}
        seen = self._see(picked)
        stop = self._ends(seen, picked)
        if stop is not None:
            return first + stop * self.stride + 1
        self._gather(seen, picked)
        return n

    def close(self) -> None:
        """Look at the last sample, if that was not done."""
        rest, self._rest = self._rest, None
        if rest is not None and self.ended is None:
            self._ends(self._see(rest), rest)

    def _see(self, block: Mapping[str, Array]) -> Found:
        """Measure samples, and keep those that are furthest off."""
        seen = self._measured(block)
        self._compare(seen, block)
        self.coupling_gaps.look(seen.time, block["motion"], self._deriver.missed)
        return seen

    def _measured(self, block: Mapping[str, Array]) -> Found:
        """Of the samples that are looked at."""
        raise NotImplementedError  # kinematics and dynamics have their own

    def _ends(self, seen: Found, block: Mapping[str, Array]) -> int | None:
        """The first of the samples seen at which the run has to end, if any."""
        return None

    def _compare(self, seen: Found, block: Mapping[str, Array]) -> None:
        """Keep the sample with the largest residual of position rows."""
        raw = np.where(np.isfinite(seen.violation), seen.violation, np.inf)
        self._peaks["position"] = _larger(self._peaks.get("position"), raw, block)

    def _gather(self, seen: Found, block: Mapping[str, Array]) -> None:
        """Largest speeds, the worst slip, and joints that have become others."""
        motion = block["motion"]
        self.bent_shafts.look(seen.time, motion)
        for name, values in (("speed", motion[:, :, 12:15]), ("spin", motion[:, :, 15:18])):
            sizes = np.sqrt(np.einsum("tbc,tbc->tb", values, values))
            k, b = divmod(int(np.argmax(sizes)), sizes.shape[1])
            if name not in self.largest or sizes[k, b] > self.largest[name][0]:
                self.largest[name] = float(sizes[k, b]), b, float(seen.time[k])
        self._peaks["velocity"] = _larger(self._peaks.get("velocity"), seen.slip, block)

    @property
    def worst_gap(self) -> Gap:
        """The worst position row at the sample with the largest residual; none where that is small anyway."""
        raw, time, motion = self._peaks["position"]
        small = raw <= self.limits.violation * self.mechanism.extent * self.gap_finder.least
        return self._worse(NO_GAP if small else self.gap_finder.position(time, motion), "position")

    @property
    def worst_slip(self) -> Gap:
        """The same of velocity equations."""
        raw, time, motion = self._peaks["velocity"]
        small = raw <= self.limits.slip * self.fastest * self.gap_finder.least
        return self._worse(NO_GAP if small else self.gap_finder.velocity(time, motion), "velocity")

    def _worse(self, gap: Gap, which: str) -> Gap:
        """This one of a row, or the worst one of a coupling."""
        return max(gap, self.coupling_gaps.worst[which], key=lambda one: one.size)

    @property
    def fastest(self) -> float:
        """The largest speed seen, be it that of a body's turning [m/s]."""
        return max(self.largest["speed"][0], self.largest["spin"][0] * self.mechanism.extent)


class KinematicWatch(MotionWatch[Misfit]):
    """Of a run of kinematics: no energies, and nothing that ends it."""

    def _measured(self, block: Mapping[str, Array]) -> Misfit:
        return misfit(self._deriver, block)


def _larger(before: Peak | None, raw: Array, block: Mapping[str, Array]) -> Peak:
    """The sample with the largest residual, be it one of these or the one before; the earlier of equals."""
    k = int(np.argmax(raw))
    if before is not None and not raw[k] > before[0]:
        return before
    return float(raw[k]), float(block["time"][k]), block["motion"][k].copy()
