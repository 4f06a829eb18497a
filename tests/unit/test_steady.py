"""Steady motions and Floquet multipliers: closed forms, the benchmark bicycle, refusals."""

from __future__ import annotations

import math
import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.special import ellipk

import linkwork as lw
from linkwork.errors import ConvergenceError, NoEquilibriumError, UsageError
from linkwork.linearisation.floquet import equal_parts

G = 9.81
bicycle: Any = runpy.run_path(str(Path(__file__).parents[2] / "examples" / "bicycle.py"))["build"]


def top(lean: float, spin: float, along: float = 0.0015) -> lw.Mechanism:
    """A symmetric top on a ball joint, spinning about its own axis and not precessing yet."""
    c, s = math.cos(lean), math.sin(lean)
    mech = lw.Mechanism("top")
    mech.body(
        "top", mass=0.6, inertia=[0.002, 0.002, along], position=[0.15 * s, 0, 0.15 * c],
        rotation=[[c, 0, s], [0, 1, 0], [-s, 0, c]], velocity=[0, 0, 0], angular_velocity=[0, 0, spin],
    )  # fmt: skip
    mech.joint("pivot", "spherical", "ground", "top", point=[0, 0, 0])
    return mech


def needed(lean: float, precession: float, along: float = 0.0015) -> float:
    """Spin besides precession with which the top keeps its lean, by its closed form."""
    pivot = 0.002 + 0.6 * 0.15**2
    total = (pivot * precession**2 * math.cos(lean) + 0.6 * G * 0.15) / (along * precession)
    return total - precession * math.cos(lean)


def test_the_spin_of_a_top_for_its_lean() -> None:
    found = lw.steady_motion(top(0.5, 100.0), turning=(0, 0, 3.0), keep="pose")
    assert found.spin[0] == pytest.approx(needed(0.5, 3.0), rel=1e-12)
    np.testing.assert_allclose(found.drift, 0.0, atol=1e-12)
    assert found.moved.max() == 0.0


def test_the_lean_of_a_top_for_its_spin() -> None:
    spin = needed(0.5, 12.0)
    start = lw.State.start(top(0.6, 0.0))
    omega = start.rotation[0].T @ [0.0, 0.0, 12.0] + [0.0, 0.0, spin]
    state = lw.State(start.position, start.rotation, start.velocity, omega[None])
    found = lw.steady_motion(top(0.6, 0.0), state, turning=(0, 0, 12.0))
    assert math.acos(found.state.rotation[0, 2, 2]) == pytest.approx(0.5, rel=1e-11)
    reaction = found.reactions["pivot"].force  # bears the weight, and keeps the centre on its circle
    radius = 0.15 * math.sin(0.5)
    inwards = -found.state.position[0, :2] / radius
    np.testing.assert_allclose(reaction, [*(0.6 * 144.0 * radius * inwards), 0.6 * G], rtol=1e-10, atol=1e-10)


def test_what_is_found_stays_steady_in_a_run() -> None:
    found = lw.steady_motion(top(0.5, 100.0), turning=(0, 0, 3.0), keep="pose")
    run = lw.simulate(found.mechanism, 0.5, 1e-3, "lie-se3", "dop853")
    np.testing.assert_allclose(run.position("top")[:, 2], 0.15 * math.cos(0.5), rtol=1e-10)
    turned = np.unwrap(np.arctan2(run.position("top")[:, 1], run.position("top")[:, 0]))
    np.testing.assert_allclose(turned, turned[0] + 3.0 * run.time, rtol=1e-8, atol=1e-9)


def test_a_disc_in_a_circle_against_its_closed_form() -> None:
    """dH/dt = W x H about the centre, by the contact force m (g + a); m R^2 / 2 about the axis, m R^2 / 4 across."""
    found = lw.steady_motion(lw.load("rolling_disc"), turning=(0, 0, 1.4))
    radius, W = 0.3, 1.4
    tilt = math.acos(
        abs(found.state.rotation[0, 2, 2])
    )  # of the disc's axis to the vertical: 90 degrees stands upright
    height = radius * math.sin(tilt)
    assert found.state.position[0, 2] == pytest.approx(height, rel=1e-12)
    circle = float(np.linalg.norm(found.state.velocity[0])) / W  # of the centre
    along = abs(float(found.state.angular_velocity[0] @ [0, 0, 1]))  # omega along the disc's axis
    upwards = W * math.sin(tilt)  # of W, in the disc's plane; it spins against W
    moment = 0.5 * radius**2 * along * upwards + 0.25 * radius**2 * upwards**2 / math.tan(tilt)
    balance = moment + W**2 * circle * height - G * radius * math.cos(tilt)
    assert abs(balance) < 1e-10 * G * radius


def test_the_benchmark_bicycle_has_the_published_eigenvalues() -> None:
    """Meijaard, Papadopoulos, Ruina and Schwab 2007, table 2, at 5 m/s."""
    mech = bicycle(5.0)
    found = lw.modes(mech, lw.steady_motion(mech, turning=(0, 0, 0))).eigenvalues
    for wanted in (-14.07838969279822, -0.32286642900409, -0.77534188219585 + 4.46486771378823j):
        assert np.min(np.abs(found - wanted)) < 2e-13 * abs(wanted) * 10
    model = lw.linearise(mech, lw.steady_motion(mech, turning=(0, 0, 0)))
    assert np.min(np.abs(model.eigenvalues() + 0.32286642900409)) < 1e-11


def test_a_leaning_bicycle_is_set_upright() -> None:
    found = lw.steady_motion(bicycle(5.0, lean=0.02), turning=(0, 0, 0))
    np.testing.assert_allclose(found.state.rotation[1], np.eye(3), atol=1e-9)
    assert "spins with -16.6667 rad/s" in found.text()
    assert found.to_dict()["spin"]["frame"] == 0.0


def test_what_is_refused() -> None:
    disc = lw.load("rolling_disc")
    with pytest.raises(UsageError, match="gravity does not lie along"):
        lw.steady_motion(disc, turning=(1, 0, 0))
    with pytest.raises(UsageError, match="three finite numbers"):
        lw.steady_motion(disc, turning=(0, 1))  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="keep is 'speed'"):
        lw.steady_motion(disc, turning=(0, 0, 1), keep="speed")
    with pytest.raises(UsageError, match="keep names no body 'disk'"):
        lw.steady_motion(disc, turning=(0, 0, 1), keep=["disk"])
    thrown = lw.Mechanism("thrown")
    thrown.body("stone", mass=1.0, inertia=[1, 2, 3])
    with pytest.raises(NoEquilibriumError, match=r"'stone' by 9\.8"):
        lw.steady_motion(thrown, turning=(0, 0, 0))
    wall = lw.Mechanism("wall", gravity=(0, 0, -G))  # in balance where it stands, not after a turn
    wall.body("arm", mass=1.0, inertia=[0.1, 0.1, 0.1], position=[0.5, 0, 0])
    wall.joint("pivot", "revolute", "ground", "arm", point=[0, 0, 0], axis=[0, 0, 1])
    wall.force(
        "spring",
        "spring",
        first="ground",
        second="arm",
        stiffness=10.0,
        length=0.1,
        point=[2, 0, 0],
        point2=[0.5, 0, 0],
    )
    with pytest.raises(UsageError, match="does not stay steady"):
        lw.steady_motion(wall, turning=(0, 0, 1.0))


def test_integrals_of_the_collocation_method_are_exact() -> None:
    c, A = np.arange(7) / 6, equal_parts(6)
    for power in range(7):
        np.testing.assert_allclose(A @ c**power, c ** (power + 1) / (power + 1), atol=1e-13)
    assert A[-1] @ c**7 == pytest.approx(1 / 8, rel=1e-12)  # one more: the rule is symmetric


def shaken(amplitude: float, speed: float) -> lw.Mechanism:
    """An inverted pendulum as seen from its shaken base."""
    mech = lw.Mechanism("shaken", gravity=(0, 0, -G))
    mech.body("rod", mass=1.0, inertia=[0.02, 0.02, 0.001], position=[0, 0, 0.5])
    mech.joint("hinge", "revolute", "ground", "rod", point=[0, 0, 0], axis=[0, 1, 0])
    mech.force("shaking", "force", body="rod", components=[0, 0, f"{amplitude * speed**2} * cos({speed} * t)"])
    return mech


@pytest.mark.parametrize(("speed", "stands"), [(60.0, False), (120.0, True)])
def test_multipliers_of_the_shaken_pendulum_are_mathieus(speed: float, stands: bool) -> None:
    amplitude, inertia = 0.05, 0.02 + 0.25
    period = 2 * math.pi / speed

    def rates(t: float, y: Any) -> Any:
        z = y.reshape(2, 2)
        return np.vstack([z[1], 0.5 * (G - amplitude * speed**2 * math.cos(speed * t)) / inertia * z[0]]).ravel()

    known = solve_ivp(rates, (0, period), np.eye(2).ravel(), method="DOP853", rtol=1e-13, atol=1e-14).y[:, -1]
    found = lw.floquet(shaken(amplitude, speed), period)
    wanted = np.linalg.eigvals(known.reshape(2, 2))
    for value in wanted:
        assert np.min(np.abs(found.multipliers - value)) < 1e-8
    assert np.prod(found.multipliers) == pytest.approx(1.0, abs=1e-9)
    assert found.stable is stands
    assert ("no disturbance grows" in found.text()) is stands
    assert found.to_dict()["stable"] is stands


def swinging(angle: float) -> lw.Mechanism:
    c, s = math.cos(angle), math.sin(angle)
    mech = lw.Mechanism("pendulum")
    mech.body(
        "rod", mass=1.0, inertia=[0.02, 0.02, 0.001], position=[0.5 * s, 0, -0.5 * c],
        rotation=[[c, 0, -s], [0, 1, 0], [s, 0, c]],
    )  # fmt: skip
    mech.joint("hinge", "revolute", "ground", "rod", point=[0, 0, 0], axis=[0, 1, 0])
    return mech


def period_of(angle: float) -> float:
    return 4 * math.sqrt(0.27 / (G * 0.5)) * float(ellipk(math.sin(angle / 2) ** 2))


def test_a_swing_has_multipliers_of_one_and_its_period_grows_with_its_angle() -> None:
    angle, h = 1.0, 1e-4
    found = lw.floquet(swinging(angle), period_of(angle))
    np.testing.assert_allclose(found.multipliers, 1.0, atol=1e-5)
    longer = (period_of(angle + h) - period_of(angle - h)) / (2 * h)
    late = G * 0.5 / 0.27 * math.sin(angle) * longer  # rad/s per rad: it comes back later, and is still on its way
    assert found.monodromy[1, 0] == pytest.approx(late, rel=1e-6)
    assert found.closes < 1e-12


def test_a_period_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("linkwork.linearisation.floquet.MOST", 12)
    with pytest.raises(UsageError, match="has not the period"):
        lw.floquet(swinging(1.0), 1.01 * period_of(1.0))
    with pytest.raises(UsageError, match="positive number"):
        lw.floquet(swinging(1.0), 0.0)
    with pytest.raises(ConvergenceError, match="was asked"):
        lw.floquet(shaken(0.05, 60.0), 2 * math.pi / 60.0, accuracy=1e-18)


@pytest.mark.parametrize("share", [1.01, 0.5])
def test_a_formula_of_time_without_the_period_is_refused(share: float) -> None:
    """The rod stands still, whatever the period: its forces alone tell. With 1.01 of the period the falling rod was
    called stable."""
    with pytest.raises(UsageError, match=r"formula of force 'shaking' has not the period"):
        lw.floquet(shaken(0.05, 60.0), share * 2 * math.pi / 60.0)


def on_a_slide(**bob: Any) -> lw.Mechanism:
    mech = lw.Mechanism("on a slide", gravity=(0, 0, 0))
    mech.body("bob", mass=1.0, inertia=[1, 1, 1], **bob)
    mech.joint("slide", "translational", "ground", "bob", point=[0, 0, 0], axis=[0, 0, 1])
    return mech


def test_a_spring_that_grows_with_the_turns_of_its_wheel_is_refused() -> None:
    mech = lw.Mechanism("turned", gravity=(0, 0, 0))
    for name in ("wheel", "bob"):
        mech.body(name, mass=1.0, inertia=[1, 1, 1], angular_velocity=[0, 0, 2 * math.pi])
    mech.joint("bearing", "revolute", "ground", "wheel", point=[0, 0, 0], axis=[0, 0, 1])
    mech.joint("slide", "translational", "wheel", "bob", point=[0, 0, 0], axis=[1, 0, 0])
    mech.driver("motor", "bearing", "2*pi*t")
    mech.force("spring", "motor", joint="slide", effort="-(50+5*angle('bearing'))*displacement('slide')")
    with pytest.raises(UsageError, match="'bob' comes back, and its acceleration"):
        lw.floquet(mech, 1.0)


def test_a_force_that_jumps_on_the_way_is_refused() -> None:
    """Dry friction: one period takes 7e-5 off areas, which linear models beside the jumps do not see."""
    mech = on_a_slide(position=[0, 0, -0.599999999], velocity=[0, 0, 8.66009180e-05])
    pull = "-1e-4*sign(velocity('bob','z')) - 4*position('bob','z') + 3*cos(3*t)"
    mech.force("pull", "force", body="bob", components=[0, 0, pull])
    with pytest.raises(UsageError, match=r"force 'pull'.* jumps at t = 1\.047"):
        lw.floquet(mech, 2 * math.pi / 3)


def test_a_force_that_bends_on_the_way_is_none_that_jumps() -> None:
    """x'' = -4 x - 1e-5 max(x, 0): two halves of a period in closed form."""
    mech = on_a_slide(position=[0, 0, -0.5])
    pull = "if(position('bob','z') > 0, -4.00001, -4)*position('bob','z')"
    mech.force("stop", "force", body="bob", components=[0, 0, pull])
    found = lw.floquet(mech, math.pi / 2 + math.pi / math.sqrt(4.00001), accuracy=1e-5)
    np.testing.assert_allclose(found.multipliers, 1.0, atol=1e-3)


def at_a_stop(stiffness: float) -> tuple[lw.Mechanism, float]:
    """x'' = -4 x - k max(0, x - 0.3) from x = 0 with 1 m/s, and its period: two arcs in the plane of phases."""
    mech = on_a_slide(position=[0, 0, 0.0], velocity=[0, 0, 1.0])
    pull = f"-4*position('bob','z') - {stiffness}*max(0, position('bob','z') - 0.3)"
    mech.force("stop", "force", body="bob", components=[0, 0, pull])
    w = math.sqrt(4.0 + stiffness)
    beyond = 2.0 / w * math.atan2(math.sqrt(1.0 - 4.0 * 0.09) / w, 0.3 - stiffness * 0.3 / w**2)
    return mech, math.pi / 2.0 + math.asin(0.6) + beyond


def test_an_end_stop_has_its_period_and_is_named_where_accuracy_fails() -> None:
    """The motion did not close, to 2e-2, since steps of equal length passed the stop by."""
    mech, period = at_a_stop(500.0)
    with pytest.raises(ConvergenceError, match=r"'stop' has a kink at t = 0\.32.* pass by"):
        lw.floquet(mech, period)
    mech, period = at_a_stop(0.5)
    found = lw.floquet(mech, period, accuracy=1e-2)
    assert found.closes < 1e-8
    np.testing.assert_allclose(np.linalg.det(found.monodromy), 1.0, atol=1e-2)
    with pytest.raises(UsageError, match="has not the period"):
        lw.floquet(mech, 1.01 * period, accuracy=1e-2)


def test_a_disturbance_that_grows_slowly_grows() -> None:
    """A multiplier of 1.00003, known to 1e-8: it was called stable, as if multipliers coincided."""
    found = lw.floquet(shaken(0.05, 65.220782654657), 2 * math.pi / 65.220782654657)
    assert found.multipliers[0].real == pytest.approx(1.00003, abs=1e-8)
    assert not found.stable


def test_a_driven_loop_comes_back() -> None:
    """A crank that turns at one turn a second leaves no freedom: no multipliers."""
    found = lw.floquet(lw.load("planar_four_bar"), 1.0)
    assert len(found.multipliers) == 0
    assert found.stable
