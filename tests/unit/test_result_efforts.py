"""What motors, joint springs and elements by formula of the state exert over a run, as curves."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import linkwork as lw

LAW = {"stiffness": 30.0, "damping": 0.4, "actuator": "0.2*sin(t)"}
BY_FORMULA = {"stiffness": "30 + 0*length", "damping": "0.4 + 0*length", "actuator": "0.2*sin(t) + 0*length"}


def mechanism() -> lw.Mechanism:
    mech = lw.Mechanism("parts")
    mech.body("arm", mass=1.5, inertia=[0.1, 0.1, 0.05], position=[0.5, 0, 0])
    mech.body("tip", mass=0.5, inertia=[0.02, 0.02, 0.02], position=[1.0, 0, 0.4])
    mech.joint("hip", "revolute", "ground", "arm", point=[0, 0, 0], axis=[0, 1, 0])
    mech.joint("slide", "translational", "arm", "tip", point=[1, 0, 0], axis=[0, 0, 1])
    mech.force("servo", "motor", joint="hip", position="0.4*sin(3*t)", stiffness=60, damping=4, ratio=2, limit=5)
    mech.force("soft", "joint-spring", joint="slide", stiffness=200, damping=3)
    ends = {"first": "ground", "second": "tip", "point": [0, 0, 1], "point2": [1, 0.0, 0.4]}
    mech.force("plain", "spring", **ends, **LAW, length=0.5)
    mech.force("formula", "spring", **ends, **BY_FORMULA, length=0.5)
    mech.force("hinge", "torsion", joint="hip", stiffness="3 + 0*angle", damping=0.0, angle=0.1)
    mech.force("drag", "force", body="tip", components=["-velocity('tip', 'x')", 0.0, 2.0])
    return mech


@pytest.fixture(scope="module")
def result() -> lw.Result:
    return lw.simulate(mechanism(), 0.3, 1e-3, "rA")


def test_a_servo_has_its_effort_with_gear_and_limit(result: lw.Result) -> None:
    hip, servo = result.joint("hip"), result.force("servo")
    u = 60 * (0.4 * np.sin(3 * result.time) - hip["angle"]) - 4 * hip["angle_rate"]
    assert np.abs(u).max() > 5.0
    assert_allclose(servo["effort"], 2 * np.clip(u, -5, 5), atol=1e-11)
    assert_allclose(servo["angle"], hip["angle"], atol=1e-13)
    assert_allclose(servo.power, servo["effort"] * hip["angle_rate"], atol=1e-11)
    assert servo.variables["effort"].units == "N m"


def test_a_joint_spring_along_a_slide_has_its_force(result: lw.Result) -> None:
    slide, soft = result.joint("slide"), result.force("soft")
    expected = -200 * slide["displacement"] - 3 * slide["displacement_rate"]
    assert_allclose(soft["effort"], expected, atol=1e-11)
    assert soft.variables["effort"].units == "N"
    assert_allclose(soft.power, expected * slide["displacement_rate"], atol=1e-10)


def test_springs_by_formula_have_the_curves_of_plain_ones(result: lw.Result) -> None:
    plain, formula = result.force("plain"), result.force("formula")
    assert set(plain) == set(formula)
    for name in plain:
        assert_allclose(formula[name], plain[name], atol=1e-11)
    hinge = result.force("hinge")
    assert_allclose(hinge["torque"], 3.0 * (result.joint("hip")["angle"] - 0.1), atol=1e-12)


def test_a_load_by_formula_has_its_force(result: lw.Result) -> None:
    drag = result.force("drag")
    assert_allclose(drag["force"][:, 0], -result.velocity("tip")[:, 0], atol=1e-12)
    assert_allclose(drag["force"][:, 2], 2.0)
