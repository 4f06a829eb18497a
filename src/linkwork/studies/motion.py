"""Motions beside each other: how far apart two runs are, in numbers that mean the same for every mechanism."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.result import Result

Array = NDArray[np.float64]
FEWEST = 1e-17  # a difference that is not told from none
STILL = 1e-9  # lengths per span: a mechanism that is never faster stands still, and its velocities are rounding


@dataclass(frozen=True)
class Motion:
    """A run at the times t_k = k interval: poses and rates of all bodies.

    time : (n,) s. position, velocity : (n, nb, 3) of centres of mass, global. rotation : (n, nb, 3, 3).
    angular_velocity : (n, nb, 3), body components.
    """

    time: Array
    position: Array
    rotation: Array
    velocity: Array
    angular_velocity: Array

    @classmethod
    def of(cls, result: Result, pick: Any = slice(None)) -> Motion:
        """The motion of a result, at the samples picked."""
        names = ("time", "position", "rotation", "velocity", "angular_velocity")
        return cls(*(np.asarray(result[name], dtype=float)[pick] for name in names))

    def head(self, n: int) -> Motion:
        """The first n samples."""
        return Motion(self.time[:n], self.position[:n], self.rotation[:n], self.velocity[:n], self.angular_velocity[:n])


def at_grid(time: Array, interval: float) -> NDArray[np.intp]:
    """Indices of the samples that lie at k interval, k = 0, 1, ...; those up to the first one that is missing."""
    k = np.round(time / interval)
    near = np.flatnonzero(np.abs(time - k * interval) <= 1e-6 * interval)
    run = np.flatnonzero(k[near] != np.arange(len(near)))
    found: NDArray[np.intp] = near[: run[0]] if len(run) else near
    return found


@dataclass(frozen=True)
class Difference:
    """How far two motions are apart over their common times.

    time : (n,) s. pose : (n,) the larger of distance over the mechanism's length and angle [rad], over all bodies.
    rate : (n,) the same of velocities, as a share of the largest speed of both runs. worst_body, worst_rate_body : (n,)
    index of the body whose pose, and of the one whose velocity is farthest off.
    """

    time: Array
    pose: Array
    rate: Array
    worst_body: NDArray[np.intp]
    worst_rate_body: NDArray[np.intp]

    @property
    def both(self) -> Array:
        """(n,) the larger of the two differences."""
        both: Array = np.maximum(self.pose, self.rate)
        return both

    @property
    def largest(self) -> float:
        """The largest difference of poses."""
        return float(np.max(self.pose)) if len(self.pose) else math.nan

    @property
    def largest_rate(self) -> float:
        """The largest difference of velocities."""
        return float(np.max(self.rate)) if len(self.rate) else math.nan


def angle_between(A: Array, B: Array) -> Array:
    """(...) rad, the angle of the rotation from A to B, (..., 3, 3); exact for small angles, too."""
    chord = np.sqrt(np.sum((A - B) ** 2, axis=(-2, -1))) / math.sqrt(8.0)
    angle: Array = 2.0 * np.arcsin(np.minimum(chord, 1.0))
    return angle


def top_speed(motion: Motion, length: float) -> float:
    """The largest speed of a body, turning included [m/s]."""
    fast = np.maximum(
        np.linalg.norm(motion.velocity, axis=-1), length * np.linalg.norm(motion.angular_velocity, axis=-1)
    )
    return float(fast.max(initial=0.0))


def difference(one: Motion, other: Motion, length: float) -> Difference:
    """How far apart two motions are. length : typical of the mechanism [m]."""
    n = min(len(one.time), len(other.time))
    a, b = one.head(n), other.head(n)
    distance = np.linalg.norm(a.position - b.position, axis=-1) / length
    apart = np.maximum(distance, angle_between(a.rotation, b.rotation))
    span = float(a.time[-1] - a.time[0]) if n else 0.0
    speed = max(top_speed(a, length), top_speed(b, length), STILL * length / span if span > 0.0 else 0.0) or 1.0
    slip = np.maximum(
        np.linalg.norm(a.velocity - b.velocity, axis=-1),
        length * np.linalg.norm(a.angular_velocity - b.angular_velocity, axis=-1),
    )
    return Difference(a.time, apart.max(axis=1), slip.max(axis=1) / speed, apart.argmax(axis=1), slip.argmax(axis=1))


def digits(apart: float) -> float:
    """To how many decimal digits two things agree that are so far apart; NaN where that is not known."""
    return math.nan if not math.isfinite(apart) else max(0.0, -math.log10(max(apart, FEWEST)))
