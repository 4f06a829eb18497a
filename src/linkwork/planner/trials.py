"""Trying pairs on a part of the span, and choosing by what they took."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from linkwork.errors import LinkworkError
from linkwork.planner import wisdom
from linkwork.planner.candidates import COUNTED, Candidate, tried
from linkwork.planner.methods import Method
from linkwork.planner.one_run import Setting, one_run
from linkwork.planner.tolerances import COARSE_AGAIN, MOST_RETRIES, Attempt, TimeUpError, judge
from linkwork.result import Result

if TYPE_CHECKING:
    from linkwork.planner.plan import Plan

PART = 0.05  # of the span
LEAST_SAMPLES = 4
MEASURED = 4  # pairs tried with effort "measure"; of a stiff mechanism at least one of them implicit
MOST_SECONDS = 1.0  # a trial, compiling left out
ROUGH = 30.0  # times the accuracy: trials run looser, and what that took is extrapolated


def measured(plan: Plan, deadline: float | None) -> None:
    """Order what is considered by trials on the first part of the span, and keep what they taught."""
    able = [one for one in plan.considered if not one.refusal]
    some = able if plan.effort == "patient" else promising(able, stiff=plan.traits.stiff)
    found: list[Candidate] = []
    for one in some:
        if deadline is not None and monotonic() > deadline and found:
            plan.remarks.append("the time limit left no room to try more pairs")
            break
        took = trial(plan.setting, one.method)
        if took is not None:
            found.append(tried(one, took.seconds))
            name, mechanism = one.method.formulation.name, plan.setting.mechanism
            if one.known == COUNTED and took.evaluation > 0.0 and plan.effort != "estimate":
                wisdom.learn_speed(mechanism, name, one.operations, 1e9 * took.evaluation / one.operations)
    timed = sorted(found, key=lambda one: one.cost)
    names = {id(one.method) for one in timed}
    plan.considered[:] = [*timed, *(one for one in plan.considered if id(one.method) not in names)]
    if not timed:
        plan.remarks.append("no trial came to an end; the order is predicted")
    if plan.effort != "estimate":
        wisdom.export()


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


def trial(setting: Setting, method: Method) -> Took | None:
    """What the whole run should take, from two runs on a part of it; None where they do not come to an end."""

    samples = max(LEAST_SAMPLES, round(PART * setting.duration / setting.interval))
    part = replace(setting, t_end=setting.began + samples * setting.interval, samples=replace(setting.samples, every=1))
    if part.t_end > setting.t_end:
        part = replace(part, t_end=setting.t_end)
    share = part.duration / setting.duration
    value = method.first(ROUGH * setting.accuracy, setting.interval)
    short = replace(part, t_end=part.began + min(1e-6, 1e-3 * part.interval), interval=min(1e-6, 1e-3 * part.interval))
    with suppress(LinkworkError, TimeUpError):
        one_run(short, method, 1e-3 if method.controlled else short.interval, None, None)  # compiles
    found = _pair(part, method, value, monotonic() + MOST_SECONDS)
    if found is None:
        return None
    value, runs = found
    coarse, fine = (
        Attempt(method, each, run, float(run.info["processor_seconds"]))
        for each, run in zip((value, value / method.finer), runs, strict=True)
    )
    judge(coarse, fine, setting.asked, setting.length)
    wanted = max(coarse.worst, 1e-9) / share  # an error that grows evenly has this share of what is asked by now
    exponent = 1.0 / method.integration_order
    limited = fine.steps < 1.03 * coarse.steps  # by stability: no looser run would take fewer steps
    factor = wanted**exponent
    evaluations = int(runs[1].info.get("evaluations", 0))
    each = fine.seconds / (evaluations + runs[1].time.size) if evaluations else 0.0
    return Took(float(fine.seconds / share * (max(1.0, factor) if limited else factor)), each)


def _pair(part: Setting, method: Method, value: float, deadline: float) -> tuple[float, list[Result]] | None:
    """The first setting that gets through, of those that are less and less coarse, and its two runs."""
    for _ in range(1 if method.controlled else MOST_RETRIES):
        try:
            return value, [one_run(part, method, each, deadline, None, value) for each in (value, value / method.finer)]
        except TimeUpError:
            return None
        except LinkworkError:
            value *= COARSE_AGAIN
    return None
