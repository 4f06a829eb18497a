"""An elastic coupling of two joint coordinates: a gear, a belt, a rack and pinion, a finger that follows another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from linkwork.mechanism.elements import Name, NotNegative, Number, Positive
from linkwork.mechanism.expressions import Expression
from linkwork.mechanism.forces.on_joint import Coordinate, OnJoint, quantity_of
from linkwork.mechanism.joints.base import Joint
from linkwork.mechanism.lowered import LoweredEffort
from linkwork.mechanism.markers import Poses
from linkwork.mechanism.measuring import rate, value


class Coupling(OnJoint):
    """Holds q - ratio q2 - offset at zero, q a coordinate of `joint` and q2 one of `joint2`, elastically.

    The mesh's `stiffness` and `damping` are those of q: N m/rad or N/m. The couple on `joint2` is ratio times as large:
    what one side gives the other takes, but for what damping loses. ratio is m/rad for a rack on a pinion.
    """

    type: Literal["coupling"] = "coupling"
    joint2: Name
    coordinate2: Coordinate | None = None
    ratio: Number = 1.0
    offset: Number = 0.0
    stiffness: Positive
    damping: NotNegative = 0.0

    def joints(self) -> tuple[str, ...]:
        return (self.joint, self.joint2)

    def lower(self, poses: Poses, joints: Mapping[str, Joint]) -> list[LoweredEffort]:
        q, _ = quantity_of(joints[self.joint], self.coordinate, poses)
        q2, _ = quantity_of(joints[self.joint2], self.coordinate2, poses)
        names = {"q": value(q), "rate": rate(q), "q2": value(q2), "rate2": rate(q2)}
        mesh = f"({self.stiffness})*(q - ({self.ratio})*q2 - ({self.offset}))"
        mesh += f" + ({self.damping})*(rate - ({self.ratio})*rate2)"
        first, second = (Expression.of_state(f) for f in (f"-({mesh})", f"({self.ratio})*({mesh})"))
        return [
            LoweredEffort(self.name, q, first, "joint", names),
            LoweredEffort(self.name, q2, second, "joint2", names),
        ]
