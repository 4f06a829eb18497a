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

    start : the pose as described; moved, turned : how far each body moved from it [m] and turned [rad]; (nb,)
    velocity_change, spin_change : sizes of the changes of velocity [m/s] and angular velocity [rad/s]; (nb,)
    before, after : largest constraint violation before and after, of positions; and of velocities.
    squares : of rows there, `CompiledMechanism.squares`, where these are known.
    """

    start: Pose
    pose: Pose
    rates: Rates
    moved: Array
    turned: Array
    velocity_change: Array
    spin_change: Array
    before: float
    after: float
    velocity_before: float
    velocity_after: float
    squares: Array | None = None

    @cached_property
    def stands(self) -> bool:
        """Whether nothing was changed."""
        return not any(size.any() for size in (self.moved, self.turned, self.velocity_change, self.spin_change))


def lengths_of(x: Array) -> Array:
    """Lengths of vectors (n, 3), in the bits of NumPy's own norm, which takes three times as long."""
    found: Array = np.sqrt(np.add.reduce(x * x, axis=1))
    return found


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
