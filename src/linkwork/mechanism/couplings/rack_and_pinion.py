"""A rack that a pinion moves."""

from __future__ import annotations

from typing import Literal

from linkwork.mechanism.couplings.base import Coordinates, JointCoupling, On, linear
from linkwork.mechanism.elements import Name, Number, invalid
from linkwork.mechanism.lowered import LoweredCoupling


class RackAndPinion(JointCoupling):
    """displacement of `rack` = radius angle of `pinion` + offset (m); a negative radius meshes on the other side.

    The multiplier is the force on the rack along its displacement.
    """

    type: Literal["rack-and-pinion"] = "rack-and-pinion"
    rack: Name
    pinion: Name
    radius: Number
    offset: Number = 0.0

    def on(self) -> tuple[On, ...]:
        return On(self.rack, "displacement"), On(self.pinion, "angle")

    def lower(self, coordinates: Coordinates) -> list[LoweredCoupling]:
        if self.radius == 0.0:
            raise invalid("has a pinion of radius 0")
        rack, pinion = (coordinates.of(one) for one in self.on())
        return [linear(self.name, [(rack, 1.0), (pinion, -self.radius)], -self.offset)]
