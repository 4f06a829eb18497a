"""What force elements and drivers do, from results of runs: closed forms, and power that accounts for all energy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

import linkwork as lw
from linkwork.mechanism import Mechanism
from linkwork.result import Result

ELEMENTS = ("rod", "hinge", "push", "twist")


def mechanism() -> Mechanism:
    """A driven bar, and a second one on it, with one element of every kind."""
    mech = Mechanism("one of each", gravity=(0.0, 0.0, -9.81))
    mech.body("bar", mass=2.0, inertia=[0.02, 0.2, 0.2], position=[0.5, 0.0, 0.0], velocity=[0.0, 0.0, -1.0],
              angular_velocity=[0.0, 2.0, 0.0])  # fmt: skip
    mech.body("arm", mass=1.0, inertia=[0.01, 0.1, 0.1], position=[1.3, 0.0, 0.0], velocity=[0.0, 0.0, -2.6],
              angular_velocity=[0.0, 2.0, 0.0])  # fmt: skip
    mech.joint("hip", "revolute", "bar", "ground", point=[0, 0, 0], axis=[0, 1, 0])
    mech.joint("knee", "revolute", "bar", "arm", point=[1, 0, 0], axis=[0, 1, 0])
    mech.driver("motor", "hip", "-2*t - 0.3*sin(t)^2")
    mech.force("rod", "spring", first="ground", second="arm", point=[0.2, 0.3, 1.0], point2=[1.5, 0.0, 0.0],
               stiffness=30.0, damping=1.5, length=0.8, actuator="0.5*cos(3*t)")  # fmt: skip
    mech.force("hinge", "torsion", joint="knee", stiffness=4.0, damping=0.2, angle=0.1, actuator="0.3*sin(t)")
    mech.force("push", "force", body="arm", components=["sin(t)", 0.2, 1.0], point=[0.1, 0.0, 0.0], axes="body")
    mech.force("twist", "torque", body="bar", components=[0.0, "cos(t)", 0.1])
    return mech


@pytest.fixture(scope="module")
def result() -> Result:
    return lw.simulate(mechanism(), 0.5, 1e-3, "rA")


def test_a_spring_has_its_tension_length_and_rate(result: Result) -> None:
    found = result.force("rod")
    end, t = result.point("arm", (0.2, 0.0, 0.0)), result.time
    d = end.position - [0.2, 0.3, 1.0]
    length = np.linalg.norm(d, axis=1)
    rate = np.sum(d * end.velocity, axis=1) / length
    assert_allclose(found["length"], length, rtol=1e-13)
    assert_allclose(found["force"], 30.0 * (length - 0.8) + 1.5 * rate + 0.5 * np.cos(3 * t), atol=1e-11)
    assert_allclose(found.power, -found["force"] * rate, atol=1e-11)
    assert found.dataset["length_rate"].attrs["units"] == "m s-1"


def test_a_torsion_spring_has_its_torque_and_the_angle_of_its_joint(result: Result) -> None:
    found, knee = result.force("hinge"), result.joint("knee")
    assert_allclose(found["angle"], knee["angle"], atol=1e-12)
    assert_allclose(found["angle_rate"], knee["angle_rate"], atol=1e-12)
    torque = 4.0 * (knee["angle"] - 0.1) + 0.2 * knee["angle_rate"] + 0.3 * np.sin(result.time)
    assert_allclose(found["torque"], torque, atol=1e-10)
    assert_allclose(found.power, -torque * knee["angle_rate"], atol=1e-10)


def test_loads_are_in_global_components(result: Result) -> None:
    t, A = result.time, result.rotation("arm")
    push = np.einsum("tij,tj->ti", A, np.stack([np.sin(t), 0.2 + 0 * t, 1.0 + 0 * t], axis=1))
    found = result.force("push")
    assert_allclose(found["force"], push, atol=1e-12)
    speed = result.point("arm", (0.1, 0.0, 0.0)).velocity
    assert_allclose(found.power, np.sum(push * speed, axis=1), atol=1e-11)
    assert_allclose(result.force("twist")["torque"][:, 1], np.cos(t), atol=1e-12)


def test_a_driver_has_its_coordinate_and_the_torque_that_it_takes(result: Result) -> None:
    motor, t = result.driver("motor"), result.time
    assert_allclose(motor["angle"], -2 * t - 0.3 * np.sin(t) ** 2, atol=1e-8)
    assert_allclose(motor["angle_rate"], -2 - 0.3 * np.sin(2 * t), atol=1e-4)
    assert_allclose(motor.power, motor.effort * motor["angle_rate"], atol=1e-12)
    assert "effort" in motor


def test_power_of_all_elements_is_what_kinetic_energy_and_weight_gain(result: Result) -> None:
    gain = np.zeros(result.time.size)
    for body in mechanism().bodies:
        v, a = result.velocity(body.name), result.acceleration(body.name)
        w, alpha = result.angular_velocity(body.name), result.angular_acceleration(body.name)
        gain += body.mass * np.sum(v * (a + np.array([0, 0, 9.81])), axis=1) + np.sum(
            w * np.array(body.inertia) * alpha, axis=1
        )
    elements = sum(result.force(name).power for name in ELEMENTS)
    assert np.abs(gain).max() > 10.0
    carried = sum(reaction_power(result, name) for name in result.joints)
    assert_allclose(elements + carried, gain, atol=1e-7 * np.abs(gain).max())  # to which Newton's method stops
    # joints do reactions times what velocities are off their rows, which is O(h^2): 9e-6 here, a quarter at h/2
    assert_allclose(carried, result.driver("motor").power, atol=2e-6 * np.abs(gain).max())


def reaction_power(result: Result, name: str) -> np.ndarray:
    """What the reaction of a joint or driver delivers to its two bodies, at the velocities that there are."""
    described = next(one for one in result.mechanism.lower().joints if one.name == name)
    force, torque = result.reaction(name)
    body, s = described.reaction_at
    other = described.body_i if body == described.body_j else described.body_j
    P = np.array(s) + np.zeros((result.time.size, 3))
    if body >= 0:
        P = result.position(result.bodies[body]) + result.rotation(result.bodies[body]) @ np.array(s)
    total = np.zeros(result.time.size)
    for k, sign in ((body, 1.0), (other, -1.0)):
        if k >= 0:
            one = result.bodies[k]
            w = np.einsum("tij,tj->ti", result.rotation(one), result.angular_velocity(one))
            v = result.velocity(one) + np.cross(w, P - result.position(one))
            total += sign * (np.sum(force * v, axis=1) + np.sum(torque * w, axis=1))
    return total


def test_results_from_files_have_the_same(result: Result, tmp_path: Path) -> None:
    result.save(tmp_path / "run.nc")
    again = lw.open_result(tmp_path / "run.nc")
    for ask in (
        lambda r: r.joint("knee"),
        lambda r: r.force("rod"),
        lambda r: r.driver("motor"),
        lambda r: r.momentum(),
    ):
        for name, values in ask(result).arrays.items():
            assert np.array_equal(values, ask(again)[name])
    assert lw.load(tmp_path / "run.nc").to_dict() == result.mechanism.to_dict() == mechanism().to_dict()


def test_joints_and_points_are_drawn(result: Result) -> None:
    ax = result.plot("joints").axes[0]
    assert [line.get_label() for line in ax.lines] == ["hip.angle", "knee.angle"]
    assert np.array_equal(ax.lines[1].get_ydata(), result.joint("knee")["angle"])
    ax = result.plot("paths", points=[("arm", (0.2, 0.0, 0.0))]).axes[0]
    assert np.array_equal(ax.lines[0].get_xdata(), result.point("arm", (0.2, 0.0, 0.0)).position[:, 0])
