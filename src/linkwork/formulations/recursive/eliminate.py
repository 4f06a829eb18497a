"""Articulated inertias from the tips to the base [Naudet 2003, eqs. 27, 38, 39].

A freedom E of joint k takes A E E^T A / (E^T A E) from the inertia A that the branch shows; the rest goes to the
parent.
The freedoms of a joint that has several are taken one after the other, so that nothing but numbers is divided by
(`triples`).
"""

from __future__ import annotations

from typing import Any

from linkwork.formulations.recursive.link_transforms import inertia_upwards, link_at
from linkwork.formulations.recursive.three_freedom_joints import LEAST, SHIFTS, TURNS, take_three
from linkwork.kernels.jit import kernel
from linkwork.kernels.spatial.inertias import (
    add_to21,
    differences,
    get21,
    inertia_up,
    put21,
    rigid_inertia,
    turned_up_x,
    turned_up_z,
    with_rigid,
)
from linkwork.kernels.tuple_access import at3, at9
from linkwork.status import Status
from linkwork.system.links.linktree import (
    BALL,
    CC,
    CS,
    HELD,
    P_,
    PER_SLIDE,
    PER_TURN,
    R_,
    SCREW,
    SLIDES,
    SS,
    TURN,
    TWICE_COS,
)

OK, SINGULAR, NOT_FINITE = int(Status.OK), int(Status.SINGULAR), int(Status.NOT_FINITE)
ALL, RATES, MOMENTA = range(3)  # what elimination keeps of pins

# where entry (r, c) of the 6 x 6 stands among the 21
ENTRY_OF = (
    (0, 1, 2, 6, 7, 8),
    (1, 3, 4, 9, 10, 11),
    (2, 4, 5, 12, 13, 14),
    (6, 9, 12, 15, 16, 17),
    (7, 10, 13, 16, 18, 19),
    (8, 11, 14, 17, 19, 20),
)


@kernel
def eliminate(links: Any, own: Any) -> int:
    """own.acc, own.w and own.over of the placed joints. Fails where a freedom moves nothing that has inertia."""
    for k in range(links.what.shape[0] - 1, -1, -1):
        if not eliminate_link(links, own, k, link_at(links, own, k), ALL):
            return SINGULAR
    return OK


@kernel
def eliminate_link(links: Any, own: Any, k: Any, link: Any, kept: Any) -> bool:
    """Of one link whose branches are done. kept : what is left in own of pins: ALL that there is, or what is needed for
    RATES (second ones) or MOMENTA alone."""
    if link.kind == TURN:
        done = take_turn(links, own, k, link, kept)
    else:
        put21(own.acc, k, branch(links, own, k, link))
        done = take_others(links, own, k, link)
        if done and link.inner:
            hand_on(links, own, k, link, inertia_upwards(links, own, k, get21(own.acc, k)))
    if not done:
        own.report[0], own.report[1] = 0.0, k
    return done


@kernel
def branch(links: Any, own: Any, k: Any, link: Any) -> Any:
    """The inertia of link k's body and of the branches behind it, which own.acc holds."""
    if link.leaf:
        return rigid_inertia(links.rigid, k)
    return with_rigid(get21(own.acc, k), links.rigid, k)


@kernel
def hand_on(links: Any, own: Any, k: Any, link: Any, A: Any) -> None:
    """An inertia to the parent: the last child, which comes first, begins the sum."""
    if link.last_child:
        put21(own.acc, link.parent, A)
    else:
        add_to21(own.acc, link.parent, A)


@kernel
def fill_inertias(links: Any, own: Any) -> None:
    """own.acc: rigid bodies."""
    for k in range(links.what.shape[0]):
        put21(own.acc, k, rigid_inertia(links.rigid, k))


@kernel
def take_turn(links: Any, own: Any, k: Any, link: Any, kept: Any) -> bool:
    """A pin joint: what it leaves has no torque about z. Of one on ground, momenta need own.over alone."""
    acc, w, i = own.acc, own.w, link.dof
    if kept == MOMENTA and not link.inner:
        return take_spin(links, own, k, link)
    B = branch(links, own, k, link)
    Ixz, Iyz, d = B[2], B[4], B[5]
    Hx, Hy, Hz = B[12], B[13], B[14]
    if not d.real > LEAST * max(B[0].real, B[3].real):
        return False
    over = 1.0 / d
    own.over[i] = over
    wx, wy, ux, uy, uz = Ixz * over, Iyz * over, Hx * over, Hy * over, Hz * over
    w[i, 0], w[i, 1], w[i, 3], w[i, 4], w[i, 5] = wx, wy, ux, uy, uz
    A = (
        B[0] - Ixz * wx, B[1] - Ixz * wy, B[3] - Iyz * wy,
        B[6] - Ixz * ux, B[7] - Ixz * uy, B[8] - Ixz * uz, B[9] - Iyz * ux, B[10] - Iyz * uy, B[11] - Iyz * uz,
        B[15] - Hx * ux, B[16] - Hx * uy, B[17] - Hx * uz, B[18] - Hy * uy, B[19] - Hy * uz, B[20] - Hz * uz,
    )  # fmt: skip
    if kept != MOMENTA:
        acc[k, 0], acc[k, 1], acc[k, 2], acc[k, 3], acc[k, 4] = A[0], A[2], A[3], A[4], A[6]
        acc[k, 5], acc[k, 6], acc[k, 7], acc[k, 8] = A[7], A[9], A[12], A[14]
    acc[k, 9], acc[k, 10], acc[k, 11] = A[1], A[5], A[8]
    acc[k, 12], acc[k, 13], acc[k, 14] = A[10], A[11], A[13]
    if link.inner:
        off, screw, (d_z, c_z, s_z) = differences(A), links.screw, link.z
        if kept != RATES:
            acc[k, 15], acc[k, 16], acc[k, 17], acc[k, 18] = off[0], off[1], off[2], off[3]
        A = turned_up_z(A, off, d_z, c_z, s_z, c_z + c_z)
        if link.general:
            lift_turned(links, own, k, link, A)
        else:
            d_x, c_x, s_x = link.x
            whole = turned_up_x(A, d_x, c_x, s_x, screw[k, TWICE_COS], screw[k, CC], screw[k, SS], screw[k, CS])
            hand_on(links, own, k, link, whole)
    return True


@kernel
def take_spin(links: Any, own: Any, k: Any, link: Any) -> bool:
    """A pin joint on ground: own.over alone."""
    rigid, acc = links.rigid, own.acc
    x, y, d = rigid[k, 0], rigid[k, 3], rigid[k, 5]
    if not link.leaf:
        x, y, d = acc[k, 0] + x, acc[k, 3] + y, acc[k, 5] + d
    if not d.real > LEAST * max(x.real, y.real):
        return False
    own.over[link.dof] = 1.0 / d
    return True


@kernel
def lift_turned(links: Any, own: Any, k: Any, link: Any, A: Any) -> None:
    """What a pin joint leaves, through a general displacement to the parent."""
    whole = (
        A[0], A[1], 0.0, A[2], 0.0, 0.0, A[3], A[4], A[5], A[6], A[7], A[8], 0.0, 0.0, 0.0,
        A[9], A[10], A[11], A[12], A[13], A[14],
    )  # fmt: skip
    hand_on(links, own, k, link, inertia_up(whole, at3(links.general, k, P_), at9(links.general, k, R_)))


@kernel
def take_others(links: Any, own: Any, k: Any, link: Any) -> bool:
    """Any other joint."""
    if link.kind == BALL:
        return bool(take_three(own, k, link.dof, TURNS))
    if link.kind == SLIDES:
        return bool(take_three(own, k, link.dof, SHIFTS))
    return link.kind == HELD or bool(take_screw(links, own, k, link.dof))


@kernel
def take_screw(links: Any, own: Any, k: Any, i: Any) -> bool:
    """A shift along z, or one that goes with a turn about it."""
    acc, w, turn, slide = own.acc, own.w, links.screw[k, PER_TURN], links.screw[k, PER_SLIDE]
    for r in range(6):
        w[i, r] = turn * acc[k, ENTRY_OF[r][2]] + slide * acc[k, ENTRY_OF[r][5]]
    d = turn * w[i, 2] + slide * w[i, 5]
    size = acc[k, 0] + acc[k, 3] + acc[k, 5] if turn != 0.0 else acc[k, 15] + acc[k, 18] + acc[k, 20]
    if not d.real > LEAST * size.real or not d.real > 0.0:
        return False
    over = 1.0 / d
    own.over[i] = over
    for r in range(6):
        for c in range(r, 6):
            acc[k, ENTRY_OF[r][c]] -= w[i, r] * w[i, c] * over
    for r in range(6):
        w[i, r] *= over
    return True


@kernel
def freedom(links: Any, k: Any, kind: Any, j: Any) -> Any:
    """E of freedom j as two entries: `turn` at component `about`, `slide` at component 5."""
    if kind <= SCREW:
        return links.screw[k, PER_TURN], links.screw[k, PER_SLIDE], 2
    if kind == BALL:
        return 1.0, 0.0, j
    return 1.0, 0.0, 3 + j
