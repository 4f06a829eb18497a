"""The planar joint."""

from __future__ import annotations

from typing import ClassVar, Literal

from linkwork.mechanism.joints.base import Joint
from linkwork.mechanism.markers import Marker
from linkwork.mechanism.motions import Motion, Slide, Turn
from linkwork.mechanism.primitives import Primitive, dp2, same_axis


class Planar(Joint):
    """A plane of the second body slides on a plane of the first: 3 locked (2 DP1, 1 DP2), 3 free.

    `axis` is the plane's normal, `point` lies in the plane.
    """

    type: Literal["planar"] = "planar"
    glyph: ClassVar[str] = "sheet"
    lower_pair: ClassVar[bool] = True

    def locks(self, i: Marker, j: Marker) -> tuple[Primitive, ...]:
        return (*same_axis(i, j), dp2(i.z, i, j))

    def moves(self, i: Marker, j: Marker) -> tuple[Motion, ...]:
        return (Slide(i.x), Slide(i.y), Turn(i.z, j.point))
