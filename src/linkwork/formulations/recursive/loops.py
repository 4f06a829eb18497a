"""Trees with closing rows, drivers or applied forces: the steps of an evaluation, with rates or momenta as state.

Loops are closed with accelerations (rates: index 1) or with velocities (momenta: index 2): what is integrated then is
p* = p + Phi_q^T sigma, whose rate needs no accelerations [Naudet 2003, eqs. 6-8]. sigma is an impulse that grows; it is
taken out of p* at the start of every step, unless it is told to stay.
"""

from __future__ import annotations

from linkwork.equations.time import unwrap_angles
from linkwork.formulations.recursive import open_tree
from linkwork.formulations.recursive.articulated_inertia import eliminate_joints
from linkwork.formulations.recursive.closing_factors import check_weakest_row, factor_closing_rows
from linkwork.formulations.recursive.closing_rows import set_closing_rows
from linkwork.formulations.recursive.dynamics import (
    apply_wrenches,
    closing_correction,
    loop_accelerations,
    tree_accelerations,
)
from linkwork.formulations.recursive.gravity import gravity_of_branches
from linkwork.formulations.recursive.link_transforms import link_at, wrench_to_parent
from linkwork.formulations.recursive.loop_impulses import (
    add_impulse_rates,
    clear_wrenches,
    impulse_momenta,
    is_at_base,
    loop_velocities,
    reset_sigma,
    velocities_from_momenta,
    velocities_near_rank_loss,
)
from linkwork.formulations.recursive.momenta import momentum_rates
from linkwork.formulations.recursive.sliding_momenta import sliding_momentum_rates
from linkwork.formulations.recursive.state import coordinate_rates, set_joints_and_frames
from linkwork.formulations.recursive.velocities import set_body_velocities, twists_from_rates
from linkwork.formulations.recursive.workspace import FACTORS, LINKS, RECURSION, RecursiveWork
from linkwork.kernels.dense_qr import RowFactors
from linkwork.kernels.jit import kernel
from linkwork.kernels.spatial.vectors import add_to6, get6, put6
from linkwork.problems.entry import entry
from linkwork.problems.explicit import Work
from linkwork.problems.explicit_context import TABLES, WORK
from linkwork.problems.request import ACCELERATION_LEVEL, POSITION_LEVEL, RATES_ALONE
from linkwork.status import Status
from linkwork.system.links import Links
from linkwork.system.packed import Tables

OK = int(Status.OK)


@kernel
def set_state_rates(tables: Tables, work: Work, links: Links, recursion: RecursiveWork) -> int:
    """Joints, twists, poses and velocities of bodies, and closing rows at base and increment."""
    recursion.factored[0] = 0
    status = set_joints_and_frames(tables, work, links, recursion, recursion.joint_rate)
    if status == OK:
        twists_from_rates(links, recursion)
        set_body_velocities(work, links, recursion)
        if recursion.sigma.shape[0] > 0:
            status = set_closing_rows(tables, work, links, recursion)
    return status


@kernel
def set_state_momenta(tables: Tables, work: Work, links: Links, recursion: RecursiveWork) -> int:
    """Joints, momenta, poses of bodies, and closing rows at base and increment."""
    recursion.factored[0] = 0
    status = set_joints_and_frames(tables, work, links, recursion, recursion.joint_momentum)
    if status == OK and recursion.sigma.shape[0] > 0:
        status = set_closing_rows(tables, work, links, recursion)
    return status


@kernel
def apply(tables: Tables, work: Work, links: Links, recursion: RecursiveWork) -> int:
    """Applied forces, at the velocities that rates give; with momenta `solve_momenta` has them."""
    if recursion.has_forces[0] == 1 and work.request.level[0] == ACCELERATION_LEVEL:
        return apply_wrenches(tables, work, links, recursion)
    return OK


@kernel
def factorise(work: Work, links: Links, recursion: RecursiveWork, factors: RowFactors) -> int:
    """Articulated inertias, and factors of the closing rows, unless `detect_redundant_rows` has made both."""
    status = OK
    if recursion.factored[0] == 0:
        status = eliminate_joints(links, recursion)
        if status == OK and recursion.sigma.shape[0] > 0:
            status = factor_closing_rows(links, recursion, factors, False, 0.0)
    if status == OK and recursion.sigma.shape[0] > 0:
        status = check_weakest_row(work, links, recursion, factors)
    return status


@kernel
def solve_rates(tables: Tables, work: Work, links: Links, recursion: RecursiveWork, factors: RowFactors) -> int:
    """Second rates and sigma; or corrections of coordinates or rates, in joint_acceleration too."""
    if work.request.level[0] == ACCELERATION_LEVEL:
        tree_accelerations(tables, links, recursion, recursion.has_forces[0] == 1)
        if recursion.sigma.shape[0] > 0:
            loop_accelerations(tables, work, links, recursion, factors)
        return OK
    closing_correction(tables, work, links, recursion, factors)
    return OK


@kernel
def solve_momenta(tables: Tables, work: Work, links: Links, recursion: RecursiveWork, factors: RowFactors) -> int:
    """Rates, twists and sigma, and applied forces at them; or corrections of coordinates, in joint_acceleration."""
    if work.request.level[0] == POSITION_LEVEL:
        closing_correction(tables, work, links, recursion, factors)
        return OK
    velocities_from_momenta(links, recursion, False)
    if recursion.sigma.shape[0] > 0:
        loop_velocities(work, links, recursion, factors)
    set_body_velocities(work, links, recursion)
    if recursion.has_forces[0] == 1 and work.request.level[0] == ACCELERATION_LEVEL:
        return apply_wrenches(tables, work, links, recursion)
    return OK


@kernel
def rhs_rates(work: Work, links: Links, recursion: RecursiveWork) -> int:
    """work.psi_rate (2 d,): rates of the coordinates, and second rates."""
    d = recursion.joint_rate.shape[0]
    for i in range(d):
        work.psi_rate[d + i] = recursion.joint_acceleration[i]
    return coordinate_rates(work, links, recursion)


@kernel
def rhs_momenta(tables: Tables, work: Work, links: Links, recursion: RecursiveWork, factors: RowFactors) -> int:
    """work.psi_rate (2 d,): rates of coordinates and momenta, pdot* = E^T (F - V x* P) + d(Phi_q^T)/dt sigma.

    At the start of a step sigma is taken out of the base. Writes branch_wrench.
    """
    status = set_branch_wrenches(tables, work, links, recursion, factors)
    if status != OK:
        return int(status)
    momentum_rates(links, recursion, work.psi_rate, weighs(recursion), True)
    return coordinate_rates(work, links, recursion)


@kernel
def rhs_sliding_momenta(tables: Tables, work: Work, links: Links, recursion: RecursiveWork, factors: RowFactors) -> int:
    """`rhs_momenta` of trees with links that slide: by `sliding_momentum_rates`."""
    status = set_branch_wrenches(tables, work, links, recursion, factors)
    if status != OK:
        return int(status)
    sliding_momentum_rates(links, recursion, work.psi_rate, weighs(recursion))
    return coordinate_rates(work, links, recursion)


@kernel
def weighs(recursion: RecursiveWork) -> bool:
    """Whether weight acts, and is not among the forces in branch_wrench."""
    return bool(recursion.has_gravity[0] == 1 and recursion.has_forces[0] == 0)


@kernel
def set_branch_wrenches(tables: Tables, work: Work, links: Links, recursion: RecursiveWork, factors: RowFactors) -> int:
    """branch_wrench (n, 6): applied forces, and how impulses of closing rows turn, N m and N on whole branches. At the
    start of a step sigma is taken out of the base before."""
    loops, table = recursion.sigma.shape[0] > 0, recursion.branch_wrench
    if loops and work.request.level[0] == RATES_ALONE:
        status = velocities_near_rank_loss(tables, work, links, recursion, factors)
        if status != OK:
            return int(status)
    elif loops and work.request.first_stage[0] == 1 and recursion.keeps_sigma[0] == 0 and is_at_base(work):
        reset_sigma(links, recursion)
    if recursion.has_forces[0] == 1:
        for k in range(links.kind.shape[0]):
            put6(table, k, get6(recursion.applied_wrench, k))
    else:
        clear_wrenches(links, table)
        if recursion.has_gravity[0] == 1:
            gravity_of_branches(tables, links, recursion)
    if loops:
        add_impulse_rates(tables, work, links, recursion, table)
    for back in range(links.kind.shape[0]):
        k = links.kind.shape[0] - 1 - back
        link = link_at(links, recursion, k)
        if link.inner:
            add_to6(table, link.parent, wrench_to_parent(links, recursion, k, link, get6(table, k)))
    return OK


@kernel
def accept_step(tables: Tables, work: Work, links: Links, recursion: RecursiveWork) -> int:
    """The state set becomes the base; angles count their turns."""
    open_tree.accept_step(work, links, recursion)
    if recursion.has_forces[0] == 1 or recursion.couplings.about.shape[0] > 0:
        unwrap_angles(tables, work)
    return 0


@kernel
def retract_rates(work: Work, links: Links, recursion: RecursiveWork) -> int:
    """psi from a correction of coordinates or rates."""
    d = recursion.joint_rate.shape[0]
    first = 0 if work.request.level[0] == POSITION_LEVEL else d
    for i in range(d):
        work.psi[i], work.psi[d + i] = 0.0, 0.0
    for i in range(d):
        work.psi[first + i] = recursion.joint_acceleration[i]
    return OK


@kernel
def retract_momenta(work: Work, links: Links, recursion: RecursiveWork) -> int:
    """psi from a correction of coordinates; of velocities: momenta without Phi_q^T sigma."""
    d = recursion.joint_rate.shape[0]
    positions = work.request.level[0] == POSITION_LEVEL
    if not positions:
        impulse_momenta(links, recursion, recursion.held[0])
    for i in range(d):
        work.psi[i] = recursion.joint_acceleration[i] if positions else 0.0
        work.psi[d + i] = 0.0 if positions else -recursion.joint_acceleration[i]
    return OK


SET_STATE_RATES = entry(set_state_rates, TABLES, WORK, LINKS, RECURSION)
SET_STATE_MOMENTA = entry(set_state_momenta, TABLES, WORK, LINKS, RECURSION)
APPLY = entry(apply, TABLES, WORK, LINKS, RECURSION)
FACTORISE = entry(factorise, WORK, LINKS, RECURSION, FACTORS)
SOLVE_RATES = entry(solve_rates, TABLES, WORK, LINKS, RECURSION, FACTORS)
SOLVE_MOMENTA = entry(solve_momenta, TABLES, WORK, LINKS, RECURSION, FACTORS)
RHS_RATES = entry(rhs_rates, WORK, LINKS, RECURSION)
RHS_MOMENTA = entry(rhs_momenta, TABLES, WORK, LINKS, RECURSION, FACTORS)
RHS_SLIDING_MOMENTA = entry(rhs_sliding_momenta, TABLES, WORK, LINKS, RECURSION, FACTORS)
ACCEPT_STEP = entry(accept_step, TABLES, WORK, LINKS, RECURSION)
RETRACT_RATES = entry(retract_rates, WORK, LINKS, RECURSION)
RETRACT_MOMENTA = entry(retract_momenta, WORK, LINKS, RECURSION)
