"""re: ZXZ Euler angles, re-based before they become singular, in absolute coordinates [Kissel 2021]."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np

from linkwork.errors import SingularPositionError
from linkwork.formulations.absolute.formulation import AbsoluteFormulation
from linkwork.kernels.mat33 import IDENTITY
from linkwork.options import Option
from linkwork.system import CompiledMechanism

SINGULAR = 1e-3  # sin(theta) below which Euler angles have no rates worth the name


@dataclass(frozen=True, kw_only=True, repr=False)
class RE(AbsoluteFormulation):
    """Euler angles in absolute coordinates."""

    name: str = "re"
    summary: str = "ZXZ Euler angles, re-based before they become singular; index-3 equations"
    space_module: str = "linkwork.spaces.euler_angles"
    kernels_module: str = "linkwork.formulations.absolute.euler_angle_kernels"
    reference: Annotated[
        Literal["moving", "fixed"],
        Option(
            "the rotation that angles count from: a new one near the singularity, or the identity for good "
            "[Kissel 2021, section 3.3]"
        ),
    ] = "moving"

    @property
    def fixed(self) -> bool:
        """Whether coordinates keep their reference rotation for good."""
        return self.reference == "fixed"

    def settings(self, mechanism: CompiledMechanism, shape: str) -> dict[str, Any]:
        """How a problem is made with these options, as plain data for a result's header."""
        return {"newton": self.newton, **({"reference": self.reference} if self.fixed else {})}

    def admit(self, mechanism: CompiledMechanism) -> None:
        """Raise what `build` raises: SingularPositionError for angles from a fixed reference that are singular at the
        start."""
        super().admit(mechanism)
        if not self.fixed:
            return
        for name, rotation in zip(mechanism.body_names, mechanism.A, strict=False):
            angles = self.space.coordinates_of(tuple(rotation), IDENTITY)
            if abs(np.sin(angles[1])) < SINGULAR:
                raise SingularPositionError(
                    f"Euler angles from the identity are singular at the start: theta = {angles[1]:.3g} rad.",
                    element=f"body {name!r}",
                    remedy="Describe its frame with another orientation, or take reference='moving' (the default).",
                )


FORMULATION = RE()
