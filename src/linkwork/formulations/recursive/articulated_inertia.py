"""Articulated inertias, tips to base [Naudet 2003, eqs. 27, 38, 39; Featherstone 2008, 7.2].

With E (6, f) a joint's freedoms in the link's frame and A the inertia of the branch behind it: U = A E, D = E^T U, and
A - U D^-1 U^T goes to the parent. Freedoms are eliminated one after the other, so D is a number and D_inv its inverse;
U_D_inv keeps U D^-1. An inertia is 21 numbers, the angular part first (`kernels.spatial`).
"""

from __future__ import annotations

from linkwork.formulations.recursive.link_transforms import Link, inertia_to_parent, link_at
from linkwork.formulations.recursive.three_freedom_joints import ANGULAR, LEAST, LINEAR, eliminate_three
from linkwork.formulations.recursive.workspace import RecursiveWork
from linkwork.kernels.jit import kernel
from linkwork.kernels.spatial.displacements import rotation_at, translation_at
from linkwork.kernels.spatial.inertias import (
    Inertia,
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
from linkwork.kernels.tuple_access import at4
from linkwork.status import Status
from linkwork.system.links import Links
from linkwork.system.links.linktree import FIXED, HELICAL, REVOLUTE, SPHERICAL, TRANSLATION, X_PRODUCTS

OK, SINGULAR = int(Status.OK), int(Status.SINGULAR)
KEEP_ALL, KEEP_FOR_RATES, KEEP_FOR_MOMENTA = range(3)  # what elimination keeps of revolute joints

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
def eliminate_joints(links: Links, recursion: RecursiveWork) -> int:
    """Articulated inertias of all links at the joints set, tips to base: `eliminate_joint` with KEEP_ALL.

    Returns SINGULAR where a freedom moves nothing that has inertia; recursion.report then has pivot and link."""
    for k in range(links.kind.shape[0] - 1, -1, -1):
        if not eliminate_joint(links, recursion, k, link_at(links, recursion, k), KEEP_ALL):
            return SINGULAR
    return OK


@kernel
def eliminate_joint(links: Links, recursion: RecursiveWork, k: int, link: Link, kept: int) -> bool:
    """Eliminate link k's joint, whose children are done: A - U D^-1 U^T to the parent, U = A E, D = E^T U.

    kept : how much of what a revolute joint leaves is written into articulated_inertia[k]: KEEP_ALL, or what the
    forward recursion needs for joint accelerations (KEEP_FOR_RATES) or momentum rates (KEEP_FOR_MOMENTA). Reads
    links.rigid and what the children added; writes U_D_inv, D_inv, articulated_inertia of k and of its parent. False
    where D is nothing.
    """
    if link.kind == REVOLUTE:
        done = eliminate_revolute(links, recursion, k, link, kept)
    else:
        put21(recursion.articulated_inertia, k, branch_inertia(links, recursion, k, link))
        done = eliminate_other(links, recursion, k, link)
        if done and link.inner:
            A = inertia_to_parent(links, recursion, k, get21(recursion.articulated_inertia, k))
            propagate_inertia(links, recursion, k, link, A)
    if not done:
        report_pivot(recursion, 0.0, k)
    return done


@kernel
def report_pivot(recursion: RecursiveWork, pivot: float, place: int) -> None:
    """Why a factorisation failed: its smallest pivot, relative, and the link or row that it belongs to."""
    recursion.report[0], recursion.report[1] = pivot, place


@kernel
def branch_inertia(links: Links, recursion: RecursiveWork, k: int, link: Link) -> Inertia:
    """Articulated inertia of link k before its joint: its body's (links.rigid) and what its children have passed on."""
    if link.leaf:
        return rigid_inertia(links.rigid, k)
    return with_rigid(get21(recursion.articulated_inertia, k), links.rigid, k)


@kernel
def propagate_inertia(links: Links, recursion: RecursiveWork, k: int, link: Link, A: Inertia) -> None:
    """Add an inertia in the parent's frame to articulated_inertia of link k's parent. Of siblings the last comes first:
    it begins the sum."""
    if link.last_child:
        put21(recursion.articulated_inertia, link.parent, A)
    else:
        add_to21(recursion.articulated_inertia, link.parent, A)


@kernel
def set_rigid_inertias(links: Links, recursion: RecursiveWork) -> None:
    """articulated_inertia of all links (n, 21) from their bodies alone, links.rigid (n, 10)."""
    for k in range(links.kind.shape[0]):
        put21(recursion.articulated_inertia, k, rigid_inertia(links.rigid, k))


@kernel
def eliminate_revolute(links: Links, recursion: RecursiveWork, k: int, link: Link, kept: int) -> bool:
    """`eliminate_joint` for a turn about z: D = I_zz, U the third column; what is left has no row for torque about z.

    Of a joint on ground KEEP_FOR_MOMENTA needs D_inv alone."""
    acc, w, i = recursion.articulated_inertia, recursion.U_D_inv, link.dof
    if kept == KEEP_FOR_MOMENTA and not link.inner:
        return eliminate_revolute_on_ground(links, recursion, k, link)
    B = branch_inertia(links, recursion, k, link)
    Ixz, Iyz, d = B[2], B[4], B[5]
    Hx, Hy, Hz = B[12], B[13], B[14]
    if not d.real > LEAST * max(B[0].real, B[3].real):
        return False
    over = 1.0 / d
    recursion.D_inv[i] = over
    wx, wy, ux, uy, uz = Ixz * over, Iyz * over, Hx * over, Hy * over, Hz * over
    w[i, 0], w[i, 1], w[i, 3], w[i, 4], w[i, 5] = wx, wy, ux, uy, uz
    A = (
        B[0] - Ixz * wx, B[1] - Ixz * wy, B[3] - Iyz * wy,
        B[6] - Ixz * ux, B[7] - Ixz * uy, B[8] - Ixz * uz, B[9] - Iyz * ux, B[10] - Iyz * uy, B[11] - Iyz * uz,
        B[15] - Hx * ux, B[16] - Hx * uy, B[17] - Hx * uz, B[18] - Hy * uy, B[19] - Hy * uz, B[20] - Hz * uz,
    )  # fmt: skip
    if kept != KEEP_FOR_MOMENTA:
        acc[k, 0], acc[k, 1], acc[k, 2], acc[k, 3], acc[k, 4] = A[0], A[2], A[3], A[4], A[6]
        acc[k, 5], acc[k, 6], acc[k, 7], acc[k, 8] = A[7], A[9], A[12], A[14]
    acc[k, 9], acc[k, 10], acc[k, 11] = A[1], A[5], A[8]
    acc[k, 12], acc[k, 13], acc[k, 14] = A[10], A[11], A[13]
    if link.inner:
        off, (d_z, c_z, s_z) = differences(A), link.z
        if kept != KEEP_FOR_RATES:
            acc[k, 15], acc[k, 16], acc[k, 17], acc[k, 18] = off[0], off[1], off[2], off[3]
        A = turned_up_z(A, off, d_z, c_z, s_z, c_z + c_z)
        if link.general:
            propagate_through_fixed(links, recursion, k, link, A)
        else:
            d_x, c_x, s_x = link.x
            twice_cos, cc, ss, cs = at4(links.screws, k, X_PRODUCTS)
            whole = turned_up_x(A, d_x, c_x, s_x, twice_cos, cc, ss, cs)
            propagate_inertia(links, recursion, k, link, whole)
    return True


@kernel
def eliminate_revolute_on_ground(links: Links, recursion: RecursiveWork, k: int, link: Link) -> bool:
    """D_inv = 1 / I_zz of a revolute joint on ground, from I_xx, I_yy, I_zz alone. False where it is nothing."""
    rigid, acc = links.rigid, recursion.articulated_inertia
    x, y, d = rigid[k, 0], rigid[k, 3], rigid[k, 5]
    if not link.leaf:
        x, y, d = acc[k, 0] + x, acc[k, 3] + y, acc[k, 5] + d
    if not d.real > LEAST * max(x.real, y.real):
        return False
    recursion.D_inv[link.dof] = 1.0 / d
    return True


@kernel
def propagate_through_fixed(links: Links, recursion: RecursiveWork, k: int, link: Link, A: Inertia) -> None:
    """The 15 numbers that a revolute joint leaves (`inertias.turned_up_z`), carried through the general fixed
    displacement of link k to its parent."""
    whole = (
        A[0], A[1], 0.0, A[2], 0.0, 0.0, A[3], A[4], A[5], A[6], A[7], A[8], 0.0, 0.0, 0.0,
        A[9], A[10], A[11], A[12], A[13], A[14],
    )  # fmt: skip
    propagate_inertia(
        links, recursion, k, link, inertia_up(whole, translation_at(links.fixed, k), rotation_at(links.fixed, k))
    )


@kernel
def eliminate_other(links: Links, recursion: RecursiveWork, k: int, link: Link) -> bool:
    """`eliminate_joint` for any other joint, articulated_inertia[k] being its branch's; a FIXED one has nothing to
    eliminate."""
    if link.kind == SPHERICAL:
        return bool(eliminate_three(recursion, k, link.dof, ANGULAR))
    if link.kind == TRANSLATION:
        return bool(eliminate_three(recursion, k, link.dof, LINEAR))
    return link.kind == FIXED or bool(eliminate_helical(links, recursion, k, link.dof))


@kernel
def eliminate_helical(links: Links, recursion: RecursiveWork, k: int, i: int) -> bool:
    """Eliminate coordinate i of link k: E = (0, 0, turn_per_q; 0, 0, slide_per_q), a slide along z or a screw about it.

    Reads articulated_inertia[k] and rotor[i], which resists this coordinate alone; writes articulated_inertia[k],
    U_D_inv[i] and D_inv[i]. False where D is rounding beside I or M."""
    acc, w, turn, slide = recursion.articulated_inertia, recursion.U_D_inv, links.turn_per_q[k], links.slide_per_q[k]
    for r in range(6):
        w[i, r] = turn * acc[k, ENTRY_OF[r][2]] + slide * acc[k, ENTRY_OF[r][5]]
    d = turn * w[i, 2] + slide * w[i, 5] + recursion.rotor[i]
    size = acc[k, 0] + acc[k, 3] + acc[k, 5] if turn != 0.0 else acc[k, 15] + acc[k, 18] + acc[k, 20]
    if not d.real > LEAST * size.real or not d.real > 0.0:
        return False
    over = 1.0 / d
    recursion.D_inv[i] = over
    for r in range(6):
        for c in range(r, 6):
            acc[k, ENTRY_OF[r][c]] -= w[i, r] * w[i, c] * over
    for r in range(6):
        w[i, r] *= over
    return True


@kernel
def axis_of(links: Links, k: int, kind: int, j: int) -> tuple[float, float, int]:
    """E of freedom j of a joint, as (value at component `about`, value at component 5, about); 6 components, angular
    first."""
    if kind <= HELICAL:
        return links.turn_per_q[k], links.slide_per_q[k], 2
    if kind == SPHERICAL:
        return 1.0, 0.0, j
    return 1.0, 0.0, 3 + j
