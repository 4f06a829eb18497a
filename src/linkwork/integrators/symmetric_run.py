"""A run of a symmetric method: that of an explicit one, whose stages are found by iteration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

from linkwork.integrators.fixed_point import Solver
from linkwork.integrators.runge_kutta_run import RungeKuttaRun


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

    def take_over(self, other: Self) -> None:
        """Go on from where another run of the same mechanism and formulation stands."""
        super().take_over(other)
        self.arrays.iterations[0] = other.arrays.iterations[0]

    @staticmethod
    def _compiled() -> Any:
        from linkwork.integrators.symmetric_kernels import ADVANCE

        return ADVANCE

    @property
    def has_tangents(self) -> bool:
        """They have none: iterations of a step are not compiled for dual numbers."""
        return False

    @property
    def counts(self) -> dict[str, int]:
        """What the run has cost so far; `iterations` are the evaluations that steps were solved with."""
        return {**super().counts, "iterations": int(self.arrays.iterations[0])}
