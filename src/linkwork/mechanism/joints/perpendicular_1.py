"""The first perpendicular condition of the papers."""

from __future__ import annotations

from typing import ClassVar, Literal

from linkwork.mechanism.joints.base import Joint
from linkwork.mechanism.markers import Marker
from linkwork.mechanism.motions import Motion, Slide, Turn
from linkwork.mechanism.primitives import Primitive, same_axis


class Perpendicular1(Joint):
    """An axis of the second body stays perpendicular to a plane of the first: 2 locked (2 DP1), 4 free.

    Kissel 2021, Table 1. `axis` is the plane's normal; the bodies slide freely.
    """

    type: Literal["perpendicular-1"] = "perpendicular-1"
    needs: ClassVar[tuple[str, ...]] = ("axis",)

    def locks(self, i: Marker, j: Marker) -> tuple[Primitive, ...]:
        return same_axis(i, j)

    def moves(self, i: Marker, j: Marker) -> tuple[Motion, ...]:
        return (Slide(i.x), Slide(i.y), Slide(i.z), Turn(i.z, j.point))
