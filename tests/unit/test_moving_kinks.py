"""Derivatives over switches and kinks of formulas of time, where steps find their own size: as of the motion, by what
moves such a time, too."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from numpy.typing import NDArray

import linkwork as lw
from linkwork.derivatives.described import numbers_of
from linkwork.derivatives.moving_kinks import MovingKinks
from linkwork.derivatives.spacings import spacing_of
from linkwork.run.starting import prepare
from linkwork.system.kinks import kink_times

MASS = 2.0  # kg
AT, WIDE = 0.5037, 0.2  # s
PUSH = "if(t < at, 5, if(t < at + wide, -2, 0))"
OF = {"speed": lw.Final("b.velocity.x"), "way": lw.Final("b.position.x"), "sum": lw.Integral("b.position.x")}
HOW: dict[str, Any] = {"rtol": 1e-9, "atol": 1e-9}
Array = NDArray[np.float64]


def slider(push: str, **parameters: float) -> lw.Mechanism:
    """On a rail, at rest; a push along it."""
    mech = lw.Mechanism("slider", gravity=[0, 0, 0])
    for name, value in parameters.items():
        mech.parameter(name, value)
    mech.body("b", mass=MASS, inertia=[0.1] * 3)
    mech.joint("rail", "translational", "ground", "b", point=[0, 0, 0], axis=[1, 0, 0])
    mech.force("push", "joint-spring", joint="rail", force=f"-({push})")
    return mech


def pendulum(turning: str, **parameters: float) -> lw.Mechanism:
    """A rod that hangs on a hinge, and what turns it there."""
    mech = lw.Mechanism("pendulum")
    for name, value in parameters.items():
        mech.parameter(name, value)
    mech.body("b", mass=1.2, inertia=[0.04, 0.04, 0.001], position=[0, 0, -0.3], angular_velocity=[0, 1.5, 0])
    mech.joint("hinge", "revolute", "ground", "b", point=[0, 0, 0], axis=[0, 1, 0])
    mech.force("motor", "joint-spring", joint="hinge", force=f"-({turning})")
    return mech


def central(mech: lw.Mechanism, names: Sequence[str], h: float, **how: Any) -> Array:
    """(numbers,) of the last position in x, by differences of fine runs."""

    def at(name: str, by: float) -> float:
        value = {one.name: one.value for one in numbers_of(mech, names)}[name] + by
        found = lw.simulate(mech.with_numbers({name: value}), 1.2, 0.05, "canonical", "dop853", rtol=1e-13, atol=1e-13)
        return float(found.position("b")[-1, 0])

    return np.array([(8 * (at(n, h) - at(n, -h)) - (at(n, 2 * h) - at(n, -2 * h))) / (12 * h) for n in names])


def moving(mech: lw.Mechanism, names: Sequence[str], begin: float = 0.0, end: float = 1.0) -> MovingKinks:
    ready, numbers = prepare(mech, dynamics=True), numbers_of(mech, names)
    kinks = kink_times(ready.compiled, begin, end)
    steps = [spacing_of(one, ready) for one in numbers]
    return MovingKinks(ready.compiled.lowered, kinks, (begin, end), numbers, steps)


def test_a_force_that_is_switched_has_the_derivatives_of_its_motion() -> None:
    mech, to = slider(PUSH, at=AT, wide=WIDE), ["at", "wide", "b.mass"]
    plain = lw.simulate(mech, 1.2, 0.05, "canonical", "dop853", **HOW)
    found = lw.sensitivities(mech, 1.2, 0.05, "canonical", "dop853", of=["velocity", "position"], to=to, **HOW)
    np.testing.assert_array_equal(found.result["position"], plain["position"])
    t, speed = plain.time, plain.velocity("b")[:, 0]
    after, behind = np.maximum(t - AT, 0.0), np.maximum(t - AT - WIDE, 0.0)
    assert_allclose(speed, (5.0 * (t - after) - 2.0 * (after - behind)) / MASS, atol=1e-12)
    by_at = np.where(behind > 0.0, 2.5, np.where(after > 0.0, 3.5, 0.0))
    wanted = np.stack([by_at, np.where(behind > 0.0, -1.0, 0.0), -speed / MASS], axis=-1)
    assert_allclose(found["velocity"][:, 0, 0], wanted, atol=1e-11)
    wanted = np.stack([3.5 * after - behind, -behind, -plain.position("b")[:, 0] / MASS], axis=-1)
    assert_allclose(found["position"][:, 0, 0], wanted, atol=1e-11)
    assert found.digits is not None
    assert found.digits >= 10
    assert not found.messages
    back = lw.sensitivities(mech, 1.2, 0.05, "canonical", "dop853", of=OF, to=to, mode="adjoint", **HOW)
    ahead = lw.sensitivities(mech, 1.2, 0.05, "canonical", "dop853", of=OF, to=to, **HOW)
    for name in OF:
        assert_allclose(back[name], ahead[name], rtol=1e-12, atol=1e-12)
        np.testing.assert_array_equal(back.values[name], ahead.values[name])
    assert back.digits is not None
    assert back.digits >= 10
    assert not back.messages


@pytest.mark.parametrize(
    ("turning", "numbers"),
    [
        ("if(t < at, 1.5, -0.8*sin(3*t))", {"at": AT}),
        ("size*abs(sin(w*t))", {"w": 7.0, "size": 2.0}),
        ("if(sin(w*t) > 0.3, 2, -1)", {"w": 7.0}),
        ("2*table('ramp', k*t)", {"k": 0.9}),
    ],
)
def test_a_pendulum_that_is_driven_over_kinks(turning: str, numbers: dict[str, float]) -> None:
    """Kinks are no jumps, and zeros of a sine not at a distance that grows evenly."""
    mech, to = pendulum(turning, **numbers), [*numbers, "b.mass"]
    if "table" in turning:
        mech.table("ramp", x=[0.0, 0.4, 1.0, 2.0], y=[0.0, 1.0, -0.5, 2.0])
    of = {"x": lw.Final("b.position.x")}
    found = lw.sensitivities(mech, 1.2, 0.05, "canonical", "dop853", of=of, to=to, rtol=1e-11, atol=1e-11)
    wanted = central(mech, to, 1e-3)
    assert_allclose(found["x"], wanted, rtol=1e-8, atol=1e-8 * np.max(np.abs(wanted)))
    assert not found.messages
    assert found.digits is not None
    assert found.digits >= 8


def test_in_reverse_it_is_the_same_where_forces_follow_the_motion() -> None:
    """Eleven kinks, of which two are jumps that numbers move, and drag."""
    mech = slider(
        "if(t < at, 5, -2*abs(sin(w*t)) + if(t < at + wide, 1, 0)) - 3*speed('b')**3", at=AT, wide=WIDE, w=19.0
    )
    to = ["at", "wide", "w", "b.mass"]
    of = {"x": lw.Final("b.position.x"), "sum": OF["sum"]}
    found, back = (
        lw.sensitivities(mech, 1.2, 0.05, "canonical", "dop853", of=of, to=to, mode=mode, rtol=1e-11, atol=1e-11)
        for mode in ("tangent", "adjoint")
    )
    wanted = central(mech, to, 5e-4)
    assert_allclose(found["x"], wanted, rtol=1e-8, atol=1e-8 * np.max(np.abs(wanted)))
    for name in of:
        assert_allclose(back[name], found[name], rtol=1e-12, atol=1e-12)
    assert not back.messages


def test_formulas_of_time_alone_move_with_the_times_of_steps() -> None:
    """Where steps find their own size these times have tangents, and so have loads and drives at them."""
    mech = lw.Mechanism("rod", gravity=[0, 0, 0])
    mech.parameter("size", 2.0)
    mech.body("b", mass=MASS, inertia=[0.1] * 3)
    mech.joint("hinge", "revolute", "ground", "b", point=[0, 0, 0.3], axis=[0, 1, 0])
    mech.force("push", "force", body="b", components=["size*sin(3*t)", "0", "0"])
    of, to = {"x": lw.Final("b.position.x")}, ["size", "b.mass"]
    found = lw.sensitivities(mech, 1.2, 0.05, "canonical", "dop853", of=of, to=to, rtol=1e-11, atol=1e-11)
    assert_allclose(found["x"], central(mech, to, 1e-3), rtol=1e-9)


def test_a_pulse_that_is_short_beside_the_steps_has_derivatives() -> None:
    """Its impulse is that of all of it; by its time the speed behind it does not change, the way by minus the speed."""
    wide, force = 4e-4, 500.0
    mech = slider("force*exp(-((t - at)/wide)**2)", at=AT, wide=wide, force=force)
    to = ["at", "wide", "force", "b.mass"]
    found = lw.sensitivities(mech, 1.2, 0.05, "canonical", "dop853", of=OF, to=to, **HOW)
    speed = force * wide * math.sqrt(math.pi) / MASS
    assert_allclose(found.values["speed"], speed, rtol=1e-8)
    rates = np.array([0.0, 1.0 / wide, 1.0 / force, -1.0 / MASS])
    assert_allclose(found["speed"], speed * rates, atol=2e-5 * speed / wide, rtol=1e-6)
    assert_allclose(found["way"], speed * ((1.2 - AT) * rates - [1, 0, 0, 0]), atol=2e-5 * speed / wide, rtol=1e-6)
    assert found.digits is not None
    assert found.digits >= 8
    assert not found.messages


@pytest.mark.parametrize(
    ("push", "numbers", "to", "told"),
    [
        ("if(t < at, 5, 0) + if(t < other, 0, -2)", {"at": 0.5, "other": 0.5}, "at", True),
        ("if(t < at, 5, 0) + if(t < other, 0, -2)", {"at": 0.5, "other": 0.5}, "b.mass", False),
        ("max(t, at) + abs(t - other)", {"at": 0.5, "other": 0.5}, "at", False),
        ("if(t < at, 0, 5)", {"at": 1.2}, "at", True),
        ("max(t, at)", {"at": 0.0}, "at", False),
    ],
)
def test_what_is_not_counted_is_told(push: str, numbers: dict[str, float], to: str, told: bool) -> None:
    """Jumps that coincide and part, and such as a number moves into the run: there is no derivative to both sides."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = lw.sensitivities(
            slider(push, **numbers), 1.2, 0.05, "canonical", "dop853", of={"speed": OF["speed"]}, to=[to], **HOW
        )
    assert (found.digits == 0) == told
    assert len(caught) == told
    assert all(f"'{to}' moves such a time" in one for one in found.messages)
    assert len(found.messages) == told


def test_a_jump_where_a_run_begins_is_told() -> None:
    mech = slider("if(t < at, 0, 5)", at=0.3)
    assert moving(mech, ["at"], 0.3, 1.0).untold() == ("at", "force 'push'", 0.3)
    assert moving(mech, ["at"], 0.2, 1.0).untold() is None


def test_a_sample_at_a_jump_has_the_derivative_of_what_is_behind() -> None:
    mech = slider("if(t < at, 5, -2)", at=0.5)
    found = lw.sensitivities(mech, 1.2, 0.05, "canonical", "dop853", of="velocity", to="at", **HOW)
    assert_allclose(found["velocity"][:, 0, 0, 0], np.where(found.result.time > 0.499, 3.5, 0.0), atol=1e-11)
    assert found.digits is not None
    assert found.digits >= 10
    (said,) = found.messages
    assert "t = 0.5 s" in said
    assert "'at'" in said


def test_times_of_kinks_move_with_what_stands_in_them() -> None:
    mech = slider("if(t < at, 5, abs(sin(w*t))) + min(abs(t - at), wide)", at=0.2, wide=0.15, w=7.0)
    found = moving(mech, ["at", "wide", "w", "b.mass"])
    by, _ = found._by_number[0]
    times, w = np.array([one.time for one in found.met]), 7.0
    assert_allclose(np.sort(times), [0.0, 0.05, 0.2, 0.2, 0.35, math.pi / w, 2.0 * math.pi / w], atol=1e-12)
    of_sine = np.abs(np.sin(w * times)) < 1e-9
    assert_allclose(by, np.where(of_sine, 0.0, 1.0), atol=1e-12)
    by, _ = found._by_number[1]
    assert_allclose(by, np.where(of_sine | (times == 0.2), 0.0, np.sign(times - 0.2)), atol=1e-12)
    by, _ = found._by_number[2]
    assert_allclose(by, np.where(of_sine, -times / w, 0.0), atol=1e-11)
    assert 3 not in found._by_number
    assert found.untold() is None


def test_of_many_numbers_those_that_move_a_time_are_found() -> None:
    names = [f"p{k}" for k in range(20)]
    mech = slider("if(t < p3 + 0.1*p11, 5, 0)" + "".join(f" + {n}" for n in names), **dict.fromkeys(names, 0.4))
    found = moving(mech, [*names, "b.mass"])
    assert sorted(found._by_number) == [3, 11]
    assert_allclose([found._by_number[k][0][0] for k in (3, 11)], [1.0, 0.1], rtol=1e-12)
