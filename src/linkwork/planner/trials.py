"""Trying pairs on a part of the span, and choosing by what they took."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from time import monotonic, thread_time
from typing import TYPE_CHECKING, NamedTuple

from linkwork.errors import LinkworkError
from linkwork.planner import wisdom
from linkwork.planner.candidates import COUNTED, Candidate, counted, tried
from linkwork.planner.methods import Method
from linkwork.planner.one_run import Setting, one_run
from linkwork.planner.tolerances import COARSE_AGAIN, MOST_RETRIES, Attempt, TimeUpError, judge
from linkwork.result import Result
from linkwork.run.samples import Samples
from linkwork.system import CompiledMechanism

if TYPE_CHECKING:
    from linkwork.planner.plan import Plan

PART = 0.05  # of the span
LEAST_SAMPLES = 4
MEASURED = 4  # pairs tried with effort "measure"; of a stiff mechanism at least one of them implicit
MOST_SECONDS = 1.0  # of computing, a trial, compiling left out
SHARE = 0.1  # of a run or a time limit, in seconds of computing
BY_THE_CLOCK = 0.3  # of a time limit that trials may take, lest a busy machine leaves nothing for the run
PROVED = 4.0  # predicted runs that a run takes with its proof (docs/calibration.md)
TRIAL, TRIAL_PER_ROW = 0.02, 5e-4  # s, of a trial of the shipped mechanisms, about
COUNTING = 3.0  # trials that counting operations takes, about
WORTH_SAYING = 0.1  # s
PREDICTED = "the predicted run"
ROUGH = 30.0  # times the accuracy: trials run looser, and what that took is extrapolated

_used: set[str] = set()  # pairs that this process has run in trials


@dataclass
class Allowance:
    """How long trials may take together. busy_until : of `time.thread_time`, None where nothing limits them: what is
    chosen does not hang on what else a machine does. deadline : of `time.monotonic`, of a time limit alone. of : what
    they may take SHARE of, in words. least : seconds of a trial, before one was made. seconds : allowed at the
    beginning.
    """

    busy_until: float | None
    of: str
    least: float
    seconds: float = 0.0
    deadline: float | None = None

    @classmethod
    def of_plan(cls, plan: Plan) -> Allowance:
        """A share of the time limit; without one, of the predicted run with its proof. Nothing limits effort
        ``patient`` without a time limit, and trials of a stiff mechanism, whose runs cannot be predicted."""
        least = TRIAL + TRIAL_PER_ROW * plan.traits.rows
        if (limit := plan.time_limit) is not None:
            seconds, latest = SHARE * limit, monotonic() + BY_THE_CLOCK * limit
            return cls(thread_time() + seconds, f"the time limit of {limit:g} s", least, seconds, latest)
        if plan.effort == "patient" or plan.traits.stiff or not plan.chosen.predicted:
            return cls(None, "", least)
        seconds = SHARE * PROVED * plan.chosen.predicted
        return cls(thread_time() + seconds, PREDICTED, least, seconds)

    def has_room(self, trials: float = 1.0) -> bool:
        """Whether another trial, or what takes as long as some, should come to its end."""
        needed = trials * self.least
        in_time = self.deadline is None or monotonic() + needed <= self.deadline
        return in_time and (self.busy_until is None or thread_time() + needed <= self.busy_until)

    def extend(self, busy: float, seconds: float) -> None:
        """By what is no planning: seconds of computing, and by the clock."""
        if self.busy_until is not None:
            self.busy_until += busy
        if self.deadline is not None:
            self.deadline += seconds

    @property
    def remark(self) -> str:
        """Why no pair was tried, and what would leave room."""
        cure = "a longer run, effort 'patient' or a time limit" if self.of == PREDICTED else "a longer one"
        return (
            f"no pair was tried, the order is predicted: a tenth of {self.of} is {self.seconds:.2g} s, less than the "
            f"{self.least:.2g} s or so that a trial takes; {cure} leaves room"
        )


def measured(plan: Plan, compiled: CompiledMechanism) -> None:
    """Order what is considered by trials on the first part of the span, and keep what they taught."""
    if not (without := Allowance.of_plan(plan)).has_room():
        plan.remarks.append(without.remark)
        return
    able = [one for one in plan.considered if not one.refusal]
    some = able if plan.effort == "patient" else promising(able, stiff=plan.traits.stiff)
    allowance = Allowance.of_plan(plan)  # from here: to list the pairs may load modules, which no trial takes
    found: list[Candidate] = []
    for one in some:
        if not allowance.has_room():
            plan.remarks.append(f"a tenth of {allowance.of} left no room to try more pairs")
            break
        _first_use(plan, one.method, compiled, allowance)
        began = thread_time()
        took = trial(plan.setting, one.method, allowance.deadline, allowance.busy_until)
        if took is not None:
            counts = plan.effort != "estimate" and allowance.has_room(COUNTING)
            known = counted(one, compiled) if counts else one
            found.append(tried(known, took.seconds))
            name, mechanism = one.method.formulation.name, plan.setting.mechanism
            if known.known == COUNTED and took.evaluation > 0.0 and plan.effort != "estimate":
                wisdom.learn_speed(mechanism, name, known.operations, 1e9 * took.evaluation / known.operations)
        allowance.least = max(allowance.least, thread_time() - began)
    timed = sorted(found, key=lambda one: one.cost)
    names = {id(one.method) for one in timed}
    plan.considered[:] = [*timed, *(one for one in plan.considered if id(one.method) not in names)]
    if not timed:
        plan.remarks.append("no trial came to an end; the order is predicted")
    if plan.effort != "estimate" and (remark := wisdom.exported()):
        plan.remarks.append(remark)


def _first_use(plan: Plan, method: Method, compiled: CompiledMechanism, allowance: Allowance) -> None:
    """Compile or load the code of a pair, where this process has not run it yet, which is no planning."""
    if (pair := wisdom.name_of(method)) in _used:
        return
    began, busy, setting = monotonic(), thread_time(), plan.setting
    interval = min(1e-6, 1e-3 * setting.interval)
    short = replace(setting, t_end=setting.began + interval, interval=interval, samples=Samples())
    with suppress(LinkworkError, TimeUpError):
        one_run(short, method, 1e-3 if method.controlled else interval, None, None)
    _used.add(pair)
    seconds = monotonic() - began
    allowance.extend(thread_time() - busy, seconds)
    if seconds > WORTH_SAYING:
        plan.remarks.append(f"{method.label}: compiling or loading its code took {seconds:.2g} s, which is no planning")


def promising(able: list[Candidate], *, stiff: bool) -> list[Candidate]:
    """The first few; of a stiff mechanism explicit and implicit ones."""
    if not stiff:
        return able[:MEASURED]
    explicit = [one for one in able if one.method.explicit]
    implicit = [one for one in able if not one.method.explicit]
    return [*explicit[:2], *implicit[:MEASURED]]


class Took(NamedTuple):
    """Seconds that the whole run should take, and seconds of one evaluation, 0 where they are not counted."""

    seconds: float
    evaluation: float


def trial(
    setting: Setting, method: Method, deadline: float | None = None, busy_until: float | None = None
) -> Took | None:
    """What the whole run should take, from two runs on a part of it; None where they do not come to an end within
    MOST_SECONDS of computing and before the deadlines, as of `one_run`."""

    samples = max(LEAST_SAMPLES, round(PART * setting.duration / setting.interval))
    part = replace(setting, t_end=setting.began + samples * setting.interval, samples=replace(setting.samples, every=1))
    if part.t_end > setting.t_end:
        part = replace(part, t_end=setting.t_end)
    share = part.duration / setting.duration
    value = method.first(ROUGH * setting.accuracy, setting.interval)
    latest = thread_time() + MOST_SECONDS
    found = _pair(part, method, value, deadline, latest if busy_until is None else min(latest, busy_until))
    if found is None:
        return None
    value, runs = found
    coarse, fine = (
        Attempt(method, each, run, float(run.info["processor_seconds"]))
        for each, run in zip((value, value / method.finer), runs, strict=True)
    )
    judge(coarse, fine, setting.asked, setting.lengths)
    wanted = max(coarse.worst, 1e-9) / share  # an error that grows evenly has this share of what is asked by now
    exponent = 1.0 / method.integration_order
    limited = fine.steps < 1.03 * coarse.steps  # by stability: no looser run would take fewer steps
    factor = wanted**exponent
    evaluations = int(runs[1].info.get("evaluations", 0))
    each = fine.seconds / (evaluations + runs[1].time.size) if evaluations else 0.0
    return Took(float(fine.seconds / share * (max(1.0, factor) if limited else factor)), each)


def _pair(
    part: Setting, method: Method, value: float, deadline: float | None, busy_until: float
) -> tuple[float, list[Result]] | None:
    """The first setting that gets through, of those that are less and less coarse, and its two runs."""
    for _ in range(1 if method.controlled else MOST_RETRIES):
        try:
            each = (value, value / method.finer)
            return value, [one_run(part, method, one, deadline, None, value, busy_until=busy_until) for one in each]
        except TimeUpError:
            return None
        except LinkworkError:
            value *= COARSE_AGAIN
    return None
