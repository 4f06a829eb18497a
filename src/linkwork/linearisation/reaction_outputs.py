"""Reactions as outputs of linear models: how what a joint exerts changes with small motions, and with multipliers.

    F = - sum_k lambda_k G_k[:3],     T = - sum_k lambda_k A G_k[3:] - A s x F

over the joint's rows, G_k a row's six numbers for the body that the reaction is told on, s the point there.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import UsageError
from linkwork.linearisation.equations import Equations
from linkwork.mechanism.lowered import LoweredJoint
from linkwork.quantities.formulas import REACTIONS

Array = NDArray[np.float64]
AXES = "x", "y", "z"
SHARED_OUT = 1e-8  # of a component: what dependent rows may divide otherwise among themselves


def reaction_names(e: Equations) -> dict[str, tuple[LoweredJoint, str, int]]:
    """Name of an output -> whose reaction it is, 'force' or 'torque', and along which axis."""
    return {
        f"{joint.name}.{word}.{axis}": (joint, kind, k)
        for joint in e.at.lowered.joints
        for word, kind in REACTIONS.items()
        for k, axis in enumerate(AXES)
    }


def reaction_parts(e: Equations, joint: LoweredJoint, kind: str, axis: int, multipliers: Array) -> tuple[Array, Array]:
    """(6 nb,) how a component changes with displacements at held multipliers (nc,), and (nc,) with each of these.

    Raises UsageError where dependent rows leave it open.
    """
    at, rows = e.at, e.at.system.rows
    place, by_multiplier = np.zeros((at.nb + 1, 6)), np.zeros(at.nc)
    body, point = joint.reaction_at
    A, s = at.A[body].reshape(3, 3), np.array(point)
    arm, force, about = A @ s, np.zeros(3), np.zeros(3)  # about in the body
    for k in joint.rows:
        i, j = int(rows.body_i[k]), int(rows.body_j[k])
        of = slice(0, 6) if i == body % (at.nb + 1) else slice(6, 12)
        G, dG = e.rows.G[k, of], e.rows.dG[k, of]
        by_multiplier[k] = _component(kind, axis, -G[:3], -A @ G[3:], arm)
        moved = multipliers[k] * _component(kind, axis, -dG[:3], -A @ dG[3:], arm)
        place[i] += moved[:6]
        place[j] += moved[6:]
        force, about = force - multipliers[k] * G[:3], about - multipliers[k] * G[3:]
    if kind == "torque":  # the body's axes and the arm turn with it
        for c, turn in enumerate(np.eye(3)):
            place[body, 3 + c] += (A @ np.cross(turn, about) - np.cross(A @ np.cross(turn, s), force))[axis]
    _need_determined(e, joint, by_multiplier)
    return place[:-1].ravel(), by_multiplier


def _component(kind: str, axis: int, force: Array, torque: Array, arm: Array) -> Array:
    """Of a force (3, ...) or of the torque (3, ...) about the joint's point, from that about the centre of mass."""
    found: Array = force[axis] if kind == "force" else torque[axis] - np.cross(arm, force, axisb=0, axisc=0)[axis]
    return found


def _need_determined(e: Equations, joint: LoweredJoint, by_multiplier: Array) -> None:
    """Raise UsageError where multipliers that bear no load on any body would change it."""
    if e.velocities.rank == e.at.nc:
        return
    left = by_multiplier / e.velocities.size
    scaled = e.rows_alone * e.unit / e.velocities.size[:, None]
    U = np.linalg.svd(scaled, full_matrices=False)[0][:, : e.velocities.rank]
    left = left - U @ (U.T @ left)
    if np.linalg.norm(left) > SHARED_OUT * np.linalg.norm(by_multiplier / e.velocities.size):
        raise UsageError(
            f"the reaction of joint {joint.name!r} is not determined: rows that depend on each other share it.",
            element=f"mechanism {e.at.lowered.name!r}",
            remedy="Take another component, or joints without redundant rows (`linkwork check` names them).",
        )
