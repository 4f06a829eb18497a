"""Reverses of explicit runs whose equations are solved anew while a step is recorded: equal to the tangents."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from unit.test_tangents_solved_anew import COUPLED, CRANK, FOUR_BAR, PARALLELOGRAM, Case, moving_of

import linkwork as lw
from linkwork.derivatives import adjoint_traced, traced
from linkwork.derivatives.adjoint_traced import TracedAdjoint
from linkwork.derivatives.moving import Moving
from linkwork.lanes.traced.numbers import NotTracedError

SAMPLED = ("motion", "multiplier", "extra")


def reverse(moving: Moving) -> TracedAdjoint:
    nominal = moving.nominal
    prepare = partial(nominal.prepared, nominal.ready.compiled)
    return TracedAdjoint(prepare, np.any(moving.starts != 0.0, axis=1), 3, nominal.alone)


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


def test_an_end_that_is_not_the_runs_is_no_record_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bit by bit, the end of equations that are solved anew is another one."""
    monkeypatch.setattr(traced, "SAME", 0.0)
    monkeypatch.setattr(traced, "NOTHING", 0.0)
    moving = moving_of(CRANK, "rotation-matrix", "rk4")
    seeds, run = seeds_of(moving), reverse(moving)
    run.samples()
    with pytest.raises(NotTracedError, match="another end than the run"):
        run.gradients(seeds)


def test_where_a_record_comes_to_another_end_each_step_is_recorded_anew(monkeypatch: pytest.MonkeyPatch) -> None:
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
