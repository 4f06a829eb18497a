"""Dumitriu 2015's validation case: angles by classical Lagrange equations, all multipliers from them in closed form.

Two bars (m, l, a, b) hang from O in the plane x0 y0, gravity g along +x0, joined at H1; phi and psi are the angles of
the bars from x0. Nothing of linkwork is used, and no rotation matrix is integrated.

What the paper's formulation must find [Dumitriu 2015, eqs. 9-14, 21], with R_i = I at the start, all components along
x0, y0, z0:

    joint multipliers   Lambda_01 = -(force of ground on bar 1), Lambda_12 = -(force of bar 1 on bar 2)
    Z_1 = (Lambda_01 + Lambda_12) (x) OG_10,   Z_2 = Lambda_12 (x) H1G_20                    (eq. 22)
    Lambda_i = S K_i - R_i^T Z_i  with  S = R^T Rddot = W^2 + alpha~,  K_i of eq. 15

In a bar's own axes (along, across, z0), with w = thetadot, alpha = thetaddot and (v_e, v_n) the joint vector of Z_i:

    S = [[-w^2, -alpha], [alpha, -w^2]],   K = m/12 diag(l^2, a^2, b^2),   R^T Z = l/2 [[v_e, 0], [v_n, 0]]
    Lambda = [[-w^2 m l^2/12 - v_e l/2,  -alpha m a^2/12],
              [ alpha m l^2/12 - v_n l/2, -w^2 m a^2/12]]

It is symmetric because v_n l/2 = C alpha, C = m (l^2 + a^2)/12, is the bar's moment equation about its centre.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.integrate import solve_ivp

m, l, a, b = 0.108, 0.20, 0.02, 0.01
g = 9.81
PHI0, PSI0 = np.pi / 9, np.pi / 18
C = m * (l * l + a * a) / 12
K = m / 12 * np.array([l * l, a * a, b * b])  # Poinsot moments, in a bar's own axes
START = np.array([PHI0, PSI0, 0.0, 0.0])


class Bars(NamedTuple):
    """Angles, rates and accelerations of the bars, each (nt, 2): columns phi, psi."""

    angle: np.ndarray
    rate: np.ndarray
    acceleration: np.ndarray


class Multipliers(NamedTuple):
    """What Figures 3-6 show: Lambda_i (nt, 3, 3) N m in the axes x0, y0, z0; joint vectors (nt, 3) N."""

    Lambda_1: np.ndarray
    Lambda_2: np.ndarray
    Lambda_01: np.ndarray
    Lambda_12: np.ndarray


def accelerations(y: Any) -> Any:
    """(phiddot, psiddot) at (phi, psi, phidot, psidot) from eq. 26, in whatever precision y has."""
    phi, psi, dphi, dpsi = y
    c, s = np.cos(phi - psi), np.sin(phi - psi)
    half = m * l * l / 2
    A, B, D = C + 5 * m * l * l / 4, half * c, C + m * l * l / 4
    P = -half * s * dpsi**2 - 3 * m * g * l * np.sin(phi) / 2
    Q = half * s * dphi**2 - m * g * l * np.sin(psi) / 2
    det = A * D - B * B
    return (D * P - B * Q) / det, (A * Q - B * P) / det


def rates(_: Any, y: Any) -> np.ndarray:
    return np.array([y[2], y[3], *accelerations(y)])


def motion(t: Any) -> Bars:
    """At the times t (nt,), ascending from 0: by DOP853, a short longest step for the sake of its dense output."""
    t = np.asarray(t, dtype=float)
    tight = {"method": "DOP853", "rtol": 3e-14, "atol": 1e-15, "max_step": 0.005}
    y = solve_ivp(rates, (0.0, max(t[-1], 1e-3)), START, t_eval=t, **tight).y
    return Bars(y[:2].T, y[2:].T, np.array(accelerations(y)).T)


def motion_extended(t_end: float, steps: int, columns: int = 8) -> np.ndarray:
    """(phi, psi, phidot, psidot) at steps + 1 equidistant times, by extrapolated midpoint steps in extended precision.

    Gragg's midpoint rule with 2, 4, ..., 2 columns substeps has an error in even powers of the substep; the Neville
    tableau takes them out one after the other.
    """
    H = np.longdouble(t_end) / steps
    y = START.astype(np.longdouble)
    y[0], y[1] = np.longdouble(PHI0), np.longdouble(PSI0)
    found = [y]
    for _ in range(steps):
        table: list[list[Any]] = []
        for k in range(columns):
            n = 2 * (k + 1)
            row = [_midpoint(y, H, n)]
            for j in range(1, k + 1):
                ratio = np.longdouble(n) / (2 * (k + 1 - j))
                row.append(row[j - 1] + (row[j - 1] - table[k - 1][j - 1]) / (ratio * ratio - 1))
            table.append(row)
        y = table[-1][-1]
        found.append(y)
    return np.array(found)


def _midpoint(y: Any, H: Any, n: int) -> Any:
    """Gragg's rule with n substeps and his smoothing step."""
    h = H / n
    before, now = y, y + h * rates(0, y)
    for _ in range(n - 1):
        before, now = now, before + 2 * h * rates(0, now)
    return (before + now + h * rates(0, now)) / 2


def energy(bars: Bars) -> np.ndarray:
    """(nt,) J, kinetic and of gravity."""
    (phi, psi), (dphi, dpsi) = bars.angle.T, bars.rate.T
    turning = (C + 5 * m * l * l / 4) * dphi**2 / 2 + (C + m * l * l / 4) * dpsi**2 / 2
    coupling = m * l * l / 2 * np.cos(phi - psi) * dphi * dpsi
    return turning + coupling - m * g * l * (3 * np.cos(phi) + np.cos(psi)) / 2


def places(bars: Bars) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Centres r (nt, 2, 3), bars' axes A (nt, 2, 3, 3), velocities and accelerations of the centres, in x0 y0 z0."""
    e, n = _along(bars.angle), _across(bars.angle)  # (nt, 2, 3)
    velocity = bars.rate[..., None] * n
    acceleration = bars.acceleration[..., None] * n - bars.rate[..., None] ** 2 * e
    A = np.stack([e, n, np.broadcast_to([0.0, 0.0, 1.0], e.shape)], axis=-1)
    return _centres(e), A, _centres(velocity), _centres(acceleration)


def reactions(bars: Bars) -> tuple[np.ndarray, np.ndarray]:
    """Forces of ground on bar 1 at O and of bar 1 on bar 2 at H1, (nt, 3) N, by Newton's law for each centre."""
    weight = np.array([m * g, 0.0, 0.0])
    acceleration = places(bars)[3]
    on_2 = m * acceleration[:, 1] - weight
    return m * acceleration[:, 0] - weight + on_2, on_2


def multipliers(bars: Bars) -> Multipliers:
    """The paper's Lagrange multipliers, from the closed forms above."""
    on_1, on_2 = reactions(bars)
    Lambda_01, Lambda_12 = -on_1, -on_2
    vectors = (Lambda_01 + Lambda_12, Lambda_12)
    both = [_orthogonality(bars, k, v) for k, v in enumerate(vectors)]
    return Multipliers(both[0], both[1], Lambda_01, Lambda_12)


def _orthogonality(bars: Bars, k: int, v: np.ndarray) -> np.ndarray:
    """Lambda of bar k (nt, 3, 3), turned from the bar's own axes to those of the start."""
    w, alpha = bars.rate[:, k], bars.acceleration[:, k]
    v_e = np.sum(v * _along(bars.angle)[:, k], axis=1)
    own = np.zeros((len(w), 3, 3))
    own[:, 0, 0] = -(w**2) * K[0] - v_e * l / 2
    own[:, 0, 1] = own[:, 1, 0] = -alpha * K[1]
    own[:, 1, 1] = -(w**2) * K[1]
    angle = START[k]
    Q = np.array([[np.cos(angle), -np.sin(angle), 0.0], [np.sin(angle), np.cos(angle), 0.0], [0.0, 0.0, 1.0]])
    return Q @ own @ Q.T


def _along(angle: np.ndarray) -> np.ndarray:
    return np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=-1)


def _across(angle: np.ndarray) -> np.ndarray:
    return np.stack([-np.sin(angle), np.cos(angle), 0 * angle], axis=-1)


def _centres(ends: np.ndarray) -> np.ndarray:
    """Of both bars (nt, 2, 3) from what unit vectors along them, or their derivatives, are."""
    return np.stack([ends[:, 0] * l / 2, ends[:, 0] * l + ends[:, 1] * l / 2], axis=1)
