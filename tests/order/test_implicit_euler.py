"""First order, as Kissel 2021 shows it (Figures 3 and 5-7): errors of implicit Euler against the step size.

Driven mechanisms are compared with closed forms over a whole period, the double pendulum with its two-angle ODE.
Newton is asked for more than the paper's Theta h^2 = 1e-11, so that the error seen is that of the method.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from oracles.driven import driver_torque, motions
from oracles.free import double_pendulum

import linkwork as lw

FORMULATIONS = ("rA", "rp", "re")
STEPS = (1e-2, 1e-3, 1e-4)
TIGHT = 1e-13
EULER = "implicit-euler"
VARIABLES = {
    "position": "r",
    "rotation": "A",
    "velocity": "v",
    "angular_velocity": "w",
    "acceleration": "a",
    "angular_acceleration": "alpha",
}
# mechanism -> (one period ends at 3 s and begins here, its driver, the driven axis in the sense of the closed form)
DRIVEN = {
    "kissel2021_single_pendulum": (0.0, "driver", (1, 0, 0)),
    "kissel2021_slider_crank": (2.0, "driver", (1, 0, 0)),
    "kissel2021_four_link": (1.0, "driver", (1, 0, 0)),
    "planar_four_bar": (2.0, "motor", (0, -1, 0)),
}


def slopes(errors) -> np.ndarray:
    """Orders seen between successive step sizes (a decade apart)."""
    return -np.diff(np.log10(np.asarray(errors)), axis=0)


@cache
def run(name: str, formulation: str, step: float) -> lw.Result:
    every = max(1, round(1e-3 / step))
    return lw.simulate(lw.load(name), 3.0, step, formulation, EULER, position_tolerance=TIGHT, every=every)


def errors(name: str, formulation: str, step: float) -> dict[str, float]:
    """Largest error over a period at the instants that all step sizes have, by variable."""
    result = run(name, formulation, step)
    start = max(DRIVEN[name][0], 0.1)  # the first steps have errors of their own
    keep = result.time > start - 1e-9
    keep[keep] = np.abs(result.time[keep] / 1e-2 - np.round(result.time[keep] / 1e-2)) < 1e-6
    bodies = motions(name, result.time[keep])
    return {
        variable: max(
            float(np.abs(result[variable][keep][:, b] - getattr(body, x)).max()) for b, body in enumerate(bodies)
        )
        for variable, x in VARIABLES.items()
    }


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("name", DRIVEN)
def test_velocities_and_accelerations_converge_with_order_one_and_positions_are_exact(name, formulation):
    """Figures 5-7."""
    found = [errors(name, formulation, step) for step in STEPS]
    for variable in ("velocity", "angular_velocity", "acceleration", "angular_acceleration"):
        order = slopes([e[variable] for e in found])
        assert np.all(np.abs(order - 1.0) < 0.05), f"{variable}: orders {order}"
    for e in found:
        assert e["position"] < 1e-11
        assert e["rotation"] < 1e-11


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_the_three_formulations_have_the_same_error(formulation):
    """Figure 3 remarks that the differences between the formulations are far below the error they share."""
    for name in DRIVEN:
        one, other = (errors(name, f, 1e-3) for f in ("rA", formulation))
        for variable in ("velocity", "angular_velocity", "acceleration"):
            assert other[variable] == pytest.approx(one[variable], rel=0.1)


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("name", DRIVEN)
def test_the_driver_torque_converges_to_the_closed_form(name, formulation):
    """The reaction of a driver on the body that it turns, with its sign, for h -> 0."""
    start, driver, axis = DRIVEN[name]
    found = []
    for step in STEPS:
        result = run(name, formulation, step)
        keep = result.time > max(start, 0.1) - 1e-9
        wanted = driver_torque(name, result.time[keep])
        torque = result.reaction(driver).torque[keep]
        assert np.abs(np.cross(torque, axis)).max() < 1e-6 * np.abs(wanted).max() + 1e-9, "about the axis only"
        found.append(np.abs(torque @ np.array(axis) - wanted).max() / np.abs(wanted).max())
    order = slopes(found)
    assert np.all(np.abs(order - 1.0) < 0.05), order
    assert found[-1] < 0.005


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("name", ["kissel2021_four_link", "kissel2021_slider_crank", "planar_four_bar"])
@pytest.mark.parametrize("step", [1e-3, 1e-4])
def test_multipliers_of_default_runs_are_those_of_the_full_newton_method(name, formulation, step):
    """Driven poses do not feel the multipliers, so an error in these grows unseen unless Newton looks at them."""
    every = round(1e-3 / step)
    default, full = (
        lw.simulate(lw.load(name), 3.0, step, formulation, EULER, newton=newton, every=every)["multiplier"]
        for newton in ("frozen", "full")
    )
    assert np.abs(default - full).max() < 1e-3 * np.abs(full).max()


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_double_pendulum_tends_to_the_two_angle_solution(formulation):
    """Figure 3. Errors over 1 s; the swing's second half is too sensitive at the largest steps to show the order."""
    found = []
    for step in (1e-2, 1e-3, 1e-4, 2e-5):
        every = round(1e-2 / step)
        result = lw.simulate(lw.load("kissel2021_double_pendulum"), 1.0, step, formulation, EULER, every=every)
        r, v = double_pendulum(result.time)
        assert len(r) == 101
        found.append([np.abs(result["position"] - r).max(), np.abs(result["velocity"] - v).max()])
    found = np.array(found)
    order = -np.diff(np.log10(found), axis=0)[:2]
    assert np.all(np.abs(order[1] - 1.0) < 0.05), order
    assert found[2] / found[3] == pytest.approx(5.0, rel=0.02)
    assert found[-1, 0] < 1e-3
