"""null-space as a formulation: which solver a basis asks for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from linkwork.formulations.newton_euler.formulation import NewtonEulerFormulation
from linkwork.formulations.newton_euler.tree import TreeFormulation
from linkwork.problems.explicit import ExplicitProblem
from linkwork.problems.shapes import EXPLICIT
from linkwork.system import CompiledMechanism

GRAPH = "graph"


@dataclass(frozen=True)
class NullSpaceFormulation(NewtonEulerFormulation):
    """The null-space way with a basis to choose: 'qr', 'svd', 'partition' of all rows, or 'graph', along the tree.

    Options of 'graph' alone: root and rebuild, as for the other solvers along a tree.
    """

    @property
    def options(self) -> tuple[str, ...]:
        """What `build` understands besides."""
        return (*self.defaults, "root", "rebuild")

    def settings(self, mechanism: CompiledMechanism, shape: str, own: Mapping[str, Any]) -> dict[str, Any]:
        """How a problem is made with these options, as plain data for a result's header."""
        chosen = {**self.defaults, **own}
        return {"root": None, "rebuild": False, **chosen} if chosen["basis"] == GRAPH else chosen

    def admit(self, mechanism: CompiledMechanism, **own: Any) -> None:
        """Raise what `build` raises."""
        if own.get("basis") == GRAPH:
            self.along().admit(mechanism, **without_basis(own))
        else:
            super().admit(mechanism, **own)

    def build(self, mechanism: CompiledMechanism, *, shape: str = EXPLICIT, **own: Any) -> ExplicitProblem:
        """As `NewtonEulerFormulation.build`. Raises UsageError for an option that the basis has no use for."""
        if own.get("basis") == GRAPH:
            return self.along().build(mechanism, shape=shape, **without_basis(own))
        return super().build(mechanism, shape=shape, **own)

    def along(self) -> TreeFormulation:
        """The same along the tree."""
        return TreeFormulation(**{**vars(self), "solver": "null_space_graph", "defaults": {"root": None}})


def without_basis(own: Mapping[str, Any]) -> dict[str, Any]:
    """The options that a solver along the tree knows."""
    return {name: value for name, value in own.items() if name != "basis"}
