"""rA: absolute coordinates, rotation matrix itself, updated by the exponential map [Kissel 2021]."""

from __future__ import annotations

from linkwork.formulations.absolute.formulation import AbsoluteFormulation

FORMULATION = AbsoluteFormulation(
    name="rA",
    summary="absolute coordinates, rotation matrix itself, updated by the exponential map; index-3 equations with multipliers",
    space_module="linkwork.spaces.rotation_matrix",
)
