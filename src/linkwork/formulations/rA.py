"""rA: rotation matrix itself, updated by the exponential map, in absolute coordinates [Kissel 2021]."""

from __future__ import annotations

from dataclasses import dataclass

from linkwork.formulations.absolute.formulation import AbsoluteFormulation


@dataclass(frozen=True, kw_only=True, repr=False)
class RA(AbsoluteFormulation):
    """Rotation matrices in absolute coordinates."""

    name: str = "rA"
    summary: str = "rotation matrix itself, updated by the exponential map; index-3 equations"
    space_module: str = "linkwork.spaces.rotation_matrix"
    kernels_module: str = "linkwork.equations.index_3.rotation_matrix"


FORMULATION = RA()
