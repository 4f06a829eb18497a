"""A start that fits its rows, and how far it is from the one that was described."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from linkwork.kernels.mat33 import Mat, matmul_t
from linkwork.system.dense import Pose, Rates

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Assembled:
    """A consistent start and what it took.

    start, given : pose and velocities as described; pose, rates : as found.
    before, after : largest constraint violation before and after, of positions; and of velocities.
    squares : of rows there, `CompiledMechanism.squares`, where these are known.
    """

    start: Pose
    given: Rates
    pose: Pose
    rates: Rates
    before: float
    after: float
    velocity_before: float
    velocity_after: float
    squares: Array | None = None

    @cached_property
    def moved(self) -> Array:
        """How far each body moved, (nb,) m."""
        return _apart(self.pose.r, self.start.r)

    @cached_property
    def turned(self) -> Array:
        """How far each body turned, (nb,) rad."""
        return rotation_angles(self.start.A[:-1], self.pose.A[:-1])

    @cached_property
    def velocity_change(self) -> Array:
        """Sizes of the changes of velocity, (nb,) m/s."""
        return _apart(self.rates.v, self.given.v)

    @cached_property
    def spin_change(self) -> Array:
        """Sizes of the changes of angular velocity, (nb,) rad/s."""
        return _apart(self.rates.w, self.given.w)

    @cached_property
    def stands(self) -> bool:
        """Whether nothing was changed."""
        pairs = (self.pose.r, self.start.r), (self.rates.v, self.given.v), (self.rates.w, self.given.w)
        for x, y in pairs:
            if x is not y and _differ(x, y):
                return False
        return self.pose.A is self.start.A or not self.turned.any()


def _apart(x: Array, y: Array) -> Array:
    """How far vectors (nb + 1, 3) are apart, ground left out, in the bits of NumPy's norm, which takes three times as
    long."""
    if x is y:
        return np.zeros(len(x) - 1)
    between = x[:-1] - y[:-1]
    found: Array = np.sqrt(np.add.reduce(between * between, axis=1))
    return found


def _differ(x: Array, y: Array) -> bool:
    """Whether `_apart` has anything but zeros."""
    between = (x[:-1] - y[:-1]).ravel()
    return bool(between.dot(between) != 0.0)  # not a number, too


def rotation_angles(A: Array, B: Array) -> Array:
    """The angles between attitudes (nb, 9) [rad]."""
    out = np.zeros(len(A))
    for b in np.flatnonzero(np.any(A != B, axis=1)):
        out[b] = _turn(A[b].tolist(), B[b].tolist())
    return out


def _turn(A: Mat, B: Mat) -> float:
    """The angle between two attitudes (9,) [rad]."""
    R = matmul_t(A, B)
    sine = math.sqrt((R[7] - R[5]) ** 2 + (R[2] - R[6]) ** 2 + (R[3] - R[1]) ** 2) / 2.0
    return math.atan2(sine, (R[0] + R[4] + R[8] - 1.0) / 2.0)
