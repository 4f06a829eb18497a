"""A way of solving the constrained Newton-Euler system, as a formulation [Mufti 1983].

The system M x + J^T lambda = f, J x = eta is the stationary point of Gauss's principle of least constraint (eqs. 10,
39, 49). It is formed once, by `equations.index_1` with every body on SO(3) x R^3; formulations
of this kind differ in who solves it (`linkwork.solvers`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from linkwork.formulations.contract import Formulation
from linkwork.problems.shapes import EXPLICIT, MOMENTA

if TYPE_CHECKING:
    from linkwork.problems.explicit import ExplicitProblem
    from linkwork.system import CompiledMechanism


@dataclass(frozen=True, kw_only=True, repr=False)
class NewtonEulerFormulation(Formulation):
    """Newton-Euler equations with multipliers, in positions, rotations and hybrid velocities.

    solver : a module of `linkwork.solvers`; options are handed to it. equations : of the paper.
    """

    solver: str
    equations: str
    paper: str = "Mufti 1983"
    shapes: tuple[str, ...] = (EXPLICIT, MOMENTA)
    default_integrator: str = "rk4"

    @property
    def classification(self) -> tuple[str, str, str, str]:
        """Family, coordinates, equations and solver, for judging how independent formulations are."""
        return "Lie group", "group product", "index 1", self.solver.replace("_", " ")

    def describe(self) -> dict[str, Any]:
        """Plain data for listings; loads nothing."""
        summary = f"{self.summary} ({self.equations})" + (f": {self.same_as} by name" if self.same_as else "")
        return {**super().describe(), "summary": summary, "same_as": self.same_as}

    def solver_options(self) -> dict[str, Any]:
        """Those of its options that its solver takes."""
        return {name: getattr(self, name) for name in self.options}

    def admit(self, mechanism: CompiledMechanism) -> None:
        """Raise what `build` raises."""
        from linkwork.solvers.choice import admit

        super().admit(mechanism)
        admit(mechanism, self.solver, **self.solver_options())

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

        Raises MissingMassError; UnsupportedElementError for a mechanism that this way of solving cannot treat.
        """
        import numpy as np

        from linkwork.equations.index_1.problem import index_1_problem
        from linkwork.solvers.choice import new_solver

        self.admit(mechanism)
        name, options = self.chosen(mechanism, droppable)
        group = np.zeros(mechanism.nb, dtype=np.int64)  # every body on SO(3) x R^3
        solver = new_solver(mechanism, group, droppable, room, name, **options)
        how: dict[str, Any] = {"droppable": droppable, "pose_tolerance": pose_tolerance}
        return index_1_problem(mechanism, group, solver, **how, momenta=shape == MOMENTA)

    def chosen(self, mechanism: CompiledMechanism, droppable: bool) -> tuple[str, dict[str, Any]]:
        """The solver's module for this mechanism, and the options that it takes."""
        return self.solver, self.solver_options()
