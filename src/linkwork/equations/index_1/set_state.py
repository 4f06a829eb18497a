"""From an increment of the state to the state itself: poses, twists, and the parts of the index-1 system.

For each body by its group [Müller 2013, eqs. 5, 18]: on SE(3) the pose is C = C_0 exp(X~) and the twist body-fixed,
(omega, v) with v = A^T rdot; on SO(3) x R^3 rotation and position move apart and the velocity is hybrid,
(omega, rdot). Rows know rdot and omega only; they are pulled back here. Angles are in rad, omega in rad/s in the body,
r in m global, A turns body components into global ones.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.equations.time import evaluate_time
from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import rotate, rotate_t
from linkwork.kernels.rows.table import evaluate_rows, rows_gamma, rows_nu
from linkwork.kernels.tables import Floats
from linkwork.kernels.tuple_access import at3, at9, set3, set9
from linkwork.kernels.vec3 import add, cross, dot, scale, sub
from linkwork.problems.entry import entry
from linkwork.problems.explicit import A_0, R_0, TWIST_0, A, R, V, W, Work
from linkwork.problems.explicit_context import TABLES, WORK
from linkwork.problems.implicit import DRIVE, GAMMA, NU, PHI
from linkwork.problems.request import ACCELERATION_LEVEL, POSITION_LEVEL
from linkwork.spaces.groups import product, se3
from linkwork.status import Status
from linkwork.system.packed import Tables, rows_of

OK, ROTATION_TOO_LARGE = int(Status.OK), int(Status.ROTATION_TOO_LARGE)
LARGEST_TURN2 = np.pi**2  # within a step; dexp^-1 is singular at 2 pi


@kernel
def set_state(tables: Tables, work: Work) -> int:
    """Set the state base exp(psi) at work.request.time, its rows, and the right sides that work.request.level asks for.

    Reads psi, base, group; writes motion, twist, row, G, J, f and eta: f and eta of M Vdot + J^T lambda = f,
    J Vdot = eta [Müller 2013, eq. 3], or f = 0 and eta = -phi (positions), nu - J V (velocities) of a correction.
    """
    evaluate_time(tables, work)
    status = set_bodies(work)
    if status != OK:
        return status
    m, row = work.motion, work.row
    rows = rows_of(tables)
    r, A_, drive = m[:, R : R + 3], m[:, A : A + 9], row[:, DRIVE : DRIVE + 3]
    evaluate_rows(rows, r, A_, drive, row[:, PHI], work.G[:, 0:6], work.G[:, 6:12])
    pull_back_rows(tables, work)
    if work.request.level[0] == ACCELERATION_LEVEL:
        rows_gamma(rows, r, A_, m[:, V : V + 3], m[:, W : W + 3], drive, row[:, GAMMA])
        right_sides(tables, work)
        if work.request.damping[0].real != 0.0 or work.request.stiffness[0].real != 0.0:
            rows_nu(rows, r, A_, drive, row[:, NU])
            stabilise(tables, work)
    else:
        for b in range(work.f.shape[0]):
            for c in range(6):
                work.f[b, c] = 0.0
        if work.request.level[0] == POSITION_LEVEL:
            for k in range(row.shape[0]):
                work.eta[k] = -row[k, PHI]
        else:
            rows_nu(rows, r, A_, drive, row[:, NU])
            for k in range(row.shape[0]):
                work.eta[k] = row[k, NU] - row_times(tables, work, k, work.twist)
    return OK


@kernel
def set_bodies(work: Work) -> int:
    """Poses C_0 exp(psi_1) and twists V_0 + psi_2 of all bodies [Müller 2013, eqs. 5, 18].

    Reads base and psi = (psi_1, psi_2), 6 nb numbers each; writes r, A, v (global), omega in motion, and twist.
    ROTATION_TOO_LARGE where a body turns by pi or more.
    """
    m, base, twist, psi = work.motion, work.base, work.twist, work.psi
    nb = m.shape[0] - 1
    for b in range(nb):
        o, n = 6 * b, 6 * (nb + b)
        theta, d = (psi[o], psi[o + 1], psi[o + 2]), (psi[o + 3], psi[o + 4], psi[o + 5])
        if not dot(theta, theta).real < LARGEST_TURN2:
            return ROTATION_TOO_LARGE
        A0, r0 = at9(base, b, A_0), at3(base, b, R_0)
        w = add(at3(base, b, TWIST_0), (psi[n], psi[n + 1], psi[n + 2]))
        v = add(at3(base, b, TWIST_0 + 3), (psi[n + 3], psi[n + 4], psi[n + 5]))
        set3(twist, b, 0, w)
        set3(twist, b, 3, v)
        if work.group[b] == 1:
            A_, r = se3.compose(A0, r0, theta, d)
            set3(m, b, V, rotate(A_, v))
        else:
            A_, r = product.compose(A0, r0, theta, d)
            set3(m, b, V, v)
        set9(m, b, A, A_)
        set3(m, b, R, r)
        set3(m, b, W, w)
    return OK


@kernel
def pull_back_rows(tables: Tables, work: Work) -> None:
    """J (nc, 12) from G = [G_r, Pi]: [Pi, G_r A] on SE(3), [Pi, G_r] on SO(3) x R^3 [Müller 2013, eqs. 40, 42]."""
    G, J = work.G, work.J
    for k in range(G.shape[0]):
        for side in range(2):
            b, c = tables.row_int[k, 1 + side], 6 * side
            linear = at3(G, k, c)
            if work.group[b] == 1:
                linear = rotate_t(at9(work.motion, b, A), linear)
            set3(J, k, c, at3(G, k, c + 3))
            set3(J, k, c + 3, linear)


@kernel
def right_sides(tables: Tables, work: Work) -> None:
    """f (nb, 6) in N m, N, from weight and -omega x J omega; eta (nc,) from gamma [Müller 2013, eqs. 40, 42].

    Of rddot = A (vdot + omega x v) only A vdot belongs to the unknowns of a body on SE(3). Reads motion, twist, row, J.
    """
    body, twist, f, J = tables.body, work.twist, work.f, work.J
    g = (tables.gravity[0], tables.gravity[1], tables.gravity[2])
    for b in range(body.shape[0] - 1):
        J_b = at9(body, b, 1)
        w = at3(twist, b, 0)
        set3(f, b, 0, cross(rotate(J_b, w), w))
        weight = scale(body[b, 0], g)
        if work.group[b] == 1:
            weight = sub(rotate_t(at9(work.motion, b, A), weight), scale(body[b, 0], cross(w, at3(twist, b, 3))))
        set3(f, b, 3, weight)
    for k in range(J.shape[0]):
        eta = work.row[k, GAMMA]
        for side in range(2):
            b = tables.row_int[k, 1 + side]
            if work.group[b] == 1:
                eta -= dot(at3(J, k, 6 * side + 3), cross(at3(twist, b, 0), at3(twist, b, 3)))
        work.eta[k] = eta


@kernel
def row_times(tables: Tables, work: Work, k: int, table: Floats) -> Any:
    """J_k times twists or their rates, table (nb + 1, 6): the time derivative of row k without its explicit part."""
    J = work.J
    total = 0.0
    for side in range(2):
        b, c = tables.row_int[k, 1 + side], 6 * side
        for d in range(6):
            total += J[k, c + d] * table[b, d]
    return total


@kernel
def stabilise(tables: Tables, work: Work) -> None:
    """Baumgarte's terms: eta - 2 alpha (J V - nu) - beta^2 phi; velocity-level rows get alpha (J V - nu) once."""
    damping, stiffness = work.request.damping[0], work.request.stiffness[0]
    for k in range(work.eta.shape[0]):
        part = 0.5 if tables.row_int[k, 3] == 1 else 1.0
        rate = row_times(tables, work, k, work.twist) - work.row[k, NU]
        work.eta[k] -= part * damping * rate + stiffness * work.row[k, PHI]


SET_STATE = entry(set_state, TABLES, WORK)
