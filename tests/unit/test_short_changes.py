"""What formulas of time do in a short time: steps that find their own size see it, steps of one size say that they do
not."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest
from mechanism_generator import random_mechanism
from numpy.testing import assert_allclose

import linkwork as lw
from linkwork.judgement.limits import Limits
from linkwork.judgement.samples import Seen
from linkwork.judgement.watch import Watch
from linkwork.mechanism.expressions import Expression
from linkwork.mechanism.expressions.of_time import at_one_state, fast_changes
from linkwork.run.starting import prepare

MASS = 2.0  # kg
BEGINS, LASTS = 0.51237, 1e-4  # s
SWITCHED = f"if(t > {BEGINS}, if(t < {BEGINS + LASTS}, 5000, 0), 0)"


def slider(push: str) -> lw.Mechanism:
    """On a rail, at rest; a push along it."""
    mech = lw.Mechanism("slider", gravity=[0, 0, 0])
    mech.body("b", mass=MASS, inertia=[0.1] * 3)
    mech.joint("rail", "translational", "ground", "b", point=[0, 0, 0], axis=[1, 0, 0])
    mech.force("push", "joint-spring", joint="rail", force=f"-({push})")
    return mech


def gaussian(width: float, impulse: float = 0.5) -> str:
    return f"{impulse / (width * math.sqrt(math.pi))!r}*exp(-((t - 0.7033)/{width})**2)"


def changes(formula: str, begin: float = 0.0, end: float = 1.0) -> list[float]:
    return fast_changes(Expression.parse(formula).root, begin, end)


def test_short_pulses_and_steep_ramps_are_found_where_time_alone_tells_them() -> None:
    for width in (1e-3, 1e-4, 3e-5):
        first, middle, last = changes(f"4 + exp(-((t - 0.7033)/{width})**2)")
        assert first < middle < last
        assert abs(middle - 0.7033) < max(width, 2.0**-15)
        assert last - first < 8.0 * width + 2.0**-13
    first, _, last = changes("3*tanh((t - 0.2)/1e-4) + sin(t)")
    assert first < 0.2 < last
    assert len(changes("exp(-((t - 0.2)/1e-4)**2) + 1/(1 + ((t - 0.6)/1e-4)**2)")) == 6


@pytest.mark.parametrize(
    "slow", ["sin(40*t)", "3*t/7", "t**3 - exp(-t)", "exp(-((t - 0.5)/0.2)**2)", "exp(sin(900*t))"]
)
def test_what_steps_see_anyway_is_no_short_change(slow: str) -> None:
    assert changes(slow) == []


def test_a_formula_of_the_state_is_one_of_time_where_what_it_measures_stands() -> None:
    mech = slider(f"if(t > 0.5, -5000*(displacement('rail') + 0.1), 0) + {gaussian(1e-3)}")
    (effort,) = mech.lower().efforts
    standing = at_one_state(effort.f.root)
    assert standing is not None
    assert at_one_state(standing) == standing
    assert fast_changes(effort.f.root, 0.0, 1.0) == fast_changes(standing, 0.0, 1.0) != []


@pytest.mark.parametrize("width", [4e-3, 4e-4, 4e-5])
@pytest.mark.parametrize(
    "how",
    [
        {"accuracy": 1e-6},
        {"formulation": "canonical", "integrator": "dop853", "rtol": 1e-8, "atol": 1e-10},
        {"formulation": "rA", "integrator": "radau5", "rtol": 1e-8, "atol": 1e-10},
    ],
)
def test_a_short_pulse_gives_its_impulse_to_steps_that_find_their_own_size(width: float, how: dict[str, Any]) -> None:
    found = lw.simulate(slider(gaussian(width)), 1.2, 0.01, **how)
    assert_allclose(found.velocity("b")[-1, 0], 0.5 / MASS, rtol=1e-5)


@pytest.mark.parametrize("step", [0.01, 1e-3])
@pytest.mark.parametrize("how", [("canonical", "rk4"), ("rA", "generalized-alpha"), ("rA", "implicit-euler")])
@pytest.mark.parametrize(
    "push", [SWITCHED, f"{SWITCHED}*(displacement('rail') + 1)", "table('pulse', t)", gaussian(1e-4)]
)
def test_steps_of_one_size_say_what_they_pass_over(push: str, how: tuple[str, str], step: float) -> None:
    mech = slider(push)
    if "table" in push:
        mech.table("pulse", x=[0, BEGINS, BEGINS + 0.5 * LASTS, BEGINS + LASTS, 2], y=[0, 0, 5000, 0, 0])
    found = lw.simulate(mech, 1.2, step, *how, limits={"energy": np.inf, "growth": np.inf})
    (said,) = (one for one in found.verdicts if one.kind == "missed")
    assert said.severity == found.judgement == "doubtful"
    assert "the formula of force 'push'" in said.text
    assert "Take steps of" in said.cure
    off = lw.simulate(mech, 1.2, step, *how, limits={"energy": np.inf, "growth": np.inf, "missed": np.inf})
    assert all(one.kind != "missed" for one in off.verdicts)


@pytest.mark.parametrize(
    "push",
    [
        "if(t > 0.5, if(t < 0.52, 50, 0), 0)",
        "10*abs(sin(7*t))",
        "if(t < 0.30303, 1, -2)",
        f"1e4*sin(t) + {SWITCHED}*0.1",
        f"{gaussian(4e-3)}",
    ],
)
def test_what_steps_see_is_not_doubted(push: str) -> None:
    found = lw.simulate(slider(push), 1.2, 1e-3, "canonical", "rk4")
    assert all(one.kind != "missed" for one in found.verdicts)


def test_a_push_between_two_samples_is_no_energy_from_nothing() -> None:
    """Steps that find their own size end where it is switched, and are right; samples tell nothing of its work."""
    found = lw.simulate(slider(SWITCHED), 1.2, 0.01, "canonical", "dop853", rtol=1e-9, atol=1e-9)
    assert_allclose(found.velocity("b")[-1, 0], 5000.0 * LASTS / MASS, rtol=1e-9)
    assert found.success
    (said,) = found.verdicts
    assert (said.kind, said.severity) == ("unresolved", "doubtful")
    assert "formulas of time change" in said.text
    planned = lw.simulate(slider(SWITCHED), 1.2, 0.01, accuracy=1e-6)
    assert_allclose(planned.velocity("b")[-1, 0], 5000.0 * LASTS / MASS, rtol=1e-6)
    assert planned.success


def test_energy_that_no_switch_gives_is_from_nothing_still() -> None:
    """0.0625 J come where the push is switched; a joule as well somewhere else is a joule too much."""
    mechanism = prepare(slider(SWITCHED), dynamics=True).compiled
    time, nothing = np.linspace(0.0, 1.2, 121), np.zeros(121)
    for elsewhere, accounted in ((0.0, True), (1.0, False)):
        watch = Watch(mechanism, Limits(), expected=121, steps_between=None, t_end=1.2, order=8)
        kinetic = 0.0625 * (time > BEGINS) + elsewhere * (time > 0.8)
        seen = Seen(time, kinetic, nothing, nothing, nothing, nothing, nothing)
        grown, share = watch._first_grown(seen, np.zeros((121, 1, 24)))
        assert (grown is None) == accounted
        assert (watch.changes_account() is not None) == accounted
        assert accounted or (time[grown] > 0.8 and share > 10.0)


def test_what_takes_the_place_of_a_planned_run_that_was_ended_needs_no_file() -> None:
    """The first of them comes apart at a singular position; a tighter one takes its place."""
    found = lw.simulate(random_mechanism(374), 1.0, 0.02, accuracy={"acceleration": 1.0})
    assert found.judgement != "wrong"


def test_models_know_where_a_pulse_is_whose_time_is_another() -> None:
    mech = slider("3525*exp(-((t - at)/8e-5)**2)")
    mech.parameter("at", 5.0)
    model = lw.compile(mech, "canonical", "dop853", rtol=1e-9, atol=1e-9)
    for at in (5.0, 0.2, 0.7033, 0.9):
        found = model.run(1.2, 0.01, parameters={"at": at})
        speed = 3525.0 * 8e-5 * math.sqrt(math.pi) / MASS * (at < 1.2)
        assert_allclose(found.velocity("b")[-1, 0], speed, rtol=1e-7, atol=1e-12)
        wanted = lw.simulate(mech.with_numbers({"at": at}), 1.2, 0.01, "canonical", "dop853", rtol=1e-9, atol=1e-9)
        np.testing.assert_array_equal(found["position"], wanted["position"])
        assert found.info["steps"] == wanted.info["steps"]


SWITCH = "if(t > at, 3, -2)"


@pytest.mark.parametrize(
    ("push", "to", "how", "told"),
    [
        (SWITCH, "at", {"integrator": "rk4"}, "'at' moves such a time"),
        (SWITCH, "b.mass", {"integrator": "rk4"}, ""),
        ("if(t > at, 3*(t - at), 0)", "at", {"integrator": "rk4"}, ""),
        ("abs(sin(7*(t - at)))", "at", {"integrator": "rk4"}, ""),
        (SWITCH, "b.mass", {"integrator": "dop853", "rtol": 1e-8}, ""),
        (SWITCH, "at", {"integrator": "dop853", "rtol": 1e-8}, ""),
        ("3*sin(t) + at", "b.mass", {"integrator": "dop853", "rtol": 1e-8}, ""),
    ],
)
def test_derivatives_over_a_switch_say_what_they_do_not_count(
    push: str, to: str, how: dict[str, Any], told: str
) -> None:
    """By its time the speed would change by 2.5 m/s in a second, and tangents of steps are 0."""
    mech = slider(push)
    mech.parameter("at", 0.5037)
    of = {"speed": lw.Final("b.velocity.x")}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = lw.sensitivities(mech, 1.2, 0.01, "canonical", of=of, to=[to], mode="tangent", **how)
    assert [told in str(one.message) for one in caught] == [True] * bool(told)
    assert list(found.messages) == [str(one.message) for one in caught]
    assert (found.digits == 0) == bool(told)
