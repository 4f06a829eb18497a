"""A linkwork mechanism as plain data for a peer; what the peer could not be given is refused by name."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.models import GROUND, BodyData, DriverData, JointData, ModelData, SpringData, Vector


class Untranslatable(Exception):
    """The mechanism has an element for which no peer model is made here."""


def translate(mechanism: Any) -> ModelData:
    """The data of a `linkwork.Mechanism`: joints, linear angle drivers and springs; raw constraints are refused."""
    from linkwork.mechanism.markers import Poses

    if mechanism.constraints:
        raise Untranslatable(f"raw constraint {mechanism.constraints[0].name!r}")
    poses = Poses(mechanism.bodies)
    joints = tuple(_joint(joint, poses) for joint in mechanism.joints)
    return ModelData(
        mechanism.name,
        tuple(_body(body) for body in poses.bodies),
        joints,
        tuple(_driver(driver) for driver in mechanism.drivers),
        tuple(_spring(force, poses) for force in mechanism.forces),
        mechanism.gravity,
        _planar(joints, len(mechanism.bodies)),
    )


def _body(body: Any) -> BodyData:
    if body.mass is None or body.inertia is None:
        raise Untranslatable(f"body {body.name!r} without mass or inertia")
    fields = (body.inertia, body.position, body.rotation, body.velocity, body.angular_velocity)
    return BodyData(body.name, float(body.mass), *(np.asarray(field, dtype=float) for field in fields))


def _joint(joint: Any, poses: Any) -> JointData:
    i, j = joint.markers(poses)
    first, second = poses.index(joint.first), poses.index(joint.second)
    rolling = joint.type == "rolling-disc"
    point = poses.world_point(first, i.point) if rolling else poses.world_point(second, j.point)
    axis, axis2 = poses.world(first, i.z), poses.world(second, j.z)
    radius = float(joint.radius) if rolling else 0.0
    return JointData(
        joint.name, joint.type, joint.first, joint.second, _triple(point), _triple(axis), _triple(axis2), radius
    )


def _driver(driver: Any) -> DriverData:
    """A driver of constant rate; others would need their formula in the peer's language."""
    from linkwork.mechanism.expressions import Expression

    f, rate, second = Expression.parse(driver.f).jet(np.linspace(0.0, 3.0, 7))
    if np.ptp(rate) > 1e-12 * abs(rate[0]) or np.any(second) or abs(f[0]) > 1e-12:
        raise Untranslatable(f"driver {driver.name!r}, which is not a constant rate from zero")
    return DriverData(driver.joint, rate=float(rate[0]))


def _spring(force: Any, poses: Any) -> SpringData:
    if force.type != "spring":
        raise Untranslatable(f"force {force.name!r} of type {force.type}")
    spring = force.lower(poses, {})
    if getattr(spring.actuator, "constant", spring.actuator) != 0.0:
        raise Untranslatable(f"spring {force.name!r} with an actuator")
    return SpringData(force.first, force.second, spring.s_i, spring.s_j, spring.stiffness, spring.damping, spring.rest)


def _planar(joints: tuple[JointData, ...], bodies: int) -> frozenset[str]:
    """The joint of a planar one-loop linkage that repeats what the others say: the last that is not on ground."""
    axes = np.array([joint.axis for joint in joints])
    parallel = bool(np.all(np.abs(np.abs(axes @ axes[0]) - 1.0) < 1e-9))
    if len(joints) != bodies + 1 or not parallel or any(joint.type != "revolute" for joint in joints):
        return frozenset()
    return frozenset([joint.name for joint in joints if GROUND not in (joint.first, joint.second)][-1:])


def _triple(v: Any) -> Vector:
    return (float(v[0]), float(v[1]), float(v[2]))
