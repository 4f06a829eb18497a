"""The cylindrical joint."""

from __future__ import annotations

from typing import ClassVar, Literal

from linkwork.mechanism.joints.base import Joint
from linkwork.mechanism.markers import Marker
from linkwork.mechanism.motions import Motion, Slide, Turn
from linkwork.mechanism.primitives import Primitive, on_line, same_axis


class Cylindrical(Joint):
    """Turn about, and slide along, a shared z axis: 4 locked, 2 free (Kissel 2021, Table 1: 2 DP1, 2 DP2).

    Coordinates: `angle` from x_i to x_j about the axis, `displacement` of the second point along it.
    """

    type: Literal["cylindrical"] = "cylindrical"
    glyph: ClassVar[str] = "sleeve"
    coordinates: ClassVar[tuple[str, ...]] = ("angle", "displacement")
    lower_pair: ClassVar[bool] = True

    def locks(self, i: Marker, j: Marker) -> tuple[Primitive, ...]:
        return (*same_axis(i, j), *on_line(i, j))

    def moves(self, i: Marker, j: Marker) -> tuple[Motion, ...]:
        return (Turn(i.z, j.point), Slide(i.z))
