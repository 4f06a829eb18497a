"""The angle between two bodies that share an axis, and its rate, at the start state."""

from __future__ import annotations

import math

import numpy as np

from linkwork.mechanism.lowered import Row
from linkwork.mechanism.markers import Poses


def angle_and_rate(row: Row, poses: Poses) -> tuple[float, float]:
    """theta from a_i to a_j about n in (-pi, pi], and its rate, of an ANGLE row."""
    A_i, A_j = poses.pose(row.body_i)[1], poses.pose(row.body_j)[1]
    a_j = A_i.T @ A_j @ np.array(row.a_j)
    theta = math.atan2(float(np.array(row.b_i) @ a_j), float(np.array(row.a_i) @ a_j))
    w_i, w_j = poses.rates(row.body_i)[1], poses.rates(row.body_j)[1]
    return theta, float(np.array(row.n) @ (A_i.T @ A_j @ w_j - w_i))


def wrapped(angle: float) -> float:
    """The same angle within half a turn of zero."""
    return math.remainder(angle, 2.0 * math.pi)


def rate_is_stated(row: Row, poses: Poses) -> bool:
    """Whether the description gives both bodies' angular velocities; what it does not give counts as zero above."""
    return all(poses.bodies[k].stated.angular_velocity for k in (row.body_i, row.body_j) if k >= 0)
