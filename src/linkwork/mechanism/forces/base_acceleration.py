"""A base that is shaken: in its frame, the mechanism's, every body is pushed against the base's acceleration."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from linkwork.mechanism.elements import Laws, law
from linkwork.mechanism.expressions import Expression
from linkwork.mechanism.forces.base import Force
from linkwork.mechanism.joints.base import Joint
from linkwork.mechanism.lowered import ZERO3, LoweredLoad
from linkwork.mechanism.markers import Poses


class BaseAcceleration(Force):
    """Ground is accelerated by `components` (m/s^2, numbers or formulas): -m a acts at every centre of mass.

    Positions are then those seen from the base. Weight that varies with time is the same, with the opposite sign.
    """

    type: Literal["base-acceleration"] = "base-acceleration"
    components: Laws

    def bodies(self) -> dict[str, str]:
        return {}

    def lower(self, poses: Poses, joints: Mapping[str, Joint]) -> list[LoweredLoad]:
        a = [law(c) for c in self.components]
        made = []
        for k, body in enumerate(poses.bodies):
            mass = body.mass or 0.0
            x, y, z = (Expression.parse(c) * -mass if isinstance(c, Expression) else -mass * c for c in a)
            made.append(LoweredLoad(self.name, k, ZERO3, body_axes=False, torque=False, components=(x, y, z)))
        return made
