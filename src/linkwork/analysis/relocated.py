"""The same mechanism described at another start state.

Places that were given once in global coordinates mean points of the bodies at the old start pose; they are written
per body, so that moving the bodies does not move the joints on them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.mechanism import Mechanism
from linkwork.mechanism.forces.spherical_spring import SphericalSpring
from linkwork.mechanism.joints.base import Joint
from linkwork.mechanism.joints.distance import Distance
from linkwork.mechanism.markers import Marker, Poses
from linkwork.system import CompiledMechanism

Array = NDArray[np.float64]


def relocated(mechanism: Mechanism, at: CompiledMechanism) -> Mechanism:
    """The mechanism with the start state of `at`, its own compiled form at other poses and velocities.

    Elements of bodies that did not move are left as they are described.
    """
    lowered = at.lowered
    poses = Poses(mechanism.bodies)
    still = {"ground"} | {b.name for k, b in enumerate(lowered.bodies) if _same_pose(b, at.r[k], at.A[k])}
    document = mechanism.to_dict()
    by_name = {one["name"]: one for kind in ("bodies", "joints", "forces") for one in document.get(kind, ())}
    for joint in mechanism.joints:
        if not {joint.first, joint.second} <= still:
            _hold_joint(by_name[joint.name], joint, poses)
    joints = {joint.name: joint for joint in mechanism.joints}
    for force in mechanism.forces:
        if isinstance(force, SphericalSpring):
            by_name[force.name]["free"] = force.free_rotation(poses, joints[force.joint]).tolist()
            continue
        if set(force.bodies().values()) <= still:
            continue
        force.relocate(by_name[force.name], poses, at.A)
    for k, body in enumerate(mechanism.bodies):
        _move_body(by_name[body.name], np.array(body.centre), at, k)
    made = Mechanism.from_dict(document, file=mechanism.file)
    made.reading_notes = list(mechanism.reading_notes)
    return made


def _same_pose(body: Any, r: Array, A: Array) -> bool:
    return np.array_equal(body.position, r) and np.array_equal(body.rotation.ravel(), A)


def _move_body(described: dict[str, Any], c: Array, at: CompiledMechanism, k: int) -> None:
    """Pose and velocity of the described frame, whose centre of mass is at c; what did not change stays as written."""
    old = at.lowered.bodies[k]
    A = at.A[k].reshape(3, 3)
    v, w = at.v[k], at.w[k]
    if not _same_pose(old, at.r[k], at.A[k]):
        described["position"] = (at.r[k] - A @ c).tolist()
        described["rotation"] = A.tolist()
    said = old.stated.velocity and old.stated.angular_velocity
    if not (said and np.array_equal(old.velocity, v) and np.array_equal(old.angular_velocity, w)):
        described["velocity"] = (v - A @ np.cross(w, c)).tolist()
        described["angular_velocity"] = w.tolist()


def _hold_joint(described: dict[str, Any], joint: Joint, poses: Poses) -> None:
    """Write a joint's place per body."""
    if isinstance(joint, Distance):
        joint = joint.at(poses)
        described["length"] = joint.length
    i, j = joint.markers(poses)
    first, second = place_of(joint, poses, joint.first, i), place_of(joint, poses, joint.second, j)
    for key in ("point", "point2", "axis", "axis2", "x", "on_first", "on_second"):
        described.pop(key, None)
    described |= places(joint, first, second)


def place_of(joint: Joint, poses: Poses, body: str, marker: Marker) -> dict[str, Any]:
    """A marker as a place in the described frame of its body."""
    k = poses.index(body)
    point = np.array(marker.point) - poses.point(k, (0.0, 0.0, 0.0))
    return {"point": point.tolist(), "axis": list(marker.z), "x": list(marker.x)}


def places(joint: Joint, first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
    """`on_first` and `on_second` with the keys that this type of joint takes, which validation tells."""
    every: tuple[str, ...] = ("point", "axis", "x")
    keys = {key for key in every if key in joint.needs + joint.may}
    choices: list[tuple[set[str], set[str]]] = [
        (keys, keys),
        (keys, keys & {"point"}),
        (keys & {"point", "axis"}, {"axis"}),
        (set(), {"point", "axis"}),
    ]
    data = {"name": joint.name, "type": joint.type, "first": joint.first, "second": joint.second}
    extra = {key: getattr(joint, key) for key in type(joint).model_fields if key not in Joint.model_fields}
    for of_first, of_second in choices:
        made: dict[str, Any] = {"on_second": {key: second[key] for key in of_second}}
        if of_first:
            made["on_first"] = {key: first[key] for key in of_first}
        try:
            type(joint).model_validate(data | extra | made)
        except ValueError:
            continue
        return made
    raise AssertionError(f"a {joint.type} joint takes no place per body")
