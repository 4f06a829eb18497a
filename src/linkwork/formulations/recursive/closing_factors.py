"""Closing rows in joint coordinates: swept along the tree, factored, and solved for their multipliers sigma.

A unit of a row's multiplier is a wrench on two links. Swept to the base it leaves E^T t at every freedom and goes on as
t - (U D_inv) E^T t; with Z made of these, J M^-1 J^T = Z D^-1 Z^T, D = E^T A E. That matrix is not formed: rows of
Z D^-1/2 are orthogonalised, largest rest first, so that rank is seen where it is.

The row of a rotor with inertia I does not hold but resists: 1 / I stands beside J M^-1 J^T on the diagonal. Its row of
Z D^-1/2 has 1 / sqrt(I) in a column of its own, which no other row can take from it, and is taken before the others.
"""

from __future__ import annotations

import numpy as np

from linkwork.formulations.recursive.articulated_inertia import axis_of, eliminate_joints, report_pivot
from linkwork.formulations.recursive.closing_rows import pair_wrench
from linkwork.formulations.recursive.link_transforms import link_at, wrench_to_parent
from linkwork.formulations.recursive.workspace import FACTORS, LINKS, RECURSION, RecursiveWork
from linkwork.kernels.dense_qr import RowFactors, factor_rows, solve_lower, solve_upper
from linkwork.kernels.jit import kernel
from linkwork.kernels.natural import natural
from linkwork.kernels.pose_error import OFF_LARGEST, OFF_MARGIN
from linkwork.problems.dependent import Dependent
from linkwork.problems.entry import entry
from linkwork.problems.explicit import Work
from linkwork.problems.explicit_context import DEPENDENT, WORK
from linkwork.problems.implicit import PHI
from linkwork.solvers.singularity_threshold import near_singular
from linkwork.status import Status
from linkwork.system.links import Links
from linkwork.system.links.linktree import FREEDOMS, REVOLUTE

OK, SINGULAR, NOT_FINITE = int(Status.OK), int(Status.SINGULAR), int(Status.NOT_FINITE)
LEAST_SHARE = 1e-9  # of a row that must be its own where rows are expected to be independent
LATER_SHARE = 1e-6  # the same, of rows chosen at the start of a step, at its later stages
NEW_LEAST, NEW_LARGEST = 1e-3, 0.05  # of a row that must be its own for more rows to count than ever before
NEW_MARGIN = 1e3  # times how far off the pose is


@kernel
def sweep_jacobian(links: Links, recursion: RecursiveWork) -> None:
    """Z (m, d) of the closing rows, tip to base: the wrench t of a unit multiplier leaves Z = E^T t at a joint and
    goes on as t - (U D_inv) Z.

    Reads closing_G, U_D_inv, link frames; writes swept_jacobian.
    """
    Z, w, n = recursion.swept_jacobian, recursion.U_D_inv, links.kind.shape[0]
    for r in range(Z.shape[0]):
        for i in range(Z.shape[1]):
            Z[r, i] = 0.0
    for p in range(recursion.pair.shape[0]):
        r = natural(recursion.pair[p, 0])
        for side in range(2):
            k = natural(links.link_of_body[natural(recursion.pair[p, 1 + side])])
            if k < n:
                t = pair_wrench(links, recursion, k, p, side)
                while k < n:
                    link = link_at(links, recursion, k)
                    kind, i = link.kind, link.dof
                    if kind == REVOLUTE:
                        x = t[2]
                        Z[r, i] += x
                        t = (t[0] - w[i, 0] * x, t[1] - w[i, 1] * x, t[2] - x, t[3] - w[i, 3] * x, t[4] - w[i, 4] * x,
                             t[5] - w[i, 5] * x)  # fmt: skip
                    else:
                        for j in range(FREEDOMS[kind]):
                            turn, slide, about = axis_of(links, k, kind, j)
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
                                t[0] - w[i + j, 0] * x, t[1] - w[i + j, 1] * x, t[2] - w[i + j, 2] * x,
                                t[3] - w[i + j, 3] * x, t[4] - w[i + j, 4] * x, t[5] - w[i + j, 5] * x,
                            )  # fmt: skip
                    t = wrench_to_parent(links, recursion, k, link, t)
                    k = link.parent


@kernel
def scale_jacobian(links: Links, recursion: RecursiveWork, factors: RowFactors) -> None:
    """Z D^-1/2 into factors.A (m, d + r), each row in units of `row_size`, its norm were the bodies at its ends free:
    then 1 is what a rotor's row has in its own column."""
    sweep_jacobian(links, recursion)
    d, held = recursion.swept_jacobian.shape[1], recursion.held[0]
    m = recursion.swept_jacobian.shape[0]
    for i in range(d):
        factors.A[m - 1, i] = np.sqrt(recursion.D_inv[i])  # until that row's turn comes, the last
    for r in range(m):
        for i in range(d):
            factors.A[r, i] = recursion.swept_jacobian[r, i] * factors.A[m - 1, i] / recursion.row_size[r]
        for i in range(d, factors.A.shape[1]):
            factors.A[r, i] = 1.0 if i - d == r - held else 0.0


@kernel
def factor_closing_rows(links: Links, recursion: RecursiveWork, factors: RowFactors, choose: bool, least: float) -> int:
    """Factor the closing rows at the state set. choose : find anew which are independent, instead of keeping the last
    choice.

    least : share of its own that a row must have. Writes factors and rank. SINGULAR, with a report, where a row depends
    on others and that is not expected.
    """
    scale_jacobian(links, recursion, factors)
    m, d = factors.A.shape[0], factors.A.shape[1]
    if recursion.may_depend[0] == 1 and not choose:
        factor_rows(factors, m, d, recursion.all_rows, 0.0, recursion.rank[0])
        for j in range(recursion.rank[0]):
            if not abs(factors.diagonal[j]) > LATER_SHARE:
                report_pivot(recursion, abs(factors.diagonal[j]), links.closing[factors.order[j]])
                return SINGULAR
        return OK
    rank = factor_rows(factors, m, d, recursion.all_rows, least if recursion.may_depend[0] == 1 else LEAST_SHARE, -1)
    if rank < 0:
        return NOT_FINITE
    recursion.rank[0] = rank
    if rank < m and recursion.may_depend[0] == 0:
        report_pivot(recursion, 0.0, links.closing[factors.order[rank]])
        return SINGULAR
    return OK


@kernel
def check_weakest_row(work: Work, links: Links, recursion: RecursiveWork, factors: RowFactors) -> int:
    """SINGULAR, with a report, where the weakest closing row has too small a share of its own, beside that in the first
    factors, for a slope here to be trusted."""
    share = 1.0
    for j in range(recursion.rank[0]):
        share = min(share, abs(factors.diagonal[j]))
    if recursion.usual_share[0] == 0.0:
        recursion.usual_share[0] = share
    if near_singular(work, recursion.closing_row, share, recursion.usual_share[0]):
        at = 0
        while at < recursion.rank[0] - 1 and abs(factors.diagonal[at]) > share:
            at += 1
        report_pivot(recursion, share, links.closing[factors.order[at]])
        return SINGULAR
    return OK


@kernel
def factor_rows_above(links: Links, recursion: RecursiveWork, factors: RowFactors, share: float) -> bool:
    """Factor with rotors, and those rows alone that have this share of the usual one of their own; `rank` is their
    number. False where that is not finite."""
    scale_jacobian(links, recursion, factors)
    m, d = factors.A.shape[0], factors.A.shape[1]
    rank = factor_rows(factors, m, d, recursion.all_rows, share * max(recursion.usual_share[0], LEAST_SHARE), -1)
    recursion.rank[0] = max(rank, 0)
    return bool(rank >= 0)


@kernel
def factor_rotors(links: Links, recursion: RecursiveWork, factors: RowFactors) -> None:
    """Factor with rotors alone, whose rows come first in any order chosen, which is kept; `rank` is their number."""
    scale_jacobian(links, recursion, factors)
    m, d = factors.A.shape[0], factors.A.shape[1]
    recursion.rank[0] = factor_rows(factors, m, d, recursion.all_rows, 0.0, m - recursion.held[0])


@kernel
def solve_sigma(recursion: RecursiveWork, factors: RowFactors) -> None:
    """sigma (m,) = (J M^-1 J^T)^-1 residual from the factors; zero for rows that are left out."""
    m, rank, c = recursion.sigma.shape[0], recursion.rank[0], factors.rest  # free once the rows are factored
    for j in range(m):
        k = factors.order[j]
        c[j] = recursion.residual[k] / recursion.row_size[k]
    solve_lower(factors, rank, c)
    solve_upper(factors, rank, c)
    for j in range(m):
        k = factors.order[j]
        recursion.sigma[k] = c[j] / recursion.row_size[k] if j < rank else 0.0


@kernel
def detect_redundant_rows(
    work: Work, links: Links, recursion: RecursiveWork, factors: RowFactors, dependent: Dependent
) -> int:
    """Factor with the closing rows that are independent here; returns how many changed sides since the last time, -1
    for failure.

    The further off its constraints a pose is, the larger the share that a row must have of its own. Writes rank,
    factored, was_independent and work.dropped.
    """
    off, before = 0.0, recursion.was_independent
    for k in range(recursion.closing_row.shape[0]):
        off = max(off, abs(recursion.closing_row[k, PHI]))
    least = max(dependent.length[2], min(OFF_MARGIN * off / dependent.length[0], OFF_LARGEST))
    status = eliminate_joints(links, recursion)
    if status == OK:
        status = factor_closing_rows(links, recursion, factors, True, least)
    if status != OK:
        return -1
    rank = recursion.rank[0]
    if recursion.usual_rank[0] == 0:
        recursion.usual_rank[0] = rank
    if rank > recursion.usual_rank[0]:  # off the constraints, dependent rows seem to have a share of their own
        clear = min(max(NEW_LEAST, NEW_MARGIN * off / dependent.length[0]), NEW_LARGEST)
        rank = recursion.usual_rank[0]
        while rank < recursion.rank[0] and abs(factors.diagonal[rank]) > clear:
            rank += 1
        recursion.rank[0] = rank
        recursion.usual_rank[0] = rank
    recursion.factored[0] = 1
    work.dropped[0] = recursion.closing_row.shape[0] - recursion.rank[0]
    changed = 0
    for j in range(before.shape[0]):
        k, counts = factors.order[j], 1 if j < recursion.rank[0] else 0
        if before[k] != counts:
            changed += 1
            before[k] = counts
    return changed


DETECT_REDUNDANT_ROWS = entry(detect_redundant_rows, WORK, LINKS, RECURSION, FACTORS, DEPENDENT)
