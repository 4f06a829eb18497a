"""What generalized-alpha keeps, what it damps, and how fast."""

from __future__ import annotations

import numpy as np
import pytest

import linkwork as lw

GROUPS = ("rA", "lie-se3", "lie-mixed")
EVERYWHERE = ("rA", "rp", "re", "lie-product", "lie-se3", "lie-mixed")


def run(mechanism, t_end, step, formulation="rA", **options) -> lw.Result:
    return lw.simulate(mechanism, t_end, step, formulation, "generalized-alpha", **options)


def energy_change(result: lw.Result) -> float:
    """From start to end, in units of the largest kinetic energy."""
    E = result["kinetic_energy"] + result["potential_energy"]
    return float((E[-1] - E[0]) / result["kinetic_energy"].max())


@pytest.mark.parametrize("rho", [0.3, 0.8, 1.0])
def test_a_frequency_far_above_what_steps_resolve_shrinks_by_rho_per_step(rho):
    """A weight on a spring of 1592 Hz at 10 ms steps: amplitudes behave like n^3 rho^n at most."""
    m = lw.Mechanism("stiff", gravity=(0, 0, 0))
    m.body("a", mass=1.0, inertia=[1, 1, 1], position=(1e-3, 0, 0))
    m.force(
        "spring", "spring", first="ground", second="a", point=(0, 0, 0), point2=(1e-3, 0, 0), stiffness=1e8, length=0
    )  # fmt: skip
    result = run(m, 0.6, 1e-2, rho_infinity=rho, limits={"growth": np.inf})  # the first step overshoots
    assert any("do not resolve how the motion begins" in message for message in result.messages)
    stretch = np.abs(result.position("a")[:, 0])
    n = np.arange(len(stretch))
    assert np.all(stretch < 1e-3 * (1.0 + n) ** 3 * max(rho, 1e-2) ** n + 1e-12)
    assert stretch[20] > 1e-3 * 0.1 * rho**20


@pytest.mark.parametrize("formulation", EVERYWHERE)
def test_momentum_is_kept_where_nothing_acts_from_outside(formulation):
    """Linear momentum to rounding where velocities are global, to second order in body components; angular momentum
    to second order everywhere."""
    m = lw.load("muller2013_floating_pair")
    changes = []
    for step in (2e-3, 1e-3):
        result = run(m, 0.5, step, formulation, position_tolerance=1e-14)
        masses = [body.mass for body in m.lower().bodies]
        inertias = [np.asarray(body.inertia) for body in m.lower().bodies]
        p = np.einsum("b,nbi->ni", masses, result["velocity"])
        spin = sum(
            np.einsum("nij,jk,nk->ni", result["rotation"][:, b], J, result["angular_velocity"][:, b])
            for b, J in enumerate(inertias)
        )
        L = spin + np.einsum("b,nbi->ni", masses, np.cross(result["position"], result["velocity"]))
        changes.append([np.abs(p - p[0]).max() / np.abs(p).max(), np.abs(L - L[0]).max() / np.abs(L).max()])
    (p2, L2), (p1, L1) = changes
    if formulation == "lie-se3":
        assert p2 / p1 == pytest.approx(4.0, rel=0.1)
    else:
        assert p2 < 1e-11
    assert pytest.approx(4.0, rel=0.1) == L2 / L1
    assert L1 < 1e-3


@pytest.mark.parametrize("rho", [0.5, 0.8, 1.0])
@pytest.mark.parametrize("formulation", ["lie-se3", "lie-mixed"])
def test_a_top_on_SE3_never_leaves_its_pivot_whatever_rho(formulation, rho):
    """Its twists lie in a subgroup: positions and velocities fit to rounding, and nothing needs damping."""
    result = run(lw.load("muller2013_heavy_top"), 0.5, 1e-3, formulation, rho_infinity=rho)
    assert any("hardly damped" in message for message in result.messages) == (rho == 1.0)
    assert result["position_violation"].max() < 1e-14
    assert result["velocity_violation"].max() < 1e-10
    assert abs(energy_change(result)) < 1e-3


@pytest.mark.parametrize("formulation", EVERYWHERE)
def test_elsewhere_positions_fit_to_the_tolerance_and_velocities_to_second_order(formulation):
    m = lw.load("muller2013_three_bar")
    violations = []
    for step in (1e-3, 5e-4):
        result = run(m, 0.2, step, formulation)
        assert result["position_violation"].max() < 1e-10
        violations.append(result["velocity_violation"][1:].max())
    assert violations[0] / violations[1] == pytest.approx(4.0, rel=0.2)


@pytest.mark.parametrize("formulation", GROUPS)
def test_less_rho_takes_more_energy(formulation):
    m = lw.load("muller2013_heavy_top")
    changes = [energy_change(run(m, 0.5, 1e-3, formulation, rho_infinity=rho)) for rho in (0.8, 0.5, 0.0)]
    assert 0.0 > changes[0] > changes[1] > changes[2] or abs(changes[0]) < 1e-3
    assert changes[1] < 0.0
    assert changes[2] < 3 * changes[1]


def test_bodies_without_constraints_need_no_damping():
    """A free gyrating body over a thousand steps at rho_infinity = 1: its energy swings, and does not run away."""
    m = lw.Mechanism("free", gravity=(0, 0, 0))
    m.body("a", mass=1.0, inertia=[1.0, 2.0, 2.5], angular_velocity=(0.3, 6.0, 0.2))
    for formulation in ("rA", "lie-se3"):
        result = run(m, 10.0, 1e-2, formulation, rho_infinity=1.0)
        E = result["kinetic_energy"]
        early, late = (np.abs(x - E[0]).max() / E[0] for x in (E[:300], E[-300:]))
        assert late < 1.5 * early < 1e-2


def test_twice_the_same_run_gives_the_same_bits():
    m = lw.load("muller2013_spherical_double_pendulum")
    one, two = (run(m, 0.1, 1e-3, "lie-mixed") for _ in range(2))
    for variable in ("position", "rotation", "velocity", "acceleration", "multiplier"):
        assert np.array_equal(one[variable], two[variable])
