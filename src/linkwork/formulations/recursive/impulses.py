"""Impulses of the rows that close loops, in momenta p* = p + Phi_q^T sigma: found, taken out, turning with the rows.

Rates follow from momenta by the tree's recursions, with sigma such that they meet the closing rows [Naudet 2003, eqs.
6-8].
"""

from __future__ import annotations

from typing import Any

from linkwork.formulations.recursive.articulated_body import NOTHING
from linkwork.formulations.recursive.eliminate import eliminate, freedom
from linkwork.formulations.recursive.link_transforms import link_at, up
from linkwork.formulations.recursive.loops import (
    add_reactions,
    body_wrench,
    closing_rows,
    ends_times,
    factor_sure,
    row_times,
    solve_loops,
)
from linkwork.formulations.recursive.momenta import pass_momenta_up, pass_twists_down
from linkwork.formulations.recursive.velocities import move_bodies
from linkwork.formulations.recursive.whole import apply_forces
from linkwork.formulations.recursive.workspace import FORCED
from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import rotate_t
from linkwork.kernels.rows.table import row_variation
from linkwork.kernels.spatial.vectors import add_to6, get6, put6
from linkwork.kernels.tuple_access import at3, at9
from linkwork.kernels.vec3 import add, cross
from linkwork.problems.explicit import ACCELERATIONS, CARE, DAMPING, LEVEL, A, R, V, W
from linkwork.problems.implicit import DRIVE, NU, PHI
from linkwork.status import Status
from linkwork.system.links.linktree import FREEDOMS

OK, NOT_FINITE = int(Status.OK), int(Status.NOT_FINITE)


@kernel
def clear(links: Any, table: Any) -> None:
    """Zeros."""
    for k in range(links.what.shape[0]):
        put6(table, k, NOTHING)


@kernel
def find_velocities(links: Any, own: Any, impulses: Any) -> None:
    """Rates and twists from the momenta; own.P holds remainders after. impulses : and the bodies' own before."""
    pass_momenta_up(links, own, impulses)
    pass_twists_down(links, own)


@kernel
def find_velocities_surely(tables: Any, work: Any, links: Any, own: Any, factors: Any) -> int:
    """Rates and velocities straight after `place`, sigma of those rows alone that have a share work.coef[CARE] of their
    own: of none above 1, for momenta without impulses; and applied forces."""
    status = eliminate(links, own)
    if status != OK:
        return int(status)
    find_velocities(links, own, False)
    for k in range(own.sigma.shape[0]):
        own.sigma[k] = 0.0
    if work.coef[CARE] < 1.0:
        if not factor_sure(links, own, factors, work.coef[CARE]):
            return NOT_FINITE
        close_loops(work, links, own, factors)
    move_bodies(work, links, own)
    if own.flags[FORCED] == 1:
        return int(apply_forces(tables, work, links, own))
    return OK


@kernel
def close_loops(work: Any, links: Any, own: Any, factors: Any) -> None:
    """sigma, and rates and twists with it. Baumgarte's alpha pulls positions back: J V = nu - alpha phi."""
    move_bodies(work, links, own)
    pull = 0.5 * work.coef[DAMPING] if work.coef[LEVEL].real == ACCELERATIONS else 0.0
    for k in range(own.sigma.shape[0]):
        own.residual[k] = row_times(work, own, k, V, W) - own.row[k, NU] + pull * own.row[k, PHI]
    solve_loops(own, factors)
    clear(links, own.P)
    add_reactions(links, own, own.P)
    find_velocities(links, own, True)


@kernel
def at_base(work: Any) -> bool:
    """Whether the increment is zero."""
    for i in range(work.psi.shape[0]):
        if work.psi[i] != 0.0:
            return False
    return True


@kernel
def take_out(links: Any, own: Any) -> None:
    """p <- p* - Phi_q^T sigma, sigma <- 0, for the base and what is placed, which are one."""
    take_from(links, own)
    d = own.rate.shape[0]
    for i in range(d):
        own.base[d + i, 0] -= own.second[i]
        own.momentum[i] -= own.second[i]
    for k in range(own.sigma.shape[0]):
        own.sigma[k] = 0.0
    find_velocities(links, own, False)


@kernel
def take_from(links: Any, own: Any) -> None:
    """Phi_q^T sigma into own.second; own.a is work space."""
    n = links.what.shape[0]
    clear(links, own.a)
    add_reactions(links, own, own.a)
    for k in range(n - 1, -1, -1):
        link = link_at(links, own, k)
        t = get6(own.a, k)
        for j in range(FREEDOMS[link.kind]):
            turn, slide, about = freedom(links, k, link.kind, j)
            own.second[link.dof + j] = turn * own.a[k, about] + slide * own.a[k, 5]
        if link.inner:
            add_to6(own.a, link.parent, up(links, own, k, link, t))


@kernel
def add_turning(work: Any, links: Any, own: Any, table: Any) -> None:
    """How fast the impulses G^T sigma turn, sigma held, as seen from rest: wrenches on the links, into a table.

    With (f, n) the impulse on a body, f global and n in the body, that is fdot, and ndot + omega x n + v x f about the
    centre of mass; (fdot, ndot) is the variation of the row along the motion [Kissel 2021, Tables 3-6].
    """
    m, rows, n = work.motion, closing_rows(own), links.what.shape[0]
    r_, A_, drive = m[:, R : R + 3], m[:, A : A + 9], own.row[:, DRIVE : DRIVE + 3]
    for r in range(own.sigma.shape[0]):
        x = own.sigma[r]
        if x != 0.0:
            for p in range(12):
                for c in range(12):
                    own.blocks[p, c] = 0.0
            row_variation(rows, r, x, r_, A_, drive, own.blocks)
            for side in range(2):
                b = own.row_int[r, 1 + side]
                k = links.link[b]
                if k < n:
                    o = 6 * side
                    fdot = (moved(work, own, r, o), moved(work, own, r, o + 1), moved(work, own, r, o + 2))
                    ndot = (moved(work, own, r, o + 3), moved(work, own, r, o + 4), moved(work, own, r, o + 5))
                    f, torque = at3(own.G, r, o), at3(own.G, r, o + 3)
                    w, v = at3(m, b, W), rotate_t(at9(m, b, A), at3(m, b, V))
                    f = rotate_t(at9(m, b, A), f)
                    f, torque = (x * f[0], x * f[1], x * f[2]), (x * torque[0], x * torque[1], x * torque[2])
                    ndot = add(ndot, add(cross(w, torque), cross(v, f)))
                    add_to6(table, k, body_wrench(links, own, k, fdot, ndot))


@kernel
def moved(work: Any, own: Any, r: Any, o: Any) -> Any:
    """Row o of own.blocks times the velocities of the two bodies of closing row r."""
    return ends_times(work, own, r, own.blocks, o, V, W)
