"""The ways of solving, by name [Mufti 1983]."""

from __future__ import annotations

from linkwork.formulations.newton_euler.barycentric import BarycentricFormulation
from linkwork.formulations.newton_euler.formulation import NewtonEulerFormulation
from linkwork.formulations.newton_euler.null_space import NullSpaceFormulation
from linkwork.formulations.newton_euler.tree import TreeFormulation

AUGMENTED = NewtonEulerFormulation(
    name="augmented",
    solver="augmented",
    summary="accelerations and multipliers at once, by sparse LU",
    equations="eqs. 10, 49, 63",
)
RANGE_SPACE = NewtonEulerFormulation(
    name="range-space",
    solver="range_space",
    summary="multipliers first, from J M^-1 J^T, by sparse LDL^T",
    equations="eqs. 14, 50",
    needs=("mass and inertia of every body about every axis",),
    same_as="lie-product",
)
PARTIAL = NewtonEulerFormulation(
    name="partial",
    solver="partial",
    summary="translations eliminated, rotations and multipliers at once, by sparse LU",
    equations="eq. 15",
)
PENALTY = NewtonEulerFormulation(
    name="penalty",
    solver="penalty",
    summary="constraints at a price instead of multipliers, iterated as augmented Lagrangian, by sparse LDL^T",
    equations="Remark 1",
    needs=("mass and inertia of every body about every axis",),
    defaults={"penalty_factor": 1e6, "penalty_passes": 100},
)
NULL_SPACE = NullSpaceFormulation(
    name="null-space",
    solver="null_space",
    summary="motions that the constraints allow, then multipliers from what is left, by dense QR, SVD or LU or a tree",
    equations="eq. 40, A-1 to A-12",
    defaults={"basis": "qr"},
)

JOINT_RATES = TreeFormulation(
    name="joint-rates",
    solver="joint_rates",
    summary="quasi-rates of the joints of a spanning tree and multipliers of the others, by dense L D L^T",
    equations="eqs. 54-61",
    defaults={"root": None},
)
BARYCENTRIC = BarycentricFormulation(
    name="barycentric",
    solver="barycentric",
    summary="angular accelerations of augmented bodies and multipliers of rotational rows, by dense L D L^T; in closed "
    "form for trees whose joints hold a point, reduced as joint-rates elsewhere",
    equations="eqs. 16, 28-38, 51",
    defaults={"root": None, "form": None},
)
CUT_JOINT = TreeFormulation(
    name="cut-joint",
    solver="cut_joint",
    summary="a spanning tree eliminated joint by joint instead of forming (73), then the multipliers of the cut joints",
    equations="eqs. 62, 65-72",
    defaults={"root": None},
)
