"""Rates of momenta where links slide, free bodies among them, and may be fast: v x (m v) is left out of them.

pdot = E^T (F - V x* P) holds v x f, f the linear momentum of the branch. Of a fast branch f is M v but for a small
rest, v x (M v) is nothing but rounding, and of a satellite it is more than all torques on it. So here the branch's
momentum as seen from a frame that moves along with the link's origin without turning, (L, q), is gathered from the
twists, and V x* P is written with it, h and M being first moment and mass of the branch:

    (w x (L + h x v) + v x q,  w x (q + M v)).
"""

from __future__ import annotations

from linkwork.formulations.recursive.closing_rows import add_reactions
from linkwork.formulations.recursive.gravity import propagate_first_moment
from linkwork.formulations.recursive.link_transforms import Link, link_at, twist_to_link, wrench_to_parent
from linkwork.formulations.recursive.momenta import branch_force, put_momentum_rate
from linkwork.formulations.recursive.workspace import RecursiveWork
from linkwork.kernels.jit import kernel
from linkwork.kernels.spatial.inertias import rigid_times
from linkwork.kernels.spatial.vectors import Six, add_to6, get6, put6, sub6
from linkwork.kernels.tables import Floats
from linkwork.kernels.tuple_access import at3
from linkwork.kernels.vec3 import Vec, add, cross, scale
from linkwork.system.links import Links
from linkwork.system.links.linktree import FIXED, TRANSLATION


@kernel
def relative_momenta(links: Links, recursion: RecursiveWork, table: Floats) -> None:
    """(L, q) of all branches into a table (n, 6), N m s and N s, impulses sigma of closing rows with them; first_moment
    and branch_mass of all branches. Reads twist, joint_rate, sigma."""
    n = links.kind.shape[0]
    for k in range(n):
        V = get6(recursion.twist, k)
        put6(table, k, rigid_times(links.rigid, k, 0, (V[0], V[1], V[2], 0.0, 0.0, 0.0)))
    add_reactions(links, recursion, recursion.sigma.shape[0], table)
    for k in range(n - 1, -1, -1):
        link = link_at(links, recursion, k)
        propagate_first_moment(links, recursion, k, link)
        if link.inner:
            u = relative_velocity(links, recursion, k, link)
            P, h = get6(table, k), at3(recursion.first_moment, k, 0)
            n_, f = add((P[0], P[1], P[2]), cross(h, u)), add((P[3], P[4], P[5]), scale(recursion.branch_mass[k], u))
            add_to6(table, link.parent, wrench_to_parent(links, recursion, k, link, (*n_, *f)))


@kernel
def relative_velocity(links: Links, recursion: RecursiveWork, k: int, link: Link) -> Vec:
    """Velocity of link k's origin less that of its parent's, m/s in link k's frame: w x r of the parent's turning, and
    what the joint slides."""
    W, i = get6(recursion.twist, link.parent), link.dof
    u = twist_to_link(links, recursion, k, link, (W[0], W[1], W[2], 0.0, 0.0, 0.0))
    if link.kind == TRANSLATION:
        return (u[3] + recursion.joint_rate[i], u[4] + recursion.joint_rate[i + 1], u[5] + recursion.joint_rate[i + 2])
    slide, rate = links.slide_per_q[k], recursion.driven_rate[k]
    if slide != 0.0 and link.kind != FIXED:
        rate = recursion.joint_rate[i]
    return (u[3], u[4], u[5] + slide * rate)


@kernel
def sliding_momentum_rates(links: Links, recursion: RecursiveWork, out: Floats, weight: bool) -> None:
    """pdot of all links into out[dofs :], as `momenta.momentum_rates`. Reads twist, joint_rate, sigma, branch_wrench,
    and gravity if `weight`; spatial_acceleration is work space."""
    d, table = recursion.joint_rate.shape[0], recursion.spatial_acceleration
    relative_momenta(links, recursion, table)
    for k in range(links.kind.shape[0]):
        kind = links.kind[k]
        if kind != FIXED:
            F = branch_force(recursion, k, at3(recursion.gravity, k, 0), weight, True)
            N = sub6(F, momentum_turning(recursion, k, get6(table, k)))
            put_momentum_rate(links, k, kind, d + links.dof[k], N, out)


@kernel
def momentum_turning(recursion: RecursiveWork, k: int, P: Six) -> Six:
    """V x* of the momentum of branch k without v x (M v), N m and N. P : (L, q)."""
    V, h, mass = get6(recursion.twist, k), at3(recursion.first_moment, k, 0), recursion.branch_mass[k]
    w, v, q = (V[0], V[1], V[2]), (V[3], V[4], V[5]), (P[3], P[4], P[5])
    n = add(cross(w, add((P[0], P[1], P[2]), cross(h, v))), cross(v, q))
    return (*n, *cross(w, add(q, scale(mass, v))))
