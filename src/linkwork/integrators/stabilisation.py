"""What keeps an index-1 run on its constraints: nothing, Baumgarte's terms, or projection every few steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

from linkwork.errors import UsageError
from linkwork.integrators.contract import Integrator
from linkwork.options import Option
from linkwork.problems.shapes import EXPLICIT

if TYPE_CHECKING:
    from linkwork.problems.explicit import ExplicitProblem

    ExplicitIntegrator = Integrator[ExplicitProblem]
else:
    ExplicitIntegrator = Integrator

Way = Literal["none", "baumgarte", "projection"]
LARGEST_GAIN = 1e12  # 1/s, that of the shortest step
STEPS_TO_FADE = 10.0  # the default gains let a violation fade in about so many steps


@dataclass(frozen=True)
class Stabilisation:
    """How constraint drift is held back.

    way : of `Way`.
    alpha, beta : Baumgarte's gains [1/s]: phi'' + 2 alpha phi' + beta**2 phi = 0; zero unless that is the way.
    project_every : steps from projection to projection; zero: never.
    """

    way: str
    alpha: float
    beta: float
    project_every: int

    @classmethod
    def of(
        cls, way: Way | None, gains: tuple[float, float] | None, project_every: int | None, step: float | None
    ) -> Stabilisation:
        """From a user's words. Gains or a count alone choose the way they belong to.

        Without gains, alpha = beta = 1 / (10 step): critically damped, and well inside the stability of every method.
        step : of the run; None where steps find their own size, and gains must be given.
        Raises UsageError for what does not go together.
        """
        if way is None:
            way = "baumgarte" if gains is not None else "projection" if project_every is not None else "none"
        if gains is not None and way != "baumgarte":
            raise UsageError(f"option baumgarte does not go with stabilisation {way!r}.")
        if project_every is not None and way != "projection":
            raise UsageError(f"option project_every does not go with stabilisation {way!r}.")
        alpha = beta = 0.0
        if way == "baumgarte":
            if gains is not None:
                alpha, beta = gains
            elif step is not None:
                alpha = beta = 1.0 / (STEPS_TO_FADE * step)
            else:
                raise UsageError(
                    "with adaptive steps Baumgarte's gains have no usual size.",
                    remedy="Give baumgarte=(alpha, beta) in 1/s, well below 1 / the steps taken; or take projection.",
                )
        every = 0
        if way == "projection":
            every = project_every or 1
        return cls(way, alpha, beta, every)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for a result's header."""
        out: dict[str, Any] = {"stabilisation": self.way}
        if self.way == "baumgarte":
            out["baumgarte"] = [self.alpha, self.beta]
        if self.way == "projection":
            out["project_every"] = self.project_every
        return out


def gains_of(name: str, gains: Any) -> tuple[float, float]:
    """Baumgarte's (alpha, beta), checked: an `Option.check`."""
    try:
        alpha, beta = (float(x) for x in gains)
    except (TypeError, ValueError):
        raise UsageError(f"{name} wants two gains, (alpha, beta) in 1/s.") from None
    if not (0.0 <= alpha <= LARGEST_GAIN and 0.0 <= beta <= LARGEST_GAIN):
        raise UsageError(f"{name} gains must lie between 0 and {LARGEST_GAIN:g} 1/s, not {alpha:g} and {beta:g}.")
    return alpha, beta


@dataclass(frozen=True, kw_only=True, repr=False)
class Stabilised(ExplicitIntegrator):
    """What all integrators of explicit problems have in common."""

    shape: str = EXPLICIT
    stabilisation: Annotated[
        Way | None,
        Option(
            "against drift off the constraints: nothing (if left out), Baumgarte's terms, or projection onto them; "
            "gains or a count alone choose the way they belong to"
        ),
    ] = None
    baumgarte: Annotated[
        tuple[float, float] | None,
        Option("its gains alpha and beta; 1 / (10 step) each if left out", unit="1/s", check=gains_of),
    ] = None
    project_every: Annotated[
        int | None, Option("project positions and velocities every so many steps; 1 if left out", least=1)
    ] = None

    def held(self, step: float | None) -> Stabilisation:
        """How constraint drift is held back with steps of this size [s], None where they find their own."""
        return Stabilisation.of(self.stabilisation, self.baumgarte, self.project_every, step)
