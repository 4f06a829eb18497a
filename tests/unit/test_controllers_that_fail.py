"""Controllers that raise, give what is no input, or do nothing: name and time are told, what was computed is kept."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import ControllerError, RunInterruptedError, UsageError

WAY = ("lie-mixed", "rk4")


def puck() -> lw.Mechanism:
    mech = lw.Mechanism("puck", gravity=(0.0, 0.0, 0.0))
    mech.input("gas", 0.0)
    mech.body("puck", mass=2.0, inertia=[1, 1, 1])
    mech.joint("rail", "translational", "ground", "puck", point=[0, 0, 0], axis=[1, 0, 0])
    mech.force("push", "force", body="puck", components=[0.0, 0.0, 0.0])
    return mech


def failing(function: Any, **fields: Any) -> ControllerError:
    made = lw.controller(**({"period": 0.01, "name": "law"} | fields))(function)
    with pytest.raises(ControllerError) as caught:
        lw.control(puck(), made, 0.05, 0.01, *WAY)
    return caught.value


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (None, "returned None instead of inputs by name. As in"),
        ("text", "returned 'text' instead of inputs by name"),
        ({"push.x": None}, "gave what is no input: input 'push.x' must be a finite number, not None"),
        ({"push.x": "1"}, "must be a finite number, not '1'"),
        ({"push.x": float("nan")}, "must be a finite number, not nan"),
        ({"push.x": [1.0, 2.0]}, "must be a finite number"),
        ({"push.x": 1.0, "push.w": 1.0}, "there is no input 'push.w'. Did you mean 'push."),
        ({3: 1.0}, "there is no input 3"),
    ],
)
@pytest.mark.parametrize("delay", [0.0, 0.03])
def test_what_is_given_is_looked_at_when_it_is_given(found: Any, said: str, delay: float) -> None:
    for from_time, kept in ((0.0, 1), (0.015, 3)):
        error = failing(lambda t, y, start=from_time: found if t >= start else {}, delay=delay)
        assert f"t = {0.0 if kept == 1 else 0.02:g} s: controller 'law'" in str(error)
        assert said in str(error)
        assert error.exit_status == 5
        assert error.result.time.tolist() == pytest.approx([0.01 * k for k in range(kept)])
        assert not error.result.success
        assert error.result.messages == ()


def test_a_name_that_does_not_exist_and_what_raises_are_told_with_the_start_kept() -> None:
    error = failing(lambda t, y: {"push.x": y["rail.displacment"]})
    assert "failed: there is no output 'rail.displacment'. Did you mean 'rail.displacement'? [LW-CONTROL]" in str(error)
    assert len(error.result.time) == 1
    assert "raised TypeError: " in str(failing(lambda t: {}))


def test_what_grows_beyond_all_bounds_between_samples_is_told() -> None:
    steep = lw.controller(period=0.02, hold="first", name="steep")
    values = iter((-1.5e308, 1.5e308, 0.0, 0.0))
    with pytest.raises(
        ControllerError, match=r"t = 0\.02 s: controller 'steep' with hold='first' goes on to no number"
    ):
        lw.control(puck(), steep(lambda t, y: {"gas": next(values)}), 0.06, 0.01, *WAY)


def test_ctrl_c_keeps_what_was_computed() -> None:
    def stop(t: float, outputs: Any) -> Any:
        if t > 0.025:
            raise KeyboardInterrupt
        return {}

    with pytest.raises(RunInterruptedError, match=r"t = 0\.03 s") as caught:
        lw.control(puck(), lw.controller(period=0.01)(stop), 0.05, 0.01, *WAY)
    assert len(caught.value.result.time) == 4
    assert not caught.value.result.success


def test_what_is_done_otherwise_than_asked_is_said() -> None:
    def giving(name: str, **fields: Any) -> Any:
        return lw.controller(**({"period": 0.01, "name": name} | fields))(lambda t, y: {"push.x": 1.0})

    def said(*controllers: Any) -> str:
        return " ".join(lw.control(puck(), controllers, 0.05, 0.01, *WAY).messages)

    assert said(giving("one")) == ""
    assert "input 'push.x' is given by controllers 'one' and 'two'" in said(giving("one"), giving("two"))
    assert "controller 'late': nothing it gives acts" in said(giving("late", delay=0.05))
    assert "steps take 0.001 s, not 0.01 s" in said(giving("odd", delay=0.003))
    with pytest.raises(UsageError, match="do not fit into memory"):
        said(giving("fine", period=1e-12))


@pytest.mark.parametrize("delay", [-1.0, float("nan"), float("inf"), "1", None])
def test_delays_that_are_none_are_refused(delay: Any) -> None:
    with pytest.raises(UsageError, match="delay must"):
        lw.controller(period=0.01, delay=delay)(lambda t, y: {})


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"kp": float("nan")}, "PID: kp must be a finite number"),
        ({"ki": "2"}, "PID: ki must be a finite number"),
        ({"kd": float("inf")}, "PID: kd must be a finite number"),
        ({"limits": (1, -1)}, "PID: limits are the least and the greatest"),
        ({"limits": 5}, "PID: limits are"),
        ({"limits": (float("nan"), 1)}, "PID: limits are"),
        ({"setpoint": "x"}, "PID: setpoint must be"),
        ({"input": 3}, "PID: input is told by name"),
        ({"period": 0.0}, "period"),
        ({"hold": "x"}, "hold"),
    ],
)
def test_a_pid_with_odd_fields_is_refused_when_it_is_made(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        lw.PID(**({"output": "rail.displacement", "input": "push.x", "period": 0.01} | fields))


def test_a_setpoint_by_function_gives_a_value_or_value_and_rate() -> None:
    def pid(setpoint: Any) -> Any:
        return lw.PID(
            output="rail.displacement", input="push.x", period=0.01, kp=4.0, kd=2.0, setpoint=setpoint, name="hold"
        )

    pair = lw.control(puck(), pid(lambda t: (0.1 * t, 0.1)), 0.05, 0.01, *WAY)
    assert pair["input"][0, pair.header.labels("input").index("push.x")] == pytest.approx(0.2)
    assert np.array_equal(lw.control(puck(), pid(lambda t: [0.1 * t, 0.1]), 0.05, 0.01, *WAY)["input"], pair["input"])
    with pytest.raises(
        ControllerError, match="controller 'hold' failed: the setpoint must be a finite number, not 'x'"
    ):
        lw.control(puck(), pid(lambda t: "x"), 0.05, 0.01, *WAY)
