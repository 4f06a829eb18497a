"""RATTLE and SHAKE with rigid couplings and rotors: closed forms, the order, other integrators, reversal."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import linkwork as lw

FORMULATION = "lie-mixed"


def gear_box() -> lw.Mechanism:
    """Two axles in mesh, a rotor on one of them, a constant torque on the other."""
    mech = lw.Mechanism("gear box", gravity=[0, 0, 0])
    for name, x, moment in (("big", 0.0, 0.3), ("small", 0.4, 0.02)):
        mech.body(name, mass=1, inertia=[moment, moment, moment], position=[x, 0, 0])
        mech.joint(f"axle {name}", "revolute", "ground", name, point=[x, 0, 0], axis=[0, 0, 1])
    mech.coupling("mesh", "gear", joint="axle small", joint2="axle big", ratio=-3)
    mech.coupling("motor", "rotor", joint="axle small", inertia=1e-3, ratio=4)
    mech.force("load", "torque", body="big", components=[0, 0, 2])
    return mech


def pendulums() -> lw.Mechanism:
    """A double pendulum beside a single one: cubic mimic between them, a rotor on the elbow, a spring in between."""
    mech = lw.Mechanism("pendulums")
    places = {"upper": [0.25, 0, 0], "lower": [0.7, 0, 0.1], "other": [0.3, 1, 0]}
    for name, at in places.items():
        mech.body(name, mass=1.2, inertia=[0.01, 0.03, 0.035], position=at)
    mech.joint("shoulder", "revolute", "ground", "upper", point=[0, 0, 0], axis=[0, 1, 0])
    mech.joint("elbow", "revolute", "upper", "lower", point=[0.5, 0, 0], axis=[0, 1, 0.2])
    mech.joint("hinge", "revolute", "ground", "other", point=[0, 1, 0], axis=[0, 1, 0])
    mech.coupling("tied", "mimic", joint="hinge", joint2="shoulder", polynomial=[0, 0.6, 0.2, 0.1])
    mech.coupling("armature", "rotor", joint="elbow", inertia=2e-3, ratio=5)
    mech.force("spring", "spring", first="lower", second="other", point=[0.7, 0, 0], point2=[0.3, 1, 0], stiffness=4)
    return mech


def run(mech: lw.Mechanism, h: float, integrator: str, t_end: float = 0.4, **more: Any) -> lw.Result:
    return lw.simulate(mech, t_end, h, formulation=FORMULATION, integrator=integrator, **more)


@pytest.mark.parametrize("integrator", ["rattle", "shake"])
def test_a_gear_box_under_constant_torque_is_met_exactly(integrator: str) -> None:
    """Steps of kicks and drifts are exact where the acceleration is constant."""
    result = run(gear_box(), 1e-2, integrator, 1.0)
    inertia = 0.3 + 9 * 0.02 + 9 * 16e-3
    big, small = (result.joint(f"axle {name}") for name in ("big", "small"))
    assert_allclose(big["angle"], 0.5 * 2.0 / inertia * result.time**2, atol=1e-11)
    assert_allclose(small["angle"], -3 * big["angle"], atol=1e-11)
    assert_allclose(big["angle_rate"][-1], 2.0 / inertia, rtol=1e-10)


@pytest.fixture(scope="module")
def reference() -> lw.Result:
    return run(pendulums(), 0.02, "dop853", rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(("integrator", "order"), [("rattle", 2), ("shake", 2)])
def test_motion_and_multipliers_are_those_of_other_integrators_to_the_order(
    reference: lw.Result, integrator: str, order: int
) -> None:
    errors = []
    for h, every in ((2e-3, 10), (1e-3, 20)):
        result = run(pendulums(), h, integrator, every=every)
        assert_allclose(result.time, reference.time, atol=1e-12)
        errors.append([np.abs(result[q] - reference[q]).max() for q in ("position", "velocity", "rotation")])
        lam = result.multiplier("tied") - reference.multiplier("tied")
        assert np.abs(lam).max() < 3e-3 * np.abs(reference.multiplier("tied")).max()
    assert_allclose(np.log2(np.divide(*errors)), order, atol=0.15)
    assert max(errors[1]) < 1e-3


def test_the_coupling_holds_and_energy_stays() -> None:
    result = run(pendulums(), 1e-3, "rattle", every=10)
    hinge, shoulder = (result.joint(name)["angle"] for name in ("hinge", "shoulder"))
    rates = [result.joint(name)["angle_rate"] for name in ("hinge", "shoulder")]
    assert_allclose(hinge, 0.6 * shoulder + 0.2 * shoulder**2 + 0.1 * shoulder**3, atol=1e-12)
    assert_allclose(rates[0], (0.6 + 0.4 * shoulder + 0.3 * shoulder**2) * rates[1], atol=1e-11)
    energy = result["kinetic_energy"] + result["potential_energy"]
    assert np.ptp(energy) < 1e-4 * np.ptp(result["kinetic_energy"])
    assert np.ptp(result["kinetic_energy"]) > 1.0
