"""What forces on joint coordinates share: the joint, which coordinate, and its names in formulas."""

from __future__ import annotations

from collections.abc import Mapping

from linkwork.mechanism import joint_coordinates
from linkwork.mechanism.elements import Name, Text
from linkwork.mechanism.expressions.tree import Node
from linkwork.mechanism.forces.base import Force
from linkwork.mechanism.joint_coordinates import names_of_joint, which_of
from linkwork.mechanism.joints.base import Joint
from linkwork.mechanism.lowered import Quantity
from linkwork.mechanism.markers import Poses
from linkwork.mechanism.measuring import rate, value

Coordinate = Text  # 'angle', 'displacement', 'angle_2', ...: `mechanism.joint_coordinates`


class OnJoint(Force):
    """A force on a coordinate of `joint`: its `coordinate` is said where it has several."""

    joint: Name
    coordinate: Coordinate | None = None

    def bodies(self) -> dict[str, str]:
        return {}

    def joints(self) -> tuple[str, ...]:
        return (self.joint,)


def quantity_of(joint: Joint, coordinate: str | None, poses: Poses) -> tuple[Quantity, str]:
    """A joint's coordinate as a quantity, and what it is called."""
    which = which_of(joint, coordinate, "is on", names_of_joint(joint))
    i, j = joint.markers(poses)
    bodies = (poses.index(joint.first), poses.index(joint.second))
    return joint_coordinates.quantity_of(joint, which, i, j, bodies), which


def names_of(quantity: Quantity, coordinate: str) -> Mapping[str, Node]:
    """What formulas of the element call the coordinate and its rate."""
    return {coordinate: value(quantity), "rate": rate(quantity)}
