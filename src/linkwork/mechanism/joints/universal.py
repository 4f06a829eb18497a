"""The universal (Hooke) joint."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
from pydantic import model_validator

from linkwork.mechanism.elements import invalid
from linkwork.mechanism.joints.base import Joint
from linkwork.mechanism.markers import Marker, Poses, unit
from linkwork.mechanism.motions import Motion, Turn
from linkwork.mechanism.primitives import Primitive, dp1, same_point


class Universal(Joint):
    """A cross of two perpendicular axes: 4 locked, 2 free (Kissel 2021, Table 1: 3 CD, 1 DP1).

    `point` is the cross's centre, `axis` the cross's axis on the first body, `axis2` that on the second. Both angles
    are zero where the x axes, each across its body's axis, coincide: given once, at the start.
    """

    type: Literal["universal"] = "universal"
    glyph: ClassVar[str] = "cross"
    needs: ClassVar[tuple[str, ...]] = ("point", "axis", "axis2")
    may: ClassVar[tuple[str, ...]] = ("x",)

    @model_validator(mode="after")
    def _crossed(self) -> Universal:
        if self.axis is not None and self.axis2 is not None and abs(np.dot(unit(self.axis), unit(self.axis2))) > 1e-6:
            raise invalid(
                "has axis and axis2 that are not perpendicular, as the two axes of a universal joint are: give all of "
                "their components together (in a sweep as lists side by side, plan='list')"
            )
        return self

    def markers(self, poses: Poses) -> tuple[Marker, Marker]:
        if self.axis is None or self.axis2 is None or self.x is not None:
            return super().markers(poses)
        across = tuple(np.cross(self.axis, self.axis2).tolist())  # then both angles are zero at the start
        return self.model_copy(update={"x": across}).markers(poses)

    def locks(self, i: Marker, j: Marker) -> tuple[Primitive, ...]:
        return (*same_point(i, j), dp1(i.z, j.z))

    def moves(self, i: Marker, j: Marker) -> tuple[Motion, ...]:
        return (Turn(i.z, j.point), Turn(j.z, j.point, on_second=True))
