"""PFAFFIAN: a condition linear in the velocities of two bodies."""

from __future__ import annotations

import math
from typing import ClassVar, Literal

from pydantic import model_validator

from linkwork.mechanism.constraints.base import Constraint
from linkwork.mechanism.elements import Six, function_of_time, invalid
from linkwork.mechanism.markers import Poses
from linkwork.mechanism.primitives import Primitive

_NONE = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


class Pfaffian(Constraint):
    """g_i . (rdot_i, omega_i) + g_j . (rdot_j, omega_j) = f(t), a velocity-level row.

    The first three numbers of g multiply the global velocity of the centre of mass, the last three the
    angular velocity in body components.
    """

    type: Literal["PFAFFIAN"] = "PFAFFIAN"
    g_i: Six
    g_j: Six = _NONE
    kind: ClassVar[str] = "PFAFFIAN"

    @model_validator(mode="after")
    def _says_something(self) -> Pfaffian:
        if not math.hypot(*self.g_i, *self.g_j) > 0.0:
            raise invalid("has only zero coefficients")
        return self

    def row(self, poses: Poses) -> Primitive:
        for name in (self.body_i, self.body_j):
            if poses.is_offset(poses.index(name)):
                raise invalid(f"needs the frame of body {name!r} at its centre of mass, whose velocity it multiplies")
        return Primitive(
            "PFAFFIAN",
            a_i=self.g_i[:3],
            s_i=self.g_i[3:],
            a_j=self.g_j[:3],
            s_j=self.g_j[3:],
            f=function_of_time(self.f),
        )

    def reaction_point(self, poses: Poses, *, first: bool = False) -> tuple[float, float, float]:
        return (0.0, 0.0, 0.0)
