"""From link to link: what a twist becomes on the way to the tips, a wrench and an inertia on the way to the base."""

from __future__ import annotations

from typing import NamedTuple

from linkwork.formulations.recursive.three_freedom_joints import ANGULAR, LINEAR, inertia_of_half
from linkwork.formulations.recursive.workspace import RecursiveWork
from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import rotate, rotate_t
from linkwork.kernels.natural import natural
from linkwork.kernels.spatial.displacements import rotation_at, translation_at
from linkwork.kernels.spatial.inertias import Inertia, inertia_up, inertia_up_x, inertia_up_z, masses_up, turned
from linkwork.kernels.spatial.vectors import (
    Six,
    twist_down,
    twist_down_x,
    twist_down_z,
    wrench_up,
    wrench_up_x,
    wrench_up_z,
)
from linkwork.kernels.tuple_access import at3
from linkwork.kernels.vec3 import Vec, add, cross
from linkwork.system.links import Links
from linkwork.system.links.linktree import (
    DOF,
    IS_GENERAL,
    IS_LAST_CHILD,
    IS_LEAF,
    KIND,
    PARENT,
    SPHERICAL,
    TRANSLATION,
    X_STEP,
)


class Link(NamedTuple):
    """What recursions ask of a link again and again, read once: compiled code would read it again after every write."""

    kind: int
    dof: int  # its first coordinate
    parent: int
    inner: bool  # whether the parent is another link, not ground
    leaf: bool  # whether no link follows
    last_child: bool  # whether none of its parent's other children comes later
    general: bool  # whether a general fixed displacement stands before the joint, links.fixed
    x: Vec  # shift along x, cosine and sine of the turn about it, before the joint; not where that is general
    z: Vec  # shift along z, cosine and sine of the turn about it, of the joint; not of those of three freedoms


@kernel
def link_at(links: Links, recursion: RecursiveWork, k: int) -> Link:
    """The `Link` of link k at the joints set."""
    row = links.numbers
    parent = natural(row[k, PARENT])
    return Link(
        row[k, KIND], natural(row[k, DOF]), parent, parent < row.shape[0], row[k, IS_LEAF] == 1,
        row[k, IS_LAST_CHILD] == 1, row[k, IS_GENERAL] == 1, at3(links.screws, k, X_STEP),
        (recursion.z_shift[k], recursion.cos[k], recursion.sin[k]),
    )  # fmt: skip


@kernel
def twist_to_link(links: Links, recursion: RecursiveWork, k: int, link: Link, V: Six) -> Six:
    """A twist (or acceleration) of the parent's frame, in link k's: X V, as if the joint stood still [Featherstone
    2008, 2.8]."""
    if link.general:
        V = twist_through_fixed(links, k, V)
    else:
        V = twist_down_x(V, *link.x)
    if link.kind < SPHERICAL:
        return twist_down_z(V, *link.z)
    return twist_through_three(recursion, links.pose_index[k], link.kind, V)


@kernel
def twist_through_fixed(links: Links, k: int, V: Six) -> Six:
    """A twist through the general fixed displacement of link k, links.fixed[k]."""
    return twist_down(V, translation_at(links.fixed, k), rotation_at(links.fixed, k))


@kernel
def wrench_through_fixed(links: Links, k: int, P: Six) -> Six:
    """A wrench or momentum back through the general fixed displacement of link k, links.fixed[k]."""
    return wrench_up(P, translation_at(links.fixed, k), rotation_at(links.fixed, k))


@kernel
def twist_through_three(recursion: RecursiveWork, b: int, kind: int, V: Six) -> Six:
    """A twist through spherical joint or free translation b (row of recursion.pose), to the frame behind it."""
    w, v = (V[0], V[1], V[2]), (V[3], V[4], V[5])
    if kind == TRANSLATION:
        return (*w, *add(v, cross(w, translation_at(recursion.pose, b))))
    R = rotation_at(recursion.pose, b)
    return (*rotate_t(R, w), *rotate_t(R, v))


@kernel
def wrench_to_parent(links: Links, recursion: RecursiveWork, k: int, link: Link, P: Six) -> Six:
    """A wrench or momentum of link k's frame, in the parent's: X^T P [Featherstone 2008, 2.8]."""
    if link.kind < SPHERICAL:
        P = wrench_up_z(P, *link.z)
    else:
        P = wrench_through_three(recursion, links.pose_index[k], link.kind, P)
    if link.general:
        return wrench_through_fixed(links, k, P)
    return wrench_up_x(P, *link.x)


@kernel
def wrench_through_three(recursion: RecursiveWork, b: int, kind: int, P: Six) -> Six:
    """A wrench or momentum back through spherical joint or free translation b (row of recursion.pose)."""
    n, f = (P[0], P[1], P[2]), (P[3], P[4], P[5])
    if kind == TRANSLATION:
        return (*add(n, cross(translation_at(recursion.pose, b), f)), *f)
    R = rotation_at(recursion.pose, b)
    return (*rotate(R, n), *rotate(R, f))


@kernel
def inertia_to_parent(links: Links, recursion: RecursiveWork, k: int, A: Inertia) -> Inertia:
    """What link k's joint has left of an inertia in the link's frame, in the parent's: X^T A X."""
    kind, c = links.kind[k], recursion.cos[k]
    if kind >= SPHERICAL:
        return half_inertia_to_parent(links, recursion, k, kind, A)
    A = inertia_up_z(A, recursion.z_shift[k], c, recursion.sin[k], c + c)
    if links.is_general[k] == 1:
        return inertia_up(A, translation_at(links.fixed, k), rotation_at(links.fixed, k))
    return inertia_up_x(A, links.x_shift[k], links.x_cos[k], links.x_sin[k], links.x_twice_cos[k])


@kernel
def half_inertia_to_parent(links: Links, recursion: RecursiveWork, k: int, kind: int, A: Inertia) -> Inertia:
    """`inertia_to_parent` for joints of three freedoms, which leave one 3 x 3 block: M of a spherical joint turns and
    shifts; I of a free translation turns with fixed displacements alone, whatever the shift."""
    if kind == SPHERICAL:
        M = turned((A[15], A[16], A[17], A[18], A[19], A[20]), rotation_at(recursion.pose, links.pose_index[k]))
        if links.is_general[k] == 1:
            return masses_up(turned(M, rotation_at(links.fixed, k)), translation_at(links.fixed, k))
        A = inertia_of_half(M, ANGULAR)
    elif links.is_general[k] == 1:
        return inertia_of_half(turned((A[0], A[1], A[2], A[3], A[4], A[5]), rotation_at(links.fixed, k)), LINEAR)
    return inertia_up_x(A, links.x_shift[k], links.x_cos[k], links.x_sin[k], links.x_twice_cos[k])
