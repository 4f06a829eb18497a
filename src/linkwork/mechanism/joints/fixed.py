"""The fixed joint."""

from __future__ import annotations

from typing import ClassVar, Literal

from linkwork.mechanism.joints.base import Joint
from linkwork.mechanism.markers import Marker, Poses
from linkwork.mechanism.motions import Motion
from linkwork.mechanism.primitives import Primitive, dp1, same_axis, same_point


class Fixed(Joint):
    """The second body moves with the first: 6 locked (3 DP1, 3 CD), none free.

    Given once, it holds the bodies as they are at assembly; `point` is where its reaction is reported (the
    second body's centre of mass if left out).
    """

    type: Literal["fixed"] = "fixed"
    glyph: ClassVar[str] = "weld"
    needs: ClassVar[tuple[str, ...]] = ()
    may: ClassVar[tuple[str, ...]] = ("point", "axis", "x")
    lower_pair: ClassVar[bool] = True

    def _check_places(self) -> None:
        """Point, axis and x of each place have defaults: the frame's origin and axes."""

    def markers(self, poses: Poses) -> tuple[Marker, Marker]:
        return Joint.markers(self.at_the_second(poses), poses)

    def locks(self, i: Marker, j: Marker) -> tuple[Primitive, ...]:
        return (*same_axis(i, j), dp1(i.x, j.y), *same_point(i, j))

    def moves(self, i: Marker, j: Marker) -> tuple[Motion, ...]:
        return ()
