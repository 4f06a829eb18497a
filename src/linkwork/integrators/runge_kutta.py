"""Explicit Runge-Kutta methods, on groups Munthe-Kaas methods: what they are, and their settings.

Every tableau of `integrators.tableaux` is an integrator of this one kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.arguments import MOST_ADAPTIVE, positive_number, step_count
from linkwork.errors import UsageError
from linkwork.integrators.runge_kutta_run import RungeKuttaRun
from linkwork.integrators.stabilisation import Stabilisation
from linkwork.integrators.tableaux import TABLEAUX, load_tableau
from linkwork.integrators.tableaux.tableau import Tableau
from linkwork.problems.explicit import ExplicitProblem
from linkwork.problems.shapes import EXPLICIT

Array = NDArray[np.float64]
RTOL, ATOL = 1e-6, 1e-9
FOR_PAIRS = ("rtol", "atol", "max_step")


@dataclass(frozen=True)
class RungeKutta:
    """An explicit method, given by its tableau [Müller 2013, eq. 37].

    Steps of one size; or, for pairs and where a tolerance is given, sizes chosen so that the error of each step, in
    the algebra, stays below atol + rtol times what each component is measured against: one radian, the mechanism's
    length, the fastest body's speed.
    """

    name: str
    shape: str = EXPLICIT

    @property
    def options(self) -> tuple[str, ...]:
        """What `start` understands besides: tolerances only with an error estimate."""
        common = ("t_eval", "stabilisation", "baumgarte", "project_every")
        return (*FOR_PAIRS, *common) if self.tableau.e is not None else common

    @property
    def tableau(self) -> Tableau:
        """The method's numbers."""
        return load_tableau(self.name)

    def describe(self) -> dict[str, Any]:
        """Plain data for listings."""
        t = self.tableau
        stages = f"{t.stages} stages" if t.stages > 1 else "1 stage"
        pair = f", with an error estimate of order {t.error_order}" if t.e is not None else ""
        return {
            "name": self.name,
            "order": t.order,
            "shape": self.shape,
            "summary": f"{t.title}, {stages}{pair}; on groups its Munthe-Kaas form",
        }

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
        rtol: float | None = None,
        atol: float | None = None,
        max_step: float | None = None,
        t_eval: Sequence[float] | None = None,
        stabilisation: str | None = None,
        baumgarte: Sequence[float] | None = None,
        project_every: int | None = None,
    ) -> RungeKuttaRun:
        """A run from the problem's present state. Raises UsageError for settings that make no sense."""
        tableau = self.tableau
        adaptive = rtol is not None or atol is not None
        if max_step is not None and not adaptive:
            raise UsageError("max_step goes with rtol or atol; otherwise every step has the given size.")
        held = Stabilisation.of(stabilisation, baumgarte, project_every, None if adaptive else step)
        tolerances = (
            (
                RTOL if rtol is None else positive_number("rtol", rtol),
                ATOL if atol is None else positive_number("atol", atol),
            )
            if adaptive
            else None
        )
        largest = np.inf if max_step is None else positive_number("max_step", max_step, "seconds")
        step_count(t_end, largest, MOST_ADAPTIVE)
        times = None if t_eval is None else requested_times(t_eval, t_end)
        return RungeKuttaRun(problem, tableau, step, t_end, every, tolerances, largest, times, held)


def requested_times(t_eval: Sequence[float], t_end: float) -> Array:
    """The times samples are wanted at, as an array. Raises UsageError unless they ascend within [0, t_end]."""
    try:
        times = np.array(t_eval, dtype=float).ravel()
    except (TypeError, ValueError):
        raise UsageError(f"t_eval wants a list of times in seconds, not {t_eval!r}.") from None
    if not times.size or not np.all(np.isfinite(times)):
        raise UsageError("t_eval holds no times, or some that are not finite.")
    if np.any(np.diff(times) <= 0.0):
        raise UsageError("the times in t_eval must ascend, each once.")
    if times[0] < 0.0 or times[-1] > t_end * (1.0 + 1e-12):
        raise UsageError(f"the times in t_eval must lie between 0 and t_end = {t_end:g} s.")
    within: Array = np.minimum(times, t_end)
    return within


def __getattr__(name: str) -> RungeKutta:
    """Every registered tableau as an integrator."""
    if name not in TABLEAUX:
        raise AttributeError(name)
    return RungeKutta(name)
