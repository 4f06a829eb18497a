"""Rigid motions: exponential and logarithm of SE(3), and the differential of the exponential.

A twist X = (w, v) is two 3-tuples, angular part first, in body components [rad, m], or [rad/s, m/s] where it is a
velocity. A pose (A, p) is the matrix [[A, p], [0, 1]] [Müller 2013, eq. 4]; poses multiply on the right, C -> C exp(X).
dexp says how the exponential changes with X [Müller 2013, text after eq. 9]:

    exp(X + dX) = exp(dexp_X dX) exp(X) = exp(X) exp(dexp_{-X} dX) + O(dX**2),

so the body-fixed twist of exp(X(t)) is dexp_{-X} Xdot: mind the minus, here and in [Müller 2013, eq. 36].

Where the formulas come from: a twist is the rotation vector w + e v with e**2 = 0 (a dual number), because the bracket
of SE(3) is the cross product of such vectors. A function of SO(3) becomes one of SE(3) by taking its derivative at w
along v for the linear part. What depends on y = |w|**2 contributes its slope times 2 w . v, which is all that the
polynomials of degree four in ad of [Müller 2013, eq. 10] hold beyond those of degree two on SO(3) (eq. 11).
"""

from __future__ import annotations

from typing import Any

from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import Mat, mat_add, skew
from linkwork.kernels.series import (
    cosine_quotient,
    cosine_slope,
    cotangent_quotient,
    cotangent_slope,
    cubic_quotient,
    cubic_slope,
)
from linkwork.kernels.so3 import exp_so3, log_so3, skew_polynomial
from linkwork.kernels.vec3 import Vec, add, axpy, cross, dot, neg, scale

Twist = tuple[Vec, Vec]
Pose = tuple[Mat, Vec]


@kernel
def exp_se3(w: Vec, v: Vec) -> Pose:
    """The pose (A, p) = exp(X): A = exp(w~), p = J_l(w) v [Müller 2013, eq. 8]."""
    return exp_so3(w), dexp_so3(w, v)


@kernel
def log_se3(A: Mat, p: Vec) -> Twist:
    """The twist (w, v) with exp(w, v) = (A, p) and |w| <= pi: the screw from the identity to a pose."""
    w = log_so3(A)
    return w, dexp_inv_so3(w, p)


@kernel
def dexp_so3(w: Vec, y: Vec) -> Vec:
    """J_l(w) y = dexp_w y on SO(3), cheaper than by the matrix."""
    x2 = dot(w, w)
    a = cross(w, y)
    return combine(y, cosine_quotient(x2), a, cubic_quotient(x2), cross(w, a))


@kernel
def dexp_inv_so3(w: Vec, y: Vec) -> Vec:
    """J_l(w)**-1 y on SO(3) [Müller 2013, eq. 11]; singular at |w| = 2 pi."""
    a = cross(w, y)
    return combine(y, -0.5, a, cotangent_quotient(dot(w, w)), cross(w, a))


@kernel
def combine(y: Vec, a: Any, p: Vec, b: Any, q: Vec) -> Vec:
    """y + a p + b q."""
    return axpy(b, q, axpy(a, p, y))


@kernel
def ad_se3(w: Vec, v: Vec, y_w: Vec, y_v: Vec) -> Twist:
    """The Lie bracket [X, Y] = (w x y_w, w x y_v + v x y_w) [Müller 2013, eq. 7]."""
    return cross(w, y_w), add(cross(w, y_v), cross(v, y_w))


@kernel
def dexp_se3(w: Vec, v: Vec, y_w: Vec, y_v: Vec) -> Twist:
    """dexp_X Y: the twist in global components of exp(X) when X has the rate Y.

    I + (c - y c') ad + (d - y d') ad**2 - c' ad**3 - d' ad**4 with c = (1 - cos x)/x**2, d = (x - sin x)/x**3,
    x = |w|, y = x**2 and slopes in y, evaluated by two brackets and one term that couples v with w.
    """
    x2 = dot(w, w)
    c, d, h = cosine_quotient(x2), cubic_quotient(x2), 2.0 * dot(w, v)
    a_w, a_v = ad_se3(w, v, y_w, y_v)
    b_w, b_v = ad_se3(w, v, a_w, a_v)
    linear = combine(y_v, c, a_v, d, b_v)
    return combine(y_w, c, a_w, d, b_w), combine(linear, h * cosine_slope(x2), a_w, h * cubic_slope(x2), b_w)


@kernel
def dexp_inv_se3(w: Vec, v: Vec, y_w: Vec, y_v: Vec) -> Twist:
    """dexp_X^-1 Y [Müller 2013, eq. 10]; singular at |w| = 2 pi.

    I - ad/2 + (k - y k') ad**2 - k' ad**4 with k = (1 - (x/2) cot(x/2))/x**2, evaluated by two brackets and one term
    that couples v with w: ad**4 + y ad**2 is zero but for -2 (w . v) w~ w~ in its lower left block.
    """
    x2 = dot(w, w)
    k = cotangent_quotient(x2)
    a_w, a_v = ad_se3(w, v, y_w, y_v)
    b_w, b_v = ad_se3(w, v, a_w, a_v)
    linear = combine(y_v, -0.5, a_v, k, b_v)
    return combine(y_w, -0.5, a_w, k, b_w), axpy(2.0 * dot(w, v) * cotangent_slope(x2), b_w, linear)


@kernel
def dexp_t_se3(w: Vec, v: Vec, torque: Vec, force: Vec) -> Twist:
    """(dexp_X)^T on a wrench (torque, force): what does work on dexp_X Y does the same work on Y.

    ad_X^T is ad_{-X} with the two parts of its argument exchanged.
    """
    f, t = dexp_se3(neg(w), neg(v), force, torque)
    return t, f


@kernel
def dexp_inv_t_se3(w: Vec, v: Vec, torque: Vec, force: Vec) -> Twist:
    """(dexp_X^-1)^T on a wrench (torque, force)."""
    f, t = dexp_inv_se3(neg(w), neg(v), force, torque)
    return t, f


@kernel
def tangent_se3(w: Vec, v: Vec) -> tuple[Mat, Mat]:
    """The blocks (J, Q) of T(X) = dexp_{-X} = [[J, 0], [Q, J]]: body-fixed twist = T(X) Xdot, exp on the right.

    J = J_r(w), and Q is its derivative at w along v.
    """
    x2, wv = dot(w, w), dot(w, v)
    c, d = cosine_quotient(x2), cubic_quotient(x2)
    turn = axpy(2.0 * wv * cosine_slope(x2), w, scale(c, v))
    return skew_polynomial(w, 1.0 - d * x2, -c, d), coupling(w, neg(turn), axpy(wv * cubic_slope(x2), w, scale(d, v)))


@kernel
def tangent_inv_se3(w: Vec, v: Vec) -> tuple[Mat, Mat]:
    """The blocks (J, Q) of T(X)**-1 = dexp_{-X}^-1 = [[J, 0], [Q, J]]; singular at |w| = 2 pi."""
    x2 = dot(w, w)
    k = cotangent_quotient(x2)
    u = axpy(dot(w, v) * cotangent_slope(x2), w, scale(k, v))
    return skew_polynomial(w, 1.0 - k * x2, 0.5, k), coupling(w, scale(0.5, v), u)


@kernel
def coupling(w: Vec, z: Vec, u: Vec) -> Mat:
    """z~ + w~ u~ + u~ w~, the second part being u w^T + w u^T - 2 (u . w) I."""
    x, y, q = u[0] * w[0], u[1] * w[1], u[2] * w[2]
    xy, xz, yz = u[0] * w[1] + w[0] * u[1], u[0] * w[2] + w[0] * u[2], u[1] * w[2] + w[1] * u[2]
    return mat_add(skew(z), (-2.0 * (y + q), xy, xz, xy, -2.0 * (x + q), yz, xz, yz, -2.0 * (x + y)))
