"""lie-se3: every body on SE(3), in body-fixed twists."""

from __future__ import annotations

from linkwork.formulations.lie.formulation import LieFormulation

FORMULATION = LieFormulation(
    name="lie-se3",
    choice="se3",
    summary="every body on SE(3), body-fixed twists; keeps joints to ground to rounding",
)
