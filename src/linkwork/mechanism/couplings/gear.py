"""A pair of gears: two coordinates in a fixed ratio."""

from __future__ import annotations

from typing import Literal

from linkwork.mechanism.couplings.base import Coordinates, JointCoupling, On, Which, linear
from linkwork.mechanism.elements import Name, Number, invalid
from linkwork.mechanism.lowered import LoweredCoupling


class Gear(JointCoupling):
    """q = ratio q2 + offset, q the coordinate of `joint` and q2 that of `joint2`; turns are counted.

    External gears have a negative ratio, -(teeth of joint2's gear)/(teeth of joint's). The multiplier is the torque
    (or force) on q; on q2 acts -ratio times as much.
    """

    type: Literal["gear"] = "gear"
    joint: Name
    joint2: Name
    coordinate: Which | None = None
    coordinate2: Which | None = None
    ratio: Number
    offset: Number = 0.0

    def on(self) -> tuple[On, ...]:
        return On(self.joint, self.coordinate), On(self.joint2, self.coordinate2)

    def lower(self, coordinates: Coordinates) -> list[LoweredCoupling]:
        if self.ratio == 0.0:
            raise invalid("has the ratio 0; a coordinate that stands still is driven (drivers), not coupled")
        q, q2 = (coordinates.of(one) for one in self.on())
        return [linear(self.name, [(q, 1.0), (q2, -self.ratio)], -self.offset)]
