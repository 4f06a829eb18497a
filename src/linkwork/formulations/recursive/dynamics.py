"""Accelerations with applied forces and closed loops, of joints, links and bodies.

Used at every stage where the state has rates, and for samples alone where it has momenta.
"""

from __future__ import annotations

import numpy as np

from linkwork.equations.applied import put_applied_forces
from linkwork.formulations.recursive.accelerations import (
    accelerations_forward,
    bias_wrenches,
    propagate_wrench,
    wrenches_backward,
)
from linkwork.formulations.recursive.closing_factors import solve_sigma
from linkwork.formulations.recursive.closing_rows import (
    acceleration_residual,
    add_reactions,
    body_wrench,
    closing_gamma,
    row_times,
)
from linkwork.formulations.recursive.link_transforms import link_at
from linkwork.formulations.recursive.workspace import RecursiveWork
from linkwork.kernels.dense_qr import RowFactors
from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import rotate, rotate_t
from linkwork.kernels.spatial.displacements import rotation_at, translation_at
from linkwork.kernels.spatial.vectors import NO_WRENCH, get6, put6
from linkwork.kernels.tuple_access import at3, set3
from linkwork.kernels.vec3 import add, cross
from linkwork.problems.explicit import ACC, ALPHA, R, V, W, Work
from linkwork.problems.implicit import NU, PHI
from linkwork.problems.request import POSITION_LEVEL
from linkwork.status import Status
from linkwork.system.links import Links
from linkwork.system.packed import Tables

OK, NOT_FINITE = int(Status.OK), int(Status.NOT_FINITE)
UNITS = 1e-15  # of the largest coordinate: four units in its last place


@kernel
def apply_wrenches(tables: Tables, work: Work, links: Links, recursion: RecursiveWork) -> int:
    """applied_wrench (n, 6): loads, force elements and weight on every link's body, N m and N at the link's origin
    in its frame.

    Writes work.e, too. NOT_FINITE where a torque is no number: an element's whose angle is in doubt.
    """
    e, n = work.e, links.kind.shape[0]
    put_applied_forces(tables, work)
    total = 0.0
    for k in range(n):
        b = links.body[k]
        if b >= 0:
            put6(recursion.applied_wrench, k, body_wrench(links, recursion, k, at3(e, b, 0), at3(e, b, 3)))
            total += e[b, 0] + e[b, 1] + e[b, 2] + e[b, 3] + e[b, 4] + e[b, 5]
        else:
            put6(recursion.applied_wrench, k, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    return OK if abs(total) < np.inf else NOT_FINITE


@kernel
def tree_accelerations(tables: Tables, links: Links, recursion: RecursiveWork, forced: bool) -> None:
    """joint_acceleration and spatial_acceleration of the tree with its loops open, inertias eliminated already. Reads
    twist, joint_rate, and applied_wrench if `forced`; else weight acts."""
    for k in range(links.kind.shape[0] - 1, -1, -1):
        propagate_wrench(links, recursion, k, link_at(links, recursion, k), forced)
    accelerations_forward(tables, links, recursion, True, not forced)


@kernel
def loop_accelerations(tables: Tables, work: Work, links: Links, recursion: RecursiveWork, factors: RowFactors) -> None:
    """After `tree_accelerations`: sigma of the closing rows from J qddot = gamma (Baumgarte's terms with it), and
    accelerations with these reactions."""
    forced = recursion.has_forces[0] == 1
    closing_gamma(tables, work, recursion)
    body_accelerations(tables, work, links, recursion)
    damping, stiffness = work.request.damping[0], work.request.stiffness[0]
    for k in range(recursion.sigma.shape[0]):
        recursion.residual[k] = acceleration_residual(work, recursion, k)
        if k < recursion.held[0] and (damping != 0.0 or stiffness != 0.0):
            share = damping_share(recursion, k)
            rate = row_times(work, recursion, k, V, W) - recursion.closing_row[k, NU]
            recursion.residual[k] += share * damping * rate + stiffness * recursion.closing_row[k, PHI]
    solve_sigma(recursion, factors)
    bias_wrenches(links, recursion, forced)
    add_reactions(links, recursion, recursion.sigma.shape[0], recursion.articulated_bias)
    wrenches_backward(links, recursion, True)
    accelerations_forward(tables, links, recursion, True, not forced)


@kernel
def damping_share(recursion: RecursiveWork, k: int) -> float:
    """Of Baumgarte's 2 alpha, that closing row k takes: half of it at velocity level."""
    return 0.5 if k < recursion.closing_int.shape[0] and recursion.closing_int[k, 3] == 1 else 1.0


@kernel
def body_accelerations(tables: Tables, work: Work, links: Links, recursion: RecursiveWork) -> None:
    """Columns ACC (m/s^2, global) and ALPHA (rad/s^2, in the body) of work.motion from the links' accelerations."""
    m, forced = work.motion, recursion.has_forces[0] == 1
    for k in range(links.kind.shape[0]):
        b = links.body[k]
        if b >= 0:
            a, V_k, p = (
                get6(recursion.spatial_acceleration, k),
                get6(recursion.twist, k),
                translation_at(links.body_frame, k),
            )
            w, alpha = (V_k[0], V_k[1], V_k[2]), (a[0], a[1], a[2])
            x = add((a[3], a[4], a[5]), cross(w, (V_k[3], V_k[4], V_k[5])))
            x = add(x, add(cross(alpha, p), cross(w, cross(w, p))))
            x = rotate(rotation_at(recursion.link_frame, k), x)
            if not forced:
                x = add(x, (tables.gravity[0], tables.gravity[1], tables.gravity[2]))
            set3(m, b, ACC, x)
            set3(m, b, ALPHA, rotate_t(rotation_at(links.body_frame, k), alpha))


@kernel
def closing_correction(tables: Tables, work: Work, links: Links, recursion: RecursiveWork, factors: RowFactors) -> None:
    """The least correction, in kinetic energy, that the closing rows ask for, into joint_acceleration:

        M x + J^T sigma = 0,  J x = -residual;  positions : of coordinates, phi; else of rates, J V - nu.

    Rotors resist, and ask for nothing.

    None where all positions are met to rounding: a row is a difference of coordinates, which are rounded in the last
    place of the largest. What that leaves says nothing, and next to a rank loss a correction of it is not small."""
    missed = 0.0
    for k in range(recursion.sigma.shape[0]):
        if work.request.level[0] == POSITION_LEVEL:
            recursion.residual[k] = recursion.closing_row[k, PHI]
        elif k < recursion.held[0]:
            recursion.residual[k] = row_times(work, recursion, k, V, W) - recursion.closing_row[k, NU]
        else:
            recursion.residual[k] = 0.0
        missed = max(missed, abs(recursion.residual[k]))
    if work.request.level[0] == POSITION_LEVEL and missed <= UNITS * extent(work):
        for k in range(recursion.sigma.shape[0]):
            recursion.residual[k] = 0.0
    for k in range(links.kind.shape[0]):
        put6(recursion.articulated_bias, k, NO_WRENCH)
    solve_sigma(recursion, factors)
    add_reactions(links, recursion, recursion.sigma.shape[0], recursion.articulated_bias)
    wrenches_backward(links, recursion, False)
    accelerations_forward(tables, links, recursion, False, False)


@kernel
def extent(work: Work) -> float:
    """The mechanism's length, or the largest coordinate of a body's centre, m."""
    found: float = abs(work.length[0])
    for b in range(work.motion.shape[0]):
        for c in range(3):
            found = max(found, abs(work.motion[b, R + c]))
    return found
