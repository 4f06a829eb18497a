"""What RATTLE keeps: constraints at both levels, momentum, the way back, and energy within a band."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import linkwork as lw
from linkwork.errors import UnsupportedElementError, UsageError
from linkwork.integrators import INTEGRATORS

METHODS = ("rattle", "shake", "rattle4", "rattle6")
TOP = "muller2013_heavy_top"


def double_pendulum() -> lw.Mechanism:
    return lw.load("kissel2021_double_pendulum")


def top() -> lw.Mechanism:
    """Without symmetry; 60 rad/s."""
    mech = lw.Mechanism("top", gravity=[0, 0, -9.81])
    lean = {"axis": [1, 0, 0], "angle": 0.6}
    place = [0.0, -0.1 * np.sin(0.6), 0.1 * np.cos(0.6)]
    mech.body("body", mass=1.0, inertia=[0.004, 0.005, 0.0025], position=place, rotation=lean,
              angular_velocity=[0, 0, 60.0])  # fmt: skip
    mech.joint("pivot", "spherical", "ground", "body", on_first={"point": [0, 0, 0]}, on_second={"point": [0, 0, -0.1]})
    return lw.assemble(mech).mechanism


def floating_chain(spring: bool = False) -> lw.Mechanism:
    """Three bodies in free flight, on a universal joint and a ball joint."""
    mech = lw.Mechanism("chain", gravity=[0, 0, 0])
    for k, spin in enumerate(([1.0, 2.0, 3.0], [0.0, -4.0, 1.0], [2.0, 0.0, -1.0])):
        mech.body(f"b{k}", mass=1.0 + k, inertia=[0.1, 0.2, 0.15], position=[k, 0, 0], angular_velocity=spin)
    mech.joint("hook", "revolute", "b0", "b1", point=[0.5, 0, 0], axis=[0, 1, 0])
    mech.joint("ball", "spherical", "b1", "b2", point=[1.5, 0, 0])
    if spring:
        mech.force("spring", "spring", first="b0", second="b2", point=[0, 0, 0.1], point2=[2, 0, 0.1], stiffness=50.0)
    return lw.assemble(mech).mechanism


def energy(result: lw.Result) -> np.ndarray:
    found: np.ndarray = result["kinetic_energy"] + result["potential_energy"]
    return found - found[0]


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("formulation", ["lie-se3", "lie-product"])
def test_samples_are_on_the_constraints_at_both_levels(formulation: str, name: str) -> None:
    found = lw.simulate(double_pendulum(), 2.0, 5e-3, formulation, name)
    assert found["position_violation"].max() < 1e-14
    assert found["velocity_violation"].max() < 1e-13


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("formulation", ["lie-se3", "lie-product"])
def test_momentum_of_what_flies_freely_is_kept_to_rounding(formulation: str, name: str) -> None:
    mech = floating_chain(spring=True)
    found = lw.simulate(mech, 40.0, 4e-3, formulation, name, every=500)
    masses = np.array([1.0, 2.0, 3.0])
    linear = np.einsum("b,tbi->ti", masses, found["velocity"])
    turned = np.einsum("tbij,j,tbj->tbi", found["rotation"], [0.1, 0.2, 0.15], found["angular_velocity"])
    angular = (np.cross(found["position"], masses[:, None] * found["velocity"]) + turned).sum(axis=1)
    each = 10_000 * len(INTEGRATORS.load(name).shares()) * float(np.finfo(float).eps)  # a rounding error in each step
    assert_allclose(linear - linear[0], 0.0, atol=each)
    assert_allclose(angular - angular[0], 0.0, atol=5.0 * each)
    assert np.ptp(found["rotation"][:, 0, 0, 0]) > 1.0, "it does move"


@pytest.mark.parametrize(
    ("name", "h", "band"), [("rattle", 2e-3, 1e-2), ("rattle4", 5e-3, 2e-3), ("rattle6", 8e-3, 1e-3)]
)
@pytest.mark.parametrize("formulation", ["lie-se3", "lie-product"])
def test_energy_of_a_top_stays_in_its_band(formulation: str, name: str, h: float, band: float) -> None:
    """Ten thousand turns of a motion that is regular: the error at the end is that of the beginning."""
    error = np.abs(energy(lw.simulate(top(), 20_000 * h, h, formulation, name, every=4)))
    assert error[-500:].max() < 1.1 * error[:500].max()
    assert error.max() < band
    other = np.abs(energy(lw.simulate(top(), 2_000 * h, h, "lie-se3", "rk4", every=4)))
    assert other[-50:].max() > 3.0 * other[:50].max(), "an explicit method's does grow"


@pytest.mark.parametrize("make", [double_pendulum, top])
@pytest.mark.parametrize("name", ["rattle", "rattle4"])
def test_a_motion_turned_round_leads_back(make: Callable[[], lw.Mechanism], name: str) -> None:
    mech, h, steps = make(), 2e-3, 500
    there = lw.simulate(mech, steps * h, h, "lie-product", name)
    end = lw.State.of(there, -1)
    turned = lw.State(end.position, end.rotation, -end.velocity, -end.angular_velocity)
    back = lw.simulate(mech, steps * h, h, "lie-product", name, state=turned)
    assert_allclose(back["rotation"][-1], there["rotation"][0], atol=1e-9)
    assert_allclose(back["velocity"][-1], -there["velocity"][0], atol=1e-8)


def test_shake_and_rattle_go_the_same_way() -> None:
    one, other = (lw.simulate(double_pendulum(), 1.0, 2e-3, "lie-mixed", name) for name in ("rattle", "shake"))
    assert_allclose(one["position"], other["position"], atol=1e-11)
    assert_allclose(one["velocity"], other["velocity"], atol=1e-10)


def test_redundant_rows_and_drivers() -> None:
    exact = lw.simulate(lw.load("planar_four_bar"), 0.5, 0.1, "rA", "radau5", rtol=1e-10, atol=1e-13)
    for name in METHODS[:1] + METHODS[2:]:
        found = lw.simulate(lw.load("planar_four_bar"), 0.5, 0.01, "lie-mixed", name, every=10)
        assert_allclose(found["position"], exact["position"], atol=1e-9)
        assert found["position_violation"].max() < 1e-13


def test_the_same_bits_in_chunks_and_on_the_way_from_a_sample_to_the_next() -> None:
    mech = double_pendulum()
    whole, again = (lw.simulate(mech, 0.5, 1e-3, "lie-mixed", "rattle4", every=every) for every in (1, 1))
    assert_array_equal(whole["position"], again["position"])
    coarse = lw.simulate(mech, 0.5, 1e-3, "lie-mixed", "rattle4", every=50)
    assert_allclose(coarse["position"], whole["position"][::50], atol=1e-11)


def test_what_it_does_not_take_is_refused_by_name() -> None:
    with pytest.raises(UnsupportedElementError, match="rattle takes constraints on positions, and row 'ground contact"):
        lw.simulate(lw.load("rolling_disc"), 0.1, 1e-2, "lie-mixed", "rattle")
    with pytest.raises(UsageError, match="shake does not know the velocities"):
        lw.simulate(lw.load("spatial_slider_crank_spring"), 0.1, 1e-2, "lie-mixed", "shake")
    with pytest.raises(UsageError, match="option rebuild moves poses"):
        lw.simulate(double_pendulum(), 0.1, 1e-2, "joint-rates", "rattle", rebuild=True)
    with pytest.raises(UsageError, match="sensitivities are not carried along by rattle"):
        lw.sensitivities(double_pendulum(), 0.1, 1e-2, "lie-mixed", "rattle", of="position", to="elbow.point[0]")


def test_steps_too_long_end_the_run_with_what_was_there() -> None:
    with pytest.raises(lw.errors.ConvergenceError) as caught:
        lw.simulate(lw.load(TOP), 1.0, 0.05, "lie-se3", "rattle")
    assert "step" in str(caught.value)
