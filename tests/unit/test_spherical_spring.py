"""Springs and dampers of ball joints: closed forms, energy, derivatives, every formulation, what results hold."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import linkwork as lw
from linkwork.errors import ModelError
from linkwork.formulations import FORMULATIONS
from linkwork.kernels.so3 import exp_so3, log_so3

J, K, C = 0.5, 0.9, 0.2
TURN = exp_so3((0.3, -0.8, 0.5))


def ball(spin: Any = (0.0, 0.0, 0.0), rotation: Any = None, **given: Any) -> lw.Mechanism:
    """A body of equal principal moments on a ball at its centre."""
    mech = lw.Mechanism("ball", gravity=[0, 0, 0])
    turned = {} if rotation is None else {"rotation": np.reshape(rotation, (3, 3)).tolist()}
    mech.body("a", mass=1, inertia=[J, J, J], angular_velocity=list(spin), **turned)
    mech.joint("socket", "spherical", "ground", "a", point=[0, 0, 0])
    mech.force("spring", "spherical-spring", joint="socket", **given)
    return mech


def chain(damping: float, **given: Any) -> lw.Mechanism:
    """Two bodies on balls, turned and turning, the second spring free elsewhere."""
    mech = lw.Mechanism("chain")
    mech.body("a", mass=1, inertia=[0.1, 0.2, 0.25], position=[0.3, 0, 0], angular_velocity=[1, 2, -1],
              velocity=[0, -0.3, -0.6])  # fmt: skip
    mech.body("b", mass=1, inertia=[0.1, 0.2, 0.25], position=[0.9, 0, 0], rotation=np.reshape(TURN, (3, 3)).tolist())
    mech.joint("one", "spherical", "ground", "a", point=[0, 0, 0])
    mech.joint("two", "spherical", "a", "b", point=[0.6, 0, 0])
    mech.force("s1", "spherical-spring", joint="one", stiffness=5.0, damping=damping)
    mech.force("s2", "spherical-spring", joint="two", stiffness=3.0, damping=damping, **given)
    return mech


@pytest.mark.parametrize("formulation", sorted(FORMULATIONS))
def test_every_formulation_has_the_moment(formulation: str) -> None:
    """J alpha = -k phi - c omega, phi the logarithm of the rotation."""
    spin = np.array([0.4, -0.2, 0.7])
    mech = ball(spin, TURN, stiffness=K, damping=C, free=np.eye(3).tolist())
    found = lw.accelerations(mech, formulation=formulation).angular_acceleration("a")
    assert_allclose(found, -(K * np.array(log_so3(TURN)) + C * spin) / J, atol=1e-12)


def test_it_is_the_oscillator_of_its_axis() -> None:
    """Equal moments: phi = n Omega0/w sin(w t) with w^2 = k/J; with damping it dies down at c/(2 J)."""
    n = np.array([0.6, 0.0, 0.8])
    at = np.linspace(0.0, 4.0, 81)
    for c in (0.0, C):
        run = lw.simulate(ball(1.5 * n, stiffness=K, damping=c), 4.0, 1e-2, "lie-mixed", "dop853", rtol=1e-11,
                          atol=1e-13, t_eval=at)  # fmt: skip
        decay = c / (2 * J)
        w = np.sqrt(K / J - decay**2)
        angle = 1.5 / w * np.exp(-decay * at) * np.sin(w * at)
        spring = run.force("spring")
        assert_allclose(spring["rotation_vector"], np.outer(angle, n), atol=1e-9)
        assert_allclose(spring["angle"], np.abs(angle), atol=1e-9)
        spin = run.angular_velocity("a")
        torque = -(K * np.outer(angle, n) + c * spin)  # the axis is the same in both frames
        assert_allclose(spring["torque"], torque, atol=1e-9)
        assert_allclose(spring.power, np.sum(torque * spin, axis=1), atol=1e-8)
        assert_allclose(run["potential_energy"], K * angle**2 / 2, atol=1e-9)
        assert_allclose(run["power"], -c * np.sum(spin**2, axis=1), atol=1e-14)


@pytest.mark.parametrize("damping", [0.0, 0.3])
def test_energy_balances_in_a_chain(damping: float) -> None:
    mech = chain(damping, free={"axis": [0, 0, 1], "angle": 0.3})
    run = lw.simulate(mech, 1.0, 1e-2, "lie-mixed", "dop853", rtol=1e-11, atol=1e-13, t_eval=np.linspace(0, 1, 401))
    h = run.time[1]
    P = run["power"]
    work = h / 3 * (P[0] + P[-1] + 4 * P[1::2].sum() + 2 * P[2:-1:2].sum())  # Simpson
    assert abs(run.energy[-1] - run.energy[0] - work) < 1e-8
    assert np.ptp(run["potential_energy"]) > 1.0
    assert not np.any(P) if damping == 0.0 else np.all(P <= 0.0)


def test_a_stiffness_by_formula_is_work() -> None:
    at = np.linspace(0.0, 1.0, 21)
    same = [
        lw.simulate(ball((0, 0, 2), stiffness=k), 1.0, 1e-2, "lie-mixed", "dop853", rtol=1e-10, atol=1e-12, t_eval=at)
        for k in (K, f"{K} + 0*t")
    ]
    assert_allclose(same[0]["rotation"], same[1]["rotation"], atol=1e-9)
    assert np.ptp(same[0]["potential_energy"]) > 0.1
    assert not np.any(same[1]["potential_energy"])
    assert_allclose(same[1]["power"], same[1].force("spring").power, atol=1e-12)


def test_modes_have_the_exact_stiffness() -> None:
    """The derivative at rest where the spring is free."""
    assert_allclose(lw.modes(ball(stiffness=K)).frequencies, np.sqrt(K / J) / (2 * np.pi), rtol=1e-10)


def test_implicit_methods_converge_with_the_full_matrix() -> None:
    """Newton's method with every derivative is quadratic: few iterations, and the motion of the others."""
    mech = chain(0.3)
    runs = [
        lw.simulate(mech, 0.2, 1e-3, formulation, "generalized-alpha", newton="full") for formulation in ("rA", "rp")
    ]
    exact = lw.simulate(mech, 0.2, 1e-3, "lie-mixed", "dop853", rtol=1e-11, atol=1e-13, t_eval=[0.0, 0.2])
    for run in runs:
        assert_allclose(run.position("b")[-1], exact.position("b")[-1], atol=2e-6)
        assert run["iterations"].max() <= 3


def test_where_it_is_free_stays_when_bodies_are_assembled_elsewhere() -> None:
    """The equilibrium under weight, described as a mechanism of its own, is at rest with the same spring."""
    mech = chain(0.0)
    found = lw.equilibrium(mech)
    assert np.linalg.norm(np.array(found.mechanism.bodies[1].position) - [0.9, 0, 0]) > 0.1
    at_rest = lw.accelerations(found.mechanism, formulation="lie-mixed")
    assert np.max(np.abs(at_rest.acceleration("b"))) < 1e-7


def test_half_a_turn_passed_in_large_steps_is_told() -> None:
    """The moment changes its sign there; energy says what a step across costs."""
    mech = ball((0, 4, 3), stiffness=K)
    coarse = lw.simulate(mech, 5.0, 0.05, "lie-mixed", "rk4")
    assert any(one.kind == "energy" for one in coarse.verdicts)
    fine = lw.simulate(mech, 5.0, 1e-2, "lie-mixed", "dop853", rtol=1e-9, atol=1e-11, t_eval=np.linspace(0, 5, 101))
    assert fine.force("spring")["angle"].max() > 3.0
    assert np.ptp(fine.energy) < 1e-5


def test_other_joints_have_joint_springs() -> None:
    mech = lw.Mechanism("hinge")
    mech.body("a", mass=1, inertia=[1, 1, 1])
    mech.joint("axle", "revolute", "ground", "a", point=[0, 0, 0], axis=[0, 0, 1])
    mech.force("spring", "spherical-spring", joint="axle", stiffness=1)
    with pytest.raises(ModelError, match="holds no ball: take a joint-spring"):
        mech.lower()


def test_universal_joints_have_a_spring_about_either_axis() -> None:
    """Two joint springs on a universal joint, and two hinges with a massless cross between: the same accelerations."""
    found = []
    for crossed in (True, False):
        mech = lw.Mechanism("shaft")
        mech.body("a", mass=2, inertia=[0.1, 0.2, 0.25], position=[0, 0, -0.4], angular_velocity=[0.5, -0.3, 0])
        springs = ({"stiffness": 7, "damping": 0.2, "free": 0.3}, {"stiffness": 4, "damping": 0.1, "free": -0.2})
        if crossed:
            mech.joint("u", "universal", "ground", "a", point=[0, 0, 0], axis=[1, 0, 0], axis2=[0, 1, 0])
            on = (("u", "angle_1"), ("u", "angle_2"))
        else:
            mech.body("cross", mass=0, inertia=[0, 0, 0], angular_velocity=[0.5, 0, 0])
            mech.joint("u1", "revolute", "ground", "cross", point=[0, 0, 0], axis=[1, 0, 0])
            mech.joint("u2", "revolute", "cross", "a", point=[0, 0, 0], axis=[0, 1, 0])
            on = (("u1", "angle"), ("u2", "angle"))
        for n, ((joint, coordinate), spring) in enumerate(zip(on, springs, strict=True)):
            mech.force(f"s{n}", "joint-spring", joint=joint, coordinate=coordinate, **spring)
        found.append(lw.accelerations(mech, formulation="articulated-body").angular_acceleration("a"))
    assert_allclose(found[0], found[1], atol=1e-11)
