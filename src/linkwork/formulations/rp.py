"""rp: Euler parameters with normalisation constraints, in absolute coordinates [Kissel 2021]."""

from __future__ import annotations

from dataclasses import dataclass

from linkwork.formulations.absolute.formulation import AbsoluteFormulation


@dataclass(frozen=True, kw_only=True, repr=False)
class RP(AbsoluteFormulation):
    """Euler parameters in absolute coordinates."""

    name: str = "rp"
    summary: str = "Euler parameters with normalisation constraints; index-3 equations"
    space_module: str = "linkwork.spaces.euler_parameters"
    kernels_module: str = "linkwork.formulations.absolute.euler_parameter_kernels"


FORMULATION = RP()
