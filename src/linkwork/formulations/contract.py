"""What a formulation is: the base class that says what has to be written, and does the rest.

A new one is a frozen dataclass derived from `Formulation`, with its options as annotated fields (`linkwork.options`).
An instance of it stands in the registry, or is handed to `simulate`:

    @dataclass(frozen=True, kw_only=True, repr=False)
    class Mine(Formulation):
        name: str = "mine"
        ...
        gain: Annotated[float, Option("what it is", above=0.0)] = 1.0

        def build(self, mechanism, *, shape=EXPLICIT, droppable=False, pose_tolerance=1e-11, room=1): ...
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from linkwork.errors import LinkworkError, SingularPositionError, UnsupportedElementError
from linkwork.options import Configured, Option

if TYPE_CHECKING:  # listing formulations imports no arrays and no kernels
    from linkwork.kernels.tables import Floats
    from linkwork.problems.explicit import ExplicitProblem
    from linkwork.problems.implicit import ImplicitProblem, KinematicProblem
    from linkwork.system import CompiledMechanism

ROOT = Option("body that the spanning tree starts with; found by itself if left out")
Extras = Mapping[str, tuple[tuple[str, ...], str, str]]  # name -> (dimensions after time, unit, meaning)


@dataclass(frozen=True, kw_only=True, repr=False)
class Formulation(Configured, ABC):
    """A choice of coordinates, the equations in them, and the way the constraints are solved.

    To be written: `build`, and the fields without a value. The rest may be.

    name : as users write it. summary : one line. paper : where it was published, by its key in the docs.
    needs : what a mechanism must have, in words.
    shapes : problem shapes that it hands itself over in (`problems.shapes`); integrators of one of them fit.
    default_integrator : which one runs if the user names none.
    supports_kinematics : whether `build_kinematic` is written.
    same_as : another formulation that carries out the same operations, bit for bit.
    lasting_outputs : whether `extra_outputs` reads nothing of a problem that another start of it changes.
    """

    name: str
    summary: str
    paper: str = ""
    needs: tuple[str, ...] = ("mass and inertia of every body",)
    shapes: tuple[str, ...]
    default_integrator: str
    supports_kinematics: bool = False
    same_as: str = ""
    lasting_outputs: bool = False

    @abstractmethod
    def build(
        self,
        mechanism: CompiledMechanism,
        *,
        shape: str,
        droppable: bool = False,
        pose_tolerance: float = 1e-11,
        room: int = 1,
    ) -> ExplicitProblem | ImplicitProblem:
        """The problem of this mechanism in one of `shapes`, at its start pose and velocity. Begins with `admit`.

        droppable : with room for dependent rows (redundant constraints), which costs a little at every step.
        pose_tolerance : to what share of the mechanism's length poses will be met; rows are judged by it.
        room : times the usual work space for the factors of the matrix.
        """

    def problem(
        self,
        mechanism: CompiledMechanism,
        *,
        shape: str,
        droppable: bool = False,
        pose_tolerance: float = 1e-11,
        room: int = 1,
    ) -> ExplicitProblem | ImplicitProblem:
        """What `build` makes, with the mechanism's couplings beside it (`equations.coupled`)."""
        how: dict[str, Any] = {
            "shape": shape, "droppable": droppable, "pose_tolerance": pose_tolerance, "room": room
        }  # fmt: skip
        if not len(mechanism.couplings.about):
            return self.build(mechanism, **how)
        self.admit_couplings(mechanism)
        return self.build_coupled(mechanism, **how)

    def build_coupled(self, mechanism: CompiledMechanism, **how: Any) -> ExplicitProblem | ImplicitProblem:
        """The problem with couplings, from that of the mechanism without them; `how` as in `build`."""
        from linkwork.problems.explicit import ExplicitProblem

        problem = self.build(mechanism.bare, **how)
        if isinstance(problem, ExplicitProblem):
            from linkwork.equations.coupled.explicit import with_couplings

            return with_couplings(problem, mechanism)
        from linkwork.equations.coupled.implicit import with_couplings as with_couplings_implicitly

        return with_couplings_implicitly(problem, mechanism)

    def admit_couplings(self, mechanism: CompiledMechanism) -> None:
        """Raise UnsupportedElementError where these equations take no couplings."""

    def kinematic(self, mechanism: CompiledMechanism, *, bordered: bool = False) -> KinematicProblem:
        """What `build_kinematic` makes, with the mechanism's couplings beside it, which then is bordered."""
        if not mechanism.rigid:
            return self.build_kinematic(mechanism.bare, bordered=bordered)
        from linkwork.equations.coupled.kinematic import with_couplings

        return with_couplings(self.build_kinematic(mechanism.bare, bordered=True), mechanism)

    def build_kinematic(self, mechanism: CompiledMechanism, *, bordered: bool = False) -> KinematicProblem:
        """The position, velocity and acceleration equations of a driven mechanism.

        bordered : solve for the least change, which dependent rows and singular positions allow.
        """
        raise UnsupportedElementError(f"formulation {self.name!r} has no kinematic equations.")

    def admit(self, mechanism: CompiledMechanism) -> None:
        """Raise what `build` would raise for this mechanism; loads no compiler.

        Raises MissingMassError, UnsupportedElementError, UsageError.
        """
        mechanism.need_masses()

    def idle_freedoms(self, mechanism: CompiledMechanism) -> str:
        """In words, motions that these equations find no inertia for at the mechanism's state; '' without any."""
        from linkwork.system.inertia import motions_without_inertia

        return "; ".join(mechanism.once("motions without inertia", lambda: motions_without_inertia(mechanism)))

    def refusal(self, mechanism: CompiledMechanism) -> str | None:
        """Why this mechanism cannot run from its present state, with the error's code; None if it can.

        mechanism : compiled, at an assembled state. Nothing is compiled, and Numba is not loaded.
        """
        try:
            if len(mechanism.couplings.about):
                self.admit_couplings(mechanism)
            self.admit(mechanism.bare)
        except LinkworkError as error:
            return f"{error.message} [{error.code}]"
        idle = self.idle_freedoms(mechanism.bare)
        return f"{idle} [{SingularPositionError.code}]" if idle else None

    @property
    def classification(self) -> tuple[str, str, str, str]:
        """Family, coordinates, equations and solver, for judging how independent formulations are."""
        return (self.name,) * 4

    def describe(self) -> dict[str, Any]:
        """Plain data for listings; loads nothing."""
        return {
            "name": self.name,
            "paper": self.paper,
            "summary": self.summary,
            "needs": list(self.needs),
            "kinematics": self.supports_kinematics,
        }

    def settings(self, mechanism: CompiledMechanism, shape: str) -> dict[str, Any]:
        """How a problem is made with these options, as plain data for a result's header."""
        return {name: getattr(self, name) for name in self.options}

    def extras(self) -> Extras:
        """What results carry besides."""
        return {}

    def labels(self, problem: ExplicitProblem) -> Mapping[str, tuple[str, ...]]:
        """Names along the dimensions that only `extras` have."""
        return {}

    def extra_outputs(self, problem: ExplicitProblem, block: Mapping[str, Floats]) -> Mapping[str, Floats]:
        """Those variables of a block of samples."""
        return {}
