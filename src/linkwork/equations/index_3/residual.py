"""The residual of the constrained Newton-Euler equations, per body in r and the body-fixed rotation.

[Kissel 2021, eqs. 33-34]: M rddot + Phi_r^T lambda - f and J omegadot + omega x J omega + Pi^T lambda - n,
with the constraint rows scaled by 1/h^2 (1/c_q here; velocity-level rows by 1/c_v). At acceleration level the
rows are G udot - gamma instead.
"""

from __future__ import annotations

from typing import Any

from linkwork.equations.index_3.coordinates import coordinate
from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import rotate
from linkwork.kernels.natural import natural
from linkwork.kernels.rows.table import evaluate_rows, rows_gamma, rows_nu
from linkwork.kernels.tuple_access import at3
from linkwork.kernels.vec3 import add, cross, sub
from linkwork.problems.implicit import ACC, ALPHA, DRIVE, GAMMA, NU, PHI, R_0, A, R, V, W, Work
from linkwork.problems.request import ACCELERATION_LEVEL
from linkwork.system.packed import Tables, rows_of


@kernel
def set_translation(work: Work, b: int, o: int) -> None:
    """Position, velocity and acceleration of body b's origin from its unknown rddot at z[o:o+3]."""
    for c in range(3):
        dr, v, a = coordinate(work, o + c)
        work.motion[b, ACC + c] = a
        work.motion[b, V + c] = v
        work.motion[b, R + c] = work.base[b, R_0 + c] + dr


@kernel
def evaluate_constraints(tables: Tables, work: Work) -> None:
    """phi and G of every row at the present pose."""
    m, row = work.motion, work.row
    evaluate_rows(
        rows_of(tables), m[:, R : R + 3], m[:, A : A + 9], row[:, DRIVE : DRIVE + 3], row[:, PHI], work.G[:, 0:6],
        work.G[:, 6:12],
    )  # fmt: skip


@kernel
def evaluate_nu(tables: Tables, work: Work) -> None:
    """nu of every row, (nc,), into work.row."""
    m, row = work.motion, work.row
    rows_nu(rows_of(tables), m[:, R : R + 3], m[:, A : A + 9], row[:, DRIVE : DRIVE + 3], row[:, NU])


@kernel
def evaluate_gamma(tables: Tables, work: Work) -> None:
    """gamma of every row, at the present pose and velocity."""
    m, row = work.motion, work.row
    rows_gamma(
        rows_of(tables), m[:, R : R + 3], m[:, A : A + 9], m[:, V : V + 3], m[:, W : W + 3],
        row[:, DRIVE : DRIVE + 3], row[:, GAMMA],
    )  # fmt: skip


@kernel
def row_times(work: Work, k: int, i: int, j: int, linear: int, angular: int) -> Any:
    """G_k u for body velocities or accelerations kept in two column groups of `motion`."""
    G, m = work.G, work.motion
    total = G[k, 0] * m[i, linear] + G[k, 6] * m[j, linear]
    total += G[k, 1] * m[i, linear + 1] + G[k, 7] * m[j, linear + 1]
    total += G[k, 2] * m[i, linear + 2] + G[k, 8] * m[j, linear + 2]
    total += G[k, 3] * m[i, angular] + G[k, 9] * m[j, angular]
    total += G[k, 4] * m[i, angular + 1] + G[k, 10] * m[j, angular + 1]
    total += G[k, 5] * m[i, angular + 2] + G[k, 11] * m[j, angular + 2]
    return total


@kernel
def newton_euler(tables: Tables, work: Work, first_multiplier: int) -> None:
    """Add up e for all bodies and fill the constraint part of the residual; poses and rates are in `motion`.

    Where FORCED, e holds minus the applied forces already.
    """
    body, m, e = tables.body, work.motion, work.e
    nb = body.shape[0] - 1
    evaluate_constraints(tables, work)
    g = (tables.gravity[0], tables.gravity[1], tables.gravity[2])
    if work.request.has_forces[0] == 0:
        for b in range(nb + 1):
            for c in range(6):
                e[b, c] = 0.0
    for b in range(nb):
        mass = body[b, 0]
        balance = sub(at3(m, b, ACC), g)
        inertia = (
            body[b, 1], body[b, 2], body[b, 3], body[b, 4], body[b, 5], body[b, 6], body[b, 7], body[b, 8], body[b, 9],
        )  # fmt: skip
        w = at3(m, b, W)
        torque = add(rotate(inertia, at3(m, b, ALPHA)), cross(w, rotate(inertia, w)))
        for c in range(3):
            e[b, c] += mass * balance[c]
            e[b, 3 + c] += torque[c]
    nc = tables.row_int.shape[0]
    G, z = work.G, work.z
    for k in range(nc):
        i, j = natural(tables.row_int[k, 1]), natural(tables.row_int[k, 2])
        lam = z[first_multiplier + k]
        for c in range(6):
            e[i, c] += G[k, c] * lam
            e[j, c] += G[k, 6 + c] * lam
    constraint_residual(tables, work, first_multiplier)


@kernel
def constraint_residual(tables: Tables, work: Work, first: int) -> None:
    """The rows' part of the residual, scaled, at the level asked for."""
    nc = tables.row_int.shape[0]
    residual, row = work.residual, work.row
    if work.request.level[0] == ACCELERATION_LEVEL:
        evaluate_gamma(tables, work)
        for k in range(nc):
            i, j = natural(tables.row_int[k, 1]), natural(tables.row_int[k, 2])
            residual[first + k] = row_times(work, k, i, j, ACC, ALPHA) - row[k, GAMMA]
        return
    over_c_q = 1.0 / work.request.c_q[0]
    velocity_level = 0
    for k in range(nc):
        residual[first + k] = row[k, PHI] * over_c_q
        velocity_level += tables.row_int[k, 3]
    if velocity_level > 0:
        evaluate_nu(tables, work)
        for k in range(nc):
            if tables.row_int[k, 3] == 1:
                i, j = natural(tables.row_int[k, 1]), natural(tables.row_int[k, 2])
                residual[first + k] = (row_times(work, k, i, j, V, W) - row[k, NU]) / work.request.c_v[0]
