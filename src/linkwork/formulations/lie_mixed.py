"""lie-mixed: the group chosen body by body."""

from __future__ import annotations

from linkwork.formulations.lie.formulation import LieFormulation

FORMULATION = LieFormulation(
    name="lie-mixed",
    choice="mixed",
    summary="SE(3) for bodies that a lower-pair joint ties to ground, SO(3) x R^3 for all others, or as you choose",
)
