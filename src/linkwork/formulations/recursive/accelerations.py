"""The articulated-body algorithm: second rates from forces, in two recursions [Featherstone 2008, 7.3].

A branch needs A a + p at link k; the bias wrench p gathers V x* (I V) - F of its bodies and what the joints' bias
accelerations c = V x E qdot ask for. Weight is an acceleration of the base by -g.
"""

from __future__ import annotations

from linkwork.formulations.recursive.link_transforms import Link, link_at, twist_to_link, wrench_to_parent
from linkwork.formulations.recursive.momenta import add_other_rates, bias_beyond_helical, revolute_speed
from linkwork.formulations.recursive.three_freedom_joints import ANGULAR, LINEAR, bias_beyond_three, half_block
from linkwork.formulations.recursive.workspace import RecursiveWork
from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import rotate
from linkwork.kernels.spatial.inertias import get21, inertia_times, rigid_bias
from linkwork.kernels.spatial.vectors import ZERO, Six, add6, add_to6, cross_motion, get6, put6, sub6
from linkwork.kernels.tables import Floats
from linkwork.kernels.tuple_access import at3
from linkwork.kernels.vec3 import add, cross
from linkwork.system.links import Links
from linkwork.system.links.linktree import FIXED, HELICAL, REVOLUTE, SPHERICAL
from linkwork.system.packed import Tables


@kernel
def bias_wrenches(links: Links, recursion: RecursiveWork, forced: bool) -> None:
    """articulated_bias (n, 6) of every link's own body: `bias_wrench`."""
    for k in range(links.kind.shape[0]):
        put6(recursion.articulated_bias, k, bias_wrench(links, recursion, k, forced))


@kernel
def bias_wrench(links: Links, recursion: RecursiveWork, k: int, forced: bool) -> Six:
    """V x* (I V) - F of link k's own body, N m and N at the link's origin; F, applied_wrench, if `forced`."""
    b = rigid_bias(links.rigid, k, 0, get6(recursion.twist, k))
    return sub6(b, get6(recursion.applied_wrench, k)) if forced else b


@kernel
def wrenches_backward(links: Links, recursion: RecursiveWork, moving: bool) -> None:
    """unconstrained_rate of second rates, tips to base; articulated_bias, which holds the bodies' own before, becomes
    that of the branches [Featherstone 2008, 7.3]. moving : with the joints' bias accelerations V x E qdot."""
    n = links.kind.shape[0]
    for k in range(n - 1, -1, -1):
        link = link_at(links, recursion, k)
        b = wrench_beyond_joint(links, recursion, k, link, get6(recursion.articulated_bias, k), moving)
        if link.inner:
            add_to6(recursion.articulated_bias, link.parent, wrench_to_parent(links, recursion, k, link, b))


@kernel
def propagate_wrench(links: Links, recursion: RecursiveWork, k: int, link: Link, forced: bool) -> None:
    """One link of the articulated-body algorithm's backward recursion, its children done: p = V x* (I V) - F + what
    they passed on; p + A c + U D_inv (-E^T (p + A c)) goes to the parent. Writes unconstrained_rate, articulated_bias
    of k and parent."""
    b = bias_wrench(links, recursion, k, forced)
    if not link.leaf:
        b = add6(b, get6(recursion.articulated_bias, k))
    b = wrench_beyond_joint(links, recursion, k, link, b, True)
    if link.inner:
        b = wrench_to_parent(links, recursion, k, link, b)
        if link.last_child:  # comes first, and begins the sum
            put6(recursion.articulated_bias, link.parent, b)
        else:
            add_to6(recursion.articulated_bias, link.parent, b)


@kernel
def wrench_beyond_joint(links: Links, recursion: RecursiveWork, k: int, link: Link, b: Six, moving: bool) -> Six:
    """The bias wrench beyond link k's joint, b being the branch's before it. Writes unconstrained_rate and
    articulated_bias[k]."""
    i = link.dof
    if link.kind != REVOLUTE:
        b = wrench_beyond_other(links, recursion, k, link.kind, i, b, moving)
        put6(recursion.articulated_bias, k, b)
        return b
    force, w = -b[2], recursion.U_D_inv
    if moving:
        V, A, rate = get6(recursion.twist, k), recursion.articulated_inertia, recursion.joint_rate[i]
        c0, c1, c3, c4 = V[1] * rate, -V[0] * rate, V[4] * rate, -V[3] * rate
        b = (
            b[0] + A[k, 0] * c0 + A[k, 9] * c1 + A[k, 2] * c3 + A[k, 3] * c4,
            b[1] + A[k, 9] * c0 + A[k, 1] * c1 + A[k, 4] * c3 + A[k, 5] * c4,
            b[2],
            b[3] + A[k, 2] * c0 + A[k, 4] * c1 + A[k, 6] * c3 + A[k, 12] * c4,
            b[4] + A[k, 3] * c0 + A[k, 5] * c1 + A[k, 12] * c3 + A[k, 7] * c4,
            b[5] + A[k, 10] * c0 + A[k, 11] * c1 + A[k, 13] * c3 + A[k, 14] * c4,
        )
    recursion.unconstrained_rate[i] = force * recursion.D_inv[i]
    b = (
        b[0] + w[i, 0] * force, b[1] + w[i, 1] * force, 0.0 * b[2],
        b[3] + w[i, 3] * force, b[4] + w[i, 4] * force, b[5] + w[i, 5] * force,
    )  # fmt: skip
    put6(recursion.articulated_bias, k, b)
    return b


@kernel
def wrench_beyond_other(links: Links, recursion: RecursiveWork, k: int, kind: int, i: int, b: Six, moving: bool) -> Six:
    """`wrench_beyond_joint` for a joint that is not revolute. Where a free translation has left inertia (rotational),
    its bias acceleration, which is linear, meets none."""
    if kind <= HELICAL:
        force = -(links.turn_per_q[k] * b[2] + links.slide_per_q[k] * b[5])
        if moving:
            b = add6(
                b,
                inertia_times(
                    get21(recursion.articulated_inertia, k), joint_bias_acceleration(links, recursion, k, kind, i)
                ),
            )
        if kind == FIXED:
            return b
        return bias_beyond_helical(recursion, i, force, b)
    n, f = (b[0], b[1], b[2]), (b[3], b[4], b[5])
    if kind == SPHERICAL:
        if moving:
            turning = (recursion.joint_rate[i], recursion.joint_rate[i + 1], recursion.joint_rate[i + 2])
            f = add(
                f,
                rotate(
                    half_block(recursion.articulated_inertia, k, ANGULAR), cross(at3(recursion.twist, k, 3), turning)
                ),
            )
        return (*ZERO, *bias_beyond_three(recursion, i, ANGULAR, ZERO, n, f))
    return (*bias_beyond_three(recursion, i, LINEAR, ZERO, f, n), *ZERO)


@kernel
def joint_bias_acceleration(links: Links, recursion: RecursiveWork, k: int, kind: int, i: int) -> Six:
    """c = V x E qdot of a joint that is not revolute, with E f'' of one that is driven: rad/s^2, m/s^2 in link k's
    frame."""
    E0, E1, E2, E3, E4, E5 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    second = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    rate = recursion.joint_rate
    if kind == FIXED:
        turn, slide = links.turn_per_q[k], links.slide_per_q[k]
        E2, E5 = turn * recursion.driven_rate[k], slide * recursion.driven_rate[k]
        second = (0.0, 0.0, turn * recursion.driven_acceleration[k], 0.0, 0.0, slide * recursion.driven_acceleration[k])
    elif kind == HELICAL:
        E2, E5 = links.turn_per_q[k] * rate[i], links.slide_per_q[k] * rate[i]
    elif kind == SPHERICAL:
        E0, E1, E2 = rate[i], rate[i + 1], rate[i + 2]
    else:
        E3, E4, E5 = rate[i], rate[i + 1], rate[i + 2]
    return add6(cross_motion(get6(recursion.twist, k), (E0, E1, E2, E3, E4, E5)), second)


@kernel
def accelerations_forward(tables: Tables, links: Links, recursion: RecursiveWork, moving: bool, falling: bool) -> None:
    """joint_acceleration (d,) and spatial_acceleration (n, 6) of all links, base to tips.

    moving : with bias accelerations. falling : gravity is taken as acceleration -g of the base."""
    n = links.kind.shape[0]
    base_acceleration(tables, recursion, n, falling)
    for k in range(n):
        link_acceleration(links, recursion, k, link_at(links, recursion, k), moving, recursion.joint_acceleration, 0)


@kernel
def base_acceleration(tables: Tables, recursion: RecursiveWork, n: int, falling: bool) -> None:
    """spatial_acceleration of ground, row n: zero, or -g where links are to weigh (`falling`)."""
    for c in range(3):
        recursion.spatial_acceleration[n, c] = 0.0
        recursion.spatial_acceleration[n, 3 + c] = -tables.gravity[c] if falling else 0.0


@kernel
def link_acceleration(
    links: Links, recursion: RecursiveWork, k: int, link: Link, moving: bool, out: Floats, first: int
) -> None:
    """`accelerations_forward` for link k, whose parent is done: x = X a_parent + c, qddot = unconstrained_rate - (U
    D_inv)^T x, a = x + E qddot. Writes out[first + i :] and spatial_acceleration[k]."""
    kind, i, a = link.kind, link.dof, recursion.spatial_acceleration
    x = twist_to_link(links, recursion, k, link, get6(a, link.parent))
    if kind == REVOLUTE:
        if moving:
            V, rate = get6(recursion.twist, k), recursion.joint_rate[i]
            x = (x[0] + V[1] * rate, x[1] - V[0] * rate, x[2], x[3] + V[4] * rate, x[4] - V[3] * rate, x[5])
        spin = revolute_speed(recursion, i, x)
        out[first + i] = spin - x[2]
        put6(a, k, (x[0], x[1], spin, x[3], x[4], x[5]))
    else:
        if moving:
            x = add6(x, joint_bias_acceleration(links, recursion, k, kind, i))
        if kind != FIXED:
            x = add_other_rates(links, recursion, k, kind, i, x, out, first)
        put6(a, k, x)
