"""What formulas of the state do while the motion goes on a little: steps that pass over it are told, and planned runs
take steps that see it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.mechanism.expressions import Expression
from linkwork.mechanism.expressions.of_time import at_one_state, may_change_fast_with_state
from linkwork.mechanism.expressions.on_arrays import on_arrays
from linkwork.planner import passed_over
from linkwork.planner.tolerances import TimeUpError

SPEED, MASS, STIFFNESS, DAMPING = 20.0, 30.0, 2e5, 300.0  # m/s, kg, N/m, N s/m
AT, T_END = 30.0, 1.6  # m, s
X, Z = "position('wheel', 'x')", "position('wheel', 'z')"


def car(bump: str, *, table: list[tuple[float, float]] | None = None) -> lw.Mechanism:
    """A wheel that is carried along at one speed, on a tyre, over one bump of 5 cm."""
    mech = lw.Mechanism("car", gravity=[0, 0, 0])
    mech.body("carriage", mass=300.0, inertia=[10.0] * 3, velocity=[SPEED, 0, 0])
    mech.joint("road", "translational", "ground", "carriage", point=[0, 0, 0], axis=[1, 0, 0])
    mech.body("wheel", mass=MASS, inertia=[1.0] * 3, position=[0, 0, -0.5], velocity=[SPEED, 0, 0])
    mech.joint("strut", "translational", "carriage", "wheel", point=[0, 0, -0.5], axis=[0, 0, 1])
    if table is not None:
        mech.table("profile", x=[x for x, _ in table], y=[y for _, y in table])
    rise = f"-{STIFFNESS}*({Z} + 0.5 - {bump}) - {DAMPING}*velocity('wheel', 'z')"
    mech.force("tyre", "force", body="wheel", components=[0, 0, rise])
    return mech


def gaussian(width: float) -> str:
    return f"0.05*exp(-(({X} - {AT})/{width})**2)"


def kerb(width: float) -> str:
    return f"if({X} > {AT}, if({X} < {AT + width}, 0.05, 0), 0)"


def after_kerb(width: float) -> float:
    """Height of the wheel at the end, in closed form [m]."""
    decay, rate = DAMPING / (2.0 * MASS), STIFFNESS / MASS
    turn = math.sqrt(rate - decay**2)

    def left(since: float) -> float:
        """Of a step of the road, as a share, that has not been followed yet."""
        return math.exp(-decay * since) * (math.cos(turn * since) + decay / turn * math.sin(turn * since))

    up = T_END - AT / SPEED
    return 0.05 * (left(up - width / SPEED) - left(up))


def height(result: lw.Result) -> float:
    return float(result.position("wheel")[-1][2]) + 0.5


def kinds(result: lw.Result) -> list[str]:
    return [one.kind for one in result.verdicts]


@pytest.mark.parametrize("width", [0.3, 0.05, 0.01])
@pytest.mark.parametrize("interval", [1e-2, 0.2])
def test_a_planned_run_drives_over_a_short_kerb(width: float, interval: float) -> None:
    """Before, wheels stayed where they were beyond a kerb of 1 cm, or of 5 cm with few samples: accuracy reached."""
    run = lw.simulate(car(kerb(width)), T_END, interval)
    assert run.accuracy.reached
    assert abs(height(run) - after_kerb(width)) < 1e-4
    assert "missed" not in kinds(run)


def test_again_and_with_a_file(tmp_path: Any) -> None:
    mech, out = car(kerb(0.01)), tmp_path / "kerb.nc"
    for k in range(2):
        run = lw.simulate(mech, T_END, 1e-2, out=out, force=k > 0)
        assert abs(height(run) - after_kerb(0.01)) < 1e-4
    kept = lw.open_result(out)
    assert abs(height(kept) - after_kerb(0.01)) < 1e-4
    assert kept.success


def test_a_time_limit_says_that_nothing_was_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*_: Any, **__: Any) -> None:
        raise TimeUpError(None)

    monkeypatch.setattr(passed_over, "one_run", late)
    run = lw.simulate(car(gaussian(0.3)), T_END, 1e-2, time_limit=60.0)
    assert passed_over.NOT_LOOKED_AT in run.messages


def test_stops_that_are_touched_for_a_short_time_cost_no_further_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Contacts of 0.3 ms: velocities show them."""

    def no_further(*_: Any, **__: Any) -> None:
        raise AssertionError

    monkeypatch.setattr(passed_over, "one_run", no_further)
    run = lw.simulate(ball(1e8), 3.0, 0.01)
    assert run.accuracy.reached
    assert run.info["steps"] < 1000


@pytest.mark.parametrize("bump", [gaussian(0.05), gaussian(0.01), kerb(0.3), kerb(0.01)])
def test_adaptive_steps_that_pass_over_a_bump_are_told(bump: str) -> None:
    run = lw.simulate(car(bump), T_END, 0.1, "canonical", "dop853", rtol=1e-6)
    assert kinds(run) == ["missed"]
    assert run.judgement == "doubtful"
    assert "force 'tyre'" in run.verdicts[0].text
    assert "t = 1.5" in run.verdicts[0].text
    most = float(run.verdicts[0].cure.split("max_step=")[1].split(" ")[0])
    seeing = lw.simulate(car(bump), T_END, 0.1, "canonical", "dop853", rtol=1e-6, max_step=most)
    assert "missed" not in kinds(seeing)
    assert abs(height(seeing)) > 1e-3


@pytest.mark.parametrize(("way", "options"), [(("canonical", "rk4"), {}), (("rA", "generalized-alpha"), {})])
def test_steps_of_one_size_that_pass_over_a_bump_are_told(way: tuple[str, str], options: dict[str, Any]) -> None:
    """Of 8 mm: 0.4 ms."""
    run = lw.simulate(car(f"if({X} > 30.005, if({X} < 30.013, 0.05, 0), 0)"), T_END, 1e-3, *way, **options)
    assert kinds(run) == ["missed"]
    assert "Steps of 0.001 s pass over" in run.verdicts[0].text
    assert "rtol" not in run.verdicts[0].cure


def ball(stiffness: float) -> lw.Mechanism:
    """Falls on a stop that gives way."""
    mech = lw.Mechanism("ball", gravity=[0, 0, -9.81])
    mech.body("ball", mass=1.0, inertia=[0.1] * 3, position=[0, 0, 0.5])
    mech.joint("rail", "translational", "ground", "ball", point=[0, 0, 0], axis=[0, 0, 1])
    stop = f"max(0, -{stiffness}*position('ball', 'z'))"
    mech.force("stop", "force", body="ball", components=[0, 0, stop])
    return mech


@pytest.mark.parametrize("stiffness", [1e4, 1e6])
def test_a_stop_that_is_touched_for_a_short_time_is_seen(stiffness: float) -> None:
    """Contacts last 31 and 3.1 ms of 3 s: no run that sees them is said to have passed over anything."""
    for way in ({"rtol": 1e-6}, {"rtol": 1e-9}):
        assert "missed" not in kinds(lw.simulate(ball(stiffness), 3.0, 0.02, "canonical", "dop853", **way))
    for formulation, integrator in (("canonical", "rk4"), ("rA", "generalized-alpha")):
        assert "missed" not in kinds(lw.simulate(ball(stiffness), 3.0, 2e-4, formulation, integrator, every=50))
    planned = lw.simulate(ball(stiffness), 3.0, 0.01)
    assert planned.accuracy.reached
    top = planned.position("ball")[:, 2].max()
    assert abs(top - 0.5) < 1e-3


def test_samples_further_apart_than_the_motion_goes_on_make_no_right_run_wrong() -> None:
    """The wheel's oscillation goes on by 8 rad between two samples of 100 steps, and its damper's work is not known: a
    run that is right to 1e-7 m was judged wrong by its energy."""
    run = lw.simulate(car(gaussian(0.3)), T_END, 1e-3, "canonical", "rk4", every=100)
    close = lw.simulate(car(gaussian(0.3)), T_END, 1e-3, "canonical", "rk4")
    assert np.array_equal(run.position("wheel")[-1], close.position("wheel")[-1])
    assert run.success
    assert kinds(run) == ["unresolved"]
    assert close.judgement == "good"


@pytest.mark.parametrize(
    ("text", "may"),
    [
        ("-3*position('wheel', 'x') - 2*speed('wheel')*velocity('wheel', 'x')", False),
        ("sqrt(abs(position('wheel', 'x')))*sin(t) + exp(-t)", False),
        ("position('wheel', 'x')**3/7", False),
        (gaussian(0.1), True),
        (kerb(0.1), True),
        ("max(0, position('wheel', 'x'))", True),
        ("1/(0.2 - position('wheel', 'x'))", True),
        ("table('profile', position('wheel', 'x'))", True),
    ],
)
def test_which_formulas_are_looked_at(text: str, may: bool) -> None:
    efforts = car(text, table=[(0.0, 0.0), (100.0, 1.0)]).lower().efforts
    assert any(may_change_fast_with_state(one.f.root) for one in efforts) == may


@pytest.mark.parametrize(
    "text",
    [
        "2 - 3*t/7 + t**2 - 2**t",
        "sin(t) + cos(t)*tan(t) - asin(t/9) + acos(t/9) + atan(t)",
        "sinh(t) + cosh(t) - tanh(t) + exp(-t) + log(1 + t) + sqrt(t)",
        "step(t, 0.3, 0.9) - t**0.5 + (-t)**3",
    ],
)
def test_formulas_on_arrays_are_those_of_time(text: str) -> None:
    formula = Expression.parse(text)
    times = np.linspace(0.1, 1.7, 9)
    told = at_one_state(formula.root)
    assert told is not None
    expected = [formula.jet(float(t))[0] for t in times]
    np.testing.assert_allclose(on_arrays(told, times, {}, {}), expected, rtol=1e-13)
