"""The recursive formulations as objects: what they are in words, and how to make their problems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Annotated, Any, Literal

from linkwork.formulations.contract import ROOT, Extras, Formulation
from linkwork.options import Option
from linkwork.problems.shapes import EXPLICIT

if TYPE_CHECKING:
    from linkwork.kernels.tables import Floats
    from linkwork.problems.explicit import ExplicitProblem
    from linkwork.system import CompiledMechanism

EXTRAS: Extras = {
    "joint_coordinate": (
        ("coordinate",),
        "by coordinate",
        "joint coordinates, rad or m; of spherical joints and floating bodies the components of the rotation vector",
    ),
    "joint_rate": (
        ("coordinate",),
        "by coordinate",
        "their rates; of spherical joints the angular velocity relative to the parent, in the child's joint frame",
    ),
}
MOMENTUM: Extras = {
    "joint_momentum": (("coordinate",), "by coordinate", "momenta conjugate to the joints' rates"),
}


@dataclass(frozen=True, kw_only=True, repr=False)
class RecursiveFormulation(Formulation):
    """Joint coordinates along a spanning tree, solved link by link in two or three recursions."""

    paper: str = "Naudet 2003"
    needs: tuple[str, ...] = ("mass and inertia that every freedom moves",)
    shapes: tuple[str, ...] = (EXPLICIT,)
    default_integrator: str = "rk4"
    lasting_outputs: bool = True
    root: Annotated[str | None, ROOT] = None
    frames: Annotated[
        Literal["screws", "joints"],
        Option("along common normals of the joints' axes, which costs least, or at the joints' markers"),
    ] = "screws"

    @property
    def momenta(self) -> bool:
        """Whether the state holds momenta, or rates."""
        return False

    @property
    def growing(self) -> bool:
        """Whether the closing rows' impulses stay in the momenta."""
        return False

    @property
    def classification(self) -> tuple[str, str, str, str]:
        """Family, coordinates, equations and solver, for judging how independent formulations are."""
        what = ("canonical", "index 2") if self.momenta else ("joint rates", "index 1")
        return "recursive", "joint coordinates", " ".join(what), "recursions"

    def settings(self, mechanism: CompiledMechanism, shape: str) -> dict[str, Any]:
        """How a problem is made with these options, as plain data for a result's header."""
        said = super().settings(mechanism, shape)
        return {name: value for name, value in said.items() if name != "root" or value}

    def extras(self) -> Extras:
        """What results carry besides: name -> (dimensions after time, unit, meaning)."""
        return {**EXTRAS, **MOMENTUM} if self.momenta else EXTRAS

    def labels(self, problem: ExplicitProblem) -> dict[str, tuple[str, ...]]:
        """Names along the dimensions that only `extras` have."""
        return {"coordinate": problem.solver.tree.coordinates}

    def extra_outputs(self, problem: ExplicitProblem, block: Mapping[str, Floats]) -> dict[str, Floats]:
        """Those variables of a block of samples."""
        import numpy as np

        tree = problem.solver.tree
        extra, names = np.asarray(block["extra"]), self.extras()
        n, d, many = len(extra), tree.dofs, len(names)
        flat = extra.reshape(n, prod(extra.shape[1:]))  # a block may be empty
        found = flat[:, : many * d].reshape(n, many, d) * tree.sense
        return {name: found[:, k] for k, name in enumerate(names)}

    def admit(self, mechanism: CompiledMechanism) -> None:
        """Raise what `build` raises: MissingMassError, UsageError for a root that does not exist."""
        super().admit(mechanism)
        if self.root is not None:
            from linkwork.system.topology import topology_of

            topology_of(mechanism, self.root)

    def build_coupled(self, mechanism: CompiledMechanism, **how: Any) -> ExplicitProblem:
        """What `build` makes, which knows couplings and rotors itself."""
        return self.build(mechanism, **how)

    def idle_freedoms(self, mechanism: CompiledMechanism) -> str:
        """Of the whole mechanism, or of the tree alone, whose freedoms these recursions divide by the inertia of."""
        from linkwork.solvers.admission import invertible

        if invertible(mechanism):
            return super().idle_freedoms(mechanism)
        from linkwork.formulations.recursive.initial_state import link_without_inertia

        question = ("link without inertia", self.root, self.frames)
        name = mechanism.once(question, lambda: link_without_inertia(mechanism, self.root, self.frames))
        if not name:  # what the tree moves with inertia, loops leave with inertia
            return ""
        return super().idle_freedoms(mechanism) or (
            f"joint {name!r} leaves a freedom that moves nothing with inertia once loops are opened; the recursions "
            "divide by it"
        )

    def build(
        self,
        mechanism: CompiledMechanism,
        *,
        shape: str = EXPLICIT,
        droppable: bool = False,
        pose_tolerance: float = 1e-11,
        room: int = 1,
    ) -> ExplicitProblem:
        """The explicit problem of this mechanism. Raises MissingMassError; UsageError for an unknown root."""
        from linkwork.formulations.recursive.problem import build_recursive

        self.admit(mechanism)
        return build_recursive(
            mechanism,
            momenta=self.momenta,
            droppable=droppable,
            pose_tolerance=pose_tolerance,
            root=self.root,
            frames=self.frames,
            keeps_sigma=self.growing,
        )


@dataclass(frozen=True, kw_only=True, repr=False)
class Canonical(RecursiveFormulation):
    """Joint coordinates and momenta."""

    name: str = "canonical"
    summary: str = "joint coordinates and the momenta conjugate to them, two recursions for their rates"
    sigma: Annotated[
        Literal["reset", "grow"],
        Option("the closing rows' impulses, taken out of the momenta at every step, or left to grow"),
    ] = "reset"

    def admit(self, mechanism: CompiledMechanism) -> None:
        """Besides, no drivers of a ball's yaw or roll: how their rows' impulses turn with f is left out here."""
        super().admit(mechanism)
        turning = [one.name for one in mechanism.lowered.joints if one.kind == "driver" and one.type in ("yaw", "roll")]
        if turning:
            from linkwork.errors import UnsupportedElementError

            raise UnsupportedElementError(
                f"the momenta of {self.name} do not take drivers of a ball's yaw and roll: {', '.join(turning)}.",
                element=f"mechanism {mechanism.lowered.name!r}",
                remedy="Take another formulation: articulated-body, rA, lie-mixed, ...",
            )

    @property
    def momenta(self) -> bool:
        """The state holds momenta."""
        return True

    @property
    def growing(self) -> bool:
        """Whether the closing rows' impulses stay in the momenta."""
        return self.sigma == "grow"


@dataclass(frozen=True, kw_only=True, repr=False)
class ArticulatedBody(RecursiveFormulation):
    """Joint coordinates and rates."""

    name: str = "articulated-body"
    summary: str = "joint coordinates and rates, accelerations by articulated inertias"


CANONICAL, ARTICULATED_BODY = Canonical(), ArticulatedBody()
