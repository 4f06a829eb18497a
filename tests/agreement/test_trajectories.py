"""Whole runs of the Lie-group formulations: against other formulations and solvers, and what a result promises.

Recorded accelerations and multipliers are those of the equations of motion at the recorded state; nothing depends on
who solves the linear system, on how samples are kept, or on anything that is not in the call.
"""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mechanism_generator import random_mechanism
from numpy.testing import assert_allclose, assert_array_equal
from oracles.driven import driver_torque, motions
from oracles.free import double_pendulum
from oracles.redundant import BRICARD_PATH, bricard, n_four_bar

import linkwork as lw
from linkwork.analysis.state import State
from linkwork.errors import LinkworkError, RunInterruptedError, SingularPositionError, UsageError
from linkwork.solvers import choice

TOP, PENDULUM, PAIR, LINKAGE = (
    f"muller2013_{name}" for name in ("heavy_top", "spherical_double_pendulum", "floating_pair", "three_bar")
)
GROUPS = ("lie-se3", "lie-product", "lie-mixed")
RECURSIVE = ("canonical", "articulated-body")
SOLVERS = ("range_space", "range_space_dense", "augmented")
STORED = ("time", "position", "rotation", "velocity", "angular_velocity", "acceleration", "angular_acceleration")
COUNTS = ("steps", "evaluations", "rejected")
REFERENCE = {"integrator": "dop853", "rtol": 1e-12, "atol": 1e-13}


def forced(name: str) -> Any:
    """`choice.new_solver`, but always this solver."""
    usual = choice.new_solver
    return lambda mechanism, group, droppable, room, *_, **__: usual(mechanism, group, droppable, room, name)


def solved_by(name: str, *given: Any, **how: Any) -> lw.Result:
    """A run with this solver of the linear system."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(choice, "new_solver", forced(name))
        return lw.simulate(*given, **how)


# against others -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("group", GROUPS)
def test_the_double_pendulum_swings_as_its_two_angles_do(group: str) -> None:
    result = lw.simulate(lw.load("kissel2021_double_pendulum"), 2.0, 1e-2, group, **REFERENCE)
    r, v = double_pendulum(result.time)
    assert np.abs(result["position"] - r).max() < 1e-8
    assert np.abs(result["velocity"] - v).max() < 1e-7


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize("model", ["kissel2021_slider_crank", "kissel2021_four_link", "planar_four_bar"])
def test_driven_mechanisms_move_as_their_closed_forms(model: str, group: str) -> None:
    """Over a turn, with the driver's torque; the four-link's bodies lack inertia about an axis."""
    driver = {"planar_four_bar": "motor"}.get(model, "driver")
    result = lw.simulate(lw.load(model), 1.5, 1e-3, group, "rk4", stabilisation="projection", every=10)
    for k, body in enumerate(motions(model, result.time)):
        for name, wanted, close in (
            ("position", body.r, 1e-9), ("rotation", body.A, 1e-9), ("velocity", body.v, 1e-8),
            ("angular_velocity", body.w, 1e-8), ("acceleration", body.a, 1e-7),
            ("angular_acceleration", body.alpha, 1e-7),
        ):  # fmt: skip
            assert_allclose(result[name][:, k], wanted, atol=close, err_msg=f"{name} of {k}")
    wanted = driver_torque(model, result.time)
    axis = 1 if model == "planar_four_bar" else 0
    found = np.abs(result.reaction(driver).torque[:, axis])
    assert_allclose(found, np.abs(wanted), atol=1e-6 * np.abs(wanted).max())


@settings(max_examples=12)
@given(seed=st.integers(0, 2**31))
def test_random_mechanisms_move_alike_on_all_groups_and_as_implicit_euler_says(seed: int) -> None:
    """For 20 ms: groups to 1e-8, and rA's first-order errors shrink towards them."""
    mechanism = random_mechanism(seed)
    t_end = 0.02
    try:
        found = [lw.simulate(mechanism, t_end, t_end, group, **REFERENCE) for group in GROUPS]
    except LinkworkError as error:
        pytest.fail(f"{type(error).__name__}: {error}")
    for name in ("position", "rotation", "velocity", "angular_velocity"):
        for other in found[1:]:
            size = max(1.0, float(np.abs(found[0][name]).max()))
            assert np.abs(other[name][-1] - found[0][name][-1]).max() < 1e-8 * size, name
    errors = []
    for step in (1e-3, 2.5e-4):
        euler = lw.simulate(mechanism, t_end, step, "rA", every=round(t_end / step))
        errors.append(
            sum(float(np.abs(euler[name][-1] - found[0][name][-1]).max()) for name in ("position", "velocity"))
        )
    assert errors[1] < max(0.4 * errors[0], 1e-8), errors


@pytest.mark.parametrize("model", [PENDULUM, LINKAGE, "planar_four_bar", "spatial_slider_crank_spring"])
def test_solvers_agree(model: str) -> None:
    runs = [solved_by(name, lw.load(model), 0.2, 1e-3, "lie-mixed", "rk4") for name in SOLVERS]
    for name in (*STORED, "multiplier", "reaction_force", "reaction_torque"):
        size = max(1.0, float(np.abs(runs[0][name]).max()))
        for other in runs[1:]:
            assert np.abs(other[name] - runs[0][name]).max() < 1e-9 * size, name


# redundant rows and rank changes ------------------------------------------------------------------------------


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("method", ["rk4", "dp54", "dop853"])
def test_bricards_loop_takes_the_published_path(method: str, solver: str) -> None:
    """Thirty rows of rank 29 everywhere: the redundant one is said, and costs no order."""
    result = solved_by(solver, bricard(), 1.0, 1e-3, "lie-mixed", method, every=500)
    end = result.position("bar 2") + result.rotation("bar 2") @ np.array([0, 0, -0.5])
    assert_allclose(end[1:], [BRICARD_PATH[0.5], BRICARD_PATH[1.0]], atol=1e-8)
    assert result["position_violation"].max() < 1e-11
    assert any("'hinge 5.lock[4]'" in message for message in result.messages)


@pytest.mark.parametrize(("method", "order"), [("heun", 2), ("rk4", 4)])
def test_redundant_rows_cost_no_order(method: str, order: int) -> None:
    exact = lw.simulate(bricard(), 0.5, 0.1, "lie-se3", **REFERENCE, stabilisation="projection")
    errors = []
    for step in (1e-2, 5e-3):
        found = lw.simulate(bricard(), 0.5, step, "lie-se3", method, every=round(0.1 / step))
        errors.append(np.abs(found["position"] - exact["position"]).max())
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.25), errors


@pytest.mark.parametrize("how", [{}, {"t_eval": [0.05, 0.2]}, {"rtol": 1e-8}], ids=["steps", "times", "adaptive"])
def test_multipliers_of_redundant_rows_are_the_least_ones(how: dict[str, Any]) -> None:
    """At steps and at samples between them: those that the equations give at the recorded state."""
    m = bricard()
    result = lw.simulate(m, 0.2, 1e-2, "lie-product", "dp54", stabilisation="projection", **how)
    for k in (0, 1, -1):
        there = lw.accelerations(m, State.of(result, k), "lie-product")
        assert_allclose(result["multiplier"][k], there.multipliers, atol=1e-6 * np.abs(there.multipliers).max())


def parallelogram() -> lw.Mechanism:
    """Cranks of 1 m, 2 m apart, turning at pi/2 rad/s without weight: flat, and free to fold, at 1 s and 3 s."""
    upright = [[0, 0, -1], [0, 1, 0], [1, 0, 0]]
    bar = {"mass": 1.0, "inertia": [0.01, 0.1, 0.1]}
    m = lw.Mechanism("parallelogram", gravity=(0, 0, 0))
    for name, x in (("crank", 0), ("rocker", 2)):
        m.body(name, **bar, position=(x, 0, 0.5), rotation=upright, velocity=(-np.pi / 4, 0, 0),
               angular_velocity=(0, -np.pi / 2, 0))  # fmt: skip
    m.body("coupler", **bar, position=(1, 0, 1), velocity=(-np.pi / 2, 0, 0))
    m.joint("pivot", "revolute", "ground", "crank", point=(0, 0, 0), axis=(0, -1, 0))
    m.joint("cross", "universal", "crank", "coupler", point=(0, 0, 1), axis=(0, 1, 0), axis2=(0, 0, 1))
    m.joint("ball", "spherical", "coupler", "rocker", point=(2, 0, 1))
    m.joint("far pivot", "revolute", "ground", "rocker", point=(2, 0, 0), axis=(0, -1, 0))
    return m


def folded(result: lw.Result) -> float:
    """How far the coupler is from turning evenly, m."""
    u = np.pi / 2 * (1 + result.time)
    arm = np.stack([np.cos(u), 0 * u, np.sin(u)], axis=1)
    return float(np.abs(result.position("coupler") - arm - np.array([1, 0, 0])).max())


ROUTES = pytest.mark.parametrize(
    ("method", "step", "how"),
    [
        ("rk4", 1e-3, {}),  # flat exactly at a step
        ("rk4", 2e-3, {}),
        ("rk4", 1.3e-3, {}),
        ("rk4", 1e-3, {"project_every": 1}),
        ("heun", 1e-3, {"project_every": 1}),  # flat to 1e-7
        ("bs32", 2e-3, {"project_every": 1}),
        ("dp54", 1e-3, {}),
        ("rk4", 7e-3, {"t_eval": [0.5, 1.0, 1.5, 3.0, 3.5]}),  # flat exactly at a sample
        ("dop853", 7e-3, {"t_eval": [0.5, 1.0, 1.5, 3.0, 3.5]}),
        ("dp54", 1e-1, {"rtol": 1e-9}),
    ],
    ids=lambda x: str(x) if not isinstance(x, dict) else "-".join(x),
)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("group", GROUPS[:2])
@ROUTES
def test_a_rank_loss_on_the_way_is_passed(method: str, step: float, how: Any, group: str, solver: str) -> None:
    check_folded(solved_by(solver, parallelogram(), 3.5, step, group, method, **how), method, step, how)


@pytest.mark.parametrize("formulation", RECURSIVE)
@ROUTES
def test_a_rank_loss_on_the_way_is_passed_in_joint_coordinates(
    method: str, step: float, how: Any, formulation: str
) -> None:
    check_folded(lw.simulate(parallelogram(), 3.5, step, formulation, method, **how), method, step, how)


def check_folded(result: lw.Result, method: str, step: float, how: Any) -> None:
    if "t_eval" in how:
        assert_array_equal(result.time, how["t_eval"])
    else:
        assert_allclose(np.diff(result.time), step, rtol=1e-9)
        assert result.time[-1] == pytest.approx(3.5, abs=step)
    assert folded(result) < (1e-5 if method in ("heun", "bs32") else 1e-6)
    assert np.ptp(result.energy) < (1e-5 if method in ("heun", "bs32") else 1e-6) * 2.1
    assert result["position_violation"].max() < 1e-6


@pytest.mark.parametrize("formulation", ["lie-se3", *RECURSIVE])
@pytest.mark.parametrize("method", ["rk4", "dp54", "dop853"])
@pytest.mark.parametrize("steps", [50, 51, 25, 20])
def test_long_steps_pass_a_rank_loss_too(steps: int, method: str, formulation: str) -> None:
    """Stages exactly where the rows are dependent, from bases that are far from there."""
    h = 2.0 / steps
    result = lw.simulate(parallelogram(), 2.0, h, formulation, method)
    assert len(result.time) == steps + 1
    assert folded(result) < (1e-2 if method == "rk4" else 1e-5)
    assert np.ptp(result.energy) < 2e-2 * 2.1


@pytest.mark.parametrize("formulation", ["lie-se3", *RECURSIVE])
@pytest.mark.parametrize("how", [{}, {"stabilisation": "projection"}], ids=["none", "projection"])
@pytest.mark.parametrize("method", ["dp54", "dop853"])
def test_adaptive_runs_pass_rank_losses_at_any_tolerance(method: str, how: dict[str, Any], formulation: str) -> None:
    """Bars without inertia about their lines, redundant rows everywhere, and two freedoms more for an instant."""
    for rtol in 10 ** -np.linspace(5.0, 8.0, 9):
        result = lw.simulate(n_four_bar(2), 1.6, 1e-2, formulation, method, rtol=float(rtol), **how)
        tips = [2 * result.position(f"crank {k}") - [2 * k, 0, 0] for k in range(3)]
        assert_allclose(tips[2] - tips[0], np.broadcast_to([0, 0, 0], tips[0].shape), atol=1e-3)
        assert np.ptp(result.energy) < max(1e5 * rtol, 1e-2)


@pytest.mark.parametrize("formulation", ["lie-se3", *RECURSIVE])
def test_a_rank_loss_is_said(formulation: str) -> None:
    result = lw.simulate(parallelogram(), 1.5, 1e-3, formulation, "rk4")
    assert any("lose rank near t = 1 s" in message for message in result.messages)
    assert any("projected" in message for message in result.messages)
    assert lw.simulate(parallelogram(), 0.9, 1e-3, formulation, "rk4").messages == ()


@pytest.mark.parametrize("formulation", ["lie-mixed", *RECURSIVE])
def test_many_steps_that_fall_near_the_singular_position_are_survived(formulation: str) -> None:
    for step in np.linspace(4e-4, 2e-3, 17):
        result = lw.simulate(n_four_bar(2), 1.0, float(step), formulation, "rk4")
        first, last = result.position("crank 0"), result.position("crank 2")
        assert_allclose(last - first, np.broadcast_to([2, 0, 0], first.shape), atol=1e-6)
        assert np.ptp(result.energy) < 1e-4


def test_a_position_where_accelerations_mean_nothing_is_an_error() -> None:
    m = lw.Mechanism("needle")
    m.body("needle", mass=1.0, inertia=[0.1, 0.1, 0.0])
    m.joint("pin", "spherical", "ground", "needle", point=(0, 0, 0))
    with pytest.raises(SingularPositionError, match="not determined"):
        lw.simulate(m, 0.1, 1e-3, "lie-se3", "rk4")


# what a result holds ------------------------------------------------------------------------------------------


@cache
def kept(model: str, group: str, how: tuple[tuple[str, Any], ...]) -> lw.Result:
    return lw.simulate(lw.load(model), 0.1, 5e-3, group, "dp54", **dict(how))


@pytest.mark.parametrize(
    "how",
    [(), (("rtol", 1e-7),), (("t_eval", (0.0, 0.0123, 0.06, 0.1)),), (("project_every", 2),)],
    ids=["steps", "adaptive", "times", "projected"],
)
@pytest.mark.parametrize("model", [TOP, LINKAGE, "spatial_slider_crank_spring", "gyroscope"])
@pytest.mark.parametrize("group", GROUPS[:2])
def test_samples_hold_the_accelerations_and_reactions_of_their_states(group: str, model: str, how: Any) -> None:
    result = kept(model, group, how)
    mechanism = lw.load(model)
    for k in (0, 1, -1):
        there = lw.accelerations(mechanism, State.of(result, k), group)
        for found, wanted in (
            (result["acceleration"][k], there.rddot),
            (result["angular_acceleration"][k], there.omegadot),
            (result["multiplier"][k], there.multipliers),
        ):
            assert np.linalg.norm(found - wanted) < 1e-9 * max(1.0, float(np.linalg.norm(wanted)))
        for joint in result.joints:
            force, torque = result.reaction(joint).force[k], result.reaction(joint).torque[k]
            size = max(1.0, float(np.linalg.norm(there.multipliers)))
            assert_allclose(force, there.reactions[joint].force, atol=1e-9 * size)
            assert_allclose(torque, there.reactions[joint].torque, atol=1e-9 * size)


@pytest.mark.parametrize("how", [{}, {"rtol": 1e-8}, {"t_eval": np.linspace(0.0, 0.1, 14)}], ids=str)
def test_velocities_and_accelerations_are_rates_of_what_is_recorded(how: dict[str, Any]) -> None:
    """Central differences of dense samples."""
    d, mid = 1e-5, 0.0512
    times = np.array([mid - d, mid, mid + d])
    for group in GROUPS[:2]:
        result = lw.simulate(lw.load(PENDULUM), 0.1, 1e-3, group, "dop853", **{**how, "t_eval": times})
        assert_allclose((result["position"][2] - result["position"][0]) / (2 * d), result["velocity"][1], atol=1e-4)
        assert_allclose((result["velocity"][2] - result["velocity"][0]) / (2 * d), result["acceleration"][1], atol=2e-2)
        assert_allclose(
            (result["angular_velocity"][2] - result["angular_velocity"][0]) / (2 * d),
            result["angular_acceleration"][1], rtol=1e-4, atol=0.5,
        )  # fmt: skip


@pytest.mark.parametrize("how", [{}, {"rtol": 1e-7}, {"project_every": 3}], ids=str)
def test_a_file_holds_what_memory_holds(how: dict[str, Any], tmp_path: Path) -> None:
    given: dict[str, Any] = {"formulation": "lie-mixed", "integrator": "dp54", "every": 2, **how}
    in_memory = lw.simulate(lw.load(PENDULUM), 0.2, 1e-3, **given)
    streamed = lw.simulate(lw.load(PENDULUM), 0.2, 1e-3, **given, out=tmp_path / "run.nc")
    opened = lw.open_result(tmp_path / "run.nc")
    assert len(in_memory.time) == 101
    for name in (*STORED, "multiplier", "kinetic_energy", "potential_energy", "position_violation", "reaction_force"):
        assert_array_equal(streamed[name], in_memory[name], err_msg=name)
        assert_array_equal(opened[name], in_memory[name], err_msg=name)
    for result in (streamed, opened):
        assert {k: result.info[k] for k in COUNTS} == {k: in_memory.info[k] for k in COUNTS}
        assert result.info["groups"] == {"body 1": "se3", "body 2": "product"}
        assert result.messages == in_memory.messages
    saved = in_memory.save(tmp_path / "saved.nc") or tmp_path / "saved.nc"
    assert_array_equal(lw.open_result(saved)["rotation"], in_memory["rotation"])
    assert set(in_memory.dataset.dims) >= {"time", "body"}


def test_a_run_says_how_it_was_made() -> None:
    adaptive = lw.simulate(
        lw.load(PENDULUM), 0.02, 1e-3, "lie-mixed", "ts54", rtol=1e-5, max_step=2e-3, groups={"body 2": "se3"},
        project_every=4, t_eval=[0.01, 0.02],
    )  # fmt: skip
    info = adaptive.info
    assert (info["formulation"], info["integrator"]) == ("lie-mixed", "ts54")
    assert (info["rtol"], info["atol"], info["max_step"]) == (1e-5, 1e-9, 2e-3)
    assert (info["stabilisation"], info["project_every"]) == ("projection", 4)
    assert info["groups"] == {"body 1": "se3", "body 2": "se3"}
    assert "2 times" in info["t_eval"]
    fixed = lw.simulate(lw.load(PENDULUM), 0.02, 1e-3, "lie-se3", baumgarte=(3.0, 4.0))
    assert fixed.info["integrator"] == "rk4"
    assert (fixed.info["stabilisation"], fixed.info["baumgarte"]) == ("baumgarte", [3.0, 4.0])
    assert "rtol" not in fixed.info


def test_every_keeps_every_so_manieth_sample() -> None:
    whole = lw.simulate(lw.load(PENDULUM), 0.1, 1e-3, "lie-se3", "dp54")
    some = lw.simulate(lw.load(PENDULUM), 0.1, 1e-3, "lie-se3", "dp54", every=7)
    assert len(some.time) == 15
    for name in (*STORED, "multiplier"):
        assert_array_equal(some[name], whole[name][::7], err_msg=name)


@pytest.mark.parametrize("how", [{}, {"rtol": 1e-7}], ids=["fixed", "adaptive"])
def test_an_interrupted_run_keeps_what_it_has(how: dict[str, Any], tmp_path: Path) -> None:
    """Ctrl-C between chunks: raised by the progress callback here."""

    def progress(reached: float, t_end: float) -> None:
        if reached > 0.5:
            raise KeyboardInterrupt

    whole = lw.simulate(lw.load(TOP), 20.0, 1e-3, "lie-se3", "dp54", **how)
    with pytest.raises(RunInterruptedError, match="interrupted") as error:
        lw.simulate(lw.load(TOP), 20.0, 1e-3, "lie-se3", "dp54", **how, progress=progress, out=tmp_path / "run.nc")
    result = error.value.result
    n = len(result.time)
    assert 500 < n < 20001
    for name in ("time", "position", "multiplier"):
        assert_array_equal(result[name], whole[name][:n])
    assert not lw.open_result(tmp_path / "run.nc").success


@pytest.mark.parametrize("how", [{}, {"rtol": 1e-8}], ids=["fixed", "adaptive"])
def test_a_run_reports_and_can_be_stopped_long_before_its_only_sample(how: dict[str, Any]) -> None:
    reached: list[float] = []

    def progress(time: float, t_end: float) -> None:
        reached.append(time)
        if len(reached) == 3:
            raise KeyboardInterrupt

    with pytest.raises(RunInterruptedError):
        lw.simulate(lw.load(TOP), 400.0, 1e-3, "lie-se3", "dp54", t_eval=[400.0], progress=progress, **how)
    assert reached == sorted(reached)
    assert reached[-1] < 400.0


def test_failures_keep_what_was_computed() -> None:
    m = lw.load(TOP)
    m.force("spin up", "torque", body="top", components=(0.0, 0.0, "2000*t^3"), axes="body")
    with pytest.raises(LinkworkError, match="half a revolution") as error:
        lw.simulate(m, 20.0, 1e-2, "lie-se3", "rk4")
    result = error.value.result  # type: ignore[attr-defined]
    assert not result.success
    assert 10 < len(result.time) < 2001
    assert np.all(np.isfinite(result["position"]))
    assert_allclose(np.diff(result.time), 1e-2, rtol=1e-9)


# the same bits ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize("how", [{}, {"rtol": 1e-8}, {"project_every": 3}, {"baumgarte": (5.0, 5.0)}], ids=str)
def test_the_same_call_gives_the_same_bits(group: str, how: dict[str, Any]) -> None:
    one, two = (lw.simulate(lw.load(LINKAGE), 0.3, 1e-3, group, "dp54", **how) for _ in range(2))
    for name in (*STORED, "multiplier", "reaction_force", "kinetic_energy"):
        assert_array_equal(two[name], one[name], err_msg=name)
    assert {k: two.info[k] for k in COUNTS} == {k: one.info[k] for k in COUNTS}


def test_another_process_gives_the_same_bits_too() -> None:
    code = (
        "import hashlib, linkwork as lw\n"
        f"r = lw.simulate(lw.load({LINKAGE!r}), 0.3, 1e-3, 'lie-mixed', 'dp54', rtol=1e-8)\n"
        "print(hashlib.sha256(r['position'].tobytes() + r['multiplier'].tobytes()).hexdigest())\n"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code], check=True, capture_output=True, text=True, env=dict(os.environ)
        ).stdout
        for _ in range(2)
    }
    assert len(found) == 1
    assert len(found.pop().strip()) == 64


def test_a_mechanism_is_not_changed_by_its_runs() -> None:
    m = lw.load(LINKAGE)
    before = m.to_dict()
    lw.simulate(m, 0.05, 1e-3, "lie-se3", "rk4", stabilisation="projection")
    assert m.to_dict() == before
    with pytest.raises(UsageError):
        lw.simulate(m, 0.05, 1e-3, "lie-mixed", groups={"body 3": "se3"})
    assert m.to_dict() == before
