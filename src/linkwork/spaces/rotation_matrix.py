"""The rotation matrix itself (rA): increments live in the algebra, A = A0 exp(dq~) [Kissel 2021, eqs. 30b, 32d].

There are no coordinates beside A: q stays zero, qd is the body angular velocity, qdd its derivative.
"""

from __future__ import annotations

from typing import Any

from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import IDENTITY, Mat, matmul
from linkwork.kernels.quaternion import Mat34, Quad
from linkwork.kernels.so3 import exp_so3, right_jacobian
from linkwork.kernels.vec3 import Vec

SIZE = 3
NORMALISED = False
ALGEBRA = True  # whether increments dq live in the Lie algebra rather than in coordinates
NAMES = ("theta1", "theta2", "theta3")

ZERO: Quad = (0.0, 0.0, 0.0, 0.0)


@kernel
def retract(A0: Mat, R: Mat, q0: Quad, dq: Quad) -> tuple[Mat, Quad]:
    """A = A0 exp(dq~), q = 0."""
    return matmul(A0, exp_so3((dq[0], dq[1], dq[2]))), ZERO


@kernel
def omega(q: Quad, qd: Quad) -> Vec:
    """Body angular velocity [rad/s], which is qd itself."""
    return (qd[0], qd[1], qd[2])


@kernel
def alpha(q: Quad, qd: Quad, qdd: Quad) -> Vec:
    """Body angular acceleration [rad/s^2], which is qdd itself."""
    return (qdd[0], qdd[1], qdd[2])


@kernel
def rates_from(q: Quad, w: Vec) -> Quad:
    """qd of the body angular velocity w."""
    return (w[0], w[1], w[2], 0.0)


@kernel
def accelerations_from(q: Quad, qd: Quad, w: Vec, al: Vec) -> Quad:
    """qdd of the body angular acceleration al."""
    return (al[0], al[1], al[2], 0.0)


@kernel
def tangent(q: Quad) -> Mat34:
    """B = (I 0), 3 x 4: rates are angular velocities."""
    return (1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0)


@kernel
def linearise(dq: Quad, q: Quad, qd: Quad, qdd: Quad, c_v: Any, c_q: Any) -> tuple[Mat34, Mat34, Mat34]:
    """(T_a, T_w, T_th) = (I, c_v I, c_q J_r(dq)), each with a zero fourth column.

    The right Jacobian is what [Kissel 2021, eq. 37] leaves out; with it Newton's matrix is exact.
    """
    j = right_jacobian((dq[0], dq[1], dq[2]))
    return (
        (1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0),
        (c_v, 0.0, 0.0, 0.0, 0.0, c_v, 0.0, 0.0, 0.0, 0.0, c_v, 0.0),
        (
            c_q * j[0],
            c_q * j[1],
            c_q * j[2],
            0.0,
            c_q * j[3],
            c_q * j[4],
            c_q * j[5],
            0.0,
            c_q * j[6],
            c_q * j[7],
            c_q * j[8],
            0.0,
        ),
    )


@kernel
def transpose_apply(q: Quad, y: Vec) -> Quad:
    """B^T y = y, a torque in the body, four wide."""
    return (y[0], y[1], y[2], 0.0)


@kernel
def transpose_variation(q: Quad, y: Vec) -> tuple[Any, ...]:
    """d(B^T y)/dq = 0: B is constant."""
    return (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@kernel
def normalisation(q: Quad) -> Any:
    """No constraint on the coordinates: zero."""
    return 0.0


@kernel
def coordinates_of(A: Mat, R: Mat) -> Quad:
    """Zero: the matrix is its own coordinates."""
    return ZERO


@kernel
def needs_rebase(q: Quad) -> bool:
    """Never: the algebra has no singularity within half a turn per step."""
    return False


@kernel
def rebase(A: Mat, w: Vec, al: Vec) -> tuple[Mat, Quad, Quad, Quad]:
    """(R, q, qd, qdd) of a rotation with angular velocity w and acceleration al."""
    return IDENTITY, ZERO, (w[0], w[1], w[2], 0.0), (al[0], al[1], al[2], 0.0)
