"""Explicit Runge-Kutta methods, on groups Munthe-Kaas methods: what they are, and their settings.

Every tableau of `integrators.tableaux` is an integrator of this one kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from linkwork.arguments import MOST_ADAPTIVE, step_count
from linkwork.errors import UsageError
from linkwork.integrators.stabilisation import Stabilised
from linkwork.integrators.tableaux import TABLEAUX, load_tableau
from linkwork.integrators.tolerances import Adaptive
from linkwork.options import Option

if TYPE_CHECKING:
    from linkwork.integrators.runge_kutta_run import RungeKuttaRun
    from linkwork.integrators.tableaux.tableau import Tableau
    from linkwork.kernels.tables import Floats
    from linkwork.problems.explicit import ExplicitProblem


@dataclass(frozen=True, kw_only=True, repr=False)
class RungeKutta(Stabilised):
    """An explicit method, given by its tableau [Müller 2013, eq. 37]; steps of one size.

    name : of a tableau, in `integrators.tableaux.TABLEAUX`; that of the class in small letters if left out.
    """

    name: str = ""
    order: int = 0
    summary: str = ""
    t_eval: Annotated[
        Sequence[float] | None,
        Option("times at which samples are wanted instead, ascending", unit="s", check=times_of),
    ] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "name", self.name or type(self).__name__.lower())

    @property
    def tableau(self) -> Tableau:
        """The method's numbers."""
        return load_tableau(self.name)

    def describe(self) -> dict[str, Any]:
        """Plain data for listings."""
        t = self.tableau
        stages = f"{t.stages} stages" if t.stages > 1 else "1 stage"
        pair = f", with an error estimate of order {t.error_order}" if t.e is not None else ""
        summary = f"{t.title}, {stages}{pair}; on groups its Munthe-Kaas form"
        return {**super().describe(), "order": t.order, "summary": summary}

    def new_run(self, problem: ExplicitProblem, *, step: float, t_end: float, every: int = 1) -> RungeKuttaRun:
        """A run from the problem's present state, in steps of one size."""
        return self._run(problem, step, t_end, every, None, inf)

    def _run(
        self,
        problem: ExplicitProblem,
        step: float,
        t_end: float,
        every: int,
        tolerances: tuple[float, float] | None,
        largest: float,
    ) -> RungeKuttaRun:
        """A run. tolerances : relative and absolute, of adaptive steps, which are at most `largest` [s]."""
        from linkwork.integrators.runge_kutta_run import RungeKuttaRun

        held = self.held(None if tolerances else step)
        step_count(t_end, largest, MOST_ADAPTIVE)
        times = None if self.t_eval is None else within(np.array(self.t_eval), t_end)
        return RungeKuttaRun(problem, self.tableau, step, t_end, every, tolerances, largest, times, held)


@dataclass(frozen=True, kw_only=True, repr=False)
class EmbeddedPair(RungeKutta, Adaptive):
    """A method with an error estimate: steps of one size; or, where a tolerance is given, of sizes that it chooses.

    The error of each step, in the algebra, stays below atol + rtol times what each component is measured against: one
    radian, the mechanism's length, the fastest body's speed.
    """

    def new_run(self, problem: ExplicitProblem, *, step: float, t_end: float, every: int = 1) -> RungeKuttaRun:
        """A run from the problem's present state, in steps of one size, or of their own where a tolerance is given."""
        return self._run(problem, step, t_end, every, self.tolerances, self.max_step or inf)


def times_of(name: str, t_eval: Any) -> tuple[float, ...]:
    """The times samples are wanted at. Raises UsageError unless they ascend."""
    try:
        times = np.array(t_eval, dtype=float).ravel()
    except (TypeError, ValueError):
        raise UsageError(f"{name} wants a list of times in seconds, not {t_eval!r}.") from None
    if not times.size or not np.all(np.isfinite(times)):
        raise UsageError(f"{name} holds no times, or some that are not finite.")
    if np.any(np.diff(times) <= 0.0):
        raise UsageError(f"the times in {name} must ascend, each once.")
    return tuple(times.tolist())


def within(times: Floats, t_end: float) -> Floats:
    """The same, none beyond the end by rounding. Raises UsageError for one that lies outside the run."""
    if times[0] < 0.0 or times[-1] > t_end * (1.0 + 1e-12):
        raise UsageError(f"the times in t_eval must lie between 0 and t_end = {t_end:g} s.")
    found: Floats = np.minimum(times, t_end)
    return found


@dataclass(frozen=True, kw_only=True, repr=False)
class Euler(RungeKutta):
    """Explicit Euler."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Heun(RungeKutta):
    """Heun's method."""


@dataclass(frozen=True, kw_only=True, repr=False)
class RK4(RungeKutta):
    """The classical method of order four."""


@dataclass(frozen=True, kw_only=True, repr=False)
class BS32(EmbeddedPair):
    """Bogacki and Shampine's pair."""


@dataclass(frozen=True, kw_only=True, repr=False)
class DP54(EmbeddedPair):
    """Dormand and Prince's pair."""


@dataclass(frozen=True, kw_only=True, repr=False)
class TS54(EmbeddedPair):
    """Tsitouras's pair."""


@dataclass(frozen=True, kw_only=True, repr=False)
class DOP853(EmbeddedPair):
    """Dormand and Prince's method of order eight."""


SHIPPED: dict[str, RungeKutta] = {one.name: one for one in (Euler(), Heun(), RK4(), BS32(), DP54(), TS54(), DOP853())}


def __getattr__(name: str) -> RungeKutta:
    """Every registered tableau as an integrator."""
    if name not in TABLEAUX:
        raise AttributeError(name)
    if name in SHIPPED:
        return SHIPPED[name]
    pair = load_tableau(name).e is not None
    return (EmbeddedPair if pair else RungeKutta)(name=name)
