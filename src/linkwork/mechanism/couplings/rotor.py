"""The inertia of a motor's rotor behind a gear, on a joint's coordinate: what MJCF calls armature."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from linkwork.mechanism import joint_coordinates
from linkwork.mechanism.couplings.base import Coordinates, JointCoupling, On, Which
from linkwork.mechanism.elements import Name, Number, Positive, invalid
from linkwork.mechanism.joint_coordinates import ROTATION, has_ball, names_of_joint
from linkwork.mechanism.joints.base import Joint
from linkwork.mechanism.lowered import CoupledTerm, LoweredCoupling


class Rotor(JointCoupling):
    """A rotor of `inertia` (kg m^2) that turns at ratio q': it adds inertia ratio^2 to what resists q'' of `joint`.

    The coordinate `rotation` of balls stands for all three of their turns: the kinetic energy is inertia ratio^2
    |omega|^2 / 2, omega being the relative angular velocity, which is no rate of coordinates. On a joint with a ball,
    `coordinate` left out means that and all displacements, as MuJoCo's armature of ball and free joints does.
    Of the rotor's spin nothing but that counts: its gyroscopic torque and its mass belong to the body that carries it.
    """

    type: Literal["rotor"] = "rotor"
    joint: Name
    coordinate: Which | None = None
    inertia: Positive
    ratio: Number = 1.0

    def on(self) -> tuple[On, ...]:
        return (On(self.joint, self.coordinate),)

    def links(self) -> bool:
        return False

    def which(self, joints: Mapping[str, Joint]) -> list[tuple[str, str]]:
        joint = joints[self.joint]
        if not has_ball(joint):
            return super().which(joints)
        names: tuple[str, ...] = (*names_of_joint(joint), ROTATION)
        asked = (
            names if self.coordinate is None else (joint_coordinates.which_of(joint, self.coordinate, "is on", names),)
        )
        return [(joint.name, one) for one in asked]

    def lower(self, coordinates: Coordinates) -> list[LoweredCoupling]:
        if self.ratio == 0.0:
            raise invalid("has the ratio 0")
        found: list[LoweredCoupling] = []
        for joint, one in self.which(coordinates.joints):
            whole = one == ROTATION
            for q in coordinates.angular_velocity_of(joint) if whole else (coordinates.of(On(joint, one)),):
                term = CoupledTerm(q, (self.ratio, 0.0, 0.0, 0.0))
                found.append(LoweredCoupling(self.name, (term,), 0.0, inertia=self.inertia, on=f"{joint}.{one}"))
        return found
