"""How far each joint of a recorded motion is from being met, and the work that reactions do along it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import UnsupportedElementError
from linkwork.mechanism import Mechanism
from linkwork.mechanism.lowered import Row
from linkwork.result import Result

Array = NDArray[Any]
Pose = tuple[Array, Array]  # r (nt, 3), A (nt, 3, 3)


def joint_violations(mechanism: Mechanism, result: Result) -> dict[str, Array]:
    """joint -> (nt,) the norm of the residuals of its rows: for a ball joint the distance of ball and socket, m.

    Written from the rows' definitions [Kissel 2021, eqs. 1-4], apart from the kernels that the run has used.
    Raises UnsupportedElementError for a joint whose rows are not geometric.
    """
    lowered = mechanism.lower()
    poses = [(result.position(body.name), result.rotation(body.name)) for body in lowered.bodies]
    still = (np.zeros((result.time.size, 3)), np.broadcast_to(np.eye(3), (result.time.size, 3, 3)))
    poses.append(still)  # ground has index -1
    return {
        joint.name: np.sqrt(sum((_residual(lowered.rows[k], poses) ** 2 for k in joint.rows), 0.0 * result.time))
        for joint in lowered.joints
        if joint.kind == "joint"
    }


def slip_work(mechanism: Mechanism, result: Result) -> dict[str, Array]:
    """joint -> (nt,) J, what its reaction force has done while its two points moved apart.

    Zero in the exact motion. For joints that hold two points together (ball joints); torques are left out.
    Raises UnsupportedElementError for other joints. The integral is the trapezoidal rule's over the samples.
    """
    lowered = mechanism.lower()
    out = {}
    for joint in lowered.joints:
        if joint.type != "spherical":
            raise UnsupportedElementError(
                f"work along a violation is for ball joints, not {joint.type}.", element=joint.name
            )
        row, force = lowered.rows[joint.rows[0]], result.reaction(joint.name).force
        names = {k: body.name for k, body in enumerate(lowered.bodies)}
        apart = _velocity(result, names.get(row.body_j), row.s_j) - _velocity(result, names.get(row.body_i), row.s_i)
        power = (force * apart).sum(axis=1)
        steps = 0.5 * (power[1:] + power[:-1]) * np.diff(result.time)
        out[joint.name] = np.concatenate((np.zeros(1), np.cumsum(steps)))
    return out


def _velocity(result: Result, body: str | None, point: tuple[float, float, float]) -> Array:
    """(nt, 3) m/s global, of a point given in body components; ground for None."""
    if body is None:
        return np.zeros((result.time.size, 3))
    turning = np.cross(result.angular_velocity(body), np.array(point))
    velocity: Array = result.velocity(body) + np.einsum("tij,tj->ti", result.rotation(body), turning)
    return velocity


def _residual(row: Row, poses: list[Pose]) -> Array:
    if row.kind not in RESIDUALS or not isinstance(row.f, float):
        raise UnsupportedElementError(f"violations of {row.kind} rows are not measured.", element=row.name)
    value: Array = RESIDUALS[row.kind](row, poses[row.body_i], poses[row.body_j]) - row.f
    return value


def _separation(row: Row, i: Pose, j: Pose) -> Array:
    d: Array = j[0] + j[1] @ np.array(row.s_j) - i[0] - i[1] @ np.array(row.s_i)
    return d


def _cd(row: Row, i: Pose, j: Pose) -> Array:
    out: Array = _separation(row, i, j) @ np.array(row.a_i)
    return out


def _dp1(row: Row, i: Pose, j: Pose) -> Array:
    out: Array = ((i[1] @ np.array(row.a_i)) * (j[1] @ np.array(row.a_j))).sum(axis=1)
    return out


def _dp2(row: Row, i: Pose, j: Pose) -> Array:
    out: Array = ((i[1] @ np.array(row.a_i)) * _separation(row, i, j)).sum(axis=1)
    return out


def _d(row: Row, i: Pose, j: Pose) -> Array:
    out: Array = (_separation(row, i, j) ** 2).sum(axis=1)
    return out


def _screw(row: Row, i: Pose, j: Pose) -> Array:
    slid = ((i[1] @ np.array(row.n)) * _separation(row, i, j)).sum(axis=1)
    a_i, b_i, a_j = i[1] @ np.array(row.a_i), i[1] @ np.array(row.b_i), j[1] @ np.array(row.a_j)
    angle = np.arctan2((b_i * a_j).sum(axis=1), (a_i * a_j).sum(axis=1))
    lead = 2.0 * np.pi * abs(row.scalar)
    out: Array = np.remainder(slid - row.scalar * angle + 0.5 * lead, lead) - 0.5 * lead
    return out


RESIDUALS: dict[str, Callable[[Row, Pose, Pose], Array]] = {
    "CD": _cd, "DP1": _dp1, "DP2": _dp2, "D": _d, "SCREW": _screw,
}  # fmt: skip
