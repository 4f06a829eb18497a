"""The constant-velocity joint, as Rzeppa's and tripod joints come near to."""

from __future__ import annotations

from typing import ClassVar, Literal

from linkwork.mechanism.joints.base import Joint
from linkwork.mechanism.markers import Marker
from linkwork.mechanism.motions import Bend, Motion
from linkwork.mechanism.primitives import Primitive, same_point, same_speed


class ConstantVelocity(Joint):
    """Two shafts meet at a point, bend about it, and turn at one speed at any angle: 4 locked (3 CD, 1 CV), 2 free.

    `point` is where the shafts meet, `axis` the direction of both at assembly; given per body, each shaft's own. The
    relative rotation has its axis across the half-way direction of the shafts. Up to a bend of 180 degrees.
    """

    type: Literal["constant-velocity"] = "constant-velocity"
    glyph: ClassVar[str] = "ball"

    def locks(self, i: Marker, j: Marker) -> tuple[Primitive, ...]:
        return (*same_point(i, j), same_speed(i, j))

    def moves(self, i: Marker, j: Marker) -> tuple[Motion, ...]:
        return (Bend(i.z, j.z, j.point),)
