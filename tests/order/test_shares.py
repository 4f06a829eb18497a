"""What a step may leave of Newton's corrections: errors across the constraints decay, whatever the phase of that.

A constraint q = 0 alone, in units of the step: the method's own recursion, each step ending beside the exact unknowns
by a share, of any phase, of what that share is measured in: the prediction's error, or its bend. A matrix that has
been kept makes such shares.
"""

from __future__ import annotations

import numpy as np
import pytest

import linkwork as lw
from linkwork.integrators.generalized_alpha import GeneralizedAlpha
from linkwork.integrators.implicit_euler import ImplicitEuler
from linkwork.integrators.scheme import Scheme

PHASES = np.exp(1j * np.linspace(0.0, np.pi, 25))
STATE = 7  # position, rate, what is carried along, the unknown now and one, two and three steps ago


def damping(scheme: Scheme, of_bend: complex, of_error: complex) -> float:
    """The largest eigenvalue of the errors' recursion when each step keeps these shares of its prediction's bend and
    error."""
    q, v, a, x, x_old, x_older, x_oldest = np.eye(STATE)
    known = q + v + scheme.step_a * a + scheme.step_x * x
    exact = -known / scheme.step_y
    carries = scheme.next_y != 0.0
    change = x_old - x_older if carries else x - x_old
    bend = (x - x_old) - (x_older - x_oldest if carries else x_old - x_older)
    new = exact + of_bend * bend + of_error * (x + change + bend - exact)
    rate = v + scheme.rate_a * a + scheme.rate_x * x + scheme.rate_y * new
    carried = scheme.next_a * a + scheme.next_x * x + scheme.next_y * new
    step = np.array([known + scheme.step_y * new, rate, carried, new, x, x_old, x_older])
    return float(np.abs(np.linalg.eigvals(step)).max())


def slowest(scheme: Scheme, share: float) -> float:
    """Of the two parts of the rule (`stopping.converged`), whatever the phase of the share."""
    several = (pair for phase in PHASES for pair in ((share * phase, 0.0), (0.0, share * phase)))
    return max(damping(scheme, *pair) for pair in several)


@pytest.mark.parametrize("rho", [0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95])
def test_errors_of_constraints_fall_by_half_of_the_damping_at_least(rho):
    method = GeneralizedAlpha(rho_infinity=rho)
    assert damping(method.scheme(), 0.0, 0.0) == pytest.approx(rho, abs=2e-2)  # a triple eigenvalue, -rho
    assert slowest(method.scheme(), method.left()) < 0.5 * (1.0 + rho) + 1e-3


@pytest.mark.parametrize("rho", [0.5, 0.8, 0.9])
def test_that_share_stands_an_estimate_that_is_several_times_too_small(rho):
    method = GeneralizedAlpha(rho_infinity=rho)
    assert slowest(method.scheme(), 12.0 * method.left()) < 1.0
    assert slowest(method.scheme(), 25.0 * method.left()) > 1.0


def test_errors_of_implicit_euler_fall_as_well():
    method = ImplicitEuler()
    assert slowest(method.scheme(), method.left()) < 0.75
    assert slowest(method.scheme(), 0.1) > 1.0


CASES = {"kissel2021_double_pendulum": 0.5, "kissel2021_slider_crank": 0.3, "planar_four_bar": 0.3}


def largest_force_error(name: str, formulation: str, step: float) -> float:
    """Of all joints, in parts of the largest force, against tight adaptive steps of another formulation."""
    mechanism, end = lw.load(name), CASES[name]
    exact = lw.simulate(mechanism, end, 0.01, "augmented", "dop853", rtol=1e-12, atol=1e-12)
    found = lw.simulate(mechanism, end, step, formulation, "generalized-alpha", every=round(0.01 / step))
    one, other = (np.stack([r.reaction(j.name).force for j in mechanism.joints]) for r in (found, exact))
    return float(np.abs(one - other)[:, 1:].max() / np.abs(other).max())


@pytest.mark.parametrize("formulation", ["rA", "rp", "re"])
@pytest.mark.parametrize("name", CASES)
def test_reactions_with_a_matrix_that_is_kept_are_of_second_order_down_to_rounding(name, formulation):
    """No step size in between at which what is left of corrections adds up: a quarter from each to the next."""
    errors = {step: largest_force_error(name, formulation, step) for step in (1e-3, 5e-4, 2.5e-4, 1e-4)}
    for step, error in errors.items():
        assert error < 3e-5 * (step / 1e-3) ** 2 + 1e-6, errors
