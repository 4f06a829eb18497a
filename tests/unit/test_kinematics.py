"""linkwork.kinematics: what it refuses, singular positions, options, and what a result holds."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from oracles.driven import motions

import linkwork as lw
from linkwork.errors import (
    AssemblyError,
    ConvergenceError,
    DriverError,
    NotDrivenError,
    RunInterruptedError,
    UnsupportedElementError,
    UsageError,
)

FORMULATIONS = ("rA", "rp", "re")


def upright() -> list[list[float]]:
    """x axis upwards, y axis kept."""
    return [[0, 0, -1], [0, 1, 0], [1, 0, 0]]


def parallelogram(f: str) -> lw.Mechanism:
    """Cranks of 1 m, 2 m apart, driven from upright; no redundant row except where all bars lie flat."""
    m = lw.Mechanism("parallelogram")
    m.body("crank", position=(0, 0, 0.5), rotation=upright())
    m.body("coupler", position=(1, 0, 1))
    m.body("rocker", position=(2, 0, 0.5), rotation=upright())
    m.joint("pivot", "revolute", "ground", "crank", point=(0, 0, 0), axis=(0, -1, 0))
    m.joint("cross", "universal", "crank", "coupler", point=(0, 0, 1), axis=(0, 1, 0), axis2=(0, 0, 1))
    m.joint("ball", "spherical", "coupler", "rocker", point=(2, 0, 1))
    m.joint("far pivot", "revolute", "ground", "rocker", point=(2, 0, 0), axis=(0, -1, 0))
    m.driver("motor", "pivot", f)
    return m


def slider_pulled(f: str) -> lw.Mechanism:
    """A bar of 1 m on a pin at the origin whose end is pulled along x by a block, as far as f goes from 0.6 m."""
    m = lw.Mechanism("pulled")
    m.body("bar", position=(0.3, 0, 0.4), rotation=[[0.6, 0, -0.8], [0, 1, 0], [0.8, 0, 0.6]])
    m.body("block", position=(0.6, 0, 0))
    m.joint("pin", "revolute", "ground", "bar", point=(0, 0, 0), axis=(0, -1, 0))
    m.joint("guide", "translational", "ground", "block", point=(0, 0, 0), axis=(1, 0, 0))
    m.constraint("above", "DP2", "block", "bar", a_i=(1, 0, 0), s_j=(0.5, 0, 0))
    m.driver("pull", "guide", f)
    return m


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize(("step", "close"), [(0.01, 1e-6), (0.013, 1e-11)])
def test_a_singular_position_is_passed_with_the_least_change(formulation, step, close):
    """At t = 1 and t = 3 the parallelogram lies flat and could fold. Steps of 0.01 s fall exactly there.

    Where they do, the rows fix the pose only to second order: positions then are good to the root of the tolerance.
    """
    result = lw.kinematics(parallelogram("pi/2*t"), 4.0, step, formulation)
    u = np.pi / 2 * (1 + result.time)
    arm = np.stack([np.cos(u), 0 * u, np.sin(u)], axis=1)
    assert_allclose(result.position("crank"), arm / 2, atol=1e-12)
    assert_allclose(result.position("rocker"), arm / 2 + [2, 0, 0], atol=close)
    assert_allclose(result.position("coupler"), arm + np.array([1, 0, 0]), atol=close)
    if step == 0.01 and formulation == "rA":
        assert any("least change" in message for message in result.messages)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_singular_position_is_passed_whatever_rounding_makes_of_it(formulation):
    """Rates found there may be rounding over what is nearly zero: one of three of these runs ended in rp."""
    for k in range(12):
        result = lw.kinematics(parallelogram(f"{np.pi / 2 * (1 + k * 1e-15)!r}*t"), 1.2, 0.01, formulation)
        u = np.pi / 2 * (1 + result.time)
        arm = np.stack([np.cos(u), 0 * u, np.sin(u)], axis=1)
        assert_allclose(result.position("coupler"), arm + np.array([1, 0, 0]), atol=1e-6)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_position_out_of_reach_ends_the_run_and_keeps_what_was_before(formulation):
    """The end moves from 0.6 m by 0.5 t: taut at 0.8 s."""
    with pytest.raises(ConvergenceError, match=r"t = 0\.8\d* s") as caught:
        lw.kinematics(slider_pulled("0.5*t"), 2.0, 1e-2, formulation)
    result = caught.value.result
    assert not result.success
    assert result.message
    assert 0.75 < result.time[-1] < 0.81
    x = 0.6 + 0.5 * result.time[:70]
    assert_allclose(result.position("bar")[:70, 0], x / 2, atol=1e-10)
    assert "'" in caught.value.message, "the error names a row"


def test_motion_that_no_driver_determines_is_refused_with_the_number_of_freedoms():
    with pytest.raises(NotDrivenError, match="2 degrees of freedom") as caught:
        lw.kinematics(lw.load("kissel2021_double_pendulum"), 1.0, 1e-2)
    assert caught.value.exit_status == 4
    assert "driver" in caught.value.remedy


def test_velocity_level_rows_are_refused_by_name():
    with pytest.raises(UnsupportedElementError, match="ground contact"):
        lw.kinematics(lw.load("rolling_disc"), 1.0, 1e-2)


def test_two_drivers_on_one_freedom_may_agree_but_not_conflict():
    m = lw.load("planar_four_bar")
    m.driver("again", "crank pivot", "2*pi*t")
    result = lw.kinematics(m, 0.5, 1e-2)
    wanted = motions("planar_four_bar", result.time)[1].r
    assert_allclose(result.position("coupler"), wanted, atol=1e-10)
    m = lw.load("planar_four_bar")
    m.driver("other", "crank pivot", "3*pi*t")
    with pytest.raises((AssemblyError, DriverError, ConvergenceError), match=r"other|motor"):
        lw.kinematics(m, 0.5, 1e-2)


def test_start_velocities_do_not_matter():
    m = lw.load("kissel2021_slider_crank")
    m.change("crank", angular_velocity=(3, 0, 0))
    result = lw.kinematics(m, 0.1, 1e-2)
    assert_allclose(result.angular_velocity("crank")[0], (-2 * np.pi, 0, 0), atol=1e-9)


def test_masses_are_not_needed_and_nothing_that_needs_them_is_reported():
    m = lw.load("kissel2021_single_pendulum")
    m.change("bar", shape=None)
    result = lw.kinematics(m, 0.1, 1e-2)
    for name in ("kinetic_energy", "reaction_force", "multiplier"):
        assert name not in result
    assert result["position_violation"].max() < 1e-12
    assert result["velocity_violation"].max() < 1e-12


def test_run_hints_are_used_and_t_end_is_passed_in_whole_steps():
    result = lw.kinematics(lw.load("planar_four_bar"))
    assert (len(result.time), result.time[-1]) == (2001, 2.0)
    result = lw.kinematics(lw.load("planar_four_bar"), 0.25, 0.1)
    assert_allclose(result.time, [0, 0.1, 0.2, 0.3], rtol=1e-15)
    assert any("whole number" in message for message in result.messages)


def test_the_same_input_gives_the_same_bits():
    one, two = (lw.kinematics(lw.load("kissel2021_four_link"), 0.3, 1e-3, "re") for _ in range(2))
    for name in ("position", "rotation", "acceleration", "iterations"):
        assert_array_equal(one[name], two[name])


def test_progress_is_called_and_ctrl_c_keeps_what_was_computed():
    times = []

    def progress(t, t_end):
        times.append(t)
        if t > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(RunInterruptedError) as caught:
        lw.kinematics(lw.load("planar_four_bar"), 1e4, 1e-3, progress=progress)
    result = caught.value.result
    assert times == sorted(times)
    assert result.time[-1] == pytest.approx(times[-1])
    assert_allclose(result.position("coupler"), motions("planar_four_bar", result.time)[1].r, atol=1e-9)
    assert "interrupted" in result.message


def test_rotation_matrices_stay_rotations_over_many_steps():
    """rA multiplies rotations: rounding must not add up without bound."""
    result = lw.kinematics(lw.load("kissel2021_slider_crank"), 100.0, 1e-3, "rA")
    A = result["rotation"][-1]
    assert_allclose(A @ np.swapaxes(A, 1, 2), np.broadcast_to(np.eye(3), A.shape), atol=5e-13)


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        ({"newton": "frosen"}, "newton"),
        ({"newton": "no-reaction-variation"}, "newton"),
        ({"predictor": "guess"}, "predictor"),
        ({"tolerance": 0.0}, "tolerance"),
        ({"tolerance": float("nan")}, "tolerance"),
        ({"tolerance": "tight"}, "tolerance"),
        ({"max_iterations": 0}, "max_iterations"),
        ({"max_iterations": 2.5}, "max_iterations"),
        ({"step": -1.0}, "step"),
        ({"step": "1"}, "step"),
        ({"t_end": float("inf")}, "t_end"),
        ({"t_end": True}, "t_end"),
        ({"formulation": "rB"}, "rB"),
    ],
)
def test_arguments_without_sense_are_refused(bad, says):
    with pytest.raises(UsageError, match=says):
        lw.kinematics(**({"mech": lw.load("planar_four_bar"), "t_end": 1.0, "step": 0.1} | bad))


def test_an_iteration_cap_that_is_too_low_is_an_error_with_the_time_in_it():
    with pytest.raises(ConvergenceError, match="did not converge") as caught:
        lw.kinematics(
            lw.load("kissel2021_slider_crank"), 1.0, 1e-2, predictor="velocity", newton="full", max_iterations=1
        )
    assert len(caught.value.result.time) >= 1


@pytest.mark.parametrize("formulation", ["rA", "rp", "re"])
@pytest.mark.parametrize("step", [0.2, 0.4])
def test_steps_too_large_for_newton_are_divided_and_stay_on_their_branch(formulation: str, step: float) -> None:
    """At 36 and 72 degrees of rotor per step Newton alone ends on another branch or nowhere."""
    m = lw.load("kissel2021_four_link")
    coarse, fine = lw.kinematics(m, 2.0, step, formulation), lw.kinematics(m, 2.0, 0.01)
    every = round(step / 0.01)
    assert_allclose(coarse.time, fine.time[::every], atol=1e-12)
    assert_allclose(coarse["position"], fine["position"][::every], atol=1e-10)
    assert_allclose(coarse["acceleration"], fine["acceleration"][::every], atol=1e-7)
    assert any("divided" in message for message in coarse.messages)
