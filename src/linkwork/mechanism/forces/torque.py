"""A torque on a body."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from linkwork.mechanism.elements import Laws, Name, law
from linkwork.mechanism.forces.base import Force
from linkwork.mechanism.joints.base import Joint
from linkwork.mechanism.lowered import ZERO3, LoweredLoad
from linkwork.mechanism.markers import Poses


class Torque(Force):
    """`components` (N m, constants or formulas of time and state) on `body`, in 'global' or 'body' axes."""

    type: Literal["torque"] = "torque"
    body: Name
    components: Laws
    axes: Literal["global", "body"] = "global"

    def bodies(self) -> dict[str, str]:
        return {"body": self.body}

    def lower(self, poses: Poses, joints: Mapping[str, Joint]) -> LoweredLoad:
        x, y, z = (law(c) for c in self.components)
        return LoweredLoad(
            name=self.name,
            body=poses.index(self.body),
            point=ZERO3,
            body_axes=self.axes == "body",
            torque=True,
            components=(x, y, z),
        )
