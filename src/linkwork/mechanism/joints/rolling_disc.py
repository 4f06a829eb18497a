"""The rolling disc: a thin disc that rolls without slipping on a plane fixed in ground."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

import numpy as np

from linkwork.mechanism.elements import Positive, invalid
from linkwork.mechanism.joints.base import Joint
from linkwork.mechanism.markers import Marker, Poses
from linkwork.mechanism.motions import Motion, Roll
from linkwork.mechanism.primitives import Primitive


class RollingDisc(Joint):
    """The second body is a thin disc (its frame at the disc's centre) on a plane of ground: 3 locked, 3 free.

    One position row (the lowest point touches the plane) and two velocity rows (it does not slip); the third
    velocity of the contact point is the rate of the height. `point` lies in the plane, `axis` is the plane's
    normal, towards the disc, `axis2` the disc's own axis. The reaction is reported at the disc's centre.
    """

    type: Literal["rolling-disc"] = "rolling-disc"
    glyph: ClassVar[str] = "disc"
    radius: Positive
    needs: ClassVar[tuple[str, ...]] = ("point", "axis", "axis2")
    may: ClassVar[tuple[str, ...]] = ()
    ground_only: ClassVar[bool] = True

    @classmethod
    def example(cls, place: Mapping[str, Any]) -> dict[str, Any]:
        leaning = 0.8 * np.array(place["axis2"]) + 0.3 * np.array(place["axis"])
        return {**super().example(place), "axis2": leaning.tolist(), "radius": 0.4}

    def _check_places(self) -> None:
        """Per body: the plane on ground, the disc's axis (its centre is the frame's origin) on the second."""
        first, second = self.on_first, self.on_second
        if first is None or second is None or first.point is None or first.axis is None or second.axis is None:
            raise invalid("needs a point and an axis in on_first (the plane) and an axis in on_second (the disc's)")
        if first.x is not None or second.x is not None or second.point is not None:
            raise invalid("has a point in on_second or an x direction; the disc's centre is the body's own origin")

    def markers(self, poses: Poses) -> tuple[Marker, Marker]:
        m = poses.index(self.second)
        if poses.is_offset(m):
            raise invalid(f"needs body {self.second!r} to have its centre of mass at the disc's centre")
        i, j = super().markers(poses)
        a, n = poses.world(m, j.z), np.array(i.z)
        if abs(a @ n) > 1.0 - 1e-9:
            raise invalid("has a disc lying flat on the plane at the start; a rolling disc touches it with its edge")
        return i, Marker((0.0, 0.0, 0.0), j.x, j.y, j.z)

    def locks(self, i: Marker, j: Marker) -> tuple[Primitive, ...]:
        height = Primitive("ROLL_HEIGHT", a_i=j.z, s_j=i.point, n=i.z, scalar=self.radius, swapped=True)
        slips = (
            Primitive("ROLL_SLIP", a_i=j.z, a_j=d, s_j=i.point, n=i.z, scalar=self.radius, swapped=True)
            for d in (i.x, i.y)
        )
        return (height, *slips)

    def moves(self, i: Marker, j: Marker) -> tuple[Motion, ...]:
        return (Roll(i, j, self.radius),)
