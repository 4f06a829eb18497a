"""Rotations: the exponential, its logarithm, and how a change of the rotation vector turns the body.

A rotation vector w is in body components, A = exp(w~), and body turns multiply on the right: A -> A exp(theta~).
The two Jacobians say what a small change d of w does [Müller 2013, eq. 9 and its transpose]:

    exp((w + d)~) = exp(w~) exp((J_r d)~) = exp((J_l d)~) exp(w~) + O(d**2),   J_r(w) = J_l(-w) = dexp_{-w}.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import Mat, matmul, matmul_t
from linkwork.kernels.quaternion import of_rotation
from linkwork.kernels.series import angle_of, cosine_quotient, cotangent_quotient, cubic_quotient, sine_quotient
from linkwork.kernels.vec3 import Vec, dot, neg


@kernel
def skew_polynomial(w: Vec, diagonal: Any, a: Any, b: Any) -> Mat:
    """diagonal I + a w~ + b w w^T, the shape of every matrix that commutes with turns about w."""
    x, y, z = a * w[0], a * w[1], a * w[2]
    bx, by = b * w[0], b * w[1]
    xy, xz, yz = bx * w[1], bx * w[2], by * w[2]
    return (
        diagonal + bx * w[0],
        xy - z,
        xz + y,
        xy + z,
        diagonal + by * w[1],
        yz - x,
        xz - y,
        yz + x,
        diagonal + b * w[2] * w[2],
    )


@kernel
def exp_so3(w: Vec) -> Mat:
    """The rotation exp(w~) [Kissel 2021, eqs. 5-6]; |w| is the angle in radians."""
    x2 = dot(w, w)
    b = cosine_quotient(x2)
    return skew_polynomial(w, 1.0 - b * x2, sine_quotient(x2), b)


@kernel
def log_so3(m: Mat) -> Vec:
    """The rotation vector w with exp(w~) = m and |w| <= pi.

    Through the unit quaternion (cos(|w|/2), sin(|w|/2) w/|w|), which keeps all digits near zero and near pi. At pi
    itself w and -w name the same rotation; one of them is returned.
    """
    p = of_rotation(m)
    v = (p[1], p[2], p[3])
    s2 = dot(v, v)
    k = 2.0 * arc_quotient(s2, p[0])
    return (k * v[0], k * v[1], k * v[2])


@kernel
def arc_quotient(s2: Any, c: Any) -> Any:
    """x / sin(x) from s2 = sin(x)**2 and c = cos(x) >= 0, for x in [0, pi/2]; 1 at zero.

    Near zero by the series of atan(z) / z in z = tan(x), which needs no square root of zero.
    """
    if s2.real < 0.01:
        z2 = s2 / (c * c)
        y = 0.0 * z2
        for k in range(10):  # z2 <= 0.0102: ten terms reach 1e-21
            n = 19.0 - 2.0 * k
            y = 1.0 / n - z2 * y
        return y / c
    s = np.sqrt(s2)
    return angle_of(s, c) / s


@kernel
def left_jacobian(w: Vec) -> Mat:
    """J_l(w) = dexp_w = I + b w~ + c w~ w~, with b = (1 - cos x)/x**2, c = (x - sin x)/x**3, x = |w|."""
    x2 = dot(w, w)
    c = cubic_quotient(x2)
    return skew_polynomial(w, 1.0 - c * x2, cosine_quotient(x2), c)


@kernel
def right_jacobian(w: Vec) -> Mat:
    """J_r(w) = dexp_{-w}: exp((w + d)~) = exp(w~) exp((J_r d)~) to first order; body rate J_r(w) wdot."""
    return left_jacobian(neg(w))


@kernel
def left_jacobian_inverse(w: Vec) -> Mat:
    """J_l(w)**-1 = I - w~/2 + k w~ w~; singular at |w| = 2 pi."""
    x2 = dot(w, w)
    k = cotangent_quotient(x2)
    return skew_polynomial(w, 1.0 - k * x2, -0.5, k)


@kernel
def right_jacobian_inverse(w: Vec) -> Mat:
    """J_r(w)**-1 = J_l(-w)**-1: the rotation vector's rate from the body rate."""
    return left_jacobian_inverse(neg(w))


@kernel
def orthonormalise(m: Mat) -> Mat:
    """m without its rounding drift: one Newton step m (3 I - m^T m) / 2 towards the nearest rotation.

    An error e in orthogonality becomes about 3/4 e**2: for matrices already orthogonal to about 1e-8. Data read
    with fewer digits needs the singular value decomposition instead.
    """
    s = matmul_t(m, m)
    half = (
        1.5 - 0.5 * s[0],
        -0.5 * s[1],
        -0.5 * s[2],
        -0.5 * s[3],
        1.5 - 0.5 * s[4],
        -0.5 * s[5],
        -0.5 * s[6],
        -0.5 * s[7],
        1.5 - 0.5 * s[8],
    )
    return matmul(m, half)
