"""Second order of generalized-alpha, in every set of coordinates and on every group, multipliers included.

Poses, rates, accelerations and reactions of a turning top, of driven mechanisms and of a rolling disc against their
own equations: from the first step on with a perturbed start, after the transient with a consistent one.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from oracles.driven import driver_torque, motions
from oracles.free import rolling_disc
from oracles.redundant import bricard
from oracles.tops import turning_top

import linkwork as lw

FORMULATIONS = ("rA", "rp", "re", "lie-product", "lie-se3", "lie-mixed")
TIGHT = 1e-14
DRIVEN = {"kissel2021_slider_crank": ("driver", (1, 0, 0)), "planar_four_bar": ("motor", (0, -1, 0))}
TOP = {"mass": 21.6, "inertia": (0.36, 0.306, 0.09), "arm": (0.5, 0, 0), "w0": (0, 20 * np.pi, 10 * np.pi)}


def order(errors) -> np.ndarray:
    """Between successive halvings of the step."""
    errors = np.asarray(errors)
    return np.log2(errors[:-1] / errors[1:])


def run(mechanism: lw.Mechanism, t_end: float, step: float, formulation: str, **options) -> lw.Result:
    return lw.simulate(
        mechanism, t_end, step, formulation, "generalized-alpha", position_tolerance=TIGHT, **options
    )  # fmt: skip


@cache
def top_errors(formulation: str, step: float, start: str, rho: float) -> np.ndarray:
    """Errors of the heavy top at each step (n, 6): r, A, v, omega, a, and the pivot's force, in units of its size."""
    result = run(lw.load("muller2013_heavy_top"), 0.1, step, formulation, start=start, rho_infinity=rho)
    wanted = turning_top(result.time, **TOP)
    found = (
        result.position("top"), result.rotation("top"), result.velocity("top"), result.angular_velocity("top"),
        result.acceleration("top"), result.reaction("pivot").force,
    )  # fmt: skip
    pairs = zip(found, (wanted.r, wanted.A, wanted.v, wanted.w, wanted.a, wanted.force), strict=True)
    return np.stack([np.abs(x - y).reshape(len(x), -1).max(axis=1) / np.abs(y).max() for x, y in pairs], axis=1)


@pytest.mark.parametrize("rho", [0.8, 0.5])
@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_fast_top_is_of_second_order_from_the_first_step_on(formulation, rho):
    largest = [top_errors(formulation, step, "perturbed", rho).max(axis=0) for step in (5e-4, 2.5e-4, 1.25e-4)]
    assert np.all(np.abs(order(largest)[-1] - 2.0) < 0.1), order(largest)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_consistent_start_costs_the_multipliers_an_order_for_a_while_and_nothing_else(formulation):
    steps = (5e-4, 2.5e-4, 1.25e-4)
    errors = [top_errors(formulation, step, "consistent", 0.8) for step in steps]
    motion = order([e[:, :4].max(axis=0) for e in errors])
    assert np.all(np.abs(motion[-1] - 2.0) < 0.1), motion
    late = order([e[len(e) // 2 :].max(axis=0) for e in errors])
    assert np.all(np.abs(late[-1] - 2.0) < 0.1), late
    early = order([e[:20, 4:].max(axis=0) for e in errors])
    if formulation in ("lie-se3", "lie-mixed"):  # the pivot's rows are linear in the twist: nothing has to settle
        assert np.all(early[-1] > 1.9), early
    else:
        assert np.all(np.abs(early[-1] - 1.0) < 0.1), early


@cache
def driven_errors(name: str, formulation: str, step: float, start: str) -> np.ndarray:
    """Largest errors of r, A, v, omega, a, alpha and the driver's torque, this in units of its size."""
    result = run(lw.load(name), 0.4, step, formulation, start=start)
    bodies = motions(name, result.time)
    found = ("position", "rotation", "velocity", "angular_velocity", "acceleration", "angular_acceleration")
    errors = [
        max(float(np.abs(result[variable][:, b] - getattr(body, x)).max()) for b, body in enumerate(bodies))
        for variable, x in zip(found, ("r", "A", "v", "w", "a", "alpha"), strict=True)
    ]
    driver, axis = DRIVEN[name]
    wanted = driver_torque(name, result.time)
    error = np.abs(np.abs(result.reaction(driver).torque @ np.array(axis)) - np.abs(wanted)).max()
    return np.array([*errors, error / np.abs(wanted).max()])


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("name", DRIVEN)
def test_driven_loops_are_of_second_order_from_the_first_step_on(name, formulation):
    """Positions are exact; a redundant loop is among them, and Euler angles that are given new references."""
    errors = np.array([driven_errors(name, formulation, step, "perturbed") for step in (2e-3, 1e-3, 5e-4)])
    assert errors[:, :2].max() < 1e-11
    assert np.all(np.abs(order(errors[:, 2:])[-1] - 2.0) < 0.15), order(errors[:, 2:])


@pytest.mark.parametrize("name", DRIVEN)
def test_a_consistent_start_costs_driven_loops_an_order_of_accelerations_and_reactions(name):
    errors = np.array([driven_errors(name, "rA", step, "consistent") for step in (2e-3, 1e-3, 5e-4)])
    orders = order(errors[:, 2:])[-1]
    assert np.all(np.abs(orders - [2, 2, 1, 1, 1]) < 0.15), orders


@pytest.mark.parametrize("formulation", ["rA", "rp", "re", "lie-se3"])
def test_a_rolling_disc_is_of_second_order(formulation):
    """Rows at velocity level beside one at position level."""
    mass, R, lean = 2.0, 0.3, 0.3
    w0 = np.array([0.2, 0.5, 6.0])
    p0 = np.array([np.cos(np.pi / 4 - lean / 2), np.sin(np.pi / 4 - lean / 2), 0.0, 0.0])
    r0 = np.array([0.0, 0.0, R * np.cos(lean)])
    t = np.linspace(0.0, 0.5, 26)
    r, A, F = rolling_disc(t, mass, R, r0, p0, w0)
    m = lw.Mechanism("disc")
    a, n = A[0][:, 2], np.array([0.0, 0.0, 1.0])
    down = n - (n @ a) * a
    velocity = np.cross(A[0] @ w0, R * down / np.linalg.norm(down))
    m.body(
        "disc", mass=mass, shape={"type": "disc", "radius": R, "axis": "z"}, velocity=velocity.tolist(),
        position=r0.tolist(), rotation=A[0].tolist(), angular_velocity=w0.tolist(),
    )  # fmt: skip
    m.joint("road", "rolling-disc", "ground", "disc", radius=R, point=(0, 0, 0), axis=(0, 0, 1), axis2=a.tolist())
    errors = []
    for step in (2e-3, 1e-3, 5e-4):
        result = run(m, 0.5, step, formulation, every=round(0.02 / step))
        pairs = ((result.position("disc"), r), (result.rotation("disc"), A), (result.reaction("road").force, F))
        errors.append([np.abs(x - y).max() for x, y in pairs])
    assert np.all(np.abs(order(errors)[-1] - 2.0) < 0.1), order(errors)


def test_implicit_euler_with_a_perturbed_start_has_no_bad_first_step():
    """Its first acceleration is else off by half of itself; here it is as good as all others, of first order."""
    errors = []
    for step in (2e-3, 1e-3, 5e-4):
        result = lw.simulate(
            lw.load("kissel2021_slider_crank"), 4 * step, step, integrator="implicit-euler", start="perturbed"
        )
        bodies = motions("kissel2021_slider_crank", result.time)
        errors.append(
            [
                max(np.abs(result["acceleration"][n, b] - body.a[n]).max() for b, body in enumerate(bodies))
                for n in (1, 2, 3)
            ]
        )
    assert np.all(np.abs(order(errors)[-1] - 1.0) < 0.1), order(errors)
    assert errors[-1][0] < 2 * errors[-1][2]


@pytest.mark.parametrize("formulation", ["rA", "lie-se3"])
def test_a_loop_with_redundant_rows_starts_as_well(formulation):
    """Bricard's loop in motion: least-norm multipliers against a fine run."""
    m = bricard()
    m.change("bar 0", angular_velocity=(0, 1.25, 0), velocity=(0, 0, -0.625))
    m = lw.assemble(m).mechanism
    fine = run(m, 0.032, 1e-4, formulation, every=40)["multiplier"]
    largest = {}
    for start in ("consistent", "perturbed"):
        errors = [
            np.abs(run(m, 0.032, step, formulation, start=start, every=round(4e-3 / step))["multiplier"] - fine).max()
            for step in (2e-3, 1e-3)
        ]
        largest[start] = errors
    assert order(largest["consistent"]) == pytest.approx(1.0, abs=0.1)
    assert order(largest["perturbed"]) == pytest.approx(2.0, abs=0.2)
    assert largest["perturbed"][1] < 0.01 * largest["consistent"][1]
