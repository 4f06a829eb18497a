"""How far samples within a step are off: an estimate beside the truth, and when a run tells."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from numpy.testing import assert_allclose

import linkwork as lw
from linkwork.integrators.dense_output_kernels import error_between
from linkwork.integrators.runge_kutta_notices import MUCH, samples_within_steps
from linkwork.integrators.tableaux import TABLEAUX


def quadrature(name: str, h: float, theta: float) -> tuple[float, float]:
    """(estimate, truth) of the extension's error for psi' = cos t over [0.3, 0.3 + h], absolute tolerance 1."""
    tableau = TABLEAUX.load(name).arrays()
    c = np.r_[tableau.c, tableau.c_extra] if len(tableau.P) > len(tableau.c) else tableau.c
    k = np.cos(0.3 + np.asarray(c, dtype=float) * h)[: len(tableau.P), None]
    run = SimpleNamespace(
        error=np.zeros(1), psi_rate=np.array([np.cos(0.3 + theta * h)]), k=k, weight=np.ones(1), size=np.ones(1),
        atol=np.ones(1), rtol=np.zeros(1),
    )  # fmt: skip
    P = np.asarray(tableau.P, dtype=float)
    psi = h * sum(k[j, 0] * sum(P[j, d] * theta ** (d + 1) for d in range(P.shape[1])) for j in range(len(P)))
    return float(error_between(run, P, theta, h)), abs(psi - (np.sin(0.3 + theta * h) - np.sin(0.3)))


@pytest.mark.parametrize("name", ["bs32", "dp54", "ts54", "dop853"])
def test_the_estimate_is_as_large_as_the_error(name: str) -> None:
    """At many places of one step: the largest estimate beside the largest error."""
    both = np.array([quadrature(name, 1.0, theta) for theta in np.linspace(0.01, 0.99, 99)])
    estimate, truth = both.max(axis=0)
    assert truth > 1e-14
    assert 0.5 < estimate / truth < 10.0


@pytest.mark.parametrize("name", ["dp54", "dop853"])
def test_the_estimate_falls_with_the_order_of_the_extension(name: str) -> None:
    at = np.linspace(0.05, 0.95, 19)
    coarse, fine = (max(quadrature(name, h, theta)[0] for theta in at) for h in (1.6, 0.8))
    order = {"dp54": 4, "dop853": 7}[name]
    assert np.log2(coarse / fine) > order - 0.5


def test_a_run_estimates_its_samples_and_tells_where_they_are_far_off() -> None:
    result = lw.simulate(
        lw.load("dumitriu2015_double_pendulum"), 0.5, 0.0013, "lie-mixed", "dop853", rtol=1e-6, atol=1e-8
    )
    assert not any("within steps" in message for message in result.messages)
    for times, said in ((MUCH * 0.9, False), (MUCH * 1.1, True)):
        messages = samples_within_steps(SimpleNamespace(between_error=np.array([times])))
        assert bool(messages) is said
        assert all(f"{times:.2g} times" in message for message in messages)


def test_a_planned_run_whose_samples_are_proved_says_nothing_of_tolerances_that_nobody_gave() -> None:
    planned = lw.simulate(lw.load("suspension"), 1.0)
    assert planned.accuracy.reached
    assert not any("within steps" in message for message in planned.messages)
    trial = planned.accuracy.trials[-1]
    alone = lw.simulate(lw.load("suspension"), 1.0, 2e-3, *trial.how.split(" with "), rtol=trial.value)
    assert any("within steps" in message for message in alone.messages)


def test_extensions_end_where_steps_end() -> None:
    """Which the estimate takes for granted: no error at either end."""
    for name in ("bs32", "dp54", "ts54", "dop853"):
        tableau = TABLEAUX.load(name).arrays()
        weights = np.asarray(tableau.P, dtype=float).sum(axis=1)
        b = np.zeros(len(weights))
        b[: len(tableau.b)] = np.asarray(tableau.b, dtype=float)
        assert_allclose(weights, b, atol=1e-12)
