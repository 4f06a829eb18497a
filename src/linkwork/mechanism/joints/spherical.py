"""The spherical joint."""

from __future__ import annotations

from typing import ClassVar, Literal

from linkwork.mechanism.joints.base import Joint
from linkwork.mechanism.markers import Marker
from linkwork.mechanism.motions import Ball, Motion
from linkwork.mechanism.primitives import Primitive, same_point


class Spherical(Joint):
    """A ball in a socket: the two points coincide. 3 locked, 3 free (Kissel 2021, Table 1: 3 CD).

    `point` is the ball's centre.
    """

    type: Literal["spherical"] = "spherical"
    glyph: ClassVar[str] = "ball"
    needs: ClassVar[tuple[str, ...]] = ("point",)
    may: ClassVar[tuple[str, ...]] = ()
    lower_pair: ClassVar[bool] = True

    def locks(self, i: Marker, j: Marker) -> tuple[Primitive, ...]:
        return same_point(i, j)

    def moves(self, i: Marker, j: Marker) -> tuple[Motion, ...]:
        return (Ball(j.point),)
