"""SO(3) x R^3: a rotation and, apart from it, a position [Müller 2013, section 2.2].

Velocities are hybrid: (omega, rdot), the angular part in body components, the linear one global. The rotational half
of every function is that of SO(3); the translational half is addition.
"""

from __future__ import annotations

from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import IDENTITY, Mat, matmul, matmul_t
from linkwork.kernels.se3 import Pose, Twist, dexp_inv_so3, dexp_so3
from linkwork.kernels.so3 import exp_so3, log_so3, right_jacobian, right_jacobian_inverse
from linkwork.kernels.vec3 import Vec, add, neg, sub

SIZE = 6

ZERO: Mat = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@kernel
def exp(w: Vec, v: Vec) -> Pose:
    """(exp w~, v) [Müller 2013, eq. 18]."""
    return exp_so3(w), v


@kernel
def log(A: Mat, p: Vec) -> Twist:
    """(log A, p): rotation vector and translation of a displacement."""
    return log_so3(A), p


@kernel
def compose(A: Mat, r: Vec, w: Vec, v: Vec) -> Pose:
    """(A exp w~, r + v) [Müller 2013, eq. 16]."""
    return matmul(A, exp_so3(w)), add(r, v)


@kernel
def difference(A0: Mat, r0: Vec, A1: Mat, r1: Vec) -> Twist:
    """(log(A0^T A1), r1 - r0): the increment between two poses."""
    return log_so3(matmul_t(A0, A1)), sub(r1, r0)


@kernel
def dexp(w: Vec, v: Vec, y_w: Vec, y_v: Vec) -> Twist:
    """(J_l(w) y_w, y_v) [Müller 2013, eq. 19]."""
    return dexp_so3(w, y_w), y_v


@kernel
def dexp_inv(w: Vec, v: Vec, y_w: Vec, y_v: Vec) -> Twist:
    """(J_l(w)^-1 y_w, y_v) [Müller 2013, eq. 11 and text after eq. 19]."""
    return dexp_inv_so3(w, y_w), y_v


@kernel
def increment_rate(w: Vec, v: Vec, V_w: Vec, V_v: Vec) -> Twist:
    """The rate of X under the hybrid velocity V: dexp at MINUS X [Müller 2013, eq. 36]."""
    return dexp_inv_so3(neg(w), V_w), V_v


@kernel
def tangent(w: Vec, v: Vec) -> tuple[Mat, Mat, Mat]:
    """(J_r(w), 0, I): nothing couples the two halves."""
    return right_jacobian(w), ZERO, IDENTITY


@kernel
def tangent_inv(w: Vec, v: Vec) -> tuple[Mat, Mat, Mat]:
    """(J_r(w)^-1, 0, I): blocks of the right Jacobian's inverse."""
    return right_jacobian_inverse(w), ZERO, IDENTITY


@kernel
def velocity_of(A: Mat, rdot: Vec) -> Vec:
    """rdot itself: v^s of [Müller 2013, eq. 20]."""
    return rdot


@kernel
def rdot_of(A: Mat, v: Vec) -> Vec:
    """v itself: velocities are global here."""
    return v
