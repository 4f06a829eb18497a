"""DP2: the dot product of a body-fixed vector with the vector between two points."""

from __future__ import annotations

from typing import ClassVar, Literal

from linkwork.mechanism.constraints.base import Constraint
from linkwork.mechanism.elements import Direction, Vector, function_of_time
from linkwork.mechanism.markers import Poses, triple
from linkwork.mechanism.primitives import Primitive


class DP2(Constraint):
    """a_i . d_ij = f(t), d_ij from the point s_i of body i to s_j of body j [Kissel 2021, eq. 2]."""

    type: Literal["DP2"] = "DP2"
    a_i: Direction
    s_i: Vector = (0.0, 0.0, 0.0)
    s_j: Vector = (0.0, 0.0, 0.0)
    kind: ClassVar[str] = "DP2"

    def row(self, poses: Poses) -> Primitive:
        return Primitive(
            "DP2",
            a_i=triple(self.a_i),
            s_i=triple(poses.point(poses.index(self.body_i), self.s_i)),
            s_j=triple(poses.point(poses.index(self.body_j), self.s_j)),
            f=function_of_time(self.f),
        )
