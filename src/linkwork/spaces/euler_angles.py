"""Euler angles (re): q = (phi, theta, psi, unused), ZXZ intrinsic, seen from a constant rotation R per body.

    A = R A1(phi) A2(theta) A3(psi)                                               [Kissel 2021, eq. 28]
    omega = B qd, B of [Kissel 2021, eq. 43b]; R does not change it: omega is in body components.

B is singular where sin(theta) = 0, hence at every start with A = R. So R is not fixed: when theta comes near, the
motion is written anew from a rotation R that puts theta at pi/2 (`needs_rebase`, `rebase`), which changes
nothing but the numbers that stand for it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import Mat, matmul, matmul_t
from linkwork.kernels.quaternion import Mat34, Quad, add4
from linkwork.kernels.series import angle_of
from linkwork.kernels.so3 import orthonormalise
from linkwork.kernels.vec3 import Vec

SIZE = 3
NORMALISED = False
ALGEBRA = False  # whether increments dq live in the Lie algebra rather than in coordinates
NAMES = ("phi", "theta", "psi")

# |sin(theta)| below which angles are rebased: theta is then 30 degrees from the singularity, farther than a body
# should turn in a step; the condition number of B never exceeds 2 + sqrt(3); and theta = pi/2 lies 60 degrees from
# the next rebase, so that none follows at once.
REBASE_BELOW = 0.5


@kernel
def zxz(q: Quad) -> Mat:
    """A1(phi) A2(theta) A3(psi) [Kissel 2021, eq. 28], multiplied out."""
    cf, sf = np.cos(q[0]), np.sin(q[0])
    ct, st = np.cos(q[1]), np.sin(q[1])
    cp, sp = np.cos(q[2]), np.sin(q[2])
    sfct, cfct = sf * ct, cf * ct
    return (
        cf * cp - sfct * sp,
        -cf * sp - sfct * cp,
        sf * st,
        sf * cp + cfct * sp,
        cfct * cp - sf * sp,
        -cf * st,
        st * sp,
        st * cp,
        ct,
    )


@kernel
def retract(A0: Mat, R: Mat, q0: Quad, dq: Quad) -> tuple[Mat, Quad]:
    """q = q0 + dq and A = R A(q)."""
    q = add4(q0, dq)
    return matmul(R, zxz(q)), q


@kernel
def omega(q: Quad, qd: Quad) -> Vec:
    """Body angular velocity B(q) qd [Kissel 2021, eq. 43b]."""
    ct, st = np.cos(q[1]), np.sin(q[1])
    cp, sp = np.cos(q[2]), np.sin(q[2])
    a = st * qd[0]
    return (sp * a + cp * qd[1], cp * a - sp * qd[1], ct * qd[0] + qd[2])


@kernel
def alpha(q: Quad, qd: Quad, qdd: Quad) -> Vec:
    """Body angular acceleration B qdd + Bdot qd."""
    ct, st = np.cos(q[1]), np.sin(q[1])
    cp, sp = np.cos(q[2]), np.sin(q[2])
    # before the turn by psi omega is (thetadot, st phidot): its rate there, then turned as (sp, cp) and (cp, -sp)
    a = st * qdd[0] + ct * qd[0] * qd[1] - qd[1] * qd[2]
    b = qdd[1] + st * qd[0] * qd[2]
    return (sp * a + cp * b, cp * a - sp * b, ct * qdd[0] + qdd[2] - st * qd[0] * qd[1])


@kernel
def rates_from(q: Quad, w: Vec) -> Quad:
    """qd = B^-1 w; singular where sin(theta) = 0."""
    ct, st = np.cos(q[1]), np.sin(q[1])
    cp, sp = np.cos(q[2]), np.sin(q[2])
    phid = (sp * w[0] + cp * w[1]) / st
    return (phid, cp * w[0] - sp * w[1], w[2] - ct * phid, 0.0)


@kernel
def accelerations_from(q: Quad, qd: Quad, w: Vec, al: Vec) -> Quad:
    """qdd = B^-1 (al - Bdot qd); singular where sin(theta) = 0."""
    bias = alpha(q, qd, (0.0, 0.0, 0.0, 0.0))
    return rates_from(q, (al[0] - bias[0], al[1] - bias[1], al[2] - bias[2]))


@kernel
def tangent(q: Quad) -> Mat34:
    """B(q) [Kissel 2021, eq. 43b] and a zero fourth column."""
    ct, st = np.cos(q[1]), np.sin(q[1])
    cp, sp = np.cos(q[2]), np.sin(q[2])
    return (sp * st, cp, 0.0, 0.0, cp * st, -sp, 0.0, 0.0, ct, 0.0, 1.0, 0.0)


@kernel
def linearise(dq: Quad, q: Quad, qd: Quad, qdd: Quad, c_v: Any, c_q: Any) -> tuple[Mat34, Mat34, Mat34]:
    """(T_a, T_w, T_th) with the exact derivatives of B and Bdot; T_th = c_q B.

    Columns phi, theta, psi. Nothing depends on phi; a small turn in psi turns (x, y) into (y, -x).
    """
    ct, st = np.cos(q[1]), np.sin(q[1])
    cp, sp = np.cos(q[2]), np.sin(q[2])
    fd, td, pd = qd[0], qd[1], qd[2]
    w = omega(q, qd)
    al = alpha(q, qd, qdd)
    b00, b10 = sp * st, cp * st
    # omega: c_v B + c_q d(B qd)/dq
    ctf = ct * fd
    T_w = (
        c_v * b00,
        c_v * cp + c_q * sp * ctf,
        c_q * w[1],
        0.0,
        c_v * b10,
        -c_v * sp + c_q * cp * ctf,
        -c_q * w[0],
        0.0,
        c_v * ct,
        -c_q * st * fd,
        c_v,
        0.0,
    )
    # alpha = turn(a, b): the columns of (a, b, third) by qdd, qd and q together, then turned by psi
    a_f = st + c_v * ct * td
    b_f = c_v * st * pd
    a_t = c_v * (ctf - pd) + c_q * (ct * qdd[0] - st * fd * td)
    b_t = 1.0 + c_q * ctf * pd
    a_p = -c_v * td
    b_p = c_v * st * fd
    T_a = (
        sp * a_f + cp * b_f,
        sp * a_t + cp * b_t,
        sp * a_p + cp * b_p + c_q * al[1],
        0.0,
        cp * a_f - sp * b_f,
        cp * a_t - sp * b_t,
        cp * a_p - sp * b_p - c_q * al[0],
        0.0,
        ct - c_v * st * td,
        -c_v * st * fd - c_q * (st * qdd[0] + ctf * td),
        1.0,
        0.0,
    )
    T_th = (c_q * b00, c_q * cp, 0.0, 0.0, c_q * b10, -c_q * sp, 0.0, 0.0, c_q * ct, 0.0, c_q, 0.0)
    return T_a, T_w, T_th


@kernel
def transpose_apply(q: Quad, y: Vec) -> Quad:
    """B(q)^T y, a torque in the body pulled back to the angles."""
    ct, st = np.cos(q[1]), np.sin(q[1])
    cp, sp = np.cos(q[2]), np.sin(q[2])
    return (st * (sp * y[0] + cp * y[1]) + ct * y[2], cp * y[0] - sp * y[1], y[2], 0.0)


@kernel
def transpose_variation(q: Quad, y: Vec) -> tuple[Any, ...]:
    """d(B(q)^T y)/dq, 4 x 4: columns phi, theta, psi and a zero one."""
    ct, st = np.cos(q[1]), np.sin(q[1])
    cp, sp = np.cos(q[2]), np.sin(q[2])
    along = sp * y[0] + cp * y[1]
    across = cp * y[0] - sp * y[1]
    return (
        0.0,
        ct * along - st * y[2],
        st * across,
        0.0,
        0.0,
        0.0,
        -along,
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
    )


@kernel
def normalisation(q: Quad) -> Any:
    """No constraint on the coordinates: zero."""
    return 0.0


@kernel
def coordinates_of(A: Mat, R: Mat) -> Quad:
    """The angles of R^T A, theta in [0, pi]; where sin(theta) = 0, phi = 0 and psi has all of the turn.

    Near there phi has few digits. The other two are read off after turning back by the phi found, so that the three
    together give the rotation to rounding everywhere.
    """
    m = matmul_t(R, A)
    phi = angle_of(m[2], -m[5])
    cf, sf = np.cos(phi), np.sin(phi)
    st = sf * m[2] - cf * m[5]
    if not st.real > 0.0:  # only rounding makes it negative, which would make theta -pi
        st = 0.0 * st * st
    return (phi, angle_of(st, m[8]), angle_of(-(cf * m[1] + sf * m[4]), cf * m[0] + sf * m[3]), 0.0)


@kernel
def needs_rebase(q: Quad) -> bool:
    """Whether theta is so near 0 or pi that the angles should be rebased."""
    s = np.sin(q[1]).real
    return bool(-REBASE_BELOW < s < REBASE_BELOW)


@kernel
def rebase(A: Mat, w: Vec, al: Vec) -> tuple[Mat, Quad, Quad, Quad]:
    """(R, q, qd, qdd) of a rotation with body angular velocity w and acceleration al, with q = (0, pi/2, 0).

    Exact: B only swaps the first two components there, and the products below are -Bdot qd.
    """
    R = orthonormalise((A[0], -A[2], A[1], A[3], -A[5], A[4], A[6], -A[8], A[7]))  # A A2(pi/2)^T
    qd = (w[1], w[0], w[2], 0.0)
    # alpha = (thetadd + phid psid, phidd - thetad psid, psidd - phid thetad) at theta = pi/2, psi = 0
    qdd = (al[1] + w[0] * w[2], al[0] - w[1] * w[2], al[2] + w[0] * w[1], 0.0)
    return R, (0.0, 0.5 * np.pi, 0.0, 0.0), qd, qdd
