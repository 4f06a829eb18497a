"""Implicit Euler for index-3 problems [Kissel 2021, eqs. 32, 40].

r_{n+1} = r_n + h rdot_{n+1}, rdot_{n+1} = rdot_n + h rddot_{n+1}, and likewise for the rotation coordinates; on
the rotation matrix A_{n+1} = A_n exp(h omega~_{n+1}), which is what `place` makes of the same increments.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from linkwork.integrators.implicit_method import ImplicitMethod
from linkwork.integrators.scheme import Scheme


@dataclass(frozen=True, kw_only=True, repr=False)
class ImplicitEuler(ImplicitMethod):
    """First order, fixed step; on rotation matrices a Lie-group method."""

    name: str = "implicit-euler"
    order: int = 1
    summary: str = "implicit Euler on the index-3 equations, fixed step"
    usual_start: Literal["consistent", "perturbed"] = "consistent"

    def scheme(self) -> Scheme:
        """Everything stands on the unknowns; nothing is carried along."""
        return Scheme(0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0)

    def left(self) -> float:
        """Predictions are of second order, the method of first. Errors fall by a quarter and more a step (see
        `GeneralizedAlpha.left`); without what is left they would be gone after two."""
        return 0.01


IMPLICIT_EULER = ImplicitEuler()
