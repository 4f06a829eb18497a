"""Rotation vectors and unit quaternions of recorded rotations: branches of kernels as selections.

A body of a recorded run turns through all of them.
"""

from __future__ import annotations

from typing import Any

from linkwork.kernels.quaternion import of_rotation as of_plain_rotation
from linkwork.kernels.so3 import arc_quotient as plain_arc_quotient
from linkwork.lanes.traced.numbers import Traced, selected

SERIES = 0.01  # sin(x)^2 below which `so3.arc_quotient` takes its series


class _NearZero:
    """A squared sine of which the kernel takes the series, whatever it is."""

    real = 0.0

    def __init__(self, square: Any) -> None:
        self.square = square

    def __truediv__(self, other: Any) -> Any:
        return self.square / other


def arc_quotient(s2: Any, c: Any) -> Any:
    """`so3.arc_quotient`, of recorded numbers without a guard."""
    if not isinstance(s2, Traced):
        return plain_arc_quotient(s2, c)
    near = s2 < SERIES
    cosine = selected(near, c, 1.0)  # the series divides by it
    return selected(near, plain_arc_quotient(_NearZero(s2), cosine), plain_arc_quotient(selected(near, SERIES, s2), c))


def of_rotation(m: Any) -> Any:
    """`quaternion.of_rotation`, of recorded numbers without a guard: of four that are alike up to a factor, one."""
    if not any(isinstance(x, Traced) for x in m):
        return of_plain_rotation(m)
    s0, s1 = 1.0 + m[0] + m[4] + m[8], 1.0 + m[0] - m[4] - m[8]
    s2, s3 = 1.0 - m[0] + m[4] - m[8], 1.0 - m[0] - m[4] + m[8]
    x, y, z = m[7] - m[5], m[2] - m[6], m[3] - m[1]
    xy, xz, yz = m[1] + m[3], m[2] + m[6], m[5] + m[7]
    p = _either(s2 >= s3, (y, xy, s2, yz), (z, xz, yz, s3))
    p = _either(_all(s1 >= s2, s1 >= s3), (x, s1, xy, xz), p)
    p = _either(_all(s0 >= s1, s0 >= s2, s0 >= s3), (s0, x, y, z), p)
    k = 1.0 / (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]) ** 0.5
    k = selected(p[0] < 0.0, -k, k)
    return tuple(k * one for one in p)


def _all(*conditions: Any) -> Any:
    found, *others = conditions
    for one in others:
        found = found & one
    return found


def _either(first: Any, a: tuple[Any, ...], b: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(selected(first, x, y) for x, y in zip(a, b, strict=True))
