"""Slow, obvious constraint rows: vectors carried to the global frame with 3 x 3 arrays, and nothing else.

`row` is anything with the fields of linkwork.kernels.tables.Rows, one row of each; places are (r, A), velocities
(v, w) with w in body components. Works on complex numbers, so that a complex step differentiates it.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
from oracles.rows_samples import OVALS
from scipy.interpolate import CubicSpline
from scipy.optimize import root


def one_row(rows: Any, k: int) -> SimpleNamespace:
    """Row k of a table, by field name."""
    return SimpleNamespace(**{name: column[k] for name, column in rows.columns().items()})


def tilde(s: Any) -> np.ndarray:
    """The matrix of s x."""
    return np.array([[0 * s[0], -s[2], s[1]], [s[2], 0 * s[0], -s[0]], [-s[1], s[0], 0 * s[0]]])


def points_apart(row: Any, r_i: Any, A_i: Any, r_j: Any, A_j: Any) -> np.ndarray:
    return (r_j + A_j @ row.s_j) - (r_i + A_i @ row.s_i)


def lowest_point(row: Any, A_i: Any) -> np.ndarray:
    """rho of a disc, global components: as far down as a radius can point."""
    a = A_i @ row.a_i
    uphill = row.n - (row.n @ a) * a
    return -row.scalar * uphill / np.sqrt(uphill @ uphill)


def splines() -> list[CubicSpline]:
    """The two profiles of `rows_samples`."""
    found = []
    for points in OVALS:
        ring = np.array([*points, points[0]])
        found.append(CubicSpline(np.r_[0, np.cumsum(np.hypot(*np.diff(ring, axis=0).T))], ring, bc_type="periodic"))
    return found


def contact_points(row: Any, r_i: Any, A_i: Any, r_j: Any, A_j: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Normal, and the two points (global) where the profiles come nearest, seen along the first one's axis."""
    first, second = splines()
    E, F = A_i @ np.column_stack([row.a_i, row.b_i]), A_j @ np.column_stack([row.a_j, row.n])

    def points(u: float, s: float) -> tuple[np.ndarray, np.ndarray]:
        return r_i + A_i @ row.s_i + E @ first(u), r_j + A_j @ row.s_j + F @ second(s)

    def conditions(x: np.ndarray) -> list[float]:
        p, q = points(*x)
        return [(q - p) @ E @ first(x[0], 1), (E @ [first(x[0], 1)[1], -first(x[0], 1)[0]]) @ F @ second(x[1], 1)]

    u, s = np.linspace(0, first.x[-1], 200), np.linspace(0, second.x[-1], 200)
    p = (r_i + A_i @ row.s_i) @ E + first(u)
    q = (r_j + A_j @ row.s_j) @ E + second(s) @ (F.T @ E)
    k, m = np.unravel_index(np.argmin(np.linalg.norm(p[:, None] - q[None], axis=2)), (200, 200))
    best = root(conditions, [u[k], s[m]], tol=1e-15).x
    n = E @ np.array([first(best[0], 1)[1], -first(best[0], 1)[0]])
    return (n / np.linalg.norm(n), *points(*best))


def phi(kind: str, row: Any, r_i: Any, A_i: Any, r_j: Any, A_j: Any, f: Any) -> Any:
    """The value of a position-level row."""
    if kind == "DP1":
        return (A_i @ row.a_i) @ (A_j @ row.a_j) - f
    if kind == "DP2":
        return (A_i @ row.a_i) @ points_apart(row, r_i, A_i, r_j, A_j) - f
    if kind == "D":
        d = points_apart(row, r_i, A_i, r_j, A_j)
        return d @ d - f
    if kind == "CD":
        return row.a_i @ points_apart(row, r_i, A_i, r_j, A_j) - f
    if kind == "ANGLE":
        a_i, b_i, a_j = A_i @ row.a_i, A_i @ row.b_i, A_j @ row.a_j
        return np.cos(f) * (b_i @ a_j) - np.sin(f) * (a_i @ a_j)
    if kind == "CV":
        return (A_i @ row.b_i) @ (A_j @ row.a_j) - (A_i @ row.a_i) @ (A_j @ row.n) - f
    if kind == "SCREW":
        u = ((A_i @ row.n) @ points_apart(row, r_i, A_i, r_j, A_j) - f) / row.scalar
        a_i, b_i, a_j = A_i @ row.a_i, A_i @ row.b_i, A_j @ row.a_j
        return row.scalar * (np.sin(u) * (a_i @ a_j) - np.cos(u) * (b_i @ a_j))
    if kind == "CONTACT":
        n, p, q = contact_points(row, r_i, A_i, r_j, A_j)
        return n @ (q - p) - f
    if kind == "ROLL_HEIGHT":
        return row.n @ (r_i + lowest_point(row, A_i) - row.s_j) - f
    raise ValueError(kind)


def speed(kind: str, row: Any, A_i: Any, v_i: Any, w_i: Any, v_j: Any, w_j: Any, rest: Any = ()) -> Any:
    """G u of a velocity-level row. rest : (r_i, r_j, A_j), which rows between two bodies need."""
    if kind == "CONTACT_SLIP":
        r_i, r_j, A_j = rest
        n, _, q = contact_points(row, r_i, A_i, r_j, A_j)
        t = np.cross(A_i @ np.cross(row.a_i, row.b_i), n)
        return t @ (v_j + np.cross(A_j @ w_j, q - r_j) - v_i - np.cross(A_i @ w_i, q - r_i))
    if kind == "PFAFFIAN":
        return row.a_i @ v_i + row.s_i @ w_i + row.a_j @ v_j + row.s_j @ w_j
    if kind == "KNIFE":
        return (A_i @ row.a_i) @ (v_i + np.cross(A_i @ w_i, A_i @ row.s_i))
    if kind == "ROLL_SLIP":
        return row.a_j @ (v_i + np.cross(A_i @ w_i, lowest_point(row, A_i)))
    raise ValueError(kind)
