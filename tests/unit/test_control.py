"""Sampled controllers: exact sample times, holds and delays against difference equations solved by hand, PID, LQR."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import solve_discrete_are

import linkwork as lw
from linkwork.errors import ControllerError, UsageError
from linkwork.status import Status
from linkwork.stepping.control import common_step
from linkwork.stepping.controllers import Controller

WAY = ("lie-mixed", "rk4")
M = 2.0


def puck(x: float = 1.0) -> lw.Mechanism:
    """A mass on a rail, which a force drives: x'' = u / M, solved exactly by rk4 where u is held."""
    mech = lw.Mechanism("puck", gravity=(0.0, 0.0, 0.0))
    mech.body("puck", mass=M, inertia=[1, 1, 1])
    mech.joint("rail", "translational", "ground", "puck", point=[0, 0, 0], axis=[1, 0, 0])
    mech.force("push", "force", body="puck", components=[0.0, 0.0, 0.0])
    return mech


def cart_pole() -> lw.Mechanism:
    mech = lw.Mechanism("cart and pole", gravity=(0.0, 0.0, -9.81))
    mech.body("cart", mass=1.0, inertia=[1, 1, 1])
    mech.body("pole", mass=0.1, inertia=[0.01, 0.01, 0.001], position=[0.0, 0.0, 0.5])
    mech.joint("rail", "translational", "ground", "cart", point=[0, 0, 0], axis=[1, 0, 0])
    mech.joint("hinge", "revolute", "cart", "pole", point=[0, 0, 0], axis=[0, 1, 0])
    mech.force("motor", "force", body="cart", components=[0.0, 0.0, 0.0])
    return mech


def law(t: float, outputs: Mapping[str, float]) -> Mapping[str, float]:
    return {"push.x": -8.0 * outputs["rail.displacement"] - 3.0 * outputs["rail.displacement_rate"]}


@pytest.mark.parametrize(("step", "delay"), [(1e-2, 0.0), (7e-3, 0.0), (0.5, 0.02)])
def test_samples_are_taken_exactly_and_held(step: float, delay: float) -> None:
    result = lw.control(puck(), lw.controller(period=0.02, delay=delay)(law), 0.4, step, *WAY, state={"rail": 1.0})
    x, v, u, T = 1.0, 0.0, 0.0, 0.02
    rail = result.joint("rail")
    for k in range(20):
        at = int(np.argmin(np.abs(result.time - k * T)))
        assert result.time[at] == pytest.approx(k * T, abs=1e-12)
        assert_allclose(rail["displacement"][at], x, atol=1e-12)
        assert_allclose(rail["displacement_rate"][at], v, atol=1e-12)
        asked = -8.0 * x - 3.0 * v
        u = asked if delay == 0.0 else u
        x, v = x + T * v + 0.5 * T * T * u / M, v + T * u / M
        u = asked
    assert result["input"][-1, 0] != 0.0
    assert result.header.labels("input") == ("push.x", "push.y", "push.z")
    assert "power" not in result
    assert "kinetic_energy" in result


@pytest.mark.parametrize("way", [WAY, ("rA", "generalized-alpha")])
@pytest.mark.parametrize(
    ("period", "step", "said"),
    [
        (0.02, 0.01, []),
        (0.03, 0.01, ["controller 'law': t_end cuts its last period of 0.03 s to 0.01 s"]),
        (0.007, 0.01, ["t_end is no whole number of steps of 0.007 s: the last takes 0.002 s",
                       "steps take 0.007 s, not 0.01 s, so that samples and delays end with them",
                       "controller 'law': t_end cuts its last period of 0.007 s to 0.002 s"]),
        (0.3, 0.4, ["t_end is no whole number of steps of 0.3 s: the last takes 0.1 s",
                    "steps take 0.3 s, not 0.4 s, so that samples and delays end with them",
                    "controller 'law': t_end cuts its last period of 0.3 s to 0.1 s"]),
    ],
)  # fmt: skip
def test_a_run_ends_where_it_is_told_in_the_middle_of_a_period(
    period: float, step: float, said: list[str], way: tuple[str, str]
) -> None:
    result = lw.control(puck(), lw.controller(period=period)(law), 0.1, step, *way, state={"rail": 1.0})
    x, v, t = 1.0, 0.0, 0.0
    while t < 0.1 - 1e-12:
        u, T = -8.0 * x - 3.0 * v, min(period, 0.1 - t)
        x, v, t = x + T * v + 0.5 * T * T * u / M, v + T * u / M, t + T
    rail = result.joint("rail")
    assert result.time[-1] == pytest.approx(0.1, abs=1e-12)
    assert result.info["t_end"] == pytest.approx(0.1, abs=1e-12)
    assert np.all(np.diff(result.time) > 0.0)
    assert_allclose([rail["displacement"][-1], rail["displacement_rate"][-1]], [x, v], atol=1e-12)
    assert_allclose(result["input"][-1, 0], u, atol=1e-12)
    assert list(result.messages) == said


def test_a_first_order_hold_goes_on_with_the_slope_of_the_last_two() -> None:
    ramp = lw.controller(period=0.1, hold="first")(lambda t, outputs: {"push.x": 3.0 * t})
    result = lw.control(puck(), ramp, 1.0, 1e-2, *WAY)
    v = (0.0 * 0.1 + 3.0 * (1.0**2 - 0.1**2) / 2) / M  # the first sample has no slope yet
    assert_allclose(result.joint("rail")["displacement_rate"][-1], v, rtol=1e-12)


def test_steps_are_shortened_until_all_times_are_whole_multiples() -> None:
    def made(period: float, delay: float = 0.0) -> Controller:
        return lw.controller(period=period, delay=delay)(law)

    assert common_step([made(1e-3)], 1e-2) == 1e-3
    assert common_step([made(1e-3)], 4e-4) == pytest.approx(1e-3 / 3)
    assert common_step([made(0.03), made(0.02, 0.005)], 1.0) == pytest.approx(0.005)
    assert common_step([], 0.3) == 0.3
    assert common_step([made(1 / 30, 1 / 120), made(1 / 60)], 1.0) == 1 / 120  # fractions whose decimals have no end
    assert common_step([made(1 / 3), made(0.25)], 1.0) == pytest.approx(1 / 12)
    with pytest.raises(UsageError, match=r"multiples of no step above 1e-12 s: 0\.0314\d*, 0\.01 s"):
        common_step([made(np.pi / 100), made(0.01)], 1.0)


@pytest.mark.parametrize("odd", ["1", [0.5], (0, 0.5), np.array([0.5]), 1j, True, float("nan"), -1.0])
def test_what_is_no_time_is_refused_in_words(odd: Any) -> None:
    hold = lw.controller(period=0.1)(lambda t, y: {"push.x": 1.0})
    with pytest.raises(UsageError, match="t_end must be a"):
        lw.control(puck(), hold, odd, 0.1, *WAY)
    with pytest.raises(UsageError, match="t_end must be a"):
        lw.compile(puck(), *WAY).run(odd, 0.1)
    with pytest.raises(UsageError, match=r"t must be a|t = -1 s"):
        lw.Simulator(puck(), 0.1, *WAY).advance(odd)


def test_times_may_be_fractions() -> None:
    found = lw.kinematics(lw.load("kissel2021_slider_crank"), Fraction(1, 2), Fraction(1, 4), newton="full")
    assert found.time.tolist() == [0.0, 0.25, 0.5]


def test_pid_leaves_no_error_and_runs_do_not_share_its_integral() -> None:
    mech = puck()
    mech.force("wind", "force", body="puck", components=["1.5", 0, 0])
    pid = lw.PID(output="rail.displacement", input="push.x", period=0.01, kp=40, ki=30, kd=20, setpoint=0.5)
    first = lw.control(mech, pid, 12.0, 0.01, *WAY, every=10)
    assert abs(first.joint("rail")["displacement"][-1] - 0.5) < 1e-4
    assert_allclose(first["input"][-1, first.header.labels("input").index("push.x")], -1.5, atol=1e-2)
    again = lw.control(mech, pid, 0.5, 0.01, *WAY, every=10)
    assert np.array_equal(again["input"], first["input"][:6])
    limited = lw.PID(output="rail.displacement", input="push.x", period=0.01, kp=40, ki=30, setpoint=5, limits=(-1, 2))
    assert lw.control(puck(), limited, 0.5, 0.01, *WAY)["input"][:, 0].max() == 2.0


@pytest.mark.parametrize(
    ("gain", "limits", "away"), [(2.0, (-1, 1), 3.0), (-2.0, (-1, 1), -3.0), (2.0, (5, 9), 3.0), (2.0, (-9, -5), -3.0)]
)
def test_the_integral_of_a_pid_waits_at_either_limit(gain: float, limits: tuple[float, float], away: float) -> None:
    """Whatever the signs of gains and limits, however long the output was at one, it leaves within a few samples."""
    pid = lw.PID(output="y", input="u", period=0.1, ki=gain, kp=0.1 * gain, limits=limits)
    law = pid.start().function
    for sign in (1.0, -1.0):
        for _ in range(200):
            held = law(0.0, {"y": sign * away})["u"]
        assert held == limits[0 if gain * sign * away > 0.0 else 1]
        assert [law(0.0, {"y": -sign * away})["u"] for _ in range(10)][-1] != held


def test_a_pole_is_balanced_by_gains_from_riccati() -> None:
    mech, T, names = (
        cart_pole(),
        0.02,
        ("rail.displacement", "hinge.angle", "rail.displacement_rate", "hinge.angle_rate"),
    )

    def after(state: np.ndarray, u: float) -> np.ndarray:
        start = {"rail": (state[0], state[2]), "hinge": (state[1], state[3])}
        sim = lw.Simulator(mech, T / 4, *WAY, state=start)
        sim.advance(T, {"motor.x": u})
        return np.array([sim.outputs[name] for name in names])

    d = 1e-5
    A = np.array([(after(d * e, 0.0) - after(-d * e, 0.0)) / (2 * d) for e in np.eye(4)]).T
    B = (after(np.zeros(4), d) - after(np.zeros(4), -d))[:, None] / (2 * d)
    P = solve_discrete_are(A, B, np.diag([1.0, 10.0, 1.0, 1.0]), np.eye(1))
    K = np.linalg.solve(np.eye(1) + B.T @ P @ B, B.T @ P @ A)[0]
    assert np.abs(np.linalg.eigvals(A)).max() > 1.05
    assert np.abs(np.linalg.eigvals(A - np.outer(B, K))).max() < 1.0
    balance = lw.controller(period=T)(lambda t, y: {"motor.x": -sum(k * y[n] for k, n in zip(K, names, strict=True))})
    start = {"rail": 0.1, "hinge": 0.3}
    result = lw.control(mech, balance, 6.0, T / 4, *WAY, state=start, every=20)
    assert np.abs(result.joint("hinge")["angle"]).max() < 0.6
    assert abs(result.joint("hinge")["angle"][-1]) < 1e-2
    fallen = lw.simulate(mech, 2.0, T / 4, *WAY, state=start)
    assert np.abs(fallen.joint("hinge")["angle"]).max() > 2.0


def test_controllers_that_raise_end_the_run_with_time_and_name() -> None:
    @lw.controller(period=0.1)
    def fragile(t: float, outputs: Mapping[str, float]) -> Mapping[str, float]:
        return {"push.x": 1.0 / (0.3 - t) if t < 0.29 else 1.0 / (t - t)}

    with pytest.raises(ControllerError, match=r"t = 0\.3 s: controller 'fragile' raised ZeroDivisionError") as caught:
        lw.control(puck(), fragile, 1.0, 0.05, *WAY)
    assert caught.value.result.time[-1] == pytest.approx(0.3)
    assert not caught.value.result.success
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    for wrong, words in (
        (lambda t, y: {"push": 1.0}, "Did you mean 'push"),
        (lambda t, y: 3.0, "instead of inputs"),
        (lambda t, y: {"push.x": float("nan")}, "finite"),
        (lambda t, y: {"push.x": y["rail.displacment"]}, "rail.displacement"),
    ):
        with pytest.raises(ControllerError, match=words):
            lw.control(puck(), lw.controller(period=0.1)(wrong), 1.0, 0.05, *WAY)


def test_what_is_no_controller_is_refused() -> None:
    with pytest.raises(UsageError, match="Decorate"):
        lw.control(puck(), law, 1.0, 0.1, *WAY)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="hold"):
        lw.controller(period=0.1, hold="second")(law)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="period"):
        lw.controller(period=0.0)(law)
    result = lw.control(puck(), lw.controller(period=0.1)(lambda t, y: {"push.x": 1.0}), 0.2, 0.1, *WAY)
    with pytest.raises(UsageError, match="given from outside"):
        result.force("push")


def test_inputs_of_the_description_are_channels_of_formulas() -> None:
    mech = lw.Mechanism("wheel", gravity=(0.0, 0.0, 0.0))
    mech.input("u", 0.0)
    mech.body("wheel", mass=1.0, inertia=[1, 1, 0.5])
    mech.joint("hub", "revolute", "ground", "wheel", point=[0, 0, 0], axis=[0, 0, 1])
    mech.force("motor", "torsion", joint="hub", actuator="-2*input('u')")
    sim = lw.Simulator(mech, 0.01, *WAY)
    assert list(sim.inputs) == ["u"]
    sim.advance(0.1, {"u": 3.0})
    assert sim.outputs["hub.angle_rate"] == pytest.approx(2 * 3.0 * 0.1 / 0.5, rel=1e-12)
    result = lw.control(mech, lw.controller(period=0.05)(lambda t, y: {"u": 1.0}), 0.1, 0.01, *WAY)
    with pytest.raises(UsageError, match="outside: u"):
        result.force("motor")


def loop() -> lw.Mechanism:
    """A four-bar whose crank is turned by a torque."""
    mech = lw.Mechanism("loop")
    for name, position, length in (
        ("crank", [0, 0, 0.1], 0.2),
        ("rod", [0.2, 0, 0.2], 0.4),
        ("arm", [0.4, 0, 0.1], 0.2),
    ):
        mech.body(name, mass=length, inertia=[length**3 / 12, length**3 / 12, length**3 / 12], position=position)
    axis = [0, -1, 0]
    mech.joint("O", "revolute", "ground", "crank", point=[0, 0, 0], axis=axis)
    mech.joint("P", "revolute", "crank", "rod", point=[0, 0, 0.2], axis=axis)
    mech.joint("C", "spherical", "rod", "arm", point=[0.4, 0, 0.2])
    mech.joint("D", "cylindrical", "ground", "arm", point=[0.4, 0, 0], axis=axis)
    mech.force("motor", "torque", body="crank", components=[0, 0, 0])
    return mech


@lw.controller(period=0.01)
def push(t: float, outputs: Any) -> dict[str, float]:
    return {"motor.y": -0.1}


def test_joints_that_come_apart_under_a_controller_are_no_success() -> None:
    """Runs under controllers were not judged at all."""
    good = lw.control(loop(), push, 0.5, 1e-3, *WAY, stabilisation="projection")
    assert good.success
    assert good.judgement == "good"
    wrong = lw.control(loop(), push, 0.5, 1e-2, "lie-mixed", "heun", limits={"violation": 1e-6})
    assert not wrong.success
    assert wrong.judgement == "wrong"
    assert wrong.status == Status.JUDGED_WRONG
    assert "Joints are apart" in wrong.message
    assert wrong.info["limits"] == {"violation": 1e-6}


def test_energies_are_no_limit_of_runs_under_controllers() -> None:
    with pytest.raises(UsageError, match=r"limit 'energy'.*judged by violation, slip, speed"):
        lw.control(loop(), push, 0.1, 1e-3, limits={"energy": 1.0})
