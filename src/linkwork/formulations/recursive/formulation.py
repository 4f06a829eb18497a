"""The recursive formulations as objects: what they are in words, and how to make their problems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from linkwork.errors import UsageError
from linkwork.formulations.refusal import Refusing
from linkwork.problems.explicit import ExplicitProblem
from linkwork.problems.shapes import EXPLICIT
from linkwork.system import CompiledMechanism
from linkwork.system.topology import topology_of

FRAMES = ("screws", "joints")
SIGMA = ("reset", "grow")
EXTRAS: dict[str, Any] = {
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
MOMENTUM: dict[str, Any] = {
    "joint_momentum": (("coordinate",), "by coordinate", "momenta conjugate to the joints' rates"),
}


@dataclass(frozen=True)
class RecursiveFormulation(Refusing):
    """Joint coordinates along a spanning tree, solved link by link in two or three recursions.

    name, paper, summary : for people. momenta : whether the state holds momenta, or rates.
    """

    name: str
    summary: str
    momenta: bool
    paper: str = "Naudet 2003"
    needs: tuple[str, ...] = ("mass and inertia that every freedom moves",)
    shapes: tuple[str, ...] = (EXPLICIT,)
    default_integrator: str = "rk4"
    supports_kinematics: bool = False

    @property
    def options(self) -> tuple[str, ...]:
        """What `build` understands besides."""
        return ("root", "frames", "sigma") if self.momenta else ("root", "frames")

    @property
    def ways(self) -> tuple[str, str, str, str]:
        """Family, coordinates, equations and solver, for judging how independent formulations are."""
        what = ("canonical", "index 2") if self.momenta else ("joint rates", "index 1")
        return "recursive", "joint coordinates", " ".join(what), "recursions"

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
        said = {"frames": own.get("frames", FRAMES[0])} | ({"root": own["root"]} if own.get("root") else {})
        return said | ({"sigma": own.get("sigma", SIGMA[0])} if self.momenta else {})

    def extras(self) -> dict[str, Any]:
        """What results carry besides: name -> (dimensions after time, unit, meaning)."""
        return {**EXTRAS, **MOMENTUM} if self.momenta else EXTRAS

    def labels(self, problem: Any) -> dict[str, tuple[str, ...]]:
        """Names along the dimensions that only `extras` have."""
        return {"coordinate": problem.solver.tree.coordinates}

    def further(self, problem: Any, block: Mapping[str, Any]) -> dict[str, Any]:
        """Those variables of a block of samples."""
        tree = problem.solver.tree
        extra = np.asarray(block["extra"])
        d, flat = tree.dofs, extra.reshape(len(extra), int(np.prod(extra.shape[1:])))  # a block may be empty
        return {name: flat[:, k * d : (k + 1) * d] * tree.sense for k, name in enumerate(self.extras())}

    def admit(
        self, mechanism: CompiledMechanism, *, root: str | None = None, frames: str = FRAMES[0], sigma: str = SIGMA[0]
    ) -> None:
        """Raise what `build` raises: MissingMassError, UsageError."""
        for name, value, known in (("frames", frames, FRAMES), ("sigma", sigma, SIGMA)):
            if value not in known:
                raise UsageError(f"there is no {name} {value!r}.", remedy=f"Known: {', '.join(known)}.")
        mechanism.need_masses()
        topology_of(mechanism, root)

    def idle_freedoms(
        self, mechanism: CompiledMechanism, *, root: str | None = None, frames: str = FRAMES[0], sigma: str = SIGMA[0]
    ) -> str:
        """Of the whole mechanism, or of the tree alone, whose freedoms these recursions divide by the inertia of."""
        from linkwork.formulations.recursive.initial_state import link_without_inertia

        found = super().idle_freedoms(mechanism)
        if found or not (name := link_without_inertia(mechanism, root, frames)):
            return found
        return (
            f"joint {name!r} leaves a freedom that moves nothing with inertia once loops are opened; the recursions "
            "divide by it"
        )

    def build(
        self,
        mechanism: CompiledMechanism,
        *,
        shape: str = EXPLICIT,
        root: str | None = None,
        frames: str = FRAMES[0],
        sigma: str = SIGMA[0],
        droppable: bool = False,
        pose_tolerance: float = 1e-11,
        room: int = 1,
    ) -> ExplicitProblem:
        """The problem of this mechanism at its start pose and velocity.

        root : body that the spanning tree starts with. frames : ``screws`` along common normals of the joints' axes,
        which costs least, or ``joints``, at their markers. sigma : the closing rows' impulses (canonical), taken out of
        the momenta at every step (``reset``), or left to ``grow``.
        droppable : allow for dependent closing rows. pose_tolerance : to what share of the mechanism's length poses
        are met.
        Raises MissingMassError; UsageError for unknown options.
        """
        from linkwork.formulations.recursive.problem import build_recursive

        self.admit(mechanism, root=root, frames=frames, sigma=sigma)
        return build_recursive(
            mechanism,
            momenta=self.momenta,
            droppable=droppable,
            pose_tolerance=pose_tolerance,
            root=root,
            frames=frames,
            keeps_sigma=sigma == "grow",
        )


CANONICAL = RecursiveFormulation(
    "canonical", "joint coordinates and the momenta conjugate to them, two recursions for their rates", True
)
ARTICULATED_BODY = RecursiveFormulation(
    "articulated-body", "joint coordinates and rates, accelerations by articulated inertias", False
)
