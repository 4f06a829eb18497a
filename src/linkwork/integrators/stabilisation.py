"""What keeps an index-1 run on its constraints: nothing, Baumgarte's terms, or projection every few steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from linkwork.arguments import whole_number
from linkwork.errors import UsageError

WAYS = ("none", "baumgarte", "projection")
LARGEST_GAIN = 1e12  # 1/s, that of the shortest step
STEPS_TO_FADE = 10.0  # the default gains let a violation fade in about so many steps


@dataclass(frozen=True)
class Stabilisation:
    """How constraint drift is held back.

    way : one of WAYS.
    alpha, beta : Baumgarte's gains [1/s]: phi'' + 2 alpha phi' + beta**2 phi = 0; zero unless that is the way.
    project_every : steps from projection to projection; zero: never.
    """

    way: str
    alpha: float
    beta: float
    project_every: int

    @classmethod
    def of(
        cls, way: str | None, gains: Sequence[float] | None, project_every: int | None, step: float | None
    ) -> Stabilisation:
        """From a user's words. Gains or a count alone choose the way they belong to.

        Without gains, alpha = beta = 1 / (10 step): critically damped, and well inside the stability of every method.
        step : of the run; None where steps find their own size, and gains must be given.
        Raises UsageError for what does not go together.
        """
        if way is None:
            way = "baumgarte" if gains is not None else "projection" if project_every is not None else "none"
        if way not in WAYS:
            raise UsageError(f"there is no stabilisation {way!r}.", remedy=f"Known: {', '.join(WAYS)}.")
        if gains is not None and way != "baumgarte":
            raise UsageError(f"option baumgarte does not go with stabilisation {way!r}.")
        if project_every is not None and way != "projection":
            raise UsageError(f"option project_every does not go with stabilisation {way!r}.")
        alpha = beta = 0.0
        if way == "baumgarte":
            if gains is not None:
                alpha, beta = _gains(gains)
            elif step is not None:
                alpha = beta = 1.0 / (STEPS_TO_FADE * step)
            else:
                raise UsageError(
                    "with adaptive steps Baumgarte's gains have no usual size.",
                    remedy="Give baumgarte=(alpha, beta) in 1/s, well below 1 / the steps taken; or take projection.",
                )
        every = 0
        if way == "projection":
            every = 1 if project_every is None else whole_number("project_every", project_every)
        return cls(way, alpha, beta, every)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for a result's header."""
        out: dict[str, Any] = {"stabilisation": self.way}
        if self.way == "baumgarte":
            out["baumgarte"] = [self.alpha, self.beta]
        if self.way == "projection":
            out["project_every"] = self.project_every
        return out


def _gains(gains: Sequence[float]) -> tuple[float, float]:
    try:
        alpha, beta = (float(x) for x in gains)
    except (TypeError, ValueError):
        raise UsageError("baumgarte wants two gains, (alpha, beta) in 1/s.") from None
    if not (0.0 <= alpha <= LARGEST_GAIN and 0.0 <= beta <= LARGEST_GAIN):
        raise UsageError(f"baumgarte gains must lie between 0 and {LARGEST_GAIN:g} 1/s, not {alpha:g} and {beta:g}.")
    return alpha, beta
