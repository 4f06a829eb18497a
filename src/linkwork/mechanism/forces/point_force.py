"""A force at a point of a body."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from linkwork.mechanism.elements import Laws, Name, Vector, law
from linkwork.mechanism.forces.base import Force
from linkwork.mechanism.joints.base import Joint
from linkwork.mechanism.lowered import ZERO3, LoweredLoad
from linkwork.mechanism.markers import Poses, triple


class PointForce(Force):
    """`components` (N, constants or formulas of time and state) at `point` of `body`, in its components.

    Left out, the point is the centre of mass.

    `axes`: the components are 'global', or turn with the 'body'.
    """

    type: Literal["force"] = "force"
    body: Name
    components: Laws
    point: Vector | None = None
    axes: Literal["global", "body"] = "global"

    def bodies(self) -> dict[str, str]:
        return {"body": self.body}

    def lower(self, poses: Poses, joints: Mapping[str, Joint]) -> LoweredLoad:
        k = poses.index(self.body)
        x, y, z = (law(c) for c in self.components)
        return LoweredLoad(
            name=self.name,
            body=k,
            point=ZERO3 if self.point is None else triple(poses.point(k, self.point)),
            body_axes=self.axes == "body",
            torque=False,
            components=(x, y, z),
        )
