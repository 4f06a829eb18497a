"""Runs that start elsewhere than described: from states, from ends of results, from joint coordinates and rates."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mechanism_generator import large_mechanism
from numpy.testing import assert_allclose, assert_array_equal
from oracles.joint_examples import mechanism as example

import linkwork as lw
from linkwork.analysis.coordinate_rows import held
from linkwork.analysis.start_state import given
from linkwork.errors import RunInterruptedError, StartStateError, UsageError
from linkwork.mechanism.joints import JOINTS
from linkwork.system import compile_mechanism

CRANK, GUIDE = "crank pivot", "slider guide"


def coordinate(mech: lw.Mechanism, state: lw.State, name: str) -> tuple[float, float]:
    if name in lw.joint_coordinates(mech).names:
        found = lw.joint_coordinates(mech, state)
        k = found.names.index(name)
        return float(found.values[k]), float(found.rates[k])
    lowered = mech.lower()  # in no tree
    return given(lowered, name, 0.0).at(state.within(compile_mechanism(lowered)))


def test_a_tree_starts_exactly_where_it_is_told() -> None:
    mech = lw.load("kissel2021_double_pendulum")
    state = lw.start_state(mech, {"pivot": 0.7, "elbow": -9.0}, {"elbow.angle": 2.0}, time=1.5)
    found = lw.joint_coordinates(mech, state)
    assert_allclose(found.values, [0.7, -9.0 + 2 * np.pi], atol=1e-12)
    assert_allclose(found.rates, [0.0, 2.0], atol=1e-12)
    assert state.time == 1.5


@pytest.mark.parametrize("torsion", [False, True])
def test_coordinates_that_are_not_given_stay_as_described(torsion: bool) -> None:
    mech = lw.Mechanism("arm")
    for k, name in enumerate(("upper", "lower", "hand")):
        mech.body(name, mass=1.0, inertia=[0.1, 0.1, 0.01], position=[0.2 * k, 0, -0.5 - k])
    mech.joint("hip", "revolute", "ground", "upper", point=[0, 0, 0], axis=[0, 1, 0])
    mech.joint("knee", "spherical", "upper", "lower", point=[0.1, 0, -1])
    mech.joint("grip", "prismatic", "lower", "hand", on_first={"point": [0, 0, 0], "axis": [0.2, 0, -1]},
               on_second={"point": [0, 0, 0], "axis": [0.2, 0, -1]})  # fmt: skip
    if torsion:
        mech.force("coil", "torsion", joint="hip", stiffness=1.0)
    start = lw.joint_coordinates(mech)
    assert start["grip.displacement"] > 1.0
    moves: list[tuple[dict[str, float], dict[str, float]]] = [
        ({"hip.angle": 8.0}, {}),
        ({"grip.displacement": 0.3}, {"hip.angle": 2.0}),
        ({}, {"grip.displacement": 1.0}),
        ({"hip.angle": -1.0, "grip.displacement": 2.0}, {}),
    ]
    for there, rates in moves:
        found, wanted = lw.start_state(mech, there, rates), lw.forward_kinematics(mech, there, rates)
        assert_allclose(found.position, wanted.position, atol=1e-12)
        assert_allclose(found.rotation, wanted.rotation, atol=1e-12)
        assert_allclose(found.velocity, wanted.velocity, atol=1e-12)
        if torsion:
            assert_allclose(found.counted_angles, [there.get("hip.angle", 0.0)], atol=1e-12)


@pytest.mark.parametrize("seed", [2, 4, 5, 6, 8, 10, 12, 14])
def test_random_trees_start_where_forward_kinematics_puts_them(seed: int) -> None:
    mech, rng = large_mechanism(seed, 4), np.random.default_rng(seed)
    start = lw.joint_coordinates(mech)
    names = [name for name in start.names if ".angle" in name or ".displacement" in name]
    picked = [name for name in names if rng.random() < 0.6] or names[:1]
    there = {name: start[name] + float(rng.uniform(-0.4, 0.4)) for name in picked}
    rates = {name: float(rng.uniform(-1.0, 1.0)) for name in names if rng.random() < 0.5}
    found, wanted = lw.start_state(mech, there, rates), lw.forward_kinematics(mech, there, rates)
    for name in ("position", "rotation", "velocity", "angular_velocity"):
        assert_allclose(getattr(found, name), getattr(wanted, name), atol=1e-9, err_msg=name)


def test_what_hangs_on_a_closed_chain_goes_along_with_it() -> None:
    mech = lw.load("spatial_slider_crank_spring")
    mech.body("pointer", mass=0.1, inertia=[1e-3, 1e-3, 1e-3], position=list(mech.bodies[0].position))
    crank = mech.bodies[0].name
    mech.joint("hook", "revolute", crank, "pointer", point=list(mech.bodies[0].position), axis=[1, 0, 0])
    before = lw.start_state(mech, {})
    state = lw.start_state(mech, {CRANK: coordinate(mech, before, f"{CRANK}.angle")[0] + 1.5})
    assert abs(coordinate(mech, state, "hook.angle")[0] - coordinate(mech, before, "hook.angle")[0]) < 1e-6
    assert np.abs(state.rotation[-1] - before.rotation[-1]).max() > 0.9


def test_a_rate_is_given_without_its_coordinate() -> None:
    mech = lw.Mechanism("slide")
    mech.body("block", mass=1.0, inertia=[0.1, 0.1, 0.1], position=[0.5, 0, 0])
    at = {"point": [0, 0, 0], "axis": [1, 0, 0]}
    mech.joint("guide", "prismatic", "ground", "block", on_first=at, on_second=at)
    run = lw.simulate(mech, 0.01, 1e-3, "rA", state={"guide": (None, 2.0)})
    assert_allclose([run["position"][0, 0, 0], run["velocity"][0, 0, 0]], [0.5, 2.0], atol=1e-12)
    swept = lw.sweep(
        mech, {"guide_rate": [1.0, 3.0]}, keep=["start(block.position)", "start(block.velocity)"], t_end=0.01, step=1e-3
    )
    assert_allclose(swept["start(block.position)"], [[0.5, 0, 0]] * 2, atol=1e-12)
    assert_allclose(swept["start(block.velocity)"], [[1, 0, 0], [3, 0, 0]], atol=1e-12)
    with pytest.raises(UsageError, match="finite number"):
        lw.simulate(mech, 0.01, 1e-3, "rA", state={"guide": None})
    paired, apart = lw.start_state(mech, {"guide": (0.7, 2.0)}), lw.start_state(mech, {"guide": 0.7}, {"guide": 2.0})
    assert_array_equal(paired.position, apart.position)
    assert_array_equal(paired.velocity, apart.velocity)
    with pytest.raises(UsageError, match="the rate of 'guide' is given twice"):
        lw.start_state(mech, {"guide": (0.7, 2.0)}, {"guide": 1.0})
    with pytest.raises(UsageError, match="a coordinate and its rate"):
        lw.start_state(mech, {"guide": (0.7, 2.0, 1.0)})


def test_a_closed_chain_is_assembled_around_what_is_given_and_stays_on_its_branch() -> None:
    mech = lw.load("spatial_slider_crank_spring")
    state = lw.start_state(mech, {CRANK: 2.0}, {CRANK: 3.0})
    assert_allclose(coordinate(mech, state, f"{CRANK}.angle"), (2.0, 3.0), atol=1e-9)
    again = lw.start_state(mech, {GUIDE: coordinate(mech, state, f"{GUIDE}.displacement")[0]})
    assert_allclose(again.position[2], state.position[2], atol=1e-9)
    found = lw.assemble(mech).state  # the described start is not where this is
    assert np.abs(found.position - state.position).max() > 0.05


@pytest.mark.parametrize("kind", [k for k in JOINTS if k not in ("rod", "prismatic", "helical")])
def test_every_coordinate_that_a_row_holds_is_held(kind: str) -> None:
    mech = example(kind, np.random.default_rng(4))
    names = list(held(mech.lower().joints[0]))
    if kind == "screw":
        names = names[:1]  # its displacement follows
    wanted = {f"joint.{name}": 0.4 + 0.3 * k for k, name in enumerate(names)}
    speeds = {name: 1.0 - 0.7 * k for k, name in enumerate(wanted)}
    state = lw.start_state(mech, wanted, speeds)
    for name in wanted:
        assert_allclose(coordinate(mech, state, name), (wanted[name], speeds[name]), atol=1e-9)


def test_turns_on_the_way_are_counted_by_torsion_springs() -> None:
    mech = lw.Mechanism("wound")
    mech.body("bar", mass=1.0, inertia=[0.1, 0.1, 0.1])
    mech.joint("hip", "revolute", "ground", "bar", point=[0, 0, 0], axis=[0, 0, 1])
    mech.force("coil", "torsion", joint="hip", stiffness=1.0)
    assert_allclose(lw.start_state(mech, {"hip": 20.0}).counted_angles, [20.0], atol=1e-12)


@pytest.mark.parametrize(
    ("given", "rates", "words"),
    [
        ({CRANK: 2.0, GUIDE: 0.9}, {}, "crank pivot.angle = 2"),
        ({GUIDE: 5.0}, {}, "slider guide.displacement"),
        ({}, {GUIDE: 1.0, CRANK: 2.0}, "slider guide.displacement = 1"),
    ],
)
def test_what_joints_do_not_allow_is_refused_with_names(given: Any, rates: Any, words: str) -> None:
    with pytest.raises(StartStateError, match=words):
        lw.start_state(lw.load("spatial_slider_crank_spring"), given, rates)


@pytest.mark.parametrize("given", [{"slider gide": 1.0}, {"slider cross": 1.0}, {GUIDE: "x"}, {GUIDE: np.nan}])
def test_names_and_numbers_that_make_no_sense_are_refused(given: Any) -> None:
    with pytest.raises(UsageError, match="slider"):
        lw.start_state(lw.load("spatial_slider_crank_spring"), given)


def test_states_are_plain_data_to_the_bit() -> None:
    state = lw.start_state(lw.load("kissel2021_double_pendulum"), {"pivot": 0.7}, time=0.25)
    again = lw.State.from_dict(state.to_dict())
    assert np.array_equal(again.rotation, state.rotation)
    assert again.time == 0.25
    with pytest.raises(UsageError, match="speed"):
        lw.State.from_dict({**state.to_dict(), "speed": 1.0})


def wound() -> lw.Mechanism:
    mech = lw.Mechanism("wound", gravity=(0.0, 0.0, 0.0))
    mech.body("bar", mass=1.0, inertia=[0.1, 0.1, 0.5])
    mech.joint("hip", "revolute", "ground", "bar", point=[0, 0, 0], axis=[0, 0, 1])
    mech.force("coil", "torsion", joint="hip", stiffness=2.0)
    mech.force("push", "torque", body="bar", components=[0, 0, "sin(3*t)"])
    return mech


@pytest.mark.parametrize(
    ("how", "near"),
    [
        ({}, 2e-4),  # both runs keep 1e-4
        ({"formulation": "rA"}, 3e-6),
        ({"formulation": "lie-mixed", "integrator": "dop853", "rtol": 1e-11}, 3e-6),
    ],
)
def test_a_run_goes_on_from_the_end_of_another(how: Any, near: float) -> None:
    mech = wound()
    whole = lw.simulate(mech, 1.0, 1e-3, state={"hip": (20.0, 1.0)}, **how)
    first = lw.simulate(mech, 0.4, 1e-3, state={"hip": (20.0, 1.0)}, **how)
    second = lw.simulate(mech, 1.0, 1e-3, state=first.state(-1), **how)
    assert second.time[0] == first.time[-1] == pytest.approx(0.4)
    assert second.time.size == 601
    assert_allclose(second.time, whole.time[400:], atol=1e-12)
    assert_allclose(second.rotation("bar"), whole.rotation("bar")[400:], atol=near)
    assert_allclose(second.force("coil")["angle"], whole.force("coil")["angle"][400:], atol=near)
    assert_allclose(second.force("coil")["torque"], 2.0 * second.force("coil")["angle"], atol=1e-9)
    assert_allclose(second["potential_energy"], second.force("coil")["angle"] ** 2, atol=1e-9)
    assert second.info["start"]["time"] == second.time[0]


def test_what_a_method_misses_of_velocities_is_taken_out_with_a_message() -> None:
    """Generalized-alpha meets rows of velocities to its error alone; what is stated may miss rounding alone."""
    mech = lw.load("kissel2021_double_pendulum")
    first = lw.simulate(mech, 0.5, 0.01, "rA", "generalized-alpha")
    end, fastest = first.state(-1), float(np.linalg.norm(first["velocity"][-1], axis=1).max())
    assert 1e-5 * fastest < first["velocity_violation"][-1] < 1e-3 * fastest
    second = lw.simulate(mech, 0.6, 0.01, "rA", "generalized-alpha", state=lw.State.from_dict(end.to_dict()))
    assert any("velocity changed by" in message for message in second.messages)
    assert_allclose(second["velocity"][0], end.velocity, atol=1e-3 * fastest)
    stated = replace(end, computed=False)
    with pytest.raises(StartStateError, match="stated"):
        lw.simulate(mech, 0.6, 0.01, state=stated)
    with pytest.raises(StartStateError, match="stated"):
        lw.simulate(mech, 0.6, 0.01, state=replace(end, velocity=1.01 * end.velocity))


def test_a_state_that_does_not_fit_is_refused_and_time_must_be_left() -> None:
    mech = wound()
    state = lw.start_state(mech, {"hip": 0.3}, time=2.0)
    with pytest.raises(UsageError, match="not after"):
        lw.simulate(mech, 1.0, 1e-3, "rA", state=state)
    moved = lw.State(state.position + 5.0, state.rotation, state.velocity, state.angular_velocity)
    with pytest.raises(StartStateError, match="bar"):
        lw.simulate(mech, 1.0, 1e-3, "rA", state=moved)
    with pytest.raises(UsageError, match="start state"):
        lw.simulate(mech, 1.0, 1e-3, "rA", state=3.0)


def test_a_file_tells_where_its_run_started(tmp_path: Path) -> None:
    lw.simulate(wound(), 0.1, 1e-3, "rA", state={"hip": 1.0}, out=tmp_path / "run.nc")
    again = lw.open_result(tmp_path / "run.nc")
    assert again.joint("hip")["angle"][0] == pytest.approx(1.0, abs=1e-12)
    assert again.state(0).counted_angles == pytest.approx([1.0])


HOW = [{}, {"formulation": "rA"}, {"formulation": "lie-mixed", "integrator": "dop853", "rtol": 1e-8}]


@pytest.mark.parametrize("how", HOW)
def test_an_interrupted_run_goes_on_from_its_own_start(how: Any, tmp_path: Path) -> None:
    start = lw.simulate(wound(), 0.2, 1e-3, "rA", state={"hip": (0.5, 1.0)}).state()

    def stop(time: float, t_end: float) -> None:
        raise KeyboardInterrupt

    whole = lw.simulate(wound(), 4.0, 1e-3, state=start, **how)
    with pytest.raises(RunInterruptedError):
        lw.simulate(wound(), 4.0, 1e-3, state=start, out=tmp_path / "run.nc", progress=stop, **how)
    again = lw.resume(tmp_path / "run.nc")
    assert np.array_equal(again.time, whole.time)
    assert np.array_equal(again["rotation"], whole["rotation"])


@pytest.mark.parametrize(
    ("words", "expected"),
    [(["--state", "hip=0.5", "--rate", "hip.angle=-2"], (0.5, -2.0)), (["--after", "first.nc"], (1.25, 0.0))],
)
def test_the_command_line_starts_elsewhere(
    words: list[str], expected: tuple[float, float], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from linkwork.cli.main import status_of
    from linkwork.io.formats.loading import save

    monkeypatch.chdir(tmp_path)
    save(wound(), "wound.yaml")
    lw.simulate(wound(), 1e-3, 1e-3, "rA", state={"hip": 1.25}).save("first.nc")
    run = ["run", "wound.yaml", "--t-end", "0.01", "--step", "1e-3", "--quiet"]
    assert status_of([*run, "--out", "run.nc", *words]) == 0
    hip = lw.open_result("run.nc").joint("hip")
    assert (hip["angle"][0], hip["angle_rate"][0]) == pytest.approx(expected, abs=1e-2)
    assert status_of([*run, "--after", "first.nc", "--state", "hip=1"]) == 2
    assert status_of([*run, "--state", "hip"]) == 2
