"""re: absolute coordinates, ZXZ Euler angles, re-based before they become singular [Kissel 2021]."""

from __future__ import annotations

from linkwork.formulations.absolute.formulation import AbsoluteFormulation

FORMULATION = AbsoluteFormulation(
    name="re",
    summary="absolute coordinates, ZXZ Euler angles, re-based before they become singular; index-3 equations with multipliers",
    space_module="linkwork.spaces.euler_angles",
)
