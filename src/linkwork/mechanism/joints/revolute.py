"""The revolute (pin, hinge) joint."""

from __future__ import annotations

from typing import ClassVar, Literal

from linkwork.mechanism.joints.base import Joint
from linkwork.mechanism.markers import Marker
from linkwork.mechanism.motions import Motion, Turn
from linkwork.mechanism.primitives import Primitive, same_axis, same_point


class Revolute(Joint):
    """Turn about a shared z axis: 5 locked, 1 free (Kissel 2021, Table 1: 2 DP1, 3 CD).

    `point` lies on the pin, `axis` along it. Coordinate: `angle` from x_i to x_j about the axis.
    """

    type: Literal["revolute"] = "revolute"
    glyph: ClassVar[str] = "pin"
    coordinates: ClassVar[tuple[str, ...]] = ("angle",)
    lower_pair: ClassVar[bool] = True

    def locks(self, i: Marker, j: Marker) -> tuple[Primitive, ...]:
        return (*same_axis(i, j), *same_point(i, j))

    def moves(self, i: Marker, j: Marker) -> tuple[Motion, ...]:
        return (Turn(i.z, j.point),)
