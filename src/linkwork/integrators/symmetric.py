"""Implicit midpoint and Störmer-Verlet: symmetric methods of second order for long runs, and their settings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from linkwork.errors import UsageError
from linkwork.integrators.stabilisation import Stabilised
from linkwork.options import Option

if TYPE_CHECKING:
    from linkwork.integrators.symmetric_run import SymmetricRun
    from linkwork.problems.explicit import ExplicitProblem

METHODS = ("implicit-midpoint", "stormer-verlet")  # in the numbers of `symmetric_kernels`
DEPTH = 5  # pairs of differences that Anderson's acceleration keeps


@dataclass(frozen=True, kw_only=True, repr=False)
class Symmetric(Stabilised):
    """A method that, taken backwards from where it arrives, comes back to where it started."""

    order: int = 2
    tolerance: Annotated[
        float,
        Option(
            "how well the equations of a step are met, in parts of a radian, of the mechanism's length, and of the "
            "fastest velocity",
            above=0.0,
        ),
    ] = 1e-15
    max_iterations: Annotated[
        int, Option("of one fixed point; implicit midpoint has one in a step, Störmer-Verlet two", least=1)
    ] = 50

    def new_run(self, problem: ExplicitProblem, *, step: float, t_end: float, every: int = 1) -> SymmetricRun:
        """A run from the problem's present state. Raises UsageError for multipliers that are held over steps."""
        if problem.remembers:
            raise UsageError(
                f"{self.name} asks for accelerations at every stage, and these multipliers are held over a step.",
                remedy="Take multipliers='stage', or an explicit Runge-Kutta method.",
            )
        from linkwork.integrators.fixed_point import new_solver
        from linkwork.integrators.symmetric_run import Plan, SymmetricRun

        held = self.held(step)
        plan = Plan(new_solver(len(problem.work.psi), METHODS.index(self.name), self.tolerance, self.max_iterations))
        run = SymmetricRun(problem, plan, step, t_end, every, None, float("inf"), None, held)
        run.settings.update(tolerance=self.tolerance, max_iterations=self.max_iterations)
        if held.way == "projection":
            run.remarks.append(f"projection onto the constraints takes from {self.name} that it can be run backwards")
        return run


@dataclass(frozen=True, kw_only=True, repr=False)
class ImplicitMidpoint(Symmetric):
    """The implicit midpoint rule."""

    name: str = METHODS[0]
    summary: str = (
        "implicit midpoint rule, symmetric, second order, fixed step; "
        f"fixed point with Anderson's acceleration ({DEPTH})"
    )


@dataclass(frozen=True, kw_only=True, repr=False)
class StormerVerlet(Symmetric):
    """The generalised leapfrog method."""

    name: str = METHODS[1]
    summary: str = (
        "generalised Störmer-Verlet (leapfrog), symmetric, second order, fixed step; for rates that depend on both "
        "halves"
    )


IMPLICIT_MIDPOINT, STORMER_VERLET = ImplicitMidpoint(), StormerVerlet()
