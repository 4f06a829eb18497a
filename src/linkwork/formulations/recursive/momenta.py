"""Canonical momenta: rates from momenta, and the momenta's own rates, in two recursions [Naudet 2003].

P_k is the momentum of the branch from link k on, about the link's origin. With A_k the articulated inertia, P_k = A_k
V_k + D_k, D the bias momentum; a joint's momenta are p = E^T P [eq. 18], so that E^T (A E qdot + A V' + D) = p decides
its rates [eq. 45], V' being the parent's twist carried on, and the branch shows the parent A - A E (E^T A E)^-1 E^T A
and D + A E (E^T A E)^-1 (p - E^T D) [eqs. 38-41]. As E is constant in link k's frame, moving axes included, pdot = E^T
(F - V x* P), F being what is applied to the branch [eqs. 35, 42].
"""

from __future__ import annotations

from linkwork.formulations.recursive.link_transforms import Link, link_at, twist_to_link, wrench_to_parent
from linkwork.formulations.recursive.three_freedom_joints import (
    ANGULAR,
    LINEAR,
    bias_beyond_three,
    half_block,
    rates_of_three,
)
from linkwork.formulations.recursive.workspace import RecursiveWork
from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import rotate
from linkwork.kernels.natural import natural
from linkwork.kernels.needed import needed
from linkwork.kernels.spatial.inertias import get21, inertia_times
from linkwork.kernels.spatial.vectors import NO_WRENCH, Six, add6, add_to6, cross_force, get6, put6, sub6
from linkwork.kernels.tables import Floats
from linkwork.kernels.tuple_access import at3, at6
from linkwork.kernels.vec3 import Vec
from linkwork.system.links import Links
from linkwork.system.links.linktree import FIXED, HELICAL, REVOLUTE, SPHERICAL, TRANSLATION


@kernel
def momenta_backward(links: Links, recursion: RecursiveWork, has_bias: bool) -> None:
    """unconstrained_rate of all freedoms, tips to base, from joint_momentum [Naudet 2003, eqs. 38-41].

    has_bias : articulated_bias (n, 6) holds momenta of the bodies' own before (impulses of closing rows). Writes the
    bias momenta D of branches there. Of a revolute joint on ground D is not worked out: what meets ground moves
    nothing.
    """
    for k in range(links.kind.shape[0] - 1, -1, -1):
        propagate_momentum(links, recursion, k, link_at(links, recursion, k), has_bias)


@kernel
def propagate_momentum(links: Links, recursion: RecursiveWork, k: int, link: Link, has_bias: bool) -> None:
    """`momenta_backward` for link k, whose children are done: x = p - E^T D, unconstrained_rate = D_inv x, and D + U
    D_inv x goes to the parent. Reads joint_momentum, U_D_inv, D_inv; writes articulated_bias of k and of its parent."""
    i, p, bare = link.dof, link.parent, not has_bias and link.leaf
    if link.kind == REVOLUTE:
        w, whole = recursion.U_D_inv, recursion.joint_momentum[i]
        rest = whole if bare else whole - recursion.articulated_bias[k, 2]
        recursion.unconstrained_rate[i] = rest * recursion.D_inv[i]
        if not link.inner:
            return
        P = (w[i, 0] * rest, w[i, 1] * rest, whole, w[i, 3] * rest, w[i, 4] * rest, w[i, 5] * rest)
        if not bare:
            Q = get6(recursion.articulated_bias, k)
            P = (P[0] + Q[0], P[1] + Q[1], P[2], P[3] + Q[3], P[4] + Q[4], P[5] + Q[5])
        put6(recursion.articulated_bias, k, P)
    else:
        P = momentum_beyond_other(
            links, recursion, k, link.kind, i, NO_WRENCH if bare else get6(recursion.articulated_bias, k)
        )
        put6(recursion.articulated_bias, k, P)
    if link.inner:
        P = wrench_to_parent(links, recursion, k, link, P)
        if not has_bias and link.last_child:
            put6(recursion.articulated_bias, p, P)
        else:
            add_to6(recursion.articulated_bias, p, P)


@kernel
def momentum_beyond_other(links: Links, recursion: RecursiveWork, k: int, kind: int, i: int, P: Six) -> Six:
    """The bias momentum D + U D_inv (p - E^T D) beyond a joint that is not revolute, P being D before it. A driven
    joint adds A E qdot of its known rate."""
    n, f = (P[0], P[1], P[2]), (P[3], P[4], P[5])
    if kind == FIXED:
        rate = recursion.driven_rate[k]
        if needed(rate != 0.0):
            E = (0.0 * rate, 0.0 * rate, links.turn_per_q[k] * rate, 0.0 * rate, 0.0 * rate,
                 links.slide_per_q[k] * rate)  # fmt: skip
            P = add6(P, inertia_times(get21(recursion.articulated_inertia, k), E))
        return P
    if kind == HELICAL:
        rest = recursion.joint_momentum[i] - (links.turn_per_q[k] * P[2] + links.slide_per_q[k] * P[5])
        return bias_beyond_helical(recursion, i, rest, P)
    p = (recursion.joint_momentum[i], recursion.joint_momentum[i + 1], recursion.joint_momentum[i + 2])
    if kind == SPHERICAL:
        return (*p, *bias_beyond_three(recursion, i, ANGULAR, p, n, f))
    return (*bias_beyond_three(recursion, i, LINEAR, p, f, n), *p)


@kernel
def bias_beyond_helical(recursion: RecursiveWork, i: int, rest: float, P: Six) -> Six:
    """P + U D_inv rest beyond a joint with one freedom that is not revolute, rest = what it imposes less E^T P. P :
    bias wrench or momentum. Writes unconstrained_rate[i] = D_inv rest."""
    w = at6(recursion.U_D_inv, i, 0)
    recursion.unconstrained_rate[i] = rest * recursion.D_inv[i]
    return (P[0] + w[0] * rest, P[1] + w[1] * rest, P[2] + w[2] * rest, P[3] + w[3] * rest, P[4] + w[4] * rest,
            P[5] + w[5] * rest)  # fmt: skip


@kernel
def twists_forward(links: Links, recursion: RecursiveWork) -> None:
    """joint_rate (d,) and twist (n, 6) of all links from unconstrained_rate, base to tips [Naudet 2003, eq. 45]."""
    for k in range(links.kind.shape[0]):
        link_twist(links, recursion, k, link_at(links, recursion, k))


@kernel
def link_twist(links: Links, recursion: RecursiveWork, k: int, link: Link) -> Six:
    """`twists_forward` for link k, whose parent is done: qdot = unconstrained_rate - (U D_inv)^T X V_parent.

    Writes joint_rate and twist[k]. Returns the twist: read back from the table, it would be known later."""
    kind, i = link.kind, link.dof
    if kind == REVOLUTE and not link.inner:
        recursion.joint_rate[i] = recursion.unconstrained_rate[i]
        V = (0.0, 0.0, recursion.unconstrained_rate[i], 0.0, 0.0, 0.0)
        put6(recursion.twist, k, V)
        return V
    V = twist_to_link(links, recursion, k, link, get6(recursion.twist, link.parent))
    if kind == REVOLUTE:
        spin = revolute_speed(recursion, i, V)
        recursion.joint_rate[i] = spin - V[2]
        V = (V[0], V[1], spin, V[3], V[4], V[5])
    elif kind == FIXED:
        rate = recursion.driven_rate[k]
        V = (V[0], V[1], V[2] + links.turn_per_q[k] * rate, V[3], V[4], V[5] + links.slide_per_q[k] * rate)
    else:
        V = add_other_rates(links, recursion, k, kind, i, V, recursion.joint_rate, 0)
    put6(recursion.twist, k, V)
    return V


@kernel
def revolute_speed(recursion: RecursiveWork, i: int, V: Six) -> float:
    """unconstrained_rate[i] - (U D_inv)^T V without V_z, whose coefficient is 1: omega_z of the link after its revolute
    joint.

    In two sums whose terms stand in the order in which V is known: the next link waits for the result.
    """
    w = recursion.U_D_inv
    speed: float = (((recursion.unconstrained_rate[i] - w[i, 5] * V[5]) - w[i, 0] * V[0]) - w[i, 3] * V[3]) - (
        w[i, 4] * V[4] + w[i, 1] * V[1]
    )
    return speed


@kernel
def add_other_rates(
    links: Links, recursion: RecursiveWork, k: int, kind: int, i: int, V: Six, out: Floats, first: int
) -> Six:
    """V + E q' for a joint that is neither revolute nor FIXED, q' = unconstrained_rate - (U D_inv)^T V into out[first +
    i].

    V : twist (or acceleration) of the parent carried to link k.
    """
    w, v = (V[0], V[1], V[2]), (V[3], V[4], V[5])
    if kind == SPHERICAL:
        return (*rates_of_three(recursion, i, ANGULAR, w, v, out, first + i), *v)
    if kind == TRANSLATION:
        return (*w, *rates_of_three(recursion, i, LINEAR, v, w, out, first + i))
    u = at6(recursion.U_D_inv, i, 0)
    rate = recursion.unconstrained_rate[i] - (
        u[0] * V[0] + u[1] * V[1] + u[2] * V[2] + u[3] * V[3] + u[4] * V[4] + u[5] * V[5]
    )
    out[first + i] = rate
    return (V[0], V[1], V[2] + links.turn_per_q[k] * rate, V[3], V[4], V[5] + links.slide_per_q[k] * rate)


@kernel
def momentum_rates(links: Links, recursion: RecursiveWork, out: Floats, weight: bool, forced: bool) -> None:
    """`momentum_rate` of all links at the twists and gravity vectors found before."""
    for k in range(links.kind.shape[0]):
        momentum_rate(
            links,
            recursion,
            k,
            link_at(links, recursion, k),
            get6(recursion.twist, k),
            at3(recursion.gravity, k, 0),
            out,
            weight,
            forced,
        )


@kernel
def momentum_rate(
    links: Links,
    recursion: RecursiveWork,
    k: int,
    link: Link,
    V: Six,
    g: Vec,
    out: Floats,
    weight: bool,
    forced: bool,
) -> None:
    """pdot = E^T (F - V x* P) of link k's joint into out[dofs + i :], P = A V + D [Naudet 2003, eqs. 35, 42].

    V : its twist. g : gravity in its frame, m/s^2. weight : F has the branch's weight, of first_moment and branch_mass.
    forced : F has branch_wrench."""
    kind, i, d = link.kind, link.dof, natural(recursion.joint_rate.shape[0])
    if kind == REVOLUTE:
        rate = revolute_momentum_rate(recursion, k, V) if link.inner else 0.0
        if weight:
            rate += recursion.first_moment[k, 0] * g[1] - recursion.first_moment[k, 1] * g[0]
        if forced:
            rate += recursion.branch_wrench[k, 2]
        out[d + i] = rate
    elif kind != FIXED:
        other_momentum_rates(links, recursion, k, kind, i, V, g, out, weight, forced)


@kernel
def revolute_momentum_rate(recursion: RecursiveWork, k: int, V: Six) -> float:
    """-E^T (V x* P) of a revolute joint, P = A V + D: what is quadratic in V is written in the differences of entries
    of A that KEEP_FOR_MOMENTA leaves in columns 9 to 18."""
    A, D = recursion.articulated_inertia, recursion.articulated_bias
    Ixy, Hxz, Hyz, Mxy, Mxz, Myz = A[k, 9], A[k, 10], A[k, 11], A[k, 12], A[k, 13], A[k, 14]
    I_, H_, H2, M_ = A[k, 15], A[k, 16], A[k, 17], A[k, 18]
    rate: float = (
        V[1] * (D[k, 0] + I_ * V[0] + Ixy * V[1] + H_ * V[3] + H2 * V[4] + Hxz * V[5])
        - V[0] * (D[k, 1] + Ixy * V[0] + H2 * V[3] - H_ * V[4] + Hyz * V[5])
        + V[4] * (D[k, 3] + M_ * V[3] + Mxy * V[4] + Mxz * V[5])
        - V[3] * (D[k, 4] + Mxy * V[3] + Myz * V[5])
    )
    return rate


@kernel
def other_momentum_rates(
    links: Links,
    recursion: RecursiveWork,
    k: int,
    kind: int,
    i: int,
    V: Six,
    g: Vec,
    out: Floats,
    weight: bool,
    forced: bool,
) -> None:
    """`momentum_rate` for a joint that is neither revolute nor FIXED. Of what spherical joints and free translations
    leave, one half alone has inertia."""
    D, w, v, d = (
        get6(recursion.articulated_bias, k),
        (V[0], V[1], V[2]),
        (V[3], V[4], V[5]),
        recursion.joint_rate.shape[0],
    )
    if kind == SPHERICAL:
        x = rotate(half_block(recursion.articulated_inertia, k, ANGULAR), v)
        P = (D[0], D[1], D[2], D[3] + x[0], D[4] + x[1], D[5] + x[2])
    elif kind == TRANSLATION:
        x = rotate(half_block(recursion.articulated_inertia, k, LINEAR), w)
        P = (D[0] + x[0], D[1] + x[1], D[2] + x[2], D[3], D[4], D[5])
    else:
        P = add6(D, inertia_times(get21(recursion.articulated_inertia, k), V))
        u, x = at6(recursion.U_D_inv, i, 0), recursion.rotor[i] * recursion.joint_rate[i]  # A E of what a rotor leaves
        P = (P[0] - u[0] * x, P[1] - u[1] * x, P[2] - u[2] * x, P[3] - u[3] * x, P[4] - u[4] * x, P[5] - u[5] * x)
    F = branch_force(recursion, k, g, weight, forced)
    put_momentum_rate(links, k, kind, d + i, sub6(F, cross_force(V, P)), out)


@kernel
def branch_force(recursion: RecursiveWork, k: int, g: Vec, weight: bool, forced: bool) -> Six:
    """F (N m, N) on the branch from link k on: branch_wrench if `forced`, and if `weight` that of first_moment and
    branch_mass in gravity g (m/s^2, in the link's frame)."""
    F = get6(recursion.branch_wrench, k) if forced else NO_WRENCH
    if weight:
        x, y, z, m = (
            recursion.first_moment[k, 0],
            recursion.first_moment[k, 1],
            recursion.first_moment[k, 2],
            recursion.branch_mass[k],
        )
        a, b, c = g
        F = (F[0] + y * c - z * b, F[1] + z * a - x * c, F[2] + x * b - y * a, F[3] + m * a, F[4] + m * b, F[5] + m * c)
    return F


@kernel
def put_momentum_rate(links: Links, k: int, kind: int, o: int, N: Six, out: Floats) -> None:
    """E^T N of link k's joint, which is not FIXED, into out[o :]."""
    if kind == SPHERICAL:
        out[o], out[o + 1], out[o + 2] = N[0], N[1], N[2]
    elif kind == TRANSLATION:
        out[o], out[o + 1], out[o + 2] = N[3], N[4], N[5]
    else:
        out[o] = links.turn_per_q[k] * N[2] + links.slide_per_q[k] * N[5]
