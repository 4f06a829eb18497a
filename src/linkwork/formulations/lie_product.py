"""lie-product: every body on SO(3) x R^3, in hybrid velocities."""

from __future__ import annotations

from linkwork.formulations.lie.formulation import LieFormulation

FORMULATION = LieFormulation(
    name="lie-product",
    choice="product",
    summary="every body on SO(3) x R^3, angular velocity in the body and linear velocity global; the cheaper group",
)
