"""SE(3), the rigid motions: a pose is a frame, increments are screws in the body frame [Müller 2013, section 2.1].

Velocities are body-fixed twists (omega, A^T rdot). A body that a lower-pair joint holds to ground moves in a subgroup,
so that its increments, and any composition of them, stay within the joint.
"""

from __future__ import annotations

from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import Mat, matmul, matmul_t, rotate, rotate_t
from linkwork.kernels.se3 import (
    Pose,
    Twist,
    dexp_inv_se3,
    dexp_se3,
    exp_se3,
    log_se3,
    tangent_inv_se3,
    tangent_se3,
)
from linkwork.kernels.vec3 import Vec, add, neg, sub

SIZE = 6


@kernel
def exp(w: Vec, v: Vec) -> Pose:
    """(exp w~, J_l(w) v): the screw motion of a twist [Müller 2013, eq. 8]."""
    return exp_se3(w, v)


@kernel
def log(A: Mat, p: Vec) -> Twist:
    """The twist whose screw motion reaches the pose (A, p)."""
    return log_se3(A, p)


@kernel
def compose(A: Mat, r: Vec, w: Vec, v: Vec) -> Pose:
    """(A exp w~, r + A p): poses multiply as frames do [Müller 2013, eq. 5]."""
    turn, p = exp_se3(w, v)
    return matmul(A, turn), add(r, rotate(A, p))


@kernel
def difference(A0: Mat, r0: Vec, A1: Mat, r1: Vec) -> Twist:
    """log of (A0^T A1, A0^T (r1 - r0))."""
    return log_se3(matmul_t(A0, A1), rotate_t(A0, sub(r1, r0)))


@kernel
def dexp(w: Vec, v: Vec, y_w: Vec, y_v: Vec) -> Twist:
    """dexp_X Y; the linear part depends on both parts of X and Y."""
    return dexp_se3(w, v, y_w, y_v)


@kernel
def dexp_inv(w: Vec, v: Vec, y_w: Vec, y_v: Vec) -> Twist:
    """dexp_X^-1 Y [Müller 2013, eq. 10]."""
    return dexp_inv_se3(w, v, y_w, y_v)


@kernel
def increment_rate(w: Vec, v: Vec, V_w: Vec, V_v: Vec) -> Twist:
    """The rate of X under the body-fixed twist V: dexp at MINUS X [Müller 2013, eq. 36]."""
    return dexp_inv_se3(neg(w), neg(v), V_w, V_v)


@kernel
def tangent(w: Vec, v: Vec) -> tuple[Mat, Mat, Mat]:
    """(J, Q, J) of dexp_{-X} = [[J, 0], [Q, J]], J = J_r(w)."""
    J, Q = tangent_se3(w, v)
    return J, Q, J


@kernel
def tangent_inv(w: Vec, v: Vec) -> tuple[Mat, Mat, Mat]:
    """(J, Q, J) of dexp_{-X}^-1 = [[J, 0], [Q, J]], J = J_r(w)^-1."""
    J, Q = tangent_inv_se3(w, v)
    return J, Q, J


@kernel
def velocity_of(A: Mat, rdot: Vec) -> Vec:
    """v = A^T rdot [Müller 2013, eq. 6]."""
    return rotate_t(A, rdot)


@kernel
def rdot_of(A: Mat, v: Vec) -> Vec:
    """rdot = A v: the body's velocity in global components."""
    return rotate(A, v)
