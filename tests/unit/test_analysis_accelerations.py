from __future__ import annotations

import json

import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis.state import State
from linkwork.errors import AssemblyError, DriverError, MissingMassError, UsageError


def pendulum(**body: object) -> lw.Mechanism:
    """A 2 kg bar whose centre of mass hangs 0.5 m from its hinge, horizontal."""
    mechanism = lw.Mechanism("pendulum")
    data = {"mass": 2.0, "inertia": [0.1, 0.2, 0.2], "position": [0.5, 0, 0]}
    mechanism.body("bar", **(data | body))
    mechanism.joint("hinge", "revolute", "ground", "bar", point=[0, 0, 0], axis=[0, 1, 0])
    return mechanism


@pytest.mark.parametrize("formulation", ["rA", "rp", "re"])
def test_a_pendulum_falls_as_the_textbook_says(formulation: str) -> None:
    found = lw.accelerations(pendulum(), formulation=formulation)
    alpha = 2.0 * 9.81 * 0.5 / (0.2 + 2.0 * 0.25)
    np.testing.assert_allclose(found.angular_acceleration("bar"), [0, alpha, 0], atol=1e-12)
    np.testing.assert_allclose(found.acceleration("bar"), [0, 0, -alpha / 2.0], atol=1e-12)
    force, torque = found.reactions["hinge"]
    np.testing.assert_allclose(force, [0, 0, 2.0 * (9.81 - alpha / 2.0)], atol=1e-11)
    np.testing.assert_allclose(torque, 0.0, atol=1e-11)
    np.testing.assert_allclose(found.constraint_forces[0, :3], -force, atol=1e-12)
    assert found.redundant == ()
    assert json.loads(json.dumps(found.to_dict()))["acceleration"]["bar"] == found.acceleration("bar").tolist()


def test_states_are_those_of_a_result_with_drivers_at_their_time() -> None:
    mechanism = lw.load("planar_four_bar")
    result = lw.kinematics(mechanism, t_end=0.2, step=0.01)
    for k in (5, -1):
        state = State.of(result, k)
        assert state.time == result.time[k]
        found = lw.accelerations(mechanism, state)
        for name in result.bodies:
            np.testing.assert_allclose(found.acceleration(name), result.acceleration(name)[k], atol=1e-7)
        assert found.position_violation < 1e-9
    assert found.redundant[0].startswith("rocker pivot")


def test_turns_of_torsion_springs_are_counted_over_a_result() -> None:
    mechanism = lw.Mechanism("winding", gravity=[0, 0, 0])
    mechanism.body("rotor", mass=1.0, inertia=[0.1, 0.1, 0.1], angular_velocity=[0, 0, 10.0])
    mechanism.joint("axle", "revolute", "ground", "rotor", point=[0, 0, 0], axis=[0, 0, 1])
    mechanism.force("spring", "torsion", joint="axle", stiffness=0.01)
    result = lw.simulate(mechanism, t_end=1.0, step=1e-3, formulation="rA")
    state = State.of(result, -1)
    assert state.counted_angles is not None
    assert state.counted_angles[0] == pytest.approx(9.8, abs=0.2)
    found = lw.accelerations(mechanism, state)
    assert found.omegadot[0, 2] == pytest.approx(-0.1 * state.counted_angles[0])


def test_what_cannot_be_answered_is_refused() -> None:
    mechanism = pendulum()
    state = State.start(mechanism)
    apart = State(state.position + 0.1, state.rotation, state.velocity, state.angular_velocity)
    with pytest.raises(AssemblyError, match=r"row 'hinge.lock\[\d\]' is off by"):
        lw.accelerations(mechanism, apart)
    with pytest.raises(UsageError, match="the state has 1 body, the mechanism 3"):
        lw.accelerations(lw.load("planar_four_bar"), state)
    with pytest.raises(UsageError, match="shape"):
        State(np.zeros((2, 3)), np.zeros((1, 3, 3)), np.zeros((2, 3)), np.zeros((2, 3)))
    with pytest.raises(MissingMassError, match="bar"):
        lw.accelerations(pendulum(mass=None))
    driven = pendulum()
    driven.driver("motor", "hinge", "1 + t")
    with pytest.raises(DriverError, match="motor"):
        lw.accelerations(driven)
    assert lw.accelerations(driven, accept_drivers=True).omegadot[0, 1] == pytest.approx(0.0, abs=1e-12)
    with pytest.raises(UsageError, match="no sample"):
        State.of(lw.kinematics(lw.load("planar_four_bar"), t_end=0.01, step=0.01), 7)
