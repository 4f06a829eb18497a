"""Dynamics with dependent rows: they run, are named, share reactions with least norm, and pass rank changes."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from oracles.driven import driver_torque, motions
from oracles.free import parallel_cranks
from oracles.redundant import BRICARD_PATH, bricard, n_four_bar

import linkwork as lw
from linkwork.system import compile_mechanism
from linkwork.system.dense import Pose, constraints, drives

FORMULATIONS = ("rA", "rp", "re")
EULER = "implicit-euler"  # its errors halve with the step, through places of lower rank as well


def jacobian(m: lw.Mechanism, result: lw.Result, k: int) -> np.ndarray:
    """G at sample k."""
    compiled = compile_mechanism(m.lower())
    r, A = compiled.r.copy(), compiled.A.copy()
    r[:-1] = result["position"][k]
    A[:-1] = result["rotation"][k].reshape(-1, 9)
    return constraints(compiled, Pose(r, A), drives(compiled, float(result.time[k])))[1]


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize(
    "how",
    [
        {},
        {"tolerance": 1e-1},
        {"tolerance": 1e-3},
        {"tolerance": 1e-6},
        {"position_tolerance": 1e-13},
        {"newton": "full"},
    ],
    ids=str,
)
def test_a_planar_loop_of_spatial_hinges_runs_at_any_tolerance(how, formulation):
    """Three rows too many at every position, and out-of-plane rounding must not make them look independent."""
    result = lw.simulate(lw.load("planar_four_bar"), 3.0, 1e-3, formulation, **how)
    close = 1e-6 * how.get("tolerance", 1e-4) + 1e-10
    assert_allclose(result.position("coupler"), motions("planar_four_bar", result.time)[1].r, atol=30 * close)
    assert np.abs(result["position"][:, :, 1]).max() < 10 * close
    said = next(message for message in result.messages if "rows that others imply" in message)
    assert said.count("lock[") == 3
    torque = -result.reaction("motor").torque[100:, 1]
    assert_allclose(torque, driver_torque("planar_four_bar", result.time[100:]), atol=0.15)


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize(
    "make", [lambda: lw.load("planar_four_bar"), bricard, lambda: n_four_bar(2)], ids=["planar", "bricard", "A02"]
)
def test_multipliers_are_those_of_least_norm(make, formulation):
    """Of all multipliers with the reaction G^T lambda the pseudoinverse gives the smallest."""
    m = make()
    result = lw.simulate(m, 0.2, 1e-3, formulation)
    for k in (0, 1, 57, 200):
        G, lam = jacobian(m, result, k), result["multiplier"][k]
        # tolerance: the rows taken as dependent are so to 1e-7
        least = np.linalg.pinv(G.T, rcond=1e-6) @ (G.T @ lam)
        assert_allclose(lam, least, atol=1e-6 * np.abs(lam).max())


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize(
    "how", [{}, {"tolerance": 1e-3}, {"newton": "full"}, {"newton": "no-reaction-variation"}], ids=str
)
def test_bricards_loop_tends_to_the_published_path(how, formulation):
    """Thirty rows of rank 29 everywhere; errors halve with the step, extrapolated they are below 1e-6 m."""
    found = {}
    for step in (1e-3, 5e-4):
        result = lw.simulate(bricard(), 1.0, step, formulation, EULER, every=round(0.5 / step), **how)
        end = result.position("bar 2") + result.rotation("bar 2") @ np.array([0, 0, -0.5])
        found[step] = end[1:] - np.array([BRICARD_PATH[0.5], BRICARD_PATH[1.0]])
        assert result["position_violation"].max() < 1e-9
        assert any("'hinge 5.lock[4]'" in message for message in result.messages)
    size = [np.linalg.norm(found[step], axis=1) for step in (1e-3, 5e-4)]
    assert_allclose(size[0] / size[1], 2.0, rtol=0.01)
    assert np.abs(2 * found[5e-4] - found[1e-3]).max() < 1e-6


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("how", [{}, {"tolerance": 1e-3}, {"newton": "full"}], ids=str)
def test_the_double_four_bar_passes_its_singular_positions(how, formulation):
    """Level cranks at 0.714 s and 1.23 s have two more freedoms for an instant; cranks must stay parallel."""
    errors = []
    for step in (2e-3, 1e-3, 5e-4, 2.5e-4):
        result = lw.simulate(n_four_bar(2), 1.6, step, formulation, EULER, every=round(2e-2 / step), **how)
        tips = [2 * result.position(f"crank {k}") - [2 * k, 0, 0] + [k, 0, 0] for k in range(3)]
        for k in (1, 2):
            apart = np.abs(tips[k] - [k, 0, 0] - tips[0]).max(axis=1)
            assert apart.max() < 5e-5  # at the step nearest to level, where rows are all but dependent
            assert np.median(apart) < 1e-9
        assert result["position_violation"].max() < 1e-7
        errors.append(np.abs(tips[0][:, :2] - parallel_cranks(result.time, 2)).max())
    ratio = np.array(errors[:-1]) / np.array(errors[1:])
    assert_allclose(ratio, 2.0, rtol=0.15)
    assert errors[-1] < 0.03


def test_a_ladder_of_twenty_four_bars_passes_level_with_the_order_of_the_method():
    """Twenty freedoms more for an instant, at 0.714 s and 1.23 s; near them corrections are rounding over what is left
    of the rows, and must neither fail a step nor take rows out that still hold."""
    errors = []
    for step in (2e-3, 1e-3, 5e-4):
        result = lw.simulate(n_four_bar(20), 1.6, step, integrator="generalized-alpha", every=round(2e-2 / step))
        tips = [2 * result.position(f"crank {k}") - [k, 0, 0] for k in range(21)]
        assert max(np.abs(tip - [k, 0, 0] - tips[0]).max() for k, tip in enumerate(tips)) < 1e-8
        assert result["position_violation"].max() < 1e-11
        assert not any("lose rank" in message for message in result.messages)
        errors.append(np.abs(tips[0][:, :2] - parallel_cranks(result.time, 20)).max())
    assert np.log2(errors[0] / errors[2]) / 2 == pytest.approx(2.0, abs=0.1)


def test_many_steps_that_fall_near_the_singular_position_are_survived():
    """Steps of many sizes: some land within 1e-6 rad of level."""
    for step in np.linspace(3e-4, 2e-3, 35):
        result = lw.simulate(n_four_bar(2), 1.0, float(step), "rA")
        first, last = result.position("crank 0"), result.position("crank 2")
        assert_allclose(last - first, np.broadcast_to([2, 0, 0], first.shape), atol=1e-4)
        assert np.median(np.abs(last - first - [2, 0, 0])) < 1e-10


def test_a_row_said_twice_is_named_and_changes_nothing():
    """A pendulum with its pin given twice: same motion, halved multipliers, same sum of reactions."""
    once = lw.load("kissel2021_single_pendulum")
    twice = lw.load("kissel2021_single_pendulum")
    twice.joint("again", "revolute", "ground", "bar", point=(0, 0, 0), axis=(1, 0, 0))
    one, two = (lw.simulate(m, 0.5, 1e-3, "rA") for m in (once, twice))
    assert_allclose(two["position"], one["position"], atol=1e-11)
    pair = two.reaction("pivot").force, two.reaction("again").force
    assert_allclose(pair[0] + pair[1], one.reaction("pivot").force, atol=1e-4)
    assert_allclose(pair[0], pair[1], atol=1e-6)
    assert any("'again.lock[0]'" in message for message in two.messages)


def parallelogram() -> lw.Mechanism:
    """Cranks of 1 m, 2 m apart, turning at pi/2 rad/s without weight; rows become dependent only where all is flat."""
    upright = [[0, 0, -1], [0, 1, 0], [1, 0, 0]]
    turn = (0, -np.pi / 2, 0)
    bar = {"mass": 1.0, "inertia": [0.01, 0.1, 0.1]}
    m = lw.Mechanism("parallelogram", gravity=(0, 0, 0))
    for name, x in (("crank", 0), ("rocker", 2)):
        m.body(name, **bar, position=(x, 0, 0.5), rotation=upright, velocity=(-np.pi / 4, 0, 0), angular_velocity=turn)
    m.body("coupler", **bar, position=(1, 0, 1), velocity=(-np.pi / 2, 0, 0))
    m.joint("pivot", "revolute", "ground", "crank", point=(0, 0, 0), axis=(0, -1, 0))
    m.joint("cross", "universal", "crank", "coupler", point=(0, 0, 1), axis=(0, 1, 0), axis2=(0, 0, 1))
    m.joint("ball", "spherical", "coupler", "rocker", point=(2, 0, 1))
    m.joint("far pivot", "revolute", "ground", "rocker", point=(2, 0, 0), axis=(0, -1, 0))
    return m


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("how", [{}, {"tolerance": 1e-3}, {"newton": "full"}], ids=str)
def test_a_regular_mechanism_passes_a_position_where_it_could_fold(how, formulation):
    """Flat at 1 s and 3 s: no row is redundant elsewhere, so the run has to notice on the way. It goes on evenly."""
    errors = []
    for step in (2e-3, 1e-3):
        result = lw.simulate(parallelogram(), 3.5, step, formulation, EULER, every=round(1e-2 / step), **how)
        u = np.pi / 2 * (1 + result.time)
        arm = np.stack([np.cos(u), 0 * u, np.sin(u)], axis=1)
        first, last = result.position("crank"), result.position("rocker")
        assert_allclose(last - first, np.broadcast_to([2, 0, 0], first.shape), atol=1e-6)
        errors.append(np.abs(result.position("coupler") - arm - np.array([1, 0, 0])).max())
    assert errors[0] < 0.05
    assert errors[0] / errors[1] == pytest.approx(2.0, rel=0.2)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_rotations_stay_rotations_over_many_steps(formulation):
    """A fifth of a million steps: rounding must not add up in the rotation matrices."""
    result = lw.simulate(lw.load("kissel2021_slider_crank"), 20.0, 1e-4, formulation, every=20000)
    A = result["rotation"][-1]
    assert_allclose(A @ np.swapaxes(A, 1, 2), np.broadcast_to(np.eye(3), A.shape), atol=1e-11)
    assert result["position_violation"].max() < 1e-9


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("step", [2e-2, 1e-2, 5e-3])
@pytest.mark.parametrize("t_end", [0.5, 1.0])
def test_large_steps_off_the_manifold(formulation, step, t_end):
    """Bricard's rows are dependent where the loop is closed, not at a predicted pose: the run must see through that."""
    result = lw.simulate(bricard(), t_end, step, formulation)
    assert result.success
    assert result.time[-1] == pytest.approx(t_end)
    assert len(result.time) == round(t_end / step) + 1
    end = result.position("bar 2")[-1] + result.rotation("bar 2")[-1] @ np.array([0, 0, -0.5])
    assert_allclose(end, BRICARD_PATH[t_end], atol=0.4 * step)
    assert result["position_violation"].max() < 1e-9
    assert np.abs(result["multiplier"]).max() < 40


@pytest.mark.parametrize("formulation", ["augmented", "rA"])
def test_a_long_chain_of_doors_is_no_singular_position(formulation: str) -> None:
    """The factors of 300 rows, half of them redundant, did not fit their first work space: called lost rank."""
    mech = lw.Mechanism("doors")
    for k in range(30):
        mech.body(f"door {k}", mass=1.0, inertia=[0.1, 0.1, 0.1], position=[k + 0.5, 0, 0])
        for side, y in (("left", -0.3), ("right", 0.3)):
            first = f"door {k - 1}" if k else "ground"
            mech.joint(f"{side} hinge {k}", "revolute", first, f"door {k}", point=[k, y, 0], axis=[0, 1, 0])
    wanted, found = (lw.accelerations(mech, formulation=one) for one in ("lie-mixed", formulation))
    np.testing.assert_allclose(found.rddot, wanted.rddot, atol=1e-8)
    result = lw.simulate(mech, 2e-3, 1e-3, formulation)
    assert result.status == 0
    assert result.judgement == "good"
