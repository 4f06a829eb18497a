"""Which pairs can run a mechanism to an accuracy, and what each is predicted to cost."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

import numpy as np

from linkwork.analysis.counts import count
from linkwork.errors import LinkworkError, SingularPositionError, UsageError
from linkwork.formulations import FORMULATIONS
from linkwork.formulations.contract import Formulation
from linkwork.integrators import INTEGRATORS, shape_of
from linkwork.integrators.contract import Integrator
from linkwork.one_thread import one_blas_thread
from linkwork.planner.methods import LEAST_STEPS, Method
from linkwork.planner.traits import Traits
from linkwork.problems.shapes import EXPLICIT
from linkwork.run.matching import formulation_of, integrator_of, pair
from linkwork.run.starting import new_run, started
from linkwork.system import CompiledMechanism

# Those worth asking: the others solve the same equations in ways that cost more (docs/choosing.md), or have, as penalty
# does, an error of their own that no tolerance sees.
EXPLICIT_ONES = ("articulated-body", "canonical", "lie-mixed", "augmented")
IMPLICIT_ONES = ("rA", "lie-mixed")
PAIRS = ("dop853", "ts54")
COUNTED = "counted"
GROWTH = "estimated"
UNPREDICTED = "not predicted; for stiff motions, and where explicit methods fail"
# Operations per body, per row, and per row of `Traits.cut_rows` besides: fitted to counts of the 15 shipped mechanisms,
# all within 40 % but lie-mixed on the rolling disc
GROWING = {
    "articulated-body": (1291.0, -191.0, 1378.0),
    "canonical": (1142.0, -194.0, 1505.0),
    "lie-mixed": (-150.0, 567.0, 164.0),
    "augmented": (263.0, 396.0, 172.0),
}
USUAL_GROWTH = (0.0, 600.0, 170.0)
PER_RADIAN = 0.75  # steps, times accuracy^(-1/order): within a factor of three on the shipped mechanisms
VARIABLE_ORDER = "radau"  # not asked: methods of one order take as long or less (docs/formulations/radau.md)
LOW_ORDER = 2  # implicit methods of an order no higher take small steps at the accuracies that are usual
STABLE = {8: 6.0, 5: 3.3}  # radians, or e-foldings, in a step that is just stable
TRIES = {8: 1.35}  # for each step at the limit of stability: on the cam 810 for 600 steps, of order 5 1.05
# Nanoseconds per operation where this machine has not been measured: steps of rk4 in docs/choosing.md over their counts
NANOSECONDS = {"articulated-body": 0.24, "canonical": 0.27, "lie-mixed": 0.21, "augmented": 0.45}
USUAL_NANOSECONDS = 0.3


@dataclass(frozen=True)
class Candidate:
    """A pair, and what is predicted of it.

    operations : of one evaluation, 0 where unknown; known : how. steps : predicted. predicted : seconds of the run.
    refusal : why it cannot run the mechanism, '' if it can. seconds : of the whole run, from a trial, None without one.
    """

    method: Method
    operations: int = 0
    known: str = ""
    steps: int = 0
    predicted: float = 0.0
    refusal: str = ""
    seconds: float | None = None

    @property
    def cost(self) -> float:
        """What candidates are compared by."""
        return self.seconds if self.seconds is not None else self.predicted

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "formulation": self.method.formulation.name,
            "integrator": self.method.integrator.name,
            "operations": self.operations,
            "known": self.known,
            "steps": self.steps,
            "predicted_seconds": self.predicted,
            "seconds": self.seconds,
            "refusal": self.refusal,
        }

    def __str__(self) -> str:
        if self.refusal:
            return f"{self.method.label}: cannot, {self.refusal}"
        parts = []
        if self.operations:
            parts.append(f"{self.operations} operations an evaluation ({self.known})")
        if self.predicted:
            parts.append(f"some {self.steps} steps, {1e3 * self.predicted:.2g} ms predicted")
        if self.seconds is not None:
            parts.append(f"tried: {1e3 * self.seconds:.2g} ms")
        return f"{self.method.label}: {'; '.join(parts) or UNPREDICTED}"


@dataclass(frozen=True)
class Size:
    """Of a run: span [s], relative accuracy, how many samples."""

    span: float
    accuracy: float
    samples: int

    def steps(self, method: Method, traits: Traits) -> int:
        """About how many an explicit pair needs: by accuracy, and by stability beside a fast spring."""
        return round(max(self._accurate(method, traits), self._stable(method, traits), LEAST_STEPS))

    def limited(self, method: Method, traits: Traits) -> bool:
        """Whether stability and not accuracy decides how many."""
        return method.explicit and self._stable(method, traits) > 2.0 * self._accurate(method, traits)

    def evaluations(self, method: Method, traits: Traits, steps: int) -> float:
        """Of the slope, in so many steps: where stability limits them, a method of high order tries some in vain."""
        tries = TRIES.get(method.integration_order, 1.0)
        return (tries if tries > 1.0 and self.limited(method, traits) else 1.0) * method.stages * steps

    def _accurate(self, method: Method, traits: Traits) -> float:
        return PER_RADIAN * traits.motion * self.span * method.steps_at(self.accuracy)

    def _stable(self, method: Method, traits: Traits) -> float:
        return traits.fastest * self.span / STABLE.get(method.integration_order, 2.5)


def methods_for(formulation: str | Formulation | None, integrator: str | Integrator[Any] | None) -> list[Method]:
    """The pairs among which to choose: all worth asking, or those with what the user named. Raises UsageError,
    IncompatiblePairError."""
    if formulation is not None and integrator is not None:
        return [Method(*pair(formulation, integrator))]
    if integrator is not None:
        method = integrator_of(integrator)
        names = EXPLICIT_ONES if method.shape == EXPLICIT else IMPLICIT_ONES
        fitting = [FORMULATIONS.load(name) for name in names]
        fitting = [one for one in fitting if method.shape in one.shapes] or [
            one for one in map(FORMULATIONS.load, FORMULATIONS) if method.shape in one.shapes
        ]
        return [Method(one, method) for one in fitting]
    if formulation is not None:
        chosen = formulation_of(formulation)
        found = [Method(chosen, INTEGRATORS.load(name)) for name in PAIRS if EXPLICIT in chosen.shapes]
        return [*found, *(Method(chosen, one) for one in implicit_for(chosen))]
    return [*explicit_ones(), *implicit_ones()]


@cache
def explicit_ones() -> tuple[Method, ...]:
    """Explicit pairs worth asking."""
    integrators = [INTEGRATORS.load(name) for name in PAIRS]
    return tuple(Method(one, how) for one in map(FORMULATIONS.load, EXPLICIT_ONES) for how in integrators)


def implicit_ones() -> list[Method]:
    """Implicit pairs worth asking."""
    return [Method(one, how) for one in map(FORMULATIONS.load, IMPLICIT_ONES) for how in implicit_for(one)]


def implicit_for(formulation: Formulation) -> list[Integrator[Any]]:
    """Implicit integrators worth asking, those of low order last: those that control their error, and
    generalized-alpha."""
    fitting = [name for name in INTEGRATORS if shape_of(name) != EXPLICIT and shape_of(name) in formulation.shapes]
    found = [INTEGRATORS.load(name) for name in fitting if name != VARIABLE_ORDER]
    able = [one for one in found if "rtol" in one.options]
    return sorted(able, key=lambda one: int(one.describe()["order"]) <= LOW_ORDER)


def candidates(
    methods: Sequence[Method],
    traits: Traits,
    learnt: Mapping[str, Any],
    size: Size,
) -> list[Candidate]:
    """Each with what it costs, the cheapest first; whether it can run the mechanism is asked by `admitted`.

    learnt : what is known of this topology: ``operations`` and ``nanoseconds`` by formulation.
    size : of the run.
    """
    counted: dict[str, tuple[int, str]] = {}
    measured = learnt.get("nanoseconds", {})
    slower = times_slower(measured)
    found = []
    for one in methods:
        name = one.formulation.name
        if one.explicit and name not in counted:
            known = learnt.get("operations", {}).get(name)
            counted[name] = (int(known), COUNTED) if known else (growth_of(one, traits), GROWTH)
        operations, known = counted.get(name, (0, "")) if one.explicit else (0, "")
        if not operations:
            found.append(Candidate(one))
            continue
        nanoseconds = measured.get(name, slower * NANOSECONDS.get(name, USUAL_NANOSECONDS))
        steps = size.steps(one, traits)
        evaluations = size.evaluations(one, traits, steps) + size.samples  # a sample is an evaluation, too
        found.append(Candidate(one, operations, known, steps, 1e-9 * nanoseconds * operations * evaluations))
    return in_turn(found)


def times_slower(measured: Mapping[str, float]) -> float:
    """What this machine takes for an operation, as a multiple of `NANOSECONDS`: the median of what was measured on it.

    A formulation that was not measured is predicted with it. One that was would otherwise stand, on a slow or busy
    machine, beside others that seem to run on a fast one.
    """
    found = [took / NANOSECONDS.get(name, USUAL_NANOSECONDS) for name, took in measured.items()]
    return float(np.median(found)) if found else 1.0


def admitted(one: Candidate, compiled: CompiledMechanism) -> Candidate:
    """The same, or why it cannot run the mechanism, which is found out once for each formulation."""
    formulation = one.method.formulation
    with one_blas_thread():
        refusal = compiled.once(("refusal", formulation.name), lambda: formulation.refusal(compiled))
    return Candidate(one.method, refusal=refusal) if refusal else one


def in_turn(found: list[Candidate]) -> list[Candidate]:
    """The cheapest first, implicit ones after explicit ones, those that cannot last."""
    return sorted(found, key=lambda one: (bool(one.refusal), not one.method.explicit, one.cost))


class Considered:
    """Candidates in turn. admits : says of one whether it can run the mechanism, which takes as long as a run, and is
    asked of those alone of which somebody wants to know. further : finds the implicit ones among them when the explicit
    ones are not enough, since a run of a mechanism that is not stiff needs none of their code."""

    def __init__(
        self,
        found: list[Candidate],
        admits: Callable[[Candidate], Candidate],
        further: Callable[[], list[Candidate]] | None = None,
    ) -> None:
        self._found, self._admits, self._further, self._asked = found, admits, further, False

    @property
    def all(self) -> list[Candidate]:
        """All of them."""
        if not self._asked:
            more = () if self._further is None else self._further()
            self._found, self._further = in_turn([self._admits(one) for one in (*self._found, *more)]), None
            self._asked = True
        return self._found

    @property
    def first(self) -> Candidate:
        """The one whose turn it is first."""
        if self._asked:
            return self._found[0]
        found = (one for one in map(self._admits, self._found) if not one.refusal)
        return next(found, None) or self.all[0]

    @property
    def alone(self) -> bool:
        """Whether there is no other."""
        return self._further is None and len(self._found) == 1

    def copy(self) -> Considered:
        """The same, to be put in another order."""
        made = Considered(list(self._found), self._admits, self._further)
        made._asked = self._asked
        return made


def growth_of(method: Method, traits: Traits) -> int:
    """Operations of one evaluation, by how counts grow."""
    sizes = (traits.bodies, traits.rows, traits.cut_rows)
    growing = GROWING.get(method.formulation.name, USUAL_GROWTH)
    return max(100, round(sum(each * size for each, size in zip(growing, sizes, strict=True))))


def counted(one: Candidate, compiled: CompiledMechanism) -> Candidate:
    """The same with its operations counted instead of estimated, which starts a problem; as it is where that fails."""
    if one.known != GROWTH:
        return one
    method = one.method

    def counts() -> int:
        run = started(compiled, partial(new_run, method.formulation, method.integrator, step=1e-3, t_end=1e-3))
        return count(run.problem).total

    try:
        operations = compiled.once(("operations", method.formulation.name), counts)
    except LinkworkError:
        return one  # a run will say why
    return replace(one, operations=operations, known=COUNTED, predicted=one.predicted * operations / one.operations)


def tried(one: Candidate, seconds: float) -> Candidate:
    """The same with what a trial took, extrapolated to the whole run [s]."""
    return replace(one, seconds=seconds)


def all_refused(name: str, considered: Sequence[Candidate]) -> LinkworkError:
    """The error of a mechanism that none of them can run: each reason once, with those that give it."""
    reasons: dict[str, list[str]] = {}
    for one in considered:
        reasons.setdefault(one.refusal, []).append(one.method.label)
    singular = f"[{SingularPositionError.code}]"
    if len(reasons) > 1:
        why = "; ".join(f"{', '.join(methods)}: {reason}" for reason, methods in reasons.items())
        return UsageError(f"no method can run {name!r}: {why}.")
    (why,) = reasons
    if why.endswith(singular):
        remedy = "Give what moves mass and moments of inertia, or hold it by fixed joints; `linkwork check` says more."
        return SingularPositionError(
            f"no method can run {name!r}: {why.removesuffix(singular).strip()}.", remedy=remedy
        )
    return UsageError(f"no method can run {name!r}: {why}.")
