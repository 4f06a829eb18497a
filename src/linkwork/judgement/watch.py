"""Looks on while a run of dynamics goes on: ends it where it comes apart, and judges it when it is over.

Of the samples that a run records every k-th is looked at, k fixed beforehand, so that what is found does not depend on
the clock. A look costs about as much as a tenth of a step and comes at every 32nd.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from linkwork.judgement.energy import EnergyFound, judge_energy, rounding_energy, work_of
from linkwork.judgement.limits import Limits
from linkwork.judgement.samples import Gap, Gaps, Seen, measured
from linkwork.system import CompiledMechanism
from linkwork.system.derived import MechanismDeriver
from linkwork.verdict import WRONG, Verdict

Array = NDArray[np.float64]
Indices = NDArray[np.int64]
STEPS_BETWEEN = 32  # steps from look to look
LEAST, MOST = 256, 20_000  # samples that are looked at, about
NO_GAP = Gap(-1, 0.0, 0.0)
Peak = tuple[float, float, Array]  # the largest residual, its time [s], the bodies' motion then


class Watch:
    """What is seen of one run.

    mechanism : at its start. limits : what is asked. expected : samples of the whole run. steps_between : of a sample
    and the next; None where steps find their own size. t_end : s. order : of the method. kept : the record stays in
    memory, so that all of it can be looked at again.
    """

    def __init__(
        self,
        mechanism: CompiledMechanism,
        limits: Limits,
        *,
        expected: int,
        steps_between: int | None,
        t_end: float,
        order: int,
        kept: bool = True,
    ) -> None:
        self.mechanism, self.limits, self.t_end, self.order = mechanism, limits, t_end, order
        self.fixed_steps = steps_between is not None
        often = -(-STEPS_BETWEEN // steps_between) if steps_between is not None and kept else 1
        often = min(often, max(1, expected // LEAST))  # short runs are looked at more closely
        turning = len(mechanism.system.torsions.body_i) > 0  # their turns are counted from sample to sample
        self.stride = 1 if turning else max(1, often, expected // MOST)
        self.gaps = Gaps(mechanism)
        self.mass = mechanism.system.bodies.mass[: mechanism.nb]
        gravity = float(np.linalg.norm(mechanism.system.gravity))
        self.nothing = rounding_energy(float(self.mass.sum()), gravity, mechanism.length, t_end)
        self.ended: Verdict | None = None
        self._deriver = MechanismDeriver(mechanism)
        self._count = 0
        self._rest: dict[str, Array] | None = None  # the last sample, while it was not looked at
        self._seen: list[Seen] = []
        self._work = 0.0  # up to the last sample seen, J
        self._potential_low, self._work_range = np.inf, (0.0, 0.0)  # J, so far
        self._peaks: dict[str, Peak] = {}  # largest residuals of position and velocity rows
        self._tried = 0.0  # the residual for which rows were last looked at one by one
        self.largest: dict[str, tuple[float, int, float]] = {}  # speed, spin -> value, body, time
        self._sums = np.zeros(3)  # of m v.v, m a.a and m, over samples and bodies
        self._mean = np.zeros(3 * mechanism.nb)  # sum of velocities over samples

    @property
    def seen_any(self) -> bool:
        """Whether anything was looked at to the end."""
        return bool(self.largest)

    @property
    def seen(self) -> Seen:
        """All that was looked at."""
        return Seen(*(np.concatenate(column) for column in zip(*self._seen, strict=True)))

    def look(self, block: Mapping[str, Array]) -> int:
        """Look at a recorded block; how many of its samples to keep: all, unless the run has to end at one of them."""
        n = len(block["time"])
        if n:
            self._rest = {name: block[name][-1:] for name in ("time", "motion", "multiplier")}
        pick: Indices = np.arange((-self._count) % self.stride, n, self.stride)
        self._count += n
        if not len(pick):
            return n
        if pick[-1] == n - 1:
            self._rest = None
        seen = measured(self._deriver, block, pick)
        stop = self._ends(seen, block, pick)
        if stop is not None:
            return int(pick[stop]) + 1
        self._gather(block, pick)
        return n

    def close(self) -> None:
        """Look at the last sample, if that was not done."""
        rest, self._rest = self._rest, None
        if rest is not None and self.ended is None:
            self._ends(measured(self._deriver, rest, slice(None)), rest, np.zeros(1, dtype=np.int64))

    # what ends a run ------------------------------------------------------------------------------------------

    def _ends(self, seen: Seen, block: Mapping[str, Array], pick: Indices) -> int | None:
        """The first of the samples seen at which the run has to end."""
        finite = np.isfinite(seen.kinetic) & np.isfinite(seen.violation)
        stops = [int(np.argmin(finite))] if not finite.all() else []
        apart = self._first_apart(seen, block, pick)
        grown, share = self._first_grown(seen)
        stops += [k for k in (apart[0], grown) if k is not None]
        if not stops:
            return None
        stop = min(stops)
        time = float(seen.time[stop])
        if stop == apart[0]:
            self.ended = self.apart(apart[1], time)
        elif stop == grown:
            text = (
                f"t = {time:.6g} s: the run is unstable: energy from nothing is {share:.3g} times what start, weight, "
                f"springs and work give (limit {self.limits.growth:g})."
            )
            self.ended = Verdict("growth", WRONG, text, "", share, self.limits.growth, time)
        else:
            self.ended = Verdict("finite", WRONG, f"t = {time:.6g} s: a value is not finite any more.", "", time=time)
        return stop

    def apart(self, gap: Gap, time: float) -> Verdict:
        """A row that is so far from being met that the run ends."""
        row, share = self.mechanism.row_names[gap.row], gap.size / self.mechanism.length
        text = (
            f"t = {time:.6g} s: joints come apart: row '{row}' is off by {gap.size:.3g} m, {share:.3g} of the "
            f"mechanism's length (limit {self.limits.apart:g})."
        )
        return Verdict("apart", WRONG, text, "", share, self.limits.apart, time)

    def _first_apart(self, seen: Seen, block: Mapping[str, Array], pick: Indices) -> tuple[int | None, Gap]:
        """The first sample with a row further off than `limits.apart`; keeps the one with the largest residual.

        Rows are looked at one by one where a residual is large, and again where it is a tenth larger than then.
        """
        far = self.limits.apart * self.mechanism.length
        raw = np.where(np.isfinite(seen.violation), seen.violation, np.inf)
        self._peaks["position"] = _larger(self._peaks.get("position"), raw, block, pick)
        for k in np.flatnonzero(raw > max(far * self.gaps.least, 1.1 * self._tried)):
            if raw[k] > 1.1 * self._tried:
                self._tried = float(raw[k])
                gap = self.gaps.position(float(block["time"][pick[k]]), block["motion"][pick[k]])
                if gap.size > far:
                    return int(k), gap
        return None, NO_GAP

    def _first_grown(self, seen: Seen) -> tuple[int | None, float]:
        """The first sample with more kinetic energy than `limits.growth` allows; keeps sums for the next block."""
        before = self._seen[-1] if self._seen else Seen(*(column[:0] for column in seen))
        time, power = np.r_[before.time[-1:], seen.time], np.r_[before.power[-1:], seen.power]
        work = self._work + work_of(time, power)
        start = self._seen[0] if self._seen else seen
        self._seen.append(seen)
        skip = len(time) - len(seen.time)
        lowest = np.minimum.accumulate(np.minimum(seen.potential, self._potential_low))
        low = np.minimum.accumulate(np.minimum(work[skip:], self._work_range[0]))
        high = np.maximum.accumulate(np.maximum(work[skip:], self._work_range[1]))
        explained = start.kinetic[0] + (start.potential[0] - lowest) + (high - low)
        made = seen.kinetic + seen.potential - start.kinetic[0] - start.potential[0] - work[skip:]
        share = made / np.maximum(explained, max(self.nothing, 1e-300))
        if len(work):
            self._work = float(work[-1])
            self._potential_low, self._work_range = float(lowest[-1]), (float(low[-1]), float(high[-1]))
        beyond = np.flatnonzero(share > self.limits.growth)
        return (int(beyond[0]), float(f"{share[beyond[0]]:.6g}")) if len(beyond) else (None, 0.0)

    # what the end is judged by -----------------------------------------------------------------------------------

    def _gather(self, block: Mapping[str, Array], pick: Indices) -> None:
        """Largest speeds, the worst slip, and sums for the rate of the motion."""
        motion, seen = block["motion"][pick], self._seen[-1]
        v, w, a = motion[:, :, 12:15], motion[:, :, 15:18], motion[:, :, 18:21]
        for name, values in (("speed", v), ("spin", w)):
            sizes = np.sqrt(np.einsum("tbc,tbc->tb", values, values))
            k, b = divmod(int(np.argmax(sizes)), sizes.shape[1])
            if name not in self.largest or sizes[k, b] > self.largest[name][0]:
                self.largest[name] = float(sizes[k, b]), b, float(seen.time[k])
        self._sums += [np.einsum("tbc,tbc,b->", x, x, self.mass) for x in (v, a)] + [len(pick)]
        self._mean += v.reshape(len(pick), -1).sum(axis=0)
        self._peaks["velocity"] = _larger(self._peaks.get("velocity"), seen.slip, block, pick)

    @property
    def worst_gap(self) -> Gap:
        """The worst position row at the sample with the largest residual; none where that is small anyway."""
        raw, time, motion = self._peaks["position"]
        small = raw <= self.limits.violation * self.mechanism.length * self.gaps.least
        return NO_GAP if small else self.gaps.position(time, motion)

    @property
    def worst_slip(self) -> Gap:
        """The same of velocity equations."""
        raw, time, motion = self._peaks["velocity"]
        small = raw <= self.limits.slip * self.fastest * self.gaps.least
        return NO_GAP if small else self.gaps.velocity(time, motion)

    @property
    def fastest(self) -> float:
        """The largest speed seen, be it that of a body's turning [m/s]."""
        return max(self.largest["speed"][0], self.largest["spin"][0] * self.mechanism.length)

    @property
    def rate(self) -> float:
        """How fast the motion goes on, rad/s: root mean squares of accelerations over those of velocities' changes."""
        count = max(self._sums[2], 1.0)
        mean = (self._mean / count).reshape(-1, 3)
        moving = self._sums[0] / count - float(np.einsum("bc,bc,b->", mean, mean, self.mass))
        slow = 1e-4 * self.mechanism.length / self.t_end
        if count < 20 or moving <= float(self.mass.sum()) * slow**2:
            return 0.0
        return float(f"{np.sqrt(self._sums[1] / count / moving):.6g}")  # sums depend on blocks in their last digits

    def energy(self, blocks: Sequence[Mapping[str, Array]] | None) -> EnergyFound:
        """What the energies say; of all samples where those looked at leave a doubt. blocks : all that was recorded."""
        found = self._energy(self.seen)
        if self.stride == 1 or not blocks or found.unsure <= self.limits.energy * found.exchanged:
            return found
        deriver = MechanismDeriver(self.mechanism)
        every = [measured(deriver, block, slice(None)) for block in blocks]
        return self._energy(Seen(*(np.concatenate(column) for column in zip(*every, strict=True))))

    def _energy(self, seen: Seen) -> EnergyFound:
        return judge_energy(seen.time, seen.kinetic, seen.potential, seen.power, self.nothing)


def _larger(before: Peak | None, raw: Array, block: Mapping[str, Array], pick: Indices) -> Peak:
    """The sample with the largest residual, be it one of these or the one before; the earlier of equals."""
    k = int(np.argmax(raw))
    if before is not None and not raw[k] > before[0]:
        return before
    return float(raw[k]), float(block["time"][pick[k]]), block["motion"][pick[k]].copy()
