"""Energies of a run judged on samples that are close to each other where the work between them is not told.

The work of drivers, loads and dampers is the integral of their power over samples. A stop that is touched for a
millisecond, a force that is switched, gives power between two samples that neither of them has. Samples cost little
beside steps: the same steps are taken once more, with samples where work is in doubt, until it is told.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.judgement.energy import exchanged, interval_uncertainty, work_of
from linkwork.result import Result
from linkwork.verdict import UNRESOLVED

Array = NDArray[np.float64]
OF_ENERGY = ("energy", "sampling", UNRESOLVED)  # kinds of verdicts about the energy balance
ENOUGH = 1000  # samples, from which energies and work are told well enough for a verdict
ROUNDS = 6  # of closer samples
PARTS = 16  # into which an interval is divided
WIDEST = 2_000  # intervals that are divided at a time
MOST, MOST_STEPS = 2_000_000, 100_000  # samples times bodies, and steps, beyond which nothing is tried
LEFT = 0.1  # of the energy that may be unexplained, which may stay in doubt
BETTER = 0.5  # of the doubt before: what is left of it by closer samples, unless it is no matter of samples


def of_energy(result: Result) -> bool:
    """Whether its energies are the reason for a doubt, or might be if samples were closer to each other."""
    return any(one["kind"] in OF_ENERGY for one in result.info.get("verdicts", ()))


class Cleared(NamedTuple):
    """An energy balance that leaves no doubt. samples : on which it was found. work : (n,) J, from the start to each
    sample of the result that it is of. unexplained : by it, at most, J."""

    samples: int
    work: Array
    unexplained: float

    @classmethod
    def of(cls, result: Result, closer: Result) -> Cleared:
        """The balance of closer samples of a result's motion."""
        balance = closer.energy_balance()
        found = np.zeros(closer.time.size) if balance.work is None else balance.work
        work = np.interp(result.time, closer.time, found)
        return cls(closer.time.size, work - work[:1], float(np.max(np.abs(balance.residual))))


def judged_closely(result: Result, sampled: Callable[[Array], Result], limit: float) -> Result | None:
    """The motion of a result with samples that tell its work; None where none do. (Of samples within steps, energy that
    is unexplained may be that of the curve between steps: they clear a doubt, and prove nothing wrong.)

    sampled : makes the same steps with samples at these times [s]. limit : of unexplained energy, a share of the energy
    exchanged.
    """
    steps = int(result.info["steps"])
    if steps > MOST_STEPS:
        return None
    found, before, times, enough = result, np.inf, result.time, max(ENOUGH, 2 * steps + 2)
    if len(times) < enough:
        times = np.linspace(times[0], times[-1], enough)
    for _ in range(ROUNDS):
        if times is not result.time:
            if len(times) * len(result.bodies) > MOST:
                break
            found = sampled(times)
            if not of_energy(found):
                return found
        doubt, base = _doubts(found)
        now = float(np.sum(doubt))
        if not now < BETTER * before:
            break
        before, times = now, _divided(found.time, doubt, LEFT * limit * base)
    return None


def _doubts(result: Result) -> tuple[Array, float]:
    """What is in doubt in every interval, (n - 1,) J, and the energy exchanged, J."""
    time, power, kinetic, potential = result.time, result["power"], result["kinetic_energy"], result["potential_energy"]
    work = work_of(time, power)
    left = np.abs(np.diff(kinetic + potential - work))
    return left + interval_uncertainty(time, power), exchanged(kinetic, potential, work)


def _divided(time: Array, doubt: Array, least: float) -> Array:
    """Times with more of them where there is most doubt; what is left out comes to no more than `least` [J]."""
    order = np.argsort(doubt)[::-1]
    rest = float(np.sum(doubt)) - np.cumsum(doubt[order])
    count = min(int(np.searchsorted(-rest, -least)) + 1, WIDEST, len(order))
    chosen = order[:count]
    inside = time[chosen, None] + np.diff(time)[chosen, None] * (np.arange(1, PARTS) / PARTS)
    return np.sort(np.concatenate([time, inside.ravel()]))
