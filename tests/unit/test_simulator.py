"""Simulations stepped from Python: the bits of `simulate`, snapshots, inputs and outputs by name."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import linkwork as lw
from linkwork.errors import ConvergenceError, ResultFileError, UsageError

STEP = 1e-3
WAYS = [("rA", None), ("lie-mixed", "rk4"), ("canonical", "rk4")]


def arm() -> lw.Mechanism:
    mech = lw.Mechanism("arm", gravity=(0.0, 0.0, -9.81))
    mech.body("upper", mass=1.0, inertia=[0.02, 0.1, 0.1], position=[0.5, 0.0, 0.0])
    mech.body("lower", mass=0.5, inertia=[0.01, 0.05, 0.05], position=[1.4, 0.0, 0.0])
    mech.joint("shoulder", "revolute", "ground", "upper", point=[0, 0, 0], axis=[0, 1, 0])
    mech.joint("elbow", "revolute", "upper", "lower", point=[1, 0, 0], axis=[0, 1, 0])
    mech.force("motor", "torsion", joint="elbow", stiffness=3.0, damping=0.1)
    mech.force("push", "force", body="lower", components=[0.0, 0.0, "sin(t)"])
    return mech


@pytest.mark.parametrize(("formulation", "integrator"), WAYS)
def test_steps_have_the_bits_of_a_run(formulation: str, integrator: str | None) -> None:
    result = lw.simulate(arm(), 0.1, STEP, formulation, integrator)
    sim = lw.Simulator(arm(), STEP, formulation, integrator)
    for k in range(101):
        assert sim.time == result.time[k]
        for name in ("position", "rotation", "velocity", "angular_velocity", "acceleration"):
            assert np.array_equal(getattr(sim, name), result[name][k]), (k, name)
        if k < 100:
            sim.step()
        for name, value in sim.violations.items():
            assert value == result[name][min(k + 1, 100)]
    assert sim.outputs["elbow.angle"] == pytest.approx(result.joint("elbow")["angle"][-1], abs=1e-12)
    assert sim.outputs["elbow.angle_rate"] == pytest.approx(result.joint("elbow")["angle_rate"][-1], abs=1e-11)
    assert np.array_equal(sim.state.rotation, result.state().rotation)
    assert sim.state.counted_angles == pytest.approx(result.state().counted_angles)


@pytest.mark.parametrize(("formulation", "integrator"), WAYS)
def test_snapshots_restore_to_the_bit_also_elsewhere(formulation: str, integrator: str | None) -> None:
    sim, other = (lw.Simulator(arm(), STEP, formulation, integrator) for _ in range(2))
    sim.advance(0.02, {"motor": 0.4})
    kept = pickle.dumps(sim.snapshot())
    sim.advance(0.05, {"motor": -1.0})
    other.step({"motor": 9.0})
    for one in (other, sim):
        one.restore(pickle.loads(kept))
        assert one.inputs["motor"] == 0.4
        one.advance(0.05)
    assert np.array_equal(sim.position, other.position)
    assert np.array_equal(sim.velocity, other.velocity)
    again = lw.Simulator(arm(), STEP, formulation, integrator)
    again.advance(0.05, {"motor": 0.4})
    assert np.array_equal(sim.velocity, again.velocity)
    sim.reset()
    assert (sim.time, sim.inputs["motor"]) == (0.0, 0.0)


@pytest.mark.parametrize(("formulation", "integrator"), WAYS)
def test_inputs_act_from_the_next_step_on_as_if_they_were_described(formulation: str, integrator: str | None) -> None:
    described = arm()
    described.change("motor", actuator=0.7)
    expected = lw.simulate(described, 0.05, STEP, formulation, integrator)
    sim = lw.Simulator(arm(), STEP, formulation, integrator)
    sim.advance(0.05, {"motor": 0.7})
    assert list(sim.inputs) == ["motor", "push.x", "push.y"]
    effect = np.abs(lw.simulate(arm(), 0.05, STEP, formulation, integrator)["position"][-1] - expected["position"][-1])
    assert effect.max() > 1e-3
    late = 1e-7
    assert_allclose(sim.position, expected["position"][-1], atol=late * effect.max())


def test_inputs_that_change_are_held_over_steps() -> None:
    """An explicit method on a body that a force drives alone: velocities are sums of what was held, exactly."""
    mech = lw.Mechanism("puck", gravity=(0.0, 0.0, 0.0))
    mech.body("puck", mass=2.0, inertia=[1, 1, 1])
    mech.force("push", "force", body="puck", components=[0.0, 0.0, 0.0])
    sim, values = lw.Simulator(mech, 0.01, "lie-mixed", "rk4"), [1.0, -3.0, 0.5, 4.0]
    for value in values:
        sim.step({"push.x": value})
    assert sim.velocity[0, 0] == pytest.approx(sum(values) * 0.01 / 2.0, rel=1e-14)


def test_many_simulators_stand_beside_each_other() -> None:
    sims = [lw.Simulator(arm(), STEP, state={"shoulder": 0.1 * k}) for k in range(4)]
    for _ in range(20):
        for sim in sims:
            sim.step()
    alone = lw.Simulator(arm(), STEP, state={"shoulder": 0.2})
    alone.advance(0.02)
    assert np.array_equal(alone.position, sims[2].position)
    sims[0].reset({"shoulder": 0.2})
    sims[0].advance(0.02)
    assert np.array_equal(alone.position, sims[0].position)


def test_angles_are_read_with_their_turns() -> None:
    mech = lw.Mechanism("wheel", gravity=(0.0, 0.0, 0.0))
    mech.body("wheel", mass=1.0, inertia=[1, 1, 1])
    mech.joint("hub", "revolute", "ground", "wheel", point=[0, 0, 0], axis=[0, 0, 1])
    sim = lw.Simulator(mech, 0.01, "lie-mixed", "rk4", state={"hub": (0.0, 30.0)})
    seen = []
    for _ in range(100):
        sim.step()
        seen.append(sim.outputs["hub.angle"])
    assert seen[-1] == pytest.approx(30.0, abs=1e-9)
    assert len(dict(sim.outputs)) == 2


@pytest.mark.parametrize(
    "ask",
    [
        lambda sim: sim.step({"moter": 1.0}),
        lambda sim: sim.step({"motor": np.nan}),
        lambda sim: sim.step({"motor": "full"}),
        lambda sim: sim.outputs["elbow.angel"],
        lambda sim: sim.advance(0.5 * STEP),
        lambda sim: sim.advance(-1.0),
        lambda sim: sim.inputs.pop("motor"),
    ],
)
def test_what_makes_no_sense_is_refused_and_nothing_moves(ask: Any) -> None:
    sim = lw.Simulator(arm(), STEP)
    with pytest.raises(UsageError):
        ask(sim)
    assert sim.time == 0.0


def test_runs_options_and_adaptive_steps_are_refused() -> None:
    with pytest.raises(UsageError, match="every"):
        lw.Simulator(arm(), STEP, every=2)
    with pytest.raises(UsageError, match="one size"):
        lw.Simulator(arm(), STEP, "lie-mixed", rtol=1e-6)
    with pytest.raises(UsageError, match="step"):
        lw.Simulator(arm())
    with pytest.raises(UsageError, match="step must be a positive number of seconds, not 0"):
        lw.Simulator(lw.load("kissel2021_double_pendulum"), step=0)  # which has a hint
    with pytest.raises(UsageError, match="a snapshot of a simulator is wanted, not dict"):
        lw.Simulator(arm(), STEP).restore({"time": 0.0})


def test_adaptive_steps_are_refused_before_there_is_memory_for_their_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run of adaptive steps knows the times of all its samples: 8 GB of them for as long as a simulator may go on."""
    made: list[str] = []
    monkeypatch.setattr("linkwork.stepping.simulator.begin", lambda *about: made.append("run"))
    for integrator in ("dop853", "ts54", "generalized-alpha"):
        with pytest.raises(UsageError, match="one size"):
            lw.Simulator(arm(), STEP, "lie-mixed", integrator, rtol=1e-6)
    assert not made


def test_a_step_that_fails_says_so_and_leaves_the_simulator_where_it_was() -> None:
    sim = lw.Simulator(arm(), STEP)
    sim.advance(0.01)
    before = sim.snapshot()
    with pytest.raises(ConvergenceError, match=r"t = 0\.011"):
        sim.step({"push.x": 1e12})
    sim.restore(before)
    sim.step()
    assert sim.time == pytest.approx(0.011)
    with pytest.raises(ResultFileError, match="fit"):
        lw.Simulator(arm(), STEP, "lie-mixed", "rk4").restore(before)
