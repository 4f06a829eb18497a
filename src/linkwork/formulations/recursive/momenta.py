"""Canonical momenta: rates from momenta, and the momenta's own rates, in two recursions [Naudet 2003].

P_k is the momentum of the branch from link k on, about the link's origin. With A_k the articulated inertia,
P_k = A_k V_k + D_k; a joint's momenta are p = E^T P [eq. 18], so that E^T (A E qdot + A V' + D) = p decides its rates
[eq. 45], V' being the parent's twist carried on, and the branch shows the parent A - A E (E^T A E)^-1 E^T A and
D + A E (E^T A E)^-1 (p - E^T D) [eqs. 38-41]. As E is constant in link k's frame, moving axes included,
pdot = E^T (F - V x* P), F being what is applied to the branch [eqs. 35, 42].
"""

from __future__ import annotations

from typing import Any

from linkwork.formulations.recursive.link_transforms import down, link_at, up
from linkwork.formulations.recursive.three_freedom_joints import SHIFTS, TURNS, block_of_half, find_three, leave_three
from linkwork.formulations.recursive.workspace import RATE
from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import rotate
from linkwork.kernels.spatial.inertias import get21, inertia_times
from linkwork.kernels.spatial.vectors import add6, add_to6, cross_force, get6, put6, sub6
from linkwork.kernels.tuple_access import at3, at6, natural
from linkwork.system.links.linktree import BALL, HELD, PER_SLIDE, PER_TURN, SCREW, SLIDES, TURN

NOTHING = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@kernel
def pass_momenta_up(links: Any, own: Any, impulses: Any) -> None:
    """own.e and the remainders own.P: tips to base. impulses : own.P holds the bodies' own before.

    Of a pin on ground the remainder is not worked out: what meets ground moves nothing.
    """
    for k in range(links.what.shape[0] - 1, -1, -1):
        hand_up_momenta(links, own, k, link_at(links, own, k), impulses)


@kernel
def hand_up_momenta(links: Any, own: Any, k: Any, link: Any, impulses: Any) -> None:
    """Of one link whose branches are done."""
    i, p, bare = link.dof, link.parent, not impulses and link.leaf
    if link.kind == TURN:
        w, whole = own.w, own.momentum[i]
        rest = whole if bare else whole - own.P[k, 2]
        own.e[i] = rest * own.over[i]
        if not link.inner:
            return
        P = (w[i, 0] * rest, w[i, 1] * rest, whole, w[i, 3] * rest, w[i, 4] * rest, w[i, 5] * rest)
        if not bare:
            Q = get6(own.P, k)
            P = (P[0] + Q[0], P[1] + Q[1], P[2], P[3] + Q[3], P[4] + Q[4], P[5] + Q[5])
        put6(own.P, k, P)
    else:
        P = take_momenta(links, own, k, link.kind, i, NOTHING if bare else get6(own.P, k))
        put6(own.P, k, P)
    if link.inner:
        P = up(links, own, k, link, P)
        if not impulses and link.last_child:
            put6(own.P, p, P)
        else:
            add_to6(own.P, p, P)


@kernel
def take_momenta(links: Any, own: Any, k: Any, kind: Any, i: Any, P: Any) -> Any:
    """What a joint other than a pin leaves of P; what is driven adds its known twist."""
    n, f = (P[0], P[1], P[2]), (P[3], P[4], P[5])
    if kind == HELD:
        rate = own.now[k, RATE]
        if rate != 0.0:
            E = (0.0 * rate, 0.0 * rate, links.screw[k, PER_TURN] * rate, 0.0 * rate, 0.0 * rate,
                 links.screw[k, PER_SLIDE] * rate)  # fmt: skip
            P = add6(P, inertia_times(get21(own.acc, k), E))
        return P
    if kind == SCREW:
        rest = own.momentum[i] - (links.screw[k, PER_TURN] * P[2] + links.screw[k, PER_SLIDE] * P[5])
        return leave_screw(own, i, rest, P)
    p = (own.momentum[i], own.momentum[i + 1], own.momentum[i + 2])
    if kind == BALL:
        return (*p, *leave_three(own, i, TURNS, p, n, f))
    return (*leave_three(own, i, SHIFTS, p, f, n), *p)


@kernel
def leave_screw(own: Any, i: Any, rest: Any, P: Any) -> Any:
    """P with what a screw's freedom does not take of it."""
    w = at6(own.w, i, 0)
    own.e[i] = rest * own.over[i]
    return (P[0] + w[0] * rest, P[1] + w[1] * rest, P[2] + w[2] * rest, P[3] + w[3] * rest, P[4] + w[4] * rest,
            P[5] + w[5] * rest)  # fmt: skip


@kernel
def pass_twists_down(links: Any, own: Any) -> None:
    """own.rate and own.V: base to tips."""
    for k in range(links.what.shape[0]):
        find_twist(links, own, k, link_at(links, own, k))


@kernel
def find_twist(links: Any, own: Any, k: Any, link: Any) -> Any:
    """Of one link whose parent is done. Returns the twist: read back from own, it would come later."""
    kind, i = link.kind, link.dof
    if kind == TURN and not link.inner:
        own.rate[i] = own.e[i]
        V = (0.0, 0.0, own.e[i], 0.0, 0.0, 0.0)
        put6(own.V, k, V)
        return V
    V = down(links, own, k, link, get6(own.V, link.parent))
    if kind == TURN:
        spin = left_to_pin(own, i, V)
        own.rate[i] = spin - V[2]
        V = (V[0], V[1], spin, V[3], V[4], V[5])
    elif kind == HELD:
        rate = own.now[k, RATE]
        V = (V[0], V[1], V[2] + links.screw[k, PER_TURN] * rate, V[3], V[4], V[5] + links.screw[k, PER_SLIDE] * rate)
    else:
        V = find_rates(links, own, k, kind, i, V, own.rate, 0)
    put6(own.V, k, V)
    return V


@kernel
def left_to_pin(own: Any, i: Any, V: Any) -> Any:
    """e - w . V without z's part. In two sums, whose terms stand in the order in which V is known: the next link waits
    for it."""
    w = own.w
    return (((own.e[i] - w[i, 5] * V[5]) - w[i, 0] * V[0]) - w[i, 3] * V[3]) - (w[i, 4] * V[4] + w[i, 1] * V[1])


@kernel
def find_rates(links: Any, own: Any, k: Any, kind: Any, i: Any, V: Any, out: Any, first: Any) -> Any:
    """A twist (or second twist) with what a joint other than a pin or a held one adds; its rates among `out` from place
    `first` on."""
    w, v = (V[0], V[1], V[2]), (V[3], V[4], V[5])
    if kind == BALL:
        return (*find_three(own, i, TURNS, w, v, out, first + i), *v)
    if kind == SLIDES:
        return (*w, *find_three(own, i, SHIFTS, v, w, out, first + i))
    u = at6(own.w, i, 0)
    rate = own.e[i] - (u[0] * V[0] + u[1] * V[1] + u[2] * V[2] + u[3] * V[3] + u[4] * V[4] + u[5] * V[5])
    out[first + i] = rate
    return (V[0], V[1], V[2] + links.screw[k, PER_TURN] * rate, V[3], V[4], V[5] + links.screw[k, PER_SLIDE] * rate)


@kernel
def momentum_rates(links: Any, own: Any, slope: Any, weight: Any, forced: Any) -> None:
    """pdot into slope[dofs:]. weight : from first moments of branches; forced : from own.a, applied to branches."""
    for k in range(links.what.shape[0]):
        momentum_rate(links, own, k, link_at(links, own, k), get6(own.V, k), at3(own.g, k, 0), slope, weight, forced)


@kernel
def momentum_rate(
    links: Any, own: Any, k: Any, link: Any, V: Any, g: Any, slope: Any, weight: Any, forced: Any
) -> None:
    """Of one link that moves at V, where weight per mass is g."""
    kind, i, d = link.kind, link.dof, natural(own.rate.shape[0])
    if kind == TURN:
        rate = turning(own, k, V) if link.inner else 0.0
        if weight:
            rate += own.moment[k, 0] * g[1] - own.moment[k, 1] * g[0]
        if forced:
            rate += own.a[k, 2]
        slope[d + i] = rate
    elif kind != HELD:
        other_rates(links, own, k, kind, i, V, g, slope, weight, forced)


@kernel
def turning(own: Any, k: Any, V: Any) -> Any:
    """-E^T (V x* P) of a pin, P = A V + D: what is quadratic in V is written in differences of A's entries."""
    A, D = own.acc, own.P
    Ixy, Hxz, Hyz, Mxy, Mxz, Myz = A[k, 9], A[k, 10], A[k, 11], A[k, 12], A[k, 13], A[k, 14]
    I_, H_, H2, M_ = A[k, 15], A[k, 16], A[k, 17], A[k, 18]
    return (
        V[1] * (D[k, 0] + I_ * V[0] + Ixy * V[1] + H_ * V[3] + H2 * V[4] + Hxz * V[5])
        - V[0] * (D[k, 1] + Ixy * V[0] + H2 * V[3] - H_ * V[4] + Hyz * V[5])
        + V[4] * (D[k, 3] + M_ * V[3] + Mxy * V[4] + Mxz * V[5])
        - V[3] * (D[k, 4] + Mxy * V[3] + Myz * V[5])
    )


@kernel
def other_rates(
    links: Any, own: Any, k: Any, kind: Any, i: Any, V: Any, g: Any, slope: Any, weight: Any, forced: Any
) -> None:
    """The same for a joint other than a pin. Of what balls and free translations leave one half alone has inertia."""
    D, w, v, d = get6(own.P, k), (V[0], V[1], V[2]), (V[3], V[4], V[5]), own.rate.shape[0]
    if kind == BALL:
        x = rotate(block_of_half(own.acc, k, TURNS), v)
        P = (D[0], D[1], D[2], D[3] + x[0], D[4] + x[1], D[5] + x[2])
    elif kind == SLIDES:
        x = rotate(block_of_half(own.acc, k, SHIFTS), w)
        P = (D[0] + x[0], D[1] + x[1], D[2] + x[2], D[3], D[4], D[5])
    else:
        P = add6(D, inertia_times(get21(own.acc, k), V))
    F = get6(own.a, k) if forced else NOTHING
    if weight:
        x, y, z, m = own.moment[k, 0], own.moment[k, 1], own.moment[k, 2], own.mass[k]
        a, b, c = g
        F = (F[0] + y * c - z * b, F[1] + z * a - x * c, F[2] + x * b - y * a, F[3] + m * a, F[4] + m * b, F[5] + m * c)
    N = sub6(F, cross_force(V, P))
    if kind == BALL:
        slope[d + i], slope[d + i + 1], slope[d + i + 2] = N[0], N[1], N[2]
    elif kind == SLIDES:
        slope[d + i], slope[d + i + 1], slope[d + i + 2] = N[3], N[4], N[5]
    else:
        slope[d + i] = links.screw[k, PER_TURN] * N[2] + links.screw[k, PER_SLIDE] * N[5]
