"""A disc rolling on the plane z = 0, derived from Euler angles instead of from rows.

The disc's axis is its body z axis; intrinsic ZXZ angles (phi, theta, psi): heading, tilt of the axis from the
vertical, spin. x = (cos phi, sin phi, 0) is the direction of travel and m the unit vector up the disc's slope, so
the centre is R m from the contact point, which itself runs along the ground at -R psidot x.
"""

from __future__ import annotations

import numpy as np
import pytest
from oracles.rows_paper import A_of_e, W_of_e

from linkwork.kernels.rows import table
from linkwork.kernels.rows.kinds import NUMBER
from linkwork.kernels.tables import Rows

TINY = 1e-30
RADIUS = 0.35


def rolling_rows() -> Rows:
    """The height row and both slip rows of body 0 on the ground (body 1)."""
    nothing = np.zeros((3, 3))
    up = np.tile([0.0, 0.0, 1.0], (3, 1))
    directions = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    return Rows(
        kind=np.array([NUMBER["ROLL_HEIGHT"], NUMBER["ROLL_SLIP"], NUMBER["ROLL_SLIP"]]),
        body_i=np.zeros(3, dtype=np.int64),
        body_j=np.ones(3, dtype=np.int64),
        a_i=up,
        b_i=nothing,
        a_j=directions,
        s_i=nothing,
        s_j=np.tile([3.0, -2.0, 0.0], (3, 1)),
        n=up,
        scalar=np.full(3, RADIUS),
        nonholonomic=np.array([0, 1, 1]),
        program=np.full(3, -1),
        constant=np.zeros(3),
    )


def centre_speed(e, q):
    """Velocity of the centre of a disc that rolls with angles e and rates q."""
    c1, s1, c2, s2 = np.cos(e[0]), np.sin(e[0]), np.cos(e[1]), np.sin(e[1])
    contact = -RADIUS * q[2] * np.array([c1, s1, 0.0])
    slope_by_phi = np.array([-c1 * c2, -s1 * c2, 0.0])  # dm / dphi, m = (-s1 c2, c1 c2, s2)
    slope_by_theta = np.array([s1 * s2, -c1 * s2, c2])
    return contact + RADIUS * (q[0] * slope_by_phi + q[1] * slope_by_theta)


@pytest.mark.parametrize("seed", range(4))
def test_a_rolling_disc_meets_value_velocity_and_acceleration(seed):
    rng = np.random.default_rng(seed)
    e, q, q_dot = rng.uniform(0.3, 2.5, 3), *rng.normal(size=(2, 3))
    later_e, later_q = e + 1j * TINY * q, q + 1j * TINY * q_dot
    r = np.array([[*rng.normal(size=2), RADIUS * np.sin(e[1])], [0.0, 0.0, 0.0]])
    A = np.array([A_of_e(e).ravel(), np.eye(3).ravel()])
    u = np.concatenate([centre_speed(e, q), W_of_e(e) @ q])
    u_dot = np.concatenate([centre_speed(later_e, later_q), W_of_e(later_e) @ later_q]).imag / TINY
    v, w = np.array([u[:3], np.zeros(3)]), np.array([u[3:], np.zeros(3)])

    rows, drive = rolling_rows(), np.zeros((3, 3))
    phi, G_i, G_j, gamma = np.empty(3), np.empty((3, 6)), np.empty((3, 6)), np.empty(3)
    table.evaluate_rows(rows, r, A, drive, phi, G_i, G_j)
    table.rows_gamma(rows, r, A, v, w, drive, gamma)
    np.testing.assert_allclose(phi, 0.0, atol=1e-15)
    np.testing.assert_allclose(G_i @ u, 0.0, atol=1e-14)
    np.testing.assert_allclose(G_i @ u_dot, gamma, atol=2e-14 * np.max(np.abs(u_dot)))
    np.testing.assert_array_equal(G_j, 0.0)


def test_an_upright_disc_rolls_straight():
    """Axis along y, lowest point below the centre: speed R omega and no acceleration of the contact point."""
    rows, drive = rolling_rows(), np.zeros((3, 3))
    A_disc = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])  # body z along global y
    r, A = np.array([[0.0, 0.0, RADIUS], [0.0, 0.0, 0.0]]), np.array([A_disc.ravel(), np.eye(3).ravel()])
    omega = 2.0  # about +y, so the disc moves along +x
    u = np.array([RADIUS * omega, 0.0, 0.0, 0.0, 0.0, omega])
    v, w = np.array([u[:3], np.zeros(3)]), np.array([u[3:], np.zeros(3)])
    phi, G_i, G_j, gamma = np.empty(3), np.empty((3, 6)), np.empty((3, 6)), np.empty(3)
    table.evaluate_rows(rows, r, A, drive, phi, G_i, G_j)
    table.rows_gamma(rows, r, A, v, w, drive, gamma)
    np.testing.assert_allclose(phi, 0.0, atol=1e-16)
    np.testing.assert_allclose(G_i @ u, 0.0, atol=1e-16)
    np.testing.assert_allclose(gamma, 0.0, atol=1e-15)
