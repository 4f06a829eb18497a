"""The screw (helical) joint: a nut on a thread."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import model_validator

from linkwork.mechanism.elements import Number, invalid
from linkwork.mechanism.joints.base import Joint
from linkwork.mechanism.markers import Marker, Poses, marker
from linkwork.mechanism.motions import Helix, Motion
from linkwork.mechanism.primitives import Primitive, on_line, same_axis, screw


class Screw(Joint):
    """Turn about a shared z axis and advance along it in proportion: 5 locked (2 DP1, 2 DP2, 1 SCREW), 1 free.

    `lead` is the advance per revolution (m), positive for a right-handed thread: the second body, turning
    right-handed about the axis, moves along it. Coordinates: `angle` from x_i to x_j about the axis, `displacement`
    of the second point along it; displacement = lead angle / (2 pi), with all turns. Given per body without x, the
    thread is engaged as the start pose has it.
    """

    type: Literal["screw", "helical"] = "screw"
    glyph: ClassVar[str] = "thread"
    lead: Number
    coordinates: ClassVar[tuple[str, ...]] = ("angle", "displacement")
    lower_pair: ClassVar[bool] = True

    @classmethod
    def example(cls, place: Mapping[str, Any]) -> dict[str, Any]:
        return {**super().example(place), "lead": 0.3}

    @model_validator(mode="after")
    def _advances(self) -> Screw:
        if self.lead == 0.0:
            raise invalid("has lead 0: a thread that does not advance is a revolute joint")
        return self

    @property
    def travel(self) -> float:
        """The advance per radian, m."""
        return float(self.lead) / (2.0 * math.pi)

    def markers(self, poses: Poses) -> tuple[Marker, Marker]:
        i, j = super().markers(poses)
        if self.on_second is None or self.on_second.x is not None:
            return i, j
        k, m = poses.index(self.first), poses.index(self.second)
        apart = poses.world_point(m, j.point) - poses.world_point(k, i.point)
        back = float(poses.world(k, i.z) @ apart) / self.travel  # so that the angle there is displacement / travel
        x = math.cos(back) * np.array(j.x) + math.sin(back) * np.array(j.y)
        return i, marker(j.point, j.z, x)

    def locks(self, i: Marker, j: Marker) -> tuple[Primitive, ...]:
        return (*same_axis(i, j), *on_line(i, j), screw(i, j, self.travel))

    def moves(self, i: Marker, j: Marker) -> tuple[Motion, ...]:
        return (Helix(i.z, j.point, self.travel),)
