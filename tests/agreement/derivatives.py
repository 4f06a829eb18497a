"""Derivatives of a run by every way there is, against complex steps through the very same map.

Tangents as `sensitivities` finds them and by dual numbers; the adjoint of a random function of all samples; values with
and without.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from unit.complex_runs import ComplexRun, keep_small, settle_newton

import linkwork as lw
from linkwork.analysis.state import State
from linkwork.derivatives.adjoint import Adjoint
from linkwork.derivatives.described import numbers_of
from linkwork.derivatives.functionals import Final
from linkwork.derivatives.moving import Moving, carried_out
from linkwork.derivatives.nominal import Nominal
from linkwork.derivatives.tangent_run import SAMPLED, Prepared
from linkwork.derivatives.wider import WiderRowsError
from linkwork.errors import UsageError
from linkwork.integrators.dense_output_kernels import ADVANCE_TO, GUESS_STEP
from linkwork.integrators.implicit_kernels import ADVANCE
from linkwork.integrators.runge_kutta_kernels import START
from linkwork.integrators.start import PERTURB, SOLVE_ACCELERATIONS

Array = NDArray[np.float64]
EXPLICIT = ("rk4", "dop853")
# Columns of a sample: lengths and their rates, rotations and theirs.
KINDS = {
    "position": slice(0, 3),
    "rotation": slice(3, 12),
    "velocity": slice(12, 15),
    "angular velocity": slice(15, 18),
    "acceleration": slice(18, 21),
    "angular acceleration": slice(21, 24),
}


@dataclass(frozen=True)
class Found:
    """What a case came to: differences from complex steps, of the largest tangent by that number of each kind.

    tangents : as they are found; by_duals : by dual numbers; adjoint : of random functions, from the tangents. None
    where there is none, and then `refused` says why. same_values : whether the run is bit by bit that of `simulate`.
    """

    tangents: float
    worst_kind: str
    by_duals: float
    adjoint: float | None
    refused: str
    same_values: bool
    way: str
    way_back: str


class OfSamples(Adjoint):
    """The adjoint of random functions of all samples. seeds : name of an array -> (functions, samples, ...)."""

    seeds: dict[str, Array]

    def _seeds(self, block: Any, asked: Any, unshared: str = "") -> dict[str, Array]:
        rng = np.random.default_rng(1)
        out = {name: rng.normal(size=(1, *block[name].shape)) for name in SAMPLED if name in block}
        for name, array in out.items():  # of each kind alike
            for of in KINDS.values() if name == "motion" else [slice(None)]:
                size = float(np.max(np.abs(block[name][..., of]), initial=0.0))
                array[..., of] /= size or 1.0
        if unshared:
            out["multiplier"][:] = 0.0
        object.__setattr__(self, "seeds", out)
        return out

    def _aside(self, moving: Any, name: str, of: Any, block: Any) -> Array:
        return np.zeros((1, len(self.numbers)))


def nothing(result: lw.Result) -> Array:
    """A row for each sample; the seeds say what is asked."""
    return np.zeros(len(result.time))


def complex_samples(prepared: Prepared, start: Array, steps: int) -> dict[str, Array]:
    """Derivatives of samples along one direction of the start, by a complex step through steps of one size."""
    run = ComplexRun(prepared, start)
    if prepared.implicit:
        assert run.call(SOLVE_ACCELERATIONS) == 0
        if prepared.run.perturbed:
            run.call(PERTURB)  # as in a run: where steps do not resolve the motion the start stays a consistent one
        status, samples = run.call(ADVANCE, steps)
    else:
        assert run.call(prepared.run._compiled(), START)[0] == 0
        status, samples = run.call(prepared.run._compiled(), steps)
    assert (status, samples) == (0, steps)
    return {name: run.imaginary(getattr(prepared.block, name))[:steps] for name in ("motion", "multiplier")}


def adaptive_samples(prepared: Prepared, start: Array) -> dict[str, Array]:
    """The same through steps that find their own size, these moving along."""
    run, complex_run = prepared.run, ComplexRun(prepared, start)
    assert complex_run.call(run._compiled(), START)[0] == 0
    assert complex_run.call(GUESS_STEP) == 0
    run.run.rhs_known[0] = run.run.state_is_set[0] = 0
    complex_run.call(run._compiled(), START)
    words, _, room = complex_run.tables
    complex_run.tables = (words, None, None, room)
    targets = run.times[run._first :]
    status, done = complex_run.call(ADVANCE_TO, targets, 2**62)
    assert (status, done) == (0, len(targets))
    return {name: complex_run.imaginary(getattr(prepared.block, name))[:done] for name in ("motion", "multiplier")}


def run_of(mech: lw.Mechanism, how: tuple[Any, ...], numbers: Any, backwards: bool) -> Nominal:
    """As `sensitivities` carries it out."""
    widened = None
    while True:
        try:
            nominal = carried_out(mech, *how, numbers, backwards, widened)
            Moving(nominal, numbers).tangents  # noqa: B018  # what rows need shows here
            return nominal
        except WiderRowsError as error:
            widened = error.rows


def compared(
    mech: lw.Mechanism,
    to: list[str],
    formulation: str,
    method: str,
    h: float,
    steps: int,
    monkeypatch: Any,
    state: State | None = None,
) -> Found:
    """Every way of finding the derivatives of a short run, held against complex steps. Raises UsageError where there
    are none. state : at which it starts, if not as described."""
    sharp: dict[str, Any] = {} if method in EXPLICIT else {"tolerance": 1e-11}
    end = steps * h + (0.0 if state is None else state.time)
    how = (end, h, formulation, method, state, sharp)
    plain = lw.simulate(mech, end, h, formulation, method, state=state, **sharp)
    numbers = numbers_of(mech, to)
    nominal = run_of(mech, how, numbers, False)
    same = nominal.ready.compiled.widened is not None or all(
        np.array_equal(plain[name], nominal.result[name], equal_nan=True) for name in plain.variables
    )
    moving = Moving(nominal, numbers)
    found, duals = moving.samples, moving.dual_samples()
    adjoint, refused, way_back = None, "", ""
    try:
        back = OfSamples(run_of(mech, how, numbers, True), numbers)
        reverse = back.of({"of samples": Final(nothing)})
        adjoint, way_back = _from_tangents(back, reverse.derivatives["of samples"], found), reverse.way
    except UsageError as why:
        refused = str(why)
    with monkeypatch.context() as patch:
        keep_small(patch)
        settle_newton(patch)
        off, off_duals, kind = 0.0, 0.0, ""
        for k in range(len(numbers)):
            prepared = nominal.prepared(nominal.ready.compiled)
            wanted = complex_samples(prepared, moving.starts[:, k], steps)
            worst, of = differs(found, wanted, k, nominal, h, method)
            other, _ = differs(duals, wanted, k, nominal, h, method)
            off_duals = max(off_duals, other)
            if worst > off:
                off, kind = worst, f"{of} by {numbers[k].name}"
    return Found(off, kind, off_duals, adjoint, refused, same, moving.way, way_back)


def differs(
    found: dict[str, Array], wanted: dict[str, Array], k: int, nominal: Nominal, h: float, method: str
) -> tuple[float, str]:
    """The largest difference by number k beyond rounding of the values, of the largest of its kind; and which."""
    worst, at = 0.0, ""
    heaviest = max(float(body.mass) for body in nominal.ready.compiled.lowered.bodies)
    size_of = np.abs(found["motion"][..., 0])
    inertia = heaviest * float(np.max(size_of[..., 18:], initial=0.0))
    for kind in (*KINDS, "multiplier"):
        of = "multiplier" if kind == "multiplier" else "motion"
        columns = KINDS.get(kind, slice(None))
        tangents, exact = found[of][1:, ..., 1 + k], wanted[of]
        values = found[of][..., 0]
        if of == "motion":
            tangents, exact, values = tangents[..., columns], exact[..., columns], values[..., columns]
        size = float(np.max(np.abs(exact), initial=0.0))
        scale = float(np.max(np.abs(values), initial=0.0))
        still = still_of(method) * (max(scale, inertia) if of == "multiplier" else scale)
        apart = float(np.max(np.abs(tangents - exact), initial=0.0))
        if not np.isfinite(apart):
            return np.inf, kind
        if apart > still and (off := (apart - still) / max(size, still)) > worst:
            worst, at = off, kind
    return worst, at


def still_of(method: str) -> float:
    """Of the largest value: rounding that tangents have, however small they are; of a heavy top's angular accelerations
    a thousandth is left by its size."""
    return 1e-13 if method in EXPLICIT else 4e-13


def _from_tangents(back: OfSamples, found: Array, samples: dict[str, Array]) -> float:
    """How far the adjoint of random functions is off what tangents say, of the largest of its terms by that number."""
    off = 0.0
    for k in range(len(back.numbers)):
        terms = [np.ravel(back.seeds[name][0] * samples[name][..., 1 + k]) for name in back.seeds]
        every = np.concatenate(terms)
        size = float(np.max(np.abs(every), initial=0.0))
        if size > 0.0:
            off = max(off, abs(float(np.ravel(found)[k]) - float(np.sum(every))) / size)
    return off
