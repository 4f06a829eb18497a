"""From a study to its runs: which pairs, at which steps and tolerances, and at which times they are compared."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from linkwork.attached import attached
from linkwork.errors import UsageError
from linkwork.formulations import FORMULATIONS
from linkwork.header import near_names
from linkwork.integrators import INTEGRATORS
from linkwork.mechanism import Mechanism
from linkwork.problems.shapes import EXPLICIT, MOMENTA
from linkwork.run.matching import fitting
from linkwork.studies.comparison.case import Case, Setting
from linkwork.studies.comparison.study import ALL, SUITABLE, Run, Study
from linkwork.studies.independence import order_of, same_as

STEPS = (4, 2, 1)  # times the mechanism's own step, where a study says nothing
TOLERANCES = (1e-4, 1e-7, 1e-10)  # likewise
MOST = 2  # order of implicit methods that take steps as they are given; those of higher order want smaller ones
USUAL_STEPS = 1000  # in a run, for a mechanism without a step of its own


@dataclass(frozen=True)
class Plan:
    """What is to be run. notes : what people should know of the choice."""

    setting: Setting
    cases: tuple[Case, ...]
    notes: tuple[str, ...] = ()


def plan_of(study: Study, mech: Mechanism) -> Plan:
    """The runs of a study of this mechanism. Raises UsageError where there is nothing to run."""
    t_end = study.t_end or mech.run.t_end
    if t_end is None:
        raise UsageError("t_end is not given, and the mechanism has no hint for it.")
    steps, rtols = ladder(study, mech, t_end)
    cases = [*_grid(study, steps, rtols), *(_single(run, study) for run in study.runs)]
    every = [_with_options(case, study) for case in cases]
    cases, twins = without_twins(every)
    _known(study)
    cases += planned(study)
    if not cases:
        raise UsageError(
            "the study has no run: no chosen integrator fits a chosen formulation at the steps or tolerances given.",
            remedy="`linkwork formulations` lists what fits; tolerances need an integrator that controls its error.",
        )
    interval, notes = sampling(t_end, [case.step for case in cases if case.step is not None], study.samples)
    model = json.dumps(mech.to_dict(), sort_keys=True)
    notes += [*left_out(study, every), *twins]
    return Plan(Setting(model, t_end, interval, study.accept_drivers, study.accept_changes), _once(cases), tuple(notes))


def without_twins(cases: Sequence[Case]) -> tuple[list[Case], list[str]]:
    """Cases without those that are another one of them under a second name, and a note on each such name."""
    there = {_key(case) for case in cases}
    kept = [case for case in cases if _key(case, same_as(case.formulation)) not in there]
    gone = {case.formulation for case in cases} - {case.formulation for case in kept}
    return kept, [f"{name} is {same_as(name)} under another name, bit for bit: not run a second time" for name in gone]


def _key(case: Case, formulation: str | None = None) -> str:
    """What a case is, or would be with another formulation; whoever asked for it."""
    said = {**case.to_dict(), "wanted": None} | ({} if formulation is None else {"formulation": formulation})
    return json.dumps(said, sort_keys=True, default=str)


def ladder(study: Study, mech: Mechanism, t_end: float) -> tuple[Sequence[float], Sequence[float]]:
    """Steps [s] and tolerances of a study, coarse to fine: as said, or the usual ones where it says neither."""
    if study.steps is None and study.rtol is None:
        step = mech.run.step or t_end / USUAL_STEPS
        return [k * step for k in STEPS if k * step <= t_end], TOLERANCES
    return sorted(study.steps or (), reverse=True), sorted(study.rtol or (), reverse=True)


def planned(study: Study) -> list[Case]:
    """The planned runs of a study, from loose to tight. Raises UsageError for an accuracy that cannot be asked for."""
    for accuracy in study.accuracy or ():
        attached("Study.accuracy")(accuracy)
    return [Case.planned(accuracy) for accuracy in sorted(study.accuracy or (), reverse=True)]


def suitable(formulation: str) -> list[str]:
    """Of each problem shape, the first integrator that fits (the usual one), and the one of highest order.

    Methods in momenta are left out: they are for energy over long times, and take constraints on positions alone.
    So are implicit methods of higher order: at a step that is given they ask for smaller ones.
    """
    found: list[str] = []
    names = fitting(formulation)
    for shape in FORMULATIONS.load(formulation).shapes:
        if shape == MOMENTA:
            continue
        methods = {name: INTEGRATORS.load(name) for name in names}
        of_shape = [
            name
            for name, method in methods.items()
            if method.shape == shape and (shape == EXPLICIT or order_of(name) <= MOST)
        ]
        if of_shape:
            found += [of_shape[0], max(of_shape, key=order_of)]
    return sorted(set(found), key=names.index)


def left_out(study: Study, cases: Iterable[Case]) -> list[str]:
    """Formulations that were named and have no run, in words."""
    if study.formulations in (None, ALL):
        return []
    there = {case.formulation for case in cases}
    return [
        f"{name} has no run: no chosen integrator fits it at the steps or tolerances given"
        for name in study.formulations
        if name not in there
    ]


def _known(study: Study) -> None:
    """Raises UsageError for an option that no formulation and no integrator has."""
    owners = [*(FORMULATIONS.load(name) for name in FORMULATIONS), *(INTEGRATORS.load(name) for name in INTEGRATORS)]
    known = sorted({option for owner in owners for option in owner.options})
    for name in study.options:
        if name not in known:
            raise UsageError(
                f"no formulation and no integrator has the option {name!r}.", remedy=near_names(name, known)
            )


def _grid(study: Study, steps: Sequence[float], rtols: Sequence[float]) -> Iterable[Case]:
    chosen = study.formulations or (() if study.runs or study.accuracy else ALL)
    named = chosen != ALL
    for formulation in FORMULATIONS if not named else chosen:
        for integrator in _integrators(formulation, study.integrators):
            for step in steps:
                yield Case(formulation, integrator, step=step, wanted=named)
            if "rtol" in INTEGRATORS.load(integrator).options:
                for rtol in rtols:
                    yield Case(formulation, integrator, rtol=rtol, atol=study.atol, wanted=named)


def _integrators(formulation: str, wanted: str | tuple[str, ...]) -> list[str]:
    if wanted == SUITABLE:
        return suitable(formulation)
    return [name for name in fitting(formulation) if wanted == ALL or name in wanted]


def _single(run: Run, study: Study) -> Case:
    if run.step is None and run.rtol is None:
        raise UsageError(f"a run of {run.formulation} has neither a step nor a tolerance.")
    if run.step is not None and run.rtol is not None:
        raise UsageError(f"a run of {run.formulation} has a step and a tolerance; one of them decides.")
    integrator = run.integrator or fitting(run.formulation)[0]
    atol = None if run.rtol is None else run.atol or study.atol
    return Case(run.formulation, integrator, run.step, run.rtol, atol, dict(run.options), wanted=True)


def _once(cases: Iterable[Case]) -> tuple[Case, ...]:
    """Cases in order, none twice."""
    return tuple({json.dumps(case.to_dict(), sort_keys=True, default=str): case for case in cases}.values())


def _with_options(case: Case, study: Study) -> Case:
    """The case with those of the study's options that its formulation or integrator has, its own before them."""
    chosen, method = FORMULATIONS.load(case.formulation), INTEGRATORS.load(case.integrator)
    shared = {name: value for name, value in study.options.items() if name in (*chosen.options, *method.options)}
    return case.with_options(**{**shared, **case.options})


def sampling(t_end: float, steps: Sequence[float], samples: int) -> tuple[float, list[str]]:
    """The distance of the times at which runs are compared [s], a multiple of every step, and notes.

    Raises UsageError for steps that have no common multiple within the span.
    """
    if not steps:
        return t_end / samples, []
    parts = [Fraction(f"{step:.12g}") for step in steps]
    if any(part == 0 for part in parts):
        raise UsageError("a step is too small.")
    scale = math.lcm(*(part.denominator for part in parts))
    unit = Fraction(math.lcm(*(int(part * scale) for part in parts)), scale)
    count = math.floor(float(Fraction(f"{t_end:.12g}") / unit) + 1e-9)
    if count < 1 and len(set(parts)) == 1:
        raise UsageError(f"the step, {steps[0]:g} s, is longer than the run, {t_end:g} s.")
    if count < 1:
        raise UsageError(
            f"the steps {', '.join(f'{step:g}' for step in dict.fromkeys(steps))} s meet first at {float(unit):g} s, "
            f"after the end at {t_end:g} s.",
            remedy="Take steps that divide each other.",
        )
    least = max(1, math.ceil(count / samples))
    whole = [k for k in range(least, min(count, 4 * least) + 1) if count % k == 0]
    interval = unit * (whole[0] if whole else least)
    last = float(interval * (count // (whole[0] if whole else least)))
    if abs(last - t_end) <= 1e-9 * t_end:
        return float(interval), []
    return float(interval), [f"runs are compared up to t = {last:g} s: later their steps do not meet"]
