"""The knife edge (skate, blade)."""

from __future__ import annotations

from typing import ClassVar, Literal

from linkwork.mechanism.elements import invalid
from linkwork.mechanism.joints.base import Joint
from linkwork.mechanism.markers import Marker, Poses, marker
from linkwork.mechanism.motions import Ball, Motion, Slide
from linkwork.mechanism.primitives import Primitive


class KnifeEdge(Joint):
    """A point of the second body cannot move along that body's `axis` (across the blade): 1 locked, 5 free.

    A velocity row against ground; it locks no position. `point` is the blade's point, `axis` points across it.
    """

    type: Literal["knife-edge"] = "knife-edge"
    glyph: ClassVar[str] = "blade"
    may: ClassVar[tuple[str, ...]] = ()
    ground_only: ClassVar[bool] = True

    def _check_places(self) -> None:
        """Per body: only the blade has a place."""
        second = self.on_second
        if second is None or second.point is None or second.axis is None:
            raise invalid("needs a point and an axis across the blade in on_second")
        if second.x is not None or self.on_first is not None:
            raise invalid("has on_first or an x direction, which a knife-edge joint does not use")

    def markers(self, poses: Poses) -> tuple[Marker, Marker]:
        if self.on_second is None:
            return super().markers(poses)
        here = marker(poses.point(poses.index(self.second), self.on_second.point), self.on_second.axis, None)
        return here, here  # ground's is not used

    def locks(self, i: Marker, j: Marker) -> tuple[Primitive, ...]:
        return (Primitive("KNIFE", a_i=j.z, s_i=j.point, swapped=True),)

    def moves(self, i: Marker, j: Marker) -> tuple[Motion, ...]:
        return (Slide(j.x, on_second=True), Slide(j.y, on_second=True), Ball(j.point))
