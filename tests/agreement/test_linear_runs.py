"""Linear models against tangents of runs: about an equilibrium the tangent of a Runge-Kutta run is the method applied
to the linear model, whatever the formulation, so that one checks the other to rounding."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.derivatives.described import numbers_of
from linkwork.derivatives.moving import Moving, carried_out

STEP, STEPS = 0.01, 20


def moved(moving: Moving, k: int) -> Any:
    """(12 nb,) small displacements of all bodies and their velocities at the end, by number k."""
    at, by = (moving.samples["motion"][STEPS, :, :, j] for j in (0, 1 + k))
    A, dA = (x[:, 3:12].reshape(-1, 3, 3) for x in (at, by))
    turn = np.einsum("bji,bjk->bik", A, dA)
    turned = np.stack([turn[:, 2, 1], turn[:, 0, 2], turn[:, 1, 0]], axis=1)
    return np.concatenate([np.hstack([by[:, :3], turned]).ravel(), by[:, 12:18].ravel()])


def by_rk4(A: Any, push: Any) -> Any:
    """What rk4 makes of xdot = A x + push from x = 0."""
    n = len(A)
    Z = np.zeros((n + 1, n + 1))
    Z[:n, :n], Z[:n, n] = STEP * A, STEP * push
    one = np.eye(n + 1)
    return np.linalg.matrix_power(one + Z @ (one + Z / 2 @ (one + Z / 3 @ (one + Z / 4))), STEPS)[:n, n]


@pytest.mark.parametrize(
    ("name", "formulation"),
    [
        ("spatial_slider_crank_spring", "lie-mixed"),  # a loop
        ("kissel2021_double_pendulum", "canonical"),
        ("kissel2021_double_pendulum", "augmented"),
    ],
)
def test_a_run_beside_an_equilibrium_moves_as_the_linear_model(name: str, formulation: str) -> None:
    """By a push of gravity to the side. (Loops in canonical: multipliers add up in its momenta, which are no rest.)"""
    rest = lw.equilibrium(lw.load(name))
    model = lw.linearise(rest.mechanism, rest)
    run = carried_out(rest.mechanism, STEPS * STEP, STEP, formulation, "rk4", None, {})
    moving = Moving(run, numbers_of(rest.mechanism, ["gravity[1]"]))
    coordinates = np.linalg.pinv(np.vstack([model.displacements, model.velocities]))
    began = moving.samples["motion"][0, :, 18:24, 1].ravel()
    push = coordinates @ np.concatenate([np.zeros_like(began), began])
    found, wanted = coordinates @ moved(moving, 0), by_rk4(model.A, push)
    assert np.max(np.abs(wanted)) > 1e-3
    assert np.max(np.abs(found - wanted)) <= 1e-12 * np.max(np.abs(wanted))
