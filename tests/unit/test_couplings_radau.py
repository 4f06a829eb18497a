"""Rigid couplings and rotors in Radau methods and in generalized-alpha with steps of its own: one sparse matrix."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose
from oracles.coupled import moving, pendulum, spatial, wheels, with_rotors

import linkwork as lw

IMPLICIT = ("rA", "rp", "re", "lie-se3", "lie-product", "lie-mixed")


@cache
def reference() -> lw.Result:
    return lw.simulate(moving(spatial()), 0.3, 0.05, "lie-mixed", "dop853", rtol=1e-12, atol=1e-14, accept_changes=True)


def off(run: lw.Result, best: lw.Result, *couplings: str) -> float:
    """The largest difference of positions, and of multipliers as a share of the largest."""
    found = [float(np.abs(run["position"] - best["position"]).max())]
    for name in couplings:
        wanted = best.multiplier(name)
        found.append(float(np.abs(run.multiplier(name) - wanted).max() / np.abs(wanted).max()))
    return max(found)


@pytest.mark.parametrize("equations", ["index-3", "stabilised-index-2"])
@pytest.mark.parametrize("formulation", IMPLICIT)
def test_gear_mimic_and_rotor_in_every_formulation(formulation: str, equations: str) -> None:
    how = {"rtol": 1e-8, "atol": 1e-11, "equations": equations, "accept_changes": True}
    run = lw.simulate(moving(spatial()), 0.3, 0.05, formulation, "radau5", **how)
    assert off(run, reference(), "gear", "follow") < 1e-6
    assert run["position_violation"].max() < 1e-12
    assert run["velocity_violation"].max() < 1e-12


@pytest.mark.parametrize(("method", "close"), [("radau9", 1e-7), ("radau13", 1e-7), ("radau", 1e-6)])
def test_every_number_of_stages(method: str, close: float) -> None:
    how = {"rtol": 1e-9, "atol": 1e-12, "accept_changes": True}
    assert off(lw.simulate(moving(spatial()), 0.3, 0.05, "lie-mixed", method, **how), reference(), "gear") < close


def test_steps_of_one_size_are_of_order_five() -> None:
    found = [
        off(lw.simulate(moving(spatial()), 0.3, step, "rA", "radau5", every=k, accept_changes=True), reference())
        for step, k in ((0.01, 5), (0.005, 10))
    ]
    assert 4.5 < np.log2(found[0] / found[1]) < 5.8


def test_generalized_alpha_with_steps_of_its_own() -> None:
    for equations in ("index-3", "stabilised-index-2"):
        method = lw.GeneralizedAlpha(rtol=1e-7, atol=1e-10, equations=equations)
        run = lw.simulate(moving(spatial()), 0.3, 0.05, "rA", method, accept_changes=True)
        assert off(run, reference()) < 1e-3
        assert run["position_violation"].max() < 1e-11


@pytest.mark.parametrize("formulation", ["rA", "lie-se3"])
def test_rotors_on_every_joint_and_on_a_ball(formulation: str) -> None:
    q, v = {"ja": 0.3, "jb": -0.4, "jc": 0.2, "jd": 0.7}, {"ja": 1.3, "jb": -0.9, "jc": 0.5, "jd": 2.0}
    for mech, state in ((with_rotors(), lw.start_state(with_rotors(), q, v)), (pendulum(), None)):
        how = {"rtol": 1e-8, "atol": 1e-11, "accept_changes": True, "state": state}
        run = lw.simulate(mech, 0.2, 0.05, formulation, "radau5", **how)
        assert off(run, lw.simulate(mech, 0.2, 0.05, "lie-mixed", "dop853", rtol=1e-11, atol=1e-13, **{
            name: how[name] for name in ("accept_changes", "state")
        })) < 1e-6  # fmt: skip
        balance = run.energy_balance()
        assert np.abs(balance.residual).max() < 1e-6 * balance.kinetic.max()


def test_a_gear_train_turns_on_and_on_beside_redundant_rows() -> None:
    mech = wheels(0.3, 0.02)
    mech.joint("again", "revolute", "ground", "a", point=[0, 0, 1], axis=[0, 0, 1])
    mech.coupling("mesh", "gear", joint="jb", joint2="ja", ratio=-3)
    mech.force("drive", "torque", body="a", components=[0, 0, 2.0])
    run = lw.simulate(mech, 2.4, 0.05, "rA", "radau5", rtol=1e-9, atol=1e-12)
    rate = 2.0 / (0.3 + 9 * 0.02)
    assert_allclose(run.joint("ja")["angle"], 0.5 * rate * run.time**2, atol=1e-6)
    assert run.joint("jb")["angle"][-1] < -6 * np.pi
    assert_allclose(run.multiplier("mesh"), 3 * 0.02 * rate, rtol=1e-7)
