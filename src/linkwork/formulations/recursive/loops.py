"""Rows that close loops: in joint coordinates, swept along the tree, factored, and solved for their multipliers.

A unit of a row's multiplier is a wrench on two links. Swept to the base it leaves E^T t at every freedom and goes on as
t - w E^T t; with Z made of these, J M^-1 J^T = Z D^-1 Z^T, D = E^T A E. That matrix is not formed: rows of Z D^-1/2 are
orthogonalised, largest rest first, so that rank is seen where it is.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.formulations.recursive.eliminate import freedom
from linkwork.formulations.recursive.link_transforms import link_at, up
from linkwork.formulations.recursive.workspace import DEPENDENT, RANK
from linkwork.kernels.dense_qr import factor_rows, solve_lower, solve_upper
from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import rotate, rotate_t
from linkwork.kernels.rows.table import evaluate_rows, rows_gamma, rows_nu
from linkwork.kernels.spatial.vectors import add_to6
from linkwork.kernels.tables import Rows
from linkwork.kernels.tuple_access import at3, at9
from linkwork.kernels.vec3 import add, cross
from linkwork.problems.explicit import ACC, ALPHA, A, R, V, W
from linkwork.problems.implicit import DRIVE, GAMMA, NU, PHI
from linkwork.solvers.singularity_threshold import doubtful_rows
from linkwork.status import Status
from linkwork.system.links.linktree import FREEDOMS, TURN

OK, SINGULAR, NOT_FINITE = int(Status.OK), int(Status.SINGULAR), int(Status.NOT_FINITE)
LEAST = 1e-9  # of a row that must be its own where rows are expected to be independent
SURE = 1e-6  # the same, of rows chosen at the start of a step, at its later stages


@kernel
def closing_rows(own: Any) -> Any:
    """The closing rows as named columns."""
    n, x = own.row_int, own.row_data
    return Rows(
        n[:, 0], n[:, 1], n[:, 2], x[:, 0:3], x[:, 3:6], x[:, 6:9], x[:, 9:12], x[:, 12:15], x[:, 15:18], x[:, 18],
        n[:, 3], n[:, 4], x[:, 19],
    )  # fmt: skip


@kernel
def place_rows(work: Any, links: Any, own: Any) -> None:
    """phi, G and nu of the closing rows at the placed bodies."""
    m, row = work.motion, own.row
    for k in range(row.shape[0]):
        for c in range(3):
            row[k, c] = work.row[links.closing[k], c]
    rows, r, A_ = closing_rows(own), m[:, R : R + 3], m[:, A : A + 9]
    drive = row[:, DRIVE : DRIVE + 3]
    evaluate_rows(rows, r, A_, drive, row[:, PHI], own.G[:, 0:6], own.G[:, 6:12])
    rows_nu(rows, r, A_, drive, row[:, NU])


@kernel
def place_gamma(work: Any, own: Any) -> None:
    """gamma of the closing rows at the bodies' velocities."""
    m, row = work.motion, own.row
    rows_gamma(
        closing_rows(own), m[:, R : R + 3], m[:, A : A + 9], m[:, V : V + 3], m[:, W : W + 3],
        row[:, DRIVE : DRIVE + 3], row[:, GAMMA],
    )  # fmt: skip


@kernel
def row_times(work: Any, own: Any, k: Any, linear: Any, angular: Any) -> Any:
    """G_k times velocities (V, W) or accelerations (ACC, ALPHA) of bodies, columns of motion."""
    return ends_times(work, own, k, own.G, k, linear, angular)


@kernel
def ends_times(work: Any, own: Any, r: Any, table: Any, o: Any, linear: Any, angular: Any) -> Any:
    """Row o of a table, six columns for each of the two bodies of closing row r, times these columns of motion."""
    m, total = work.motion, 0.0
    for side in range(2):
        b = own.row_int[r, 1 + side]
        for c in range(3):
            total += table[o, 6 * side + c] * m[b, linear + c] + table[o, 6 * side + 3 + c] * m[b, angular + c]
    return total


@kernel
def body_wrench(links: Any, own: Any, k: Any, f: Any, n: Any) -> Any:
    """Force (global) and torque about the centre of mass (in the body) on link k's body, in the link's frame."""
    f = rotate_t(at9(own.world, k, 0), f)
    return (*add(rotate(at9(links.place, k, 0), n), cross(at3(links.place, k, 9), f)), *f)


@kernel
def sweep_rows(links: Any, own: Any) -> None:
    """Z."""
    Z, n = own.Z, links.what.shape[0]
    for r in range(Z.shape[0]):
        for i in range(Z.shape[1]):
            Z[r, i] = 0.0
        for side in range(2):
            k = links.link[own.row_int[r, 1 + side]]
            if k < n:
                t = body_wrench(links, own, k, at3(own.G, r, 6 * side), at3(own.G, r, 6 * side + 3))
                while k < n:
                    link = link_at(links, own, k)
                    kind, i = link.kind, link.dof
                    if kind == TURN:
                        x = t[2]
                        Z[r, i] += x
                        t = (t[0] - own.w[i, 0] * x, t[1] - own.w[i, 1] * x, t[2] - x, t[3] - own.w[i, 3] * x,
                             t[4] - own.w[i, 4] * x, t[5] - own.w[i, 5] * x)  # fmt: skip
                    else:
                        for j in range(FREEDOMS[kind]):
                            turn, slide, about = freedom(links, k, kind, j)
                            x = slide * t[5]
                            if about == 0:
                                x += turn * t[0]
                            elif about == 1:
                                x += turn * t[1]
                            elif about == 2:
                                x += turn * t[2]
                            elif about == 3:
                                x += turn * t[3]
                            elif about == 4:
                                x += turn * t[4]
                            else:
                                x += turn * t[5]
                            Z[r, i + j] += x
                            t = (
                                t[0] - own.w[i + j, 0] * x, t[1] - own.w[i + j, 1] * x, t[2] - own.w[i + j, 2] * x,
                                t[3] - own.w[i + j, 3] * x, t[4] - own.w[i + j, 4] * x, t[5] - own.w[i + j, 5] * x,
                            )  # fmt: skip
                    t = up(links, own, k, link, t)
                    k = link.parent


@kernel
def prepare(links: Any, own: Any, factors: Any) -> None:
    """Z D^-1/2 into factors.A, in shares of what rows would be were the bodies at their ends free."""
    sweep_rows(links, own)
    for r in range(own.Z.shape[0]):
        for i in range(own.Z.shape[1]):
            factors.A[r, i] = own.Z[r, i] * np.sqrt(own.over[i]) / own.size[r]


@kernel
def factor_loops(links: Any, own: Any, factors: Any, choose: Any, least: Any) -> int:
    """Factor the closing rows at the placed state. choose : anew which are independent, instead of as before.

    Fails where a row depends on others and that is not expected.
    """
    prepare(links, own, factors)
    m, d = own.Z.shape[0], own.Z.shape[1]
    if own.flags[DEPENDENT] == 1 and not choose:
        factor_rows(factors, m, d, own.taken, 0.0, own.flags[RANK])
        for j in range(own.flags[RANK]):
            if not abs(factors.diagonal[j]) > SURE:
                own.report[0], own.report[1] = abs(factors.diagonal[j]), links.closing[factors.order[j]]
                return SINGULAR
        return OK
    rank = factor_rows(factors, m, d, own.taken, least if own.flags[DEPENDENT] == 1 else LEAST, -1)
    if rank < 0:
        return NOT_FINITE
    own.flags[RANK] = rank
    if rank < m and own.flags[DEPENDENT] == 0:
        own.report[0], own.report[1] = 0.0, links.closing[factors.order[rank]]
        return SINGULAR
    return OK


@kernel
def judge_loops(work: Any, links: Any, own: Any, factors: Any) -> int:
    """Whether what is solved for with these factors is to be trusted; the first are the usual ones."""
    share, at = 1.0, 0
    for j in range(own.flags[RANK]):
        if abs(factors.diagonal[j]) < share:
            share, at = abs(factors.diagonal[j]), j
    if own.usual[0] == 0.0:
        own.usual[0] = share
    if doubtful_rows(work.coef, own.row, share, own.usual[0]):
        own.report[0], own.report[1] = share, links.closing[factors.order[at]]
        return SINGULAR
    return OK


@kernel
def factor_sure(links: Any, own: Any, factors: Any, share: Any) -> bool:
    """Factor with those rows alone that have this share of the usual one of their own. False where that is not finite.

    The number of rows taken is that of these factors afterwards.
    """
    prepare(links, own, factors)
    rank = factor_rows(factors, own.Z.shape[0], own.Z.shape[1], own.taken, share * max(own.usual[0], LEAST), -1)
    own.flags[RANK] = max(rank, 0)
    return bool(rank >= 0)


@kernel
def solve_loops(own: Any, factors: Any) -> None:
    """own.sigma = (J M^-1 J^T)^-1 own.residual, zero for rows that are not taken."""
    m, rank, c = own.sigma.shape[0], own.flags[RANK], factors.rest  # free once the rows are factored
    for j in range(m):
        k = factors.order[j]
        c[j] = own.residual[k] / own.size[k]
    solve_lower(factors, rank, c)
    solve_upper(factors, rank, c)
    for j in range(m):
        k = factors.order[j]
        own.sigma[k] = c[j] / own.size[k] if j < rank else 0.0


@kernel
def add_reactions(links: Any, own: Any, table: Any) -> None:
    """G^T sigma of all closing rows as wrenches on the links, into a table."""
    n = links.what.shape[0]
    for r in range(own.sigma.shape[0]):
        x = own.sigma[r]
        if x != 0.0:
            for side in range(2):
                k = links.link[own.row_int[r, 1 + side]]
                if k < n:
                    t = body_wrench(links, own, k, at3(own.G, r, 6 * side), at3(own.G, r, 6 * side + 3))
                    add_to6(table, k, (x * t[0], x * t[1], x * t[2], x * t[3], x * t[4], x * t[5]))


@kernel
def held_back(work: Any, own: Any, k: Any) -> Any:
    """What a row's acceleration must differ from zero by: G udot - gamma, of the bodies' accelerations."""
    return row_times(work, own, k, ACC, ALPHA) - own.row[k, GAMMA]
