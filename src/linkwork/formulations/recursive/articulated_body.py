"""The entries of `articulated-body`, uncompiled: joint coordinates and rates, accelerations at every stage.

psi holds increments of the coordinates (of a ball joint: of its rotation vector), then of the rates.
"""

from __future__ import annotations

from typing import Any

from linkwork.equations.time import count_turns
from linkwork.formulations.recursive.accelerate import (
    find_acceleration,
    hand_up_wrench,
    lift_ground,
    pass_accelerations_down,
    pass_wrenches_up,
)
from linkwork.formulations.recursive.eliminate import RATES, eliminate, eliminate_link
from linkwork.formulations.recursive.link_transforms import link_at
from linkwork.formulations.recursive.loops import (
    add_reactions,
    factor_loops,
    judge_loops,
    place_rows,
    row_times,
    solve_loops,
)
from linkwork.formulations.recursive.place import place_everything, place_joints, settle_coordinates
from linkwork.formulations.recursive.slopes import coordinate_rates, settle_speeds
from linkwork.formulations.recursive.velocities import move_bodies, spread_rates
from linkwork.formulations.recursive.whole import accelerate_tree, apply_forces, close_loops
from linkwork.formulations.recursive.workspace import FORCED, READY
from linkwork.kernels.jit import kernel
from linkwork.kernels.spatial.vectors import put6
from linkwork.kernels.tuple_access import natural
from linkwork.problems.explicit import ACCELERATIONS, LENGTH, LEVEL, POSITIONS, STANDS, R, V, W
from linkwork.problems.implicit import NU, PHI
from linkwork.status import Status

OK, SINGULAR = int(Status.OK), int(Status.SINGULAR)
UNITS = 1e-15  # of the largest coordinate: four units in its last place
NOTHING = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@kernel
def place_tree(work: Any, links: Any, own: Any) -> int:
    """Joints and twists."""
    status = place_joints(work, links, own, own.rate)
    if status == OK:
        spread_rates(links, own)
    return int(status)


@kernel
def place(tables: Any, work: Any, links: Any, own: Any) -> int:
    """Joints, twists, bodies and closing rows."""
    own.flags[READY] = 0
    status = place_everything(tables, work, links, own, own.rate)
    if status == OK:
        spread_rates(links, own)
        move_bodies(work, links, own)
        if own.sigma.shape[0] > 0:
            place_rows(work, links, own)
    return int(status)


@kernel
def apply(tables: Any, work: Any, links: Any, own: Any) -> int:
    """Applied forces."""
    if own.flags[FORCED] == 1 and work.coef[LEVEL].real == ACCELERATIONS:
        return int(apply_forces(tables, work, links, own))
    return OK


@kernel
def factorise(work: Any, links: Any, own: Any, factors: Any, least: Any) -> int:
    """Articulated inertias, and the closing rows."""
    status = OK
    if own.flags[READY] == 0:
        status = eliminate(links, own)
        if status == OK and own.sigma.shape[0] > 0:
            status = factor_loops(links, own, factors, False, least)
    if status == OK and own.sigma.shape[0] > 0:
        status = judge_loops(work, links, own, factors)
    return int(status)


@kernel
def solve(tables: Any, work: Any, links: Any, own: Any, factors: Any) -> int:
    """Second rates; or corrections of coordinates or rates, in own.second too."""
    if work.coef[LEVEL].real == ACCELERATIONS:
        accelerate_tree(tables, links, own, own.flags[FORCED] == 1)
        if own.sigma.shape[0] > 0:
            close_loops(tables, work, links, own, factors)
        return OK
    find_correction(tables, work, links, own, factors)
    return OK


@kernel
def ascend_tree(links: Any, own: Any) -> int:
    """Of a tree that nothing but weight acts on, the recursion from tips to base: inertias, and bias wrenches."""
    for k in range(links.what.shape[0] - 1, -1, -1):
        link = link_at(links, own, k)
        if not eliminate_link(links, own, k, link, RATES):
            return SINGULAR
        hand_up_wrench(links, own, k, link, False)
    return OK


@kernel
def descend_tree(tables: Any, work: Any, links: Any, own: Any) -> int:
    """The recursion from base to tips: accelerations, second rates among the slopes."""
    n, d = links.what.shape[0], natural(own.rate.shape[0])
    lift_ground(tables, own, n, True)
    for k in range(n):
        find_acceleration(links, own, k, link_at(links, own, k), True, work.slope, d)
    return OK


@kernel
def extent(work: Any) -> Any:
    """The mechanism's length, or the largest coordinate of a body's centre, m."""
    found = abs(work.coef[LENGTH])
    for b in range(work.motion.shape[0]):
        for c in range(3):
            found = max(found, abs(work.motion[b, R + c]))
    return found


@kernel
def find_correction(tables: Any, work: Any, links: Any, own: Any, factors: Any) -> None:
    """The least correction, in kinetic energy, that the closing rows ask for: M x + J^T sigma = 0, J x = -residual.

    None where all positions are met to rounding: a row is a difference of coordinates, which are rounded in the last
    place of the largest. What that leaves says nothing, and next to a rank loss a correction of it is not small.
    """
    missed = 0.0
    for k in range(own.sigma.shape[0]):
        if work.coef[LEVEL].real == POSITIONS:
            own.residual[k] = own.row[k, PHI]
        else:
            own.residual[k] = row_times(work, own, k, V, W) - own.row[k, NU]
        missed = max(missed, abs(own.residual[k]))
    if work.coef[LEVEL].real == POSITIONS and missed <= UNITS * extent(work):
        for k in range(own.sigma.shape[0]):
            own.residual[k] = 0.0
    for k in range(links.what.shape[0]):
        put6(own.P, k, NOTHING)
    solve_loops(own, factors)
    add_reactions(links, own, own.P)
    pass_wrenches_up(links, own, False)
    pass_accelerations_down(tables, links, own, False, False)


@kernel
def slope(work: Any, links: Any, own: Any) -> int:
    """Rates of the coordinates and second rates."""
    d = own.rate.shape[0]
    for i in range(d):
        work.slope[d + i] = own.second[i]
    return int(coordinate_rates(work, links, own))


@kernel
def evaluate_tree(tables: Any, work: Any, links: Any, own: Any) -> int:
    """The slope of a tree that nothing but weight acts on: the entries of `compiled_articulated_body_tree` in one."""
    status = OK
    if work.coef[STANDS].real == 0.0:
        status = place_tree(work, links, own)
    if status == OK:
        status = ascend_tree(links, own)
    if status != OK:
        return int(status)
    descend_tree(tables, work, links, own)
    return int(coordinate_rates(work, links, own))


@kernel
def settle_tree(work: Any, links: Any, own: Any) -> int:
    """The placed state becomes the base."""
    settle_coordinates(links, own, work)
    settle_speeds(work, own)
    return 0


@kernel
def settle(tables: Any, work: Any, links: Any, own: Any) -> int:
    """The placed state becomes the base."""
    settle_tree(work, links, own)
    if own.flags[FORCED] == 1:
        count_turns(tables, work)
    return 0


@kernel
def shift(work: Any, links: Any, own: Any) -> int:
    """psi from a correction."""
    d = own.rate.shape[0]
    first = 0 if work.coef[LEVEL].real == POSITIONS else d
    for i in range(d):
        work.psi[i], work.psi[d + i] = 0.0, 0.0
    for i in range(d):
        work.psi[first + i] = own.second[i]
    return OK
