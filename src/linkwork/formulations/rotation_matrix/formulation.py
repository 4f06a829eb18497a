"""The rotation-matrix formulation as an object: what it is in words, and how to make its problem."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

from linkwork.errors import UnsupportedElementError, UsageError
from linkwork.formulations.contract import Extras, Formulation
from linkwork.options import Option
from linkwork.problems.shapes import EXPLICIT

if TYPE_CHECKING:
    from linkwork.kernels.tables import Floats
    from linkwork.problems.explicit import ExplicitProblem
    from linkwork.system import CompiledMechanism

NEWTON_EULER = "newton-euler"
EXTRAS: Extras = {
    "multiplier_matrix": (
        ("body", "xyz", "xyz_body"),
        "J",
        "multipliers Lambda of R^T R = I, along the global axes of the start as the body turns them",
    ),
    "pseudo_translation": (("body", "xyz"), "m", "T* = r - R r_0, where the body would carry the global origin"),
    "orthogonality_violation": (("body",), "1", "largest element of A^T A - I"),
}


@dataclass(frozen=True, kw_only=True, repr=False)
class RotationMatrix(Formulation):
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
    default_integrator: str = "rk4"
    elimination: Annotated[
        Literal["newton-euler", "two-step", "one-shot"] | None,
        Option(
            "how multipliers are found: Lambda drops out in the skew part and is recovered for records (if left out); "
            "as printed (if left out where multipliers are held), Lambda of each body first [eq. 25]; or all at once"
        ),
    ] = None
    multipliers: Annotated[
        Literal["stage", "step"], Option("consistent at every stage, or held over a step as in the paper")
    ] = "stage"
    matrix: Annotated[Literal["sparse", "dense"], Option("of the linear system")] = "sparse"
    orthonormalise_every: Annotated[
        int, Option("put the rotation matrices back on SO(3) every so many steps; 0: never", least=0)
    ] = 0

    @property
    def classification(self) -> tuple[str, str, str, str]:
        """Family, coordinates, equations and solver, for judging how independent formulations are."""
        return "rotation matrix", "twelve parameters", "index 1", "elimination of Lambda"

    @property
    def held(self) -> bool:
        """Whether multipliers are held over a step."""
        return self.multipliers == "step"

    @property
    def way(self) -> str:
        """The elimination; where none is asked for one that finds Lambda if it is held."""
        return self.elimination or ("two-step" if self.held else NEWTON_EULER)

    def settings(self, mechanism: CompiledMechanism, shape: str) -> dict[str, Any]:
        """How a problem is made with these options, as plain data for a result's header."""
        return {**super().settings(mechanism, shape), "elimination": self.way}

    def extras(self) -> Extras:
        """What results carry besides: name -> (dimensions after time, unit, meaning)."""
        return EXTRAS

    def extra_outputs(self, problem: ExplicitProblem, block: Mapping[str, Floats]) -> dict[str, Floats]:
        """Those variables of a block of samples, from its motion (n, nb, 24) and Lambda in body components."""
        import numpy as np

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

    def admit_couplings(self, mechanism: CompiledMechanism) -> None:
        """Only where Lambda drops out. Raises UnsupportedElementError."""
        if self.way != NEWTON_EULER or self.held:
            from linkwork.system.couplings import refuse_couplings

            refuse_couplings(mechanism, f"eliminations other than {NEWTON_EULER!r}, and multipliers that are held,")

    def admit(self, mechanism: CompiledMechanism) -> None:
        """Raise what `build` raises: MissingMassError, UnsupportedElementError, UsageError."""
        lean = self.way == NEWTON_EULER
        if lean and self.held:
            raise UsageError(
                f"elimination={self.way!r} does not solve for Lambda, so multipliers='step' has none to hold.",
                remedy="Take elimination='two-step', as the paper does, or 'one-shot'.",
            )
        mechanism.need_masses()
        refuse(mechanism, inverse_of_K=not lean)

    def build(
        self,
        mechanism: CompiledMechanism,
        *,
        shape: str = EXPLICIT,
        droppable: bool = False,
        pose_tolerance: float = 1e-11,
        room: int = 1,
    ) -> ExplicitProblem:
        """The explicit problem of this mechanism.

        Raises MissingMassError; UnsupportedElementError for bodies it cannot treat; UsageError.
        """
        from linkwork.formulations.rotation_matrix.problem import rotation_matrix_problem

        self.admit(mechanism)
        return rotation_matrix_problem(
            mechanism,
            elimination=self.way,
            held=self.held,
            dense=self.matrix == "dense",
            orthonormalise_every=self.orthonormalise_every,
            droppable=droppable,
            pose_tolerance=pose_tolerance,
            room=room,
        )


def refuse(mechanism: CompiledMechanism, *, inverse_of_K: bool) -> None:
    """Raise UnsupportedElementError for a body without inertia about some axis; where K^-1 is needed, also for a flat
    one."""
    import numpy as np

    for body, row in zip(mechanism.lowered.bodies, mechanism.system.bodies.inertia, strict=False):
        inertia = row.reshape(3, 3)
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
        if inverse_of_K and flat(inertia):
            raise UnsupportedElementError(
                f"body {body.name!r} is flat: its Poinsot inertia K has no inverse, which this elimination needs.",
                element=f"mechanism {mechanism.lowered.name!r}",
                remedy="Take elimination='newton-euler', or give it some thickness.",
            )


def flat(inertia: Floats) -> bool:
    """Whether a body's Poinsot inertia has no inverse."""
    from linkwork.formulations.rotation_matrix.work import full_rank, poinsot

    return not full_rank(poinsot(inertia))


FORMULATION = RotationMatrix()
