"""A belt or chain without slip and stretch over two or more pulleys."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, WithJsonSchema, model_validator

from linkwork.mechanism.couplings.base import Coordinates, JointCoupling, On, linear
from linkwork.mechanism.elements import Name, invalid, shown
from linkwork.mechanism.lowered import LoweredCoupling
from linkwork.mechanism.tables import Numbers


def _names(value: Any) -> list[Any]:
    if not isinstance(value, list | tuple):
        raise invalid(f"must be a list of joints' names, not {shown(value)}")
    return list(value)


Several = Annotated[
    tuple[Name, ...], BeforeValidator(_names), WithJsonSchema({"type": "array", "items": {"type": "string"}})
]


class Belt(JointCoupling):
    """radius_k angle_k is the same for all pulleys, up to `offset`: a belt runs over them without slip.

    A pulley that the belt turns the other way round (outside, or crossed) has a negative radius. One row per pulley but
    the first, 'name[1]', ...; its multiplier is the difference of the belt's tensions there, N.
    """

    type: Literal["belt"] = "belt"
    joints: Several
    radii: Numbers

    @model_validator(mode="after")
    def _fits(self) -> Belt:
        if len(self.joints) < 2 or len(self.joints) != len(self.radii):
            raise invalid(f"has {len(self.joints)} joints and {len(self.radii)} radii; it needs two of each at least")
        if 0.0 in self.radii:
            raise invalid("has a pulley of radius 0")
        return self

    def on(self) -> tuple[On, ...]:
        return tuple(On(name, "angle") for name in self.joints)

    def lower(self, coordinates: Coordinates) -> list[LoweredCoupling]:
        first, *others = ((coordinates.of(one), r) for one, r in zip(self.on(), self.radii, strict=True))
        several = len(others) > 1
        return [
            linear(self.name, [(q, r), (first[0], -first[1])], 0.0, f"[{n + 1}]" if several else "")
            for n, (q, r) in enumerate(others)
        ]
