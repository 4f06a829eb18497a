"""Accelerations and reactions of implicit methods keep their order down to rounding, and across new Euler angles."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import linkwork as lw

G, ARM = 9.81, 0.5
INERTIA = 1 / 12 + ARM**2  # about the pivot [kg m^2]


def pendulum() -> lw.Mechanism:
    """A bar of 1 kg and 1 m, let go level at 1 rad/s downwards."""
    m = lw.Mechanism("pendulum")
    m.body(
        "bar", mass=1.0, inertia=[0.01, 1 / 12, 1 / 12], position=(ARM, 0, 0), velocity=(0, 0, -ARM),
        angular_velocity=(0, 1.0, 0),
    )  # fmt: skip
    m.joint("pivot", "revolute", "ground", "bar", point=(0, 0, 0), axis=(0, 1, 0))
    return m


def pivot_force(t: np.ndarray) -> np.ndarray:
    """Of the pendulum, (n, 3) [N], from its one equation."""

    def rates(_, y):
        return [y[1], G * ARM * np.cos(y[0]) / INERTIA]

    u, w = solve_ivp(rates, (0, t[-1]), [0.0, 1.0], t_eval=t, rtol=1e-13, atol=1e-14, method="DOP853").y
    al = G * ARM * np.cos(u) / INERTIA
    x, z = np.sin(u) * al + np.cos(u) * w * w, np.cos(u) * al - np.sin(u) * w * w
    return np.stack([-ARM * x, 0 * x, G - ARM * z], axis=1)


def force_errors(integrator: str, step: float, **options) -> np.ndarray:
    """Of samples every 0.3 ms, the start left out, by 0.06 s [N]; the largest force is 15 N."""
    result = lw.simulate(pendulum(), 0.06, step, "rA", integrator, every=round(3e-4 / step), **options)
    return np.abs(result.reaction("pivot").force - pivot_force(result.time)).max(axis=1)[1:]


@pytest.mark.parametrize(("step", "allowed"), [(1e-4, 5e-5), (1e-5, 1e-7), (3e-6, 1e-7)])
def test_reactions_of_small_steps_are_good_to_rounding(step, allowed):
    """Of positions over c_q at 1e-4 s, 1e-6 m/s^2 a step; of velocities where samples come from index-1 equations."""
    assert force_errors("generalized-alpha", step).max() < allowed


def test_implicit_euler_stays_of_first_order_down_to_tiny_steps():
    errors = [force_errors("implicit-euler", step).max() for step in (1e-4, 1e-5, 3e-6)]
    assert errors[0] / errors[1] > 9.0
    assert errors[1] / errors[2] == pytest.approx(10.0 / 3.0, rel=0.1)


def test_samples_from_acceleration_level_equations_change_nothing_in_the_motion():
    """However often one is taken; that they are taken is said, and only where rounding would show."""
    often, seldom = (lw.simulate(pendulum(), 2e-3, 1e-5, "rA", "generalized-alpha", every=k) for k in (1, 20))
    for variable in ("position", "rotation", "velocity", "angular_velocity"):
        assert np.array_equal(often[variable][::20], seldom[variable]), variable
    assert any("acceleration-level equations" in message for message in often.messages)
    coarse = lw.simulate(pendulum(), 2e-2, 1e-3, "rA", "generalized-alpha")
    assert not any("acceleration-level" in message for message in coarse.messages)


def test_passes_that_leave_next_to_nothing_are_taken_however_large_the_last_one_was():
    """The crank turns steadily: accelerations of the coupler bend by 1e-9 m/s^2 a step. One sample in twelve had those
    of its step, off by 6e-4: two passes had shrunk from 2e-3 to 2e-7, and the second was thought too large."""
    result = lw.simulate(lw.load("planar_four_bar"), 1.2e-4, 1e-5, "rA", "implicit-euler")
    assert any("acceleration-level equations" in message for message in result.messages)
    bends = np.diff(result.acceleration("coupler")[1:], 2, axis=0)
    assert np.abs(bends).max() < 1e-6


def test_the_published_rule_leaves_reactions_to_the_tolerance():
    """Theta h^2 = 1e-11 [Kissel 2021, eq. 46], by name: at 1e-5 s a correction of 0.4 m/s^2 ends a step."""
    result = lw.simulate(pendulum(), 1e-3, 1e-5, "rA", "generalized-alpha", tolerance=1e-11 / 1e-10)
    assert result.info["tolerance"] == pytest.approx(0.1)
    assert not any("acceleration-level" in message for message in result.messages)


def top() -> lw.Mechanism:
    """A bar that turns about a ball at its end; its Euler angles come near their singularity about twice in 2 s."""
    m = lw.Mechanism("top")
    w, c = np.array([2.0, 3.0, 4.0]), np.array([ARM, 0.0, 0.0])
    m.body(
        "bar", mass=1.0, inertia=[0.01, 1 / 12, 1 / 12], position=c.tolist(), velocity=np.cross(w, c).tolist(),
        angular_velocity=w.tolist(),
    )  # fmt: skip
    m.joint("pivot", "spherical", "ground", "bar", point=(0, 0, 0))
    return m


def jolts(integrator: str, step: float) -> tuple[float, int]:
    """The largest third difference of the pivot's force from step to step [N], and how often angles were re-based."""
    result = lw.simulate(top(), 1.2, step, "re", integrator, newton="full")
    said = [message for message in result.messages if "new reference rotation" in message]
    force = result.reaction("pivot").force[3:]  # implicit Euler's first accelerations are of order 1
    return float(np.abs(np.diff(force, 3, axis=0)).max()), int(said[0].split("rotation ")[1].split()[0]) if said else 0


def test_new_reference_rotations_are_felt_in_reactions_of_second_order_only():
    """A jump in the reaction shows in its third difference; of a smooth one that falls by eight."""
    found = [jolts("generalized-alpha", step) for step in (2e-3, 1e-3, 5e-4)]
    assert all(times > 0 for _, times in found)
    size = [jolt for jolt, _ in found]
    assert size[0] / size[2] > 0.8 * 16.0
    assert size[-1] < 0.03


def test_new_reference_rotations_are_hardly_felt_with_implicit_euler():
    """Of 27 N, where rates that are converted alone make 2 N of it at any step."""
    for step in (1e-3, 5e-4):
        size, times = jolts("implicit-euler", step)
        assert times > 0
        assert size < 0.05
