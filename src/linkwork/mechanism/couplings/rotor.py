"""The inertia of a motor's rotor behind a gear, on a joint's coordinate: what MJCF calls armature."""

from __future__ import annotations

from typing import Literal

from linkwork.mechanism.couplings.base import Coordinates, JointCoupling, On, Which, which_of
from linkwork.mechanism.elements import Name, Number, Positive, invalid
from linkwork.mechanism.lowered import CoupledTerm, LoweredCoupling


class Rotor(JointCoupling):
    """A rotor of `inertia` (kg m^2) that turns at ratio q': it adds inertia ratio^2 to what resists q'' of `joint`.

    Of the rotor's spin nothing but that counts: its gyroscopic torque and its mass belong to the body that carries it.
    """

    type: Literal["rotor"] = "rotor"
    joint: Name
    coordinate: Which | None = None
    inertia: Positive
    ratio: Number = 1.0

    def on(self) -> tuple[On, ...]:
        return (On(self.joint, self.coordinate),)

    def links(self) -> bool:
        return False

    def lower(self, coordinates: Coordinates) -> list[LoweredCoupling]:
        if self.ratio == 0.0:
            raise invalid("has the ratio 0")
        on = self.on()[0]
        term = CoupledTerm(coordinates.of(on), (self.ratio, 0.0, 0.0, 0.0))
        label = f"{on.joint}.{which_of(coordinates.joints[on.joint], on.coordinate)}"
        return [LoweredCoupling(self.name, (term,), 0.0, inertia=self.inertia, on=label)]
