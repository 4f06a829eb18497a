"""From the solved system to the second derivatives of the twelve parameters, and to corrections."""

from __future__ import annotations

from linkwork.formulations.rotation_matrix.work import ELEMENTS, ElementWork
from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import axial, mat_add, mat_scale, matmul, matmul_t, skew, symmetric_part
from linkwork.kernels.so3 import exp_so3
from linkwork.kernels.tables import Floats
from linkwork.kernels.tuple_access import at3, at9, set3, set9
from linkwork.kernels.vec3 import scale
from linkwork.problems.entry import entry
from linkwork.problems.explicit import ACC, ALPHA, A, R, V, W, Work
from linkwork.problems.explicit_context import TABLES, WORK
from linkwork.problems.request import POSITION_LEVEL
from linkwork.status import Status
from linkwork.system.packed import Tables

OK, NOT_FINITE = int(Status.OK), int(Status.NOT_FINITE)


@kernel
def accelerate(tables: Tables, work: Work, elements: ElementWork) -> None:
    """Addot = A^-T (n~ - Q) from the solution x = (n, rddot).

    A^-T is A on SO(3). With A in its place rounding in A^T A - I grows exponentially, by 1e10 in 10 s of a double
    pendulum.
    """
    for b in range(work.x.shape[0] - 1):
        S = mat_add(skew(at3(work.x, b, 0)), mat_scale(-1.0, at9(elements.Q, b, 0)))
        set9(elements.Addot, b, 0, matmul(at9(elements.dual, b, 0), S))


@kernel
def efforts(tables: Tables, elements: ElementWork, lam: Floats, out: Floats) -> None:
    """Z = Y - sum lambda_k dphi_k / dA of every body into out (nb + 1, 9)."""
    for b in range(out.shape[0]):
        set9(out, b, 0, at9(elements.Y, b, 0))
    for k in range(elements.GR.shape[0]):
        for side in range(2):
            b = tables.row_int[k, 1 + side]
            for c in range(9):
                out[b, c] -= lam[k] * elements.GR[k, 9 * side + c]


@kernel
def recover_multipliers(tables: Tables, work: Work, elements: ElementWork) -> None:
    """Lambda = sym(S K - A^T Z) from a solution that does not have it, or whose lambda was shared out anew."""
    efforts(tables, elements, work.lam, elements.Lambda)
    for b in range(elements.Lambda.shape[0] - 1):
        S = mat_add(skew(at3(work.x, b, 0)), mat_scale(-1.0, at9(elements.Q, b, 0)))
        pulled = matmul_t(at9(work.motion, b, A), at9(elements.Lambda, b, 0))
        Lambda = symmetric_part(mat_add(matmul(S, at9(elements.K, b, 0)), mat_scale(-1.0, pulled)))
        set9(elements.Lambda, b, 0, Lambda)


@kernel
def accelerate_points(tables: Tables, work: Work, lam: Floats) -> None:
    """rddot = (f - sum lambda_k G_k) / m of every body into x, and the multipliers into work.lam."""
    nb = work.motion.shape[0] - 1
    for b in range(nb):
        over = 1.0 / tables.body[b, 0]
        for c in range(3):
            work.x[b, 3 + c] = over * work.f[b, 3 + c]
    for k in range(work.lam.shape[0]):
        work.lam[k] = lam[k]
        for side in range(2):
            b = tables.row_int[k, 1 + side]
            if b < nb:
                for c in range(3):
                    work.x[b, 3 + c] -= lam[k] * work.G[k, 6 * side + c] / tables.body[b, 0]


@kernel
def accelerate_held(tables: Tables, work: Work, elements: ElementWork) -> None:
    """Addot = (Z + A Lambda) K^-1 and rddot with multipliers from the start of the step [Dumitriu 2015, eq. 12]."""
    m, lam = work.motion, elements.held
    efforts(tables, elements, lam, elements.Addot)
    accelerate_points(tables, work, lam)
    for b in range(m.shape[0] - 1):
        effort = mat_add(at9(elements.Addot, b, 0), matmul(at9(m, b, A), at9(elements.Lambda, b, 0)))
        Addot = matmul(effort, at9(elements.K, b, 9))
        set9(elements.Addot, b, 0, Addot)
        set3(work.x, b, 0, scale(0.5, axial(matmul_t(at9(m, b, A), Addot))))


@kernel
def rhs(tables: Tables, work: Work, elements: ElementWork) -> int:
    """psi' = (rdot, Adot, rddot, Addot), (24 nb,), into work.psi_rate; alpha (body) and a (global) into motion.

    Where A^T A = I is put in as printed, the solver has left Addot = (Z + A Lambda) K^-1 and Lambda [eqs. 12, 25];
    where multipliers are held, later stages take Lambda and lambda from the first.
    """
    m, psi = work.motion, work.psi_rate
    nb = m.shape[0] - 1
    fresh = work.request.first_stage[0] == 1
    if elements.as_printed[0] == 0:
        accelerate(tables, work, elements)
        if fresh:
            recover_multipliers(tables, work, elements)
    elif elements.holds_multipliers[0] == 1 and not fresh:
        accelerate_held(tables, work, elements)
    if fresh:
        for k in range(work.lam.shape[0]):
            elements.held[k] = work.lam[k]
    total = 0.0
    for b in range(nb):
        o, n = 12 * b, 12 * (nb + b)
        set3(m, b, ALPHA, at3(work.x, b, 0))
        set3(m, b, ACC, at3(work.x, b, 3))
        for c in range(3):
            psi[o + c], psi[n + c] = m[b, V + c], work.x[b, 3 + c]
            total += psi[o + c] + psi[n + c]
        for c in range(9):
            psi[o + 3 + c], psi[n + 3 + c] = elements.Adot[b, c], elements.Addot[b, c]
            total += psi[o + 3 + c] + psi[n + 3 + c]
    return OK if (total - total).real == 0.0 else NOT_FINITE


@kernel
def retract(tables: Tables, work: Work, elements: ElementWork) -> int:
    """psi (24 nb,) from a correction x (nb, 6) = (turn, move) of poses or of velocities of a state with A on SO(3)."""
    m, psi, start = work.motion, work.psi, elements.start
    nb = m.shape[0] - 1
    poses = work.request.level[0] == POSITION_LEVEL
    for b in range(nb):
        o, n = 12 * b, 12 * (nb + b)
        turn, move = at3(work.x, b, 0), at3(work.x, b, 3)
        A_, rate = at9(m, b, A), at9(elements.Adot, b, 0)
        if poses:
            A_ = matmul(A_, exp_so3(turn))
            rate = matmul(A_, skew(at3(m, b, W)))
        else:
            rate = mat_add(rate, matmul(A_, skew(turn)))
        for c in range(3):
            psi[o + c] = m[b, R + c] - start[b, c] + (move[c] if poses else 0.0)
            psi[n + c] = m[b, V + c] - start[b, 12 + c] + (0.0 if poses else move[c])
        for c in range(9):
            psi[o + 3 + c], psi[n + 3 + c] = A_[c] - start[b, 3 + c], rate[c] - start[b, 15 + c]
    return OK


RHS = entry(rhs, TABLES, WORK, ELEMENTS)
RETRACT = entry(retract, TABLES, WORK, ELEMENTS)
