"""Euler parameters: quaternions p = (e0, e1, e2, e3), scalar first.

B is the matrix of [Kissel 2021, eq. 39c]: 3 x 4, linear in p, with B p = 0, B B^T = (p . p) I and, on the unit
sphere, omega = 2 B(p) pdot (body components).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import Mat
from linkwork.kernels.vec3 import Vec

Quad = tuple[Any, Any, Any, Any]
Mat34 = tuple[Any, Any, Any, Any, Any, Any, Any, Any, Any, Any, Any, Any]  # 3 x 4, row-major


@kernel
def dot4(p: Quad, q: Quad) -> Any:
    """p . q, scalar product of two quadruples, without conjugation."""
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3]


@kernel
def scale4(k: Any, p: Quad) -> Quad:
    """k p, a number times a quadruple."""
    return (k * p[0], k * p[1], k * p[2], k * p[3])


@kernel
def add4(p: Quad, q: Quad) -> Quad:
    """p + q, sum of two quadruples."""
    return (p[0] + q[0], p[1] + q[1], p[2] + q[2], p[3] + q[3])


@kernel
def multiply(p: Quad, q: Quad) -> Quad:
    """The quaternion product p q: its rotation is A(p) A(q)."""
    return (
        p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
        p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
        p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
        p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0],
    )


@kernel
def conj(p: Quad) -> Quad:
    """The conjugate: the opposite turn, for a unit p."""
    return (p[0], -p[1], -p[2], -p[3])


@kernel
def rotation_of(p: Quad) -> Mat:
    """A(p), body to global, for any nonzero p.

    On the unit sphere it is [Kissel 2021, eq. 22]; divided by p . p it is orthogonal to rounding everywhere, so
    that rows see a rotation whatever the normalisation constraint has left over.
    """
    k = 2.0 / dot4(p, p)
    x, y, z = k * p[1], k * p[2], k * p[3]
    xx, yy, zz = x * p[1], y * p[2], z * p[3]
    xy, xz, yz = x * p[2], x * p[3], y * p[3]
    wx, wy, wz = x * p[0], y * p[0], z * p[0]
    return (
        1.0 - (yy + zz),
        xy - wz,
        xz + wy,
        xy + wz,
        1.0 - (xx + zz),
        yz - wx,
        xz - wy,
        yz + wx,
        1.0 - (xx + yy),
    )


@kernel
def of_rotation(m: Mat) -> Quad:
    """The unit p with A(p) = m and e0 >= 0.

    m is a rotation up to rounding (of a matrix a little off, the result is near the nearest one). The largest of
    the four squares 4 e0**2 ... 4 e3**2 is taken as divisor, so that no digits are lost at any angle.
    """
    s0 = 1.0 + m[0] + m[4] + m[8]
    s1 = 1.0 + m[0] - m[4] - m[8]
    s2 = 1.0 - m[0] + m[4] - m[8]
    s3 = 1.0 - m[0] - m[4] + m[8]
    r0, r1, r2, r3 = s0.real, s1.real, s2.real, s3.real
    if r0 >= r1 and r0 >= r2 and r0 >= r3:
        p = (s0, m[7] - m[5], m[2] - m[6], m[3] - m[1])
    elif r1 >= r2 and r1 >= r3:
        p = (m[7] - m[5], s1, m[1] + m[3], m[2] + m[6])
    elif r2 >= r3:
        p = (m[2] - m[6], m[1] + m[3], s2, m[5] + m[7])
    else:
        p = (m[3] - m[1], m[2] + m[6], m[5] + m[7], s3)
    k = 1.0 / np.sqrt(dot4(p, p))
    if p[0].real < 0.0:
        k = -k
    return scale4(k, p)


@kernel
def body_map(p: Quad) -> Mat34:
    """B(p) [Kissel 2021, eq. 39c], 3 x 4, row-major."""
    return (-p[1], p[0], p[3], -p[2], -p[2], -p[3], p[0], p[1], -p[3], p[2], -p[1], p[0])


@kernel
def body_map_times(p: Quad, x: Quad) -> Vec:
    """B(p) x, the vector part of conj(p) x; so B(p) x = -B(x) p."""
    return (
        p[0] * x[1] - p[1] * x[0] + p[3] * x[2] - p[2] * x[3],
        p[0] * x[2] - p[2] * x[0] + p[1] * x[3] - p[3] * x[1],
        p[0] * x[3] - p[3] * x[0] + p[2] * x[1] - p[1] * x[2],
    )


@kernel
def body_map_t_times(p: Quad, y: Vec) -> Quad:
    """B(p)^T y, the product p (0, y)."""
    return (
        -p[1] * y[0] - p[2] * y[1] - p[3] * y[2],
        p[0] * y[0] - p[3] * y[1] + p[2] * y[2],
        p[3] * y[0] + p[0] * y[1] - p[1] * y[2],
        -p[2] * y[0] + p[1] * y[1] + p[0] * y[2],
    )
