"""Motions with freedoms of their own, by ordinary differential equations in few coordinates (SciPy, DOP853)."""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp

g = 9.81
TIGHT = {"method": "DOP853", "rtol": 1e-13, "atol": 1e-13}


def solve(rates, start, t):
    """States at the times t (ascending, the first being the start), (nt, n)."""
    t = np.asarray(t, dtype=float)
    return solve_ivp(rates, (t[0], t[-1]), start, t_eval=t, **TIGHT).y.T


def double_pendulum(t):
    """The paper's double pendulum: angles from the downward vertical in the y-z plane, bars of 4 and 2 m, at rest,
    the first level, the second hanging. Returns the centres and their velocities, (nt, 2, 3) each.
    """
    (m1, l1), (m2, l2) = (78.0, 4.0), (39.0, 2.0)
    I1, I2 = (m * (0.05**2 + length**2) / 12 for m, length in ((m1, l1), (m2, l2)))

    def rates(_, y):
        a, b, da, db = y
        coupling = 0.5 * m2 * l1 * l2
        M = np.array([[I1 + m1 * l1**2 / 4 + m2 * l1**2, coupling * np.cos(a - b)],
                      [coupling * np.cos(a - b), I2 + m2 * l2**2 / 4]])  # fmt: skip
        Q = np.array([-coupling * np.sin(a - b) * db**2 - (m1 / 2 + m2) * g * l1 * np.sin(a),
                      coupling * np.sin(a - b) * da**2 - m2 * g * l2 / 2 * np.sin(b)])  # fmt: skip
        return np.r_[da, db, np.linalg.solve(M, Q)]

    a, b, da, db = solve(rates, [np.pi / 2, 0.0, 0.0, 0.0], t).T

    def along(x):
        return np.stack([0 * x, np.sin(x), -np.cos(x)], axis=1)

    def turned(x):
        return np.stack([0 * x, np.cos(x), np.sin(x)], axis=1)

    r = np.stack([l1 / 2 * along(a), l1 * along(a) + l2 / 2 * along(b)], axis=1)
    v1, v2 = turned(a) * da[:, None], turned(b) * db[:, None]
    return r, np.stack([l1 / 2 * v1, l1 * v1 + l2 / 2 * v2], axis=1)


def rotation_of(p):
    """The rotation matrix of a quaternion, scalar first, of any length."""
    w, x, y, z = np.asarray(p) / np.linalg.norm(p)
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])  # fmt: skip


def quaternion_rate(p, w):
    """pdot for body angular velocity w."""
    s, v = p[0], p[1:]
    return 0.5 * np.r_[-v @ w, s * np.asarray(w) + np.cross(v, w)]


def loaded_body(t, m, J, v0, w0, force, torque):
    """A free body that starts at the origin with A = I: force(t, A) global and torque(t, A) in the body.

    Returns r (nt, 3), A (nt, 3, 3), v, w (body components).
    """
    J = np.asarray(J, dtype=float)

    def rates(time, y):
        p, v, w = y[3:7], y[7:10], y[10:]
        A = rotation_of(p)
        alpha = np.linalg.solve(J, torque(time, A) - np.cross(w, J @ w))
        return np.r_[v, quaternion_rate(p, w), force(time, A) / m, alpha]

    y = solve(rates, np.r_[np.zeros(3), 1.0, 0.0, 0.0, 0.0, v0, w0], t)
    return y[:, :3], np.array([rotation_of(p) for p in y[:, 3:7]]), y[:, 7:10], y[:, 10:]


def rolling_disc(t, m, R, r0, p0, w0):
    """A thin disc (its z axis) of radius R that rolls on the plane z = 0, start quaternion p0, body rates w0.

    No slip gives the centre's velocity, rdot = -omega x rho; with F the road's force, Newton and Euler give
    one linear equation for the angular acceleration (global components throughout):
        I domega + m rho x (domega x rho) = -omega x I omega + m rho x (g e_z - omega x rhodot).
    Returns r (nt, 3), A (nt, 3, 3), F (nt, 3) the force of the road on the disc.
    """
    n = np.array([0.0, 0.0, 1.0])
    J = m * R**2 * np.diag([0.25, 0.25, 0.5])

    def contact(A, omega):
        """rho from the centre to the road, and its rate."""
        a = A[:, 2]
        adot = np.cross(omega, a)
        down = n - (n @ a) * a
        ddot = -(n @ adot) * a - (n @ a) * adot
        length = np.linalg.norm(down)
        return -R * down / length, -R * (ddot / length - down * (down @ ddot) / length**3)

    def dynamics(A, w):
        omega = A @ w
        rho, rhodot = contact(A, omega)
        inertia = A @ J @ A.T
        tilde = np.array([[0, -rho[2], rho[1]], [rho[2], 0, -rho[0]], [-rho[1], rho[0], 0]])
        right = -np.cross(omega, inertia @ omega) + m * np.cross(rho, g * n - np.cross(omega, rhodot))
        domega = np.linalg.solve(inertia - m * tilde @ tilde, right)
        acceleration = -np.cross(domega, rho) - np.cross(omega, rhodot)
        return -np.cross(omega, rho), domega, m * (acceleration + g * n)

    def rates(_, y):
        p, w = y[3:7], y[7:]
        A = rotation_of(p)
        v, domega, _ = dynamics(A, w)
        return np.r_[v, quaternion_rate(p, w), A.T @ domega]  # omega x omega = 0: body rate of w is A^T domega

    y = solve(rates, np.r_[r0, p0, w0], t)
    A = np.array([rotation_of(p) for p in y[:, 3:7]])
    force = np.array([dynamics(turn, w)[2] for turn, w in zip(A, y[:, 7:], strict=True)])
    return y[:, :3], A, force


def skate_on_a_slope(t, slope, spin):
    """A blade under a body's centre on a plane that pulls with `slope` (m/s^2) along x; at rest at the origin along x,
    turning at `spin`: the blade runs in cycloids across the slope. Returns x, y.
    """
    size = slope / (2 * spin**2)
    return size * np.sin(spin * t) ** 2, size * (spin * t - 0.5 * np.sin(2 * spin * t))


def parallel_cranks(t, n):
    """The n-four-bar: n + 1 upright cranks of 1 m and 1 kg on n couplers of 1 kg, started with the tips at 1 m/s along
    +x, gravity along -y. Cranks stay parallel: one angle from the upright, clockwise. Returns the first tip, (nt, 2).
    """
    inertia = (n + 1) / 3 + n  # cranks about their pivots; couplers move as points at the tips
    weight = ((n + 1) / 2 + n) * g
    y = solve(lambda _, y: [y[1], weight / inertia * np.sin(y[0])], [0.0, 1.0], t)
    return np.stack([np.sin(y[:, 0]), np.cos(y[:, 0])], axis=1)
