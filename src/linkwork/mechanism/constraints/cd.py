"""CD: the difference of a global coordinate of two points."""

from __future__ import annotations

from typing import ClassVar, Literal

from linkwork.mechanism.constraints.base import Constraint
from linkwork.mechanism.elements import Direction, Vector, function_of_time
from linkwork.mechanism.markers import Poses, triple
from linkwork.mechanism.primitives import Primitive


class CD(Constraint):
    """c . d_ij = f(t), c a constant vector in global components [Kissel 2021, eq. 4]."""

    type: Literal["CD"] = "CD"
    c: Direction
    s_i: Vector = (0.0, 0.0, 0.0)
    s_j: Vector = (0.0, 0.0, 0.0)
    kind: ClassVar[str] = "CD"

    def row(self, poses: Poses) -> Primitive:
        return Primitive(
            "CD",
            a_i=triple(self.c),
            s_i=triple(poses.point(poses.index(self.body_i), self.s_i)),
            s_j=triple(poses.point(poses.index(self.body_j), self.s_j)),
            f=function_of_time(self.f),
        )
