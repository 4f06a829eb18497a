"""The state of joint coordinates with rates or momenta: set from base and increment psi, accepted, and the rates of
psi.

psi holds increments of the d coordinates (of a spherical joint: its rotation vector), then of rates or momenta.
"""

from __future__ import annotations

import numpy as np

from linkwork.equations.time import evaluate_time
from linkwork.formulations.recursive.workspace import RecursiveWork
from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import matmul, rotate
from linkwork.kernels.natural import natural
from linkwork.kernels.sincos import cosines_and_sines
from linkwork.kernels.so3 import exp_so3, orthonormalise, right_jacobian_inverse
from linkwork.kernels.spatial.displacements import rotation_at, set_rotation, set_translation, translation_at
from linkwork.kernels.tables import Floats
from linkwork.kernels.tuple_access import set3, set9
from linkwork.kernels.vec3 import add, dot
from linkwork.problems.explicit import A, R, Work
from linkwork.problems.implicit import DRIVE
from linkwork.status import Status
from linkwork.system.links import Links
from linkwork.system.links.linktree import FIXED, FREEDOMS, REVOLUTE, SPHERICAL, TRANSLATION
from linkwork.system.packed import Tables

OK, ROTATION_TOO_LARGE, NOT_FINITE = int(Status.OK), int(Status.ROTATION_TOO_LARGE), int(Status.NOT_FINITE)
LARGEST_TURN2 = np.pi**2  # rad^2, of a spherical joint within a step
LARGEST = float(np.finfo(float).max)


@kernel
def set_joints(work: Work, links: Links, recursion: RecursiveWork, speeds: Floats) -> int:
    """Every elementary joint at base and increment work.psi: angle, cos, sin, shift, pose; and its rates or momenta,
    `speeds` (d,).

    Returns ROTATION_TOO_LARGE where a spherical joint turns by pi or more within a step.
    """
    n, d, psi = links.kind.shape[0], natural(recursion.joint_rate.shape[0]), work.psi
    for k in range(n):
        if links.kind[k] == REVOLUTE:
            i = natural(links.dof[k])
            recursion.angle[k] = links.angle_0[k] + (recursion.base[i, 0] + psi[i])
            speeds[i] = recursion.base[d + i, 0] + psi[d + i]
    for j in range(links.not_revolute.shape[0]):
        k = natural(links.not_revolute[j])
        if set_other_joint(work, links, recursion, k, speeds) != OK:
            return ROTATION_TOO_LARGE
    cosines_and_sines(n, recursion.angle, recursion.cos, recursion.sin)
    return OK


@kernel
def set_joints_and_frames(tables: Tables, work: Work, links: Links, recursion: RecursiveWork, speeds: Floats) -> int:
    """`set_joints` after formulas of time; then frames of links and poses of bodies."""
    evaluate_time(tables, work)
    status = set_joints(work, links, recursion, speeds)
    if status == OK:
        set_link_frames(links, recursion)
        set_body_poses(work, links, recursion)
    return status


@kernel
def set_other_joint(work: Work, links: Links, recursion: RecursiveWork, k: int, speeds: Floats) -> int:
    """`set_joints` for a joint that is not revolute: shift and driven rates, or its row of pose."""
    kind, i, b = links.kind[k], natural(links.dof[k]), links.pose_index[k]
    psi, d = work.psi, recursion.joint_rate.shape[0]
    rate, acceleration = recursion.driven_rate, recursion.driven_acceleration
    for j in range(FREEDOMS[kind]):
        speeds[i + j] = recursion.base[d + i + j, 0] + psi[d + i + j]
    if kind < SPHERICAL:
        q, row = 0.0, links.driver[k]
        rate[k], acceleration[k] = 0.0, 0.0
        if row >= 0:
            q = work.row[row, DRIVE]
            rate[k], acceleration[k] = work.row[row, DRIVE + 1], work.row[row, DRIVE + 2]
        elif kind != FIXED:
            q = recursion.base[i, 0] + psi[i]
        recursion.angle[k] = links.angle_0[k] + links.turn_per_q[k] * q
        recursion.z_shift[k] = links.z_shift_0[k] + links.slide_per_q[k] * q
        return OK
    x = (psi[i], psi[i + 1], psi[i + 2])
    if kind == TRANSLATION:
        set_translation(recursion.pose, b, add(translation_at(recursion.base_pose, b), x))
        return OK
    if not dot(x, x).real < LARGEST_TURN2:
        return ROTATION_TOO_LARGE
    set_rotation(recursion.pose, b, matmul(rotation_at(recursion.base_pose, b), exp_so3(x)))
    return OK


@kernel
def set_link_frames(links: Links, recursion: RecursiveWork) -> None:
    """Frames of all links in space, link_frame (n, 12): R to global components, origin in m. Base to tips."""
    world = recursion.link_frame
    for k in range(links.kind.shape[0]):
        p, kind, b = natural(links.parent[k]), links.kind[k], links.pose_index[k]
        R_p, r_p = rotation_at(world, p), translation_at(world, p)
        if links.is_general[k] == 1:
            r = add(r_p, rotate(R_p, translation_at(links.fixed, k)))
            turn = matmul(R_p, rotation_at(links.fixed, k))
        else:
            a, c, s = links.x_shift[k], links.x_cos[k], links.x_sin[k]
            r = add(r_p, rotate(R_p, (a, 0.0, 0.0)))
            turn = matmul(R_p, (1.0, 0.0, 0.0, 0.0, c, -s, 0.0, s, c))
        if kind < SPHERICAL:
            c, s = recursion.cos[k], recursion.sin[k]
            r = add(r, rotate(turn, (0.0, 0.0, recursion.z_shift[k])))
            turn = matmul(turn, (c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0))
        elif kind == TRANSLATION:
            r = add(r, rotate(turn, translation_at(recursion.pose, b)))
        else:
            turn = matmul(turn, rotation_at(recursion.pose, b))
        set_rotation(world, k, turn)
        set_translation(world, k, r)


@kernel
def set_body_poses(work: Work, links: Links, recursion: RecursiveWork) -> None:
    """Columns R and A of work.motion, r (m) and rotation matrix of all bodies, from link_frame."""
    m = work.motion
    for k in range(links.kind.shape[0]):
        b = links.body[k]
        if b >= 0:
            turn = rotation_at(recursion.link_frame, k)
            set3(
                m, b, R, add(translation_at(recursion.link_frame, k), rotate(turn, translation_at(links.body_frame, k)))
            )
            set9(m, b, A, matmul(turn, rotation_at(links.body_frame, k)))


@kernel
def accept_coordinates(links: Links, recursion: RecursiveWork, work: Work) -> None:
    """The coordinates set become the base; rotation matrices are made orthonormal."""
    base, psi = recursion.base, work.psi
    for k in range(links.kind.shape[0]):
        kind, i, b = links.kind[k], natural(links.dof[k]), links.pose_index[k]
        if kind == SPHERICAL:
            set_rotation(recursion.base_pose, b, orthonormalise(rotation_at(recursion.pose, b)))
        elif kind == TRANSLATION:
            set_translation(recursion.base_pose, b, translation_at(recursion.pose, b))
        elif kind != FIXED:
            add_compensated(base, i, psi[i])


@kernel
def add_compensated(base: Floats, i: int, increment: float) -> None:
    """Add an increment to base[i, 0], and keep what rounding loses in base[i, 1] for the next time (Kahan's sum)."""
    old, wanted = base[i, 0], increment - base[i, 1]
    new = old + wanted
    base[i, 1] = (new - old) - wanted
    base[i, 0] = new


@kernel
def accept_rates(work: Work, recursion: RecursiveWork) -> None:
    """Rates or momenta of the base; and work.size, what errors in them are measured against: the largest, weighed."""
    d, largest = recursion.joint_rate.shape[0], 0.0
    for i in range(d, 2 * d):
        add_compensated(recursion.base, i, work.psi[i])
        largest = max(largest, abs(recursion.base[i, 0]) * recursion.weights[i])
    for i in range(d, 2 * d):
        work.size[i] = largest


@kernel
def coordinate_rates(work: Work, links: Links, recursion: RecursiveWork) -> int:
    """work.psi_rate[: d] from joint_rate; of spherical joints the rotation vector's, dexp_-psi^-1 omega. NOT_FINITE
    where a rate is not finite."""
    d, total = natural(recursion.joint_rate.shape[0]), 0.0
    for i in range(d):
        work.psi_rate[i] = recursion.joint_rate[i]
        total += recursion.joint_rate[i] + work.psi_rate[d + i]
    if recursion.pose.shape[0] > 0:
        rotation_vector_rates(work, links, recursion)
    return OK if abs(total.real) <= LARGEST else NOT_FINITE


@kernel
def rotation_vector_rates(work: Work, links: Links, recursion: RecursiveWork) -> None:
    """Rates of the increments psi of spherical joints: right_jacobian_inverse(psi) omega."""
    psi, slope = work.psi, work.psi_rate
    for k in range(links.kind.shape[0]):
        if links.kind[k] == SPHERICAL:
            i = links.dof[k]
            x = (psi[i], psi[i + 1], psi[i + 2])
            w = rotate(
                right_jacobian_inverse(x),
                (recursion.joint_rate[i], recursion.joint_rate[i + 1], recursion.joint_rate[i + 2]),
            )
            slope[i], slope[i + 1], slope[i + 2] = w[0], w[1], w[2]
