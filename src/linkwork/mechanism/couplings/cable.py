"""A cable of fixed length that several coordinates pay out or take in."""

from __future__ import annotations

from typing import Literal

from pydantic import model_validator

from linkwork.mechanism.couplings.base import Coordinates, JointCoupling, On, linear
from linkwork.mechanism.couplings.belt import Several
from linkwork.mechanism.elements import Number, invalid
from linkwork.mechanism.lowered import LoweredCoupling
from linkwork.mechanism.tables import Numbers


class Cable(JointCoupling):
    """sum_k factors[k] q_k = offset: pulleys count with their radius, blocks with the strands that carry them.

    The cable is always taut; the multiplier is its tension, N, or minus that. A joint that has both coordinates is
    named with one: `arm.angle`, `arm.displacement`.
    """

    type: Literal["cable"] = "cable"
    joints: Several
    factors: Numbers
    offset: Number = 0.0

    @model_validator(mode="after")
    def _fits(self) -> Cable:
        if len(self.joints) < 2 or len(self.joints) != len(self.factors):
            raise invalid(f"has {len(self.joints)} joints and {len(self.factors)} factors, not two of each or more")
        if 0.0 in self.factors:
            raise invalid("has a factor of 0")
        return self

    def on(self) -> tuple[On, ...]:
        return tuple(coordinate_in(name) for name in self.joints)

    def lower(self, coordinates: Coordinates) -> list[LoweredCoupling]:
        terms = [(coordinates.of(one), c) for one, c in zip(self.on(), self.factors, strict=True)]
        return [linear(self.name, terms, -self.offset)]


def coordinate_in(name: str) -> On:
    """A joint's name, or one with a coordinate behind a point."""
    joint, _, which = name.rpartition(".")
    return On(joint, which) if joint and which.partition("_")[0] in ("angle", "displacement") else On(name)
