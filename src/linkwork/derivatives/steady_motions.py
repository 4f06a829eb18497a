"""What may be asked of a steady motion, and whether it is determined."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from linkwork.errors import UsageError
from linkwork.linearisation.steady import SteadyMotion
from linkwork.linearisation.steady_freedoms import undetermined

KNOWN: dict[str, Callable[[SteadyMotion], Any]] = {
    "position": lambda found: found.state.position,
    "rotation": lambda found: found.state.rotation,
    "velocity": lambda found: found.state.velocity,
    "angular_velocity": lambda found: found.state.angular_velocity,
    "spin": lambda found: found.spin,
    "drift": lambda found: found.drift,
    "multipliers": lambda found: found.multipliers,
}
OF_BODIES = ("position", "rotation", "velocity", "angular_velocity", "spin")


def of_body(body: int, of_all: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A quantity of a body, from that of all."""
    return lambda found: of_all(found)[body]


def need_determined(found: SteadyMotion) -> None:
    """Raise UsageError where something of the motion may change with all equations met."""
    if what := undetermined(found):
        raise UsageError(
            f"nothing determines {what}: how the steady motion moves is not known.",
            element=f"mechanism {found._source.name!r}",
            remedy="Keep more where it is searched (keep='spins', 'pose', or names of bodies), or hold it by a joint.",
        )
