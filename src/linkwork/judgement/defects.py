"""Whether velocities change, from step to step, as the accelerations at both ends of a step say: the defect of a run.

Where a force changes with a velocity faster than steps of one size follow (friction that is rounded off over a small
slip), explicit methods do not grow beyond all bounds, since the force is bounded. They chatter about the motion, or
stay beside it: a body that friction holds creeps on, while its accelerations say that it should come to rest. Its
energies balance. Of steps that resolve a motion the defect is of their third order, a few hundredths of the change at
most.

Samples several steps apart tell where velocities may not follow, and no more: a body that goes round once from sample
to sample has the same velocity at each, and the same acceleration. Steps are taken again from there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
STEPS, ROWS = 12, 3  # looked at together, and how often in a row: where a force sets in, or a body comes to rest, there
# is a step or two that no method follows, and chatter may go well for a few steps before it leaps back
LEAST, SMALL = 0.01, 1e-3  # of the largest change of a velocity in a step of the run, of the body's own and of any's,
# below which a defect does not matter
FELT = 1e-7  # of the mechanism's length, what a defect moves a body by until the end, likewise
SUSPECT = 0.25  # of what accelerations say from sample to sample: where more is missing, steps are taken again
AGAIN, PLACES = 40, 8  # steps that are taken again from a sample, and from how many samples

# steps from sample number k on, each recorded, the sample itself first: `time` (n,) s and `motion` (n, nb, 24), fewer
# than asked for where one fails; None where there are none. Called with k and how many.
StepsAgain: TypeAlias = Callable[[int, int], Mapping[str, Array] | None]


class Defect(NamedTuple):
    """body : its number. time : where the steps begin [s]. fraction : how far velocities change otherwise than
    accelerations say, of the change that these say."""

    body: int
    time: float
    fraction: float


def largest_defect(
    time: Array, speeds: Array, rates: Array, length: float, least: Array | None = None
) -> Defect | None:
    """The largest defect over a few steps in a row; None where nothing matters, or samples are fewer.

    time (n,) : of every step [s], evenly spaced. speeds, rates (n, 6 nb) : v of all bodies [m/s], then ω [rad/s], and
    how fast these change. length : of the mechanism [m], by which angles count. least (nb,) : of a defect that matters
    [m/s], where these are steps of a longer run.
    """
    n = len(time)
    if n <= STEPS * ROWS or not speeds.shape[1]:
        return None
    off, said = _changes(time, speeds, rates, length)
    unsaid, change = _sums(off), _sums(said)
    each = _fractions(unsaid, change, STEPS * (_least(time, said, length) if least is None else least))
    last = len(each) - STEPS * (ROWS - 1)
    fraction = np.minimum.reduce([each[STEPS * k : STEPS * k + last] for k in range(ROWS)])
    k, body = np.unravel_index(int(np.argmax(fraction)), fraction.shape)
    return Defect(int(body), float(time[k]), float(fraction[k, body])) if fraction[k, body] > 0.0 else None


def largest_again(
    time: Array, speeds: Array, rates: Array, length: float, every: int, again: StepsAgain, enough: float
) -> Defect | None:
    """The same of a run with a sample at every so many steps: of steps that are taken again where samples do not rule
    a defect out, up to one with a fraction above `enough`. None where there is none."""
    steps = (len(time) - 1) * every
    if steps < AGAIN or not speeds.shape[1]:
        return None
    off, said = _changes(time, speeds, rates, length)
    least = _least(time, said, length) / every
    worst: Defect | None = None
    for k in _suspects(_fractions(off, said, every * least), (steps - AGAIN) // every, 1 + steps // (2 * AGAIN)):
        block = again(k, AGAIN)
        found = None if block is None else largest_defect(block["time"], *rates_of(block["motion"]), length, least)
        if found is not None and (worst is None or found.fraction > worst.fraction):
            worst = found
        if worst is not None and worst.fraction > enough:
            break
    return worst


def rates_of(motion: Array) -> tuple[Array, Array]:
    """speeds, rates (n, 6 nb), as of `largest_defect`, of recorded motion (n, nb, 24)."""
    n, nb = motion.shape[:2]
    v, w, a, alpha = np.split(motion[:, :, 12:], 4, axis=2)
    speeds, rates = (np.concatenate(pair, axis=1).reshape(n, 6 * nb) for pair in ((v, w), (a, alpha)))
    return speeds, rates


def _suspects(fraction: Array, last: int, most: int) -> list[int]:
    """Samples from which steps are taken again, the worst first: of each part of the run that where a body's fraction,
    before and after the sample, is furthest above its mean, since those of bodies that go round between samples are
    large everywhere. None after the last, and no more than `most`.

    fraction : (n - 1, nb) from sample to sample.
    """
    found = np.flatnonzero(np.max(fraction, axis=1) > SUSPECT)
    parts = np.array_split(found, min(len(found), PLACES, most)) if len(found) else []
    above = fraction - np.mean(fraction, axis=0)
    above = np.max(np.concatenate([above[:1], above[1:] + above[:-1]]), axis=1)
    worst = [int(part[np.argmax(above[part])]) for part in parts]
    return list(dict.fromkeys(min(k, last) for k in sorted(worst, key=lambda k: -float(above[k]))))


def _changes(time: Array, speeds: Array, rates: Array, length: float) -> tuple[Array, Array]:
    """(n - 1, nb) of velocities from sample to sample: what accelerations do not say, and what they say [m/s]."""
    n = len(time)
    h = (time[-1] - time[0]) / (n - 1)
    scale = np.repeat([1.0, length], speeds.shape[1] // 2)
    V, A = ((x * scale).reshape(n, 2, -1, 3) for x in (speeds, rates))
    size = _sizes(A)
    return _sizes(np.diff(V, axis=0) - 0.5 * h * (A[1:] + A[:-1])), 0.5 * h * (size[1:] + size[:-1])


def _least(time: Array, said: Array, length: float) -> Array:
    """(nb,) of what is missing from one sample to the next, on average, that matters [m/s]."""
    least = np.maximum(LEAST * np.max(said, axis=0), SMALL * np.max(said))
    return np.asarray(np.maximum(least, FELT * length / (time[-1] - time[0])))


def _fractions(unsaid: Array, change: Array, matters: Array) -> Array:
    return np.where(unsaid > matters, unsaid / np.where(change > 0.0, change, 1.0), 0.0)


def _sizes(x: Array) -> Array:
    """(m, nb) of (m, 2, nb, 3)."""
    return np.asarray(np.sqrt(np.einsum("tkbc,tkbc->tb", x, x)))


def _sums(x: Array) -> Array:
    """Over `STEPS` in a row."""
    total = np.concatenate([np.zeros((1, x.shape[1])), np.cumsum(x, axis=0)])
    return np.asarray(total[STEPS:] - total[:-STEPS])
