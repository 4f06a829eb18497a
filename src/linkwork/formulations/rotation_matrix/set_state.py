"""From an increment of the twelve parameters to the state itself, and the parts of its index-1 system.

The system is that of Newton and Euler, which elimination='newton-euler' solves. With S = A^T Addot the orthogonality
asks S + S^T = -2 Q, Q = Adot^T Adot, so S = n~ - Q with one vector n; that Lambda = S K - A^T Z be symmetric gives
J n = axial(Q K - K Q) + axial(A^T Z), where Z is the effort of torques and rows. So Lambda drops out unsolved, no
inverse of K is needed, and flat bodies run. What is left is a system in (n, rddot) and the rows' multipliers, of the
same shape as every index-1 system here. The eliminations that solve for Lambda (`two_step`, `one_shot`) read Q, Y, GR
and eta from here.
"""

from __future__ import annotations

from typing import Any

from linkwork.equations.time import evaluate_time
from linkwork.formulations.rotation_matrix.rows import differentiate_rows
from linkwork.formulations.rotation_matrix.work import ELEMENTS, ElementWork
from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import (
    IDENTITY,
    axial,
    double_dot,
    inverse_transpose,
    mat_add,
    mat_scale,
    matmul,
    matmul_t,
    skew,
    symmetric_part,
)
from linkwork.kernels.rows.table import evaluate_rows, rows_gamma, rows_nu
from linkwork.kernels.so3 import orthonormalise
from linkwork.kernels.tuple_access import at3, at9, set3, set9
from linkwork.kernels.vec3 import scale
from linkwork.problems.entry import entry
from linkwork.problems.explicit import A, R, V, W, Work
from linkwork.problems.explicit_context import TABLES, WORK
from linkwork.problems.implicit import DRIVE, GAMMA, NU, PHI
from linkwork.problems.request import ACCELERATION_LEVEL, POSITION_LEVEL
from linkwork.status import Status
from linkwork.system.packed import Tables, rows_of

OK = int(Status.OK)


@kernel
def set_state(tables: Tables, work: Work, elements: ElementWork) -> int:
    """Set the state start + psi, its rows, and the right sides that work.request.level asks for.

    Reads psi and start (m, 1, m/s, 1/s); writes motion, twist (omega, rdot), Adot, dual, row, G, GR and
    J = [axial(A^-1 dphi/dA), dphi/dr], and f, eta and Q of the system in (n, rddot), or those of a correction by
    (turn, move).
    """
    evaluate_time(tables, work)
    set_bodies(work, elements)
    if work.request.level[0] != ACCELERATION_LEVEL:
        orthonormalise_state(work, elements)
    m, row = work.motion, work.row
    for b in range(m.shape[0] - 1):
        set3(work.twist, b, 0, at3(m, b, W))
        set3(work.twist, b, 3, at3(m, b, V))
    rows = rows_of(tables)
    r, A_, drive = m[:, R : R + 3], m[:, A : A + 9], row[:, DRIVE : DRIVE + 3]
    evaluate_rows(rows, r, A_, drive, row[:, PHI], work.G[:, 0:6], work.G[:, 6:12])
    rows_gamma(rows, r, A_, m[:, V : V + 3], m[:, W : W + 3], drive, row[:, GAMMA])
    rows_nu(rows, r, A_, drive, row[:, NU])
    differentiate_rows(tables, work, elements)
    for k in range(row.shape[0]):
        for side in range(2):
            b = tables.row_int[k, 1 + side]
            set3(work.J, k, 6 * side, axial(matmul_t(at9(elements.dual, b, 0), at9(elements.GR, k, 9 * side))))
            set3(work.J, k, 6 * side + 3, at3(work.G, k, 6 * side))
    if work.request.level[0] == ACCELERATION_LEVEL:
        right_sides(tables, work, elements)
    else:
        correction_right_sides(tables, work, elements)
    return OK


@kernel
def set_bodies(work: Work, elements: ElementWork) -> None:
    """r, A, rdot, Adot = start + psi of all bodies; omega = axial(A^T Adot) / 2 in the body [rad/s]."""
    m, start, psi = work.motion, elements.start, work.psi
    nb = m.shape[0] - 1
    for b in range(nb):
        o, n = 12 * b, 12 * (nb + b)
        for c in range(3):
            m[b, R + c] = start[b, c] + psi[o + c]
            m[b, V + c] = start[b, 12 + c] + psi[n + c]
        for c in range(9):
            m[b, A + c] = start[b, 3 + c] + psi[o + 3 + c]
            elements.Adot[b, c] = start[b, 15 + c] + psi[n + 3 + c]
        A_ = at9(m, b, A)
        set3(m, b, W, scale(0.5, axial(matmul_t(A_, at9(elements.Adot, b, 0)))))
        set9(elements.dual, b, 0, A_ if elements.as_printed[0] == 1 else inverse_transpose(A_))


@kernel
def orthonormalise_state(work: Work, elements: ElementWork) -> None:
    """Project A onto SO(3) and Adot onto its tangent space, so that corrections are rotations; omega and dual, too."""
    m = work.motion
    for b in range(m.shape[0] - 1):
        A_ = orthonormalise(orthonormalise(at9(m, b, A)))
        w = scale(0.5, axial(matmul_t(A_, at9(elements.Adot, b, 0))))
        set9(m, b, A, A_)
        set3(m, b, W, w)
        set9(elements.Adot, b, 0, matmul(A_, skew(w)))
        set9(elements.dual, b, 0, A_)


@kernel
def right_sides(tables: Tables, work: Work, elements: ElementWork) -> None:
    """f (nb, 6) = (axial(Q K), m g); Q = Adot^T Adot with Baumgarte's terms for A^T A = I; eta = gamma + GR : (A^-T Q).

    [Dumitriu 2015, eqs. 12, 23, 24]; efforts Y are cleared.
    """
    body, m, f, row = tables.body, work.motion, work.f, work.row
    damping, stiffness = work.request.damping[0], work.request.stiffness[0]
    g = (tables.gravity[0], tables.gravity[1], tables.gravity[2])
    for b in range(body.shape[0] - 1):
        A_, rate = at9(m, b, A), at9(elements.Adot, b, 0)
        Q = matmul_t(rate, rate)
        if damping.real != 0.0 or stiffness.real != 0.0:
            off = mat_add(matmul_t(A_, A_), mat_scale(-1.0, IDENTITY))
            drift = mat_scale(damping, symmetric_part(matmul_t(A_, rate)))
            Q = mat_add(Q, mat_add(drift, mat_scale(0.5 * stiffness, off)))
        set9(elements.Q, b, 0, Q)
        set9(elements.Y, b, 0, mat_scale(0.0, IDENTITY))
        set3(f, b, 0, axial(matmul(Q, at9(elements.K, b, 0))))
        set3(f, b, 3, scale(body[b, 0], g))
    for k in range(row.shape[0]):
        eta = row[k, GAMMA]
        for side in range(2):
            b = tables.row_int[k, 1 + side]
            eta += double_dot(at9(elements.GR, k, 9 * side), matmul(at9(elements.dual, b, 0), at9(elements.Q, b, 0)))
        if damping.real != 0.0 or stiffness.real != 0.0:
            part = 0.5 if tables.row_int[k, 3] == 1 else 1.0
            eta -= part * damping * (rate_of(tables, work, elements, k) - row[k, NU]) + stiffness * row[k, PHI]
        work.eta[k] = eta


@kernel
def rate_of(tables: Tables, work: Work, elements: ElementWork, k: int) -> Any:
    """The time derivative of row k without f': G_r rdot + GR : Adot."""
    m, total = work.motion, 0.0
    for side in range(2):
        b = tables.row_int[k, 1 + side]
        for c in range(3):
            total += work.G[k, 6 * side + c] * m[b, V + c]
        total += double_dot(at9(elements.GR, k, 9 * side), at9(elements.Adot, b, 0))
    return total


@kernel
def correction_right_sides(tables: Tables, work: Work, elements: ElementWork) -> None:
    """eta (nc,) of a correction: -phi of positions, nu - J (omega, rdot) of velocities; f, Q and Y are zero."""
    for b in range(work.f.shape[0]):
        for c in range(6):
            work.f[b, c] = 0.0
        for c in range(9):
            elements.Q[b, c], elements.Y[b, c] = 0.0, 0.0
    for k in range(work.row.shape[0]):
        if work.request.level[0] == POSITION_LEVEL:
            work.eta[k] = -work.row[k, PHI]
        else:
            work.eta[k] = work.row[k, NU] - turning_rate(tables, work, k)


@kernel
def turning_rate(tables: Tables, work: Work, k: int) -> Any:
    """The time derivative of row k without f', from omega instead of Adot: J_k (omega, rdot)."""
    m, J, total = work.motion, work.J, 0.0
    for side in range(2):
        b = tables.row_int[k, 1 + side]
        for c in range(3):
            total += J[k, 6 * side + c] * m[b, W + c] + J[k, 6 * side + 3 + c] * m[b, V + c]
    return total


SET_STATE = entry(set_state, TABLES, WORK, ELEMENTS)
