"""Tighter and tighter tolerances until the estimated global error of a run is what was asked for.

Two runs, the second with a tenth of the first one's tolerance (or half its step): their difference is an estimate of
the first one's error that holds in practice, where the tolerance itself does not. Taken SAFETY times it is the bound
that must meet what was asked; the first of the two is then the result. If it does not, the difference says how much
tighter the next pair has to be. If it does by far, looser runs are tried, each compared with the tighter one, whose
error is known then. The factor is measured: docs/accuracy.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import monotonic, process_time

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import ConvergenceError, RunInterruptedError, WrongResultError
from linkwork.planner.asked import ROUNDING, Wanted
from linkwork.planner.global_error import Apart, Lengths, apart, ratio
from linkwork.planner.methods import MOST_STEPS, TIGHTEST, Method
from linkwork.result import Result
from linkwork.verdict import UNRESOLVED, WRONG

Array = NDArray[np.float64]

SAFETY = 1.8  # times the difference, over the share of an error that it shows: 2.0 for tolerances, 2.4 for order 2
BESIDE_KNOWN = 1.1  # times the difference from a run whose own bound is added
AIM = 0.5  # of what was asked, for the next pair
BOLDEST = 1e-6  # the least factor from one setting to the next
PROGRESS = 0.7  # of a difference: more than that left is no progress
NEXT_TO_LAST = 3.0  # times the tightest tolerance: a pair nearer to it is made with that one
PATIENCE = 2  # pairs without progress before that is the answer
LOOSE_AGAIN, COARSE_AGAIN = 1e-2, 0.25  # times the tolerance, or the step, that was too large for any run
MOST_RETRIES = 6
CLOSE = 0.07  # of what was asked: a bound below it makes a looser run worth trying
AIM_LOOSER = 0.4  # of what was asked, for that
LOOSER_RUNS = 3  # at most
STEEPER = 1.2  # times a method's order: errors are taken to grow so towards settings that were not tried
STEEPEST = 3.0  # times a method's order: errors that are seen to fall faster are taken to fall so
APART, BELOW = 2.0, 0.7  # times a setting that meets what was asked, at least; times one that does not, at most
SAME = 0.05  # of the energy that two runs leave unexplained
TIME_LIMIT = "the time limit has passed"
TOO_LOOSE = "judged wrong at this setting"

# method, setting, deadline, whether it may be the run that is handed over -> run
Simulate = Callable[[Method, float, float | None, bool], Result]


class TimeUpError(Exception):
    """The time limit has passed in the middle of a run. result : what was computed, None without samples."""

    def __init__(self, result: Result | None) -> None:
        super().__init__(TIME_LIMIT)
        self.result = result


class CreepingError(ConvergenceError):
    """A run that takes steps far smaller than its tolerance should need."""

    def __init__(self, mechanism: str, steps: int, time: float, remedy: str | None = None) -> None:
        super().__init__(
            f"mechanism {mechanism!r}: steps become ever smaller, {steps} of them up to t = {time:.4g} s.",
            remedy=remedy,
        )


@dataclass
class Attempt:
    """One run at one setting. compared : with the run after it, by quantity; bound : (n,) of its error, as a multiple
    of what was asked; seen : the largest, without what rounding adds, by which other settings are predicted. factor :
    of the difference, in the bound; known : the setting of the run whose own bound is in it, 0 where there is none."""

    method: Method
    setting: float
    result: Result | None
    seconds: float
    failed: str = ""
    error: Exception | None = None
    compared: tuple[Apart, ...] = ()
    bound: Array = field(default_factory=lambda: np.zeros(0))
    seen: float = float("inf")
    factor: float = 0.0
    known: float = 0.0

    @property
    def worst(self) -> float:
        """The largest bound, as a multiple of what was asked."""
        return float(np.max(self.bound)) if len(self.bound) else float("inf")

    @property
    def steps(self) -> int:
        """That it took."""
        return 0 if self.result is None else int(self.result.info.get("steps", 0))

    def good_for(self) -> int:
        """How many samples, from the start on, stay within what was asked."""
        above = np.flatnonzero(~(self.bound <= 1.0))
        return int(above[0]) if len(above) else len(self.bound)


@dataclass(frozen=True)
class Outcome:
    """Runs of one method. best : the one that is the result. reached : whether it is good enough over the whole span.
    reason : why not. error : what the method could not do, if it could do nothing."""

    attempts: tuple[Attempt, ...]
    best: Attempt | None
    reached: bool
    reason: str = ""
    error: Exception | None = None


def meet(
    method: Method,
    asked: Sequence[Wanted],
    run: Simulate,
    *,
    first: float,
    span: float,
    lengths: Lengths,
    deadline: float | None = None,
    loosest: float = 0.0,
) -> Outcome:
    """Run with tighter and tighter settings until the bound of the error is met, or cannot be.

    first : the setting to begin with. lengths : of the mechanism. deadline : of `time.monotonic`. loosest : the
        setting beyond which no run is looser; below `first`, none that is looser than `first` is tried.
    """
    attempts: list[Attempt] = []
    pairs: list[Attempt] = []
    strikes, retries, setting = 0, 0, first
    while True:
        coarse = _take(attempts, method, setting, run, deadline)
        if coarse.result is None or coarse.failed:
            retries += 1
            again = setting * (LOOSE_AGAIN if method.controlled else COARSE_AGAIN)
            loose = coarse.failed == TOO_LOOSE or (not method.controlled and coarse.failed != TIME_LIMIT)
            if loose and retries <= MOST_RETRIES and not method.exhausted(again / method.finer, span):
                setting = again
                continue
            return _ended(attempts, pairs, coarse)
        tightest = setting <= 1.001 * _last(method, span)  # there is no tighter pair: the finer run may be the answer
        fine = _take(attempts, method, setting / method.finer, run, deadline, last=tightest)
        if fine.result is not None:
            judge(coarse, fine, asked, lengths, pairs[-1] if pairs else None)
        if fine.result is None or fine.failed:
            return _ended(attempts, pairs, fine)
        if coarse.worst <= 1.0:
            if doubted(coarse.result) and not doubted(fine.result):  # as by its energy, which nobody asked for
                fine.compared, fine.bound = coarse.compared, coarse.bound
                return Outcome(tuple(attempts), fine, reached=True)
            above = min(pairs, key=lambda one: one.setting, default=None)
            limit = max(loosest, first) if above is None else above.setting
            best = _looser(method, attempts, coarse, above, limit, asked, run, lengths, deadline)
            return Outcome(tuple(attempts), best, reached=True)
        strikes = strikes + 1 if pairs and not _progress(pairs[-1], coarse) else 0
        pairs.append(coarse)
        wished = _next(method, setting, coarse.worst)
        following = setting / method.finer if wished > setting / method.finer**1.3 else wished
        last = _last(method, span)
        if method.exhausted(following / method.finer, span) or (method.controlled and following < NEXT_TO_LAST * last):
            following = last if last < 0.999 * setting else 0.0
        if not following or strikes >= PATIENCE:
            fine.compared, fine.bound = (
                coarse.compared,
                coarse.bound,
            )  # what is known of the coarser holds for the finer
            return Outcome(tuple(attempts), fine, reached=False, reason="no setting is fine enough")
        setting = following


def _looser(
    method: Method,
    attempts: list[Attempt],
    met: Attempt,
    above: Attempt | None,
    limit: float,
    asked: Sequence[Wanted],
    run: Simulate,
    lengths: Lengths,
    deadline: float | None,
) -> Attempt:
    """The loosest of a few runs that still meets what was asked. above : a run that does not, whose error is known.
    limit : a setting too loose, or the loosest there is.

    Each is compared with the loosest run that met it before, whose own bound is added: that holds however errors depend
    on the setting.
    """
    for _ in range(LOOSER_RUNS):
        setting = min(_wished(method, met, above), limit if above is None else BELOW * limit)
        if met.worst >= CLOSE or setting < APART * met.setting:
            break
        one = _take(attempts, method, setting, run, deadline)
        if one.result is None or one.failed:
            above, limit = None, (setting * met.setting) ** 0.5
            continue
        judge_against_known(one, met, asked, lengths)
        if one.worst > 1.0 or (doubted(one.result) and not alike(one.result, met.result)):
            above, limit = one, setting
            continue
        spared, met = one.steps < met.steps, one
        if not spared:  # what limits steps is something else
            break
    return met


def _wished(method: Method, met: Attempt, above: Attempt | None) -> float:
    """The setting at which the error should be AIM_LOOSER of what was asked, from runs below it and, if any, above."""
    order, error = STEEPER * method.order, max(met.seen, 1e-14)
    if above is not None and np.isfinite(above.seen) and above.seen > error:
        found = float(np.log(above.seen / error) / np.log(above.setting / met.setting))
        order = min(max(found, method.order), STEEPEST * method.order)
    return float(met.setting * (AIM_LOOSER / error) ** (1.0 / order))


def _take(
    attempts: list[Attempt],
    method: Method,
    setting: float,
    run: Simulate,
    deadline: float | None,
    *,
    last: bool = True,
) -> Attempt:
    """The run at a setting, made unless it is the last one that was. last : it may be the one that is handed over."""
    if attempts and attempts[-1].setting == setting and attempts[-1].result is not None:
        return attempts[-1]
    began, failed = process_time(), ""
    result: Result | None = None
    error: Exception | None = None
    try:
        if deadline is not None and monotonic() > deadline:
            raise TimeUpError(None)
        result = run(method, setting, deadline, last)
    except WrongResultError:
        failed = TOO_LOOSE
    except ConvergenceError as stopped:
        failed, result, error = str(stopped), stopped.result, stopped
    except TimeUpError as up:
        failed, result = str(up), up.result
    except RunInterruptedError as stopped:
        _keep_of(attempts, stopped)
        raise
    attempts.append(Attempt(method, setting, result, process_time() - began, failed, error))
    return attempts[-1]


def _keep_of(attempts: Sequence[Attempt], stopped: RunInterruptedError) -> None:
    """Ctrl-C hands over the run that came furthest."""
    whole = [one.result for one in attempts if one.result is not None]
    mine = 0 if stopped.result is None else stopped.result.time.size
    best = max(whole, key=lambda one: one.time.size, default=None)
    if best is not None and best.time.size > mine:
        stopped.result = best


def judge(
    coarse: Attempt, fine: Attempt, asked: Sequence[Wanted], lengths: Lengths, before: Attempt | None = None
) -> None:
    """What the difference of two runs says of the first one's error. before : a coarser one, judged likewise: if errors
    fell by less from it than they should, more is taken to be left in the finer run."""
    assert coarse.result is not None
    assert fine.result is not None
    method, order = coarse.method, None
    differences = apart(coarse.result, fine.result, asked, lengths.extent)
    largest = _largest(differences, asked)
    if before is not None and 0.0 < before.seen < np.inf:
        fell = before.seen / max(SAFETY * largest, 1e-300)
        order = float(np.log(fell) / np.log(before.setting / coarse.setting))
    factor = SAFETY / (1.0 - method.remaining(order))
    coarse.seen, coarse.factor = factor * largest, factor
    coarse.compared = tuple(
        Apart(factor * one.distance + rounding(want, lengths), one.who)
        for one, want in zip(differences, asked, strict=True)
    )
    coarse.bound = ratio(coarse.compared, asked)


def judge_against_known(one: Attempt, known: Attempt, asked: Sequence[Wanted], lengths: Lengths) -> None:
    """What the difference from a run whose error is bounded says of another one's: that bound is added."""
    assert one.result is not None
    assert known.result is not None
    differences = apart(one.result, known.result, asked, lengths.extent)
    one.seen, one.factor, one.known = BESIDE_KNOWN * _largest(differences, asked), BESIDE_KNOWN, known.setting
    one.compared = tuple(
        Apart(BESIDE_KNOWN * found.distance + known.worst * want.bound, found.who)
        for found, want in zip(differences, asked, strict=True)
    )
    one.bound = ratio(one.compared, asked)


def _largest(found: Sequence[Apart], asked: Sequence[Wanted]) -> float:
    """As a multiple of what was asked; infinite for what is no number."""
    largest = max((one.largest / want.bound for one, want in zip(found, asked, strict=True)), default=0.0)
    return largest if np.isfinite(largest) else float("inf")


def doubted(result: Result | None) -> bool:
    """Whether the run itself gives reason not to believe it, or might if samples were closer to each other."""
    return result is not None and (
        result.judgement == WRONG or any(one["kind"] == UNRESOLVED for one in result.info.get("verdicts", ()))
    )


def alike(one: Result | None, other: Result | None) -> bool:
    """Whether both are judged wrong for the same energy: what differs by no more than SAME does not come from the
    tolerance but from samples too far apart to tell the work between them. (Of a mechanism at rest all energy is the
    method's error: the same share of it, but of less and less.)"""
    shares, energies = [], []
    for each in (one, other):
        verdicts = () if each is None else each.info.get("verdicts", ())
        wrong = [verdict for verdict in verdicts if verdict["severity"] == WRONG or verdict["kind"] == UNRESOLVED]
        if each is None or len(wrong) != 1 or wrong[0]["kind"] not in ("energy", UNRESOLVED):
            return False
        shares.append(float(wrong[0]["value"]))
        energies.append(float(np.max(each["kinetic_energy"])))
    return all(abs(a - b) <= SAME * max(a, b) for a, b in (shares, energies))


def same_steps(one: Result, other: Result) -> bool:
    """Whether two runs take as many steps: where no error limits them, a tighter tolerance says nothing of a cause."""
    return bool(one.info["steps"] == other.info["steps"])


def rounding(want: Wanted, lengths: Lengths) -> float:
    """What is added for the rounding that both runs have in common, in the unit of the bound."""
    position = ROUNDING * lengths.length
    poses = max(ROUNDING, position / lengths.extent)
    return {"pose": poses, "angle": ROUNDING, "position": position}.get(want.quantity, 0.0)


def _progress(before: Attempt, now: Attempt) -> bool:
    return now.worst <= PROGRESS * before.worst or now.good_for() > 1.05 * before.good_for()


def _next(method: Method, setting: float, worst: float) -> float:
    """The setting at which the bound should be met."""
    factor = (AIM / worst) ** (1.0 / method.order) if np.isfinite(worst) else BOLDEST
    return setting * max(factor, BOLDEST)


def _last(method: Method, span: float) -> float:
    """The tightest setting that can still be compared with a finer one."""
    return method.finer * (TIGHTEST if method.controlled else span / MOST_STEPS)


def _ended(attempts: list[Attempt], pairs: list[Attempt], stopped: Attempt) -> Outcome:
    """Where a run did not get through: the one before it, if there is one, else what there is of it."""
    error = stopped.error
    whole = [one for one in attempts if one.result is not None and not one.failed]
    if whole:
        best = whole[-1]
        if not len(best.bound) and pairs:
            best.compared, best.bound = pairs[-1].compared, pairs[-1].bound
        return Outcome(tuple(attempts), best, reached=False, reason=stopped.failed, error=error)
    best_part = stopped if stopped.result is not None and stopped.result.time.size else None
    return Outcome(tuple(attempts), best_part, reached=False, reason=stopped.failed, error=error)
