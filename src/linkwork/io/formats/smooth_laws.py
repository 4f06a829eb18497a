"""Dry friction and limits of joints as smooth laws, where they are asked for: of MJCF, SDF and URDF alike.

Friction F that opposes the rate v of a joint coordinate: F tanh(v / v0), which is F but for rates below a few v0, and
creeps where dry friction sticks. A limit: an elastic stop with the dissipation of Hunt and Crossley (1975), which
pushes back by k d max(0, 1 + c v) where the coordinate is d beyond the limit, v its rate outwards; it never pulls.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from linkwork.errors import UsageError
from linkwork.mechanism.elements import LARGEST, shown

NO_FRICTION = "linkwork has no dry friction in joints; the option 'friction' puts a smooth law in its place"
NO_LIMITS = "nothing stops the joint there: limits are not simulated; the option 'stops' puts elastic stops there"
SHOWN = 6  # names in a note


class Effort(NamedTuple):
    """What acts on one joint coordinate. friction (N or N m); lower, upper: its limits, None where there is none."""

    friction: float = 0.0
    lower: float | None = None
    upper: float | None = None


class SmoothLaws(NamedTuple):
    """The laws that were asked for. rate : v0, rad/s or m/s; stops : k (N/m or N m/rad) and c (s/m or s/rad)."""

    rate: float | None = None
    stops: tuple[float, float] | None = None

    def friction(self) -> str:
        """What becomes of dry friction, for the account; nothing where it is refused."""
        return "" if self.rate is None else f"smooth below {self.rate:g} rad/s or m/s: F tanh(rate/{self.rate:g})"

    def limits(self) -> str:
        """What becomes of a limit, for the account."""
        if self.stops is None:
            return NO_LIMITS
        return f"an elastic stop of stiffness {self.stops[0]:g} and dissipation {self.stops[1]:g}"

    def unstopped(self, effort: Effort) -> bool:
        """Whether a coordinate has limits at which nothing stops it."""
        return self.stops is None and (effort.lower is not None or effort.upper is not None)

    def law(self, coordinate: str, effort: Effort) -> str:
        """What acts against the coordinate, as the `force` of a joint-spring; nothing where nothing acts."""
        terms = []
        if self.rate is not None and effort.friction != 0.0:
            terms.append(f"({effort.friction!r})*tanh(rate/({self.rate!r}))")
        if self.stops is not None:
            k, c = self.stops
            if effort.upper is not None:
                terms.append(f"({k!r})*max({coordinate} - ({effort.upper!r}), 0)*max(1 + ({c!r})*rate, 0)")
            if effort.lower is not None:
                terms.append(f"({-k!r})*max(({effort.lower!r}) - {coordinate}, 0)*max(1 - ({c!r})*rate, 0)")
        return " + ".join(terms)


def about_limits(names: Sequence[str]) -> list[str]:
    """A note on joints, or tendons, with limits at which nothing stops them; none where there are none."""
    if not names:
        return []
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    which = ", ".join(map(repr, names[:SHOWN])) + more
    return [
        f"nothing stops {which} at the limits of the file: limits are not simulated; "
        "the option 'stops' (--stops) puts elastic stops there"
    ]


def smooth_laws(options: Mapping[str, Any]) -> SmoothLaws:
    """The options `friction` and `stops` of a reader. Raises UsageError."""
    rate, stops = options.get("friction"), options.get("stops")
    if rate is not None and not (isinstance(rate, int | float) and 0.0 < rate < LARGEST):
        raise UsageError(f"friction is {shown(rate)}; it is a rate above 0, rad/s or m/s.")
    if stops is None:
        return SmoothLaws(rate and float(rate))
    try:
        stiffness, dissipation = (float(x) for x in stops)
    except (TypeError, ValueError):
        stiffness = dissipation = -1.0
    if not (0.0 < stiffness < LARGEST and 0.0 <= dissipation < LARGEST):
        raise UsageError(f"stops is {shown(stops)}; it is two numbers, stiffness (above 0) and dissipation.")
    return SmoothLaws(rate and float(rate), (stiffness, dissipation))
