"""Radau IIA methods for index-3 problems, in coordinates and on Lie groups, with steps that find their own size.

Collocation at the right Radau points [Hairer, Wanner 1996, IV.5; Hairer, Lubich, Roche 1989]: stiffly accurate, so that
constraints are met at the end of every step, and L-stable.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Annotated, Any, Literal

from linkwork.arguments import MOST_ADAPTIVE, step_count
from linkwork.errors import UsageError
from linkwork.integrators.contract import Integrator
from linkwork.integrators.runge_kutta import times_of, within
from linkwork.integrators.tolerances import Adaptive
from linkwork.options import Option
from linkwork.problems.shapes import IMPLICIT

if TYPE_CHECKING:
    from linkwork.integrators.radau_run import RadauRun
    from linkwork.problems.implicit import ImplicitProblem


@dataclass(frozen=True, kw_only=True, repr=False)
class Sampled(Adaptive):
    """Options of implicit methods that choose their steps and follow a polynomial within them."""

    t_eval: Annotated[
        Sequence[float] | None,
        Option("times at which samples are wanted instead, ascending", unit="s", check=times_of),
    ] = None


@dataclass(frozen=True, kw_only=True, repr=False)
class Collocated(Integrator["ImplicitProblem"], Sampled):
    """Options of Radau IIA methods."""

    shape: str = IMPLICIT
    max_iterations: Annotated[int | None, Option("of Newton's method per step", least=1)] = None
    equations: Annotated[
        Literal["index-3", "stabilised-index-2"],
        Option("constraints at position level; or at velocity level, too, with multipliers of their own for positions"),
    ] = "index-3"

    def how(self, step: float, t_end: float, every: int) -> dict[str, Any]:
        """What a run is told of steps, samples and equations."""
        return {
            "max_iterations": self.max_iterations,
            "stabilised": self.equations == "stabilised-index-2",
            **span(self, step, t_end, every),
        }


@dataclass(frozen=True, kw_only=True, repr=False)
class Radau(Collocated):
    """A Radau IIA method: steps of one size; or, where a tolerance is given, of sizes that it chooses.

    The error of each step stays below atol + rtol times what it is measured against: one radian, the mechanism's
    length, the fastest body's speed.

    stages : odd; the order is 2 stages - 1.
    """

    name: str
    stages: int
    order: int = 0
    summary: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "order", 2 * self.stages - 1)
        said = f"Radau IIA, {self.stages} stages, on the index-3 equations, order {self.order}, for stiff mechanisms"
        object.__setattr__(self, "summary", f"{said}, with an error estimate of order {self.stages}")

    def describe(self) -> dict[str, Any]:
        """Plain data for listings."""
        return {**super().describe(), "order": self.order}

    def new_run(self, problem: ImplicitProblem, *, step: float, t_end: float, every: int = 1) -> RadauRun:
        """A run from the problem's present state.

        Raises UsageError for formulations that cannot tell the rows by themselves.
        """
        from linkwork.integrators.collocation import radau_iia
        from linkwork.integrators.radau_run import RadauRun

        problem = admitted(self.name, problem)
        how = self.how(step, t_end, every)
        return RadauRun(problem, self.stages, radau_iia(self.stages), pairs=(self.stages - 1) // 2, **how)


def admitted(name: str, problem: ImplicitProblem) -> ImplicitProblem:
    """The problem with all its equations in one sparse matrix, those of rigid couplings and rotors, too.

    Raises UsageError for formulations that cannot tell the rows by themselves.
    """
    from linkwork.problems.nothing import NOTHING

    if problem.constrain is NOTHING:
        raise UsageError(
            f"{name} asks a formulation for an entry CONSTRAIN, which this one does not have.",
            remedy="See docs/recipes/formulation.md; or take generalized-alpha with steps of one size.",
        )
    return problem if problem.one_matrix is None else problem.one_matrix()


def span(method: Sampled, step: float, t_end: float, every: int) -> dict[str, Any]:
    """What a run is told of steps and samples. Raises UsageError for steps too small, and times outside the run."""
    import numpy as np

    largest = method.max_step or inf
    step_count(t_end, largest, MOST_ADAPTIVE)
    return {
        "step": step,
        "t_end": t_end,
        "every": every,
        "tolerances": method.tolerances,
        "max_step": largest,
        "times": None if method.t_eval is None else within(np.array(method.t_eval), t_end),
    }


@dataclass(frozen=True, kw_only=True, repr=False)
class Radau5(Radau):
    """Three stages, order five."""

    name: str = "radau5"
    stages: int = 3


@dataclass(frozen=True, kw_only=True, repr=False)
class Radau9(Radau):
    """Five stages, order nine."""

    name: str = "radau9"
    stages: int = 5


@dataclass(frozen=True, kw_only=True, repr=False)
class Radau13(Radau):
    """Seven stages, order thirteen."""

    name: str = "radau13"
    stages: int = 7


@dataclass(frozen=True, kw_only=True, repr=False)
class RadauVariable(Collocated):
    """Three, five or seven stages, as Newton's method converges; steps of one size have three.

    Tolerances are raised with the order such that the error of a step is about rtol (`radau_orders`).
    """

    name: str = "radau"
    order: int = 5
    summary: str = "Radau IIA of 3, 5 or 7 stages on the index-3 equations, order 5, 9 or 13, chosen step by step"

    @property
    def tolerance_exponent(self) -> float:
        """As measured: with other tolerances other orders are chosen, and errors fall unevenly."""
        return 0.5

    def new_run(self, problem: ImplicitProblem, *, step: float, t_end: float, every: int = 1) -> RadauRun:
        """A run from the problem's present state. Raises UsageError as `Radau` does."""
        from linkwork.integrators.radau_orders_run import VariableOrderRun

        problem = admitted(self.name, problem)
        return VariableOrderRun(problem, **self.how(step, t_end, every))


RADAU5, RADAU9, RADAU13 = Radau5(), Radau9(), Radau13()
RADAU = RadauVariable()
