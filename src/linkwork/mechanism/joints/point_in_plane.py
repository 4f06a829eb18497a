"""The point-in-plane joint."""

from __future__ import annotations

from typing import ClassVar, Literal

from linkwork.mechanism.joints.base import Joint
from linkwork.mechanism.joints.point_in_line import check_line
from linkwork.mechanism.markers import Marker
from linkwork.mechanism.motions import Ball, Motion, Slide
from linkwork.mechanism.primitives import Primitive, dp2


class PointInPlane(Joint):
    """A point of the second body stays in a plane of the first: 1 locked (DP2), 5 free.

    `point` is the second body's point (and lies in the plane), `axis` the plane's normal.
    """

    type: Literal["point-in-plane"] = "point-in-plane"
    glyph: ClassVar[str] = "sheet"

    def _check_places(self) -> None:
        """Only the first body has a plane."""
        check_line(self)

    def locks(self, i: Marker, j: Marker) -> tuple[Primitive, ...]:
        return (dp2(i.z, i, j),)

    def moves(self, i: Marker, j: Marker) -> tuple[Motion, ...]:
        return (Slide(i.x), Slide(i.y), Ball(j.point))
