"""A Lie-group formulation as an object: what it is in words, and how to make its problems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from linkwork.equations.index_3.problem import NEWTON, Newton
from linkwork.errors import UsageError
from linkwork.formulations.contract import Formulation
from linkwork.problems.shapes import EXPLICIT, IMPLICIT, MOMENTA

if TYPE_CHECKING:
    from linkwork.kernels.tables import Ints
    from linkwork.problems.explicit import ExplicitProblem
    from linkwork.problems.implicit import ImplicitProblem
    from linkwork.system import CompiledMechanism


@dataclass(frozen=True, kw_only=True, repr=False)
class LieFormulation(Formulation):
    """Newton-Euler equations on SE(3)^n, (SO(3) x R^3)^n, or a choice per body [Müller 2013].

    choice : 'se3', 'product' or 'mixed'.
    """

    choice: str
    paper: str = "Müller 2013"
    shapes: tuple[str, ...] = (EXPLICIT, IMPLICIT, MOMENTA)
    default_integrator: str = "rk4"
    newton: Annotated[Newton | None, NEWTON] = None

    @property
    def classification(self) -> tuple[str, str, str, str]:
        """Family, coordinates, equations and solver, for judging how independent formulations are."""
        return "Lie group", f"group {self.choice}", "index 1", "range space"

    def group(self, mechanism: CompiledMechanism) -> Ints:
        """(nb,) the group of each body: 1 for SE(3), 0 for SO(3) x R^3. Raises UsageError for unknown names."""
        from linkwork.formulations.lie.groups import chosen

        return chosen(mechanism, self.choice, getattr(self, "groups", None))

    def settings(self, mechanism: CompiledMechanism, shape: str) -> dict[str, Any]:
        """How a problem is made with these options, as plain data for a result's header."""
        from linkwork.formulations.lie.groups import in_words

        groups = in_words(mechanism, self.group(mechanism))
        return {"groups": groups, **({"newton": self.newton or "frozen"} if shape == IMPLICIT else {})}

    def admit(self, mechanism: CompiledMechanism) -> None:
        """Raise what `build` raises: MissingMassError, UsageError."""
        super().admit(mechanism)
        self.group(mechanism)

    def build(
        self,
        mechanism: CompiledMechanism,
        *,
        shape: str = EXPLICIT,
        droppable: bool = False,
        pose_tolerance: float = 1e-11,
        room: int = 1,
    ) -> ExplicitProblem | ImplicitProblem:
        """The problem of this mechanism in one of `shapes`. Raises MissingMassError, UsageError."""
        mechanism.need_masses()
        group = self.group(mechanism)
        if shape == IMPLICIT:
            from linkwork.formulations.lie.implicit.problem import build_implicit

            return build_implicit(
                mechanism,
                group,
                newton=self.newton or "frozen",
                droppable=droppable,
                pose_tolerance=pose_tolerance,
                room=room,
            )
        if self.newton is not None:
            raise UsageError("option newton belongs to implicit integrators.")
        from linkwork.equations.index_1.problem import index_1_problem
        from linkwork.solvers.choice import new_solver

        solver = new_solver(mechanism, group, droppable, room)
        how: dict[str, Any] = {"droppable": droppable, "pose_tolerance": pose_tolerance}
        return index_1_problem(mechanism, group, solver, **how, momenta=shape == MOMENTA)
