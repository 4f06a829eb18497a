"""What a plan is for, and one run of a pair at one setting."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from time import monotonic, thread_time
from typing import TYPE_CHECKING, Any, TypeAlias

from linkwork.errors import RunInterruptedError
from linkwork.integrators.contract import Run
from linkwork.judgement.limits import Limits
from linkwork.mechanism import Mechanism
from linkwork.planner.asked import USUAL, Wanted
from linkwork.planner.candidates import Size
from linkwork.planner.global_error import Lengths
from linkwork.planner.methods import Method
from linkwork.planner.tolerances import CreepingError, TimeUpError
from linkwork.remembered import with_fields
from linkwork.result import Result
from linkwork.run.samples import Acceptance, Samples
from linkwork.run.session import Progress, Session
from linkwork.run.simulate import Call, carry_out
from linkwork.system import compile_mechanism
from linkwork.system.kinks import jumping_with_state, kink_times

if TYPE_CHECKING:
    from linkwork.analysis.state import State

Tuned: TypeAlias = tuple[float, float, float]  # rtol, atol, largest step [s]

BY_KINK = 10  # steps to a kink of a formula of time
HOPELESS = 1e8  # steps of a whole run, as it goes on: it would not end
CHATTERING = 1e6  # the same, where a formula jumps with the state: it holds the motion at its jump
ROUNDED = (
    "Where a force jumps (sign, if) and holds the motion there, steps become ever smaller: round it off, as by "
    "tanh(x/width) for sign(x), step(x, -width, width) for if(x > 0, 1, 0); or ask for less accuracy."
)


@dataclass(frozen=True)
class Setting:
    """What a plan is for: everything of a call but how to carry it out.

    interval : between two steps of samples [s], of which every `samples.every`-th is recorded. longest : of all steps
        [s], lest they pass over what a formula of the state does (`planner.passed_over`).
    """

    mechanism: Mechanism
    t_end: float
    began: float
    interval: float
    state: State | None
    asked: tuple[Wanted, ...]
    samples: Samples
    accepted: Mapping[str, bool]
    limits: Mapping[str, float] | None
    lengths: Lengths
    longest: float = math.inf

    @property
    def duration(self) -> float:
        """From start to end [s]."""
        return self.t_end - self.began

    @cached_property
    def size(self) -> Size:
        """Of the run."""
        return Size(self.duration, self.accuracy, round(self.duration / (self.interval * self.samples.every)) + 1)

    @cached_property
    def kinks(self) -> int:
        """How many kinks formulas of time have between start and end."""
        return len(kink_times(compile_mechanism(self.mechanism.lower()), self.began, self.t_end))

    @cached_property
    def jumps(self) -> str | None:
        """What the first formula belongs to that may jump with the state."""
        return jumping_with_state(self.mechanism.lower())

    @property
    def accuracy(self) -> float:
        """A relative accuracy to begin with: that of poses, where they are asked for, else the usual one."""
        scale = {"pose": 1.0, "angle": 1.0, "position": self.lengths.extent}
        found = [one.bound / scale[one.quantity] for one in self.asked if one.quantity in scale]
        return min(found, default=USUAL)

    def tuned(self, method: Method, value: float, first: float) -> Tuned:
        """How a pair that finds its own steps is set in the call of `call_of`."""
        options = method.options(value, self.duration, self.interval, self.samples.every, first, self.longest)[2]
        largest = options.get("max_step") or getattr(method.integrator, "max_step", None)
        return options["rtol"], options["atol"], largest or math.inf


def call_of(setting: Setting, method: Method, value: float, first: float | None = None) -> Call:
    """The call that runs a pair at one setting, `first` of those that are compared, in memory."""
    step, every, options = method.options(
        value, setting.duration, setting.interval, setting.samples.every, first or value, setting.longest
    )
    return Call(
        method.formulation,
        method.integrator.with_options(**options),
        Samples(every=every),
        Acceptance().with_options(**setting.accepted),
        setting.t_end,
        step,
        Limits.of(setting.limits),
        setting.state,
    )


def need_end(setting: Setting, steps: int, time: float, most: float, *, patient: bool) -> None:
    """Raise CreepingError for a run that has taken more steps than it should: `most`, and some for each kink of a
    formula of time, at which steps end. patient : only if it would not end."""
    if steps <= most + BY_KINK * setting.kinks:
        return
    done, jumps = 1.0 - (setting.t_end - time) / setting.duration, setting.jumps
    hopeless = steps > (CHATTERING if jumps else HOPELESS) * done
    if hopeless or not patient:
        remedy = f"The formula of {jumps} jumps with the state. {ROUNDED}" if jumps else ROUNDED
        raise CreepingError(setting.mechanism.name, steps, time, remedy if hopeless or jumps else None)


def one_run(
    setting: Setting,
    method: Method,
    value: float,
    deadline: float | None,
    progress: Progress | None,
    first: float | None = None,
    planned: Mapping[str, Any] | None = None,
    out: Samples | None = None,
    started_run: Callable[[Call], Run[Any] | None] = lambda call: None,
    busy_until: float | None = None,
    most_steps: float = math.inf,
    known: Call | None = None,
    *,
    patient: bool = False,
) -> Result:
    """One run of a pair at one setting, `first` of those that are compared. Raises TimeUpError with what was computed
    when the deadline passes.

    planned : what is known of its accuracy, and out : where it is written, of the run that is handed over.
    started_run : as of `carry_out`. most_steps : beyond which it creeps, a CreepingError (`patient` : if it would
    not end). known : the call, where it was made before.
    deadline, busy_until : of `time.monotonic`, and of `time.thread_time`, which other
    work on the machine does not hasten.
    """
    call = known or call_of(setting, method, value, first)
    samples = call.samples if out is None else out.with_options(every=call.samples.every)
    call = with_fields(call, samples=samples, planned=planned)
    up = False

    def need_progress(session: Session) -> None:
        if (steps := session.counts["steps"]) > most_steps:
            need_end(setting, steps, session.time, most_steps, patient=patient)

    def looked(time: float, end: float) -> None:
        nonlocal up
        if progress is not None:
            progress(time, end)
        late = deadline is not None and monotonic() > deadline
        if late or (busy_until is not None and thread_time() > busy_until):
            up = True
            raise KeyboardInterrupt  # which a session ends at in good order, with what it has

    try:
        return carry_out(setting.mechanism, call, progress=looked, started_run=started_run, looked=need_progress)
    except RunInterruptedError as stopped:
        if up:
            raise TimeUpError(stopped.result) from None
        raise
