"""Tangents of recorded steps that find their own size: those of dual numbers through the run's own kernels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from unit.test_tangents_solved_anew import CRANK, FOUR_BAR, Case

import linkwork as lw
from linkwork.derivatives import moving as moving_module
from linkwork.derivatives import tangents_adaptive, traced
from linkwork.derivatives.described import numbers_of
from linkwork.derivatives.moving import Moving, carried_out
from linkwork.lanes.traced import adaptive_reverse_code


def pendulum() -> lw.Mechanism:
    return lw.load("kissel2021_double_pendulum")


def spun() -> lw.Mechanism:
    """Driven by a force of time, so that the time of a stage moves what it comes to."""
    mech = pendulum()
    mech.parameter("omega", 3.0)
    mech.force("push", "force", body="bar 2", components=["cos(omega*t)", "sin(omega*t)**2", 0])
    return mech


PENDULUM = (pendulum, ["bar 1.shape.density", "elbow.point[1]", "gravity[2]"])
SPUN = (spun, ["omega", "bar 2.shape.density", *(f"bar {k}.shape.size[0]" for k in (1, 2)), "gravity[1]"])
FINE = {"rtol": 1e-8, "atol": 1e-10}


def moving_of(case: Case, formulation: str, integrator: str, end: float = 0.6, **options: Any) -> Moving:
    numbers = numbers_of(mech := case[0](), case[1])
    step = options.pop("step", 0.02)
    return Moving(carried_out(mech, end, step, formulation, integrator, None, options or FINE, numbers), numbers)


def off(moving: Moving) -> float:
    """How far tangents are from those of dual numbers, in the largest of their kind by their number. Values are to be
    those of the run; dual numbers take steps of other sizes, as the rounding of small errors has it."""
    found, wanted, run = moving.samples, moving.dual_samples(), moving.nominal.block
    assert moving.way == "recorded steps"
    worst = 0.0
    for kind in ("motion", "multiplier"):
        one, other = found[kind], wanted[kind]
        assert one.shape == other.shape
        values = np.abs(one[..., 0] - run[kind])
        assert np.max(values, initial=0.0) <= 1e-11 * np.max(np.abs(run[kind]), initial=0.0)
        for k in range(1, one.shape[-1]):
            size = np.max(np.abs(other[..., k]), initial=0.0)
            if size > 1e-9 * np.max(np.abs(other[..., 1:]), initial=0.0):
                worst = max(worst, float(np.max(np.abs(one[..., k] - other[..., k]))) / size)
    return worst


@pytest.fixture(autouse=True)
def always(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("WORTH", "WORTH_ANEW", "WORTH_BACK"):
        monkeypatch.setattr(traced, name, 0)


@pytest.mark.parametrize(
    ("case", "formulation", "integrator"),
    [
        (PENDULUM, "canonical", "dop853"),
        (SPUN, "canonical", "dp54"),
        (SPUN, "lie-mixed", "dop853"),
        (CRANK, "canonical", "dop853"),
        (CRANK, "null-space", "dp54"),
        (FOUR_BAR, "range-space", "ts54"),
    ],
)
def test_tangents_are_those_of_dual_numbers(case: Case, formulation: str, integrator: str) -> None:
    """Forces of time, loops and dependent rows, methods whose last stage is the next step's first or is not."""
    assert off(moving_of(case, formulation, integrator)) <= 10.0 * FINE["rtol"]


@pytest.mark.parametrize(
    "options",
    [
        {"rtol": 1e-4, "atol": 1e-4, "step": 0.15},  # steps without a sample, repeated ones
        {"rtol": 1e-6, "max_step": 0.01},
        {"rtol": 1e-9, "step": 0.6},  # a sample at the end alone
        {"rtol": 1e-7, "t_eval": [0.1, 0.1001, 0.35, 0.6]},
    ],
    ids=["rough", "short", "at the end", "times"],
)
@pytest.mark.parametrize("integrator", ["dop853", "dp54"])
def test_whatever_decides_how_long_steps_are(integrator: str, options: dict[str, Any]) -> None:
    moving = moving_of(SPUN, "canonical", integrator, **options)
    assert off(moving) <= 1e-8
    if "atol" in options:
        assert moving.nominal.session.run.counts["rejected"] > 0


def on_springs() -> lw.Mechanism:
    """A bar that swings into a stop, and is held back by what acts on one side alone."""
    mech = pendulum()
    stop = "max(0, -200*(position('bar 2', 'y') + 1.5))"
    mech.force("stop", "force", body="bar 2", components=["-2*abs(velocity('bar 2', 'x'))", stop, 0])
    return mech


def test_formulas_that_change_sides_on_the_way() -> None:
    """Both sides are recorded: tangents are those of the side that is taken, in trials that are repeated, too."""
    case = (on_springs, PENDULUM[1])
    assert off(moving_of(case, "canonical", "dop853", 1.2, rtol=1e-5)) <= 1e-7
    assert adjoint_of(case, "bar 2", "canonical", "dp54", rtol=1e-5) <= 1e-10


@pytest.mark.parametrize(("formulation", "worth"), [("canonical", "WORTH"), ("augmented", "WORTH_ANEW")])
def test_few_steps_are_left_to_dual_numbers(formulation: str, worth: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where not many solve equations anew."""
    monkeypatch.setattr(traced, worth, 1_000_000)
    moving = moving_of(PENDULUM, formulation, "dop853")
    assert np.isfinite(moving.samples["motion"]).all()
    assert "fewer steps than code of their own is worth" in moving.way


def test_a_run_that_comes_to_something_else_is_left_to_dual_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tangents_adaptive, "NEAR", 0.0)
    monkeypatch.setattr(traced, "NOTHING", 0.0)
    moving = moving_of(SPUN, "lie-mixed", "dop853")
    assert np.array_equal(moving.samples["motion"], moving.dual_samples()["motion"])
    assert "something else than the run" in moving.way


def test_steps_that_end_at_kinks_are_left_to_dual_numbers() -> None:
    mech = pendulum()
    mech.force("push", "force", body="bar 2", components=["if(t > 0.1, 1, 0)", 0, 0])
    numbers = numbers_of(mech, ["bar 1.shape.density"])
    moving = Moving(carried_out(mech, 0.3, 0.05, "canonical", "dop853", None, FINE, numbers), numbers)
    assert np.isfinite(moving.samples["motion"]).all()
    assert moving.way.startswith("dual numbers")


def test_a_record_serves_other_tolerances_and_ends() -> None:
    """Made once: what differs is an input."""
    first = moving_of(PENDULUM, "canonical", "dop853")
    assert first.way or len(first.samples)
    kept = len(moving_module.RECORDS)
    later = moving_of(PENDULUM, "canonical", "dop853", 0.9, rtol=1e-6, max_step=0.2)
    assert off(later) <= 1e-8
    assert len(moving_module.RECORDS) == kept


def adjoint_of(case: Case, body: str, formulation: str, integrator: str, **options: Any) -> float:
    """How far derivatives in reverse are from tangents, in the largest; both by recorded steps."""
    of = {"end": lw.Final(f"{body}.position"), "mean": lw.Integral(f"{body}.velocity")}
    step, worst = options.pop("step", 0.02), 0.0
    run = (case[0](), 0.6, step, formulation, integrator)
    back = lw.sensitivities(*run, of=of, to=case[1], mode="adjoint", **options or FINE)
    along = lw.sensitivities(*run, of=of, to=case[1], **options or FINE)
    assert back.way == along.way == "recorded steps"
    for name in of:
        assert np.array_equal(back.values[name], along.values[name])
        worst = max(worst, float(np.max(np.abs(back[name] - along[name])) / np.max(np.abs(along[name]))))
    return worst


@pytest.mark.parametrize(
    ("case", "body", "formulation", "integrator"),
    [(CRANK, "slider", "canonical", "dop853"), (FOUR_BAR, "coupler", "range-space", "ts54")],
)
def test_the_adjoint_is_the_tangent(case: Case, body: str, formulation: str, integrator: str) -> None:
    assert adjoint_of(case, body, formulation, integrator) <= 1e-10


@pytest.mark.parametrize(
    "options",
    [{"rtol": 1e-4, "atol": 1e-4, "step": 0.15}, {"rtol": 1e-6, "max_step": 0.01}, {"rtol": 1e-9, "step": 0.6}],
    ids=["rough", "short", "at the end"],
)
@pytest.mark.parametrize("integrator", ["dop853", "dp54"])
def test_the_adjoint_of_whatever_decides_how_long_steps_are(integrator: str, options: dict[str, Any]) -> None:
    assert adjoint_of(SPUN, "bar 2", "canonical", integrator, **options) <= 1e-11


@pytest.mark.parametrize("worth", [0, 10**9])
def test_sizes_of_steps_are_held(worth: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a slider crank that comes to rest, over 20 and 60 s, derivatives are as steps of one size have them: through
    the control of step sizes tangents were 5 where these are -0.7, and later grew without bound."""
    for name in ("WORTH", "WORTH_BACK"):
        monkeypatch.setattr(traced, name, worth)
    mech, to = lw.load("spatial_slider_crank_spring"), ["connecting rod.mass", "slider.mass", "spring.stiffness"]
    for end in (20.0, 60.0):
        asked: dict[str, Any] = {"of": "final(slider.position)", "to": to, "digits": False}
        wanted = lw.sensitivities(mech, end, 1e-3, "canonical", "rk4", every=1000, **asked)[asked["of"]]
        for mode in ("tangent", "adjoint"):
            how = {"rtol": 1e-9, "atol": 1e-9, "mode": mode}
            found = lw.sensitivities(mech, end, end, "canonical", "dop853", **how, **asked)
            assert (found.way == "recorded steps") == (worth == 0)
            assert np.max(np.abs(found[asked["of"]] - wanted)) <= 1e-4 * np.max(np.abs(wanted))


LONG = [(SPUN, "bar 2", "dp54", {"rtol": 1e-5}, 0.01), (CRANK, "slider", "dop853", FINE, 0.2)]


@pytest.mark.parametrize(("case", "body", "integrator", "options", "step"), LONG)
def test_states_of_long_runs_are_kept_at_distances(
    case: Case, body: str, integrator: str, options: dict[str, float], step: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And steps between are taken again: to the last bit."""
    mech, to = case
    of = {"end": lw.Final(f"{body}.position"), "mean": lw.Integral(f"{body}.velocity")}
    run, how = (mech(), 0.6, step, "canonical", integrator), {"of": of, "to": to, "mode": "adjoint"}
    whole = lw.sensitivities(*run, **how, **options)
    monkeypatch.setattr(adaptive_reverse_code, "SHORT", 0)
    parts = lw.sensitivities(*run, **how, **options)
    assert whole.way == parts.way == "recorded steps"
    for name in of:
        assert np.array_equal(whole[name], parts[name])


def test_runs_that_come_to_something_else_are_reversed_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where operations are not all kept, of the whole run or of a part."""
    mech, run = pendulum(), (0.2, 0.05, "canonical", "dop853")
    asked: dict[str, Any] = {"of": "final(bar 2.position)", "to": PENDULUM[1][:1], "mode": "adjoint", **FINE}
    recorded = lw.sensitivities(mech, *run, **asked)
    assert recorded.way == "recorded steps"
    none_kept = {"OPERATIONS": 0, "FURTHER": 0}
    for changes in ({"NEAR": 0.0}, none_kept, {**none_kept, "SHORT": 0}):
        with monkeypatch.context() as patched:
            for name, value in changes.items():
                patched.setattr(tangents_adaptive if name == "NEAR" else adaptive_reverse_code, name, value)
            patched.setattr(traced, "NOTHING", 0.0)
            found = lw.sensitivities(mech, *run, **asked)
        assert found.way.startswith("each step recorded anew")
        (one,), (other,) = found.derivatives.values(), recorded.derivatives.values()
        assert np.max(np.abs(one - other)) <= 1e-10 * np.max(np.abs(one))
