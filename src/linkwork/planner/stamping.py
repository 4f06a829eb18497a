"""A run becomes a result that says what is known of its accuracy: an outcome in words and numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from linkwork.header import BY_NAME
from linkwork.planner.accuracy import Accuracy, Achieved, Trial
from linkwork.planner.asked import Wanted
from linkwork.planner.global_error import Apart
from linkwork.planner.tolerances import SAFETY, TIME_LIMIT, Attempt, Outcome
from linkwork.result import Result
from linkwork.status import NOT_REACHED, TIME_UP

if TYPE_CHECKING:
    from linkwork.planner.one_run import Setting

Array = NDArray[np.float64]
POINTS = 100  # through time that a result keeps, at most
SMALL, LARGE = 1e-13, 1e-2  # multiples of a bound's scale between which growth is looked at
GROWTH = 1e4  # of the error between a tenth of the span and the end: more is a motion that magnifies errors


def stamped(
    outcome: Outcome,
    attempts: Sequence[Attempt],
    setting: Setting,
    time_limit: float | None,
    *,
    few: bool = False,
) -> Result:
    """The best run as a result with its accuracy, `success` False where that is not what was asked.

    attempts : all runs, of all methods that were tried. few : the time limit left no time for all samples.
    """
    best = outcome.best
    assert best is not None
    assert best.result is not None
    result = best.result
    found = accuracy_of(outcome, attempts, setting, time_limit)
    result.header = replace(
        result.header,
        info={**result.header.info, "accuracy": found.to_dict(), "estimated_error": found.error},
    )
    if few:
        kept = f"the time limit of {time_limit:g} s left time for {result.time.size} samples only."
        result.success, result.message, result.status = False, f"{kept} {found.reason}".strip(), TIME_UP
    elif not found.reached and (result.success or not result.completed):
        whole = _whole(best, setting)
        result.success, result.message = False, found.reason
        result.status = NOT_REACHED if whole else TIME_UP if outcome.reason == TIME_LIMIT else result.status
    return result


def stamped_as_cut(result: Result, known: Accuracy, setting: Setting, time_limit: float | None) -> Result:
    """A run that the time limit has cut, whose accuracy is known from runs before it."""
    until = min(known.until, float(result.time[-1])) if result.time.size else setting.began
    kept = f"the accuracy asked for is kept up to t = {until:.6g} s, not beyond"
    why = f"{kept}: the time limit of {time_limit:g} s has passed."
    found = replace(known, reached=False, until=until, reason=why)
    result.header = replace(
        result.header, info={**result.header.info, "accuracy": found.to_dict(), "estimated_error": found.error}
    )
    result.success, result.message, result.status = False, why, TIME_UP
    return result


def accuracy_of(
    outcome: Outcome, attempts: Sequence[Attempt], setting: Setting, time_limit: float | None = None
) -> Accuracy:
    """What is known of the accuracy of the best run."""
    best = outcome.best
    assert best is not None
    assert best.result is not None
    result, n = best.result, len(best.bound)
    time = result.time
    reaches = _whole(best, setting) and n == time.size
    points = _spread(n, min(POINTS, n))
    each = [
        _achieved(result, want, one, points)
        for want, one in zip(setting.asked, best.compared or [None] * len(setting.asked), strict=True)
    ]
    reached = outcome.reached and reaches
    good = best.good_for()
    until = float(time[good - 1]) if good else setting.began
    return Accuracy(
        reached=reached,
        until=until,
        quantities=tuple(each),
        time=tuple(time[points].tolist()),
        how=how(best, n),
        reason="" if reached else reason(outcome, best, until, setting, time_limit),
        trials=tuple(_trial(one) for one in attempts),
    )


def _spread(n: int, most: int) -> NDArray[np.intp]:
    """So many of n numbers, the first and the last among them: a step of one or more apart, so that each is another."""
    found: NDArray[np.intp] = np.rint(np.arange(most) * ((n - 1) / max(most - 1, 1))).astype(np.intp)
    return found


def _whole(best: Attempt, setting: Setting) -> bool:
    """Whether the run has come to its last sample."""
    assert best.result is not None
    time, end = best.result.time, best.method.end(setting.began, setting.t_end)
    return bool(time.size) and bool(time[-1] >= end * (1.0 - 1e-9))


def _achieved(result: Result, want: Wanted, found: Apart | None, points: NDArray[np.intp]) -> Achieved:
    if found is None or not len(found.distance):
        start = float(result.time[0]) if result.time.size else 0.0
        return Achieved(want.quantity, want.unit, want.bound, float("inf"), start, "", False, start, ())
    k = int(np.argmax(found.distance))
    most = np.maximum.accumulate(found.distance)
    above = np.flatnonzero(~(found.distance <= want.bound))
    good = int(above[0]) if len(above) else len(found.distance)
    return Achieved(
        quantity=want.quantity,
        unit=want.unit,
        asked=want.bound,
        error=float(found.distance[k]),
        at=float(result.time[k]),
        who=getattr(result, BY_NAME[want.kind.of])[int(found.who[k])],
        reached=not len(above),
        until=float(result.time[max(good - 1, 0)]),
        through_time=tuple(most[points].tolist()),
    )


def _trial(one: Attempt) -> Trial:
    kind = "rtol" if one.method.controlled else "step"
    share = one.worst if len(one.bound) else None
    return Trial(one.method.label, kind, one.setting, one.steps, one.seconds, share, one.failed)


def how(best: Attempt, n: int) -> str:
    """How the estimate was found."""
    if not n:
        return "no estimate: there was no second run to compare with"
    method = best.method
    factor = best.factor or SAFETY / (1.0 - method.remaining())
    if best.known:
        from_known = f"{factor:.2g} times the difference from a run of {method.label} with rtol {best.known:.2g}"
        return f"estimated as {from_known}, and that run's own bound"
    what = "a tenth of the tolerance" if method.controlled else "half the step"
    setting = f"rtol {best.setting:.2g}" if method.controlled else f"step {best.setting:.3g} s"
    return f"estimated as {factor:.2g} times the difference from a second run of {method.label} ({setting}) with {what}"


def reason(outcome: Outcome, best: Attempt, until: float, setting: Setting, time_limit: float | None) -> str:
    """Why the accuracy was not reached, and from when on."""
    if not len(best.bound):
        if outcome.reason == TIME_LIMIT:
            return f"the time limit of {time_limit:g} s passed before there was an estimate; what was computed is kept."
        return f"there is no estimate: {outcome.reason}"
    kept = f"the accuracy asked for is kept up to t = {until:.6g} s, not beyond"
    if outcome.reason == TIME_LIMIT:
        return f"{kept}: the time limit of {time_limit:g} s has passed."
    if outcome.error is not None:
        return f"{kept}: {outcome.reason}"
    tens = powers_of_ten(best, setting)
    if tens is not None:
        return (
            f"{kept}: neighbouring motions part, tenfold every {tens:.3g} s, so that no tolerance in double precision "
            "follows this motion further to this accuracy."
        )
    return f"{kept}: tighter tolerances do not make it better, rounding limits it."


def powers_of_ten(best: Attempt, setting: Setting) -> float | None:
    """Seconds in which the error grows tenfold, where it does so all along; None where it does not."""
    assert best.result is not None
    most = np.maximum.accumulate(np.nan_to_num(best.bound, nan=np.inf))
    time = best.result.time[: len(most)]
    top = min(float(most[-1]), LARGE / setting.accuracy)
    seen = np.flatnonzero((most > 0.0) & (most <= top))
    if len(seen) < 10:
        return None
    first = seen[max(1, len(seen) // 10)]
    last = seen[-1]
    grown = most[last] / max(most[first], 1e-300)
    if not np.isfinite(grown) or grown < GROWTH or last <= first:
        return None
    return float((time[last] - time[first]) / np.log10(grown))
