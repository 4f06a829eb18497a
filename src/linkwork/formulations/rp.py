"""rp: absolute coordinates, Euler parameters with normalisation constraints [Kissel 2021]."""

from __future__ import annotations

from linkwork.formulations.absolute.formulation import AbsoluteFormulation

FORMULATION = AbsoluteFormulation(
    name="rp",
    summary="absolute coordinates, Euler parameters with normalisation constraints; index-3 equations with multipliers",
    space_module="linkwork.spaces.euler_parameters",
)
