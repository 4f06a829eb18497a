"""Rotation vectors: A = R exp(q~), R a constant rotation per body; q = (q1, q2, q3, unused).

With x = q . q, b = (1 - cos |q|) / x and c = (|q| - sin |q|) / (|q| x), derivatives by x primed:

    omega = B qd,  B = I - b q~ + c q~ q~  (the right Jacobian),    B^T = I + b q~ + c q~ q~,
    alpha = B qdd + F(qd, qd),  F(u, v) = 2 (q . u) (-b' q x v + c' q x (q x v)) + c u x (q x v).

B is singular at a full turn; before that, at two radians, R is chosen anew so that q is zero.
"""

from __future__ import annotations

from typing import Any

from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import Mat, matmul, matmul_t, rotate
from linkwork.kernels.quaternion import Mat34, Quad, add4
from linkwork.kernels.series import cosine_quotient, cosine_slope, cubic_quotient, cubic_slope
from linkwork.kernels.so3 import exp_so3, left_jacobian, log_so3, orthonormalise, right_jacobian, right_jacobian_inverse
from linkwork.kernels.vec3 import Vec, add, axpy, cross, dot, scale, sub

SIZE = 3
NORMALISED = False
ALGEBRA = False
NAMES = ("q1", "q2", "q3")
FARTHEST = 4.0  # the square of the angle, rad^2, from which on a body gets a new R

ZERO: Quad = (0.0, 0.0, 0.0, 0.0)
E_1: Vec = (1.0, 0.0, 0.0)
E_2: Vec = (0.0, 1.0, 0.0)
E_3: Vec = (0.0, 0.0, 1.0)


@kernel
def three(q: Quad) -> Vec:
    """Without the unused one."""
    return (q[0], q[1], q[2])


@kernel
def four(v: Any) -> Quad:
    """With it."""
    return (v[0], v[1], v[2], 0.0)


@kernel
def side_by_side(x: Vec, y: Vec, z: Vec) -> Mat34:
    """Three columns and a zero one."""
    return (x[0], y[0], z[0], 0.0, x[1], y[1], z[1], 0.0, x[2], y[2], z[2], 0.0)


@kernel
def varied(q: Vec, sign: Any, u: Vec, e: Vec) -> Vec:
    """The derivative along e of u + sign b q x u + c q x (q x u), u held: of B u for sign -1, of B^T u for 1."""
    x, qu, eu = dot(q, q), cross(q, u), cross(e, u)
    first = axpy(2.0 * cosine_slope(x) * dot(q, e), qu, scale(cosine_quotient(x), eu))
    twice = add(cross(e, qu), cross(q, eu))
    second = axpy(2.0 * cubic_slope(x) * dot(q, e), cross(q, qu), scale(cubic_quotient(x), twice))
    return axpy(sign, first, second)


@kernel
def bias(q: Vec, u: Vec, v: Vec) -> Vec:
    """F(u, v)."""
    x, qv = dot(q, q), cross(q, v)
    turned = axpy(-cosine_slope(x), qv, scale(cubic_slope(x), cross(q, qv)))
    return axpy(2.0 * dot(q, u), turned, scale(cubic_quotient(x), cross(u, qv)))


@kernel
def retract(A0: Mat, R: Mat, q0: Quad, dq: Quad) -> tuple[Mat, Quad]:
    """q = q0 + dq and A = R exp(q~)."""
    q = add4(q0, dq)
    return matmul(R, exp_so3(three(q))), q


@kernel
def omega(q: Quad, qd: Quad) -> Vec:
    """Body angular velocity B qd."""
    return rotate(right_jacobian(three(q)), three(qd))


@kernel
def alpha(q: Quad, qd: Quad, qdd: Quad) -> Vec:
    """Body angular acceleration B qdd + F(qd, qd)."""
    return add(rotate(right_jacobian(three(q)), three(qdd)), bias(three(q), three(qd), three(qd)))


@kernel
def rates_from(q: Quad, w: Vec) -> Quad:
    """qd = B^-1 w."""
    return four(rotate(right_jacobian_inverse(three(q)), w))


@kernel
def accelerations_from(q: Quad, qd: Quad, w: Vec, al: Vec) -> Quad:
    """qdd = B^-1 (al - F(qd, qd))."""
    return rates_from(q, sub(al, bias(three(q), three(qd), three(qd))))


@kernel
def tangent(q: Quad) -> Mat34:
    """B and a zero fourth column."""
    m = right_jacobian(three(q))
    return (m[0], m[1], m[2], 0.0, m[3], m[4], m[5], 0.0, m[6], m[7], m[8], 0.0)


@kernel
def linearise(dq: Quad, q: Quad, qd: Quad, qdd: Quad, c_v: Any, c_q: Any) -> tuple[Mat34, Mat34, Mat34]:
    """(T_a, T_w, T_th); T_th = c_q B. Left out of T_a: c_q dF/dq, which is smaller than B by (h omega)^2: Newton's
    method converges as fast to what digits there are.
    """
    J = right_jacobian(three(q))
    x, y, z = (J[0], J[3], J[6]), (J[1], J[4], J[7]), (J[2], J[5], J[8])
    v, a, p = three(qd), three(qdd), three(q)
    T_w = side_by_side(
        axpy(c_q, varied(p, -1.0, v, E_1), scale(c_v, x)),
        axpy(c_q, varied(p, -1.0, v, E_2), scale(c_v, y)),
        axpy(c_q, varied(p, -1.0, v, E_3), scale(c_v, z)),
    )
    T_a = side_by_side(
        axpy(c_v, add(bias(p, E_1, v), bias(p, v, E_1)), axpy(c_q, varied(p, -1.0, a, E_1), x)),
        axpy(c_v, add(bias(p, E_2, v), bias(p, v, E_2)), axpy(c_q, varied(p, -1.0, a, E_2), y)),
        axpy(c_v, add(bias(p, E_3, v), bias(p, v, E_3)), axpy(c_q, varied(p, -1.0, a, E_3), z)),
    )
    return T_a, T_w, side_by_side(scale(c_q, x), scale(c_q, y), scale(c_q, z))


@kernel
def transpose_apply(q: Quad, y: Vec) -> Quad:
    """B^T y."""
    return four(rotate(left_jacobian(three(q)), y))


@kernel
def transpose_variation(q: Quad, y: Vec) -> tuple[Any, ...]:
    """d(B^T y)/dq, 4 x 4 with a zero row and column."""
    p = three(q)
    columns = side_by_side(varied(p, 1.0, y, E_1), varied(p, 1.0, y, E_2), varied(p, 1.0, y, E_3))
    return (*columns, 0.0, 0.0, 0.0, 0.0)


@kernel
def normalisation(q: Quad) -> Any:
    """No constraint on the coordinates: zero."""
    return 0.0


@kernel
def coordinates_of(A: Mat, R: Mat) -> Quad:
    """The rotation vector of R^T A."""
    return four(log_so3(matmul_t(R, A)))


@kernel
def needs_rebase(q: Quad) -> bool:
    """Whether a body has turned so far from R that it should get a new one."""
    return bool(dot(three(q), three(q)).real > FARTHEST)


@kernel
def rebase(A: Mat, w: Vec, al: Vec) -> tuple[Mat, Quad, Quad, Quad]:
    """(R, q, qd, qdd) with R = A: at q = 0, B is one and F zero."""
    return orthonormalise(A), ZERO, four(w), four(al)
