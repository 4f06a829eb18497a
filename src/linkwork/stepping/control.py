"""Runs under sampled controllers: every sample falls on the end of a step, exactly, and what was computed before an
error is kept."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np

from linkwork.analysis.state import State
from linkwork.arguments import SHORTEST, step_count, whole_number
from linkwork.errors import ControllerError, ConvergenceError, LinkworkError, RunInterruptedError, UsageError
from linkwork.formulations.contract import Formulation
from linkwork.header import Array, Deriver, Variable
from linkwork.integrators.contract import Integrator
from linkwork.judgement.judge import kinematic_verdicts
from linkwork.judgement.limits import KINEMATIC, Limits
from linkwork.judgement.motion_watch import MOST, KinematicWatch
from linkwork.mechanism import Mechanism
from linkwork.result import Result
from linkwork.run.recording import named
from linkwork.run.sensors_without_value import SensorsWithoutValue
from linkwork.run.starting import span
from linkwork.status import Status
from linkwork.stepping.controllers import Controller, Startable
from linkwork.stepping.simulator import Simulator
from linkwork.verdict import WRONG, worst

INPUT = Variable(("time", "input"), "1", "inputs, as held over the step that ends at this time; unit by input")


def control(
    mech: Mechanism,
    controllers: Startable | Sequence[Startable],
    t_end: float | None = None,
    step: float | None = None,
    formulation: str | Formulation = "rA",
    integrator: str | Integrator[Any] | None = None,
    *,
    state: State | Mapping[str, Any] | None = None,
    every: int = 1,
    limits: Mapping[str, float] | None = None,
    **options: Any,
) -> Result:
    """Simulate a mechanism under sampled controllers.

    Parameters
    ----------
    mech, t_end, step, formulation, integrator, state, **options : as in `linkwork.simulate`; steps have one size.
    controllers : one or several, made by `linkwork.controller` or `linkwork.PID`; where two give the same input, at a
        time the later one counts. step is made smaller where that is needed for samples and delays to fall on ends of
        steps; where t_end then is no whole number of steps, the last step is a shorter one. What was given last acts to
        the end, also where a period ends later. The result's messages tell all of it.
    every : record every k-th step.
    limits : violation, slip and speed beyond which the result is called wrong or doubted (docs/judgement.md); the work
        of inputs is not known, so that energies are not judged.

    The result has ``input`` besides, (nt, inputs). Raises ControllerError with the controller's name, the time and
    `.result`, what was computed before; and what `linkwork.simulate` raises.
    """
    t_end, step = span(mech, t_end, step)
    allowed = Limits.of(limits, only=KINEMATIC)
    given: list[Any] = [*controllers] if isinstance(controllers, Sequence) else [controllers]
    if odd := [one for one in given if not isinstance(one, Startable)]:
        raise UsageError(f"a controller is wanted, not {odd[0]!r}.", remedy="Decorate it: @lw.controller(period=1e-3).")
    laws = [one.start() for one in given]
    sim = Simulator(mech, common_step(laws, step), formulation, integrator, state=state, **options)
    if not t_end > sim.time:
        raise UsageError(f"t_end = {t_end:g} s is not after the start, {sim.time:g} s.")
    steps, rest = whole_and_rest(t_end - sim.time, sim.step_size)
    record = Record(sim, steps, rest, whole_number("every", every), laws, step, allowed)
    active = [Sampled(law, sim) for law in laws]
    try:
        for k in range(steps + (rest > 0.0)):
            for one in active:
                one.act(k)
            if k == 0:
                record.keep(sim)
            now = sim if k < steps else sim.with_step(rest)
            now.step()
            if (k + 1) % every == 0 or k == steps:
                record.keep(now)
    except (ControllerError, ConvergenceError) as error:
        error.result = record.result(str(error), getattr(error, "status", Status.NEWTON_DIVERGED), active)
        raise
    except KeyboardInterrupt:
        text = f"interrupted at t = {record.last:.6g} s; what was computed before is kept."
        raise RunInterruptedError(text, result=record.result(text, Status.OK, active)) from None
    return record.result("", Status.OK, active)


def whole_and_rest(duration: float, step: float) -> tuple[int, float]:
    """How many whole steps a duration has, and what is left of it [s]; 0 where that is rounding."""
    steps = step_count(duration, step)
    if steps * step <= duration * (1.0 + 1e-9):
        return steps, 0.0
    return steps - 1, duration - (steps - 1) * step


def common_step(laws: Sequence[Controller], step: float) -> float:
    """The largest step, not above `step`, of which all periods and delays are whole multiples [s]. Raises UsageError
    where it would be shorter than any step may be."""
    times = [as_fraction(t) for law in laws for t in (law.period, law.delay) if t > 0.0]
    if not times:
        return step
    below = math.lcm(*(t.denominator for t in times))
    shared = Fraction(math.gcd(*(int(t * below) for t in times)), below)
    if shared < SHORTEST:
        told = ", ".join(f"{float(t)!r}" for t in dict.fromkeys(times))
        raise UsageError(
            f"controllers' periods and delays are whole multiples of no step above {SHORTEST:g} s: {told} s.",
            remedy="Take such as 0.01 and 0.025, or 1/60 and 1/30.",
        )
    return float(shared / max(1, math.ceil(float(shared) / step * (1.0 - 1e-9))))


def as_fraction(t: float) -> Fraction:
    """The fraction that is meant by a number: 1/30 by the double that 1/30 gives, 0.01 by 0.01."""
    decimal = Fraction(repr(float(t)))
    simple = decimal.limit_denominator(1_000_000)
    return simple if float(simple) == t else decimal


@dataclass
class Sampled:
    """A controller in a run: when it is asked, and which of its values act."""

    law: Controller
    sim: Simulator
    waiting: deque[tuple[int, dict[str, float]]] = field(default_factory=deque)
    acting: dict[str, float] = field(default_factory=dict)
    before: dict[str, float] = field(default_factory=dict)
    since: int = 0
    given: dict[str, None] = field(default_factory=dict)  # inputs that it has given

    def __post_init__(self) -> None:
        self.period = round(self.law.period / self.sim.step_size)
        self.delay = round(self.law.delay / self.sim.step_size)

    def act(self, k: int) -> None:
        """Before step k: ask where a sample is due, and give the inputs that act now."""
        if k % self.period == 0:
            self.waiting.append((k + self.delay, self._asked()))
        new = False
        while self.waiting and self.waiting[0][0] <= k:
            self.before, (self.since, self.acting) = self.acting, self.waiting.popleft()
            new = True
        if self.law.hold == "zero":
            if new:
                self._give(self.acting)
        elif self.acting:
            share = (k - self.since + 0.5) / self.period  # the middle of the step
            self._give({n: u + share * (u - self.before.get(n, u)) for n, u in self.acting.items()})

    def _asked(self) -> dict[str, float]:
        t = self.sim.time
        try:
            found = self.law(t, self.sim.outputs)
        except LinkworkError as error:  # a name that does not exist
            raise self._failed(t, f"failed: {error.message}", error.remedy) from error
        except Exception as error:  # whatever a user's function raises
            raise self._failed(t, f"raised {type(error).__name__}: {str(error).rstrip('.')}.") from error
        if not isinstance(found, Mapping):
            raise self._failed(t, f"returned {found!r} instead of inputs by name.", 'As in {"motor": 2.0}.')
        try:
            values = self.sim.inputs.checked(found)
        except UsageError as error:
            raise self._failed(t, f"gave what is no input: {error.message}", error.remedy) from None
        self.given.update(dict.fromkeys(values))
        return values

    def _give(self, values: dict[str, float]) -> None:
        """Values that were looked at; on the way to the next one they may have grown beyond all bounds."""
        try:
            self.sim.inputs.update(values)
        except UsageError as error:
            raise self._failed(self.sim.time, f"with hold='first' goes on to no number: {error.message}") from None

    def _failed(self, t: float, text: str, remedy: str | None = None) -> ControllerError:
        return ControllerError(f"t = {t:.6g} s: controller {self.law.name!r} {text}", remedy=remedy)


def shared_inputs(active: Sequence[Sampled]) -> list[str]:
    """A sentence for each input that several controllers have given."""
    names = dict.fromkeys(name for one in active for name in one.given)
    by = {name: [repr(one.law.name) for one in active if name in one.given] for name in names}
    return [
        f"input {name!r} is given by controllers {' and '.join(some)}: at a time the later one counts, and each value "
        "acts until the next is given"
        for name, some in by.items()
        if len(some) > 1
    ]


class WithoutPower:
    """A deriver that leaves power out: inputs that were given from outside are not known to it."""

    def __init__(self, deriver: Deriver) -> None:
        self.deriver = deriver

    def derive(self, names: Sequence[str], *state: Any, **inputs: Any) -> dict[str, Array]:
        """Without power."""
        return self.deriver.derive([name for name in names if name != "power"], *state, **inputs)


class Record:
    """Samples of a simulator as they come."""

    def __init__(
        self,
        sim: Simulator,
        steps: int,
        rest: float,
        every: int,
        laws: Sequence[Controller],
        asked: float,
        limits: Limits,
    ) -> None:
        self.sim, self.n, self.limits = sim, 0, limits
        room, size = sim.sample, steps // every + 1 + (rest > 0.0)
        try:
            self.arrays = {name: np.empty((size, *values.shape[1:]), values.dtype) for name, values in room.items()}
            self.inputs = np.empty((size, len(sim.inputs)))
        except (MemoryError, ValueError):
            raise UsageError(
                f"{size:.3g} samples do not fit into memory; steps take {sim.step_size:.3g} s.",
                remedy="Record fewer (every=...), or take periods and delays with a larger common part.",
            ) from None
        t_end = sim.time + steps * sim.step_size + rest
        self.info = {"every": every, "controllers": [law.name for law in laws], "t_end": t_end}
        self.messages: list[str] = []
        if rest > 0.0:
            self.messages.append(f"t_end is no whole number of steps of {sim.step_size:g} s: the last takes {rest:g} s")
        if self.sim.step_size < asked * (1.0 - 1e-9):
            self.messages.append(
                f"steps take {sim.step_size:g} s, not {asked:g} s, so that samples and delays end with them"
            )
        for law in laws:
            if law.delay > 0.0 and law.delay * (1.0 + 1e-9) > t_end - sim.time:
                self.messages.append(f"controller {law.name!r}: nothing it gives acts, its delay is as long as the run")
            left = whole_and_rest(t_end - sim.time, law.period)[1]
            if left > 0.0:
                self.messages.append(
                    f"controller {law.name!r}: t_end cuts its last period of {law.period:g} s to {left:g} s"
                )

    def keep(self, sim: Simulator) -> None:
        """Keep the present sample and inputs."""
        for name, values in sim.sample.items():
            self.arrays[name][self.n] = values[0]
        self.inputs[self.n] = list(sim.inputs.values())
        self.n += 1

    @property
    def last(self) -> float:
        """When the last step that was kept ends [s]."""
        return float(self.arrays["time"][self.n - 1]) if self.n else self.sim.time

    def result(self, message: str, status: Status, active: Sequence[Sampled]) -> Result:
        """What was kept; the start, where a controller failed there."""
        if self.n == 0:
            self.keep(self.sim)
        recorder, header = self.sim.recorder, self.sim.recorder.header
        kept, inputs = {name: values[: self.n] for name, values in self.arrays.items()}, self.inputs[: self.n]
        info = {**header.info, **self.info, **({"limits": changed} if (changed := self.limits.changed()) else {})}
        watch = KinematicWatch(self.sim.compiled, self.limits, max(1, self.n // MOST))
        watch.look(kept)
        with np.errstate(all="ignore"):
            found = kinematic_verdicts(watch, info, self.sim.assembled)
        if worst(found) == WRONG and not message:
            status, message = Status.JUDGED_WRONG, str(found[0])
        header = replace(
            header,
            info={**info, "judgement": worst(found), "verdicts": [one.to_dict() for one in found]},
            extras={**header.extras, "input": INPUT},
            coordinates={**header.coordinates, "input": tuple(self.sim.inputs)},
        )
        arrays = {**named(self.sim.with_extra_outputs(kept)), "input": inputs}
        unread = SensorsWithoutValue(recorder.deriver.mechanism.lowered)
        unread.look(kept, inputs[:, : len(self.sim.mechanism.inputs)])
        derive = WithoutPower(recorder.deriver)
        messages = (*self.sim.messages, *self.messages, *shared_inputs(active), *unread.messages)
        how: dict[str, Any] = {"success": not message, "status": int(status), "message": message}
        return Result(header, arrays, derive=derive, messages=messages, **how)
