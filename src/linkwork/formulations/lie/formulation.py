"""A Lie-group formulation as an object: what it is in words, and how to make its problems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from linkwork.errors import UsageError
from linkwork.formulations.lie.groups import chosen, in_words
from linkwork.formulations.refusal import Refusing
from linkwork.problems.shapes import EXPLICIT, IMPLICIT
from linkwork.system import CompiledMechanism


@dataclass(frozen=True)
class LieFormulation(Refusing):
    """Newton-Euler equations on SE(3)^n, (SO(3) x R^3)^n, or a choice per body [Müller 2013].

    name, paper, summary : for people.
    choice : 'se3', 'product' or 'mixed'.
    shapes : problem shapes it hands itself over in; integrators of these shapes fit.
    options : what `build` understands besides.
    """

    name: str
    choice: str
    summary: str
    paper: str = "Müller 2013"
    needs: tuple[str, ...] = ("mass and inertia of every body",)
    shapes: tuple[str, ...] = (EXPLICIT, IMPLICIT)
    options: tuple[str, ...] = ("groups", "newton")
    default_integrator: str = "rk4"
    supports_kinematics: bool = False

    @property
    def ways(self) -> tuple[str, str, str, str]:
        """Family, coordinates, equations and solver, for judging how independent formulations are."""
        return "Lie group", f"group {self.choice}", "index 1", "range space"

    def describe(self) -> dict[str, Any]:
        """Plain data for listings; loads nothing."""
        return {
            "name": self.name,
            "paper": self.paper,
            "summary": self.summary,
            "needs": list(self.needs),
            "kinematics": self.supports_kinematics,
        }

    def settings(self, mechanism: CompiledMechanism, shape: str, own: Mapping[str, Any]) -> dict[str, Any]:
        """How a problem is made with these options, as plain data for a result's header."""
        groups = in_words(mechanism, chosen(mechanism, self.choice, own.get("groups")))
        return {"groups": groups, **({"newton": own.get("newton", "frozen")} if shape == IMPLICIT else {})}

    def extras(self) -> dict[str, Any]:
        """What results carry besides: nothing."""
        return {}

    def labels(self, problem: Any) -> dict[str, tuple[str, ...]]:
        """Names along the dimensions that only `extras` have: none."""
        return {}

    def further(self, problem: Any, block: Mapping[str, Any]) -> dict[str, Any]:
        """Those variables of a block of samples."""
        return {}

    def admit(
        self, mechanism: CompiledMechanism, *, groups: Mapping[str, str] | None = None, newton: str | None = None
    ) -> None:
        """Raise what `build` raises: MissingMassError, UsageError."""
        mechanism.need_masses()
        if groups and self.choice != "mixed":
            raise UsageError(
                f"groups are chosen body by body with formulation 'lie-mixed', not {self.name!r}.",
                remedy="Leave groups out, or take lie-mixed.",
            )
        chosen(mechanism, self.choice, groups)

    def build(
        self,
        mechanism: CompiledMechanism,
        *,
        shape: str = EXPLICIT,
        groups: Mapping[str, str] | None = None,
        newton: str | None = None,
        droppable: bool = False,
        pose_tolerance: float = 1e-11,
        room: int = 1,
    ) -> Any:
        """The problem of this mechanism in one of `shapes`, at its start pose and velocity.

        groups : body -> 'se3' or 'product', instead of the formulation's own choice (lie-mixed only).
        newton : variant of Newton's method, for implicit integrators.
        droppable : allow for dependent rows (redundant constraints), which costs a little at every step.
        pose_tolerance : to what share of the mechanism's length poses are met; rows are judged by it.
        room : times the usual work space for the factors of the matrix.
        Raises MissingMassError, UsageError.
        """
        self.admit(mechanism, groups=groups)
        group = chosen(mechanism, self.choice, groups)
        if shape == IMPLICIT:
            implicit = import_module("linkwork.formulations.lie.implicit.problem")
            return implicit.build_implicit(
                mechanism,
                group,
                newton=newton or "frozen",
                droppable=droppable,
                pose_tolerance=pose_tolerance,
                room=room,
            )
        if newton is not None:
            raise UsageError("option newton belongs to implicit integrators.")
        from linkwork.equations.index_1.problem import index_1_problem
        from linkwork.solvers.choice import new_solver

        solver = new_solver(mechanism, group, droppable, room)
        return index_1_problem(mechanism, group, solver, droppable=droppable, pose_tolerance=pose_tolerance)
