"""SO(3): a body that turns about the origin of its frame, which stays in place.

Linear parts are zero: those given are not looked at. SO(3) is a subgroup of the other two, and its functions are
theirs at v = 0.
"""

from __future__ import annotations

from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import Mat, matmul, matmul_t
from linkwork.kernels.se3 import Pose, Twist, dexp_inv_so3, dexp_so3
from linkwork.kernels.so3 import exp_so3, log_so3, right_jacobian, right_jacobian_inverse
from linkwork.kernels.vec3 import Vec, neg

SIZE = 3

NONE: Vec = (0.0, 0.0, 0.0)
ZERO: Mat = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@kernel
def exp(w: Vec, v: Vec) -> Pose:
    """(exp w~, 0) [Müller 2013, eq. 9, with |omega|**2 in the last denominator]."""
    return exp_so3(w), NONE


@kernel
def log(A: Mat, p: Vec) -> Twist:
    """(log A, 0): the rotation vector; no translation."""
    return log_so3(A), NONE


@kernel
def compose(A: Mat, r: Vec, w: Vec, v: Vec) -> Pose:
    """(A exp w~, r): the rotation moved on, the point held."""
    return matmul(A, exp_so3(w)), r


@kernel
def difference(A0: Mat, r0: Vec, A1: Mat, r1: Vec) -> Twist:
    """(log(A0^T A1), 0): the increment between two rotations."""
    return log_so3(matmul_t(A0, A1)), NONE


@kernel
def dexp(w: Vec, v: Vec, y_w: Vec, y_v: Vec) -> Twist:
    """(J_l(w) y_w, 0): dexp of X on another element Y."""
    return dexp_so3(w, y_w), NONE


@kernel
def dexp_inv(w: Vec, v: Vec, y_w: Vec, y_v: Vec) -> Twist:
    """(J_l(w)^-1 y_w, 0) [Müller 2013, eq. 11]."""
    return dexp_inv_so3(w, y_w), NONE


@kernel
def increment_rate(w: Vec, v: Vec, V_w: Vec, V_v: Vec) -> Twist:
    """The rate of X under the body angular velocity V_w: dexp at MINUS X [Müller 2013, eq. 36]."""
    return dexp_inv_so3(neg(w), V_w), NONE


@kernel
def tangent(w: Vec, v: Vec) -> tuple[Mat, Mat, Mat]:
    """(J_r(w), 0, 0): blocks of the right Jacobian."""
    return right_jacobian(w), ZERO, ZERO


@kernel
def tangent_inv(w: Vec, v: Vec) -> tuple[Mat, Mat, Mat]:
    """(J_r(w)^-1, 0, 0): blocks of the right Jacobian's inverse."""
    return right_jacobian_inverse(w), ZERO, ZERO


@kernel
def velocity_of(A: Mat, rdot: Vec) -> Vec:
    """Zero: the point of a pure rotation is held."""
    return NONE


@kernel
def rdot_of(A: Mat, v: Vec) -> Vec:
    """Zero: the point of a pure rotation is held."""
    return NONE
