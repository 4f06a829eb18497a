"""rp: Euler parameters with normalisation constraints, in absolute coordinates [Kissel 2021]."""

from __future__ import annotations

from linkwork.formulations.absolute.formulation import AbsoluteFormulation

FORMULATION = AbsoluteFormulation(
    name="rp",
    summary="Euler parameters with normalisation constraints; index-3 equations",
    space_module="linkwork.spaces.euler_parameters",
    kernels_module="linkwork.formulations.absolute.euler_parameter_kernels",
)
