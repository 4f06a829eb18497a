"""D: the squared distance of two points."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import model_validator

from linkwork.mechanism.constraints.base import Constraint
from linkwork.mechanism.elements import Formula, Vector, function_of_time, invalid
from linkwork.mechanism.markers import Poses, triple
from linkwork.mechanism.primitives import Primitive


class D(Constraint):
    """d_ij . d_ij = f(t): f is the distance SQUARED [Kissel 2021, eq. 3]."""

    type: Literal["D"] = "D"
    s_i: Vector = (0.0, 0.0, 0.0)
    s_j: Vector = (0.0, 0.0, 0.0)
    f: Formula
    kind: ClassVar[str] = "D"

    @model_validator(mode="after")
    def _apart(self) -> D:
        f = function_of_time(self.f)
        start = f if isinstance(f, float) else f.jet(0.0)[0]
        if not start > 0.0:
            raise invalid(f"has f = {start:g} at the start; f is the distance squared and must be positive")
        return self

    def row(self, poses: Poses) -> Primitive:
        return Primitive(
            "D",
            s_i=triple(poses.point(poses.index(self.body_i), self.s_i)),
            s_j=triple(poses.point(poses.index(self.body_j), self.s_j)),
            f=function_of_time(self.f),
        )
