"""What an integrator is, and a run of it: base classes that say what has to be written, and do the rest.

A new one is a frozen dataclass derived from `Integrator`, with its options as annotated fields (`linkwork.options`), an
instance of which stands in the registry, or is handed to `simulate`. Its `new_run` returns a `Run`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Generic, Self, TypeAlias, TypeVar

from linkwork.options import Configured
from linkwork.status import Status

if TYPE_CHECKING:  # listing integrators imports no arrays and no kernels
    from linkwork.integrators.one_call import OneCall
    from linkwork.kernels.tables import Bodies, Floats
    from linkwork.problems.explicit import ExplicitProblem
    from linkwork.problems.implicit import ImplicitProblem
    from linkwork.system import CompiledMechanism

STRICTER = (1e-5, 1e-4, 1e-3, 1e-2)  # shares of a row that must be its own, where a step near a rank loss fails


@cache
def _of_starts() -> tuple[Callable[..., None], Callable[..., Any]]:
    """What `Run.set_start` calls, found once: listing integrators imports no arrays."""
    from linkwork.problems.dependent import set_sizes
    from linkwork.remembered import with_fields

    return set_sizes, with_fields


P = TypeVar("P", bound="ExplicitProblem | ImplicitProblem")

# arrays over n samples: time (n,), motion (n, nb, 24: r, A, v, omega, a, alpha), multiplier (n, nc); iterations (n,)
# where the method iterates, extra (n, nb, w) where the problem records more of a body
Block: TypeAlias = "dict[str, Floats]"


class Run(ABC, Generic[P]):
    """One run of an integrator on a problem. Its state stands in arrays between chunks of compiled code: what the next
    chunk needs, and what another process needs to go on (`run.snapshot` finds every array that hangs on the object).

    problem : what it was started on.
    room : of the factors' work space, times the usual.
    remarks : sentences for `result.messages`, known before the run; `notices` are those at its end,
        `notices_of_samples` those of samples within steps, whose errors nothing else tells.
    settings : how the run is made, as plain data for `result.info`.
    total, done : units of progress from start to end, and so far: steps, or samples where steps find their own size.
    samples : how many samples a whole run records.
    time : reached [s].
    whole_steps : whether all steps have the size asked for.
    has_tangents : whether sensitivities can be carried along.
    counts : what it cost so far, by name: ``steps`` and whatever else there is.
    spent : seconds, and processor seconds, that its steps took before a session has it.
    worst_row : the constraint row that is worst off when a step has failed, -1 if none is known.
    """

    problem: P
    room: int = 1
    remarks: list[str]

    @property
    @abstractmethod
    def settings(self) -> Mapping[str, Any]: ...

    @property
    @abstractmethod
    def total(self) -> int: ...

    @property
    @abstractmethod
    def done(self) -> int: ...

    @property
    @abstractmethod
    def samples(self) -> int: ...

    @property
    @abstractmethod
    def time(self) -> float: ...

    @property
    @abstractmethod
    def counts(self) -> dict[str, int]: ...

    @property
    def whole_steps(self) -> bool:
        """They have."""
        return True

    @property
    def has_tangents(self) -> bool:
        """Whether sensitivities can be carried along (`derivatives.tangent_run`)."""
        return False

    @property
    def spent(self) -> tuple[float, float]:
        """None, of a run that is at its start."""
        return 0.0, 0.0

    @property
    def notices(self) -> list[str]:
        """Nothing to add."""
        return []

    @property
    def notices_of_samples(self) -> list[str]:
        """Nothing: they are as exact as steps."""
        return []

    @property
    def worst_row(self) -> int:
        """Not known."""
        return -1

    @abstractmethod
    def begin_at(self, time: float, counted_angles: Floats | None = None) -> None:
        """Before `initialise`: another start time than 0 [s], and counted angles, with their turns [rad]."""

    def renew(self, bodies: Bodies) -> None:
        """Before `initialise`: what was worked out of masses and inertias, anew from other ones. The mechanism's tables
        hold these already."""
        if self.problem.renew is not None:
            self.problem.renew(self.problem.mechanism, bodies)

    def set_start(self, mechanism: CompiledMechanism, pose_tolerance: float) -> bool:
        """Before `begin_at`: another start state and other numbers of the same elements, which the tables that compiled
        code reads hold already. False where such a run cannot be had of these arrays.

        pose_tolerance : as in `Formulation.build`.
        """
        set_start = self.problem.set_start
        if set_start is None:
            return False
        set_sizes, with_fields = _of_starts()
        set_sizes(self.problem.dependence, mechanism.bare, pose_tolerance)
        self.problem = with_fields(self.problem, mechanism=mechanism)
        return set_start(mechanism)

    @abstractmethod
    def initialise(self) -> Status:
        """Make the start consistent: accelerations, multipliers, and whatever the method carries along."""

    @abstractmethod
    def sample(self) -> Block:
        """The present state as a block of one sample."""

    def first(self) -> Block:
        """The start as a block, without samples if the start is not wanted."""
        return self.sample()

    @abstractmethod
    def advance(self, units: int) -> tuple[Status, Block]:
        """Go on by so many units in compiled code; what was recorded comes back even if a step failed."""

    def in_one_call(self) -> OneCall | None:
        """All steps from the start in one call that is made often; None where they are not known to be so many."""
        return None

    @abstractmethod
    def stepper(self) -> tuple[Any, Callable[[], tuple[int, int]]]:
        """Room for one sample, and a function that takes one step into it and returns status and samples recorded.

        For callers who step from Python: both serve as often as wanted. The room has the arrays that `advance` gives.
        """

    def forget_slope(self) -> None:
        """Something that forces depend on has changed: what is known of the present state's slope holds no more."""

    @abstractmethod
    def take_over(self, other: Self) -> None:
        """Go on from where another run of the same mechanism and formulation stands: after a rank change the problem is
        built again, with room for dependent rows."""

    def pass_rank_loss(self, record: Callable[[Block], None]) -> Status:
        """Take one step where constraints lose rank: rows are counted as dependent the sooner the harder it proves.

        A row counts as its own if more than a share of it is independent of the others. That share is raised until a
        step succeeds; afterwards it follows from how far the pose is off the constraints. record : keeps the samples.
        """
        from linkwork.kernels.pose_error import OFF_LARGEST

        shares = self.problem.dependence.length  # [1] now, [2] at least, [3] as the pose asks for
        usual = shares[2]
        status = Status.SINGULAR
        for share in (usual, *STRICTER):
            shares[1:3] = max(share, usual)
            status, block = self.advance(1)
            record(block)
            if status == Status.OK:
                break
        shares[1:3] = max(usual, min(shares[3], OFF_LARGEST)), usual
        return status


@dataclass(frozen=True, kw_only=True, repr=False)
class Integrator(Configured, ABC, Generic[P]):
    """A method that moves a state. It knows the shapes of problems, and neither mechanisms nor formulations.

    To be written: `new_run`, and the fields.

    name : as users write it. order : of convergence. summary : one line.
    shape : the problem shape that it takes (`problems.shapes`); which formulations it goes with follows from it.
    """

    name: str
    order: int
    summary: str
    shape: str

    @abstractmethod
    def new_run(self, problem: P, *, step: float, t_end: float, every: int = 1) -> Run[P]:
        """A run from the problem's present state. Raises UsageError for settings that make no sense.

        step, t_end : s. every : keep every k-th step.
        """

    def describe(self) -> dict[str, Any]:
        """Plain data for listings."""
        return {"name": self.name, "order": self.order, "shape": self.shape, "summary": self.summary}

    @property
    def tolerance_exponent(self) -> float:
        """The global error of steps that find their own size falls like rtol to this power, or faster."""
        return 1.0

    def pose_tolerance(self, length: float, step: float) -> float:
        """To what share of the mechanism's length [m] poses will be met with steps of this size [s]; rows are judged by
        it. 0 where poses drift by an amount that is not known before: then rows are judged as they are met."""
        return 0.0
