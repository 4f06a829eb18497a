"""A plan: what a mechanism is, who can run it to the accuracy asked for, what was chosen and why; and its run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, Any, Literal

from linkwork.arguments import function, positive_number
from linkwork.attached import attached
from linkwork.errors import LinkworkError, LockUpError, RunInterruptedError, UsageError
from linkwork.formulations.contract import Formulation
from linkwork.integrators.contract import Integrator
from linkwork.mechanism import Mechanism
from linkwork.mechanism.kept import kept as kept_with
from linkwork.one_thread import one_blas_thread
from linkwork.planner import wisdom
from linkwork.planner.asked import USUAL, beyond
from linkwork.planner.candidates import (
    Candidate,
    Considered,
    admitted,
    all_refused,
    candidates,
    explicit_ones,
    implicit_ones,
    methods_for,
)
from linkwork.planner.closer_samples import Cleared
from linkwork.planner.files import save_plan
from linkwork.planner.given_options import recorded, with_options
from linkwork.planner.handing_over import CLEARED, HandedOver, nothing, saved
from linkwork.planner.known import Found, Known, keep, key_of, taken
from linkwork.planner.methods import Method
from linkwork.planner.one_run import Setting, one_run
from linkwork.planner.passed_over import NOT_LOOKED_AT, with_shorter_steps
from linkwork.planner.pilots import Pilots, most_steps, worthwhile
from linkwork.planner.repeating import call_in_plain_data, with_call
from linkwork.planner.setting import setting_of
from linkwork.planner.tolerances import Outcome, TimeUpError, meet
from linkwork.planner.traits import Traits, traits_of
from linkwork.planner.trials import measured
from linkwork.result import Result
from linkwork.run.recording import check_output
from linkwork.run.samples import Samples
from linkwork.run.session import Progress
from linkwork.shown import Shown

if TYPE_CHECKING:
    from os import PathLike

    from linkwork.analysis.state import State

Effort = Literal["estimate", "measure", "patient"]
EFFORTS = ("estimate", "measure", "patient")
MOST_TRIES = 4  # methods that begin and do not get there before that is the answer
SHORT = 1e-3  # s: a time limit that has passed
CAREFUL = 0.3  # times the tolerance that met such an accuracy before: errors do not follow tolerances to the letter


@dataclass(repr=False)
class Plan(Shown):
    """How a run meets an accuracy; print it to read why. Made by `linkwork.plan`.

    setting : what it is for. traits : what the mechanism is. candidates : pairs, the chosen one first, each with what
    it is predicted to cost, or why it cannot; `considered` lists all. effort : how it was made. seconds : of planning.
    asked : the call, if it is plain data.
    """

    setting: Setting
    traits: Traits
    candidates: Considered
    effort: str = "estimate"
    time_limit: float | None = None
    seconds: float = 0.0
    remarks: list[str] = field(default_factory=list)
    first: float | None = None  # setting to begin with, where wisdom has one
    asked: dict[str, Any] | None = None  # the call in plain data, with which `resume` repeats it
    known: list[Known] = field(default_factory=list, repr=False)  # what equal calls before taught

    @property
    def considered(self) -> list[Candidate]:
        """All pairs."""
        return self.candidates.all

    @property
    def chosen(self) -> Candidate:
        """The first that can run it."""
        return self.candidates.first

    @property
    def refusal(self) -> LinkworkError | None:
        """Why no method can run it; None where one can."""
        return all_refused(self.setting.mechanism.name, self.considered) if self.chosen.refusal else None

    def to_dict(self) -> dict[str, Any]:
        """Plain data; no formulation and integrator where none can run it."""
        chosen = None if self.chosen.refusal else self.chosen.method
        return {
            "mechanism": self.setting.mechanism.name,
            "t_end": self.setting.t_end,
            "step": self.setting.interval,
            "accuracy": [{"quantity": o.quantity, "bound": o.bound, "of": list(o.who)} for o in self.setting.asked],
            "effort": self.effort,
            "time_limit": self.time_limit,
            "traits": self.traits.to_dict(),
            "formulation": chosen and chosen.formulation.name,
            "integrator": chosen and chosen.integrator.name,
            "considered": [one.to_dict() for one in self.considered],
            "remarks": list(self.remarks),
        }

    def save(self, path: str | PathLike[str], *, force: bool = False) -> None:
        """Write it as YAML (or JSON, by the ending): what was found, considered and chosen, the call and the mechanism,
        so that `linkwork.load_plan` and ``linkwork run --plan`` can carry it out."""
        save_plan(self, path, force=force)

    def told(self) -> str:
        """For what, and what was chosen."""
        chosen = "nothing can run it" if self.refusal else self.chosen.method.label
        return f"for {self.setting.mechanism.name!r}, {self.setting.began:g} to {self.setting.t_end:g} s: {chosen}"

    def __str__(self) -> str:
        asked = "; ".join(map(str, self.setting.asked))
        lines = [
            f"plan for {self.setting.mechanism.name}, {self.setting.began:g} to {self.setting.t_end:g} s",
            f"accuracy: {asked}",
            f"the mechanism: {self.traits}",
            *self._said_of_candidates(),
            *self.remarks,
        ]
        return "\n".join(lines)

    def _said_of_candidates(self) -> list[str]:
        if refusal := self.refusal:
            return [refusal.message]
        return [
            f"chosen ({self.effort}): {self.chosen.method.label}",
            "considered, the cheapest first:",
            *(f"  {one}" for one in self.considered),
        ]

    def run(self, *, verify: bool | float = False, progress: Progress | None = None) -> Result:
        """Carry it out: runs at tighter and tighter tolerances until the estimated error is met.

        The result's `accuracy` says what was reached. Where it was not, `success` is False and `message` says why and
        from when on; nothing is raised for that, and what was computed is kept. Raises what `linkwork.simulate` raises
        where no method gets through.
        """
        function("progress", progress)
        setting, deadline = self.setting, None if self.time_limit is None else monotonic() + self.time_limit
        check_output(setting.samples.out, force=setting.samples.force)
        known = taken(self.known)
        if known is not None:
            runs = HandedOver(setting, known.found, known.attempts, self.time_limit)
            again = Pilots(setting, runs.chosen.method, known.first, held=known.held)
            result, _ = runs.made(again, deadline, progress, known.value, known.cleared)
            self.known.append(known)
            return _verified(result, verify)
        best, found_by, outcomes = None, None, list[Outcome]()
        for candidate in self._in_turn():
            if outcomes and deadline is not None and monotonic() > deadline:
                break
            try:
                found, pilots = self._meet(candidate, deadline, progress)
            except RunInterruptedError as stopped:
                if stopped.result is not None and stopped.result.time.size:
                    saved(with_call(stopped.result, self.asked), setting)
                raise
            outcomes.append(found)
            if best is None or _better(found, best):
                best, found_by = found, pilots
            ended = isinstance(found.error, LockUpError)  # no pair gets further
            if found.reached or ended or (found.best is not None and found.error is None):
                break
        assert best is not None
        if best.best is None:
            raise next((one.error for one in outcomes if one.error is not None), None) or nothing(self.time_limit)
        if self.effort != "estimate":
            self._learn(best)
        attempts = [one for each in outcomes for one in each.attempts]
        runs = HandedOver(setting, best, attempts, self.time_limit)
        if found_by is None:
            return _verified(runs.kept(), verify)
        result, value = runs.made(found_by, deadline, progress)
        try:
            closer = with_shorter_steps(setting, best.best.method, value, found_by.first, result, deadline, progress)
        except TimeUpError:
            closer = None
            result.messages = (*result.messages, NOT_LOOKED_AT)
        if closer is not None:
            left = None if deadline is None else max(deadline - monotonic(), SHORT)
            return replace(self, setting=closer, time_limit=left, known=[]).run(verify=verify, progress=progress)
        if best.best.method.controlled and best.best.method.explicit:
            cleared = None
            if CLEARED in result.info:
                cleared = Cleared(**result.info[CLEARED], work=result["work"])
            keep(self.known, Known(best, tuple(attempts), found_by.first, value, found_by.held, cleared))
        return _verified(result, verify)

    def _in_turn(self) -> Iterator[Candidate]:
        """Who is tried until one gets through: the cheapest, and further ones of other formulations before its sisters,
        one of them implicit."""
        chosen = self.chosen
        if chosen.refusal:
            raise all_refused(self.setting.mechanism.name, self.considered)
        yield chosen
        able = [one for one in self.considered if not one.refusal]
        cheapest: dict[str, Candidate] = {}
        for one in able:
            cheapest.setdefault(one.method.formulation.name, one)
        implicit = [one for one in able if not one.method.explicit]
        ordered = [*list(cheapest.values())[: MOST_TRIES - 1], *implicit[:1], *able]
        yield from list({id(one): one for one in ordered}.values())[1:MOST_TRIES]

    def _meet(
        self, candidate: Candidate, deadline: float | None, progress: Progress | None
    ) -> tuple[Outcome, Pilots | None]:
        """What the pair comes to, and its pilot runs; None where whole runs are made from the beginning."""
        setting, method = self.setting, candidate.method
        radians = 0.0 if self.traits.drivers else self.traits.slowest * setting.duration  # drivers hold the phase
        limited = setting.size.limited(method, self.traits)
        first = method.first(setting.accuracy, setting.interval * setting.samples.every, radians, limited=limited)
        learnt = wisdom.known(setting.mechanism).get("tolerances", {}).get(wisdom.name_of(method))
        if learnt and method.controlled:
            first = min(max(CAREFUL * learnt * setting.accuracy, 1e-12), 1e-2)
        pilots = Pilots(setting, method, first, candidate.steps) if worthwhile(setting, method) else None
        alone = self.candidates.alone

        def run(method: Method, value: float, until: float | None, last: bool) -> Result:
            if pilots is not None:
                return pilots.run(value, until, progress, patient=alone, last=last)
            return one_run(
                setting, method, value, until, progress, first, most_steps=most_steps(candidate.steps), patient=True
            )

        found = meet(
            method,
            setting.asked,
            run,
            first=first,
            span=setting.duration,
            lengths=setting.lengths,
            deadline=deadline,
            loosest=method.loosest(first),
        )
        return found, pilots

    def _learn(self, outcome: Outcome) -> None:
        """Keep what this run taught: tolerance per accuracy."""
        best = outcome.best
        if best is None or not len(best.bound) or not outcome.reached or best.worst <= 0.0:
            return
        wisdom.learn_tolerance(self.setting.mechanism, best, self.setting.accuracy)
        if (remark := wisdom.exported()) and remark not in self.remarks:
            self.remarks.append(remark)


def _verified(result: Result, verify: bool | float) -> Result:
    """The same, with a certificate of an independent formulation where it is asked for."""
    if verify:
        attached("verify")(result, **({} if isinstance(verify, bool) else {"digits": verify}))
    return result


def _better(one: Outcome, other: Outcome) -> bool:
    """Whether one came closer to what was asked."""
    if one.reached != other.reached:
        return one.reached
    if one.best is None or other.best is None:
        return one.best is not None
    a, b = one.best.good_for(), other.best.good_for()
    return a > b or (a == b and one.best.worst < other.best.worst)


def plan(
    mech: Mechanism,
    t_end: float | None = None,
    step: float | None = None,
    formulation: str | Formulation | None = None,
    integrator: str | Integrator[Any] | None = None,
    *,
    accuracy: Any = USUAL,
    effort: Effort = "estimate",
    time_limit: float | None = None,
    state: State | Mapping[str, Any] | None = None,
    samples: Samples | None = None,
    limits: Mapping[str, float] | None = None,
    **options: Any,
) -> Plan:
    """How to simulate a mechanism so that its global error stays within an accuracy, and why so.

    Parameters
    ----------
    mech, t_end, state, samples, limits : as of `linkwork.simulate`.
    step : seconds between samples; without one a thousand samples, at whole steps of the mechanism's own.
    formulation, integrator : to be kept to; chosen if left out.
    accuracy : global error of poses over the whole span, distances as shares of the mechanism's length and angles in
        rad; or a mapping from quantity to bound, with units, of all or of named bodies and joints:
        ``{"position": "1e-6 m", "reaction": {"crank pivot": "1e-3 N"}}``.
    effort : ``estimate`` predicts, ``measure`` tries the most promising pairs on a part of the span, for a tenth of the
        predicted run at most, ``patient`` all of them, for as long as that takes; the latter two keep what they learnt
        (`linkwork.planner.wisdom`). With a time limit, trials take at most a tenth of it.
    time_limit : seconds that the runs may take together; what was computed by then is kept.
    **options : of samples and of the start (``every``, ``out``, ``force``, ``accept_drivers``, ``accept_changes``).

    Raises UsageError for what cannot be asked; ModelError and its kin as `linkwork.simulate` does.
    """
    began = perf_counter()
    if effort not in EFFORTS:
        raise UsageError(f"there is no effort {effort!r}.", remedy=f"Known: {', '.join(EFFORTS)}.")
    limit = None if time_limit is None else positive_number("time_limit", time_limit, "seconds")
    others, kept, accepted = recorded(options, Samples.of(samples))
    left_open = formulation is None and integrator is None and not others
    methods = list(explicit_ones()) if left_open else methods_for(formulation, integrator)
    if others:
        methods = with_options(methods, others, chosen=formulation is None, found=integrator is None)
    setting, compiled = setting_of(mech, t_end, step, accuracy, state, kept, accepted, limits)
    asked = call_in_plain_data(setting, accuracy, formulation, integrator, others, effort, time_limit)
    learnt = wisdom.known(mech)

    @one_blas_thread()
    def consider() -> Found:
        traits = traits_of(compiled, setting.began)

        def predicted(methods: list[Method]) -> list[Candidate]:
            return candidates(methods, traits, learnt, setting.size)

        further = (lambda: predicted(implicit_ones())) if left_open else None
        considered = Considered(predicted(methods), lambda one: admitted(one, compiled), further)
        made = Plan(setting, traits, considered, effort, limit)
        if why := wisdom.unused():
            made.remarks.append(f"{wisdom.path()} is not used: {why}; effort 'measure' or 'patient' writes it anew")
        if effort != "estimate" or (traits.stiff and len(methods) > 1):
            measured(made, compiled)
        return Found(traits, considered, tuple(made.remarks), made.known)

    key = key_of(
        asked, learnt, effort, plain=all(one is None or isinstance(one, str) for one in (formulation, integrator))
    )
    found = consider() if key is None else kept_with(mech, key, consider)
    lasting = found.considered.copy(), [*beyond(setting.asked, setting.lengths.extent), *found.remarks]
    return Plan(
        setting, found.traits, lasting[0], effort, limit, perf_counter() - began, lasting[1], None, asked, found.known
    )
