"""Multipliers of the rows that joints of the tree hold, from the wrenches that pass through them."""

from __future__ import annotations

from linkwork.formulations.recursive.link_transforms import link_at, twist_to_link
from linkwork.formulations.recursive.workspace import RecursiveWork
from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import rotate, rotate_t
from linkwork.kernels.spatial.displacements import rotation_at, translation_at
from linkwork.kernels.spatial.inertias import get21, inertia_times
from linkwork.kernels.spatial.vectors import Six, add6, get6
from linkwork.kernels.tuple_access import at6
from linkwork.kernels.vec3 import add, cross
from linkwork.problems.explicit import Work
from linkwork.system.links import Links
from linkwork.system.links.linktree import HELICAL, REVOLUTE


@kernel
def joint_multipliers(work: Work, links: Links, recursion: RecursiveWork) -> None:
    """work.lam of the rows that joints of the tree hold, from the wrench through each joint; after accelerations.

    Rows are those of work.G; a joint exerts -G_c^T lambda on its child. Normal equations serve, since the rows of one
    joint are independent."""
    for k in range(links.kind.shape[0]):
        b = links.body[k]
        if b >= 0 and links.joint_start[k + 1] > links.joint_start[k]:
            t = joint_wrench(links, recursion, k)
            p, f = translation_at(links.body_frame, k), (t[3], t[4], t[5])
            n = add((t[0], t[1], t[2]), cross(f, p))
            n = rotate_t(rotation_at(links.body_frame, k), n)
            f = rotate(rotation_at(recursion.link_frame, k), f)
            solve_joint_multipliers(work, links, recursion, k, b, (f[0], f[1], f[2], n[0], n[1], n[2]))


@kernel
def joint_wrench(links: Links, recursion: RecursiveWork, k: int) -> Six:
    """The wrench that the joint before link k exerts on it: A X a_parent + p, what the branch needs."""
    link = link_at(links, recursion, k)
    x = twist_to_link(links, recursion, k, link, get6(recursion.spatial_acceleration, link.parent))
    A, b = recursion.articulated_inertia, get6(recursion.articulated_bias, k)
    if link.kind == HELICAL:  # less what a rotor gives the link about or along the axis
        t = add6(inertia_times(get21(A, k), x), b)
        turn, inertia = links.turn_per_q[k], recursion.rotor[link.dof]
        if turn != 0.0:
            about = inertia * (recursion.spatial_acceleration[k, 2] - x[2]) / (turn * turn)
            return (t[0], t[1], t[2] + about, t[3], t[4], t[5])
        slide = links.slide_per_q[k]
        return (t[0], t[1], t[2], t[3], t[4], t[5] + inertia * (recursion.spatial_acceleration[k, 5] - x[5]) / slide**2)
    if link.kind != REVOLUTE:
        return add6(inertia_times(get21(A, k), x), b)
    return (
        b[0] + A[k, 0] * x[0] + A[k, 9] * x[1] + A[k, 2] * x[3] + A[k, 3] * x[4] + A[k, 10] * x[5],
        b[1] + A[k, 9] * x[0] + A[k, 1] * x[1] + A[k, 4] * x[3] + A[k, 5] * x[4] + A[k, 11] * x[5],
        b[2],
        b[3] + A[k, 2] * x[0] + A[k, 4] * x[1] + A[k, 6] * x[3] + A[k, 12] * x[4] + A[k, 13] * x[5],
        b[4] + A[k, 3] * x[0] + A[k, 5] * x[1] + A[k, 12] * x[3] + A[k, 7] * x[4] + A[k, 14] * x[5],
        b[5] + A[k, 10] * x[0] + A[k, 11] * x[1] + A[k, 13] * x[3] + A[k, 14] * x[4] + A[k, 8] * x[5],
    )


@kernel
def solve_joint_multipliers(work: Work, links: Links, recursion: RecursiveWork, k: int, b: int, wrench: Six) -> None:
    """lambda of one joint's rows with -G_c^T lambda = wrench (force, torque on body b), from G_c G_c^T = L D L^T."""
    first, size, S = links.joint_start[k], links.joint_start[k + 1] - links.joint_start[k], recursion.joint_equations
    t0, t1, t2, t3, t4, t5 = wrench
    for p in range(size):
        row, o = links.joint_row[first + p], 6 * links.joint_side[first + p]
        x0, x1, x2, x3, x4, x5 = at6(work.G, row, o)
        for q in range(p + 1):
            y0, y1, y2, y3, y4, y5 = at6(work.G, links.joint_row[first + q], 6 * links.joint_side[first + q])
            S[p, q] = (x0 * y0 + x1 * y1 + x2 * y2) + (x3 * y3 + x4 * y4 + x5 * y5)
        S[p, 6] = -(x0 * t0 + x1 * t1 + x2 * t2) - (x3 * t3 + x4 * t4 + x5 * t5)
    for p in range(size):  # L below the diagonal, D^-1 on it, and forwards
        for q in range(p):
            for c in range(q):
                S[p, q] -= S[p, c] * S[q, c]
        d, x = S[p, p], S[p, 6]
        for q in range(p):
            share = S[p, q] * S[q, q]
            d -= S[p, q] * share
            x -= share * S[q, 6]
            S[p, q] = share
        S[p, p], S[p, 6] = 1.0 / d, x
    for p in range(size - 1, -1, -1):
        x = S[p, 6] * S[p, p]
        for q in range(p + 1, size):
            x -= S[q, p] * S[q, 6]
        S[p, 6] = x
        work.lam[links.joint_row[first + p]] = x
