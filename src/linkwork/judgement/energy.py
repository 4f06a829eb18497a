"""What energies over time say about a run.

    unexplained(t) = T(t) + V(t) - T(0) - V(0) - W(t)

with W the work of drivers, loads, actuators and dampers since the start. It is zero in the exact motion; what is left
is the method's error, and that of integrating the power between samples.

How much is much? A share of the energy exchanged,

    exchanged = the largest of range T, range V, range W, and no less than a tenth of the largest T,

where a range is the difference of the largest and the smallest value of the run: a pendulum exchanges its swing's
energy, however often it swings. (Sums of all changes would grow with time, and forgive a slow loss of everything.) What
turns steadily exchanges nothing, and may lose all of its energy nevertheless: hence the tenth.

What loads give and dampers take at the same time, `passing_power`, is not in the power, which is their sum. Where it
sets in between samples, power is zero before and after, and what it was in between nobody has seen: a wheel that is
pushed from rest against a brake has its speed before the first sample is taken. So the trapezoidal rule is as uncertain
of what is given and of what is taken as second differences of the passing power tell, however quiet their sum is.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
STEADY = 0.1  # share of the largest kinetic energy that counts as exchanged in any case
FEW = 20  # samples below which one interval is no small part of a run
SEVERAL = 0.2  # share of intervals whose power is not resolved, above which that of none is
AT_ONCE = 0.1  # of the energy that may be unexplained: what goes or comes between two samples alone is a jump
OTHERS = 0.1  # of a jump: what all other intervals, and the work between the two samples, come to at most
NOTHING = 1e-9  # of m (g L + (L / t)^2): energies below are rounding of a mechanism at rest


class EnergyFound(NamedTuple):
    """unexplained : the largest, J, beyond what sampling can account for. time : when, s. exchanged : J.

    sampling : how uncertain the work is for want of samples, J, at most. unsure : the largest that is unexplained, J,
    be it for want of samples or not. worked : whether there is any power. widest : the largest distance of two samples,
    as a share of the time that all of them span.
    """

    unexplained: float
    time: float
    exchanged: float
    sampling: float
    unsure: float
    worked: bool
    widest: float

    @property
    def fraction(self) -> float:
        """Unexplained energy as a share of the energy exchanged."""
        return self.unexplained / self.exchanged if self.exchanged > 0.0 else 0.0


def work_of(time: Array, power: Array) -> Array:
    """W at every sample, (n,) J, from the power [W], by the trapezoidal rule."""
    steps = 0.5 * (power[1:] + power[:-1]) * np.diff(time)
    return np.concatenate((np.zeros(min(1, power.size)), np.cumsum(steps)))


def work_uncertainty(time: Array, power: Array) -> Array:
    """How far the trapezoidal rule may be off at every sample, (n,) J."""
    return _summed(interval_uncertainty(time, power))


def interval_uncertainty(time: Array, power: Array) -> Array:
    """How far the rule may be off in every interval, (n - 1,) J: what second differences of the power come to.

    Where these are more than half of the first difference, and that is more than half of the power, the power is not
    resolved: it may have changed anywhere in the interval, as that of a hard damper does after the start, and the rule
    is off by up to h / 2 times the change. Where that is so in more than a few intervals, samples are too far apart to
    tell any work, which is another doubt (`Watch.unresolved`).
    """
    bends, change = bend_uncertainty(time, power), np.abs(np.diff(power))
    jumps = 0.5 * np.diff(time) * change
    unresolved = bends > jumps / 6.0  # h^3 / 6 times P'' > h / 2 of the change, by half of it
    unresolved &= change > 0.5 * np.maximum(np.abs(power[1:]), np.abs(power[:-1]))
    if np.count_nonzero(unresolved) > SEVERAL * change.size:
        return bends
    return np.where(unresolved, np.maximum(bends, jumps), bends)


def bend_uncertainty(time: Array, power: Array) -> Array:
    """How far the rule may be off in every interval, (n - 1,) J, where the power is as smooth as samples tell.

    Over an interval h the rule is off by h^3 P'' / 12. Twice that is taken, with P'' from neighbours.
    """
    h = np.diff(time)
    if time.size < 3:
        return 0.0 * h
    slope = np.diff(power) / h
    bend = np.abs(np.diff(slope)) / (0.5 * (h[1:] + h[:-1]))  # at inner samples
    bent: Array = np.maximum(np.concatenate((bend[:1], bend)), np.concatenate((bend, bend[-1:])))  # of intervals
    return bent * h**3 / 6.0


def _summed(each: Array) -> Array:
    return np.concatenate((np.zeros(1), np.cumsum(each)))


def passing_power(power: Array, taken: Array) -> Array:
    """What is given and taken at the same time, (n,) W: the lesser of both. power : given less taken."""
    return np.maximum(np.minimum(power + taken, taken), 0.0)


def exchanged(kinetic: Array, potential: Array, work: Array) -> float:
    """The energy exchanged, J; see above."""
    ranges = (float(np.ptp(energy)) for energy in (kinetic, potential, work))
    return max(*ranges, STEADY * float(np.max(kinetic)))


def left_of(kinetic: Array, potential: Array, work: Array) -> Array:
    """What is unexplained at every sample, (n,) J, be it for want of samples or not."""
    left: Array = np.abs(kinetic + potential - kinetic[0] - potential[0] - work)
    return left


def balanced(time: Array, kinetic: Array, potential: Array, power: Array, nothing: float, limit: float) -> bool:
    """Whether no more than `limit` of the energy exchanged is unexplained, whatever samples account for."""
    work = work_of(time, power)
    most = float(np.max(left_of(kinetic, potential, work)))
    return most <= limit * max(exchanged(kinetic, potential, work), nothing)


def judge_energy(
    time: Array, kinetic: Array, potential: Array, power: Array, nothing: float, taken: Array | None = None
) -> EnergyFound:
    """What is unexplained in a run. nothing : energy that is no more than rounding, J.

    taken : what takes power takes, (n,) W, of which others may give as much meanwhile; left out, nothing does.
    """
    work = work_of(time, power)
    left, unsure = left_of(kinetic, potential, work), work_uncertainty(time, power)
    if taken is not None:  # once as given, once as taken
        unsure += 2.0 * _summed(bend_uncertainty(time, passing_power(power, taken)))
    sure = left - unsure
    k = int(np.argmax(sure)) if np.all(np.isfinite(sure)) else int(np.argmax(~np.isfinite(sure)))
    amount = float(sure[k]) if np.isfinite(sure[k]) else np.inf
    if amount <= nothing:
        amount = 0.0
    base = max(exchanged(kinetic, potential, work), nothing) if np.isfinite(amount) else 1.0
    worked = bool(np.any(power)) or (taken is not None and bool(np.any(taken)))
    widest = float(np.max(np.diff(time), initial=0.0) / max(time[-1] - time[0], 1e-300))
    return EnergyFound(amount, float(time[k]), base, float(unsure[-1]), float(np.max(left)), worked, widest)


def energy_jump(time: Array, kinetic: Array, potential: Array, power: Array, taken: Array) -> tuple[float, int]:
    """The energy that is unexplained between two samples [J] while next to none is elsewhere, and the number of the
    first of them; (0, 0) where there is no such jump. Arguments as of `judge_energy`.

    Errors of a method spread over its steps. What goes within one of them is a blow that velocities have been given.
    """
    if len(time) < FEW:
        return 0.0, 0
    change = np.diff(kinetic + potential - work_of(time, power))
    size = np.abs(change)
    k = int(np.argmax(size))
    others, most = float(np.sum(size)) - float(size[k]), OTHERS * float(size[k])
    if not others <= most:  # whatever samples leave in doubt
        return 0.0, 0
    passing = passing_power(power, taken)
    doubt = bend_uncertainty(time, power) + 2.0 * bend_uncertainty(time, passing)
    doubt += np.diff(time) * (0.5 * np.abs(np.diff(power)) + np.maximum(passing[1:], passing[:-1]))
    return (float(change[k]), k) if others + float(doubt[k]) <= most else (0.0, 0)


def rounding_energy(mass: float, gravity: float, length: float, t_end: float) -> float:
    """Energy below which a mechanism of this mass [kg] and length [m] is at rest, J."""
    return NOTHING * mass * (gravity * length + (length / max(t_end, 1e-300)) ** 2)
