"""Calls from other states on one mechanism, again and again: placed in a run that is there, with the same bits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from unit.same_runs import the_same
from unit.test_model_numbers import SPAN, arm

import linkwork as lw
from linkwork.errors import LinkworkError
from linkwork.mechanism.variants import variant
from linkwork.run.held import FEW
from linkwork.run.repeated import SEVERAL

WAYS = pytest.mark.parametrize("formulation", ["rA", "canonical", "range-space"])
STATES: tuple[dict[str, Any], ...] = ({"elbow": 0.3}, {"elbow": (-0.2, 1.0)}, {"elbow": (0.1, -0.5)})


@WAYS
def test_simulate_from_states_builds_no_problem_after_some_calls(
    formulation: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    mech = arm()
    wanted = [lw.simulate(arm(), *SPAN, formulation, state=state) for state in STATES]
    elsewhere = wanted[1].state(2)
    wanted.append(lw.simulate(arm(), 0.006, SPAN[1], formulation, state=elsewhere))
    for _ in range(SEVERAL):
        lw.simulate(mech, *SPAN, formulation, state=STATES[0])
    for k in (0, 1, 2):
        lw.simulate(mech, 0.006, SPAN[1], formulation, state=elsewhere)
        the_same(lw.simulate(mech, *SPAN, formulation, state=STATES[k]), wanted[k])
    with monkeypatch.context() as patched:
        patched.setattr("linkwork.run.simulate.started_run", None)
        patched.setattr("linkwork.run.placing._new", None)
        found = [lw.simulate(mech, *SPAN, formulation, state=state) for state in STATES]
        found.append(lw.simulate(mech, 0.006, SPAN[1], formulation, state=elsewhere))
    for one, other in zip(found, wanted, strict=True):
        the_same(one, other)


@WAYS
def test_a_model_starts_the_same_run_however_often(formulation: str) -> None:
    """One array after the other at first, then where they lie in memory."""
    model, wanted = lw.compile(arm(), formulation), lw.simulate(arm(), *SPAN, formulation)
    for _ in range(FEW + 3):
        the_same(model.run(*SPAN), wanted)


@WAYS
def test_a_simulator_that_is_reset_has_the_bits_of_a_new_one(formulation: str, monkeypatch: pytest.MonkeyPatch) -> None:
    mech = arm()

    def steps(simulator: lw.Simulator) -> list[bytes]:
        found = []
        for _ in range(3):
            simulator.step()
            found.append(b"".join(array.tobytes() for array in simulator.sample.values()))
        return found

    wanted = [steps(lw.Simulator(arm(), SPAN[1], formulation, state=state)) for state in STATES]
    simulator = lw.Simulator(mech, SPAN[1], formulation)
    for k in range(SEVERAL + 3):
        simulator.reset(STATES[k % 3])
        assert steps(simulator) == wanted[k % 3]
    with monkeypatch.context() as patched:
        patched.setattr("linkwork.run.simulate.started_run", None)
        patched.setattr("linkwork.run.placing._new", None)
        for state, one in zip(STATES, wanted, strict=True):
            simulator.reset(state)
            assert steps(simulator) == one
            simulator.reset()
            assert steps(simulator) == one


def test_a_state_that_cannot_be_assembled_is_refused_in_the_same_words() -> None:
    mech = lw.load("kissel2021_slider_crank")
    simulator, words = lw.Simulator(mech, 1e-3), set()
    bad = simulator.state
    bad.position[2] += [0.0, 10.0, 0.0]
    good = simulator.state
    for k in range(SEVERAL + 2):
        simulator.reset(good)
        simulator.step()
        before = simulator.time, simulator.position.copy()
        with pytest.raises(LinkworkError) as caught:
            simulator.reset(bad)
        words.add(str(caught.value))
        assert simulator.time == before[0], k
        np.testing.assert_array_equal(simulator.position, before[1])
        simulator.step()
    with pytest.raises(type(caught.value)) as fresh:
        lw.simulate(lw.load("kissel2021_slider_crank"), 0.01, 1e-3, "rA", state=bad)
    assert words == {str(fresh.value)}


def test_a_length_that_makes_the_mechanism_impossible_is_refused_in_the_same_words() -> None:
    mech, given = lw.load("kissel2021_slider_crank"), {"crank pin.on_first.point.y": 5.0}
    model, span = lw.compile(mech, "rA", accept_changes=True), (0.005, 1e-3)
    with pytest.raises(LinkworkError) as wanted:
        lw.simulate(variant(mech, given), *span, "rA", accept_changes=True)
    for y in (0.0801, 0.0802):
        possible = {"crank pin.on_first.point.y": y}
        with pytest.raises(type(wanted.value)) as caught:
            model.run(*span, parameters=given)
        assert str(caught.value) == str(wanted.value)
        reference = lw.simulate(variant(mech, possible), *span, "rA", accept_changes=True)
        the_same(model.run(*span, parameters=possible), reference)


def test_a_sweep_over_gravity_has_the_bits_of_simulate() -> None:
    mech, values = arm(), [-15.0, -9.0, -3.0, -1.5]
    keep = ["final(lower.position.z)", "final(potential_energy)"]
    found = lw.sweep(mech, {"gravity.z": values}, keep=keep, t_end=SPAN[0], step=SPAN[1], formulation="rA")
    for k, value in enumerate(values):
        run = lw.simulate(variant(mech, {"gravity.z": value}), *SPAN, "rA")
        assert found[keep[0]][k] == run.position("lower")[-1, 2]
        assert found[keep[1]][k] == run["potential_energy"][-1]
