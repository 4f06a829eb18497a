"""lie-product: every body on SO(3) x R^3, in hybrid velocities."""

from __future__ import annotations

from dataclasses import dataclass

from linkwork.formulations.lie.formulation import LieFormulation


@dataclass(frozen=True, kw_only=True, repr=False)
class LieProduct(LieFormulation):
    """Every body on SO(3) x R^3."""

    name: str = "lie-product"
    choice: str = "product"
    summary: str = (
        "every body on SO(3) x R^3, angular velocity in the body and linear velocity global; the cheaper group"
    )


FORMULATION = LieProduct()
