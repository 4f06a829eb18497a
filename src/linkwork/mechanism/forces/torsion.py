"""The rotational spring-damper-actuator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import model_validator

from linkwork.mechanism.elements import Direction, Law, Name, Number, invalid, law
from linkwork.mechanism.forces.base import Force
from linkwork.mechanism.joints.base import Joint
from linkwork.mechanism.lowered import LoweredTorsion
from linkwork.mechanism.markers import Marker, Poses, marker


class Torsion(Force):
    """Torque stiffness (theta - angle) + damping thetadot + actuator(t) that turns the bodies back towards `angle`.

    On a revolute or cylindrical `joint`, theta being that joint's angle; or between `first` and `second` about
    a global `axis` (fixed in the first body), theta being zero at the start pose. The torque acts on the
    first body along the axis and on the second against it. theta is counted with its turns.
    """

    type: Literal["torsion"] = "torsion"
    joint: Name | None = None
    first: Name | None = None
    second: Name | None = None
    axis: Direction | None = None
    stiffness: Law = 0.0
    damping: Law = 0.0
    angle: Number = 0.0
    actuator: Law = 0.0

    @model_validator(mode="after")
    def _has_an_axis(self) -> Torsion:
        free = [key for key in ("first", "second", "axis") if getattr(self, key) is not None]
        if self.joint is not None and free:
            raise invalid(f"has a joint and also {' and '.join(free)}; give the joint alone, or first, second and axis")
        if self.joint is None and len(free) < 3:
            raise invalid("needs a joint, or first, second and axis")
        return self

    def bodies(self) -> dict[str, str]:
        return {k: v for k, v in (("first", self.first), ("second", self.second)) if v is not None}

    def lower(self, poses: Poses, joints: Mapping[str, Joint]) -> LoweredTorsion:
        if self.joint is not None:
            joint = joints[self.joint]
            first, second = joint.first, joint.second
            i, j = joint.markers(poses)
        else:
            first, second = str(self.first), str(self.second)
            here = marker((0, 0, 0), self.axis, None)
            i, j = (_seen(poses, poses.index(name), here) for name in (first, second))
        return LoweredTorsion(
            name=self.name,
            body_i=poses.index(first),
            body_j=poses.index(second),
            a_i=i.x,
            a_j=j.x,
            n=i.z,
            stiffness=law(self.stiffness),
            damping=law(self.damping),
            angle=self.angle,
            actuator=law(self.actuator),
        )


def _seen(poses: Poses, k: int, here: Marker) -> Marker:
    """A global marker's axes in components of body k."""
    return marker((0, 0, 0), poses.local(k, here.z), poses.local(k, here.x))
