"""The axes that joints keep parallel, told apart from antiparallel ones.

The rows x_i . z_j = 0 and y_i . z_j = 0 of a hinge are met as well with its axis turned round, and those of a weld
in four attitudes. Far from assembly these rows are therefore read as the whole turn that brings the axes together:
its components about x_i and y_i, and, where the joint locks it, the turn about z_i that is left.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.kernels.mat33 import rotate
from linkwork.kernels.vec3 import cross, dot
from linkwork.system.compiled import CompiledMechanism
from linkwork.system.dense import Parts, Pose, crossed

Array = NDArray[np.float64]
FAR = 0.3  # rad: below this the rows themselves lead to the right attitude
DELIBERATE = 1e-3  # axes given antiparallel as exactly as this are meant so


class Axes(NamedTuple):
    """A joint's rows that keep its axes parallel; `turn` is the row that also locks the turn about them, or -1."""

    joint: str
    first: int
    second: int
    turn: int


def aligned_axes(mechanism: CompiledMechanism) -> list[Axes]:
    """Every joint that keeps an axis of one body along one of the other."""
    rows, found = mechanism.lowered.rows, []
    for joint in mechanism.lowered.joints:
        still = [k for k in joint.rows if rows[k].kind == "DP1" and rows[k].f == 0.0]
        if joint.kind != "joint" or len(still) < 2:
            continue
        first, second = still[0], still[1]
        if rows[first].a_j == rows[second].a_j and rows[first].body_i == rows[second].body_i:
            found.append(Axes(joint.name, first, second, still[2] if len(still) > 2 else -1))
    return found


def misalignment(mechanism: CompiledMechanism, axes: Axes, pose: Pose) -> tuple[float, float]:
    """(angle between the two axes, turn about them that is locked or 0) [rad]."""
    rows, k = mechanism.system.rows, axes.first
    local = cross(rows.a_i[k].tolist(), rows.a_i[axes.second].tolist())
    z_i = rotate(pose.A[rows.body_i[k]].tolist(), local)
    z_j = rotate(pose.A[rows.body_j[k]].tolist(), rows.a_j[k].tolist())
    angle = math.atan2(math.hypot(*cross(z_i, z_j)), dot(z_i, z_j))
    if axes.turn < 0:
        return angle, 0.0
    return angle, abs(_turn_left(mechanism, axes, pose))


def _global(mechanism: CompiledMechanism, axes: Axes, pose: Pose) -> tuple[Array, Array, Array, Array, Array]:
    """Axes x, y, z of body i in body components and in global ones, A_i, A_j, and z of body j in global ones."""
    rows = mechanism.system.rows
    A_i = pose.A[rows.body_i[axes.first]].reshape(3, 3)
    A_j = pose.A[rows.body_j[axes.first]].reshape(3, 3)
    x, y = rows.a_i[axes.first], rows.a_i[axes.second]
    local = np.array([x, y, crossed(x, y)])
    return (local, local @ A_i.T, A_i, A_j, A_j @ rows.a_j[axes.first])


def _turn_left(mechanism: CompiledMechanism, axes: Axes, pose: Pose) -> float:
    """The angle from x_i to x_j about the common axis; x_j = y_j x z_j."""
    rows, k = mechanism.system.rows, axes.turn
    A_i, A_j = pose.A[rows.body_i[k]].reshape(3, 3), pose.A[rows.body_j[k]].reshape(3, 3)
    y_j, z_j = A_j @ rows.a_j[k], A_j @ rows.a_j[axes.first]
    x_i = A_i @ rows.a_i[k]
    return float(np.arctan2(-(x_i @ y_j), x_i @ crossed(y_j, z_j)))


def misaligned(mechanism: CompiledMechanism, axes: list[Axes], pose: Pose) -> list[Axes]:
    """The joints whose axes are to be brought together here: far from it, and not antiparallel on purpose."""
    found = []
    for one in axes:
        angle, turn = misalignment(mechanism, one, pose)
        opposite = min(np.pi - angle, angle) < DELIBERATE and min(np.pi - turn, turn) < DELIBERATE
        if (angle > FAR or turn > FAR) and not opposite:
            found.append(one)
    return found


def misaligned_at(mechanism: CompiledMechanism, pose: Pose) -> list[Axes]:
    """`misaligned` of all joints; at the start pose found once."""
    if pose.r is mechanism.r and pose.A is mechanism.A:
        return mechanism.once("misaligned", lambda: misaligned(mechanism, aligned_axes(mechanism), pose))
    return misaligned(mechanism, aligned_axes(mechanism), pose)


def apart(mechanism: CompiledMechanism, pose: Pose) -> list[str]:
    """Joints whose two halves are given far from each other in direction at a pose, in words."""
    found = []
    for one in misaligned_at(mechanism, pose):
        angle, turn = misalignment(mechanism, one, pose)
        what, by = ("axes of its two bodies are", angle) if angle > FAR else ("two bodies are turned by", turn)
        degrees = f"{np.degrees(by):.3g} degrees"
        said = f"the {what} {degrees} apart" if angle > FAR else f"its {what} {degrees} about its axis"
        found.append(f"joint {one.joint!r}: {said} at the start pose; assembly turns bodies until they fit")
    return found


def straighten(mechanism: CompiledMechanism, axes: list[Axes], pose: Pose, parts: Parts) -> None:
    """Replace values and Jacobian parts of these joints' rows by those of the whole turn, in place.

    The parts are those of aligned axes: exact at the end, and leading there from everywhere.
    """
    phi, G_i, G_j, _ = parts
    for one in axes:
        local, (x_i, y_i, z_i), A_i, A_j, z_j = _global(mechanism, one, pose)
        sine = np.array([x_i @ z_j, y_i @ z_j])
        size = float(np.hypot(*sine))
        angle = float(np.arctan2(size, z_i @ z_j))
        # z_j is z_i turned by `angle` towards (x_i, y_i) . sine; opposite axes may turn either way
        phi[[one.first, one.second]] = angle * (sine / size if size > 1e-9 else np.array([1.0, 0.0]))
        about = {one.first: local[1], one.second: -local[0]}
        if one.turn >= 0:
            phi[one.turn] = -_turn_left(mechanism, one, pose)
            about[one.turn] = -local[2]
        for k, axis in about.items():
            G_i[k], G_j[k] = 0.0, 0.0
            G_i[k, 3:], G_j[k, 3:] = -axis, A_j.T @ A_i @ axis
