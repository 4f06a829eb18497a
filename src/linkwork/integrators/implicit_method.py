"""What every implicit method for index-3 problems has in common: its settings, and how a run is started."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

from linkwork.errors import UsageError
from linkwork.integrators.implicit_run import ImplicitRun
from linkwork.integrators.scheme import Scheme
from linkwork.integrators.stopping import stopping_norm
from linkwork.problems.implicit import ImplicitProblem
from linkwork.problems.shapes import IMPLICIT

OPTIONS = ("tolerance", "position_tolerance", "max_iterations", "start")
STARTS = ("consistent", "perturbed")

LEAST_LEFT = 2e-5  # of a step's first correction


@dataclass(frozen=True)
class ImplicitMethod(ABC):
    """A one-step method with fixed step; on groups the same formulas in the algebra.

    usual_start : ``consistent``, at the exact rates, or ``perturbed``, at rates and accelerations that the method's
        own steps continue (`start.perturb`), so that the first multipliers are as good as all others.

    position_tolerance : the usual one.

    Stopping rule: `stopping.converged`; where one of these is given the published one [Kissel 2021, eq. 46]: the norm
    of the correction of accelerations and multipliers below `tolerance` (Theta), or the norm of the accelerations'
    correction below `position_tolerance` times the mechanism's length over c_q (angles weighted by that length,
    multipliers by what they accelerate). Neither can ask for more than rounding of phi / c_q allows, 50 eps length
    / c_q.
    """

    name: str
    order: int
    summary: str
    usual_start: str
    position_tolerance: float = 1e-11
    options: tuple[str, ...] = OPTIONS
    shape: str = IMPLICIT

    @abstractmethod
    def scheme(self, **own: Any) -> Scheme:
        """The method's numbers, from its own options."""

    def left(self, **own: Any) -> float:
        """The share of a step's first correction that may be left without being felt (`stopping.converged`). Methods
        that damp errors of constraints may leave more."""
        return LEAST_LEFT

    def describe(self) -> dict[str, Any]:
        """Plain data for listings."""
        return {"name": self.name, "order": self.order, "shape": self.shape, "summary": self.summary}

    def pose_tolerance(self, length: float, options: dict[str, Any]) -> float:
        """To what share of the mechanism's length poses are met with these settings."""
        own = {name: options[name] for name in self.options if name not in OPTIONS and name in options}
        step: float = options["step"]
        c_q = self.scheme(**own).step_y * step**2
        position_tolerance = options.get("position_tolerance", self.position_tolerance)
        return stopping_norm(length, c_q, options.get("tolerance"), position_tolerance) * c_q / length

    def start(
        self,
        problem: ImplicitProblem,
        *,
        step: float,
        t_end: float,
        tolerance: float | None = None,
        position_tolerance: float | None = None,
        max_iterations: int | None = None,
        start: str | None = None,
        every: int = 1,
        **own: Any,
    ) -> ImplicitRun:
        """A run from the problem's present state. Raises UsageError for settings that make no sense."""
        if tolerance is not None and position_tolerance is not None:
            raise UsageError("give tolerance (on corrections) or position_tolerance, not both.")
        start = start or self.usual_start
        if start not in STARTS:
            raise UsageError(f"start must be one of {', '.join(STARTS)}, not {start!r}.")
        return ImplicitRun(
            problem,
            self.scheme(**own),
            perturbed=start == "perturbed",
            left=self.left(**own),
            step=step,
            t_end=t_end,
            tolerance=tolerance,
            position_tolerance=position_tolerance,
            usual_position_tolerance=self.position_tolerance,
            max_iterations=max_iterations,
            every=every,
        )
