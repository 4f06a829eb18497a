"""null-space as a formulation: which solver a basis asks for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

from linkwork.formulations.newton_euler.formulation import NewtonEulerFormulation
from linkwork.formulations.newton_euler.tree import TreeFormulation
from linkwork.options import Option

if TYPE_CHECKING:
    from linkwork.system import CompiledMechanism

GRAPH = "graph"


@dataclass(frozen=True, kw_only=True, repr=False)
class NullSpace(TreeFormulation):
    """The null-space way with a basis to choose: of all rows, or along the tree."""

    name: str = "null-space"
    solver: str = "null_space"
    summary: str = (
        "motions that the constraints allow, then multipliers from what is left, by dense QR, SVD or LU or a tree"
    )
    equations: str = "eq. 40, A-1 to A-12"
    basis: Annotated[
        Literal["qr", "svd", "partition", "graph"],
        Option("of motions: from all rows, or along the tree, which alone has a use for root and rebuild"),
    ] = "qr"

    @property
    def tree(self) -> bool:
        """Whether the basis is that of a tree."""
        return self.basis == GRAPH

    def settings(self, mechanism: CompiledMechanism, shape: str) -> dict[str, Any]:
        """How a problem is made with these options, as plain data for a result's header."""
        return super().settings(mechanism, shape) if self.tree else {"basis": self.basis}

    def solver_options(self) -> dict[str, Any]:
        """The tree's root; else the basis, with what only a tree has a use for."""
        if self.tree:
            return super().solver_options()
        return {"basis": self.basis, **{name: value for name, value in self.given().items() if name != "basis"}}

    def admit(self, mechanism: CompiledMechanism) -> None:
        """Raise what `build` raises; UsageError for an option that the basis has no use for."""
        if self.tree:
            from linkwork.system.topology import topology_of

            mechanism.need_masses()
            topology_of(mechanism, self.root)
        else:
            NewtonEulerFormulation.admit(self, mechanism)

    def chosen(self, mechanism: CompiledMechanism, droppable: bool) -> tuple[str, dict[str, Any]]:
        """The solver along the tree, or that of the other bases."""
        return ("null_space_graph" if self.tree else self.solver), self.solver_options()
