"""rA: rotation matrix itself, updated by the exponential map, in absolute coordinates [Kissel 2021]."""

from __future__ import annotations

from linkwork.formulations.absolute.formulation import AbsoluteFormulation

FORMULATION = AbsoluteFormulation(
    name="rA",
    summary="rotation matrix itself, updated by the exponential map; index-3 equations",
    space_module="linkwork.spaces.rotation_matrix",
    kernels_module="linkwork.equations.index_3.rotation_matrix",
)
