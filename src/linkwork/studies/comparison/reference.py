"""What errors are measured against, and how well that is known.

By itself: error-controlled runs of high order and very tight tolerance by formulations that are as independent as the
registry allows; the two that agree best are the reference and its witness, and their difference is the uncertainty.
Where only one gets through, a looser run of its own is the witness; where none does, or where a step is asked for,
runs at h and h/2 are extrapolated [Richardson]: x + (x_h/2 - x_h) / (2^p - 1), rotations along the angle between them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from linkwork.formulations import FORMULATIONS
from linkwork.integrators import INTEGRATORS
from linkwork.run.matching import fitting
from linkwork.studies import independence
from linkwork.studies.comparison.case import Case
from linkwork.studies.comparison.plan import Plan
from linkwork.studies.comparison.study import AUTO, NONE, Study
from linkwork.studies.comparison.study import Reference as Wanted
from linkwork.studies.motion import Motion, difference, digits

TIGHT, LOOSER = 1e-12, 100.0
ROUNDING = 1e-15  # nothing is known better
WITNESSES, MOST = 3, 7  # formulations that are tried at once, and in all


@dataclass(frozen=True)
class Reference:
    """A motion to measure errors against.

    uncertainty, rate_uncertainty : the largest difference of poses and of velocities from its witness, as `motion`
    measures them: errors below it are not known. how : how it was made and how it was converged, in words.
    case : whose run it is, None where it is extrapolated.
    """

    motion: Motion
    uncertainty: float
    rate_uncertainty: float
    how: str
    case: Case | None = None


def cases(study: Study, plan: Plan) -> list[Case]:
    """The runs to try first."""
    if study.reference == NONE:
        return []
    if isinstance(study.reference, Wanted):
        return _wanted(study.reference, plan)
    names: list[str] = []
    for name in FORMULATIONS:
        if independence.controlled(name) is not None:
            names.append(name)
            break
    while names and len(names) < WITNESSES:
        others = [name for name in independence.by_independence(names) if independence.controlled(name) is not None]
        if not others:
            break
        names.append(others[0])
    return [tight(name, plan.setting.interval) for name in names]


def tight(formulation: str, interval: float, rtol: float = TIGHT, integrator: str | None = None) -> Case:
    """A formulation with its best error control: held on the constraints, no step beyond a sample."""
    chosen = integrator or independence.controlled(formulation)
    assert chosen is not None
    method = INTEGRATORS.load(chosen)
    held = {"stabilisation": "projection", "max_step": interval}
    options = {name: value for name, value in held.items() if name in method.options}
    return Case(formulation, chosen, rtol=rtol, atol=rtol * 1e-2, options=options)


def _wanted(wanted: Wanted, plan: Plan) -> list[Case]:
    integrator = wanted.integrator or independence.controlled(wanted.formulation) or fitting(wanted.formulation)[0]
    if wanted.step is not None:
        return halved(Case(wanted.formulation, integrator, step=wanted.step, options=wanted.options))
    rtol = wanted.rtol or TIGHT
    one = tight(wanted.formulation, plan.setting.interval, rtol, integrator).with_options(**wanted.options)
    others = independence.by_independence([wanted.formulation])
    witness = next((name for name in others if independence.controlled(name) is not None), None)
    return [one, *([] if witness is None else [tight(witness, plan.setting.interval, rtol)])]


def halved(case: Case) -> list[Case]:
    """The two runs of an extrapolation."""
    assert case.step is not None
    return [
        Case(case.formulation, case.integrator, step=step, options=case.options) for step in (case.step, case.step / 2)
    ]


def more(study: Study, plan: Plan, tried: Sequence[Case], got: Sequence[Case]) -> list[Case]:
    """What to run besides, where of the runs tried only these got through; nothing if there is enough, or no more."""
    if study.reference == NONE or len({case.formulation for case in got}) > 1:
        return []
    names = {case.formulation for case in tried}
    if study.reference == AUTO and len(names) < MOST:
        others = independence.by_independence([case.formulation for case in got] or names)
        able = [name for name in others if name not in names and independence.controlled(name) is not None]
        if able:
            return [tight(name, plan.setting.interval) for name in able[:2]]
    if len(got) == 1 and (rtol := got[0].rtol) is not None:
        one = got[0]
        looser = Case(one.formulation, one.integrator, None, rtol * LOOSER, rtol, dict(one.options))
        return [] if looser in tried else [looser]
    fixed = [case for case in plan.cases if case.step is not None]
    if got or study.reference != AUTO or not fixed or any(case.step is not None for case in tried):
        return []
    return halved(max(fixed, key=lambda case: (independence.order_of(case.integrator), -(case.step or 0.0))))


def conclude(tried: Sequence[Case], motions: Mapping[Case, Motion], length: float) -> Reference | None:
    """The reference that these runs make, None if they make none. tried : in the order of preference."""
    got = [case for case in tried if case in motions]
    steps = [case for case in got if case.step is not None]
    if len(steps) > 1:
        return _extrapolated(steps[-2], steps[-1], motions, length)
    pairs = [(a, b) for a, b in combinations(got, 2) if a.formulation != b.formulation] or list(combinations(got, 2))
    if not pairs:
        return None
    found = {(a, b): difference(motions[a], motions[b], length) for a, b in pairs}
    one, witness = min(found, key=lambda pair: found[pair].largest)
    apart = found[one, witness]
    unlike = independence.differing(one.formulation, witness.formulation)
    kind = f"which differs in {_and(unlike)}, agrees" if unlike else "the same with less care, agrees"
    text = (
        f"{one.label}. {witness.label}, {kind} with it to {digits(apart.largest):.1f} digits in poses and "
        f"{digits(apart.largest_rate):.1f} in velocities over the whole span."
    )
    return Reference(motions[one], max(apart.largest, ROUNDING), max(apart.largest_rate, ROUNDING), text, one)


def _extrapolated(coarse: Case, fine: Case, motions: Mapping[Case, Motion], length: float) -> Reference:
    order = independence.order_of(fine.integrator)
    a, b = motions[coarse], motions[fine]
    n, share = min(len(a.time), len(b.time)), 1.0 / (2.0**order - 1.0)
    a, b = a.head(n), b.head(n)
    made = Motion(
        b.time,
        b.position + share * (b.position - a.position),
        b.rotation @ turned(np.swapaxes(a.rotation, -1, -2) @ b.rotation, share),
        b.velocity + share * (b.velocity - a.velocity),
        b.angular_velocity + share * (b.angular_velocity - a.angular_velocity),
    )
    apart = difference(made, b, length)
    text = (
        f"{fine.pair} at h = {coarse.step:.3g} s and {fine.step:.3g} s, extrapolated at order {order} [Richardson]; "
        f"what the extrapolation moved, {apart.largest:.2g}, is taken as its uncertainty."
    )
    return Reference(made, max(apart.largest, ROUNDING), max(apart.largest_rate, ROUNDING), text)


def turned(R: np.ndarray, share: float) -> np.ndarray:
    """R (..., 3, 3), a rotation by less than half a turn, by that share of its angle about its axis."""
    skew = 0.5 * (R - np.swapaxes(R, -1, -2))
    sine = np.sqrt(0.5 * np.sum(skew**2, axis=(-2, -1)))
    angle = np.arctan2(sine, 0.5 * (np.trace(R, axis1=-2, axis2=-1) - 1.0))
    unit = skew / np.where(sine > 0.0, sine, 1.0)[..., None, None]
    part = (share * angle)[..., None, None]
    made: np.ndarray = np.eye(3) + np.sin(part) * unit + (1.0 - np.cos(part)) * (unit @ unit)
    return made


def _and(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else "nothing"


def floor_of(reference: Reference | None) -> float:
    """The error below which nothing is known."""
    return reference.uncertainty if reference is not None else math.nan
