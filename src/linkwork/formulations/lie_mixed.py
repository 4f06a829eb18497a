"""lie-mixed: the group chosen body by body."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from linkwork.formulations.lie.formulation import LieFormulation
from linkwork.options import Option


@dataclass(frozen=True, kw_only=True, repr=False)
class LieMixed(LieFormulation):
    """SE(3) or SO(3) x R^3, body by body."""

    name: str = "lie-mixed"
    choice: str = "mixed"
    summary: str = (
        "SE(3) for bodies that a lower-pair joint ties to ground, SO(3) x R^3 for all others, or as you choose"
    )
    groups: Annotated[
        Mapping[str, str] | None,
        Option("body -> ``se3`` or ``product``, instead of the formulation's own choice", word="group"),
    ] = None


FORMULATION = LieMixed()
