"""A body that turns freely about its centre: Dumitriu 2015's multipliers of orthogonality, what of them is constant.

With no forces Z = 0, and eq. 9 leaves Lambda = S K, S = R^T Rddot = W^2 + alpha~, J alpha = -w x J w.

    tr(-Lambda) = 2 T                                                constant
    tr(K^-1 Lambda K^-1) = -(2 s1 T - |H|^2) / s3, s1 = tr K, s3 = det K    constant
    the eigenvalues of -Lambda                                       not constant, unless two moments are equal or w is

The paper quotes the last as constant in general; COUNTEREXAMPLE is a body and a spin for which they are not.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.integrate import solve_ivp


class Spin(NamedTuple):
    """A body's inertia J (3, 3) kg m^2 and its angular velocity (3,) rad/s at the start, in body axes."""

    J: np.ndarray
    omega: np.ndarray


COUNTEREXAMPLE = Spin(np.diag([3.0, 4.0, 5.0]), np.array([1.0, 2.0, 3.0]))


def tilde(x: Any) -> np.ndarray:
    return np.array([[0.0, -x[2], x[1]], [x[2], 0.0, -x[0]], [-x[1], x[0], 0.0]])


def poinsot(J: np.ndarray) -> np.ndarray:
    """K = (tr J / 2) I - J [Dumitriu 2015, eq. 11]."""
    return np.trace(J) / 2 * np.eye(3) - J


def angular_velocity(spin: Spin, t: Any) -> np.ndarray:
    """omega (nt, 3), body components, at the times t (ascending from 0), by Euler's equations."""
    t = np.asarray(t, dtype=float)

    def rates(_: float, w: np.ndarray) -> np.ndarray:
        return np.linalg.solve(spin.J, -np.cross(w, spin.J @ w))

    tight = {"method": "DOP853", "rtol": 3e-14, "atol": 1e-14, "max_step": 0.02}
    return solve_ivp(rates, (0.0, max(t[-1], 1e-3)), spin.omega, t_eval=t, **tight).y.T


def multiplier(J: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Lambda (3, 3) N m of a body that turns freely with w."""
    W, alpha = tilde(w), np.linalg.solve(J, -np.cross(w, J @ w))
    return (W @ W + tilde(alpha)) @ poinsot(J)


def twice_energy(J: np.ndarray, w: np.ndarray) -> float:
    """2 T."""
    return float(w @ J @ w)


def second_integral(J: np.ndarray, w: np.ndarray) -> float:
    """What tr(K^-1 Lambda K^-1) must be: -(2 s1 T - |H|^2) / s3."""
    K, H = poinsot(J), J @ w
    return float(-(np.trace(K) * twice_energy(J, w) - H @ H) / np.linalg.det(K))
