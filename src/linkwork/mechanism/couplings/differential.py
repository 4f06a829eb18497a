"""A differential: one coordinate is the mean of two, in a ratio."""

from __future__ import annotations

from typing import Literal

from linkwork.mechanism.couplings.base import Coordinates, JointCoupling, On, linear
from linkwork.mechanism.elements import Name, Number, invalid
from linkwork.mechanism.lowered import LoweredCoupling


class Differential(JointCoupling):
    """angle of `input` = ratio (angle of `left` + angle of `right`)/2 + offset.

    ratio is that of the final drive, which the input turns faster by. The multiplier is the torque on the input; half
    of ratio times as much acts against it on each side.
    """

    type: Literal["differential"] = "differential"
    input: Name
    left: Name
    right: Name
    ratio: Number = 1.0
    offset: Number = 0.0

    def on(self) -> tuple[On, ...]:
        return tuple(On(name, "angle") for name in (self.input, self.left, self.right))

    def lower(self, coordinates: Coordinates) -> list[LoweredCoupling]:
        if self.ratio == 0.0:
            raise invalid("has the ratio 0")
        q, left, right = (coordinates.of(one) for one in self.on())
        half = -0.5 * self.ratio
        return [linear(self.name, [(q, 1.0), (left, half), (right, half)], -self.offset)]
