"""The rotation-matrix formulation as an object: what it is in words, and how to make its problem."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from linkwork.arguments import whole_number
from linkwork.errors import UnsupportedElementError, UsageError
from linkwork.formulations.refusal import Refusing
from linkwork.problems.explicit import ExplicitProblem
from linkwork.problems.shapes import EXPLICIT
from linkwork.system import CompiledMechanism

ELIMINATIONS = ("newton-euler", "two-step", "one-shot")
MULTIPLIERS = ("stage", "step")
MATRICES = ("sparse", "dense")
EXTRAS: dict[str, Any] = {
    "multiplier_matrix": (
        ("body", "xyz", "xyz_body"),
        "J",
        "multipliers Lambda of R^T R = I, along the global axes of the start as the body turns them",
    ),
    "pseudo_translation": (("body", "xyz"), "m", "T* = r - R r_0, where the body would carry the global origin"),
    "orthogonality_violation": (("body",), "1", "largest element of A^T A - I"),
}


@dataclass(frozen=True)
class RotationMatrixFormulation(Refusing):
    """Position and all nine elements of the rotation matrix of every body as parameters [Dumitriu 2015].

    The paper's pseudo-translation T* and rotation R refer to the start pose and a common point O: r = T* + R r_0 and
    A = R A_0. Here every body has its own O, its centre of mass at the start, and its own basis, the body frame, so
    that T* and R are r and A themselves: a constant linear change of parameters, which no Runge-Kutta method notices.
    """

    name: str = "rotation-matrix"
    paper: str = "Dumitriu 2015"
    summary: str = "position and all nine elements of the rotation matrix, multipliers eliminated in one of three ways"
    needs: tuple[str, ...] = ("mass and inertia of every body about every axis",)
    shapes: tuple[str, ...] = (EXPLICIT,)
    options: tuple[str, ...] = ("elimination", "multipliers", "matrix", "orthonormalise_every")
    default_integrator: str = "rk4"
    supports_kinematics: bool = False

    @property
    def ways(self) -> tuple[str, str, str, str]:
        """Family, coordinates, equations and solver, for judging how independent formulations are."""
        return "rotation matrix", "twelve parameters", "index 1", "elimination of Lambda"

    def describe(self) -> dict[str, Any]:
        """Plain data for listings; loads nothing."""
        return {
            "name": self.name,
            "paper": self.paper,
            "summary": self.summary,
            "needs": list(self.needs),
            "kinematics": self.supports_kinematics,
        }

    def settings(self, mechanism: CompiledMechanism, shape: str, own: Mapping[str, Any]) -> dict[str, Any]:
        """How a problem is made with these options, as plain data for a result's header."""
        return {
            "elimination": own.get("elimination") or usual(own.get("multipliers")),
            "multipliers": own.get("multipliers", MULTIPLIERS[0]),
            "matrix": own.get("matrix", MATRICES[0]),
            "orthonormalise_every": own.get("orthonormalise_every", 0),
        }

    def extras(self) -> dict[str, Any]:
        """What results carry besides: name -> (dimensions after time, unit, meaning)."""
        return EXTRAS

    def labels(self, problem: Any) -> dict[str, tuple[str, ...]]:
        """Names along the dimensions that only `extras` have: none."""
        return {}

    def further(self, problem: Any, block: Mapping[str, Any]) -> dict[str, Any]:
        """Those variables of a block of samples, from its motion (n, nb, 24) and Lambda in body components."""
        mechanism: CompiledMechanism = problem.mechanism
        motion, nb = block["motion"], mechanism.nb
        A_0, r_0 = mechanism.A[:nb].reshape(nb, 3, 3), mechanism.r[:nb]
        r, A = motion[:, :, :3], motion[:, :, 3:12].reshape(-1, nb, 3, 3)
        Lambda = block["extra"].reshape(-1, nb, 3, 3)
        off = np.swapaxes(A, 2, 3) @ A - np.eye(3)
        return {
            "multiplier_matrix": A_0 @ Lambda @ np.swapaxes(A_0, 1, 2),
            "pseudo_translation": r - np.einsum("nbij,bkj,bk->nbi", A, A_0, r_0),
            "orthogonality_violation": np.max(np.abs(off), axis=(2, 3), initial=0.0),
        }

    def admit(
        self,
        mechanism: CompiledMechanism,
        *,
        elimination: str | None = None,
        multipliers: str = "stage",
        matrix: str = "sparse",
        orthonormalise_every: int = 0,
    ) -> None:
        """Raise what `build` raises: MissingMassError, UnsupportedElementError, UsageError."""
        elimination = elimination or usual(multipliers)
        for name, value, known in (
            ("elimination", elimination, ELIMINATIONS),
            ("multipliers", multipliers, MULTIPLIERS),
            ("matrix", matrix, MATRICES),
        ):
            if value not in known:
                raise UsageError(f"there is no {name} {value!r}.", remedy=f"Known: {', '.join(known)}.")
        if orthonormalise_every != 0:
            whole_number("orthonormalise_every", orthonormalise_every)
        lean = elimination == ELIMINATIONS[0]
        if lean and multipliers == "step":
            raise UsageError(
                f"elimination={elimination!r} does not solve for Lambda, so multipliers='step' has none to hold.",
                remedy="Take elimination='two-step', as the paper does, or 'one-shot'.",
            )
        mechanism.need_masses()
        refuse(mechanism, inverse_of_K=not lean)

    def build(
        self,
        mechanism: CompiledMechanism,
        *,
        shape: str = EXPLICIT,
        elimination: str | None = None,
        multipliers: str = "stage",
        matrix: str = "sparse",
        orthonormalise_every: int = 0,
        droppable: bool = False,
        pose_tolerance: float = 1e-11,
        room: int = 1,
    ) -> ExplicitProblem:
        """The problem of this mechanism at its start pose and velocity.

        elimination : ``newton-euler`` (Lambda drops out in the skew part and is recovered for records), ``two-step``
            (eq. 25 as printed: Lambda of each body by a Lyapunov equation, then the joints) or ``one-shot`` (all at
            once). newton-euler if left out; two-step where multipliers are held, since these need Lambda.
        multipliers : ``stage`` (consistent at every stage) or ``step`` (held over a step, as in the paper).
        matrix : ``sparse`` or ``dense``, of the linear system.
        orthonormalise_every : put A back on SO(3) every so many steps; 0: never.
        droppable : allow for dependent rows. pose_tolerance : to what share of the mechanism's length poses are met.
        Raises MissingMassError; UnsupportedElementError for bodies it cannot treat; UsageError for unknown options.
        """
        from linkwork.formulations.rotation_matrix.problem import rotation_matrix_problem

        elimination = elimination or usual(multipliers)
        self.admit(
            mechanism,
            elimination=elimination,
            multipliers=multipliers,
            matrix=matrix,
            orthonormalise_every=orthonormalise_every,
        )
        return rotation_matrix_problem(
            mechanism,
            elimination=elimination,
            held=multipliers == "step",
            dense=matrix == "dense",
            orthonormalise_every=orthonormalise_every,
            droppable=droppable,
            pose_tolerance=pose_tolerance,
            room=room,
        )


def usual(multipliers: str | None) -> str:
    """The elimination that is taken where none is asked for: of those that find Lambda where it is held."""
    return ELIMINATIONS[1] if multipliers == "step" else ELIMINATIONS[0]


def refuse(mechanism: CompiledMechanism, *, inverse_of_K: bool) -> None:
    """Raise UnsupportedElementError for a body without inertia about some axis; where K^-1 is needed, also for a flat
    one."""
    from linkwork.formulations.rotation_matrix.work import full_rank, poinsot

    for body in mechanism.lowered.bodies:
        inertia = np.asarray(body.inertia, dtype=float)
        moments = np.linalg.eigvalsh(inertia)
        if not moments[0] > 1e-10 * moments[2]:
            raise UnsupportedElementError(
                f"body {body.name!r} has no inertia about one of its axes; the nine elements of its rotation matrix "
                "are not determined.",
                element=f"mechanism {mechanism.lowered.name!r}",
                remedy="Give it a small inertia there, or take rA, rp, re or a lie formulation.",
            )
        if moments[2] > (1.0 + 1e-9) * (moments[0] + moments[1]) and inverse_of_K:
            raise UnsupportedElementError(
                f"body {body.name!r} has moments of inertia that no real body has: one exceeds the sum of the others.",
                element=f"mechanism {mechanism.lowered.name!r}",
                remedy="Correct them, or take elimination='newton-euler', which needs only J.",
            )
        if inverse_of_K and not full_rank(poinsot(inertia)):
            raise UnsupportedElementError(
                f"body {body.name!r} is flat: its Poinsot inertia K has no inverse, which this elimination needs.",
                element=f"mechanism {mechanism.lowered.name!r}",
                remedy="Take elimination='newton-euler', or give it some thickness.",
            )


FORMULATION = RotationMatrixFormulation()
