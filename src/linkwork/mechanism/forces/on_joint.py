"""What forces on joint coordinates share: the joint, which coordinate, and its names in formulas."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from linkwork.mechanism.elements import Name, invalid
from linkwork.mechanism.expressions.tree import Node
from linkwork.mechanism.forces.base import Force
from linkwork.mechanism.joints.base import Joint
from linkwork.mechanism.lowered import Quantity
from linkwork.mechanism.markers import Poses
from linkwork.mechanism.measuring import COORDINATES, rate, value

Coordinate = Literal["angle", "displacement"]


class OnJoint(Force):
    """A force on a coordinate of `joint`: its `coordinate` ('angle' or 'displacement') is said where it has both."""

    joint: Name
    coordinate: Coordinate | None = None

    def bodies(self) -> dict[str, str]:
        return {}

    def joints(self) -> tuple[str, ...]:
        return (self.joint,)


def quantity_of(joint: Joint, coordinate: str | None, poses: Poses) -> tuple[Quantity, str]:
    """A joint's coordinate as a quantity, and what it is called."""
    has = joint.coordinates
    if coordinate is None and len(has) == 1:
        coordinate = has[0]
    if coordinate not in has:
        words = " and ".join(has) if has else "no coordinate"
        raise invalid(f"is on joint {joint.name!r} ({joint.type}), which has {words}; say which as 'coordinate'")
    return COORDINATES[coordinate](poses, (joint, *joint.markers(poses))), coordinate


def names_of(quantity: Quantity, coordinate: str) -> Mapping[str, Node]:
    """What formulas of the element call the coordinate and its rate."""
    return {coordinate: value(quantity), "rate": rate(quantity)}
