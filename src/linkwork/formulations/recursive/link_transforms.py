"""From link to link: what a twist becomes on the way down, a wrench and an inertia on the way up."""

from __future__ import annotations

from typing import Any, NamedTuple

from linkwork.formulations.recursive.three_freedom_joints import SHIFTS, TURNS, in_half
from linkwork.formulations.recursive.workspace import D
from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import rotate, rotate_t
from linkwork.kernels.spatial.inertias import inertia_up, inertia_up_x, inertia_up_z, masses_up, turned
from linkwork.kernels.spatial.vectors import twist_down, twist_down_x, twist_down_z, wrench_up, wrench_up_x, wrench_up_z
from linkwork.kernels.tuple_access import at3, at9, natural
from linkwork.kernels.vec3 import add, cross
from linkwork.system.links.linktree import (
    A_X,
    BALL,
    COS,
    DOF,
    GENERAL,
    KIND,
    LAST_CHILD,
    LEAF,
    P_,
    PARENT,
    R_,
    SIN,
    SLIDES,
    TURNED,
    TWICE_COS,
)


class Link(NamedTuple):
    """What recursions ask of a link again and again, read once: compiled code would read it again after every write."""

    kind: Any
    dof: Any
    parent: Any
    inner: Any  # whether the parent is another link, not ground
    leaf: Any
    last_child: Any
    general: Any
    x: Any  # shift along x, cosine and sine of the turn about it; not where it is general
    z: Any  # the same of z; not of balls and free translations


@kernel
def link_at(links: Any, own: Any, k: Any) -> Link:
    """Of link k."""
    what, screw = links.what, links.screw
    parent = natural(what[k, PARENT])
    return Link(
        what[k, KIND], natural(what[k, DOF]), parent, parent < what.shape[0], what[k, LEAF] == 1,
        what[k, LAST_CHILD] == 1, what[k, GENERAL] == 1, (screw[k, A_X], screw[k, COS], screw[k, SIN]),
        (own.now[k, D], own.cos[k], own.sin[k]),
    )  # fmt: skip


@kernel
def down(links: Any, own: Any, k: Any, link: Any, V: Any) -> Any:
    """A twist of the parent's frame, in link k's, as if the joint stood still."""
    if link.general:
        V = down_general(links, k, V)
    else:
        V = twist_down_x(V, *link.x)
    if link.kind < BALL:
        return twist_down_z(V, *link.z)
    return down_many(own, links.what[k, TURNED], link.kind, V)


@kernel
def down_general(links: Any, k: Any, V: Any) -> Any:
    """A twist through a general constant displacement."""
    return twist_down(V, at3(links.general, k, P_), at9(links.general, k, R_))


@kernel
def up_general(links: Any, k: Any, P: Any) -> Any:
    """A wrench through a general constant displacement."""
    return wrench_up(P, at3(links.general, k, P_), at9(links.general, k, R_))


@kernel
def down_many(own: Any, b: Any, kind: Any, V: Any) -> Any:
    """Through a ball joint or a free translation."""
    w, v = (V[0], V[1], V[2]), (V[3], V[4], V[5])
    if kind == SLIDES:
        return (*w, *add(v, cross(w, at3(own.pose, b, 9))))
    R = at9(own.pose, b, 0)
    return (*rotate_t(R, w), *rotate_t(R, v))


@kernel
def up(links: Any, own: Any, k: Any, link: Any, P: Any) -> Any:
    """A wrench in link k's frame, in the parent's."""
    if link.kind < BALL:
        P = wrench_up_z(P, *link.z)
    else:
        P = up_many(own, links.what[k, TURNED], link.kind, P)
    if link.general:
        return up_general(links, k, P)
    return wrench_up_x(P, *link.x)


@kernel
def up_many(own: Any, b: Any, kind: Any, P: Any) -> Any:
    """Through a ball joint or a free translation."""
    n, f = (P[0], P[1], P[2]), (P[3], P[4], P[5])
    if kind == SLIDES:
        return (*add(n, cross(at3(own.pose, b, 9), f)), *f)
    R = at9(own.pose, b, 0)
    return (*rotate(R, n), *rotate(R, f))


@kernel
def inertia_upwards(links: Any, own: Any, k: Any, A: Any) -> Any:
    """What link k's joint has left of an inertia in the link's frame, in the parent's."""
    kind, c, s = links.what[k, KIND], own.cos[k], links.screw
    if kind >= BALL:
        return block_upwards(links, own, k, kind, A)
    A = inertia_up_z(A, own.now[k, D], c, own.sin[k], c + c)
    if links.what[k, GENERAL] == 1:
        return inertia_up(A, at3(links.general, k, P_), at9(links.general, k, R_))
    return inertia_up_x(A, s[k, A_X], s[k, COS], s[k, SIN], s[k, TWICE_COS])


@kernel
def block_upwards(links: Any, own: Any, k: Any, kind: Any, A: Any) -> Any:
    """The same of a joint that leaves but a block: of a free translation it stays where it is, whatever the shift."""
    s = links.screw
    if kind == BALL:
        M = turned((A[15], A[16], A[17], A[18], A[19], A[20]), at9(own.pose, links.what[k, TURNED], 0))
        if links.what[k, GENERAL] == 1:
            return masses_up(turned(M, at9(links.general, k, R_)), at3(links.general, k, P_))
        A = in_half(M, TURNS)
    elif links.what[k, GENERAL] == 1:
        return in_half(turned((A[0], A[1], A[2], A[3], A[4], A[5]), at9(links.general, k, R_)), SHIFTS)
    return inertia_up_x(A, s[k, A_X], s[k, COS], s[k, SIN], s[k, TWICE_COS])
