"""Implicit methods in recorded steps: Newton's iterations of a lane end by themselves, whatever its neighbours do."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from unit.lanes_case import EVERY, STEPS, Held, Instances, Spot, held, in_lanes
from unit.test_model_numbers import geared

import linkwork as lw
from linkwork.integrators import stopping
from linkwork.integrators.newton import PATIENCE
from linkwork.lanes.runner import recorded_batch
from linkwork.lanes.traced import newton
from linkwork.lanes.traced.implicit import why_not_newton
from linkwork.lanes.traced.newton_batch import NewtonBatch

CRANK = "kissel2021_slider_crank"
WEIGHT = tuple(Spot("tables.gravity", k) for k in range(3))
PLACES = tuple((spot.array, spot.at) for spot in WEIGHT)
BARE = tuple(("bare.gravity", k) for k in range(3))  # of mechanisms with couplings
LOADS = np.array([[0.0, 0.0, -9.81], [0.5, 0.0, -90.0], [0.0, 0.3, -3.0], [0.0, 0.0, 700.0]])


def implicit(name: str, formulation: str = "rA", integrator: str = "generalized-alpha", **options: Any) -> Held:
    one = held(geared() if name == "geared" else lw.load(name), formulation, integrator, **options)
    if "bare.gravity" in one.arrays:
        one.arrays["bare.gravity"].flags.writeable = True  # it is what kernels read beside couplings
    return one


def carried_out(batch: NewtonBatch, values: np.ndarray, *parts: int) -> dict[str, np.ndarray]:
    batch.alter(values)
    batch.begin(len(values))
    blocks = [batch.sample(), *(batch.advance(steps)[1] for steps in parts or (STEPS,))]
    return {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}


def alone(one: Held, values: np.ndarray) -> dict[str, Any]:
    one.placed.restore(one.run)
    for table in {"tables.gravity", "bare.gravity"} & set(one.arrays):
        one.arrays[table].reshape(-1)[:] = values
    assert one.run.initialise() == 0
    first = one.run.first()
    status, block = one.run.advance(STEPS)
    assert status == 0
    return {name: np.concatenate([first[name], block[name]]) for name in ("time", "motion", "multiplier")}


@pytest.mark.parametrize(
    ("name", "formulation", "integrator", "options"),
    [
        (CRANK, "rA", "generalized-alpha", {}),
        (CRANK, "rA", "generalized-alpha", {"newton": "full"}),
        (CRANK, "rA", "implicit-euler", {}),
        ("kissel2021_four_link", "rp", "generalized-alpha", {}),
        ("kissel2021_double_pendulum", "re", "generalized-alpha", {}),
        ("spatial_slider_crank_spring", "rA", "generalized-alpha", {}),
        ("geared", "rA", "generalized-alpha", {}),
        ("geared", "lie-mixed", "implicit-euler", {}),
    ],
)
def test_recorded_steps_come_to_what_compiled_ones_do(
    name: str, formulation: str, integrator: str, options: dict[str, Any]
) -> None:
    one = implicit(name, formulation, integrator, **options)
    values = np.asarray(one.arrays["tables.gravity"]).reshape(-1) * np.array([[1.0], [0.9], [1.2]])
    batch = NewtonBatch(one, BARE if name == "geared" else PLACES, 4)
    found = carried_out(batch, values)
    assert batch.strays == ()
    for k in range(3):
        wanted = alone(one, values[k])
        assert np.array_equal(found["time"][:, k], wanted["time"])
        for columns, close in ((slice(0, 12), 1e-10), (slice(12, 18), 1e-7), (slice(18, 24), 1e-4)):
            size = max(1.0, float(np.abs(wanted["motion"][..., columns]).max()))
            assert np.allclose(
                found["motion"][..., columns, k], wanted["motion"][..., columns], rtol=0.0, atol=close * size
            )
        size = float(np.abs(wanted["multiplier"]).max())
        assert np.allclose(found["multiplier"][..., k], wanted["multiplier"], rtol=0.0, atol=1e-5 * size)
    assert max(np.abs(found[of][..., 0] - found[of][..., 1]).max() for of in ("motion", "multiplier")) > 1e-3
    one.placed.restore(one.run)


@pytest.mark.parametrize("lanes", [2, 4, 8])
def test_lanes_neighbours_and_chunks_do_not_change_a_bit(lanes: int) -> None:
    one = implicit(CRANK)
    whole = carried_out(NewtonBatch(one, PLACES, 4), LOADS)["motion"]
    assert np.isfinite(whole).all()
    batch = NewtonBatch(one, PLACES, lanes)
    for k, row in enumerate(LOADS):
        assert np.array_equal(carried_out(batch, row[None])["motion"][..., 0], whole[..., k])
    pair = carried_out(batch, LOADS[[3, 0]], EVERY, 4 * EVERY, STEPS - 5 * EVERY)
    assert np.array_equal(pair["motion"], whole[..., [3, 0]])


@pytest.mark.parametrize("every", [1, 2, 3, 4, 20])
def test_samples_stand_where_they_belong(every: int) -> None:
    from linkwork.run.simulate import Call, held_of
    from linkwork.run.starting import prepare

    call = Call.of(lw.load(CRANK), 1e-3 * STEPS, 1e-3, "rA", "generalized-alpha", lw.Samples(every=every), None, {})
    one = held_of(call, prepare(lw.load(CRANK), dynamics=True))
    found, wanted = carried_out(NewtonBatch(one, PLACES), LOADS[:2]), alone(one, LOADS[0])
    assert np.array_equal(found["time"][:, 0], wanted["time"])
    assert np.allclose(found["motion"][..., :12, 0], wanted["motion"][..., :12], rtol=0.0, atol=1e-10)


def test_a_lane_that_does_not_converge_is_a_stray_and_changes_no_other() -> None:
    one = implicit(CRANK)
    batch = NewtonBatch(one, PLACES, 4)
    wanted = carried_out(batch, LOADS)["motion"]
    for bad in (np.nan, np.inf):
        values = LOADS.copy()
        values[1, 2] = bad
        found = carried_out(batch, values)["motion"]
        assert batch.strays == (1,)
        assert np.array_equal(found[..., [0, 2, 3]], wanted[..., [0, 2, 3]])


def test_instances_are_carried_by_recorded_code() -> None:
    one = implicit(CRANK)
    room = in_lanes(one, WEIGHT, LOADS)
    assert isinstance(recorded_batch(one, Instances(WEIGHT, LOADS, STEPS)), NewtonBatch)
    assert np.all(room.status == 0)
    assert np.allclose(room.motion[1, :, :, :12], alone(one, LOADS[1])["motion"][..., :12], rtol=0.0, atol=1e-10)


def test_runs_that_are_not_recorded_say_why() -> None:
    assert not why_not_newton(implicit(CRANK).run)
    assert not why_not_newton(implicit("planar_four_bar").run)
    assert "of one size" in why_not_newton(implicit(CRANK, integrator="radau").run)


def test_a_sweep_in_lanes_is_the_same_for_any_workers() -> None:
    over = {"crank.mass": lw.uniform(0.5, 2.0), "slider.mass": lw.uniform(0.5, 2.0)}

    def swept(**how: Any) -> Any:
        return lw.sweep(
            lw.load(CRANK), over, runs=11, keep=["slider.position"], t_end=0.05, step=1e-3,
            formulation="rA", integrator="generalized-alpha", judge=False, **how,
        )  # fmt: skip

    found = [swept(lanes=True, threads=threads)["slider.position"] for threads in (1, 2)]
    assert np.array_equal(*found)
    assert np.allclose(found[0], swept()["slider.position"], rtol=0.0, atol=1e-10)


def controls(**given: float) -> newton.Controls:
    found = newton.Controls(np.zeros(newton.CONTROLS))
    for name, value in given.items():
        setattr(found, name, value)
    return found


def settings(rng: Any) -> SimpleNamespace:
    def one(least: float, most: float) -> np.ndarray:
        return np.array([10.0 ** rng.uniform(least, most)])

    return SimpleNamespace(
        floor=one(-10, -8), tolerance=one(-5, -2), slow_contraction=np.array([0.1]), left=np.array([1e-3]),
        contraction=one(-12, 0), bend=one(-6, 0),
    )  # fmt: skip


def test_a_lane_converges_where_a_run_does() -> None:
    rng, answers = np.random.default_rng(3), set[bool]()
    for _ in range(4000):
        run, norm, first = settings(rng), 10.0 ** rng.uniform(-11, -1), 10.0 ** rng.uniform(-6, 0)
        before = rng.choice([np.inf, 10.0 ** rng.uniform(-10, 0)])
        age = int(rng.integers(0, 25))
        other = SimpleNamespace(**{name: value.copy() for name, value in vars(run).items()})
        c = controls(before=before, age=age, active=1.0)
        found = newton.converged(c, run, norm, first, True)
        assert found == stopping.converged(other, norm, before, first, age)  # type: ignore[arg-type] # stands for a Run
        assert run.contraction[0] == other.contraction[0]
        answers.add(bool(found))
    assert answers == {True, False}


@pytest.mark.parametrize("x", [1e-12, 3e-5, 0.2, 1.0])
def test_a_contraction_ages_as_in_a_run_or_a_little_more(x: float) -> None:
    assert newton.aged(x) == pytest.approx(x ** (51 / 64), rel=1e-14)
    assert x**stopping.AGEING <= newton.aged(x) <= x ** (stopping.AGEING - 0.004)


def test_rounding_alone_ends_a_step_and_takes_back_that_it_was_late() -> None:
    run = SimpleNamespace(
        first_multiplier=np.array([1]), rows=np.array([2]), residual=np.array([5.0, 1e-9, -1e-9]),
        request=SimpleNamespace(c_q=np.array([1e-6])), rank=np.array([1.0]), tolerance=np.array([1e-3]),
        weight=np.ones(3), delta=np.array([1e-4, 0.0, 0.0]),
    )  # fmt: skip
    for rows, delta, active in ((1e-9, 1e-4, 0.0), (1e-7, 1e-4, 1.0), (1e-9, 1e-2, 1.0)):
        c = controls(active=1.0, ask=1.0, late=1.0, late_before=0.0)
        run.residual[:], run.delta[0] = (5.0, rows, -rows), delta
        newton.rows_at_rounding(c, run)
        assert list(run.residual) == [5.0, 0.0, 0.0]
        newton.end_at_rounding(c, run)
        assert c.active == active
        assert c.late == active
        assert c.ask == 0.0


def test_steps_in_a_row_that_were_late_make_the_next_eager_for_a_while() -> None:
    run = SimpleNamespace(frozen=np.array([1]), contraction=np.array([1e-3]))
    c = controls(formed=1.0, phase=1.0)
    renewed = []
    for _ in range(2 * PATIENCE):
        newton.begin_iterations(c, run)
        renewed.append(bool(c.renew))
        c.late = 1.0 if len(renewed) < 3 else 0.0
        newton.end_iterations(c)
    # late in steps 1 and 2: eager from step 3 on until the step after a multiple of PATIENCE
    assert renewed == [False, False, *[True] * (PATIENCE - 2), *[False] * PATIENCE]
