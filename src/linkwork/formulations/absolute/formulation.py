"""An absolute-coordinate formulation as an object: what it is in words, and how to make its problems."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Annotated, Any

from linkwork.equations.index_3.problem import NEWTON, Newton, index_3_problem, linear_entries
from linkwork.formulations.contract import Formulation
from linkwork.problems.shapes import IMPLICIT

if TYPE_CHECKING:
    from linkwork.problems.implicit import ImplicitProblem, KinematicProblem
    from linkwork.system import CompiledMechanism


@dataclass(frozen=True, kw_only=True, repr=False)
class AbsoluteFormulation(Formulation):
    """Absolute coordinates with one way of writing rotations [Kissel 2021].

    space_module : the rotation's kernels, of `linkwork.spaces` or alike.
    kernels_module : the formulation's entries: BEGIN, SET_STATE, EVALUATE, ASSEMBLE, ASSEMBLE_KINEMATIC, CONSTRAIN.
    """

    space_module: str
    kernels_module: str
    paper: str = "Kissel 2021"
    needs: tuple[str, ...] = ("mass and inertia of every body (dynamics only)",)
    shapes: tuple[str, ...] = (IMPLICIT,)
    default_integrator: str = "generalized-alpha"
    supports_kinematics: bool = True
    newton: Annotated[Newton, NEWTON] = "frozen"

    @property
    def fixed(self) -> bool:
        """Whether coordinates keep their reference rotation for good."""
        return False

    @property
    def classification(self) -> tuple[str, str, str, str]:
        """Family, coordinates, equations and solver, for judging how independent formulations are."""
        return "absolute", self.space_module.rpartition(".")[2], "index 3", "Newton's method, sparse LU"

    @property
    def space(self) -> ModuleType:
        """The space's kernels."""
        return import_module(self.space_module)

    def _layout(self, mechanism: CompiledMechanism) -> Any:
        from linkwork.equations.index_3.work import Layout

        return Layout(mechanism.nb, mechanism.nc, self.space.SIZE, self.space.NORMALISED, self.space.ALGEBRA)

    def build(
        self,
        mechanism: CompiledMechanism,
        *,
        shape: str = IMPLICIT,
        droppable: bool = False,
        pose_tolerance: float = 1e-11,
        room: int = 1,
    ) -> ImplicitProblem:
        """The index-3 problem of this mechanism, at its start pose and velocity.

        Raises MissingMassError, SingularPositionError (`admit`).
        """
        from linkwork.equations.index_3.structure import build_structure
        from linkwork.equations.index_3.work import new_work, set_start

        self.admit(mechanism)
        layout = self._layout(mechanism)
        work = new_work(mechanism, layout, self.space, fixed=self.fixed)
        return index_3_problem(
            mechanism,
            layout,
            work,
            build_structure(
                mechanism, layout, reaction_variation=self.newton == "full", droppable=droppable, room=room
            ),
            import_module(self.kernels_module),
            newton=self.newton,
            droppable=droppable,
            pose_tolerance=pose_tolerance,
            set_start=partial(set_start, work, layout, self.space),
        )

    def build_kinematic(self, mechanism: CompiledMechanism, *, bordered: bool = False) -> KinematicProblem:
        """The position, velocity and acceleration equations of a driven mechanism [Kissel 2021, eqs. 9-16].

        bordered : solve for the least change, which dependent rows and singular positions allow.
        """
        from linkwork.equations.index_3.structure import build_kinematic_structure
        from linkwork.equations.index_3.work import new_work
        from linkwork.problems.context import make_context
        from linkwork.problems.dependent import new_dependence
        from linkwork.problems.implicit import KinematicProblem
        from linkwork.problems.linear import new_linear

        entries = import_module(self.kernels_module)
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
            begin=entries.BEGIN,
            set_state=entries.SET_STATE,
            assemble=entries.ASSEMBLE_KINEMATIC,
            constrain=entries.CONSTRAIN,
            **linear_entries(bordered),
        )
