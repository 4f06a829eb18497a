"""Constraint rows against obvious formulas and against their own complex-step derivatives.

Variations are in theta, A -> A exp(skew(theta)); time derivatives are taken along r' = v, A' = A skew(w).
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from oracles.rows_naive import one_row, phi, speed, tilde
from oracles.rows_samples import GROUND, VELOCITY_LEVEL, Sample, sample

from linkwork.kernels.rows import table

TINY = 1e-30
SEEDS = range(4)


def assert_close(actual, wanted, label, tolerance=1e-12):
    error = np.max(np.abs(np.asarray(actual) - wanted))
    size = max(1.0, np.max(np.abs(wanted)))
    assert error <= tolerance * size, f"{label}: {error:.2e} of {size:.2e}"


def evaluate(s: Sample, r, A, drive):
    """phi, G_i, G_j, from arrays full of NaN so that an entry left out shows."""
    nc = len(s.kinds)
    number = np.result_type(r, A, drive)
    out_phi, G_i, G_j = (np.full(shape, np.nan, dtype=number) for shape in (nc, (nc, 6), (nc, 6)))
    table.evaluate_rows(s.rows, r, A, drive, out_phi, G_i, G_j)
    return out_phi, G_i, G_j


def right_sides(s: Sample, r, A, drive):
    nu = np.full(len(s.kinds), np.nan, dtype=np.result_type(A, drive))
    table.rows_nu(s.rows, r, A, drive, nu)
    return nu


def gammas(s: Sample):
    gamma = np.full(len(s.kinds), np.nan)
    table.rows_gamma(s.rows, s.r, s.A, s.v, s.w, s.drive, gamma)
    return gamma


def times_u(s: Sample, G_i, G_j):
    u = np.hstack([s.v, s.w])
    return np.sum(G_i * u[s.rows.body_i], axis=1) + np.sum(G_j * u[s.rows.body_j], axis=1)


def moved(s: Sample, body, direction):
    """r and A with one body displaced by i TINY along one of its six directions."""
    r, A = s.r.astype(complex), s.A.astype(complex)
    if direction < 3:
        r[body, direction] += 1j * TINY
    else:
        theta = 1j * TINY * np.eye(3)[direction - 3]
        A[body] = (s.A[body].reshape(3, 3) @ (np.eye(3) + tilde(theta))).ravel()
    return r, A


def later(s: Sample):
    """r, A and drive at time i TINY."""
    turn = np.array([np.eye(3) + tilde(1j * TINY * w) for w in s.w])
    A = (s.A.reshape(-1, 3, 3) @ turn).reshape(-1, 9)
    drive = s.drive.astype(complex)
    drive[:, :2] += 1j * TINY * s.drive[:, 1:]
    return s.r + 1j * TINY * s.v, A, drive


def place(s: Sample, k, side):
    b = (s.rows.body_i, s.rows.body_j)[side][k]
    return s.r[b], s.A[b].reshape(3, 3)


def rest(s: Sample, k):
    (r_i, _), (r_j, A_j) = place(s, k, 0), place(s, k, 1)
    return r_i, r_j, A_j


@pytest.mark.parametrize("seed", SEEDS)
def test_values_agree_with_the_obvious_formulas(seed):
    s = sample(seed)
    value, G_i, G_j = evaluate(s, s.r, s.A, s.drive)
    speeds = times_u(s, G_i, G_j)
    for k, kind in enumerate(s.kinds):
        row, i, j = one_row(s.rows, k), s.rows.body_i[k], s.rows.body_j[k]
        if kind in VELOCITY_LEVEL:
            assert value[k] == 0.0
            wanted = speed(kind, row, place(s, k, 0)[1], s.v[i], s.w[i], s.v[j], s.w[j], rest(s, k))
            assert_close(speeds[k], wanted, f"{kind} speed")
        else:
            wanted = phi(kind, row, *place(s, k, 0), *place(s, k, 1), s.drive[k, 0])
            assert_close(value[k], wanted, f"{kind} value")


@pytest.mark.parametrize("seed", SEEDS)
def test_jacobian_is_the_complex_step_of_the_value(seed):
    s = sample(seed)
    _, G_i, G_j = evaluate(s, s.r, s.A, s.drive)
    for side, G in enumerate((G_i, G_j)):
        bodies = (s.rows.body_i, s.rows.body_j)[side]
        wanted = np.zeros_like(G)
        for body in range(GROUND + 1):
            for c in range(6):
                change = evaluate(s, *moved(s, body, c), s.drive.astype(complex))[0].imag / TINY
                wanted[bodies == body, c] = change[bodies == body]
        for k, kind in enumerate(s.kinds):
            if kind not in VELOCITY_LEVEL:
                assert_close(G[k], wanted[k], f"{kind} G of side {side}")


@pytest.mark.parametrize("seed", SEEDS)
def test_velocity_level_jacobian_is_linear_in_each_velocity(seed):
    s = sample(seed)
    _, G_i, G_j = evaluate(s, s.r, s.A, s.drive)
    unit, zero = np.eye(6), np.zeros(3)
    for k, kind in enumerate(s.kinds):
        if kind in VELOCITY_LEVEL:
            row, A_i = one_row(s.rows, k), place(s, k, 0)[1]
            for c in range(6):
                wanted_i = speed(kind, row, A_i, unit[c, :3], unit[c, 3:], zero, zero, rest(s, k))
                wanted_j = speed(kind, row, A_i, zero, zero, unit[c, :3], unit[c, 3:], rest(s, k))
                assert_close([G_i[k, c], G_j[k, c]], [wanted_i, wanted_j], f"{kind} column {c}")


@pytest.mark.parametrize("seed", SEEDS)
def test_nu_is_minus_the_partial_time_derivative(seed):
    s = sample(seed)
    nu = right_sides(s, s.r, s.A, s.drive)
    change = evaluate(s, s.r, s.A, later(s)[2])[0].imag / TINY
    for k, kind in enumerate(s.kinds):
        wanted = s.drive[k, 0] if kind in VELOCITY_LEVEL else -change[k]
        assert_close(nu[k], wanted, f"{kind} nu")


@pytest.mark.parametrize("seed", SEEDS)
def test_gamma_closes_the_time_derivative_of_the_velocity_equation(seed):
    """d/dt (G u - nu) = G udot - gamma, so gamma = dnu/dt - dG/dt u along any motion."""
    s = sample(seed)
    then = later(s)
    _, G_i, G_j = evaluate(s, *then)
    wanted = (right_sides(s, *then).imag - times_u(s, G_i.imag, G_j.imag)) / TINY
    gamma = gammas(s)
    for k, kind in enumerate(s.kinds):
        assert_close(gamma[k], wanted[k], f"{kind} gamma")


@pytest.mark.parametrize("seed", SEEDS)
def test_reaction_variation_is_the_complex_step_of_the_reaction(seed):
    s = sample(seed)
    drive = s.drive.astype(complex)
    steps = {(b, c): evaluate(s, *moved(s, b, c), drive)[1:] for b in range(GROUND + 1) for c in range(6)}
    for k, kind in enumerate(s.kinds):
        wanted = np.ones((12, 12))
        for side, body in enumerate((s.rows.body_i[k], s.rows.body_j[k])):
            for c in range(6):
                G_i, G_j = steps[body, c]
                wanted[:, 6 * side + c] += s.lam[k] * np.concatenate([G_i[k], G_j[k]]).imag / TINY
        out = np.ones((12, 12))  # not zero: the kernel must add
        table.row_variation(s.rows, k, s.lam[k], s.r, s.A, s.drive, out)
        assert_close(out, wanted, f"{kind} variation")


@pytest.mark.parametrize("seed", SEEDS)
def test_rate_variation_is_the_complex_step_of_the_rate(seed):
    s = sample(seed)
    drive = s.drive.astype(complex)
    steps = {(b, c): evaluate(s, *moved(s, b, c), drive)[1:] for b in range(GROUND + 1) for c in range(6)}
    for k, kind in enumerate(s.kinds):
        out = np.ones(12)
        table.rate_variation(s.rows, k, s.r, s.A, s.v, s.w, s.drive, out)
        wanted = np.ones(12)
        if kind in VELOCITY_LEVEL:
            for side, body in enumerate((s.rows.body_i[k], s.rows.body_j[k])):
                wanted[6 * side : 6 * side + 6] += [times_u(s, *steps[body, c])[k].imag / TINY for c in range(6)]
        assert_close(out, wanted, f"{kind} rate variation")


@pytest.mark.parametrize("seed", SEEDS)
def test_moving_both_bodies_as_one_changes_no_relative_row(seed):
    s = sample(seed)
    _, G_i, G_j = evaluate(s, s.r, s.A, s.drive)
    rng = np.random.default_rng(seed)
    shift, turn = rng.normal(size=(2, 3))
    v = shift + np.cross(turn, s.r)
    w = np.array([A.reshape(3, 3).T @ turn for A in s.A])
    rate = times_u(s._replace(v=v, w=w), G_i, G_j)
    for k, kind in enumerate(s.kinds):
        if kind in ("DP1", "DP2", "D", "ANGLE", "SCREW", "CV", "CONTACT", "CONTACT_SLIP"):
            assert_close(rate[k], 0.0, kind)


@pytest.mark.parametrize("theta", [-2.5, -0.3, 0.0, 1.0, np.pi / 2, 3.0, 9.0])
def test_angle_row_is_the_sine_of_the_angle_error(theta):
    """Turn body 1 by theta about the axis of an ANGLE row from body 0: phi = sin(theta - f), nu = f' at theta = f."""
    s = sample(0)
    k = s.kinds.index("ANGLE")
    row, A_i = one_row(s.rows, k), s.A[0].reshape(3, 3)
    a_j = np.cos(theta) * row.a_i + np.sin(theta) * row.b_i  # in components of body 0
    s.rows.a_j[k] = s.A[1].reshape(3, 3).T @ A_i @ a_j
    for f in (theta, theta - 0.2, 0.0):
        s.drive[k, 0] = f
        assert_close(evaluate(s, s.r, s.A, s.drive)[0][k], np.sin(theta - f), f"f = {f}", 1e-14)
        assert_close(right_sides(s, s.r, s.A, s.drive)[k], s.drive[k, 1] * np.cos(theta - f), f"f = {f}", 1e-14)


def test_a_table_without_rows_is_fine():
    s = sample(0)
    empty = s.rows._replace(**{name: column[:0] for name, column in s.rows.columns().items()})
    value, G_i, G_j = evaluate(s._replace(rows=empty, kinds=()), s.r, s.A, s.drive[:0])
    assert_array_equal([value.size, G_i.size, G_j.size], 0)
