"""re: ZXZ Euler angles, re-based before they become singular, in absolute coordinates [Kissel 2021]."""

from __future__ import annotations

from linkwork.formulations.absolute.formulation import AbsoluteFormulation

FORMULATION = AbsoluteFormulation(
    name="re",
    summary="ZXZ Euler angles, re-based before they become singular; index-3 equations",
    space_module="linkwork.spaces.euler_angles",
    kernels_module="linkwork.formulations.absolute.euler_angle_kernels",
    options=("newton", "reference"),
)
