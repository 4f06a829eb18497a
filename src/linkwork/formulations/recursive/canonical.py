"""The entries of `canonical`, uncompiled: joint coordinates and the momenta conjugate to them [Naudet 2003].

psi holds increments of the coordinates (of a ball joint: of its rotation vector), then of the momenta. Loops are
closed at velocity level: what is integrated is p* = p + Phi_q^T sigma, whose rate needs no accelerations [eqs. 6-8].
sigma is an impulse that grows; it is taken out of p* at the start of every step, unless it is told to grow.
"""

from __future__ import annotations

from typing import Any

from linkwork.equations.time import count_turns
from linkwork.formulations.recursive.articulated_body import find_correction
from linkwork.formulations.recursive.eliminate import MOMENTA, eliminate_link
from linkwork.formulations.recursive.gravity import find_weight, hand_up_moment, hang, weigh
from linkwork.formulations.recursive.impulses import (
    add_turning,
    at_base,
    clear,
    close_loops,
    find_velocities,
    find_velocities_surely,
    take_from,
    take_out,
)
from linkwork.formulations.recursive.link_transforms import link_at, up
from linkwork.formulations.recursive.loops import place_rows
from linkwork.formulations.recursive.momenta import (
    find_twist,
    hand_up_momenta,
    momentum_rate,
    momentum_rates,
)
from linkwork.formulations.recursive.place import place_everything, place_joints, settle_coordinates
from linkwork.formulations.recursive.slopes import coordinate_rates, settle_speeds
from linkwork.formulations.recursive.velocities import move_bodies
from linkwork.formulations.recursive.whole import apply_forces
from linkwork.formulations.recursive.workspace import FORCED, GROWING, READY, WEIGHT
from linkwork.kernels.jit import kernel
from linkwork.kernels.spatial.vectors import add_to6, get6, put6
from linkwork.problems.explicit import ACCELERATIONS, FRESH, LEVEL, POSITIONS, RATES, STANDS
from linkwork.status import Status

ZERO = (0.0, 0.0, 0.0)
OK, SINGULAR = int(Status.OK), int(Status.SINGULAR)


@kernel
def place_tree(work: Any, links: Any, own: Any) -> int:
    """Joints and momenta."""
    return int(place_joints(work, links, own, own.momentum))


@kernel
def place(tables: Any, work: Any, links: Any, own: Any) -> int:
    """Joints, momenta, bodies and closing rows."""
    own.flags[READY] = 0
    status = place_everything(tables, work, links, own, own.momentum)
    if status == OK and own.sigma.shape[0] > 0:
        place_rows(work, links, own)
    return int(status)


@kernel
def ascend_tree(links: Any, own: Any) -> int:
    """The first recursion, tips to base: inertias, remainders of momenta, and where there is weight first moments."""
    weight = own.flags[WEIGHT] == 1
    for k in range(links.what.shape[0] - 1, -1, -1):
        link = link_at(links, own, k)
        if not eliminate_link(links, own, k, link, MOMENTA):
            return SINGULAR
        hand_up_momenta(links, own, k, link, False)
        if weight:
            hand_up_moment(links, own, k, link)
    return OK


@kernel
def descend_tree(tables: Any, work: Any, links: Any, own: Any) -> int:
    """The second recursion, base to tips: rates and twists, weight, rates of momenta."""
    n, weight = links.what.shape[0], own.flags[WEIGHT] == 1
    hang(tables, own, n)
    for k in range(n):
        link = link_at(links, own, k)
        V, g = find_twist(links, own, k, link), ZERO
        if weight:
            g = find_weight(links, own, k, link)
        momentum_rate(links, own, k, link, V, g, work.slope, weight, False)
    return OK


@kernel
def solve(tables: Any, work: Any, links: Any, own: Any, factors: Any) -> int:
    """Rates and velocities of a tree with closing rows and applied forces; or corrections, in own.second."""
    if work.coef[LEVEL].real == POSITIONS:
        find_correction(tables, work, links, own, factors)
        return OK
    find_velocities(links, own, False)
    if own.sigma.shape[0] > 0:
        close_loops(work, links, own, factors)
    move_bodies(work, links, own)
    if own.flags[FORCED] == 1 and work.coef[LEVEL].real == ACCELERATIONS:
        return int(apply_forces(tables, work, links, own))
    return OK


@kernel
def slope(tables: Any, work: Any, links: Any, own: Any, factors: Any) -> int:
    """Rates of coordinates and momenta. At the start of a step sigma is taken out of the base."""
    loops = own.sigma.shape[0] > 0
    if loops and work.coef[LEVEL].real == RATES:
        status = find_velocities_surely(tables, work, links, own, factors)
        if status != OK:
            return int(status)
    elif loops and work.coef[FRESH].real == 1.0 and own.flags[GROWING] == 0 and at_base(work):
        take_out(links, own)
    if own.flags[FORCED] == 1:
        for k in range(links.what.shape[0]):
            put6(own.a, k, get6(own.F, k))
    else:
        clear(links, own.a)
        if own.flags[WEIGHT] == 1:
            weigh(tables, links, own)
    if loops:
        add_turning(work, links, own, own.a)
    for back in range(links.what.shape[0]):
        k = links.what.shape[0] - 1 - back
        link = link_at(links, own, k)
        if link.inner:
            add_to6(own.a, link.parent, up(links, own, k, link, get6(own.a, k)))
    momentum_rates(links, own, work.slope, own.flags[WEIGHT] == 1 and own.flags[FORCED] == 0, True)
    return int(coordinate_rates(work, links, own))


@kernel
def evaluate_tree(tables: Any, work: Any, links: Any, own: Any) -> int:
    """The slope of a tree that nothing but weight acts on: the entries of `compiled_canonical_tree` in one."""
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
    """psi from a correction. Of velocities: momenta without Phi_q^T sigma."""
    d = own.rate.shape[0]
    positions = work.coef[LEVEL].real == POSITIONS
    if not positions:
        take_from(links, own)
    for i in range(d):
        work.psi[i] = own.second[i] if positions else 0.0
        work.psi[d + i] = 0.0 if positions else -own.second[i]
    return OK
