"""A body that turns about a fixed point without weight: its own three equations, integrated to rounding."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from oracles.free import solve


class Top(NamedTuple):
    """nt samples of the centre of mass and the body; omega and alpha in body components, force of the point global."""

    r: np.ndarray
    A: np.ndarray
    v: np.ndarray
    w: np.ndarray
    a: np.ndarray
    alpha: np.ndarray
    force: np.ndarray


def turning_top(t, mass, inertia, arm, w0) -> Top:
    """The body starts with A = I; `arm` from the fixed point to the centre of mass, inertia (3,) about the latter."""
    arm = np.asarray(arm, dtype=float)
    J = np.diag(inertia) + mass * (arm @ arm * np.eye(3) - np.outer(arm, arm))

    def alpha(w):
        return np.linalg.solve(J, -np.cross(w, J @ w))

    def rates(_, y):
        A, w = y[:9].reshape(3, 3), y[9:]
        return np.r_[np.cross(A, w).ravel(), alpha(w)]  # rows of A w~

    y = solve(rates, np.r_[np.eye(3).ravel(), w0], t)
    A, w = y[:, :9].reshape(-1, 3, 3), y[:, 9:]
    al = np.array([alpha(x) for x in w])

    def turned(x):
        return np.einsum("nij,nj->ni", A, x)

    a = turned(np.cross(al, arm) + np.cross(w, np.cross(w, arm)))
    return Top(A @ arm, A, turned(np.cross(w, arm)), w, a, al, mass * a)
