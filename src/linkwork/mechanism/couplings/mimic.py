"""A coordinate that follows another by a polynomial."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from pydantic import BeforeValidator, WithJsonSchema

from linkwork.mechanism.couplings.base import Coordinates, JointCoupling, On, Which
from linkwork.mechanism.elements import Name, Number, invalid, shown
from linkwork.mechanism.lowered import CoupledTerm, LoweredCoupling


def _few_numbers(value: object) -> list[object]:
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if not isinstance(value, list | tuple) or not 2 <= len(value) <= 5:
        raise invalid(f"must be a list of two to five numbers, not {shown(value)}")
    return list(value)


Polynomial = Annotated[
    tuple[Number, ...],
    BeforeValidator(_few_numbers),
    WithJsonSchema({"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 5}),
]


class Mimic(JointCoupling):
    """q - reference = sum_k polynomial[k] (q2 - reference2)^k, up to the fourth power.

    A URDF's mimic has polynomial [offset, multiplier]; references are those of MJCF's joint equality.
    """

    type: Literal["mimic"] = "mimic"
    joint: Name
    joint2: Name
    coordinate: Which | None = None
    coordinate2: Which | None = None
    polynomial: Polynomial = (0.0, 1.0)
    reference: Number = 0.0
    reference2: Number = 0.0

    def on(self) -> tuple[On, ...]:
        return On(self.joint, self.coordinate), On(self.joint2, self.coordinate2)

    def lower(self, coordinates: Coordinates) -> list[LoweredCoupling]:
        q, q2 = (coordinates.of(one) for one in self.on())
        moved = about_zero(self.polynomial, self.reference2)
        terms = CoupledTerm(q, (1.0, 0.0, 0.0, 0.0)), CoupledTerm(q2, (-moved[1], -moved[2], -moved[3], -moved[4]))
        return [LoweredCoupling(self.name, terms, -self.reference - moved[0])]


def about_zero(polynomial: tuple[float, ...], reference: float) -> list[float]:
    """The five coefficients in powers of x of a polynomial in powers of x - reference."""
    found = [0.0] * 5
    for c in reversed(polynomial):  # Horner: found = found (x - reference) + c
        found = [c - reference * found[0], *(found[k - 1] - reference * found[k] for k in range(1, 5))]
    return found
