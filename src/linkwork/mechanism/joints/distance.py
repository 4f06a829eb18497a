"""The distance joint: a massless rod between two points."""

from __future__ import annotations

import math
from typing import ClassVar, Literal

import numpy as np
from pydantic import model_validator

from linkwork.mechanism.elements import Positive, invalid
from linkwork.mechanism.joints.base import Joint
from linkwork.mechanism.markers import Marker, Poses
from linkwork.mechanism.motions import Ball, Motion, SlideAcross
from linkwork.mechanism.primitives import Primitive, distance


class Distance(Joint):
    """Two points keep their distance: 1 locked (D), 5 free.

    `point` on the first body, `point2` on the second. `length` (m) if it is not the distance at assembly.
    """

    type: Literal["distance", "rod"] = "distance"
    glyph: ClassVar[str] = "rod"
    length: Positive | None = None
    needs: ClassVar[tuple[str, ...]] = ("point", "point2")
    may: ClassVar[tuple[str, ...]] = ()

    @model_validator(mode="after")
    def _has_length(self) -> Distance:
        if self.point is not None and self.point2 is not None and math.dist(self.point, self.point2) < 1e-9:
            raise invalid("has both ends at the same point: a rod of zero length has no direction")
        return self

    def at(self, poses: Poses) -> Distance:
        """The same joint with its length taken from the start pose where none was given."""
        if self.length is not None:
            return self
        i, j = self.markers(poses)
        ends = (poses.world_point(poses.index(n), m.point) for n, m in ((self.first, i), (self.second, j)))
        length = float(np.linalg.norm(np.subtract(*ends)))
        if length < 1e-9:
            raise invalid("has zero length at the start pose; a rod needs its ends apart, or a length")
        return self.model_copy(update={"length": length})

    def locks(self, i: Marker, j: Marker) -> tuple[Primitive, ...]:
        assert self.length is not None, "lowering asks `at` first"
        return (distance(i, j, self.length),)

    def moves(self, i: Marker, j: Marker) -> tuple[Motion, ...]:
        return (Ball(j.point), SlideAcross(i.point, j.point))
