"""The free joint: it locks nothing."""

from __future__ import annotations

from typing import ClassVar, Literal

from linkwork.mechanism.joints.base import Joint
from linkwork.mechanism.markers import Marker, Poses
from linkwork.mechanism.motions import Ball, Motion, Slide
from linkwork.mechanism.primitives import Primitive


class Free(Joint):
    """The second body moves as it likes: none locked, 6 free (3 slides along the first marker's axes, 3 turns).

    It has no rows, no reaction, and is no arc of the joint graph: a mechanism runs with it as without. It says from
    which place on the first body, and to which on the second, relative coordinates are counted; left out, `point` is
    the second body's centre of mass.
    """

    type: Literal["free"] = "free"
    needs: ClassVar[tuple[str, ...]] = ()
    may: ClassVar[tuple[str, ...]] = ("point", "axis", "x")

    def _check_places(self) -> None:
        """Point, axis and x of each place have defaults: the frame's origin and axes."""

    def markers(self, poses: Poses) -> tuple[Marker, Marker]:
        return Joint.markers(self.at_the_second(poses), poses)

    def locks(self, i: Marker, j: Marker) -> tuple[Primitive, ...]:
        return ()

    def moves(self, i: Marker, j: Marker) -> tuple[Motion, ...]:
        return (Slide(i.x), Slide(i.y), Slide(i.z), Ball(j.point))
