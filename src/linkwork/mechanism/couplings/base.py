"""What every coupling has: joints with their coordinates, and the sums that it holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from linkwork.mechanism import joint_coordinates
from linkwork.mechanism.elements import Element, Name, Text
from linkwork.mechanism.joint_coordinates import names_of_joint, quantity_of
from linkwork.mechanism.joints.base import Joint
from linkwork.mechanism.lowered import CoupledTerm, LoweredCoupling, Quantity
from linkwork.mechanism.markers import Poses
from linkwork.mechanism.tables import Table

Which = Text  # `angle`, `displacement`, `angle_2`, ...


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

    def which(self, joints: Mapping[str, Joint]) -> list[tuple[str, str]]:
        """The same, as joint and coordinate. Raises ValueError for a coordinate that a joint does not have."""
        return [(on.joint, which_of(joints[on.joint], on.coordinate)) for on in self.on()]

    def bodies(self) -> tuple[str, ...]:
        """The bodies that it is about besides, by name."""
        return ()

    def tables(self, known: Mapping[str, Table]) -> None:
        """Refuse tables that are not among the mechanism's, or do not serve."""

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
        bodies = (self.poses.index(joint.first), self.poses.index(joint.second))
        return quantity_of(joint, which, *joint.markers(self.poses), bodies)

    def angular_velocity_of(self, name: str) -> tuple[Quantity, ...]:
        """Components of the relative angular velocity along the first marker's axes: rates alone."""
        joint = self.joints[name]
        first, _ = joint.markers(self.poses)
        i, j = self.poses.index(joint.first), self.poses.index(joint.second)
        return tuple(Quantity("TURN", i, j, n=axis) for axis in (first.x, first.y, first.z))


def which_of(joint: Joint, asked: str | None) -> str:
    """The coordinate that is meant; refuses one that the joint does not have."""
    return joint_coordinates.which_of(joint, asked, "couples", names_of_joint(joint))


def linear(name: str, terms: list[tuple[Quantity, float]], constant: float, label: str = "") -> LoweredCoupling:
    """sum c q + constant = 0."""
    return LoweredCoupling(name, tuple(CoupledTerm(q, (c, 0.0, 0.0, 0.0)) for q, c in terms), constant, label=label)
