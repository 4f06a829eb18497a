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
STEPS_BETWEEN = 32  # steps from look to look
MOST = 20_000  # samples that are looked at, about
NO_GAP = Gap(-1, 0.0, 0.0)


class Watch:
    """What is seen of one run.

    mechanism : at its start. limits : what is asked. expected : samples of the whole run. steps_between : of a sample
    and the next; None where steps find their own size. t_end : s. order : of the method. kept : the record stays in memory,
    so that all of it can be looked at again.
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
        turning = len(mechanism.system.torsions.body_i) > 0  # their turns are counted from sample to sample
        self.stride = 1 if turning else max(1, often, expected // MOST)
        self.gaps = Gaps(mechanism)
        self.mass = mechanism.system.bodies.mass[: mechanism.nb]
        gravity = float(np.linalg.norm(mechanism.system.gravity))
        self.nothing = rounding_energy(float(self.mass.sum()), gravity, mechanism.length, t_end)
        self.ended: Verdict | None = None
        self._deriver = MechanismDeriver(mechanism)
        self._count = 0
        self._seen: list[Seen] = []
        self._work = 0.0  # up to the last sample seen, J
        self._extremes = np.array([np.inf, -np.inf, np.inf, -np.inf])  # of potential energy and work, J
        self.worst_gap, self.worst_slip = NO_GAP, NO_GAP
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
        pick = np.arange((-self._count) % self.stride, n, self.stride)
        self._count += n
        if not len(pick):
            return n
        seen = measured(self._deriver, block, pick)
        stop = self._ends(seen, block, pick)
        if stop is not None:
            return int(pick[stop]) + 1
        self._gather(block, pick)
        return n

    # what ends a run ------------------------------------------------------------------------------------------

    def _ends(self, seen: Seen, block: Mapping[str, Array], pick: Array) -> int | None:
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
            self.ended = Verdict(
                "growth", WRONG,
                f"t = {time:.6g} s: the kinetic energy is {share:.3g} times what the start, weight, springs and work "
                f"explain (limit {self.limits.growth:g}): the run is unstable.",
                "", share, self.limits.growth, time,
            )  # fmt: skip
        else:
            self.ended = Verdict("finite", WRONG, f"t = {time:.6g} s: a value is not finite any more.", "", time=time)
        return stop

    def apart(self, gap: Gap, time: float) -> Verdict:
        """A row that is so far from being met that the run ends."""
        return Verdict(
            "apart", WRONG,
            f"t = {time:.6g} s: joints come apart: row '{self.mechanism.row_names[gap.row]}' is off by {gap.size:.3g} m, "
            f"{gap.size / self.mechanism.length:.3g} of the mechanism's length (limit {self.limits.apart:g}).",
            "", gap.size / self.mechanism.length, self.limits.apart, time,
        )  # fmt: skip

    def _first_apart(self, seen: Seen, block: Mapping[str, Array], pick: Array) -> tuple[int | None, Gap]:
        """The first sample with a row further off than `limits.apart`; keeps the worst for the verdict."""
        near = self.limits.violation * self.mechanism.length
        far = self.limits.apart * self.mechanism.length
        raw = np.where(np.isfinite(seen.violation), seen.violation, np.inf)
        k = int(np.argmax(raw))
        if raw[k] <= min(near, far) * self.gaps.least:
            return None, NO_GAP
        worst = self._gap(k, block, pick)
        if worst.size > self.worst_gap.size:
            self.worst_gap = worst
        if worst.size <= far:
            return None, NO_GAP
        for one in np.flatnonzero(raw > far * self.gaps.least):
            gap = self._gap(int(one), block, pick)
            if gap.size > far:
                return int(one), gap
        return k, worst

    def _gap(self, k: int, block: Mapping[str, Array], pick: Array) -> Gap:
        return self.gaps.position(float(block["time"][pick[k]]), block["motion"][pick[k]])

    def _first_grown(self, seen: Seen) -> tuple[int | None, float]:
        """The first sample with more kinetic energy than `limits.growth` allows; keeps sums for the next block."""
        before = self._seen[-1] if self._seen else None
        join = [np.r_[before[c][-1:], seen[c]] if before is not None else seen[c] for c in range(4)]
        time, _, potential, power = join
        work = self._work + work_of(time, power)
        start = self._seen[0] if self._seen else seen
        self._seen.append(seen)
        skip = len(time) - len(seen.time)
        low = [
            np.minimum.accumulate(np.r_[self._extremes[2 * c], x[skip:]])[1:] for c, x in ((0, potential), (1, work))
        ]
        high = [
            np.maximum.accumulate(np.r_[self._extremes[2 * c + 1], x[skip:]])[1:]
            for c, x in ((0, potential), (1, work))
        ]
        explained = start.kinetic[0] + (high[0] - low[0]) + (high[1] - low[1])
        made = seen.kinetic + seen.potential - start.kinetic[0] - start.potential[0] - work[skip:]
        share = made / np.maximum(explained, max(self.nothing, 1e-300))
        if len(work):
            self._work = float(work[-1])
            self._extremes = np.array([low[0][-1], high[0][-1], low[1][-1], high[1][-1]])
        beyond = np.flatnonzero(share > self.limits.growth)
        return (int(beyond[0]), float(share[beyond[0]])) if len(beyond) else (None, 0.0)

    # what the end is judged by -----------------------------------------------------------------------------------

    def _gather(self, block: Mapping[str, Array], pick: Array) -> None:
        """Largest speeds, the worst slip, and sums for the rate of the motion."""
        motion, seen = block["motion"][pick], self._seen[-1]
        v, w, a = motion[:, :, 12:15], motion[:, :, 15:18], motion[:, :, 18:21]
        for name, values in (("speed", v), ("spin", w)):
            sizes = np.sqrt(np.einsum("tbc,tbc->tb", values, values))
            k, b = np.unravel_index(int(np.argmax(sizes)), sizes.shape)
            if name not in self.largest or sizes[k, b] > self.largest[name][0]:
                self.largest[name] = float(sizes[k, b]), int(b), float(seen.time[k])
        self._sums += [np.einsum("tbc,tbc,b->", x, x, self.mass) for x in (v, a)] + [len(pick)]
        self._mean += v.reshape(len(pick), -1).sum(axis=0)
        k = int(np.argmax(seen.slip))
        if seen.slip[k] > self.worst_slip.size * self.gaps.least:
            slip = self.gaps.velocity(float(seen.time[k]), block["motion"][pick[k]])
            self.worst_slip = max(self.worst_slip, slip, key=lambda gap: gap.size)

    @property
    def rate(self) -> float:
        """How fast the motion goes on, rad/s: the root mean square of accelerations over that of velocities' changes."""
        count = max(self._sums[2], 1.0)
        mean = (self._mean / count).reshape(-1, 3)
        moving = self._sums[0] / count - float(np.einsum("bc,bc,b->", mean, mean, self.mass))
        slow = 1e-4 * self.mechanism.length / self.t_end
        if count < 20 or moving <= float(self.mass.sum()) * slow**2:
            return 0.0
        return float(np.sqrt(self._sums[1] / count / moving))

    def energy(self, blocks: Sequence[Mapping[str, Array]] | None) -> EnergyFound:
        """What the energies say; of all samples where those looked at leave a doubt. blocks : all that was recorded."""
        found = self._energy(self.seen)
        share = found.unexplained + found.sampling
        if self.stride == 1 or not blocks or share <= self.limits.energy * found.exchanged:
            return found
        deriver = MechanismDeriver(self.mechanism)
        every = [measured(deriver, block, slice(None)) for block in blocks]
        return self._energy(Seen(*(np.concatenate(column) for column in zip(*every, strict=True))))

    def _energy(self, seen: Seen) -> EnergyFound:
        return judge_energy(seen.time, seen.kinetic, seen.potential, seen.power, self.nothing)
