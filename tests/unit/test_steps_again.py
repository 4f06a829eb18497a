"""Runs that record each k-th step: steps are taken again where samples do not rule a defect out."""

from __future__ import annotations

import math
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from unit.sticking import STUCK, block, crank_and_block

import linkwork as lw
from linkwork.errors import RunInterruptedError
from linkwork.judgement.defects import AGAIN, PLACES, largest_again
from linkwork.kernels.angles import count_angles
from linkwork.run.chunks import Chunks
from linkwork.run.recording import COLUMNS, part_of
from linkwork.run.simulate import Call
from linkwork.run.starting import shared_start
from linkwork.run.steps_again import StepsAgain
from linkwork.system import compile_mechanism
from linkwork.system.counted_angles import angles_after

UNLIMITED = {"energy": math.inf, "growth": math.inf}
METHODS = [("lie-mixed", "rk4"), ("augmented", "heun"), ("canonical", "euler")]
LAWS = (
    STUCK,
    "-(2*atan(velocity('block', 'x')/1e-5)/asin(1)) - 8*(position('block', 'x') - 0.4)",
    "-2*max(-1, min(1, velocity('block', 'x')/1e-4)) - 8*(position('block', 'x') - 0.4)",
)


def defects(run: lw.Result) -> list[Any]:
    return [verdict for verdict in run.verdicts if verdict.kind == "defect"]


def motion_of(run: lw.Result) -> dict[str, np.ndarray]:
    n, nb = run.time.size, len(run.header.bodies)
    return {"time": run.time, "motion": np.concatenate([run[name].reshape(n, nb, -1) for name in COLUMNS], axis=2)}


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Samples from which steps have been taken again."""
    found: list[int] = []
    really = StepsAgain.__call__

    def counted(self: StepsAgain, k: int, steps: int) -> Any:
        found.append(k)
        return really(self, k, steps)

    monkeypatch.setattr(StepsAgain, "__call__", counted)
    return found


# what is told ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("every", [2, 5, 10, 100])
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize(("formulation", "integrator"), METHODS)
def test_a_block_that_creeps_between_samples_is_told(
    formulation: str, integrator: str, law: str, every: int, taken: list[int]
) -> None:
    run = lw.simulate(block(law), 4.0, 1e-3, formulation, integrator, every=every, limits=UNLIMITED)
    (verdict,) = defects(run)
    assert "'block'" in verdict.text
    assert verdict.value > 0.5
    assert run.judgement == "doubtful"
    assert 0 < len(taken) <= PLACES


@pytest.mark.parametrize("ending", ["nc", "csv"])
def test_files_are_judged_as_results_in_memory_are(ending: str, tmp_path: Path) -> None:
    how = block(STUCK), 4.0, 1e-3, "lie-mixed", "rk4"
    told = [str(one) for one in lw.simulate(*how, every=10).verdicts]
    assert told
    assert [str(one) for one in lw.simulate(*how, every=10, out=tmp_path / f"run.{ending}").verdicts] == told


def test_a_run_that_is_gone_on_with_is_judged_by_all_its_samples(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Interrupted when the block has stuck for the last time."""
    monkeypatch.setattr(Chunks, "took", lambda self, steps, seconds: None)
    monkeypatch.setattr(Chunks, "of", classmethod(lambda cls, nb, size: cls(size, 50)))
    how = block(f"if(t < 1.6, {STUCK}, -1)"), 3.0, 1e-3, "lie-mixed", "rk4"
    told = [str(one) for one in lw.simulate(*how, every=10).verdicts]
    assert any("of body 'block' changes otherwise" in one for one in told)

    def interrupt(reached: float, t_end: float) -> None:
        if reached > 1.7:
            raise KeyboardInterrupt

    file = tmp_path / "run.nc"
    with pytest.raises(RunInterruptedError) as raised:
        lw.simulate(*how, every=10, out=file, progress=interrupt)
    assert raised.value.result.time[-1] < 2.9
    assert [str(one) for one in lw.resume(file).verdicts] == told


def test_runs_of_a_compiled_model_are_judged_as_any(taken: list[int]) -> None:
    model = lw.compile(block(f"{STUCK} + 0*k", k=1.0), "lie-mixed", "rk4", every=10)
    for given in ({}, {"k": 2.0}):
        assert defects(model.run(4.0, 1e-3, parameters=given))
    assert len(taken) == 2


def test_judged_runs_of_a_sweep_are_doubted() -> None:
    mech = block("-mu*tanh(velocity('block', 'x')/1e-4) + 2.5*sin(3*t)", mu=2.0)
    how: dict[str, Any] = {"t_end": 4.0, "step": 1e-3, "formulation": "lie-mixed", "integrator": "rk4"}
    mus = {"mu": [0.0, 2.0, 1.8]}
    found = lw.sweep(mech, mus, keep="final(block.position.x)", every=10, judge=True, threads=1, **how)
    assert list(found["judgement"]) == [0, 1, 1]


def test_a_state_that_a_run_begins_at_is_that_of_its_first_sample() -> None:
    first = lw.simulate(block(STUCK), 2.0, 1e-3, "lie-mixed", "rk4", every=10)
    assert not defects(lw.simulate(block(STUCK), 0.5, 1e-3, "lie-mixed", "rk4", every=10))
    (verdict,) = defects(lw.simulate(block(STUCK), 4.0, 1e-3, "lie-mixed", "rk4", every=10, state=first.state(-1)))
    assert 2.0 < verdict.time < 4.0


# what is not -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("formulation", "integrator", "step", "every"),
    [("lie-mixed", "rk4", 2e-5, 500), ("rA", "generalized-alpha", 1e-2, 10), ("rp", "implicit-euler", 1e-3, 10)],
)
def test_right_runs_are_not_doubted(
    formulation: str, integrator: str, step: float, every: int, taken: list[int]
) -> None:
    """Where the block comes to rest between two samples, these alone would not tell."""
    run = lw.simulate(block(STUCK), 4.0, step, formulation, integrator, every=every, limits=UNLIMITED)
    assert not defects(run)
    assert taken


def test_what_goes_round_between_samples_is_right(taken: list[int]) -> None:
    """The crank's velocity is the same at each sample, and so is its acceleration of 36 m/s^2; nothing of the result
    depends on whether it is looked at."""
    mech = crank_and_block("-2*tanh(velocity('block', 'x')/0.1)")
    every = round(2.0 * math.pi / 60.0 / 1e-4)
    looked, not_looked = (
        lw.simulate(mech, 4.0, 1e-4, "lie-mixed", "rk4", every=every, limits={"defect": limit})
        for limit in (0.5, math.inf)
    )
    assert not looked.verdicts
    assert len(taken) == PLACES
    assert all(np.array_equal(looked[name], not_looked[name]) for name in ("time", *COLUMNS))
    assert looked.judgement == not_looked.judgement == "good"


@pytest.mark.parametrize("limits", [{}, {"defect": math.inf}])
def test_nothing_is_taken_again_where_no_formula_changes_fast(limits: dict[str, float], taken: list[int]) -> None:
    assert not lw.simulate(crank_and_block("sin(3*t)"), 1.0, 1e-3, "lie-mixed", "rk4", every=100).verdicts
    steep = block("-2*tanh(velocity('block', 'x')/1e-4)")
    assert lw.simulate(steep, 0.4, 1e-3, "lie-mixed", "rk4", every=10, limits=limits).judgement == "good"  # it slides
    assert lw.simulate(block(STUCK), 4.0, 1e-3, "lie-mixed", "rk4", every=10, limits={"defect": math.inf})
    assert not taken


# steps taken again --------------------------------------------------------------------------------------------


def wound() -> lw.Mechanism:
    """A wheel that a torsion spring lets go after two turns and more, driven by time, too, beside a loop of bars."""
    mech = lw.load("planar_four_bar")
    mech.body("wheel", mass=2.0, inertia=[0.1, 0.1, 0.2], position=[0, 5, 0], angular_velocity=[0, 0, 30.0])
    mech.joint("axle", "revolute", "ground", "wheel", point=[0, 5, 0], axis=[0, 0, 1])
    mech.force("spring", "torsion", joint="axle", stiffness=0.5, damping=0.01)
    return mech


@pytest.mark.parametrize(
    ("formulation", "integrator", "close"),
    [
        ("lie-mixed", "rk4", 1e-9),
        ("canonical", "heun", 1e-9),
        ("augmented", "euler", 1e-9),
        ("rp", "implicit-euler", 1e-4),
        ("rA", "generalized-alpha", 1e-4),
    ],
)
@pytest.mark.parametrize("every", [3, 20])
def test_they_are_those_of_the_run(formulation: str, integrator: str, close: float, every: int) -> None:
    """Of explicit methods to rounding; implicit ones begin anew with what they carry beyond the state."""
    mech, how = wound(), (1.0, 1e-3, formulation, integrator)
    each = motion_of(lw.simulate(mech, *how, limits=UNLIMITED))
    kept = [{name: array[part] for name, array in each.items()} for part in (slice(0, 1), slice(every, None, every))]
    compiled = shared_start(mech, None, True, False, False).compiled
    again = StepsAgain(Call.of(mech, *how, None, None, {}), compiled, partial(part_of, kept))
    for k in (0, 600 // every, 300 // every, 900 // every):
        found = again(k, AGAIN)
        assert found is not None
        wanted = {name: array[every * k :][: AGAIN + 1] for name, array in each.items()}
        np.testing.assert_allclose(found["time"], wanted["time"], rtol=0, atol=1e-12)
        size = 1.0 + np.max(np.abs(wanted["motion"]), axis=(0, 1))
        off = np.abs(found["motion"] - wanted["motion"]) / size
        assert np.max(off[0, :, :18]) < 1e-12
        assert np.max(off[:, :, : 24 if close < 1e-6 else 18]) < close


def test_angles_are_counted_as_compiled_code_counts_them() -> None:
    mech = wound()
    run = lw.simulate(mech, 1.0, 1e-3, "lie-mixed", "rk4", every=10)
    compiled = compile_mechanism(mech.lower())
    n, nb = run.time.size, compiled.nb
    A, angles = compiled.A.copy(), np.zeros(compiled.angles)
    rotations = run["rotation"].reshape(n, nb, 9)
    for sample in rotations:
        A[:nb] = sample
        count_angles(compiled.system, A, angles, angles)
    assert np.max(np.abs(angles)) > 2.0 * math.pi
    found = np.zeros(compiled.angles)
    for part in np.array_split(rotations, 7):
        found = angles_after(compiled, part, found)
    np.testing.assert_allclose(found, angles, rtol=0, atol=1e-12)


def test_where_steps_cannot_be_taken_again_nothing_is_said() -> None:
    n, every = 60, 10
    time = 1e-2 * np.arange(n)
    speeds, rates = np.zeros((n, 6)), np.zeros((n, 6))
    rates[:, 0] = 5.0
    asked: list[int] = []

    def refused(k: int, steps: int) -> None:
        asked.append(k)
        assert every * k + steps <= every * (n - 1)

    def failing(k: int, steps: int) -> dict[str, np.ndarray]:
        return {"time": time[:9], "motion": np.zeros((9, 1, 24))}

    def creeping(k: int, steps: int) -> dict[str, np.ndarray]:
        asked.append(k)
        motion = np.zeros((steps + 1, 1, 24))
        motion[:, 0, 18] = 5.0
        return {"time": 1e-3 * np.arange(steps + 1) + time[k], "motion": motion}

    given = time, speeds, rates, 1.0, every
    assert largest_again(*given, refused, 0.5) is None
    assert len(set(asked)) == len(asked) == PLACES
    assert largest_again(*given, failing, 0.5) is None
    asked.clear()
    found = largest_again(*given, creeping, 0.5)
    assert found is not None
    assert found.fraction == pytest.approx(1.0)
    assert len(asked) == 1, "one is enough"
    assert largest_again(time[:4], speeds[:4], rates[:4], 1.0, every, creeping, 0.5) is None
    assert largest_again(time, np.zeros((n, 0)), np.zeros((n, 0)), 1.0, every, creeping, 0.5) is None


def test_bodies_that_go_round_between_samples_do_not_hide_one_that_creeps_for_a_while() -> None:
    n = 400
    speeds, rates = np.zeros((n, 12)), np.zeros((n, 12))
    rates[:, 0] = 100.0
    rates[20:24, 4] = 5.0
    asked: list[int] = []
    largest_again(1e-2 * np.arange(n), speeds, rates, 1.0, 10, lambda k, steps: asked.append(k), 0.5)
    assert len(asked) == PLACES
    assert asked[0] in range(20, 23)
