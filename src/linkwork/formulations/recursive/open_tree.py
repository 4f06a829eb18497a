"""Trees that nothing but weight acts on: an evaluation is a recursion to the base and one to the tips.

No closing rows, no drivers, no other forces, and so no time. With rates as state these are the articulated-body
algorithm's [Featherstone 2008, 7.3], with momenta those of [Naudet 2003].
"""

from __future__ import annotations

from linkwork.formulations.recursive.accelerations import base_acceleration, link_acceleration, propagate_wrench
from linkwork.formulations.recursive.articulated_inertia import KEEP_FOR_MOMENTA, KEEP_FOR_RATES, eliminate_joint
from linkwork.formulations.recursive.gravity import base_gravity, link_gravity, propagate_first_moment
from linkwork.formulations.recursive.link_transforms import link_at
from linkwork.formulations.recursive.momenta import link_twist, momentum_rate, propagate_momentum
from linkwork.formulations.recursive.state import accept_coordinates, accept_rates, coordinate_rates, set_joints
from linkwork.formulations.recursive.velocities import twists_from_rates
from linkwork.formulations.recursive.workspace import LINKS, RECURSION, RecursiveWork
from linkwork.kernels.jit import kernel
from linkwork.kernels.natural import natural
from linkwork.kernels.spatial.vectors import ZERO
from linkwork.problems.entry import entry
from linkwork.problems.explicit import Work
from linkwork.problems.explicit_context import TABLES, WORK
from linkwork.status import Status
from linkwork.system.links import Links
from linkwork.system.packed import Tables

OK, SINGULAR = int(Status.OK), int(Status.SINGULAR)


@kernel
def set_state_rates(work: Work, links: Links, recursion: RecursiveWork) -> int:
    """Joints at base and increment, and twists of the links."""
    status = set_joints(work, links, recursion, recursion.joint_rate)
    if status == OK:
        twists_from_rates(links, recursion)
    return status


@kernel
def set_state_momenta(work: Work, links: Links, recursion: RecursiveWork) -> int:
    """Joints at base and increment, and their momenta."""
    return set_joints(work, links, recursion, recursion.joint_momentum)


@kernel
def backward_rates(links: Links, recursion: RecursiveWork) -> int:
    """Tips to base: articulated inertias, bias wrenches, unconstrained second rates. SINGULAR as `eliminate_joint`."""
    for k in range(links.kind.shape[0] - 1, -1, -1):
        link = link_at(links, recursion, k)
        if not eliminate_joint(links, recursion, k, link, KEEP_FOR_RATES):
            return SINGULAR
        propagate_wrench(links, recursion, k, link, False)
    return OK


@kernel
def backward_momenta(links: Links, recursion: RecursiveWork) -> int:
    """Tips to base: articulated inertias, bias momenta, unconstrained rates; first moments where there is gravity."""
    weight = recursion.has_gravity[0] == 1
    for k in range(links.kind.shape[0] - 1, -1, -1):
        link = link_at(links, recursion, k)
        if not eliminate_joint(links, recursion, k, link, KEEP_FOR_MOMENTA):
            return SINGULAR
        propagate_momentum(links, recursion, k, link, False)
        if weight:
            propagate_first_moment(links, recursion, k, link)
    return OK


@kernel
def forward_rates(tables: Tables, work: Work, links: Links, recursion: RecursiveWork) -> int:
    """Base to tips: spatial accelerations; second rates into work.psi_rate[d :]."""
    n, d = links.kind.shape[0], natural(recursion.joint_rate.shape[0])
    base_acceleration(tables, recursion, n, True)
    for k in range(n):
        link_acceleration(links, recursion, k, link_at(links, recursion, k), True, work.psi_rate, d)
    return OK


@kernel
def forward_momenta(tables: Tables, work: Work, links: Links, recursion: RecursiveWork) -> int:
    """Base to tips: rates and twists; rates of momenta into work.psi_rate[d :]."""
    n, weight = links.kind.shape[0], recursion.has_gravity[0] == 1
    base_gravity(tables, recursion, n)
    for k in range(n):
        link = link_at(links, recursion, k)
        V, g = link_twist(links, recursion, k, link), ZERO
        if weight:
            g = link_gravity(links, recursion, k, link)
        momentum_rate(links, recursion, k, link, V, g, work.psi_rate, weight, False)
    return OK


@kernel
def evaluate_rates(tables: Tables, work: Work, links: Links, recursion: RecursiveWork) -> int:
    """work.psi_rate from base and increment: the entries above and `coordinate_rates` in one."""
    status = OK
    if work.request.state_is_set[0] == 0:
        status = set_state_rates(work, links, recursion)
    if status == OK:
        status = backward_rates(links, recursion)
    if status != OK:
        return status
    forward_rates(tables, work, links, recursion)
    return coordinate_rates(work, links, recursion)


@kernel
def evaluate_momenta(tables: Tables, work: Work, links: Links, recursion: RecursiveWork) -> int:
    """work.psi_rate from base and increment: the entries above and `coordinate_rates` in one."""
    status = OK
    if work.request.state_is_set[0] == 0:
        status = set_state_momenta(work, links, recursion)
    if status == OK:
        status = backward_momenta(links, recursion)
    if status != OK:
        return status
    forward_momenta(tables, work, links, recursion)
    return coordinate_rates(work, links, recursion)


@kernel
def accept_step(work: Work, links: Links, recursion: RecursiveWork) -> int:
    """The state set becomes the base."""
    accept_coordinates(links, recursion, work)
    accept_rates(work, recursion)
    return 0


SET_STATE_RATES = entry(set_state_rates, WORK, LINKS, RECURSION)
SET_STATE_MOMENTA = entry(set_state_momenta, WORK, LINKS, RECURSION)
BACKWARD_RATES = entry(backward_rates, LINKS, RECURSION)
BACKWARD_MOMENTA = entry(backward_momenta, LINKS, RECURSION)
FORWARD_RATES = entry(forward_rates, TABLES, WORK, LINKS, RECURSION)
FORWARD_MOMENTA = entry(forward_momenta, TABLES, WORK, LINKS, RECURSION)
RHS = entry(coordinate_rates, WORK, LINKS, RECURSION)
EVALUATE_RATES = entry(evaluate_rates, TABLES, WORK, LINKS, RECURSION)
EVALUATE_MOMENTA = entry(evaluate_momenta, TABLES, WORK, LINKS, RECURSION)
ACCEPT_STEP = entry(accept_step, WORK, LINKS, RECURSION)
