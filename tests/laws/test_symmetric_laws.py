"""What symmetric methods keep over long times, and what they do not: energy, the way back, momenta, joints."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import linkwork as lw
from linkwork.integrators.symmetric import METHODS


def pendulum() -> lw.Mechanism:
    mech = lw.Mechanism("pendulum", gravity=[0, 0, -9.81])
    mech.body("body", mass=1.0, inertia=[0.02, 0.02, 0.01], position=[0, 0.5, 0])
    on_first, on_second = {"point": [0, 0, 0], "axis": [1, 0, 0]}, {"point": [0, -0.5, 0], "axis": [1, 0, 0]}
    mech.joint("pin", "revolute", "ground", "body", on_first=on_first, on_second=on_second)
    return mech


def top() -> lw.Mechanism:
    """Without symmetry, so that its motion is not that of a textbook; 60 rad/s."""
    mech = lw.Mechanism("top", gravity=[0, 0, -9.81])
    lean = {"axis": [1, 0, 0], "angle": 0.6}
    place = [0.0, -0.1 * np.sin(0.6), 0.1 * np.cos(0.6)]
    mech.body("body", mass=1.0, inertia=[0.004, 0.005, 0.0025], position=place, rotation=lean,
              angular_velocity=[0, 0, 60.0])  # fmt: skip
    mech.joint("pivot", "spherical", "ground", "body", on_first={"point": [0, 0, 0]}, on_second={"point": [0, 0, -0.1]})
    return lw.assemble(mech).mechanism


CASES = {"pendulum": (pendulum, 0.02), "top": (top, 2e-3)}


def energy(result: lw.Result) -> np.ndarray:
    found: np.ndarray = result["kinetic_energy"] + result["potential_energy"]
    return found - found[0]


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("formulation", ["lie-se3", "canonical"])
@pytest.mark.parametrize("case", list(CASES))
def test_energy_swings_between_the_same_bounds_for_thousands_of_steps(case: str, formulation: str, name: str) -> None:
    """On SE(3), where joints to ground are kept, and in joint coordinates; rk4's error, smaller at first, grows all the
    time."""
    make, h = CASES[case]
    result = lw.simulate(make(), 10_000 * h, h, formulation, name)
    error = np.abs(energy(result))
    assert error[-1000:].max() < 1.05 * error[:1000].max()
    assert result["position_violation"].max() < 1e-11
    rk4 = np.abs(energy(lw.simulate(make(), 10_000 * h, h, formulation, "rk4")))
    assert rk4[-1000:].max() > 5.0 * rk4[:1000].max()


def turned_round(mech: lw.Mechanism, result: lw.Result) -> lw.Mechanism:
    """The mechanism where a result ends, with all velocities the other way."""
    out = lw.Mechanism.from_dict(mech.to_dict())
    for body in result.bodies:
        out.change(
            body,
            position=result.position(body)[-1].tolist(),
            rotation=result.rotation(body)[-1].tolist(),
            velocity=(-result.velocity(body)[-1]).tolist(),
            angular_velocity=(-result.angular_velocity(body)[-1]).tolist(),
        )
    return out


def way_back(mech: lw.Mechanism, formulation: str, integrator: str, h: float, steps: int, **options: object) -> float:
    """How far from its start, in the rotation matrix, a motion ends that goes there and back again."""
    there = lw.simulate(mech, steps * h, h, formulation, integrator, **options)
    back = lw.simulate(turned_round(mech, there), steps * h, h, formulation, integrator, **options)
    return float(np.abs(back.rotation("body")[-1] - there.rotation("body")[0]).max())


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("formulation", ["lie-se3", "lie-mixed", "canonical"])
@pytest.mark.parametrize("case", list(CASES))
def test_a_motion_turned_round_leads_back_to_where_it_began(case: str, formulation: str, name: str) -> None:
    make, h = CASES[case]
    assert way_back(make(), formulation, name, h, 200) < 1e-11


def test_rk4_does_not_come_back_and_neither_does_a_projected_run() -> None:
    make, h = CASES["top"]
    assert way_back(make(), "lie-se3", "rk4", h, 200) > 1e-6
    mech = lw.load("muller2013_heavy_top")
    result = lw.simulate(mech, 0.01, 1e-3, "lie-product", "implicit-midpoint", project_every=1)
    assert any("backwards" in message for message in result.messages)


def double_pendulum(x: np.ndarray) -> lw.Mechanism:
    """Two bars of 1 m that hang in the plane y, z; x: their angles from z downwards and angular velocities."""
    mech = lw.Mechanism("double pendulum", gravity=[0, 0, -9.81])
    end, velocity = np.zeros(3), np.zeros(3)
    for k, name in enumerate(("upper", "lower")):
        along, w = np.array([0.0, np.sin(x[k]), -np.cos(x[k])]), np.array([x[2 + k], 0.0, 0.0])
        mech.body(
            name, mass=1.0 + k, inertia=[0.1, 0.1, 0.01], position=(end + 0.5 * along).tolist(),
            rotation={"axis": [1, 0, 0], "angle": float(x[k])}, velocity=(velocity + np.cross(w, 0.5 * along)).tolist(),
            angular_velocity=w.tolist(),
        )  # fmt: skip
        on_first = {"point": [0, 0, -0.5 if k else 0], "axis": [1, 0, 0], "x": [0, 1, 0]}
        on_second = {"point": [0, 0, 0.5], "axis": [1, 0, 0], "x": [0, 1, 0]}
        mech.joint(f"pin {k}", "revolute", "upper" if k else "ground", name, on_first=on_first, on_second=on_second)
        end, velocity = end + along, velocity + np.cross(w, along)
    return mech


@pytest.mark.parametrize("name", [*METHODS, "rk4"])
def test_steps_of_canonical_momenta_are_symplectic(name: str) -> None:
    """The derivative S of the state after five steps, by the state before, meets S^T J S = J; not so by rk4."""
    d, x = 1e-4, np.array([0.7, -0.4, 1.5, 3.0])

    def ends(x: np.ndarray) -> np.ndarray:
        result = lw.simulate(double_pendulum(x), 0.2, 0.04, "canonical", name)
        return np.hstack([result["joint_coordinate"], result["joint_momentum"]])[[0, -1]]

    wide = np.stack([ends(x + d * e) - ends(x - d * e) for e in np.eye(4)], axis=-1) / (2 * d)
    wider = np.stack([ends(x + 2 * d * e) - ends(x - 2 * d * e) for e in np.eye(4)], axis=-1) / (4 * d)
    before, after = (4.0 * wide - wider) / 3.0
    S, J = after @ np.linalg.inv(before), np.kron([[0.0, 1.0], [-1.0, 0.0]], np.eye(2))
    error = np.abs(S.T @ J @ S - J).max()
    assert error < 1e-7 if name in METHODS else error > 1e-6


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("formulation", ["lie-se3", "lie-product"])
def test_what_is_quadratic_in_a_free_bodys_spin_is_kept(formulation: str, name: str) -> None:
    """Energy and the length of the momentum of a body that tumbles about its middle axis: Verlet's two half steps of
    the velocities are the midpoint rule where these depend on nothing else."""
    mech = lw.Mechanism("thrown", gravity=[0, 0, 0])
    J = np.array([0.1, 0.2, 0.25])
    mech.body("body", mass=2.0, inertia=J.tolist(), angular_velocity=[0.1, 5.0, 0.2], velocity=[1.0, 0.0, 2.0])
    w = lw.simulate(mech, 50.0, 0.02, formulation, name).angular_velocity("body")
    assert_allclose(w**2 @ J, w[0] ** 2 @ J, rtol=1e-12)
    assert_allclose((J * w) ** 2 @ np.ones(3), (J * w[0]) ** 2 @ np.ones(3), rtol=1e-12)


@pytest.mark.parametrize("name", METHODS)
def test_joints_that_no_group_keeps_drift_and_projection_holds_them(name: str) -> None:
    mech = top()
    free = lw.simulate(mech, 1.0, 1e-3, "lie-product", name)
    assert free["position_violation"].max() > 1e-4
    held = lw.simulate(mech, 1.0, 1e-3, "lie-product", name, stabilisation="projection")
    assert held["position_violation"].max() < 1e-12
    assert np.abs(energy(held)).max() < 0.1 * np.abs(energy(free)).max()
