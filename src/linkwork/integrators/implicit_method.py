"""What every implicit method for index-3 problems has in common: its settings, and how a run is started."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

from linkwork.errors import UsageError
from linkwork.integrators.contract import Integrator
from linkwork.integrators.scheme import Scheme
from linkwork.options import Option
from linkwork.problems.shapes import IMPLICIT

if TYPE_CHECKING:
    from linkwork.integrators.contract import Run
    from linkwork.problems.implicit import ImplicitProblem

LEAST_LEFT = 2e-5  # of a step's bend or first correction


@dataclass(frozen=True, kw_only=True, repr=False)
class ImplicitMethod(Integrator["ImplicitProblem"]):
    """A one-step method with fixed step; on groups the same formulas in the algebra. To be written: `scheme`.

    usual_start : ``consistent``, at the exact rates, or ``perturbed``, at rates and accelerations that the method's
        own steps continue (`start.perturb`), so that the first multipliers are as good as all others.

    usual_position_tolerance : the one that holds if none is given.

    sample_tolerance : of the size of accelerations. Where rounding of positions over c_q may be more, samples have
        accelerations and multipliers of the index-1 equations (`index_1`).

    Stopping rule: `stopping.converged`; where one of these is given the published one [Kissel 2021, eq. 46]: the norm
    of the correction of accelerations and multipliers below `tolerance` (Theta), or the norm of the accelerations'
    correction below `position_tolerance` times the mechanism's length over c_q (angles weighted by that length,
    multipliers by what they accelerate). Neither can ask for more than rounding of phi / c_q allows, 50 eps length
    / c_q.
    """

    usual_start: Literal["consistent", "perturbed"]
    usual_position_tolerance: float = 1e-11
    sample_tolerance: float = 1e-6
    shape: str = IMPLICIT
    tolerance: Annotated[
        float | None,
        Option(
            "norm of the corrections of accelerations and multipliers at which a step is done [Kissel 2021, eq. 46]",
            above=0.0,
        ),
    ] = None
    position_tolerance: Annotated[
        float | None,
        Option("instead of it: positions to this share of the mechanism's length (1e-11 if left out)", above=0.0),
    ] = None
    max_iterations: Annotated[int | None, Option("of Newton's method per step", least=1)] = None
    start: Annotated[
        Literal["consistent", "perturbed"] | None,
        Option(
            "rates and accelerations that steps begin with: exact, or such as the method's own steps continue, "
            "so that the first multipliers are as good as all others"
        ),
    ] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.tolerance is not None and self.position_tolerance is not None:
            raise UsageError("give tolerance (on corrections) or position_tolerance, not both.")

    @abstractmethod
    def scheme(self) -> Scheme:
        """The method's numbers, from its own options."""

    def left(self) -> float:
        """The share of a prediction's bend, or of a step's first correction, that may be left without being felt
        (`stopping.converged`). Methods that damp errors of constraints may leave more."""
        return LEAST_LEFT

    def pose_tolerance(self, length: float, step: float) -> float:
        """To what share of the mechanism's length poses are met with steps of this size."""
        from linkwork.integrators.stopping import stopping_norm

        c_q = self.scheme().step_y * step**2
        asked = self.position_tolerance or self.usual_position_tolerance
        return stopping_norm(length, c_q, self.tolerance, asked) * c_q / length

    def new_run(self, problem: ImplicitProblem, *, step: float, t_end: float, every: int = 1) -> Run[ImplicitProblem]:
        """A run from the problem's present state."""
        from linkwork.integrators.implicit_run import ImplicitRun

        return ImplicitRun(
            problem,
            self.scheme(),
            perturbed=(self.start or self.usual_start) == "perturbed",
            left=self.left(),
            sample_tolerance=self.sample_tolerance,
            step=step,
            t_end=t_end,
            tolerance=self.tolerance,
            position_tolerance=self.position_tolerance,
            usual_position_tolerance=self.usual_position_tolerance,
            max_iterations=self.max_iterations,
            every=every,
        )
