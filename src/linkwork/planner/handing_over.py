"""The run that a plan hands over, once it is known how large its error is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import ConvergenceError, WrongResultError
from linkwork.header import Variable
from linkwork.judgement.limits import Limits
from linkwork.planner.accuracy import Accuracy
from linkwork.planner.closer_samples import ENOUGH, OF_ENERGY, Cleared, judged_closely, of_energy
from linkwork.planner.methods import Method
from linkwork.planner.one_run import Setting, one_run
from linkwork.planner.pilots import Pilots
from linkwork.planner.stamping import accuracy_of, stamped, stamped_as_cut
from linkwork.planner.tolerances import Attempt, Outcome, TimeUpError, alike, doubted, same_steps
from linkwork.result import Result
from linkwork.run.samples import Samples
from linkwork.run.session import Progress
from linkwork.run.simulate import Call
from linkwork.status import NOT_REACHED, TIME_UP
from linkwork.verdict import WRONG, Verdict, worst

Array = NDArray[np.float64]
CLEARED = "energy_judged"  # of the info: samples that cleared the energy of a doubt, and what is unexplained there
WORK = Variable(("time",), "J", "work of drivers, loads, actuators and dampers since the start, by closer samples")
TIGHTER = 6  # runs that are judged wrong before that is the answer


@dataclass(frozen=True)
class HandedOver:
    """What becomes of runs. found : of the pair that got there, or came closest; attempts : all that were made."""

    setting: Setting
    found: Outcome
    attempts: Sequence[Attempt]
    time_limit: float | None

    @property
    def chosen(self) -> Attempt:
        """The run whose error is known."""
        assert self.found.best is not None
        return self.found.best

    def kept(self, *, few: bool = False) -> Result:
        """The run itself. few : the time limit left no time for all samples."""
        result = stamped(self.found, self.attempts, self.setting, self.time_limit, few=few)
        return saved(self._fairly_judged(result), self.setting)

    def made(
        self,
        pilots: Pilots,
        deadline: float | None,
        progress: Progress | None,
        begin: float | None = None,
        cleared: Cleared | None = None,
    ) -> tuple[Result, float]:
        """The run with all samples, at the setting of the pilot run that is good enough, and its setting. begin,
        cleared : what that setting was of an equal call, and the energy balance that cleared it of a doubt.

        Where it is judged wrong, as by its energy, which nobody asked for, a tighter one takes its place, unless that
        is judged wrong in the same way, though it took other steps. Then more samples may judge it better.
        """
        setting, method = self.setting, self.chosen.method
        told = accuracy_of(self.found, self.attempts, setting, self.time_limit)
        planned = {"accuracy": told.to_dict(), "estimated_error": told.error}
        start = pilots.started if method.controlled else _not_started
        value, out, best = begin or self.chosen.setting, setting.samples, None
        for tries in range(TIGHTER + 1):
            last = tries == TIGHTER or method.exhausted(value / method.finer, setting.duration)
            where = out if best is None else None  # what takes another one's place is written when that is known
            try:
                result = one_run(
                    setting, method, value, deadline, progress, pilots.first, planned, where, start,
                    known=pilots.call(value),
                )  # fmt: skip
            except (TimeUpError, ConvergenceError) as stopped:
                if best is not None:
                    break
                if isinstance(stopped, TimeUpError):
                    return self._cut_short(stopped.result, told), value
                if last or not isinstance(stopped, WrongResultError):
                    raise
                out = replace(out, force=out.out is not None)
            else:
                if best is not None and alike(best.result, result) and not same_steps(best.result, result):
                    break
                best = _Made(result, value, written=best is None)
                if last or not doubted(result):
                    break
            value /= method.finer
        assert best is not None
        judged = self._fairly_judged(best.result, best.value, pilots.first, deadline, cleared)
        written = judged is best.result and best.written
        return judged if written else saved(judged, setting, force=True), best.value

    def _cut_short(self, result: Result | None, told: Accuracy) -> Result:
        """What there is when the time limit passes: the part with all samples, if it is not less than the pilot run."""
        assert self.chosen.result is not None
        if result is None or result.time.size < self.chosen.result.time.size:
            return self.kept(few=True)
        return stamped_as_cut(result, told, self.setting, self.time_limit)

    def _fairly_judged(
        self,
        result: Result,
        value: float | None = None,
        first: float | None = None,
        deadline: float | None = None,
        cleared: Cleared | None = None,
    ) -> Result:
        """The same; where samples are so far apart that the work between them is not told, with the verdict on more.
        cleared : the energy balance that cleared this very run of a doubt before; None where that is not known."""
        if not of_energy(result) or result.time.size < 2 or not result.completed:
            return result
        if cleared:
            return self._cleared(result, cleared)
        try:
            judge = self._judge(result, value or self.chosen.setting, first, deadline)
        except (TimeUpError, ConvergenceError):
            return result
        if judge is None or (judge.judgement == WRONG and result.judgement == WRONG):
            return result
        if not of_energy(judge):
            return self._cleared(result, Cleared.of(result, judge))
        return self._with_verdicts(result, judge.verdicts, judge.status)

    def _cleared(self, result: Result, balance: Cleared) -> Result:
        """Without verdicts about energy, which closer samples have cleared."""
        found = [one for one in result.verdicts if one.kind not in OF_ENERGY]
        closer = f"{balance.samples} samples, closer to each other than those recorded"
        remark = f"the energy balance was judged on {closer}."
        made = self._with_verdicts(result, found, result.status, balance)
        made.messages = (*made.messages, remark)
        return made

    def _with_verdicts(
        self, result: Result, found: Sequence[Verdict], failed: int, balance: Cleared | None = None
    ) -> Result:
        """With other verdicts. failed : the status, where one says that it is wrong. balance : of the energy, where
        closer samples told it."""
        reached = accuracy_of(self.found, self.attempts, self.setting, self.time_limit)
        success, message, status = reached.reached, reached.reason, 0 if reached.reached else NOT_REACHED
        if not result.success and (result.judgement != WRONG or result.status == TIME_UP):
            success, message, status = False, result.message, result.status  # of time, not of energy
        if wrong := [one for one in found if one.severity == WRONG]:
            success, message, status = False, str(wrong[0]), failed
        told: dict[str, Any] = {"judgement": worst(found), "verdicts": [one.to_dict() for one in found]}
        arrays, extras = {name: result[name] for name in result.variables}, dict(result.header.extras)
        if balance is not None:
            told[CLEARED] = {"samples": balance.samples, "unexplained": balance.unexplained}
            arrays["work"], extras["work"] = balance.work, WORK
        return Result(
            replace(result.header, info={**result.header.info, **told}, extras=extras),
            arrays,
            success=success,
            message=message,
            status=status,
            messages=result.messages,
        )

    def _judge(self, result: Result, value: float, first: float | None, deadline: float | None) -> Result | None:
        """The same motion with more samples; None where there is nothing to gain by them."""
        setting, method, n = self.setting, self.chosen.method, result.time.size
        if method.controlled:

            def sampled(times: Array) -> Result:
                at = tuple(np.clip(times - setting.began, 0.0, setting.duration).tolist())
                chosen = Method(method.formulation, method.integrator.with_options(rtol=value, t_eval=at))
                return one_run(replace(setting, samples=Samples()), chosen, value, deadline, None, first)

            found = judged_closely(result, sampled, Limits.of(setting.limits).energy)
            if found is not None:
                return found
        if not doubted(result) or n >= ENOUGH:
            return None
        interval = setting.interval * setting.samples.every / math.ceil(ENOUGH / n)
        more = replace(setting, interval=interval, samples=Samples())
        return one_run(more, method.with_times(ENOUGH), value, deadline, None, first)


class _Made(NamedTuple):
    """A run with all samples, its setting, and whether it is in the file that was asked for, if any."""

    result: Result
    value: float
    written: bool


def saved(result: Result, setting: Setting, *, force: bool = False) -> Result:
    """The same, written where the call says."""
    out = setting.samples.out
    if out is not None:
        result.save(out, force=force or setting.samples.force)
        result.path = str(out) if str(out).lower().endswith(".nc") else None
    return result


def nothing(limit: float | None) -> ConvergenceError:
    """What is raised where the time limit left room for no run."""
    return ConvergenceError(
        f"the time limit of {limit:g} s passed before anything was computed.", remedy="Allow more time (time_limit)."
    )


def _not_started(call: Call) -> None:
    """No run is kept."""
