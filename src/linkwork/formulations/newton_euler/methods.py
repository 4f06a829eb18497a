"""The ways of solving, by name [Mufti 1983]."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from linkwork.formulations.newton_euler.barycentric import Barycentric
from linkwork.formulations.newton_euler.formulation import NewtonEulerFormulation
from linkwork.formulations.newton_euler.null_space import NullSpace
from linkwork.formulations.newton_euler.tree import TreeFormulation
from linkwork.options import Option

ABOUT_EVERY_AXIS = ("mass and inertia of every body about every axis",)


@dataclass(frozen=True, kw_only=True, repr=False)
class Augmented(NewtonEulerFormulation):
    """The whole matrix."""

    name: str = "augmented"
    solver: str = "augmented"
    summary: str = "accelerations and multipliers at once, by sparse LU"
    equations: str = "eqs. 10, 49, 63"


@dataclass(frozen=True, kw_only=True, repr=False)
class RangeSpace(NewtonEulerFormulation):
    """Multipliers first."""

    name: str = "range-space"
    solver: str = "range_space"
    summary: str = "multipliers first, from J M^-1 J^T, by sparse LDL^T"
    equations: str = "eqs. 14, 50"
    needs: tuple[str, ...] = ABOUT_EVERY_AXIS
    same_as: str = "lie-product"


@dataclass(frozen=True, kw_only=True, repr=False)
class Partial(NewtonEulerFormulation):
    """Translations first."""

    name: str = "partial"
    solver: str = "partial"
    summary: str = "translations eliminated, rotations and multipliers at once, by sparse LU"
    equations: str = "eq. 15"


@dataclass(frozen=True, kw_only=True, repr=False)
class Penalty(NewtonEulerFormulation):
    """Constraints at a price."""

    name: str = "penalty"
    solver: str = "penalty"
    summary: str = "constraints at a price instead of multipliers, iterated as augmented Lagrangian, by sparse LDL^T"
    equations: str = "Remark 1"
    needs: tuple[str, ...] = ABOUT_EVERY_AXIS
    penalty_factor: Annotated[float, Option("the price of a constraint", above=0.0)] = 1e6
    penalty_passes: Annotated[int, Option("how often the price may be raised", least=1)] = 100


@dataclass(frozen=True, kw_only=True, repr=False)
class JointRates(TreeFormulation):
    """Joint rates of a spanning tree."""

    name: str = "joint-rates"
    solver: str = "joint_rates"
    summary: str = "quasi-rates of the joints of a spanning tree and multipliers of the others, by dense L D L^T"
    equations: str = "eqs. 54-61"


@dataclass(frozen=True, kw_only=True, repr=False)
class CutJoint(TreeFormulation):
    """A spanning tree eliminated, then its cut joints."""

    name: str = "cut-joint"
    solver: str = "cut_joint"
    summary: str = (
        "a spanning tree eliminated joint by joint instead of forming (73), then the multipliers of the cut joints"
    )
    equations: str = "eqs. 62, 65-72"


AUGMENTED, RANGE_SPACE, PARTIAL, PENALTY, NULL_SPACE = Augmented(), RangeSpace(), Partial(), Penalty(), NullSpace()
JOINT_RATES, BARYCENTRIC, CUT_JOINT = JointRates(), Barycentric(), CutJoint()
