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
