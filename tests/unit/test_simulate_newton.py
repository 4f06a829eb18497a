"""Newton's variants, stopping rules and failures of implicit methods, seen through linkwork.simulate."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import linkwork as lw
from linkwork.errors import ConvergenceError
from linkwork.system import compile_mechanism

FORMULATIONS = ("rA", "rp", "re")
VARIANTS = ("full", "no-reaction-variation", "frozen")
EPSILON = np.finfo(float).eps
EULER = "implicit-euler"


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize(
    "name",
    [
        "kissel2021_double_pendulum",
        "kissel2021_slider_crank",
        "spatial_slider_crank_spring",
        "rolling_disc",
        "gyroscope",
    ],
)
def test_all_variants_find_the_same_solution(name, formulation):
    """Only the way there differs: poses to the tolerance over the run, accelerations and multipliers alike."""
    runs = [
        lw.simulate(lw.load(name), 0.3, 1e-3, formulation, newton=newton, position_tolerance=1e-13)
        for newton in VARIANTS
    ]
    for other in runs[1:]:
        for variable, close in (("position", 1e-9), ("rotation", 1e-9), ("velocity", 1e-7), ("multiplier", 1e-5)):
            size = max(1.0, np.abs(runs[0][variable]).max())
            assert_allclose(other[variable], runs[0][variable], atol=close * size, err_msg=variable)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_the_exact_matrix_needs_the_fewest_iterations_and_the_frozen_one_the_fewest_factorizations(formulation):
    """With steps as large as 1/100 of a turn the variation of the reactions matters."""
    info = {}
    for newton in VARIANTS:
        result = lw.simulate(lw.load("kissel2021_slider_crank"), 1.0, 1e-2, formulation, newton=newton)
        info[newton] = result.info
    assert info["full"]["iterations"] <= 4.0 * info["full"]["steps"]
    assert info["full"]["iterations"] < info["no-reaction-variation"]["iterations"]
    assert info["full"]["iterations"] < info["frozen"]["iterations"]
    assert info["frozen"]["factorizations"] < 0.6 * info["full"]["factorizations"]
    for newton in ("full", "no-reaction-variation"):
        assert info[newton]["factorizations"] >= info[newton]["iterations"]


@pytest.mark.parametrize("newton", VARIANTS)
def test_small_steps_need_few_iterations(newton):
    """Linear prediction of accelerations and multipliers: near two iterations at 1 ms with the paper's Theta."""
    result = lw.simulate(lw.load("kissel2021_slider_crank"), 1.0, 1e-3, newton=newton, tolerance=1e-3)
    assert result["iterations"][1:].mean() < 2.5


def test_stopping_rules_are_recorded_as_the_norm_they_come_to():
    m = lw.load("kissel2021_double_pendulum")
    length, h = compile_mechanism(m.lower()).length, 1e-3
    assert lw.simulate(m, 0.01, h, integrator=EULER).info["tolerance"] == pytest.approx(1e-11 * length / h**2)
    assert lw.simulate(m, 0.01, h, integrator=EULER, position_tolerance=1e-9).info["tolerance"] == pytest.approx(
        1e-9 * length / h**2
    )
    assert lw.simulate(m, 0.01, h, integrator=EULER, tolerance=1e-3).info["tolerance"] == 1e-3
    # rounding of phi / h^2 is a limit that no request passes
    floor = 50 * EPSILON * length / h**2
    for asked in ({"tolerance": 1e-30}, {"position_tolerance": 1e-30}):
        result = lw.simulate(m, 0.1, h, integrator=EULER, **asked)
        assert result.info["tolerance"] == pytest.approx(floor)
        assert result["position_violation"].max() < 1e-12


@pytest.mark.parametrize("asked", [{"tolerance": 1e-30}, {"position_tolerance": 1e-30}], ids=str)
def test_a_tolerance_below_rounding_is_raised_and_that_is_said(asked):
    result = lw.simulate(lw.load("kissel2021_double_pendulum"), 0.01, 1e-3, **asked)
    assert any("rounding" in message for message in result.messages), result.messages


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("asked", [1e-7, 1e-9, 1e-11])
def test_positions_are_met_to_the_tolerance_asked_for(formulation, asked):
    result = lw.simulate(lw.load("kissel2021_four_link"), 1.0, 1e-3, formulation, position_tolerance=asked)
    assert result["position_violation"].max() < 100 * asked


@pytest.mark.parametrize("newton", VARIANTS)
def test_an_iteration_cap_that_is_too_low_names_time_step_and_row_and_keeps_the_rest(newton):
    with pytest.raises(ConvergenceError, match="did not converge") as caught:
        lw.simulate(
            lw.load("kissel2021_slider_crank"), 1.0, 1e-2, newton=newton, max_iterations=1, position_tolerance=1e-13
        )
    error = caught.value
    assert error.exit_status == 5
    assert error.code == "LW-CONVERGENCE"
    result = error.result
    n = len(result.time)
    assert f"step {n}:" in error.message
    assert f"t = {n * 1e-2:.6g} s" in error.message
    assert any(f"row '{row}'" in error.message for row in result.rows)
    assert not result.success
    assert result.message == error.message
    assert np.all(np.isfinite(result["position"]))


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("step", [0.7, 1.0, 1.7])
def test_a_step_too_large_ends_in_an_error_or_in_finite_numbers(formulation, step):
    """Slider crank turning once a second: nothing but a ConvergenceError may come out, and never a wrong pose."""
    try:
        result = lw.simulate(lw.load("kissel2021_slider_crank"), 10.0, step, formulation)
    except ConvergenceError as error:
        result = error.result
    for name in ("position", "rotation", "velocity", "multiplier"):
        assert np.all(np.isfinite(result[name]))
    assert result["position_violation"].max() < 1e-8


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_formula_that_turns_nan_ends_the_run_there(formulation, tmp_path):
    """sqrt(0.1 - t) has no value after 0.1 s."""
    m = lw.Mechanism("rocket")
    m.body("a", mass=1.0, inertia=[1, 1, 1])
    m.force("thrust", "force", body="a", components=(0, 0, "20 + sqrt(0.1 - t)"))
    path = tmp_path / "run.nc"
    with pytest.raises(ConvergenceError, match="not finite") as caught:
        lw.simulate(m, 1.0, 1e-3, formulation, out=path)
    assert "t = 0.10" in caught.value.message
    result = caught.value.result
    assert 0.09 < result.time[-1] < 0.102
    assert np.all(np.isfinite(result["position"]))
    kept = lw.open_result(path)
    assert len(kept.time) == len(result.time)
    assert kept.status == result.status != 0


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_half_a_turn_in_a_step_is_refused_and_the_body_named(formulation):
    m = lw.Mechanism("spinner", gravity=(0, 0, 0))
    m.body("slow", mass=1.0, inertia=[1, 1, 1], angular_velocity=(0, 0, 1.0))
    m.body("quick", mass=1.0, inertia=[1, 1, 1], position=(1, 0, 0), angular_velocity=(0, 0, 330.0))
    with pytest.raises(ConvergenceError, match="half a revolution") as caught:
        lw.simulate(m, 0.1, 1e-2, formulation)
    assert "'quick'" in caught.value.message
    assert "smaller step" in caught.value.remedy
    assert len(caught.value.result.time) == 1
    result = lw.simulate(m, 0.1, 1e-3, formulation)
    assert result.completed


def test_accelerations_that_nothing_determines_are_refused():
    """No inertia about the axis it is free to turn about."""
    from linkwork.errors import SingularPositionError

    m = lw.Mechanism("needle")
    m.body("needle", mass=1.0, inertia=[0, 0.1, 0.1])
    m.joint("axle", "revolute", "ground", "needle", point=(0, 0, 0), axis=(1, 0, 0))
    with pytest.raises(SingularPositionError) as caught:
        lw.simulate(m, 0.1, 1e-2, "rA")
    assert caught.value.exit_status == 5


def test_a_driver_that_asks_for_a_cosine_beyond_one_is_an_error():
    """A raw cosine that grows past one: no angle has it."""
    m = lw.load("kissel2021_single_pendulum")
    m.change("driver", f="cos(3*pi/4) + 2*t^2")
    with pytest.raises(ConvergenceError) as caught:
        lw.simulate(m, 3.0, 1e-3, "rA")
    t = np.sqrt((1 + np.sqrt(0.5)) / 2)  # where the cosine reaches one
    assert caught.value.result.time[-1] == pytest.approx(t, abs=0.02)
