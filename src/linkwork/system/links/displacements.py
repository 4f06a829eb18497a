"""Rigid displacements as (R, p) pairs of arrays: composed, inverted, and taken apart into three screws."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from linkwork.mechanism.markers import Marker

Array = NDArray[np.float64]
Displacement = tuple[Array, Array]

PARALLEL = 4e-15  # sine of an angle that is rounding
NEARLY = 0.02  # below, axes that are not parallel have a common normal too far away to be worth a frame


EYE, ORIGIN = np.eye(3), np.zeros(3)
EYE.flags.writeable = ORIGIN.flags.writeable = False


def identity() -> Displacement:
    """No displacement; the same arrays each time, so that nothing need be done where they stand."""
    return EYE, ORIGIN


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
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]), np.array([0.0, 0.0, shift])


def turned(R: Array) -> Displacement:
    """A turn alone."""
    return R, ORIGIN


Screw = tuple[float, float]  # angle, shift


def three_screws(T: Displacement) -> tuple[Screw, Screw, Screw] | None:
    """T as screws about z, x and z again, each (angle, shift): the common normal of the two z axes.

    None where the axes are nearly but not quite parallel.
    """
    R, p = T
    (xx, xy, wx), (yx, yy, wy), (zx, zy, wz) = R.tolist()  # w : the second axis
    px, py, pz = p.tolist()
    sine = math.hypot(wx, wy)
    if sine < PARALLEL:
        up = 1.0 if wz > 0.0 else -1.0
        reach = math.hypot(px, py)
        first = math.atan2(py, px) if reach > 0.0 else 0.0
        c, s = math.cos(first), math.sin(first)
        seen = math.atan2(xy * c + yy * s, xx * c + yx * s)  # the normal's direction from there
        return (first, 0.0), (0.0 if up > 0.0 else math.pi, reach), (-seen, up * pz)
    if sine < NEARLY:
        return None
    c, s = -wy / sine, wx / sine  # the normal; across it, w is -sine
    second = (s * px - c * py) / sine
    first, turn, last = math.atan2(wx, -wy), math.atan2(sine, wz), math.atan2(zx, zy)
    return (first, pz - second * wz), (turn, c * px + s * py), (last, second)
