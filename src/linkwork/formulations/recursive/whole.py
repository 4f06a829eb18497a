"""Accelerations of everything: the articulated-body recursions with forces, weight and closed loops; bodies and rows.

Used at every stage by `articulated-body`, and for samples alone by `canonical`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.formulations.recursive.accelerate import (
    bias_wrenches,
    hand_up_wrench,
    pass_accelerations_down,
    pass_wrenches_up,
)
from linkwork.formulations.recursive.link_transforms import down, link_at
from linkwork.formulations.recursive.loops import (
    add_reactions,
    body_wrench,
    held_back,
    place_gamma,
    row_times,
    solve_loops,
)
from linkwork.formulations.recursive.workspace import FORCED
from linkwork.kernels.forces import LoadValues, applied_forces
from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import rotate, rotate_t
from linkwork.kernels.spatial.inertias import get21, inertia_times
from linkwork.kernels.spatial.vectors import add6, get6, put6
from linkwork.kernels.tuple_access import at3, at6, at9, set3
from linkwork.kernels.vec3 import add, cross
from linkwork.problems.explicit import ACC, ALPHA, DAMPING, STIFFNESS, A, R, V, W
from linkwork.problems.implicit import NU, PHI
from linkwork.status import Status
from linkwork.system.links.linktree import BODY, TURN
from linkwork.system.packed import system_of

OK, NOT_FINITE = int(Status.OK), int(Status.NOT_FINITE)


@kernel
def apply_forces(tables: Any, work: Any, links: Any, own: Any) -> int:
    """own.F: loads, springs, torsions and weight on every link's body, in the link's frame. NOT_FINITE where a torque
    is no number: a torsion's whose angle is in doubt."""
    m, e, n = work.motion, work.e, links.what.shape[0]
    for b in range(e.shape[0]):
        for c in range(6):
            e[b, c] = 0.0
    values = LoadValues(work.load_values, work.spring_values, work.torsion_values, work.torsion_angles)
    applied_forces(
        system_of(tables), m[:, R : R + 3], m[:, A : A + 9], m[:, V : V + 3], m[:, W : W + 3], values, e[:, 0:3],
        e[:, 3:6],
    )  # fmt: skip
    total = 0.0
    for k in range(n):
        b = links.what[k, BODY]
        if b >= 0:
            put6(own.F, k, body_wrench(links, own, k, at3(e, b, 0), at3(e, b, 3)))
            total += e[b, 3] + e[b, 4] + e[b, 5]
        else:
            put6(own.F, k, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    return OK if abs(total) < np.inf else NOT_FINITE


@kernel
def accelerate_tree(tables: Any, links: Any, own: Any, forced: Any) -> None:
    """own.second and own.a of the tree as it is, loops open. Needs own.V, own.rate, inertias eliminated, and own.F."""
    for k in range(links.what.shape[0] - 1, -1, -1):
        hand_up_wrench(links, own, k, link_at(links, own, k), forced)
    pass_accelerations_down(tables, links, own, True, not forced)


@kernel
def close_loops(tables: Any, work: Any, links: Any, own: Any, factors: Any) -> None:
    """After `accelerate_tree`: multipliers of the closing rows, and accelerations with them."""
    forced = own.flags[FORCED] == 1
    place_gamma(work, own)
    accelerate_bodies(tables, work, links, own)
    damping, stiffness = work.coef[DAMPING], work.coef[STIFFNESS]
    for k in range(own.sigma.shape[0]):
        own.residual[k] = held_back(work, own, k)
        if damping != 0.0 or stiffness != 0.0:
            share = 0.5 if own.row_int[k, 3] == 1 else 1.0
            rate = row_times(work, own, k, V, W) - own.row[k, NU]
            own.residual[k] += share * damping * rate + stiffness * own.row[k, PHI]
    solve_loops(own, factors)
    bias_wrenches(links, own, forced)
    add_reactions(links, own, own.P)
    pass_wrenches_up(links, own, True)
    pass_accelerations_down(tables, links, own, True, not forced)


@kernel
def accelerate_bodies(tables: Any, work: Any, links: Any, own: Any) -> None:
    """Accelerations of all bodies' centres of mass, from own.a and own.V."""
    m, forced = work.motion, own.flags[FORCED] == 1
    for k in range(links.what.shape[0]):
        b = links.what[k, BODY]
        if b >= 0:
            a, V_k, p = get6(own.a, k), get6(own.V, k), at3(links.place, k, 9)
            w, alpha = (V_k[0], V_k[1], V_k[2]), (a[0], a[1], a[2])
            x = add((a[3], a[4], a[5]), cross(w, (V_k[3], V_k[4], V_k[5])))
            x = add(x, add(cross(alpha, p), cross(w, cross(w, p))))
            x = rotate(at9(own.world, k, 0), x)
            if not forced:
                x = add(x, (tables.gravity[0], tables.gravity[1], tables.gravity[2]))
            set3(m, b, ACC, x)
            set3(m, b, ALPHA, rotate_t(at9(links.place, k, 0), alpha))


@kernel
def share_wrenches(work: Any, links: Any, own: Any) -> None:
    """Multipliers of the rows that joints of the tree hold, from what is passed through them; after accelerations.

    Rows are those of work.G; a joint exerts -G_c^T lambda on its child. Normal equations serve, since the rows of a
    joint are independent.
    """
    for k in range(links.what.shape[0]):
        b = links.what[k, BODY]
        if b >= 0 and links.joint_start[k + 1] > links.joint_start[k]:
            t = passed_on(links, own, k)
            p, f = at3(links.place, k, 9), (t[3], t[4], t[5])
            n = add((t[0], t[1], t[2]), cross(f, p))
            n = rotate_t(at9(links.place, k, 0), n)
            f = rotate(at9(own.world, k, 0), f)
            solve_joint(work, links, own, k, b, (f[0], f[1], f[2], n[0], n[1], n[2]))


@kernel
def passed_on(links: Any, own: Any, k: Any) -> Any:
    """The wrench that the joint before link k exerts on it: what the branch needs."""
    link = link_at(links, own, k)
    x = down(links, own, k, link, get6(own.a, link.parent))
    A, b = own.acc, get6(own.P, k)
    if link.kind != TURN:
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
def solve_joint(work: Any, links: Any, own: Any, k: Any, b: Any, wrench: Any) -> None:
    """lambda of one joint's rows with -G_c^T lambda = wrench, from G_c G_c^T = L D L^T."""
    first, size, S = links.joint_start[k], links.joint_start[k + 1] - links.joint_start[k], own.small
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
