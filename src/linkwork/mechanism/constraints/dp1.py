"""DP1: the dot product of two body-fixed vectors."""

from __future__ import annotations

from typing import ClassVar, Literal

from linkwork.mechanism.constraints.base import Constraint
from linkwork.mechanism.elements import Direction, function_of_time
from linkwork.mechanism.markers import Poses, triple
from linkwork.mechanism.primitives import Primitive


class DP1(Constraint):
    """a_i . a_j = f(t), vectors in body components [Kissel 2021, eq. 1]."""

    type: Literal["DP1"] = "DP1"
    a_i: Direction
    a_j: Direction
    kind: ClassVar[str] = "DP1"

    def row(self, poses: Poses) -> Primitive:
        return Primitive("DP1", a_i=triple(self.a_i), a_j=triple(self.a_j), f=function_of_time(self.f))
