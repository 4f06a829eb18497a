"""Reverses of explicit runs whose equations are solved anew while a step is recorded: equal to the tangents."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from unit.test_tangents_solved_anew import COUPLED, CRANK, FOUR_BAR, PARALLELOGRAM, Case, moving_of

import linkwork as lw
from linkwork.derivatives import adjoint_traced, memory_tape, traced
from linkwork.derivatives.adjoint_traced import TracedAdjoint
from linkwork.derivatives.described import numbers_of
from linkwork.derivatives.memory_tape import MemoryTape
from linkwork.derivatives.moving import Moving, carried_out
from linkwork.lanes.traced.numbers import NotTracedError

SAMPLED = ("motion", "multiplier", "extra")


def reverse(moving: Moving) -> TracedAdjoint:
    nominal = moving.nominal
    prepare = partial(nominal.prepared, nominal.ready.compiled)
    assert isinstance(nominal.tape, MemoryTape)
    return TracedAdjoint(prepare, np.any(moving.starts != 0.0, axis=1), 3, nominal.alone, nominal.tape)


def seeds_of(moving: Moving) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(2)
    return {name: rng.normal(size=(2, *moving.samples[name].shape[:-1])) for name in SAMPLED}


@pytest.mark.parametrize(
    ("case", "formulation", "integrator"),
    [
        (CRANK, "augmented", "rk4"),
        (CRANK, "joint-rates", "dop853"),
        (PARALLELOGRAM, "partial", "rk4"),
        (PARALLELOGRAM, "lie-mixed", "rk4"),
        (FOUR_BAR, "null-space", "rk4"),
        (FOUR_BAR, "cut-joint", "rk4"),
        (FOUR_BAR, "range-space", "rk4"),
        (CRANK, "rotation-matrix", "rk4"),  # rows drift apart in coarse steps
        (COUPLED, "barycentric", "rk4"),
    ],
)
def test_the_adjoint_is_the_tangent(case: Case, formulation: str, integrator: str) -> None:
    """Poses, velocities, accelerations, and multipliers that dependent rows share."""
    moving = moving_of(case, formulation, integrator)
    of_all, seeds = moving.samples, seeds_of(moving)
    assert moving.way == "recorded steps"
    run = reverse(moving)
    told = run.samples()
    assert np.array_equal(told["motion"][..., :3], moving.nominal.result["position"])  # of the run itself
    once = moving.nominal.prepared(moving.nominal.ready.compiled).reals.once  # some numbers have two places
    found = run.gradients(seeds)[:, run.cell_of[once]] @ moving.starts[once]
    numbers = moving.starts.shape[1]
    wanted = sum(
        np.tensordot(seeds[name].reshape(2, -1), of_all[name][..., 1:].reshape(-1, numbers), 1) for name in SAMPLED
    )
    assert np.max(np.abs(found - wanted)) <= 1e-12 * np.max(np.abs(wanted))


def test_steps_that_do_not_come_to_the_runs_states_are_no_record_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bit by bit, the states of equations that are solved anew are others."""
    monkeypatch.setattr(traced, "SAME", 0.0)
    monkeypatch.setattr(traced, "NOTHING", 0.0)
    moving = moving_of(CRANK, "rotation-matrix", "rk4")
    seeds, run = seeds_of(moving), reverse(moving)
    run.samples()
    with pytest.raises(NotTracedError, match="another state than the run"):
        run.gradients(seeds)


def test_where_a_record_comes_to_other_states_each_step_is_recorded_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """To the same derivatives, whose values are the run's own."""
    mech, to = CRANK[0](), ["slider.mass", "spring.stiffness"]
    of = {"place": lw.Final("slider.position"), "load": lw.Integral("slider.acceleration")}

    def asked() -> lw.derivatives.sensitivities.Sensitivities:
        return lw.sensitivities(mech, 0.04, 1e-2, "augmented", "rk4", of=of, to=to, mode="adjoint")

    recorded, made = asked(), []
    build = adjoint_traced.Recorder

    def counted(*about: object) -> object:
        made.append(about)
        return build(*about)

    monkeypatch.setattr(adjoint_traced, "Recorder", counted)
    monkeypatch.setattr(traced, "SAME", 0.0)
    monkeypatch.setattr(traced, "NOTHING", 0.0)
    anew = asked()
    assert made
    for name in of:
        assert np.array_equal(recorded.values[name], anew.values[name])
        size = np.max(np.abs(anew[name]))
        assert np.max(np.abs(recorded[name] - anew[name])) <= 1e-11 * size
        assert not np.array_equal(recorded[name], anew[name])


@pytest.mark.parametrize("part", [None, 1900])
def test_the_reverse_of_a_motion_that_rounding_leads_away(monkeypatch: pytest.MonkeyPatch, part: int | None) -> None:
    """By steps that go on from the run's own states, in one part and in several."""
    mech = lw.load("kissel2021_double_pendulum")
    numbers = numbers_of(mech, ["bar 1.shape.density", "gravity[2]"])

    def reversed_run() -> tuple[Moving, TracedAdjoint]:
        moving = Moving(carried_out(mech, 33.0, 1e-3, "augmented", "rk4", None, {"every": 33_000}, numbers), numbers)
        run = reverse(moving)
        run.part = part
        return moving, run

    moving, run = reversed_run()
    seeds = seeds_of(moving)
    found = run.gradients(seeds)[:, run.cell_of] @ moving.starts
    wanted = sum(
        np.tensordot(seeds[name].reshape(2, -1), moving.samples[name][..., 1:].reshape(-1, 2), 1) for name in SAMPLED
    )
    assert np.max(np.abs(found - wanted)) <= 1e-6 * np.max(np.abs(wanted))
    monkeypatch.setattr(memory_tape, "PARTS", 1)
    _, run = reversed_run()
    with pytest.raises(NotTracedError, match="another state than the run"):
        run.gradients(seeds)
