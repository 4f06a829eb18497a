"""What every coupling has: joints with their coordinates, and the sums that it holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from linkwork.mechanism.elements import Element, Name, Text, invalid
from linkwork.mechanism.joints.base import Joint
from linkwork.mechanism.lowered import CoupledTerm, LoweredCoupling, Quantity
from linkwork.mechanism.markers import Poses
from linkwork.mechanism.measuring import COORDINATES

Which = Literal["angle", "displacement"]


class On(NamedTuple):
    """A coordinate of a joint: which one, None where the joint has one only."""

    joint: str
    coordinate: str | None = None


class JointCoupling(Element):
    """Base of all couplings: constraints between coordinates of joints, or inertia on them."""

    name: Name
    type: str
    description: Text = ""

    def on(self) -> tuple[On, ...]:
        """The coordinates that it is about."""
        raise NotImplementedError

    def lower(self, coordinates: Coordinates) -> list[LoweredCoupling]:
        """Rows (or rotors) over quantities."""
        raise NotImplementedError

    def links(self) -> bool:
        """Whether it ties its coordinates to each other."""
        return True


class Coordinates:
    """Joint coordinates as quantities."""

    def __init__(self, poses: Poses, joints: Mapping[str, Joint]) -> None:
        self.poses, self.joints = poses, joints

    def of(self, on: On, *, wanted: str | None = None) -> Quantity:
        """One of them. wanted : the only one that makes sense. Refuses what the joint does not have."""
        joint = self.joints[on.joint]
        which = which_of(joint, on.coordinate or wanted)
        return COORDINATES[which](self.poses, (joint, *joint.markers(self.poses)))


def which_of(joint: Joint, asked: str | None) -> str:
    """The coordinate that is meant; refuses one that the joint does not have."""
    has = joint.coordinates
    if not has:
        raise invalid(f"is on joint {joint.name!r}, but a {joint.type} joint has no coordinate to couple")
    if asked is None:
        if len(has) > 1:
            raise invalid(f"does not say which coordinate: joint {joint.name!r} has {' and '.join(has)}")
        return has[0]
    if asked not in has:
        raise invalid(f"couples the {asked} of joint {joint.name!r}, which has only: {', '.join(has)}")
    return asked


def linear(name: str, terms: list[tuple[Quantity, float]], constant: float, label: str = "") -> LoweredCoupling:
    """sum c q + constant = 0."""
    return LoweredCoupling(name, tuple(CoupledTerm(q, (c, 0.0, 0.0, 0.0)) for q, c in terms), constant, label=label)
