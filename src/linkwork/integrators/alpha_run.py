"""A run of generalized-alpha whose steps find their own size: that of a Radau method, with other steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from linkwork.integrators.alpha_kernels import ADVANCE_TO, ORDER, Alpha
from linkwork.integrators.collocation import lagrange
from linkwork.integrators.radau_run import RadauRun
from linkwork.integrators.scheme import Scheme

if TYPE_CHECKING:
    from linkwork.kernels.tables import Floats
    from linkwork.problems.implicit import ImplicitProblem

NODES = np.array([0.0, 0.5, 1.0])


class AlphaRun(RadauRun):
    """One run: `initialise` first, then `advance` as often as wanted. Its units of progress are samples."""

    method: Alpha

    def __init__(self, problem: ImplicitProblem, scheme: Scheme, **how: Any) -> None:
        npos = problem.layout.coordinates
        in_pose, in_rate = error_constants(scheme)
        method = Alpha(
            scheme=np.array(scheme),
            pose_error=np.array([in_pose]),
            rate_error=np.array([in_rate]),
            basis=coefficients(),
            used=np.zeros(npos),
            carried=np.zeros(npos),
            carried_rate=np.zeros(npos),
        )
        super().__init__(problem, len(NODES), method, pairs=0, **how)

    def take_over(self, other: Self) -> None:
        """Go on from where another run of the same mechanism and formulation stands; what was carried along is left."""
        super().take_over(other)
        self.run.old_step[0] = 0.0

    @property
    def error_order(self) -> int:
        """Two."""
        return ORDER

    @staticmethod
    def _compiled() -> Any:
        return ADVANCE_TO


def coefficients() -> Floats:
    """(3, 3) Lagrange's polynomials through `NODES`, ascending powers."""
    found: Floats = np.array([np.pad(one.coef, (0, 3 - len(one.coef))) for one in lagrange(NODES)])
    return found


def error_constants(s: Scheme) -> tuple[float, float]:
    """Of h^3 da/dt in increments and of h^3 d^2a/dt^2 in rates, a the true second derivatives at a step's start.

    What the method carries along is a(t + lag h) + kappa h^2 d^2a/dt^2, where kappa makes the recursion hold.
    """
    kappa = (s.next_a * s.lag**2 + s.next_y - (1.0 + s.lag) ** 2) / (2.0 * (1.0 - s.next_a))
    of_pose = s.step_a * s.lag + s.step_y - 1.0 / 6.0
    of_rate = s.rate_a * (0.5 * s.lag**2 + kappa) + 0.5 * s.rate_y - 1.0 / 6.0
    return of_pose, of_rate
