"""Whether velocities change, from step to step, as the accelerations at both ends of a step say: the defect of a run.

Where a force changes with a velocity faster than steps of one size follow (friction that is rounded off over a small
slip), explicit methods do not grow beyond all bounds, since the force is bounded. They chatter about the motion, or
stay beside it: a body that friction holds creeps on, while its accelerations say that it should come to rest. Its
energies balance. Of steps that resolve a motion the defect is of their third order, a few hundredths of the change at
most.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
STEPS, ROWS = 12, 3  # looked at together, and how often in a row: where a force sets in, or a body comes to rest, there
# is a step or two that no method follows, and chatter may go well for a few steps before it leaps back
LEAST = 0.01  # of the largest change of a velocity in a step of the run, below which a defect does not matter
FELT = 1e-7  # of the mechanism's length, what a defect moves a body by until the end, likewise


class Defect(NamedTuple):
    """body : its number. time : where the steps begin [s]. fraction : how far velocities change otherwise than
    accelerations say, of the change that these say."""

    body: int
    time: float
    fraction: float


def largest_defect(time: Array, speeds: Array, rates: Array, length: float) -> Defect | None:
    """The largest defect over a few steps in a row; None where nothing matters, or samples are fewer.

    time (n,) : of every step [s], evenly spaced. speeds, rates (n, 6 nb) : v of all bodies [m/s], then ω [rad/s], and
    how fast these change. length : of the mechanism [m], by which angles count.
    """
    n = len(time)
    if n <= STEPS * ROWS or not speeds.shape[1]:
        return None
    h = (time[-1] - time[0]) / (n - 1)
    scale = np.repeat([1.0, length], speeds.shape[1] // 2)
    V, A = ((x * scale).reshape(n, 2, -1, 3) for x in (speeds, rates))
    off = _sizes(np.diff(V, axis=0) - 0.5 * h * (A[1:] + A[:-1]))
    size = _sizes(A)
    said = 0.5 * h * (size[1:] + size[:-1])
    unsaid, change = _sums(off), _sums(said)
    matters = STEPS * max(LEAST * float(np.max(said)), FELT * length / (time[-1] - time[0]))
    each = np.where(unsaid > matters, unsaid / np.where(change > 0.0, change, 1.0), 0.0)
    last = len(each) - STEPS * (ROWS - 1)
    fraction = np.minimum.reduce([each[STEPS * k : STEPS * k + last] for k in range(ROWS)])
    k, body = np.unravel_index(int(np.argmax(fraction)), fraction.shape)
    return Defect(int(body), float(time[k]), float(fraction[k, body])) if fraction[k, body] > 0.0 else None


def _sizes(x: Array) -> Array:
    """(m, nb) of (m, 2, nb, 3)."""
    return np.asarray(np.sqrt(np.einsum("tkbc,tkbc->tb", x, x)))


def _sums(x: Array) -> Array:
    """Over `STEPS` in a row."""
    total = np.concatenate([np.zeros((1, x.shape[1])), np.cumsum(x, axis=0)])
    return np.asarray(total[STEPS:] - total[:-STEPS])
