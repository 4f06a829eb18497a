"""Step-size control on its own: norms, the controller on model errors and on an equation, the first step."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import DOP853, RK23, RK45

from linkwork.integrators import step_control
from linkwork.integrators.step_control import (
    INTEGRAL,
    LEAST,
    MOST,
    OLD_LEAST,
    PROPORTIONAL,
    SAFETY,
    accepted,
    combined_norm,
    error_norm,
    first_step_guess,
    next_step,
    trial_step,
)
from linkwork.integrators.tableaux import load_tableau
from linkwork.kernels import jit


def test_the_norm_is_the_root_mean_square_of_errors_in_units_of_the_tolerance() -> None:
    error, weight, size = np.array([3e-6, -4e-6, 0.0]), np.array([1.0, 0.5, 7.0]), np.array([0.0, 10.0, 2.0])
    units = np.array([3e-6 / 1e-6, -2e-6 / (1e-6 + 1e-7 * 10.0), 0.0])
    assert_allclose(error_norm(error, weight, size, 1e-6, 1e-7), np.sqrt(np.mean(units**2)), rtol=1e-15)
    assert error_norm(error[:0], weight[:0], size[:0], 1e-6, 0.0) == 0.0
    assert np.isnan(error_norm(np.array([np.nan, 1.0]), weight, size, 1.0, 0.0))


def test_two_estimates_make_one() -> None:
    assert combined_norm(0.3, 0.0) == 0.3
    assert combined_norm(0.0, 0.0) == 0.0
    assert_allclose(combined_norm(0.3, 4.0), 0.09 / np.sqrt(0.09 + 0.01 * 16.0), rtol=1e-15)
    assert combined_norm(1e-200, 1e-199) > 0.0  # their squares are not numbers
    assert np.isnan(combined_norm(np.nan, 1.0))
    h = np.array([1e-2, 5e-3])
    fine, coarse = 5.0 * h**6, 3.0 * h**4
    errors = [combined_norm(f, c) for f, c in zip(fine, coarse, strict=True)]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(8.0, abs=0.01)


@pytest.mark.parametrize(("error", "stands"), [(0.0, True), (1.0, True), (1.0 + 1e-15, False), (np.inf, False)])
def test_an_error_above_one_is_not_accepted(error: float, stands: bool) -> None:
    assert accepted(error) is stands
    assert not accepted(np.nan)


@pytest.mark.parametrize("error_order", [2, 4, 7])
def test_the_change_of_a_step_is_limited(error_order: int) -> None:
    assert next_step(2.0, 0.0, OLD_LEAST, error_order, False) == 2.0 * MOST
    assert next_step(2.0, 0.0, OLD_LEAST, error_order, True) == 2.0
    for hopeless in (1e30, np.inf, np.nan):
        assert next_step(2.0, hopeless, 0.5, error_order, False) == 2.0 * LEAST
    for error in (1.0 + 1e-12, 1.5, 40.0):
        assert next_step(2.0, error, 1e3, error_order, False) < 2.0
    errors = np.geomspace(1e-12, 1e12, 200)
    steps = [next_step(1.0, error, 0.3, error_order, False) for error in errors]
    assert np.all(np.diff(steps) <= 0.0)


@pytest.mark.parametrize("error_order", [2, 4, 7])
def test_a_steady_error_leads_to_a_steady_step_without_rejections(error_order: int) -> None:
    """Errors C h**k: from a step far too short and after a sudden change of C, the error settles below 1."""
    k, h, before, C, errors = error_order + 1, 1e-3, OLD_LEAST, 1.0, []
    for n in range(60):
        if n == 30:
            C = 0.01
        error = C * h**k
        assert accepted(error)
        h, before = next_step(h, error, before, error_order, False), error
        errors.append(error)
    steady = SAFETY ** (k / (PROPORTIONAL - INTEGRAL))
    assert_allclose(errors[25:30] + errors[55:], steady, rtol=1e-3)


def test_one_repetition_is_enough_for_an_error_that_follows_the_power_law() -> None:
    h, error, k = 1.0, 30.0, 5
    again = next_step(h, error, 0.5, k - 1, False)
    assert_allclose(error * again**k, SAFETY**k, rtol=1e-14)
    assert next_step(again, error * again**k, 0.5, k - 1, True) <= again


# an equation that needs long and short steps: a body on a strongly eccentric orbit


def orbit(t: float, x: np.ndarray) -> np.ndarray:
    return np.concatenate((x[2:], -x[:2] / np.linalg.norm(x[:2]) ** 3))


ECCENTRICITY = 0.7
PERICENTRE = np.array([1 - ECCENTRICITY, 0.0, 0.0, np.sqrt((1 + ECCENTRICITY) / (1 - ECCENTRICITY))])


def follow(name: str, tol: float, t_end: float) -> tuple[np.ndarray, list[float], int]:
    """Final state, accepted steps and number of rejections, in plain Python."""
    tableau, t = load_tableau(name), load_tableau(name).arrays()
    x, one, now, q = PERICENTRE, np.ones(4), 0.0, tableau.error_order
    d0, d1 = (error_norm(y, one, np.abs(x), tol, tol) for y in (x, orbit(0.0, x)))
    h0 = trial_step(d0, d1)
    change = (orbit(h0, x + h0 * orbit(0.0, x)) - orbit(0.0, x)) / h0
    h = first_step_guess(h0, d1, error_norm(change, one, np.abs(x), tol, tol), q)
    before, rejected, steps, rejections = OLD_LEAST, False, [], 0
    while now < t_end:
        h = min(h, t_end - now)
        k = np.zeros((tableau.stages, 4))
        for i in range(tableau.stages):
            k[i] = orbit(now + t.c[i] * h, x + h * t.a[i] @ k)
        new = x + h * t.b @ k
        size = np.maximum(np.abs(x), np.abs(new))
        error = error_norm(h * t.e @ k, one, size, tol, tol)
        if t.e2.size:
            error = combined_norm(error, error_norm(h * t.e2 @ k, one, size, tol, tol))
        wanted = next_step(h, error, before, q, rejected)
        if accepted(error):
            steps.append(h)
            x, now, before, rejected = new, now + h, error, False
        else:
            rejections, rejected = rejections + 1, True
        h = wanted
    return x, steps, rejections


def tried(peer: type, tol: float) -> tuple[list[float], int]:
    """The accepted steps of SciPy and the number of its rejections."""
    method = peer(orbit, 0.0, PERICENTRE, 2 * np.pi, rtol=tol, atol=tol)
    steps, new_stages = [], load_tableau({RK23: "bs32", RK45: "dp54", DOP853: "dop853"}[peer]).arrays().c.size
    evaluations = method.nfev
    while method.status == "running":
        method.step()
        steps.append(method.step_size)
    per_step = new_stages if peer is DOP853 else new_stages - 1
    return steps, (method.nfev - evaluations) // per_step - len(steps)


CASES = [("bs32", RK23, 1e-5), ("dp54", RK45, 1e-8), ("dop853", DOP853, 1e-8)]


@pytest.mark.parametrize(("name", "peer", "tol"), CASES)
def test_without_its_integral_part_the_controller_takes_the_steps_of_scipy(
    name: str, peer: type, tol: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And so do the tableaux, error estimates, norms and the first step, all in one."""
    monkeypatch.setattr(step_control, "INTEGRAL", 0.0)
    monkeypatch.setattr(step_control, "PROPORTIONAL", 1.0)
    _, steps, rejections = follow(name, tol, 2 * np.pi)
    theirs, their_rejections = tried(peer, tol)
    assert rejections == their_rejections
    assert_allclose(steps, theirs, rtol=1e-6)


@pytest.mark.parametrize(("name", "peer", "tol"), CASES)
def test_an_eccentric_orbit_takes_hardly_more_attempts_than_without(name: str, peer: type, tol: float) -> None:
    x, steps, rejections = follow(name, tol, 2 * np.pi)
    theirs, their_rejections = tried(peer, tol)
    assert rejections <= their_rejections
    assert len(steps) + rejections < 1.1 * (len(theirs) + their_rejections)
    assert max(steps) > 8.0 * min(steps)
    assert np.abs(x - PERICENTRE).max() < 1e3 * tol  # after one period it is back
    assert follow(name, tol, 2 * np.pi)[1] == steps


def test_the_error_follows_the_tolerance() -> None:
    errors = [np.abs(follow("dp54", tol, 2 * np.pi)[0] - PERICENTRE).max() for tol in (1e-6, 1e-8, 1e-10)]
    assert_allclose(np.log10(errors[:-1]) - np.log10(errors[1:]), 2.0, atol=0.5)


@pytest.mark.parametrize(("peer", "error_order"), [(RK23, 2), (RK45, 4), (DOP853, 7)])
def test_the_first_step_is_the_one_that_scipy_takes(peer: type, error_order: int) -> None:
    rtol, atol = 1e-6, 1e-8
    f0, size = orbit(0.0, PERICENTRE), np.abs(PERICENTRE)
    d0, d1 = (error_norm(y, np.ones(4), size, atol, rtol) for y in (PERICENTRE, f0))
    h0 = trial_step(d0, d1)
    change = (orbit(h0, PERICENTRE + h0 * f0) - f0) / h0
    h = first_step_guess(h0, d1, error_norm(change, np.ones(4), size, atol, rtol), error_order)
    assert_allclose(h, peer(orbit, 0.0, PERICENTRE, 10.0, rtol=rtol, atol=atol).h_abs, rtol=1e-12)


def test_a_start_at_rest_gets_a_first_step_all_the_same() -> None:
    assert trial_step(0.0, 1.0) == trial_step(1.0, 0.0) == 1e-6
    assert first_step_guess(1e-6, 0.0, 0.0, 4) == 1e-6
    assert first_step_guess(2.0, 0.0, 0.0, 4) == 2e-3
    assert_allclose(first_step_guess(1e-6, 1e-3, 1e-3, 4), 1e-4, rtol=1e-14)


def test_compiled_it_gives_the_same() -> None:
    def everything(error, weight, size, h, order):
        fine = step_control.error_norm(error, weight, size, 1e-3, 1e-2)
        norm = step_control.combined_norm(fine, 2.0)
        h0 = step_control.trial_step(fine, norm)
        return (
            norm,
            step_control.next_step(h, norm, 0.3, order, step_control.accepted(norm)),
            step_control.next_step(h, np.nan, 0.3, order, False),
            step_control.next_step(h, 0.0, 0.3, order, False),
            step_control.combined_norm(0.0, 0.0),
            h0,
            step_control.first_step_guess(h0, fine, norm, order),
        )

    rng = np.random.default_rng(3)
    error, weight, size = rng.normal(size=(3, 6)) ** 2
    arguments = (error, weight, size, 0.1, 4)
    fast = jit.compiled(everything, kept=False)
    assert_allclose(fast(*arguments), everything(*arguments), rtol=1e-14)
