"""Canonical momenta: rates from momenta, and the momenta's own rates, in two recursions [Naudet 2003].

P_k is the momentum of the branch from link k on, about the link's origin. With A_k the articulated inertia,
P_k = A_k V_k + D_k; a joint's momenta are p = E^T P [eq. 18], so that E^T (A E qdot + A V' + D) = p decides its rates
[eq. 45], V' being the parent's twist carried on, and the branch shows the parent A - A E (E^T A E)^-1 E^T A and
D + A E (E^T A E)^-1 (p - E^T D) [eqs. 38-41]. As E is constant in link k's frame, moving axes included,
pdot = E^T (F - V x* P), F being what is applied to the branch [eqs. 35, 42].
"""

from __future__ import annotations

from typing import Any

from linkwork.formulations.recursive.eliminate import freedom
from linkwork.formulations.recursive.own import RATE
from linkwork.formulations.recursive.steps import down, link_at, up
from linkwork.kernels.columns import at3
from linkwork.kernels.jit import kernel
from linkwork.kernels.spatial.inertias import get21, inertia_times
from linkwork.kernels.spatial.vectors import add_to6, cross_force, get6, put6, sub6
from linkwork.system.links.linktree import FREEDOMS, HELD, PER_SLIDE, PER_TURN, TURN


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
        if bare:
            put6(own.P, k, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
        take_momenta(links, own, k, link.kind, i)
        P = get6(own.P, k)
    if link.inner:
        P = up(links, own, k, link, P)
        if not impulses and link.last_child:
            put6(own.P, p, P)
        else:
            add_to6(own.P, p, P)


@kernel
def take_momenta(links: Any, own: Any, k: Any, kind: Any, i: Any) -> None:
    """The same for a joint other than a pin; what is driven adds its known twist."""
    P = own.P
    if kind == HELD:
        rate = own.now[k, RATE]
        if rate != 0.0:
            E = (0.0 * rate, 0.0 * rate, links.screw[k, PER_TURN] * rate, 0.0 * rate, 0.0 * rate,
                 links.screw[k, PER_SLIDE] * rate)  # fmt: skip
            add_to6(P, k, inertia_times(get21(own.acc, k), E))
        return
    for j in range(FREEDOMS[kind]):
        turn, slide, about = freedom(links, k, kind, j)
        rest = own.momentum[i + j] - (turn * P[k, about] + slide * P[k, 5])
        own.e[i + j] = rest * own.over[i + j]
        for c in range(6):
            P[k, c] += own.w[i + j, c] * rest


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
        put6(own.V, k, V)
        return V
    put6(own.V, k, V)
    find_rates(links, own, k, kind, i, own.V, own.rate, 0)
    if kind == HELD:
        own.V[k, 2] += links.screw[k, PER_TURN] * own.now[k, RATE]
        own.V[k, 5] += links.screw[k, PER_SLIDE] * own.now[k, RATE]
    return get6(own.V, k)


@kernel
def left_to_pin(own: Any, i: Any, V: Any) -> Any:
    """e - w . V without z's part. In two sums, whose terms stand in the order in which V is known: the next link waits
    for it."""
    w = own.w
    return (((own.e[i] - w[i, 5] * V[5]) - w[i, 0] * V[0]) - w[i, 3] * V[3]) - (w[i, 4] * V[4] + w[i, 1] * V[1])


@kernel
def find_rates(links: Any, own: Any, k: Any, kind: Any, i: Any, table: Any, out: Any, first: Any) -> None:
    """Rates (or second rates) of a joint other than a pin, last freedom first, among `out` from place `first` on; row k
    of the table follows."""
    for back in range(FREEDOMS[kind]):
        j = FREEDOMS[kind] - 1 - back
        turn, slide, about = freedom(links, k, kind, j)
        total = own.e[i + j]
        for c in range(6):
            total -= own.w[i + j, c] * table[k, c]
        out[first + i + j] = total
        table[k, about] += turn * total
        table[k, 5] += slide * total


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
    kind, i, d = link.kind, link.dof, own.rate.shape[0]
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
    Ixy, Hxz, Hyz, Mxy, Mxz, Myz = A[k, 1], A[k, 5], A[k, 8], A[k, 10], A[k, 11], A[k, 13]
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
    """The same for a joint other than a pin."""
    P = inertia_times(get21(own.acc, k), V)
    P = (P[0] + own.P[k, 0], P[1] + own.P[k, 1], P[2] + own.P[k, 2], P[3] + own.P[k, 3], P[4] + own.P[k, 4],
         P[5] + own.P[k, 5])  # fmt: skip
    F = get6(own.a, k) if forced else (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    if weight:
        x, y, z, m = own.moment[k, 0], own.moment[k, 1], own.moment[k, 2], own.mass[k]
        a, b, c = g
        F = (F[0] + y * c - z * b, F[1] + z * a - x * c, F[2] + x * b - y * a, F[3] + m * a, F[4] + m * b, F[5] + m * c)
    N = sub6(F, cross_force(V, P))
    d = own.rate.shape[0]
    for j in range(FREEDOMS[kind]):
        turn, slide, about = freedom(links, k, kind, j)
        value = N[2]
        if about == 0:
            value = N[0]
        elif about == 1:
            value = N[1]
        elif about == 3:
            value = N[3]
        elif about == 4:
            value = N[4]
        elif about == 5:
            value = N[5]
        slope[d + i + j] = turn * value + slide * N[5]
