"""An absolute-coordinate formulation as an object: what it is in words, and how to make its problems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np

from linkwork.equations.index_3.problem import check, index_3_problem, linear_entries
from linkwork.errors import SingularPositionError, UsageError
from linkwork.formulations.refusal import Refusing
from linkwork.kernels.mat33 import IDENTITY
from linkwork.problems.implicit import ImplicitProblem, KinematicProblem
from linkwork.problems.shapes import IMPLICIT
from linkwork.system import CompiledMechanism

REFERENCES = ("moving", "fixed")
SINGULAR = 1e-3  # sin(theta) below which Euler angles have no rates worth the name


@dataclass(frozen=True)
class AbsoluteFormulation(Refusing):
    """Absolute coordinates with one way of writing rotations [Kissel 2021].

    name, paper, summary : for people.
    needs : what a mechanism must have.
    shapes : problem shapes it hands itself over in; integrators of these shapes fit.
    options : what `build` understands besides: ``newton``, and of `re` ``reference``.
    space_module : the rotation's kernels, of `linkwork.spaces` or alike.
    kernels_module : the formulation's entries: BEGIN, SET_STATE, EVALUATE, ASSEMBLE, ASSEMBLE_KINEMATIC, CONSTRAIN.
    """

    name: str
    summary: str
    space_module: str
    kernels_module: str
    paper: str = "Kissel 2021"
    needs: tuple[str, ...] = ("mass and inertia of every body (dynamics only)",)
    shapes: tuple[str, ...] = (IMPLICIT,)
    options: tuple[str, ...] = ("newton",)
    default_integrator: str = "generalized-alpha"
    supports_kinematics: bool = True

    @property
    def ways(self) -> tuple[str, str, str, str]:
        """Family, coordinates, equations and solver, for judging how independent formulations are."""
        return "absolute", self.space_module.rpartition(".")[2], "index 3", "Newton's method, sparse LU"

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
        return {"newton": own.get("newton", "frozen"), **{name: own[name] for name in own if name != "newton"}}

    def extras(self) -> dict[str, Any]:
        """What results carry besides: nothing."""
        return {}

    def labels(self, problem: Any) -> dict[str, tuple[str, ...]]:
        """Names along the dimensions that only `extras` have: none."""
        return {}

    def further(self, problem: Any, block: Mapping[str, Any]) -> dict[str, Any]:
        """Those variables of a block of samples."""
        return {}

    @property
    def space(self) -> ModuleType:
        """The space's kernels."""
        return import_module(self.space_module)

    def _layout(self, mechanism: CompiledMechanism) -> Any:
        from linkwork.equations.index_3.work import Layout

        return Layout(mechanism.nb, mechanism.nc, self.space.SIZE, self.space.NORMALISED, self.space.ALGEBRA)

    def admit(self, mechanism: CompiledMechanism, *, newton: str = "frozen", reference: str = "moving") -> None:
        """Raise what `build` raises: MissingMassError, UsageError for an unknown variant, SingularPositionError for
        coordinates from a fixed reference rotation that are singular at the start."""
        check(mechanism, newton)
        if reference not in REFERENCES:
            raise UsageError(f"reference must be one of {', '.join(REFERENCES)}, not {reference!r}.")
        if reference == "fixed":
            for name, rotation in zip(mechanism.body_names, mechanism.A, strict=False):
                angles = self.space.coordinates_of(tuple(rotation), IDENTITY)
                if abs(np.sin(angles[1])) < SINGULAR:
                    raise SingularPositionError(
                        f"Euler angles from the identity are singular at the start: theta = {angles[1]:.3g} rad.",
                        element=f"body {name!r}",
                        remedy="Describe its frame with another orientation, or take reference='moving' (the default).",
                    )

    def build(
        self,
        mechanism: CompiledMechanism,
        *,
        shape: str = IMPLICIT,
        newton: str = "frozen",
        reference: str = "moving",
        droppable: bool = False,
        pose_tolerance: float = 1e-11,
        room: int = 1,
    ) -> ImplicitProblem:
        """The index-3 problem of this mechanism, at its start pose and velocity.

        shape : one of `shapes`.
        newton : a key of `problem.NEWTON_VARIANTS`.
        reference : of `re`: of `REFERENCES`; the rotation that angles count from gets new values near the singularity,
            or is the identity for good [Kissel 2021, section 3.3].
        droppable : allow for dependent rows (redundant constraints), which costs a little at every step.
        pose_tolerance : to what share of the mechanism's length the run will meet its poses; rows are judged by it.
        room : times the usual work space for the factors of the matrix.
        Raises MissingMassError, UsageError, SingularPositionError (`admit`).
        """
        from linkwork.equations.index_3.structure import build_structure
        from linkwork.equations.index_3.work import new_work

        self.admit(mechanism, newton=newton, reference=reference)
        layout = self._layout(mechanism)
        return index_3_problem(
            mechanism,
            layout,
            new_work(mechanism, layout, self.space, fixed=reference == "fixed"),
            build_structure(mechanism, layout, reaction_variation=newton == "full", droppable=droppable, room=room),
            import_module(self.kernels_module),
            newton=newton,
            droppable=droppable,
            pose_tolerance=pose_tolerance,
        )

    def build_kinematic(self, mechanism: CompiledMechanism, *, bordered: bool = False) -> KinematicProblem:
        """The position, velocity and acceleration equations of a driven mechanism [Kissel 2021, eqs. 9-16].

        bordered : solve for the least change, which dependent rows and singular positions allow.
        """
        from linkwork.equations.index_3.structure import build_kinematic_structure
        from linkwork.equations.index_3.work import new_work
        from linkwork.problems.context import make_context
        from linkwork.problems.dependent import new_dependence
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
