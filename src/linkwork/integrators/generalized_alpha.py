"""Generalized-alpha for index-3 problems, in coordinates and on Lie groups (Chung, Hulbert 1993; Brüls, Cardona 2010).

    (1 - alpha_m) a_{n+1} + alpha_m a_n = (1 - alpha_f) vdot_{n+1} + alpha_f vdot_n
    increment = h v_n + h^2 ((1/2 - beta) a_n + beta a_{n+1}),    v_{n+1} = v_n + h ((1 - gamma) a_n + gamma a_{n+1})

with the equations of motion and the constraints met at t_{n+1} by vdot_{n+1}, v_{n+1} and the new pose. All of alpha_m,
alpha_f, gamma and beta follow from rho_infinity, the factor by which the highest frequencies shrink per step.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

from linkwork.errors import UsageError
from linkwork.integrators.implicit_method import LEAST_LEFT, ImplicitMethod
from linkwork.integrators.radau import Sampled, admitted, span
from linkwork.integrators.scheme import Scheme
from linkwork.options import Option

if TYPE_CHECKING:
    from linkwork.integrators.contract import Run
    from linkwork.problems.implicit import ImplicitProblem

WEAK_DAMPING = 0.95  # above it constraint errors of fast turning bodies were seen to grow


@dataclass(frozen=True, kw_only=True, repr=False)
class GeneralizedAlpha(ImplicitMethod, Sampled):
    """Second order, with numerical damping of what the step does not resolve; steps of one size, or, where a tolerance
    is given, of sizes that it chooses.

    Constraints behave like infinitely high frequencies: with rho_infinity = 1 nothing holds errors of the multipliers
    back, and they grow.
    """

    name: str = "generalized-alpha"
    order: int = 2
    summary: str = (
        "generalized-alpha on the index-3 equations, second order, damping by rho_infinity; fixed or adaptive steps"
    )
    usual_start: Literal["consistent", "perturbed"] = "perturbed"
    sample_tolerance: float = 2e-7
    rho_infinity: Annotated[
        float,
        Option(
            "spectral radius at infinite frequency: 1 damps nothing, 0 takes the highest frequencies out within a step",
            least=0.0,
            most=1.0,
        ),
    ] = 0.8

    equations: Annotated[
        Literal["index-3", "stabilised-index-2"],
        Option(
            "with a tolerance: constraints at position level; or at velocity level, too, with multipliers of their own"
        ),
    ] = "index-3"

    def scheme(self) -> Scheme:
        """The numbers for rho_infinity."""
        return chung_hulbert(self.rho_infinity)

    @property
    def tolerance_exponent(self) -> float:
        """Steps fall like rtol^(1/3), errors like the square of these."""
        return 2.0 / 3.0

    def left(self) -> float:
        """A share with which errors of the unknowns across the constraints fall by (1 + rho) / 2 a step, or faster.

        Without it they fall like n^2 (-rho)^n. What is left of a correction is an error of the next step's pose there,
        divided by c_q, and feeds back into the next prediction, its bend and its correction. Up to rho = 0.95 the
        largest eigenvalue of that loop, whatever the phase of the share, is no more than (1 + rho) / 2, and it reaches
        one with twenty times this share (`tests/order/test_shares.py`). 0.03 % at rho = 0.8.
        """
        return max(0.0015 * (1.0 - self.rho_infinity), LEAST_LEFT)

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("tolerance", "position_tolerance", "start"):
            if self.adaptive and getattr(self, name) is not None:
                raise UsageError(
                    f"{name} belongs to steps of one size.",
                    remedy="With rtol and atol Newton's tolerance follows.",
                )
        if self.equations != "index-3" and not self.adaptive:
            raise UsageError("equations goes with rtol or atol here: steps of one size are on index 3.")
        if self.t_eval is not None and not self.adaptive:
            raise UsageError("t_eval goes with rtol or atol here: steps of one size have samples at their ends.")

    def new_run(self, problem: ImplicitProblem, *, step: float, t_end: float, every: int = 1) -> Run[ImplicitProblem]:
        """As every implicit method, or with steps of its own; what rho_infinity asks for is said where it is risky."""
        if self.adaptive:
            from linkwork.integrators.alpha_run import AlphaRun

            problem = admitted(f"{self.name} with rtol", problem)
            how = {**span(self, step, t_end, every), "stabilised": self.equations == "stabilised-index-2"}
            return AlphaRun(problem, self.scheme(), max_iterations=self.max_iterations, **how)
        run = super().new_run(problem, step=step, t_end=t_end, every=every)
        if self.rho_infinity > WEAK_DAMPING and problem.layout.nc:
            run.remarks.append("with rho_infinity this near 1 errors of reactions are hardly damped and may grow")
        return run


def chung_hulbert(rho: float) -> Scheme:
    """The scheme that is most accurate at low frequencies among those of second order with this rho_infinity.

    a belongs to t + (alpha_m - alpha_f) h: both sides of the recursion are then vdot at one instant, to second order.
    """
    alpha_m, alpha_f = (2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0)
    lag = alpha_m - alpha_f
    gamma = 0.5 - lag
    beta = 0.25 * (gamma + 0.5) ** 2
    next_a, next_x, next_y = (value / (1.0 - alpha_m) for value in (-alpha_m, alpha_f, 1.0 - alpha_f))
    return Scheme(
        step_a=0.5 - beta + beta * next_a,
        step_x=beta * next_x,
        step_y=beta * next_y,
        rate_a=1.0 - gamma + gamma * next_a,
        rate_x=gamma * next_x,
        rate_y=gamma * next_y,
        next_a=next_a,
        next_x=next_x,
        next_y=next_y,
        lag=lag,
    )


GENERALIZED_ALPHA = GeneralizedAlpha()
