"""From an increment of the state to placed joints: turns and shifts, and where that is wanted frames in space."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.equations.time import evaluate_time
from linkwork.formulations.recursive.workspace import RATE, RATE2, D
from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import matmul, rotate
from linkwork.kernels.sincos import turns
from linkwork.kernels.so3 import exp_so3, orthonormalise
from linkwork.kernels.tuple_access import at3, at9, natural, set3, set9
from linkwork.kernels.vec3 import add, dot
from linkwork.problems.explicit import A, R
from linkwork.problems.implicit import DRIVE as F_T
from linkwork.status import Status
from linkwork.system.links.linktree import (
    A_X,
    BALL,
    BODY,
    COS,
    DOF,
    DRIVE,
    FREEDOMS,
    GENERAL,
    HELD,
    KIND,
    P_,
    PARENT,
    PER_SLIDE,
    PER_TURN,
    R_,
    SHIFT_0,
    SIN,
    SLIDES,
    TURN,
    TURNED,
)

OK, ROTATION_TOO_LARGE = int(Status.OK), int(Status.ROTATION_TOO_LARGE)
LARGEST_TURN2 = np.pi**2  # of a ball joint within a step


@kernel
def place_joints(work: Any, links: Any, own: Any, speeds: Any) -> int:
    """Every elementary joint at base and increment, and its rates or momenta, which are `speeds`."""
    n, d, psi = links.what.shape[0], natural(own.rate.shape[0]), work.psi
    for k in range(n):
        if links.what[k, KIND] == TURN:
            i = natural(links.what[k, DOF])
            own.angle[k] = links.angle_0[k] + (own.base[i, 0] + psi[i])
            speeds[i] = own.base[d + i, 0] + psi[d + i]
    for j in range(links.others.shape[0]):
        k = natural(links.others[j])
        if place_other(work, links, own, k, speeds) != OK:
            return ROTATION_TOO_LARGE
    turns(n, own.angle, own.cos, own.sin)
    return OK


@kernel
def place_everything(tables: Any, work: Any, links: Any, own: Any, speeds: Any) -> int:
    """Joints, what depends on time, and where frames and bodies are."""
    evaluate_time(tables, work)
    status = place_joints(work, links, own, speeds)
    if status == OK:
        place_frames(links, own)
        place_bodies(work, links, own)
    return status


@kernel
def place_other(work: Any, links: Any, own: Any, k: Any, speeds: Any) -> int:
    """A joint other than a pin."""
    kind, i, b = links.what[k, KIND], natural(links.what[k, DOF]), links.what[k, TURNED]
    now, psi, d = own.now, work.psi, own.rate.shape[0]
    for j in range(FREEDOMS[kind]):
        speeds[i + j] = own.base[d + i + j, 0] + psi[d + i + j]
    if kind < BALL:
        q, row = 0.0, links.what[k, DRIVE]
        now[k, RATE], now[k, RATE2] = 0.0, 0.0
        if row >= 0:
            q = work.row[row, F_T]
            now[k, RATE], now[k, RATE2] = work.row[row, F_T + 1], work.row[row, F_T + 2]
        elif kind != HELD:
            q = own.base[i, 0] + psi[i]
        own.angle[k] = links.angle_0[k] + links.screw[k, PER_TURN] * q
        now[k, D] = links.screw[k, SHIFT_0] + links.screw[k, PER_SLIDE] * q
        return OK
    x = (psi[i], psi[i + 1], psi[i + 2])
    if kind == SLIDES:
        set3(own.pose, b, 9, add(at3(own.base_pose, b, 9), x))
        return OK
    if not dot(x, x).real < LARGEST_TURN2:
        return ROTATION_TOO_LARGE
    set9(own.pose, b, 0, matmul(at9(own.base_pose, b, 0), exp_so3(x)))
    return OK


@kernel
def place_frames(links: Any, own: Any) -> None:
    """Frames of all links in space."""
    world = own.world
    for k in range(links.what.shape[0]):
        p, kind, b = natural(links.what[k, PARENT]), links.what[k, KIND], links.what[k, TURNED]
        R_p, r_p = at9(world, p, 0), at3(world, p, 9)
        if links.what[k, GENERAL] == 1:
            r = add(r_p, rotate(R_p, at3(links.general, k, P_)))
            turn = matmul(R_p, at9(links.general, k, R_))
        else:
            a, c, s = links.screw[k, A_X], links.screw[k, COS], links.screw[k, SIN]
            r = add(r_p, rotate(R_p, (a, 0.0, 0.0)))
            turn = matmul(R_p, (1.0, 0.0, 0.0, 0.0, c, -s, 0.0, s, c))
        if kind < BALL:
            c, s = own.cos[k], own.sin[k]
            r = add(r, rotate(turn, (0.0, 0.0, own.now[k, D])))
            turn = matmul(turn, (c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0))
        elif kind == SLIDES:
            r = add(r, rotate(turn, at3(own.pose, b, 9)))
        else:
            turn = matmul(turn, at9(own.pose, b, 0))
        set9(world, k, 0, turn)
        set3(world, k, 9, r)


@kernel
def place_bodies(work: Any, links: Any, own: Any) -> None:
    """Poses of all bodies."""
    m = work.motion
    for k in range(links.what.shape[0]):
        b = links.what[k, BODY]
        if b >= 0:
            turn = at9(own.world, k, 0)
            set3(m, b, R, add(at3(own.world, k, 9), rotate(turn, at3(links.place, k, 9))))
            set9(m, b, A, matmul(turn, at9(links.place, k, 0)))


@kernel
def settle_coordinates(links: Any, own: Any, work: Any) -> None:
    """The placed coordinates become the base."""
    base, psi = own.base, work.psi
    for k in range(links.what.shape[0]):
        kind, i, b = links.what[k, KIND], natural(links.what[k, DOF]), links.what[k, TURNED]
        if kind == BALL:
            set9(own.base_pose, b, 0, orthonormalise(at9(own.pose, b, 0)))
        elif kind == SLIDES:
            set3(own.base_pose, b, 9, at3(own.pose, b, 9))
        elif kind != HELD:
            add_carefully(base, i, psi[i])


@kernel
def add_carefully(base: Any, i: Any, increment: Any) -> None:
    """Add to entry i, and carry what rounding loses on to the next time (Kahan's sum)."""
    old, wanted = base[i, 0], increment - base[i, 1]
    new = old + wanted
    base[i, 1] = (new - old) - wanted
    base[i, 0] = new
