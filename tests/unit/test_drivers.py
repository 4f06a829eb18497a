"""Drivers on every joint coordinate and on points of bodies; the constant-velocity joint; forces on all coordinates."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import linkwork as lw
from linkwork.errors import ModelError, UnsupportedElementError

AGREED = ("null-space", "articulated-body")


def pendulum(joint: str, **place: Any) -> lw.Mechanism:
    """Two bodies on a hinge, the first on a joint to ground, with no symmetry."""
    mech = lw.Mechanism("two bodies")
    mech.body("a", mass=1.3, inertia=[0.02, 0.03, 0.04], position=[0.1, 0.2, -0.3])
    mech.body("b", mass=0.7, inertia=[0.02, 0.01, 0.03], position=[0.4, 0.2, -0.5])
    mech.joint("pin", "revolute", "a", "b", point=[0.2, 0.2, -0.4], axis=[0, 1, 0])
    mech.joint("held", joint, "ground", "a", **({"point": [0, 0, 0]} | place))
    return mech


DRIVEN: dict[str, tuple[dict[str, Any], dict[str, str]]] = {
    "universal": (
        {"axis": [1, 0, 0], "axis2": [0, 1, 0]},
        {"angle_1": "0.5*t + 0.4*t^2", "angle_2": "0.3*sin(3*t)"},
    ),
    "spherical": ({}, {"yaw": "0.5*t + 0.4*t^2", "pitch": "0.3*sin(3*t)", "roll": "0.2*t"}),
    "planar": (
        {"axis": [0, 1, 0]},
        {"displacement_1": "0.5*t^2", "angle": "0.3*sin(3*t)", "displacement_2": "0.1*t"},
    ),
    "free": ({"axis": [0, 0, 1]}, {"displacement_1": "0.5*t^2", "displacement_3": "0.3*sin(3*t)", "pitch": "t^2"}),
    "point-in-line": ({"axis": [1, 0, 0]}, {"displacement": "0.5*t^2", "pitch": "0.3*t"}),
}


def driven(joint: str) -> lw.Mechanism:
    place, coordinates = DRIVEN[joint]
    mech = pendulum(joint, **place)
    for coordinate, f in coordinates.items():
        mech.driver(coordinate, "held", f, coordinate)
    return mech


@pytest.mark.parametrize("joint", DRIVEN)
def test_every_coordinate_follows_its_driver_in_every_formulation(joint: str) -> None:
    mech = driven(joint)
    one = lw.simulate(mech, 0.2, 1e-3, "lie-mixed", accept_changes=True)
    for name, f in DRIVEN[joint][1].items():
        found = one.driver(name)
        wanted = lw.mechanism.expressions.Expression.parse(f).jet(one.time)
        assert_allclose([found[name], found[f"{name}_rate"], found[f"{name}_acceleration"]], wanted, atol=1e-8)
        if name in one.joint("held"):  # those that results measure
            assert_allclose(one.joint("held")[name], wanted[0], atol=1e-9)
    power = sum(one.driver(name).power for name in DRIVEN[joint][1])
    assert_allclose(power, one["power"], atol=1e-9 * np.abs(power).max())
    for formulation in AGREED:
        other = lw.simulate(mech, 0.2, 1e-3, formulation, accept_changes=True)
        assert_allclose(other["position"], one["position"], atol=1e-9)
        assert_allclose(other["multiplier"], one["multiplier"], atol=1e-7 * np.abs(one["multiplier"]).max())


def test_yaw_pitch_and_roll_are_those_of_the_rotation() -> None:
    run = lw.simulate(driven("spherical"), 0.4, 1e-3, "lie-mixed", accept_changes=True)
    A = run["rotation"][-1, 0]
    yaw, pitch, roll = np.arctan2(A[1, 0], A[0, 0]), np.arcsin(-A[2, 0]), np.arctan2(A[2, 1], A[2, 2])
    assert_allclose([yaw, pitch, roll], [0.5 * 0.4 + 0.4 * 0.16, 0.3 * np.sin(1.2), 0.08], atol=1e-9)


def test_momenta_refuse_what_they_would_get_wrong() -> None:
    with pytest.raises(UnsupportedElementError, match="yaw and roll: yaw, roll"):
        lw.simulate(driven("spherical"), 0.1, 1e-3, "canonical", accept_changes=True)


def test_a_moving_support_shakes_a_pendulum_as_a_shaken_base_does() -> None:
    def bob(mech: lw.Mechanism, first: str) -> None:
        mech.body("bob", mass=1.5, inertia=[0.01, 0.02, 0.01], position=[0.3, 0, -0.4])
        mech.joint("hinge", "revolute", first, "bob", point=[0, 0, 0], axis=[0, 1, 0])

    held = lw.Mechanism("support")
    held.body("support", mass=4.0, inertia=[1, 1, 1], velocity=[0, 0, 0.1 * 8], angular_velocity=[0, 0, 0])
    for k, axis in enumerate("xyz"):
        turn = [0.0, 0.0, 0.0]
        turn[(k + 1) % 3] = 0.2
        held.driver(f"at {axis}", f="0.1*sin(8*t)" if axis == "z" else 0, body="support", coordinate=axis)
        held.driver(f"turn {axis}", f=["0", "0", "0.1*sin(8*t)"][(k + 2) % 3], body="support",
                    point=turn, coordinate="xyz"[(k + 2) % 3])  # fmt: skip
    bob(held, "support")
    shaken = lw.Mechanism("shaken")
    bob(shaken, "ground")
    shaken.force("base", "base-acceleration", components=[0, 0, "-0.1*64*sin(8*t)"])
    start = {"hinge": 0.0}
    one = lw.simulate(held, 1.0, 1e-3, "lie-mixed", state=lw.start_state(held, start, {"hinge": 0.0}))
    other = lw.simulate(shaken, 1.0, 1e-3, "lie-mixed", state=lw.start_state(shaken, start, {"hinge": 0.0}))
    assert_allclose(one.joint("hinge")["angle"], other.joint("hinge")["angle"], atol=1e-9)
    assert_allclose(one.point("support", [0, 0, 0])["position"][:, 2], 0.1 * np.sin(8 * one.time), atol=1e-9)
    lift = one.driver("at z")
    assert lift.coordinate == "z"
    assert_allclose(lift["z_acceleration"], -6.4 * np.sin(8 * one.time), atol=1e-12)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"joint": "held", "f": 1}, "needs 'coordinate': joint 'held' has yaw and pitch and roll"),
        ({"joint": "held", "f": 1, "coordinate": "jaw"}, "did you mean 'yaw'"),
        ({"joint": "hold", "f": 1}, "joint 'hold' does not exist; did you mean 'held'"),
        ({"f": 1}, "needs a 'joint' whose coordinate it drives, or a 'body'"),
        ({"joint": "held", "body": "a", "f": 1}, "one of them"),
        ({"body": "a", "f": 1}, "needs 'coordinate', which of a body's point is 'x', 'y' or 'z'"),
        ({"body": "c", "f": 1, "coordinate": "x"}, "body 'c' does not exist"),
        ({"joint": "held", "f": 1, "coordinate": "yaw", "point": [0, 0, 0]}, "only a driver of a body's point takes"),
        ({"body": "ground", "f": 1, "coordinate": "x"}, "ground, which does not move"),
    ],
)
def test_what_makes_no_sense_is_refused(fields: dict[str, Any], words: str) -> None:
    mech = pendulum("spherical")

    def described() -> None:
        mech.driver("bad", **fields)
        mech.lower()

    with pytest.raises(ModelError, match=words):
        described()


@pytest.mark.parametrize("formulation", ["lie-mixed", "articulated-body", "canonical"])
def test_shafts_on_a_constant_velocity_joint_turn_at_one_speed(formulation: str) -> None:
    """In fixed bearings at an angle of 0.6 rad: I1 + I2 under a torque; a universal joint would swing by a fifth."""
    mech, bend = lw.Mechanism("shafts", gravity=(0, 0, 0)), 0.6
    out = [np.sin(bend), 0.0, np.cos(bend)]
    mech.body("in", mass=1, inertia=[0.1, 0.1, 0.02], position=[0, 0, -0.5])
    mech.body("out", mass=1, inertia=[0.1, 0.1, 0.03], position=[0.5 * c for c in out],
              rotation={"axis": [0, 1, 0], "angle": bend})  # fmt: skip
    mech.joint("bearing", "revolute", "ground", "in", point=[0, 0, -0.5], axis=[0, 0, 1])
    mech.joint("far bearing", "cylindrical", "ground", "out", point=[0.5 * c for c in out], axis=out)
    shaft, other = {"point": [0, 0, 0.5], "axis": [0, 0, 1]}, {"point": [0, 0, -0.5], "axis": [0, 0, 1]}
    mech.joint("cv", "constant-velocity", "in", "out", on_first=shaft, on_second=other)
    mech.force("engine", "torque", body="in", components=[0, 0, 0.5])
    run = lw.simulate(mech, 1.0, 2e-3, formulation)
    wanted = 0.5 / (0.02 + 0.03) * run.time
    assert_allclose(run.joint("bearing")["angle_rate"], wanted, atol=1e-8)
    assert_allclose(run.joint("far bearing")["angle_rate"], wanted, atol=1e-8)
    assert mech.check().freedom.positions == 1


def test_springs_motors_and_formulas_know_every_angle_and_displacement() -> None:
    mech = pendulum("universal", axis=[1, 0, 0], axis2=[0, 1, 0])
    mech.force("stiff", "joint-spring", joint="held", coordinate="angle_2", stiffness=3, free=-0.07)
    mech.force("motor", "motor", joint="held", coordinate="angle_1", effort="-0.2*rate - cos(angle_1)")
    mech.sensor("both", "angle('held', 'angle_1') + angle('held', 'angle_2')")
    run = lw.simulate(mech, 0.3, 1e-3, "lie-mixed")
    held = run.joint("held")
    assert_allclose(run["both"], held["angle_1"] + held["angle_2"], atol=1e-12)
    assert_allclose(run.force("stiff")["effort"], -3 * (held["angle_2"] + 0.07), atol=1e-12)
    assert_allclose(run.force("motor")["effort"], -0.2 * held["angle_1_rate"] - np.cos(held["angle_1"]), atol=1e-12)
    balance = run.energy_balance()
    assert np.abs(balance.residual).max() < 1e-6 * np.abs(balance.kinetic).max()
    plane = pendulum("planar", axis=[0, 1, 0])
    plane.coupling("tied", "gear", joint="held", coordinate="displacement_1", joint2="pin", ratio=0.1)
    run = lw.simulate(plane, 0.3, 1e-3, "lie-mixed", accept_changes=True)
    assert_allclose(run.joint("held")["displacement_1"], 0.1 * run.joint("pin")["angle"], atol=1e-10)
