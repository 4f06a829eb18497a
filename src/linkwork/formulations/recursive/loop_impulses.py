"""Impulses of closing rows in momenta p* = p + Phi_q^T sigma: found, taken out, turning with the rows.

Rates follow from momenta by the tree's recursions, with sigma such that they meet the closing rows [Naudet 2003, eqs.
6-8]. A rotor of inertia I is a body whose one angle theta the row W u = theta' ties to the others: in p* its sigma is
its momentum I theta', which belongs there and is never taken out.
"""

from __future__ import annotations

from linkwork.formulations.recursive.articulated_inertia import axis_of, eliminate_joints
from linkwork.formulations.recursive.closing_factors import factor_rotors, factor_rows_above, solve_sigma
from linkwork.formulations.recursive.closing_rows import add_reactions, body_wrench, closing_rows, pair_times, row_times
from linkwork.formulations.recursive.dynamics import apply_wrenches
from linkwork.formulations.recursive.link_transforms import link_at, wrench_to_parent
from linkwork.formulations.recursive.momenta import momenta_backward, twists_forward
from linkwork.formulations.recursive.velocities import set_body_velocities
from linkwork.formulations.recursive.workspace import RecursiveWork
from linkwork.kernels.couplings import QUANTITY
from linkwork.kernels.dense_qr import RowFactors
from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import rotate_t
from linkwork.kernels.natural import natural
from linkwork.kernels.needed import needed
from linkwork.kernels.quantities.kind import part
from linkwork.kernels.quantities.table import add_variation_of, parts_of
from linkwork.kernels.rows.table import row_variation
from linkwork.kernels.spatial.vectors import NO_WRENCH, add_to6, get6, put6
from linkwork.kernels.tables import Floats
from linkwork.kernels.tuple_access import at3, at9
from linkwork.kernels.vec3 import add, cross
from linkwork.problems.explicit import A, R, V, W, Work
from linkwork.problems.implicit import DRIVE, NU, PHI
from linkwork.problems.request import ACCELERATION_LEVEL
from linkwork.status import Status
from linkwork.system.links import Links
from linkwork.system.links.linktree import FREEDOMS
from linkwork.system.packed import Tables, system_of

OK, NOT_FINITE = int(Status.OK), int(Status.NOT_FINITE)


@kernel
def clear_wrenches(links: Links, table: Floats) -> None:
    """Zeros in rows of all links of a table (n + 1, 6)."""
    for k in range(links.kind.shape[0]):
        put6(table, k, NO_WRENCH)


@kernel
def velocities_from_momenta(links: Links, recursion: RecursiveWork, has_bias: bool) -> None:
    """joint_rate and twist from joint_momentum; articulated_bias holds bias momenta after. has_bias : and impulses on
    the bodies before."""
    momenta_backward(links, recursion, has_bias)
    twists_forward(links, recursion)


@kernel
def velocities_near_rank_loss(
    tables: Tables, work: Work, links: Links, recursion: RecursiveWork, factors: RowFactors
) -> int:
    """Rates and velocities straight after set_state, with sigma of rotors, and of those rows alone that have the share
    least_independence of their own (none above 1: momenta hold no impulses); and applied forces."""
    status = eliminate_joints(links, recursion)
    if status != OK:
        return int(status)
    velocities_from_momenta(links, recursion, False)
    for k in range(recursion.sigma.shape[0]):
        recursion.sigma[k] = 0.0
    if work.request.least_independence[0] < 1.0:
        if not factor_rows_above(links, recursion, factors, work.request.least_independence[0]):
            return NOT_FINITE
        loop_velocities(work, links, recursion, factors)
    elif recursion.held[0] < recursion.sigma.shape[0]:
        rank = recursion.rank[0]  # later stages keep the choice of rows
        factor_rotors(links, recursion, factors)
        loop_velocities(work, links, recursion, factors)
        recursion.rank[0] = rank
    set_body_velocities(work, links, recursion)
    if recursion.has_forces[0] == 1:
        return int(apply_wrenches(tables, work, links, recursion))
    return OK


@kernel
def loop_velocities(work: Work, links: Links, recursion: RecursiveWork, factors: RowFactors) -> None:
    """sigma from J V = nu - alpha phi (Baumgarte's alpha pulls positions back), and rates and twists with it [Naudet
    2003, eqs. 6-8]. Reads factors; writes sigma, joint_rate, twist."""
    set_body_velocities(work, links, recursion)
    pull = 0.5 * work.request.damping[0] if work.request.level[0] == ACCELERATION_LEVEL else 0.0
    for k in range(recursion.sigma.shape[0]):
        recursion.residual[k] = (
            row_times(work, recursion, k, V, W) - recursion.closing_row[k, NU] + pull * recursion.closing_row[k, PHI]
        )
    solve_sigma(recursion, factors)
    velocities_with_impulses(links, recursion)


@kernel
def velocities_with_impulses(links: Links, recursion: RecursiveWork) -> None:
    """joint_rate and twist from joint_momentum and sigma of all closing rows."""
    clear_wrenches(links, recursion.articulated_bias)
    add_reactions(links, recursion, recursion.sigma.shape[0], recursion.articulated_bias)
    velocities_from_momenta(links, recursion, True)


@kernel
def is_at_base(work: Work) -> bool:
    """Whether the increment psi is zero."""
    for i in range(work.psi.shape[0]):
        if work.psi[i] != 0.0:
            return False
    return True


@kernel
def reset_sigma(links: Links, recursion: RecursiveWork) -> None:
    """p <- p* - Phi_q^T sigma, sigma <- 0, of the base and of the state set, which are one here; rates again. Of rows
    that hold: momenta of rotors stay."""
    held = recursion.held[0]
    impulse_momenta(links, recursion, held)
    d = recursion.joint_rate.shape[0]
    for i in range(d):
        recursion.base[d + i, 0] -= recursion.joint_acceleration[i]
        recursion.joint_momentum[i] -= recursion.joint_acceleration[i]
    for k in range(held):
        recursion.sigma[k] = 0.0
    if held < recursion.sigma.shape[0]:
        velocities_with_impulses(links, recursion)
    else:
        velocities_from_momenta(links, recursion, False)


@kernel
def impulse_momenta(links: Links, recursion: RecursiveWork, rows: int) -> None:
    """Phi_q^T sigma (d,) of the first `rows` closing rows, N s and N m s, into joint_acceleration. branch_wrench is
    work space."""
    n, table = links.kind.shape[0], recursion.branch_wrench
    clear_wrenches(links, table)
    add_reactions(links, recursion, rows, table)
    for k in range(n - 1, -1, -1):
        link = link_at(links, recursion, k)
        t = get6(table, k)
        for j in range(FREEDOMS[link.kind]):
            turn, slide, about = axis_of(links, k, link.kind, j)
            recursion.joint_acceleration[link.dof + j] = turn * table[k, about] + slide * table[k, 5]
        if link.inner:
            add_to6(table, link.parent, wrench_to_parent(links, recursion, k, link, t))


@kernel
def add_impulse_rates(tables: Tables, work: Work, links: Links, recursion: RecursiveWork, table: Floats) -> None:
    """Add to a table (n, 6) how fast the impulses G^T sigma turn, sigma held, as seen from rest: wrenches on the links.

    With (f, n) the impulse on a body, f global and n in the body, that is fdot, and ndot + omega x n + v x f about the
    centre of mass; (fdot, ndot) is the variation of the row along the motion [Kissel 2021, Tables 3-6], or of a
    coupling's term."""
    m, rows, n = work.motion, closing_rows(recursion), links.kind.shape[0]
    r_, A_, drive = m[:, R : R + 3], m[:, A : A + 9], recursion.closing_row[:, DRIVE : DRIVE + 3]
    for p in range(recursion.pair.shape[0]):
        x = recursion.sigma[natural(recursion.pair[p, 0])]
        if needed(x != 0.0):
            for o in range(12):
                for c in range(12):
                    recursion.variation[o, c] = 0.0
            if p < rows.kind.shape[0]:
                row_variation(rows, p, x, r_, A_, drive, recursion.variation)
            else:
                add_term_variation(tables, work, recursion, p - rows.kind.shape[0], x)
            for side in range(2):
                b = natural(recursion.pair[p, 1 + side])
                k = natural(links.link_of_body[b])
                if k < n:
                    o = 6 * side
                    fdot = (
                        variation_times(work, recursion, p, o),
                        variation_times(work, recursion, p, o + 1),
                        variation_times(work, recursion, p, o + 2),
                    )
                    ndot = (
                        variation_times(work, recursion, p, o + 3),
                        variation_times(work, recursion, p, o + 4),
                        variation_times(work, recursion, p, o + 5),
                    )
                    f, torque = at3(recursion.closing_G, p, o), at3(recursion.closing_G, p, o + 3)
                    w, v = at3(m, b, W), rotate_t(at9(m, b, A), at3(m, b, V))
                    f = rotate_t(at9(m, b, A), f)
                    f, torque = (x * f[0], x * f[1], x * f[2]), (x * torque[0], x * torque[1], x * torque[2])
                    ndot = add(ndot, add(cross(w, torque), cross(v, f)))
                    add_to6(table, k, body_wrench(links, recursion, k, fdot, ndot))


@kernel
def add_term_variation(tables: Tables, work: Work, recursion: RecursiveWork, m: int, x: float) -> None:
    """Add the variation of x F' times the parts of term m of the couplings, F of its quantity, to recursion.variation:
    the parts turn with the bodies, and F' changes along them."""
    q, k = system_of(tables).quantities, recursion.couplings.term_about[m, QUANTITY]
    r_, A_ = work.motion[:, R : R + 3], work.motion[:, A : A + 9]
    first, second = x * recursion.coupled.derivative[m, 0], x * recursion.coupled.derivative[m, 1]
    add_variation_of(q.kind[k], recursion.variation, first, q, k, r_, A_)
    if needed(second != 0.0):
        p = parts_of(q.kind[k], q, k, r_, A_)
        for o in range(12):
            for c in range(12):
                recursion.variation[o, c] += second * part(p, o) * part(p, c)


@kernel
def variation_times(work: Work, recursion: RecursiveWork, p: int, o: int) -> float:
    """Row o of recursion.variation (12, 12) times the velocities of pair p's two bodies."""
    return pair_times(work, recursion, p, recursion.variation, o, V, W)
