"""Ways of solving along a spanning tree, as formulations: with a root to choose and positions to rebuild."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from linkwork.errors import UsageError
from linkwork.formulations.newton_euler.formulation import NewtonEulerFormulation
from linkwork.problems.explicit import ExplicitProblem
from linkwork.problems.shapes import EXPLICIT
from linkwork.system import CompiledMechanism
from linkwork.system.topology import topology_of


@dataclass(frozen=True)
class TreeFormulation(NewtonEulerFormulation):
    """A Newton-Euler formulation whose solver goes along a spanning tree of the joint graph.

    Options: root, the body that the tree starts with (found by itself unless named); rebuild, True: after every step
    positions and their rates follow from the tree's joints (`rebuild`).
    """

    @property
    def options(self) -> tuple[str, ...]:
        """What `build` understands besides."""
        return (*self.defaults, "rebuild")

    def settings(self, mechanism: CompiledMechanism, shape: str, own: Mapping[str, Any]) -> dict[str, Any]:
        """How a problem is made with these options, as plain data for a result's header."""
        return {"rebuild": False, **super().settings(mechanism, shape, own)}

    def admit(self, mechanism: CompiledMechanism, **own: Any) -> None:
        """Raise what `build` raises."""
        wanted(own.pop("rebuild", False))
        super().admit(mechanism, **own)
        topology_of(mechanism, own.get("root"))

    def build(self, mechanism: CompiledMechanism, *, shape: str = EXPLICIT, **own: Any) -> ExplicitProblem:
        """As `NewtonEulerFormulation.build`; raises UsageError for a root that does not exist, too."""
        rebuild = wanted(own.pop("rebuild", False))
        problem = super().build(mechanism, shape=shape, **own)
        if not rebuild:
            return problem
        from linkwork.formulations.newton_euler.rebuild import ACCEPT_STEP

        return replace(problem, accept_step=ACCEPT_STEP)


def wanted(rebuild: Any) -> bool:
    """Raise UsageError for anything but True or False."""
    if not isinstance(rebuild, bool):
        raise UsageError(f"rebuild must be True or False, not {rebuild!r}.")
    return rebuild
