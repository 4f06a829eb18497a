"""Rigid displacements as (R, p) pairs of arrays: composed, inverted, and taken apart into three screws."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkwork.mechanism.markers import Marker

Array = NDArray[np.float64]
Displacement = tuple[Array, Array]

PARALLEL = 4e-15  # sine of an angle that is rounding
NEARLY = 0.02  # below, axes that are not parallel have a common normal too far away to be worth a frame


def identity() -> Displacement:
    """No displacement."""
    return np.eye(3), np.zeros(3)


def of_marker(marker: Marker) -> Displacement:
    """From a body's frame to a marker on it."""
    return np.array([marker.x, marker.y, marker.z]).T, np.array(marker.point)


def compose(a: Displacement, b: Displacement) -> Displacement:
    """First a, then b in the frame that a leads to."""
    return a[0] @ b[0], a[1] + a[0] @ b[1]


def inverse(a: Displacement) -> Displacement:
    """Back."""
    return a[0].T, -(a[0].T @ a[1])


def about_z(angle: float, shift: float) -> Displacement:
    """A screw about z."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]), np.array([0.0, 0.0, shift])


def turned(R: Array) -> Displacement:
    """A turn alone."""
    return R, np.zeros(3)


Screw = tuple[float, float]  # angle, shift


def three_screws(T: Displacement) -> tuple[Screw, Screw, Screw] | None:
    """T as screws about z, x and z again, each (angle, shift): the common normal of the two z axes.

    None where the axes are nearly but not quite parallel.
    """
    R, p = T
    sine = float(np.hypot(R[0, 2], R[1, 2]))
    if sine < PARALLEL:
        up = 1.0 if R[2, 2] > 0.0 else -1.0
        reach = float(np.hypot(p[0], p[1]))
        first = float(np.arctan2(p[1], p[0])) if reach > 0.0 else 0.0
        c, s = np.cos(first), np.sin(first)
        x = R.T @ np.array([c, s, 0.0])  # the normal's direction seen from there
        return (
            (first, 0.0),
            (0.0 if up > 0 else float(np.pi), reach),
            (-float(np.arctan2(x[1], x[0])), up * float(p[2])),
        )
    if sine < NEARLY:
        return None
    first = float(np.arctan2(R[0, 2], -R[1, 2]))
    turn = float(np.arctan2(sine, R[2, 2]))
    last = float(np.arctan2(R[2, 0], R[2, 1]))
    normal = np.array([np.cos(first), np.sin(first), 0.0])
    s1, a, s2 = np.linalg.solve(np.array([[0.0, 0.0, 1.0], normal, R[:, 2]]).T, p)
    return (first, float(s1)), (turn, float(a)), (last, float(s2))
