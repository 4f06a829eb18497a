"""Conventions that several functions share: where points are counted from, and whose reaction is reported."""

from __future__ import annotations

import numpy as np
import pytest

import linkwork as lw

FORCE = np.array([1.0, -2.0, 3.0])
POINT = (0.3, -0.2, 0.5)


def arm(*, loaded: bool = False) -> lw.Mechanism:
    """A bar on a cross, its frame away from its centre of mass; with a force at a point of the frame."""
    mechanism = lw.Mechanism("arm")
    mechanism.body(
        "bar",
        mass=2.0,
        inertia=[0.3, 0.2, 0.1],
        position=[0.5, 0.1, 0.2],
        rotation={"axis": [1, 2, 3], "angle": 0.7},
        centre_of_mass=[0.4, -0.3, 0.2],
        angular_velocity=[0, 0, 0],
    )
    mechanism.joint("cross", "universal", "ground", "bar", point=[0, 0, 0], axis=[1, 0, 0], axis2=[0, 1, 0])
    if loaded:
        mechanism.force("push", "force", body="bar", point=POINT, components=FORCE.tolist())
    return mechanism


def test_jacobian_counts_points_as_forces_do() -> None:
    """Principle of virtual power: what a force at a point asks of the joints is J^T F."""
    effort = lw.inverse_dynamics(arm(), [0, 0]) - lw.inverse_dynamics(arm(loaded=True), [0, 0])
    np.testing.assert_allclose(lw.jacobian(arm(), "bar", POINT)[:3].T @ FORCE, effort, atol=1e-12)


def test_the_jacobian_of_the_frames_origin_is_its_velocity() -> None:
    mechanism = arm()
    rates = np.array([0.7, -0.4])
    state = lw.forward_kinematics(mechanism, {}, rates=rates)
    A, w = state.rotation[0], state.angular_velocity[0]
    of_origin = state.velocity[0] - A @ np.cross(w, [0.4, -0.3, 0.2])
    J = lw.jacobian(mechanism, "bar", state=state)
    np.testing.assert_allclose(J @ rates, np.r_[of_origin, w], atol=1e-12)


def driven(how: str) -> lw.Mechanism:
    """A wheel that a motor speeds up: 3 t^2 / 2 about z, 3 rad/s^2, moment 0.5 kg m^2."""
    mechanism = lw.Mechanism("motor", gravity=(0, 0, 0))
    mechanism.body("wheel", mass=1.0, inertia=[0.5, 0.5, 0.5])
    bodies = ("wheel", "ground") if how == "joint to ground" else ("ground", "wheel")
    sign = -1 if how == "joint to ground" else 1  # the joint's coordinate is ground's against the wheel then
    mechanism.joint("axle", "revolute", *bodies, point=[0, 0, 0], axis=[0, 0, 1])
    if how in ("joint from ground", "joint to ground"):
        mechanism.driver("motor", "axle", f"{sign}*1.5*t^2")
    else:
        on_wheel, on_ground = ("wheel", [1.0, 0, 0]), ("ground", [np.cos(0.4), -np.sin(0.4), 0.0])
        (i, a_i), (j, a_j) = (on_wheel, on_ground) if how == "DP1 to ground" else (on_ground, on_wheel)
        mechanism.constraint("motor", "DP1", i, j, a_i=a_i, a_j=a_j, f="cos(0.4 + 1.5*t^2)")
    return mechanism


@pytest.mark.parametrize("how", ["joint from ground", "joint to ground", "DP1 from ground", "DP1 to ground"])
def test_a_motors_reaction_is_on_the_body_it_drives(how: str) -> None:
    """J alpha = 1.5 N m about z on the wheel, whatever way the motor was written."""
    found = lw.accelerations(driven(how))
    assert found.angular_acceleration("wheel")[2] == pytest.approx(3.0)
    np.testing.assert_allclose(found.reactions["motor"].torque, [0, 0, 1.5], atol=1e-9)
    lowered = driven(how).lower()
    assert lowered.joints[1].reaction_at[0] == 0


def test_a_pulling_drivers_point_is_on_the_driven_body() -> None:
    """A distance row from a block to ground that varies pulls at the block's own point."""
    mechanism = lw.Mechanism("pulled", gravity=(0, 0, 0))
    mechanism.body("block", mass=2.0, inertia=[1, 1, 1], position=[1.0, 0, 0])
    mechanism.joint("rail", "translational", "ground", "block", point=[0, 0, 0], axis=[1, 0, 0])
    mechanism.constraint("rope", "D", "block", "ground", s_i=[0.5, 0.25, 0], s_j=[0, 0.25, 0], f="(1.5 + t^2)^2")
    found = lw.accelerations(mechanism)
    assert found.acceleration("block")[0] == pytest.approx(2.0)
    np.testing.assert_allclose(found.reactions["rope"].force, [4.0, 0, 0], atol=1e-9)
    np.testing.assert_allclose(found.reactions["rope"].torque, 0.0, atol=1e-9)
    assert mechanism.lower().joints[1].reaction_at == (0, (0.5, 0.25, 0.0))
