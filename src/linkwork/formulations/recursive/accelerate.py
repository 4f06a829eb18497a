"""The articulated-body algorithm: second twists from forces, in two recursions on eliminated inertias [Featherstone].

A branch needs A a + b at link k; b gathers V x* (I V) - F of its bodies and what the joints' own bias c = V x E qdot
asks for. Weight is an acceleration of the base by -g.
"""

from __future__ import annotations

from typing import Any

from linkwork.formulations.recursive.link_transforms import down, link_at, up
from linkwork.formulations.recursive.momenta import find_rates, leave_screw, left_to_pin
from linkwork.formulations.recursive.three_freedom_joints import NONE, SHIFTS, TURNS, block_of_half, leave_three
from linkwork.formulations.recursive.workspace import RATE, RATE2
from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import rotate
from linkwork.kernels.spatial.inertias import get21, inertia_times, rigid_times
from linkwork.kernels.spatial.vectors import add6, add_to6, cross_force, cross_motion, get6, put6, sub6
from linkwork.kernels.tuple_access import at3
from linkwork.kernels.vec3 import add, cross
from linkwork.system.links.linktree import BALL, HELD, PER_SLIDE, PER_TURN, SCREW, TURN


@kernel
def bias_wrenches(links: Any, own: Any, forced: Any) -> None:
    """own.P: V x* (I V) - F of every link's own body."""
    for k in range(links.what.shape[0]):
        put6(own.P, k, bias_wrench(links, own, k, forced))


@kernel
def bias_wrench(links: Any, own: Any, k: Any, forced: Any) -> Any:
    """Of one link."""
    V = get6(own.V, k)
    b = cross_force(V, rigid_times(links.rigid, k, 0, V))
    return sub6(b, get6(own.F, k)) if forced else b


@kernel
def pass_wrenches_up(links: Any, own: Any, moving: Any) -> None:
    """own.e, and own.P of whole branches, which holds the bodies' own before: tips to base. moving : with the joints'
    bias terms."""
    n = links.what.shape[0]
    for k in range(n - 1, -1, -1):
        link = link_at(links, own, k)
        b = leave_wrench(links, own, k, link, get6(own.P, k), moving)
        if link.inner:
            add_to6(own.P, link.parent, up(links, own, k, link, b))


@kernel
def hand_up_wrench(links: Any, own: Any, k: Any, link: Any, forced: Any) -> None:
    """Of one link whose branches are done, its body's own included."""
    b = bias_wrench(links, own, k, forced)
    if not link.leaf:
        b = add6(b, get6(own.P, k))
    b = leave_wrench(links, own, k, link, b, True)
    if link.inner:
        b = up(links, own, k, link, b)
        if link.last_child:  # comes first, and begins the sum
            put6(own.P, link.parent, b)
        else:
            add_to6(own.P, link.parent, b)


@kernel
def leave_wrench(links: Any, own: Any, k: Any, link: Any, b: Any, moving: Any) -> Any:
    """What link k's joint leaves of its branch's wrench b; own.e, own.P."""
    i = link.dof
    if link.kind != TURN:
        b = take_wrenches(links, own, k, link.kind, i, b, moving)
        put6(own.P, k, b)
        return b
    force, w = -b[2], own.w
    if moving:
        V, A, rate = get6(own.V, k), own.acc, own.rate[i]
        c0, c1, c3, c4 = V[1] * rate, -V[0] * rate, V[4] * rate, -V[3] * rate
        b = (
            b[0] + A[k, 0] * c0 + A[k, 9] * c1 + A[k, 2] * c3 + A[k, 3] * c4,
            b[1] + A[k, 9] * c0 + A[k, 1] * c1 + A[k, 4] * c3 + A[k, 5] * c4,
            b[2],
            b[3] + A[k, 2] * c0 + A[k, 4] * c1 + A[k, 6] * c3 + A[k, 12] * c4,
            b[4] + A[k, 3] * c0 + A[k, 5] * c1 + A[k, 12] * c3 + A[k, 7] * c4,
            b[5] + A[k, 10] * c0 + A[k, 11] * c1 + A[k, 13] * c3 + A[k, 14] * c4,
        )
    own.e[i] = force * own.over[i]
    b = (
        b[0] + w[i, 0] * force, b[1] + w[i, 1] * force, 0.0 * b[2],
        b[3] + w[i, 3] * force, b[4] + w[i, 4] * force, b[5] + w[i, 5] * force,
    )  # fmt: skip
    put6(own.P, k, b)
    return b


@kernel
def take_wrenches(links: Any, own: Any, k: Any, kind: Any, i: Any, b: Any, moving: Any) -> Any:
    """The same for a joint other than a pin. Where a free translation has left inertia, it has no bias."""
    if kind <= SCREW:
        if moving:
            b = add6(b, inertia_times(get21(own.acc, k), own_bias(links, own, k, kind, i)))
        if kind == HELD:
            return b
        return leave_screw(own, i, -(links.screw[k, PER_TURN] * b[2] + links.screw[k, PER_SLIDE] * b[5]), b)
    n, f = (b[0], b[1], b[2]), (b[3], b[4], b[5])
    if kind == BALL:
        if moving:
            turning = (own.rate[i], own.rate[i + 1], own.rate[i + 2])
            f = add(f, rotate(block_of_half(own.acc, k, TURNS), cross(at3(own.V, k, 3), turning)))
        return (*NONE, *leave_three(own, i, TURNS, NONE, n, f))
    return (*leave_three(own, i, SHIFTS, NONE, f, n), *NONE)


@kernel
def own_bias(links: Any, own: Any, k: Any, kind: Any, i: Any) -> Any:
    """V x E qdot, and E f'' of what is driven."""
    E0, E1, E2, E3, E4, E5 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    second = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    rate = own.rate
    if kind == HELD:
        turn, slide = links.screw[k, PER_TURN], links.screw[k, PER_SLIDE]
        E2, E5 = turn * own.now[k, RATE], slide * own.now[k, RATE]
        second = (0.0, 0.0, turn * own.now[k, RATE2], 0.0, 0.0, slide * own.now[k, RATE2])
    elif kind == SCREW:
        E2, E5 = links.screw[k, PER_TURN] * rate[i], links.screw[k, PER_SLIDE] * rate[i]
    elif kind == BALL:
        E0, E1, E2 = rate[i], rate[i + 1], rate[i + 2]
    else:
        E3, E4, E5 = rate[i], rate[i + 1], rate[i + 2]
    return add6(cross_motion(get6(own.V, k), (E0, E1, E2, E3, E4, E5)), second)


@kernel
def pass_accelerations_down(tables: Any, links: Any, own: Any, moving: Any, falling: Any) -> None:
    """own.second and own.a: base to tips. falling : gravity is taken as an acceleration of the base."""
    n = links.what.shape[0]
    lift_ground(tables, own, n, falling)
    for k in range(n):
        find_acceleration(links, own, k, link_at(links, own, k), moving, own.second, 0)


@kernel
def lift_ground(tables: Any, own: Any, n: Any, falling: Any) -> None:
    """own.a of ground, row n."""
    for c in range(3):
        own.a[n, c] = 0.0
        own.a[n, 3 + c] = -tables.gravity[c] if falling else 0.0


@kernel
def find_acceleration(links: Any, own: Any, k: Any, link: Any, moving: Any, out: Any, first: Any) -> None:
    """Of one link whose parent is done: own.a, and second rates among `out` from place `first` on."""
    kind, i, a = link.kind, link.dof, own.a
    x = down(links, own, k, link, get6(a, link.parent))
    if kind == TURN:
        if moving:
            V, rate = get6(own.V, k), own.rate[i]
            x = (x[0] + V[1] * rate, x[1] - V[0] * rate, x[2], x[3] + V[4] * rate, x[4] - V[3] * rate, x[5])
        spin = left_to_pin(own, i, x)
        out[first + i] = spin - x[2]
        put6(a, k, (x[0], x[1], spin, x[3], x[4], x[5]))
    else:
        if moving:
            x = add6(x, own_bias(links, own, k, kind, i))
        if kind != HELD:
            x = find_rates(links, own, k, kind, i, x, out, first)
        put6(a, k, x)
