"""How fast springs, dampers and motors are on what yields to them: closed forms, and masses that rows add."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.planner.stiffness import fastest_of
from linkwork.run.starting import prepare

MASS, INERTIA = 2.0, 0.03  # kg, kg m^2
UP, SIDE, AWAY = [0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.5, 0.0, 0.0]
BODY = {"mass": MASS, "inertia": [INERTIA, 2 * INERTIA, 3 * INERTIA]}


def mechanism(joints: list[dict[str, Any]], forces: list[dict[str, Any]], bodies: int = 1) -> lw.Mechanism:
    """Bodies in a row along x, half a metre apart from the origin on."""
    made = [{"name": f"b{k}", **BODY, "position": [0.5 * (k + 1), 0.0, 0.0]} for k in range(bodies)]
    described = {"linkwork": 1, "name": "stiff", "bodies": made, "joints": joints, "forces": forces}
    return lw.Mechanism.from_dict(described)


def rates(*described: Any) -> list[float]:
    """Of a mechanism: of oscillation and decay, 1/s."""
    return list(fastest_of(prepare(mechanism(*described), dynamics=True).compiled))


def on(name: str, kind: str, point: list[float], axis: list[float], first: str = "ground", second: str = "b0") -> Any:
    return {"name": name, "type": kind, "first": first, "second": second, "point": point, "axis": axis}


def test_a_motor_on_a_shaft_through_the_centre() -> None:
    pin = on("pin", "revolute", AWAY, UP)
    motor = {"name": "m", "type": "motor", "joint": "pin", "velocity": 3.0, "damping": 0.6}
    assert rates([pin], [motor]) == pytest.approx([0.0, 0.6 / (3 * INERTIA)])
    geared = {**motor, "ratio": 5.0}
    assert rates([pin], [geared])[1] == pytest.approx(5 * 0.6 / (3 * INERTIA))


def test_rows_add_to_what_resists() -> None:
    """A rod that turns about its end has its moment about that end."""
    pin = on("pin", "revolute", [0.0, 0.0, 0.0], UP)
    spring = {"name": "s", "type": "joint-spring", "joint": "pin", "stiffness": 50.0, "damping": 2.0}
    whole = 3 * INERTIA + MASS * 0.5**2
    found = rates([pin], [spring])
    assert found == pytest.approx([np.sqrt(50.0 / whole), 2.0 / whole])


def test_a_spring_on_two_bodies_on_one_guide() -> None:
    """Along the guide both yield; across it neither does."""
    guides = [on("g0", "translational", AWAY, SIDE), on("g1", "translational", [1.0, 0.0, 0.0], SIDE, second="b1")]
    along = {"name": "s", "type": "spring", "first": "b0", "second": "b1", "stiffness": 800.0, "damping": 3.0}
    along |= {"point": AWAY, "point2": [1.0, 0.0, 0.0], "length": 0.5}
    found = rates(guides, [along], 2)
    assert found == pytest.approx([np.sqrt(2 * 800.0 / MASS), 2 * 3.0 / MASS])


def test_what_rows_hold_does_not_yield() -> None:
    pin = on("pin", "fixed", AWAY, UP)
    spring = {"name": "s", "type": "torsion", "first": "ground", "second": "b0", "stiffness": 1e6, "axis": UP}
    del pin["axis"]
    assert max(rates([pin], [spring])) < 1e-4 * np.sqrt(1e6 / (3 * INERTIA))


def test_rows_that_others_imply_change_nothing() -> None:
    twice = [on(name, "revolute", AWAY, UP) for name in ("pin", "pin again")]
    motor = {"name": "m", "type": "motor", "joint": "pin", "velocity": 3.0, "damping": 0.6}
    assert rates(twice, [motor])[1] == pytest.approx(0.6 / (3 * INERTIA), rel=1e-6)


def test_nothing_that_springs_is_no_rate() -> None:
    assert rates([on("pin", "revolute", AWAY, UP)], []) == [0.0, 0.0]


def test_a_servo_that_is_much_too_stiff_is_seen_and_run_implicitly() -> None:
    """A speed controller that is 1e6 times faster than the motion: explicit methods need a million steps."""
    pin = on("pin", "revolute", [0.0, 0.0, 0.0], [0.0, 1.0, 0.0])
    servo = {"name": "servo", "type": "motor", "joint": "pin", "velocity": 1.0, "damping": 1e7}
    made = lw.plan(mechanism([pin], [servo]), 0.5, 0.01)
    assert made.traits.stiff
    assert not made.chosen.method.explicit
    found = made.run()
    assert found.success
    assert found["angular_velocity"][-1, 0, 1] == pytest.approx(1.0, abs=1e-4)  # what is asked of poses


def test_a_formula_without_a_value_at_the_start_is_left_to_it_in_silence() -> None:
    """No warnings of NumPy before the error that names the formula."""
    push = {"name": "push", "type": "force", "body": "b0", "components": ["1/velocity('b0', 'y')", 0, 0]}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert rates([], [push]) == [0.0, 0.0]
