"""Modes: steady motions in closed form, many bodies, shapes that can be drawn, the command line."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from unit.test_linearise import G, Y, equations_off, pendulum

import linkwork as lw
from linkwork.cli.main import status_of
from linkwork.errors import UsageError
from linkwork.linearisation.linearise import linear_model
from linkwork.linearisation.slow_modes import slow_modes
from linkwork.linearisation.start import equations_of


def governor(speed: float, turned: float) -> lw.Mechanism:
    """A ball of isotropic inertia on an arm of 0.4 m, pinned to a shaft that a driver turns."""
    mech = lw.Mechanism("governor")
    place = [0.4 * math.sin(turned), 0, -0.4 * math.cos(turned)]
    mech.body("shaft", mass=1.0, inertia=[0.1, 0.1, 0.1], angular_velocity=[0, 0, speed])
    mech.body(
        "ball", mass=0.7, inertia=[0.01, 0.01, 0.01], position=place, angular_velocity=[0, 0, speed],
        velocity=[0, speed * place[0], 0],
    )  # fmt: skip
    mech.joint("bearing", "revolute", "ground", "shaft", point=[0, 0, 0], axis=[0, 0, 1], x=[1, 0, 0])
    mech.joint("pin", "revolute", "shaft", "ball", point=[0, 0, 0], **Y)
    mech.driver("motor", "bearing", f"{speed}*t")
    return mech


def test_spinning_governor() -> None:
    """A rheonomic row, a steady motion: the frequency at the angle of balance."""
    speed = 7.0
    cosine = G / (0.4 * speed**2)
    mech = governor(speed, math.acos(cosine))
    found = lw.modes(mech, lw.State.start(mech), turning=(0, 0, speed))
    steady = lw.equilibrium(governor(speed, 0.4), turning=(0, 0, speed), stable=True)  # found from elsewhere
    assert -steady.position("ball")[2] == pytest.approx(0.4 * cosine, rel=1e-12)
    assert steady.stability == "stable"
    np.testing.assert_allclose(lw.modes(governor(speed, 0.4), steady).eigenvalues, found.eigenvalues, atol=1e-10)
    inertia = 0.7 * 0.4**2 + 0.01
    wanted = speed * math.sqrt(0.7 * 0.4**2 * (1 - cosine**2) / inertia)
    assert len(found.eigenvalues) == 1
    assert abs(found.eigenvalues[0] - 1j * wanted) < 1e-11 * wanted


def top(theta: float, precession: float) -> lw.Mechanism:
    """A symmetric top on a ball joint in steady precession."""
    m, arm, across, along = 0.6, 0.15, 0.002, 0.0015
    pivot = across + m * arm**2
    spin = (pivot * precession**2 * math.cos(theta) + m * G * arm) / (along * precession)  # omega along the axis
    axis = np.array([math.sin(theta), 0.0, math.cos(theta)])
    A = np.array([[math.cos(theta), 0.0, math.sin(theta)], [0.0, 1.0, 0.0], [-math.sin(theta), 0.0, math.cos(theta)]])
    omega = np.array([0.0, 0.0, precession])
    omega = omega + (spin - omega @ axis) * axis
    mech = lw.Mechanism("top")
    mech.body(
        "top", mass=m, inertia=[across, across, along], position=(arm * axis).tolist(), rotation=A.tolist(),
        velocity=np.cross(omega, arm * axis).tolist(), angular_velocity=(A.T @ omega).tolist(),
    )  # fmt: skip
    mech.joint("pivot", "spherical", "ground", "top", point=[0, 0, 0])
    return mech


def test_nutation_of_a_heavy_top_in_steady_precession() -> None:
    theta, precession = 0.5, 3.0
    mech = top(theta, precession)
    found = lw.modes(mech, lw.State.start(mech), turning=(0, 0, precession))
    pivot, weight = 0.002 + 0.6 * 0.15**2, 0.6 * G * 0.15
    squared = pivot**2 * precession**4 - 2 * pivot * precession**2 * weight * math.cos(theta) + weight**2
    wanted = math.sqrt(squared) / (pivot * precession)
    assert np.min(np.abs(found.eigenvalues - 1j * wanted)) < 1e-11 * wanted


def rolling(speed: float) -> lw.Mechanism:
    """A thin disc of radius 0.3 m that rolls upright along x."""
    mech = lw.Mechanism("disc")
    mech.body(
        "disc", mass=2.0, shape={"type": "disc", "axis": "z", "radius": 0.3}, position=[0, 0, 0.3],
        rotation=[[1, 0, 0], [0, 0, -1], [0, 1, 0]], velocity=[speed, 0, 0], angular_velocity=[0, 0, -speed / 0.3],
    )  # fmt: skip
    place = {"on_first": {"point": [0, 0, 0], "axis": [0, 0, 1]}, "on_second": {"axis": [0, 0, 1]}}
    mech.joint("contact", "rolling-disc", "ground", "disc", radius=0.3, **place)
    return mech


@pytest.mark.parametrize("share", [0.5, 0.99, 1.01, 2.0])
def test_a_rolling_disc_stands_above_its_critical_speed(share: float) -> None:
    """Non-holonomic: lambda^2 = 12/5 (g / R - 3 v^2 / R^2), of a thin disc that rolls straight on."""
    speed = share * math.sqrt(G * 0.3 / 3)
    mech = rolling(speed)
    found = lw.modes(mech, lw.State.start(mech), turning=(0, 0, 0)).eigenvalues
    squared = 0.8 * (G / 0.3 - 3 * speed**2 / 0.3**2)
    fastest = found[np.argmax(np.abs(found))]
    assert fastest**2 == pytest.approx(squared, rel=1e-9)
    assert (np.max(found.real) > 1e-3) == (share < 1)


def test_a_disc_in_a_circle_has_its_own_turning_as_an_eigenvalue() -> None:
    mech = lw.load("rolling_disc")
    found = lw.modes(mech, lw.State.start(mech), turning=(0, 0, 1.5)).eigenvalues
    assert np.min(np.abs(found - 1.5j)) < 1e-10  # moved aside, it runs in the same circle elsewhere


def hanging(n: int) -> lw.Mechanism:
    """n bars of 0.1 m that hang on pins, with coils at them."""
    mech = lw.Mechanism("bars")
    for k in range(n):
        mech.body(f"bar {k}", mass=0.5, inertia=[1e-3, 1e-3, 1e-4], position=[0, 0, -0.1 * k - 0.05])
        joint = f"pin {k}"
        mech.joint(joint, "revolute", "ground" if k == 0 else f"bar {k - 1}", f"bar {k}", point=[0, 0, -0.1 * k], **Y)
        mech.force(f"coil {k}", "torsion", joint=joint, stiffness=2.0, damping=0.01)
    return mech


def test_slow_modes_of_many_bodies_by_sparse_iteration() -> None:
    e = equations_of(hanging(24))
    values, moves, _ = slow_modes(e, 5)
    wanted = linear_model(e).eigenvalues()
    wanted = wanted[wanted.imag >= 0][:5]
    np.testing.assert_allclose(values, wanted, rtol=1e-9)
    assert moves.shape == (e.size, 5)


def test_a_mode_is_a_motion_that_can_be_drawn() -> None:
    found = lw.modes(pendulum())
    motion = found.motion(0, amplitude=0.01, samples=8)
    assert motion.time.size == 9
    assert motion.time[-1] == pytest.approx(1.0 / found.frequencies[0], rel=1e-12)
    mech = pendulum()
    for k in range(9):
        assert equations_off(mech, motion.state(k)) < 1e-12
    assert max(motion["velocity_violation"]) < 1e-12
    assert motion["rotation"][-1] == pytest.approx(motion["rotation"][0], abs=1e-12)
    away = np.abs(motion["position"] - found.state.position).max()
    assert 0.003 < away <= 0.0101
    with pytest.raises(UsageError, match="no mode 2"):
        found.motion(2)
    with pytest.raises(UsageError, match="amplitude"):
        found.motion(0, amplitude=-1.0)


def test_the_command_line_prints_modes_and_draws_them(tmp_path: Any, capsys: Any) -> None:
    assert status_of(["modes", "kissel2021_double_pendulum", "--plot", str(tmp_path / "modes.svg")]) == 0
    assert "0.247229 Hz" in capsys.readouterr().out
    assert (tmp_path / "modes.svg").stat().st_size > 1000
    assert status_of(["modes", "kissel2021_double_pendulum", "--json"]) == 0
    assert '"damping_ratio"' in capsys.readouterr().out


def test_the_command_line_writes_nothing_where_a_mode_is_not_there(tmp_path: Any, capsys: Any) -> None:
    """The plot was written before the mode was looked for, and --mode without --view did nothing."""
    page, plot = tmp_path / "mode.html", tmp_path / "modes.svg"
    words = ["modes", "kissel2021_double_pendulum", "--mode", "9", "--plot", str(plot)]
    assert status_of([*words, "--view", str(page)]) == 2
    assert "there are 2 modes, 0 to 1, no mode 9" in capsys.readouterr().err
    assert status_of(words) == 2
    assert "--mode says which mode --view shows" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_damping_ratio_that_is_rounding_has_no_sign_of_growth() -> None:
    found = lw.modes(lw.load("kissel2021_double_pendulum"))
    found = replace(found, eigenvalues=5e-16 + 1j * found.eigenvalues.imag)
    assert np.all(found.damping_ratios < 0.0)
    assert "+0.000000 " in found.text()
    assert "-0.000000 " not in found.text()
