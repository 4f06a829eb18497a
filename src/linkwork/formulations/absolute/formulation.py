"""An absolute-coordinate formulation as an object: what it is in words, and how to make its problems."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Any

from linkwork.errors import UsageError
from linkwork.problems.implicit import ImplicitProblem, KinematicProblem
from linkwork.system import CompiledMechanism

NEWTON_VARIANTS = {
    "full": "the exact matrix, with the first-order variation of the reactions, formed at every iteration",
    "no-reaction-variation": "the matrix without that variation, formed at every iteration",
    "frozen": "the matrix without that variation, kept over iterations and steps until convergence slows",
}


@dataclass(frozen=True)
class AbsoluteFormulation:
    """Absolute coordinates with one way of writing rotations [Kissel 2021].

    name, paper, summary : for people.
    needs : what a mechanism must have.
    integrators : names of the integrators that fit.
    space : the module of `linkwork.spaces`.
    """

    name: str
    summary: str
    space_module: str
    paper: str = "Kissel 2021"
    needs: tuple[str, ...] = ("mass and inertia of every body (dynamics only)",)
    integrators: tuple[str, ...] = ("implicit-euler",)
    supports_kinematics: bool = True

    def describe(self) -> dict[str, Any]:
        """Plain data for listings; loads nothing."""
        return {
            "name": self.name,
            "paper": self.paper,
            "summary": self.summary,
            "integrators": list(self.integrators),
            "needs": list(self.needs),
            "kinematics": self.supports_kinematics,
        }

    @property
    def space(self) -> ModuleType:
        """The space's kernels."""
        return import_module(self.space_module)

    def _layout(self, mechanism: CompiledMechanism) -> Any:
        from linkwork.formulations.absolute.work import Layout

        return Layout(mechanism.nb, mechanism.nc, self.space.SIZE, self.space.NORMALISED, self.space.ALGEBRA)

    def build(
        self,
        mechanism: CompiledMechanism,
        *,
        newton: str = "frozen",
        droppable: bool = False,
        pose_tolerance: float = 1e-11,
        room: int = 1,
    ) -> ImplicitProblem:
        """The index-3 problem of this mechanism, at its start pose and velocity.

        newton : a key of NEWTON_VARIANTS.
        droppable : allow for dependent rows (redundant constraints), which costs a little at every step.
        pose_tolerance : to what share of the mechanism's length the run will meet its poses; rows are judged by it.
        room : times the usual work space for the factors of the matrix.
        Raises MissingMassError, or UsageError for an unknown variant.
        """
        from linkwork.formulations.absolute.structure import build_structure
        from linkwork.formulations.absolute.work import new_work
        from linkwork.problems.dependent import new_dependence
        from linkwork.problems.linear import new_linear

        if newton not in NEWTON_VARIANTS:
            raise UsageError(f"there is no Newton variant {newton!r}.", remedy=f"Known: {', '.join(NEWTON_VARIANTS)}.")
        mechanism.need_masses()
        entries = import_module(f"linkwork.formulations.absolute.compiled_{self.name}")
        make_context = import_module("linkwork.problems.context").make_context
        optional = import_module("linkwork.formulations.absolute.compiled_optional")
        layout = self._layout(mechanism)
        structure = build_structure(
            mechanism, layout, reaction_variation=newton == "full", droppable=droppable, room=room
        )
        system = mechanism.system
        forced = bool(len(system.loads.body) or len(system.springs.body_i) or len(system.torsions.body_i))
        work = new_work(mechanism, layout, self.space)
        parts = (structure.matrix, structure.pattern, structure.factors)
        dependent = new_dependence(mechanism, droppable, pose_tolerance)
        linear = new_linear(layout.total, droppable, layout.multipliers.start)
        return ImplicitProblem(
            mechanism=mechanism,
            layout=layout,
            work=work,
            context=make_context(mechanism.tables, work, *parts, dependent, linear),
            structure=structure,
            linear=linear,
            dependence=dependent,
            droppable=droppable,
            frozen=newton == "frozen",
            begin=entries.begin,
            place=entries.place,
            evaluate=entries.evaluate,
            assemble=entries.assemble,
            apply=optional.compiled(optional.apply) if forced else nothing(),
            vary_forces=optional.compiled(optional.vary_forces) if forced else nothing(),
            vary_reactions=optional.compiled(optional.vary_reactions) if newton == "full" else nothing(),
            **linear_entries(droppable),
            share=import_module("linkwork.problems.compiled_dependent").share if droppable else nothing(),
            forced=forced,
        )

    def build_kinematic(self, mechanism: CompiledMechanism, *, bordered: bool = False) -> KinematicProblem:
        """The position, velocity and acceleration equations of a driven mechanism [Kissel 2021, eqs. 9-16].

        bordered : solve for the least change, which dependent rows and singular positions allow.
        """
        from linkwork.formulations.absolute.structure import build_kinematic_structure
        from linkwork.formulations.absolute.work import new_work
        from linkwork.problems.dependent import new_dependence
        from linkwork.problems.linear import new_linear

        entries = import_module(f"linkwork.formulations.absolute.compiled_{self.name}")
        make_context = import_module("linkwork.problems.context").make_context
        kinematic = import_module(f"linkwork.formulations.absolute.compiled_kinematic_{self.name}")
        layout = self._layout(mechanism)
        structure = build_kinematic_structure(mechanism, layout, bordered=bordered)
        work = new_work(mechanism, layout, self.space)
        parts = (structure.matrix, structure.pattern, structure.factors)
        dependent = new_dependence(mechanism, bordered)
        linear = new_linear(structure.pattern.n, bordered, layout.multipliers.start if bordered else 0)
        return KinematicProblem(
            mechanism=mechanism,
            layout=layout,
            work=work,
            context=make_context(mechanism.tables, work, *parts, dependent, linear),
            structure=structure,
            linear=linear,
            dependence=dependent,
            bordered=bordered,
            begin=entries.begin,
            place=entries.place,
            assemble=kinematic.assemble_kinematic,
            constrain=kinematic.constrain,
            **linear_entries(bordered),
        )


def nothing() -> Any:
    """The entry that does nothing."""
    return import_module("linkwork.problems.compiled_nothing").nothing


def linear_entries(droppable: bool) -> dict[str, Any]:
    """factorise, solve, and seek where rows may be dependent."""
    linear = import_module("linkwork.problems.compiled_linear")
    seek = import_module("linkwork.problems.compiled_dependent").seek if droppable else nothing()
    return {"factorise": linear.factorise, "solve": linear.solve, "seek": seek}
