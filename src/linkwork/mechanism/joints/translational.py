"""The translational (prismatic) joint."""

from __future__ import annotations

from typing import ClassVar, Literal

from linkwork.mechanism.joints.base import Joint
from linkwork.mechanism.markers import Marker
from linkwork.mechanism.motions import Motion, Slide
from linkwork.mechanism.primitives import Primitive, dp1, on_line, same_axis


class Translational(Joint):
    """Slide along a shared z axis without turning: 5 locked, 1 free (Kissel 2021, Table 1: 3 DP1, 2 DP2).

    Coordinate: `displacement` of the second point from the first along the axis.
    """

    type: Literal["translational", "prismatic"] = "translational"
    glyph: ClassVar[str] = "block"
    coordinates: ClassVar[tuple[str, ...]] = ("displacement",)
    lower_pair: ClassVar[bool] = True

    def locks(self, i: Marker, j: Marker) -> tuple[Primitive, ...]:
        return (*same_axis(i, j), *on_line(i, j), dp1(i.x, j.y))

    def moves(self, i: Marker, j: Marker) -> tuple[Motion, ...]:
        return (Slide(i.z),)
