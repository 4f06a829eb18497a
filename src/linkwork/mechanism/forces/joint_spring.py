"""A spring and damper on a joint coordinate."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from linkwork.mechanism.elements import Law, Number
from linkwork.mechanism.expressions import Expression
from linkwork.mechanism.forces.on_joint import OnJoint, names_of, quantity_of
from linkwork.mechanism.joints.base import Joint
from linkwork.mechanism.lowered import LoweredEffort
from linkwork.mechanism.markers import Poses


class JointSpring(OnJoint):
    """A spring and damper on a joint's coordinate q: stiffness (q - free) + damping q' + force, against q.

    All are numbers or formulas, which call the coordinate `angle` or `displacement`, and its rate `rate`.
    """

    type: Literal["joint-spring"] = "joint-spring"
    stiffness: Law = 0.0
    damping: Law = 0.0
    free: Number = 0.0
    force: Law = 0.0

    def lower(self, poses: Poses, joints: Mapping[str, Joint]) -> list[LoweredEffort]:
        quantity, coordinate = quantity_of(joints[self.joint], self.coordinate, poses)
        law = f"-(({self.stiffness})*({coordinate} - ({self.free})) + ({self.damping})*rate + ({self.force}))"
        names = names_of(quantity, coordinate)
        parts = self.formulas("stiffness", "damping", "force")
        return [LoweredEffort(self.name, quantity, Expression.of_state(law), "force", names, parts=parts)]
