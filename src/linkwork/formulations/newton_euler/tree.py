"""Ways of solving along a spanning tree, as formulations: with a root to choose and positions to rebuild."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any

from linkwork.errors import UsageError
from linkwork.formulations.contract import ROOT
from linkwork.formulations.newton_euler.formulation import NewtonEulerFormulation
from linkwork.options import Option
from linkwork.problems.shapes import EXPLICIT, MOMENTA

if TYPE_CHECKING:
    from linkwork.problems.explicit import ExplicitProblem
    from linkwork.system import CompiledMechanism


@dataclass(frozen=True, kw_only=True, repr=False)
class TreeFormulation(NewtonEulerFormulation):
    """A Newton-Euler formulation whose solver goes along a spanning tree of the joint graph."""

    root: Annotated[str | None, ROOT] = None
    rebuild: Annotated[
        bool, Option("whether positions and their rates follow from the tree's joints after each step")
    ] = False

    def solver_options(self) -> dict[str, Any]:
        """The tree's root."""
        return {"root": self.root}

    def admit(self, mechanism: CompiledMechanism) -> None:
        """Raise what `build` raises; UsageError for a root that does not exist, too."""
        from linkwork.system.topology import topology_of

        super().admit(mechanism)
        topology_of(mechanism, self.root)

    def build(
        self,
        mechanism: CompiledMechanism,
        *,
        shape: str = EXPLICIT,
        droppable: bool = False,
        pose_tolerance: float = 1e-11,
        room: int = 1,
    ) -> ExplicitProblem:
        """The explicit problem; where positions are rebuilt, with an `accept_step` that does it."""
        how: dict[str, Any] = {"shape": shape, "droppable": droppable, "pose_tolerance": pose_tolerance, "room": room}
        if self.rebuild and shape == MOMENTA:
            raise UsageError("option rebuild moves poses after a step, which methods in momenta do not allow for.")
        problem = super().build(mechanism, **how)
        if not self.rebuild:
            return problem
        from linkwork.formulations.newton_euler.rebuild import ACCEPT_STEP

        return replace(problem, accept_step=ACCEPT_STEP)
