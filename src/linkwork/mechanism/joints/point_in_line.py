"""The point-in-line joint."""

from __future__ import annotations

from typing import ClassVar, Literal

from linkwork.mechanism.elements import invalid
from linkwork.mechanism.joints.base import Joint
from linkwork.mechanism.markers import Marker
from linkwork.mechanism.motions import Ball, Motion, Slide
from linkwork.mechanism.primitives import Primitive, on_line


class OnLine(Joint):
    """Rows and motions of a point of the second body that stays on a line of the first: 2 locked (2 DP2), 4 free."""

    glyph: ClassVar[str] = "line"

    def _check_places(self) -> None:
        """Only the first body has a line."""
        check_line(self)

    def locks(self, i: Marker, j: Marker) -> tuple[Primitive, ...]:
        return on_line(i, j)

    def moves(self, i: Marker, j: Marker) -> tuple[Motion, ...]:
        return (Slide(i.z), Ball(j.point))


class PointInLine(OnLine):
    """A point of the second body stays on a line of the first: 2 locked (2 DP2), 4 free.

    `point` is the second body's point (and the line's first point), `axis` the line's direction.
    """

    type: Literal["point-in-line"] = "point-in-line"


def check_line(joint: Joint) -> None:
    """Per body: a point and an axis on the first body, a point on the second."""
    first, second = joint.on_first, joint.on_second
    if first is None or second is None:
        raise invalid("needs on_first and on_second, the places on both bodies")
    if first.point is None or first.axis is None or second.point is None:
        raise invalid("needs a point and an axis in on_first and a point in on_second")
    if second.axis is not None or second.x is not None:
        raise invalid(f"has an axis in on_second, which a {joint.type} joint does not use")
