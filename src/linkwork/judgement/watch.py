"""Looks on while a run of dynamics goes on: ends it where it comes apart, and judges it when it is over.

Of the samples that a run records every k-th is looked at, k fixed beforehand, so that what is found does not depend on
the clock. A look costs about as much as a tenth of a step and comes at every 32nd.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from linkwork.equations.derived import MechanismDeriver
from linkwork.judgement.along_motion import AlongMotion
from linkwork.judgement.defects import Defect, StepsAgain
from linkwork.judgement.energy import (
    AT_ONCE,
    EnergyFound,
    balanced,
    energy_jump,
    exchanged,
    judge_energy,
    passing_power,
    rounding_energy,
    work_of,
)
from linkwork.judgement.limits import USUAL, Limits
from linkwork.judgement.motion_watch import MOST, MotionWatch
from linkwork.judgement.samples import Gap, Seen, measured
from linkwork.judgement.tilted_axes import TiltedAxes
from linkwork.system import CompiledMechanism
from linkwork.system.kinks import kink_times
from linkwork.verdict import WRONG, Verdict

Array = NDArray[np.float64]
STEPS_BETWEEN = 32  # steps from look to look
LEAST = 256  # samples that are looked at, about
FEWEST = 5  # samples that tell how fast a motion goes on, about
FEW = 0.05  # of the intervals: in which contacts that no sample shows may give energy
FALLEN = 1  # the number of the sample after the start: by then Euler's method has given speed, and nothing has fallen


class Watch(MotionWatch[Seen]):
    """What is seen of one run.

    mechanism : at its start. limits : what is asked. expected : samples of the whole run. steps_between : of a sample
    and the next; None where steps find their own size. t_end : s. order : of the method. kept : the record stays in
    memory, so that all of it can be looked at again. again : takes steps again from a sample, where not each is
    recorded.
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
        again: StepsAgain | None = None,
    ) -> None:
        self.t_end, self.order, self._again = t_end, order, again
        self.fixed_steps, self._between = steps_between is not None, steps_between or 1
        often = -(-STEPS_BETWEEN // steps_between) if steps_between is not None and kept else 1
        often = min(often, max(1, expected // LEAST))  # short runs are looked at more closely
        turning = mechanism.angles > 0  # their turns are counted from sample to sample
        super().__init__(mechanism, limits, 1 if turning else max(1, often, expected // MOST))
        self.mass = mechanism.system.bodies.mass[: mechanism.nb]
        gravity = float(np.linalg.norm(mechanism.system.gravity))
        self.nothing = rounding_energy(float(self.mass.sum()), gravity, mechanism.length, t_end)
        self.tilted = TiltedAxes(mechanism)
        self.along = AlongMotion(mechanism)
        self._seen: list[Seen] = []
        self._work = 0.0  # up to the last sample seen, J
        self._potential_low, self._work_range = np.inf, (0.0, 0.0)  # J, so far
        self._switches: Array | None = None  # times at which formulas change [s], once they are asked for
        self._spin = np.zeros(0)  # of torsion springs at the last sample seen, rad/s
        self.turned = 0.0  # by which one turns between two samples, at most, rad
        self._passed = 0.0  # the most that was given and taken between two samples, J
        self._tried = 0.0  # the residual for which rows were last looked at one by one
        self._sums = np.zeros(3)  # of m v.v, m a.a and m, over samples and bodies
        self._mean = np.zeros(3 * mechanism.nb)  # sum of velocities over samples

    @property
    def seen(self) -> Seen:
        """All that was looked at."""
        first, *more = self._seen
        return Seen(*(np.concatenate(column) for column in zip(first, *more, strict=True))) if more else first

    def look(self, block: Mapping[str, Array]) -> int:
        """Of all samples what formulas of the state measure, besides."""
        self.along.look(block)
        return super().look(block)

    def _measured(self, block: Mapping[str, Array]) -> Seen:
        return measured(self._deriver, block)

    # what ends a run ------------------------------------------------------------------------------------------

    def _ends(self, seen: Seen, block: Mapping[str, Array]) -> int | None:
        """The first of the samples seen at which the run has to end."""
        finite = np.isfinite(seen.kinetic) & np.isfinite(seen.violation)
        stops = [int(np.argmin(finite))] if not finite.all() else []
        apart = self._first_apart(seen, block)
        grown, share = self._first_grown(seen, block["motion"])
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
        row, share = self.mechanism.row_names[gap.row], gap.size / self.mechanism.extent
        text = (
            f"t = {time:.6g} s: joints come apart: row '{row}' is off by {gap.size:.3g} m, {share:.3g} of the "
            f"mechanism's length (limit {self.limits.apart:g})."
        )
        return Verdict("apart", WRONG, text, "", share, self.limits.apart, time)

    def _first_apart(self, seen: Seen, block: Mapping[str, Array]) -> tuple[int | None, Gap]:
        """The first sample with a row further off than `limits.apart`.

        Rows are looked at one by one where a residual is large, and again where it is a tenth larger than then.
        """
        far = self.limits.apart * self.mechanism.extent
        of_couplings = self.coupling_gaps.first_beyond(far, block["time"])
        raw = np.where(np.isfinite(seen.violation), seen.violation, np.inf)
        for k in np.flatnonzero(raw > max(far * self.gap_finder.least, 1.1 * self._tried)):
            if raw[k] > 1.1 * self._tried:
                self._tried = float(raw[k])
                gap = self.gap_finder.position(float(block["time"][k]), block["motion"][k])
                if gap.size > far:
                    found = int(k), gap
                    return found if of_couplings[0] is None or of_couplings[0] >= k else of_couplings
        return of_couplings

    def _first_grown(self, seen: Seen, motion: Array) -> tuple[int | None, float]:
        """The first sample with more kinetic energy than `limits.growth` allows; keeps sums for the next block.

        Steps that find their own size end where formulas of time change: what comes in an interval with such a time is
        the work of what changed, however little of that is seen at samples. So it is with what torsion springs give
        between samples so far apart that their turns are not known. Where formulas of the state can change fast within
        such steps, as at a stop, samples tell no work, and nothing ends for it; energies are judged at the end.
        """
        before = self._seen[-1] if self._seen else Seen(*(column[:0] for column in seen))
        both = Seen(*(np.concatenate((one[-1:], other)) for one, other in zip(before, seen, strict=True)))
        start, work = self._seen[0] if self._seen else seen, self._work + work_of(both.time, both.power)
        self._seen.append(seen)
        share, sums = self._growth(both, work, start, len(seen.time))
        earlier = self._seen[: min(len(self._seen) - 1, FALLEN + 1)]  # each has a sample, so that these are enough
        fallen = np.arange(len(share)) + sum(len(each.time) for each in earlier) > FALLEN
        beyond = (share > self.limits.growth) & fallen
        if self.along.formulas and not self.fixed_steps and self.limits.growth == USUAL.growth:
            beyond[:] = False
        spin = np.concatenate((self._spin, self.tilted.spins(motion)))
        turned = np.maximum(spin[1:], spin[:-1]) * np.diff(both.time)
        self._spin, self.turned = spin[-1:], max(self.turned, float(np.max(turned, initial=0.0)))
        if beyond.any() and len(unseen := self._unseen(both, work, turned > np.pi)):
            work += unseen
            share, sums = self._growth(both, work, start, len(seen.time))
            beyond = (share > self.limits.growth) & fallen
        if len(work):
            self._work = float(work[-1])
            self._potential_low, self._work_range, self._passed = sums
        first = np.flatnonzero(beyond)
        return (int(first[0]), float(f"{share[first[0]]:.6g}")) if len(first) else (None, 0.0)

    def _growth(
        self, both: Seen, work: Array, start: Seen, n: int
    ) -> tuple[Array, tuple[float, tuple[float, float], float]]:
        """Energy from nothing at the last n samples, in parts of what explains energy there; and what that comes to at
        the last: the lowest potential energy, the range of the work, the most that passed between two samples."""
        kinetic, potential, work_now = both.kinetic[-n:], both.potential[-n:], work[-n:]
        lowest = np.minimum.accumulate(np.minimum(potential, self._potential_low))
        least, most = self._work_range
        low = np.minimum.accumulate(np.minimum(work_now, least))
        high = np.maximum.accumulate(np.maximum(work_now, most))
        passing = passing_power(both.power, both.taken)
        between = np.maximum(passing[1:], passing[:-1]) * np.diff(both.time)
        passed = np.maximum.accumulate(np.concatenate(([self._passed], between)))[-n:]
        explained = start.kinetic[0] + (start.potential[0] - lowest) + (high - low) + passed
        made = kinetic + potential - start.kinetic[0] - start.potential[0] - work_now
        share = made / np.maximum(explained, max(self.nothing, 1e-300))
        return share, (float(lowest[-1]), (float(low[-1]), float(high[-1])), float(passed[-1]))

    def _unseen(self, seen: Seen, work: Array, within: NDArray[np.bool_]) -> Array:
        """What comes in these intervals of samples, and in those in which formulas of time change, beyond the work [J],
        up to each sample; nothing at all where there are none. Steps of one size pass over changes."""
        if self._switches is None:
            begin = float(self._seen[0].time[0])
            self._switches = np.zeros(0) if self.fixed_steps else kink_times(self.mechanism, begin, self.t_end)
        within = within | (np.diff(np.searchsorted(self._switches, seen.time)) > 0)
        unseen = np.where(within, np.diff(seen.kinetic + seen.potential) - np.diff(work), 0.0)
        return np.concatenate(([0.0], np.cumsum(unseen))) if within.any() else np.zeros(0)

    # what the end is judged by -----------------------------------------------------------------------------------

    def _gather(self, seen: Seen, block: Mapping[str, Array]) -> None:
        """Sums for the rate of the motion besides, where steps of one size are to resolve it."""
        super()._gather(seen, block)
        self.tilted.look(block["motion"])
        if not self.fixed_steps:
            return
        motion = block["motion"]
        v, a = motion[:, :, 12:15], motion[:, :, 18:21]
        self._sums += [np.einsum("tbc,tbc,b->", x, x, self.mass) for x in (v, a)] + [len(motion)]
        self._mean += v.reshape(len(motion), -1).sum(axis=0)

    @property
    def rate(self) -> float:
        """How fast the motion goes on, rad/s: root mean squares of accelerations over those of velocities' changes; 0
        where steps find their own size, or samples are few."""
        return self._rate(20)

    def _rate(self, least: int) -> float:
        """The same of as many samples at least."""
        count = max(self._sums[2], 1.0)
        mean = (self._mean / count).reshape(-1, 3)
        moving = self._sums[0] / count - float(np.einsum("bc,bc,b->", mean, mean, self.mass))
        slow = 1e-4 * self.mechanism.extent / self.t_end
        if count < least or moving <= float(self.mass.sum()) * slow**2:
            return 0.0
        return float(f"{np.sqrt(self._sums[1] / count / moving):.6g}")  # sums depend on blocks in their last digits

    def energy(self, blocks: Sequence[Mapping[str, Array]] | None) -> EnergyFound | None:
        """What the energies say; of all samples where those looked at leave a doubt; None where they balance within the
        limit anyway. blocks : all that was recorded."""
        seen = self.seen
        if self._balanced(seen):
            return None
        if self.stride > 1 and blocks:
            deriver = MechanismDeriver(self.mechanism)
            every = [measured(deriver, block) for block in blocks]
            seen = Seen(*(np.concatenate(column) for column in zip(*every, strict=True)))
            if self._balanced(seen):
                return None
        return judge_energy(seen.time, seen.kinetic, seen.potential, seen.power, self.nothing, seen.taken)

    def jump(self) -> tuple[float, float, float, float] | None:
        """Energy that comes or goes between two samples alone [J], both times [s], and the energy exchanged [J]."""
        seen = self.seen
        amount, k = energy_jump(seen.time, seen.kinetic, seen.potential, seen.power, seen.taken)
        if amount == 0.0:
            return None
        base = max(exchanged(seen.kinetic, seen.potential, work_of(seen.time, seen.power)), self.nothing)
        if not abs(amount) > AT_ONCE * self.limits.energy * base:
            return None
        return amount, float(seen.time[k]), float(seen.time[k + 1]), base

    def defect(self) -> Defect | None:
        """The largest, where steps have one size, and forces can change fast with the state."""
        return self.along.defect(self._between, self._again, self.limits.defect) if self.fixed_steps else None

    def unresolved(self, found: EnergyFound) -> bool:
        """Whether power between samples is known to nobody. What samples miss of the motion, second differences of them
        miss, too.

        Some are further apart than half a step of a method that chooses its steps by the motion; or steps of one size
        resolve the motion, and samples, several steps apart, do not, and no more is unexplained than may have been
        given or taken at the largest powers that they tell.
        """
        if not found.worked:
            return False
        if not self.fixed_steps:
            return 2.0 * self.steps * found.widest > 1.0
        time, power = self.seen.time, np.abs(self.seen.power)
        turn = self._rate(FEWEST) * found.widest * float(time[-1] - time[0])
        if not (self._between > 1 and 1.0 < turn <= self._between * self.limits.turn_of(self.order)):
            return False
        return found.unexplained <= float(np.sum(np.maximum(power[1:], power[:-1]) * np.diff(time)))

    def changes_account(self) -> float | None:
        """When the first of the intervals is in which formulas of time change [s], where the energies balance but for
        what comes in these."""
        seen = self.seen
        unseen = self._unseen(seen, work_of(seen.time, seen.power), np.zeros(max(len(seen.time) - 1, 0), dtype=bool))
        if not len(unseen):
            return None
        rest = seen._replace(potential=seen.potential - unseen)
        return float(seen.time[np.argmax(unseen != 0.0) - 1]) if self._balanced(rest) else None

    def comes_at_once(self) -> tuple[float, list[str]] | None:
        """When energy first comes or goes that samples do not explain [s], and whose formulas may have given it: where
        steps find their own size, forces can change fast with the state, and the energies balance but for what comes in
        few intervals."""
        seen, limit = self.seen, self.limits.energy
        if self.fixed_steps or not self.along.formulas or len(seen.time) < 2:
            return None
        work = work_of(seen.time, seen.power)
        base = max(exchanged(seen.kinetic, seen.potential, work), self.nothing)
        at_once = np.abs(np.diff(seen.kinetic + seen.potential - work)) > AT_ONCE * limit * base
        if not 0 < np.count_nonzero(at_once) <= FEW * len(at_once):
            return None
        rest = seen._replace(potential=seen.potential - self._unseen(seen, work, at_once))
        if not self._balanced(rest):
            return None
        return float(seen.time[np.argmax(at_once)]), list(dict.fromkeys(owner for owner, _ in self.along.formulas))

    def _balanced(self, seen: Seen) -> bool:
        return balanced(seen.time, seen.kinetic, seen.potential, seen.power, self.nothing, self.limits.energy)
