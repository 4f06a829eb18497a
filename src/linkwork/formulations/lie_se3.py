"""lie-se3: every body on SE(3), in body-fixed twists."""

from __future__ import annotations

from dataclasses import dataclass

from linkwork.formulations.lie.formulation import LieFormulation


@dataclass(frozen=True, kw_only=True, repr=False)
class LieSE3(LieFormulation):
    """Every body on SE(3)."""

    name: str = "lie-se3"
    choice: str = "se3"
    summary: str = "every body on SE(3), body-fixed twists; keeps joints to ground to rounding"


FORMULATION = LieSE3()
