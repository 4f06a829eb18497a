"""Implicit midpoint and Störmer-Verlet: symmetric methods of second order for long runs, and their settings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from linkwork.errors import UsageError
from linkwork.integrators.fixed_point import DEPTH, ITERATIONS, Solver, new_solver
from linkwork.integrators.runge_kutta_run import RungeKuttaRun
from linkwork.integrators.stabilisation import Stabilisation
from linkwork.problems.explicit import ExplicitProblem
from linkwork.problems.shapes import EXPLICIT

METHODS = ("implicit-midpoint", "stormer-verlet")  # in the numbers of `symmetric_kernels`
TOLERANCE, MAX_ITERATIONS = 1e-15, 50


@dataclass(frozen=True)
class Plan:
    """What a run of the Runge-Kutta kind asks of a method, here one whose stages are found by iteration."""

    solver: Solver
    stages: int = 1
    extra_stages: int = 0
    fsal: bool = False
    order: int = 2
    error_order: int | None = None

    def arrays(self) -> Solver:
        """The arrays that its compiled code takes where others take a tableau's."""
        return self.solver


class SymmetricRun(RungeKuttaRun):
    """One run. `initialise` first, then `advance` as often as wanted."""

    arrays: Solver

    def take_over(self, other: RungeKuttaRun) -> None:
        """Go on from where another run of the same mechanism and formulation stands."""
        super().take_over(other)
        self.arrays.counts[ITERATIONS] = other.arrays.counts[ITERATIONS]

    @staticmethod
    def _compiled() -> Any:
        from linkwork.integrators.symmetric_kernels import ADVANCE

        return ADVANCE

    @property
    def counts(self) -> dict[str, int]:
        """What the run has cost so far; `iterations` are the evaluations that steps were solved with."""
        return {**super().counts, "iterations": int(self.arrays.counts[ITERATIONS])}


@dataclass(frozen=True)
class Symmetric:
    """A method that, taken backwards from where it arrives, comes back to where it started.

    tolerance : how well the equations of a step are met, in parts of a radian, of the mechanism's length, and of the
        fastest velocity. max_iterations : of one fixed point; implicit midpoint has one in a step, Störmer-Verlet two.
    """

    name: str
    summary: str
    shape: str = EXPLICIT
    options: tuple[str, ...] = ("tolerance", "max_iterations", "stabilisation", "baumgarte", "project_every")

    def describe(self) -> dict[str, Any]:
        """Plain data for listings."""
        return {"name": self.name, "order": 2, "shape": self.shape, "summary": self.summary}

    def pose_tolerance(self, length: float, options: dict[str, Any]) -> float:
        """Poses drift from the constraints by an amount that is not known before: rows are judged as they are met."""
        return 0.0

    def start(
        self,
        problem: ExplicitProblem,
        *,
        step: float,
        t_end: float,
        every: int = 1,
        tolerance: float | None = None,
        max_iterations: int | None = None,
        stabilisation: str | None = None,
        baumgarte: Sequence[float] | None = None,
        project_every: int | None = None,
    ) -> SymmetricRun:
        """A run from the problem's present state. Raises UsageError for settings that make no sense."""
        if problem.remembers:
            raise UsageError(
                f"{self.name} asks for accelerations at every stage, and these multipliers are held over a step.",
                remedy="Take multipliers='stage', or an explicit Runge-Kutta method.",
            )
        tolerance = TOLERANCE if tolerance is None else tolerance
        most = MAX_ITERATIONS if max_iterations is None else max_iterations
        held = Stabilisation.of(stabilisation, baumgarte, project_every, step)
        plan = Plan(new_solver(len(problem.work.psi), METHODS.index(self.name), tolerance, most))
        run = SymmetricRun(problem, plan, step, t_end, every, None, float("inf"), None, held)
        run.settings |= {"tolerance": tolerance, "max_iterations": most}
        if held.way == "projection":
            run.remarks.append(f"projection onto the constraints takes from {self.name} that it can be run backwards")
        return run


IMPLICIT_MIDPOINT = Symmetric(
    METHODS[0],
    f"implicit midpoint rule, symmetric, second order, fixed step; fixed point with Anderson's acceleration ({DEPTH})",
)
STORMER_VERLET = Symmetric(
    METHODS[1],
    "generalised Störmer-Verlet (leapfrog), symmetric, second order, fixed step; for rates that depend on both halves",
)
