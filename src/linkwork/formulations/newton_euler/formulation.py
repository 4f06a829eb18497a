"""A way of solving the constrained Newton-Euler system, as a formulation [Mufti 1983].

The system M x + J^T lambda = f, J x = eta is the stationary point of Gauss's principle of least constraint (eqs. 10,
39, 49). It is formed once, by `equations.index_1` with every body on SO(3) x R^3; formulations
of this kind differ in who solves it (`linkwork.solvers`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from linkwork.formulations.refusal import Refusing
from linkwork.problems.explicit import ExplicitProblem
from linkwork.problems.shapes import EXPLICIT
from linkwork.system import CompiledMechanism


@dataclass(frozen=True)
class NewtonEulerFormulation(Refusing):
    """Newton-Euler equations with multipliers, in positions, rotations and hybrid velocities.

    name, paper, summary : for people.
    solver : a module of `linkwork.solvers`.
    defaults : the solver's options and what they are unless said otherwise.
    """

    name: str
    solver: str
    summary: str
    equations: str
    paper: str = "Mufti 1983"
    needs: tuple[str, ...] = ("mass and inertia of every body",)
    shapes: tuple[str, ...] = (EXPLICIT,)
    defaults: Mapping[str, Any] = field(default_factory=dict)
    default_integrator: str = "rk4"
    supports_kinematics: bool = False
    same_as: str = ""  # another formulation that carries out the same operations, bit for bit

    @property
    def options(self) -> tuple[str, ...]:
        """What `build` understands besides."""
        return tuple(self.defaults)

    @property
    def ways(self) -> tuple[str, str, str, str]:
        """Family, coordinates, equations and solver, for judging how independent formulations are."""
        return "Lie group", "group product", "index 1", self.solver.replace("_", " ")

    def describe(self) -> dict[str, Any]:
        """Plain data for listings; loads nothing."""
        return {
            "name": self.name,
            "paper": self.paper,
            "summary": f"{self.summary} ({self.equations})" + (f": {self.same_as} by name" if self.same_as else ""),
            "needs": list(self.needs),
            "kinematics": self.supports_kinematics,
            "same_as": self.same_as,
        }

    def settings(self, mechanism: CompiledMechanism, shape: str, own: Mapping[str, Any]) -> dict[str, Any]:
        """How a problem is made with these options, as plain data for a result's header."""
        return {**self.defaults, **own}

    def extras(self) -> dict[str, Any]:
        """What results carry besides: nothing."""
        return {}

    def labels(self, problem: Any) -> dict[str, tuple[str, ...]]:
        """Names along the dimensions that only `extras` have: none."""
        return {}

    def further(self, problem: Any, block: Mapping[str, Any]) -> dict[str, Any]:
        """Those variables of a block of samples."""
        return {}

    def admit(self, mechanism: CompiledMechanism, **own: Any) -> None:
        """Raise what `build` raises."""
        from linkwork.solvers.choice import admit

        mechanism.need_masses()
        admit(mechanism, self.solver, **{**self.defaults, **own})

    def build(
        self,
        mechanism: CompiledMechanism,
        *,
        shape: str = EXPLICIT,
        droppable: bool = False,
        pose_tolerance: float = 1e-11,
        room: int = 1,
        **own: Any,
    ) -> ExplicitProblem:
        """The problem of this mechanism at its start pose and velocity.

        droppable : allow for dependent rows. pose_tolerance : to what share of the mechanism's length poses are met.
        room : times the usual work space. own : the solver's options.
        Raises MissingMassError; UnsupportedElementError for a mechanism that this way of solving cannot treat.
        """
        from linkwork.equations.index_1.problem import index_1_problem
        from linkwork.solvers.choice import new_solver

        self.admit(mechanism, **own)
        name, options = self.chosen(mechanism, droppable, {**self.defaults, **own})
        group = np.zeros(mechanism.nb, dtype=np.int64)  # every body on SO(3) x R^3
        solver = new_solver(mechanism, group, droppable, room, name, **options)
        return index_1_problem(mechanism, group, solver, droppable=droppable, pose_tolerance=pose_tolerance)

    def chosen(
        self, mechanism: CompiledMechanism, droppable: bool, options: Mapping[str, Any]
    ) -> tuple[str, dict[str, Any]]:
        """The solver's module for this mechanism, and the options that it takes."""
        return self.solver, dict(options)
