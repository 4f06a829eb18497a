"""The published expressions of Kissel 2021 for DP1, DP2, D and CD in rA, rp and re, as printed but for known slips.

Where the print is wrong the docstring says what was changed. `row` holds the vectors of one row in the fields of
linkwork.kernels.tables.Rows (a_i is c for CD); places are (r, A) or (r, p) or (r, e), w is in body components.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from oracles.rows_naive import points_apart, tilde

O3, I3 = np.zeros((3, 3)), np.eye(3)


# --- rA: Table 2, eq. 18, Tables 3-6


def table_2(kind: str, row: Any, r_i: Any, A_i: Any, r_j: Any, A_j: Any) -> np.ndarray:
    """G over (r_i, theta_i, r_j, theta_j). Changed: the vector on the left of both DP1 entries."""
    d = points_apart(row, r_i, A_i, r_j, A_j)
    a, aj, si, sj = row.a_i, row.a_j, row.s_i, row.s_j
    if kind == "DP1":
        parts = (np.zeros(3), -aj @ A_j.T @ A_i @ tilde(a), np.zeros(3), -a @ A_i.T @ A_j @ tilde(aj))
    elif kind == "DP2":
        g = A_i @ a
        parts = (-g, a @ tilde(si) - d @ A_i @ tilde(a), g, -g @ A_j @ tilde(sj))
    elif kind == "D":
        parts = (-2 * d, 2 * d @ A_i @ tilde(si), 2 * d, -2 * d @ A_j @ tilde(sj))
    else:
        parts = (-a, a @ A_i @ tilde(si), a, -a @ A_j @ tilde(sj))
    return np.concatenate(parts)


def gamma_rA(kind: str, row: Any, i: Any, j: Any, f2: float) -> float:
    """Eq. 18; i and j are (r, A, v, w). Restored: tildes and dots the print lost; 18c's j term ends in s_j."""
    r_i, A_i, v_i, w_i = i
    r_j, A_j, v_j, w_j = j
    d = points_apart(row, r_i, A_i, r_j, A_j)
    a, aj, si, sj = row.a_i, row.a_j, row.s_i, row.s_j
    W_i, W_j, R = tilde(w_i), tilde(w_j), A_j.T @ A_i
    if kind == "DP1":
        return -aj @ (R @ W_i @ W_i + W_j @ W_j @ R) @ a + 2 * w_j @ tilde(aj) @ R @ tilde(a) @ w_i + f2
    if kind == "DP2":
        on_points = -si @ W_i @ W_i @ a - sj @ W_j @ W_j @ R @ a
        mixed = 2 * w_i @ tilde(a) @ A_i.T @ (v_i - v_j) + 2 * sj @ W_j @ R @ W_i @ a
        return mixed + on_points - d @ A_i @ W_i @ W_i @ a + f2
    if kind == "D":
        return (
            2 * (v_i - v_j) @ (v_j - v_i)
            + 2 * sj @ W_j @ W_j @ sj
            + 2 * si @ W_i @ W_i @ si
            - 4 * sj @ W_j @ R @ W_i @ si
            + 4 * (v_j - v_i) @ (A_j @ tilde(sj) @ w_j - A_i @ tilde(si) @ w_i)
            - 2 * d @ (A_i @ W_i @ tilde(si) @ w_i - A_j @ W_j @ tilde(sj) @ w_j)
            + f2
        )
    return a @ (A_i @ W_i @ W_i @ si - A_j @ W_j @ W_j @ sj) + f2


def tables_3_to_6(kind: str, row: Any, r_i: Any, A_i: Any, r_j: Any, A_j: Any) -> np.ndarray:
    """The variation of +G^T lambda at lambda = 1, rows and columns (r_i, theta_i, r_j, theta_j).

    Changed: Table 3, the tilde covers the whole product; Table 4, (n_i, theta_i) and (f_j, theta_i); Table 5,
    (f_j, theta_i) and (n_j, theta_j).
    """
    a, aj, si, sj = row.a_i, row.a_j, row.s_i, row.s_j
    R = A_i.T @ A_j
    far_i = tilde(A_i.T @ (r_j + A_j @ sj - r_i))
    far_j = tilde(A_j.T @ (r_j - r_i - A_i @ si))
    ta, taj, tsi, tsj = tilde(a), tilde(aj), tilde(si), tilde(sj)
    if kind == "DP1":
        blocks = [
            [O3, O3, O3, O3],
            [O3, ta @ tilde(R @ aj), O3, -ta @ R @ taj],
            [O3, O3, O3, O3],
            [O3, -taj @ R.T @ ta, O3, taj @ tilde(R.T @ a)],
        ]
    elif kind == "DP2":
        blocks = [
            [O3, A_i @ ta, O3, O3],
            [-ta @ A_i.T, ta @ far_i, ta @ A_i.T, -ta @ R @ tsj],
            [O3, -A_i @ ta, O3, O3],
            [O3, -tsj @ R.T @ ta, O3, tsj @ tilde(R.T @ a)],
        ]
    elif kind == "D":
        blocks = [
            [2 * I3, -2 * A_i @ tsi, -2 * I3, 2 * A_j @ tsj],
            [2 * tsi @ A_i.T, -2 * tsi @ far_i, -2 * tsi @ A_i.T, 2 * tsi @ R @ tsj],
            [-2 * I3, 2 * A_i @ tsi, 2 * I3, -2 * A_j @ tsj],
            [-2 * tsj @ A_j.T, 2 * tsj @ R.T @ tsi, 2 * tsj @ A_j.T, 2 * tsj @ far_j],
        ]
    else:
        blocks = [
            [O3, O3, O3, O3],
            [O3, -tsi @ tilde(A_i.T @ a), O3, O3],
            [O3, O3, O3, O3],
            [O3, O3, O3, tsj @ tilde(A_j.T @ a)],
        ]
    return np.block(blocks)


# --- rp: eqs. 22-24


def A_of_p(p: Any) -> np.ndarray:
    """Eq. 22."""
    e0, e1, e2, e3 = p
    half = [
        [e0 * e0 + e1 * e1 - 0.5, e1 * e2 - e0 * e3, e1 * e3 + e0 * e2],
        [e1 * e2 + e0 * e3, e0 * e0 + e2 * e2 - 0.5, e2 * e3 - e0 * e1],
        [e1 * e3 - e0 * e2, e2 * e3 + e0 * e1, e0 * e0 + e3 * e3 - 0.5],
    ]
    return 2 * np.array(half)


def G_of_p(p: Any) -> np.ndarray:
    """omega = 2 G(p) pdot, body components (eq. 39c, where it is called B^p)."""
    e0, e1, e2, e3 = p
    return np.array([[-e1, e0, e3, -e2], [-e2, -e3, e0, e1], [-e3, e2, -e1, e0]])


def B(p: Any, s: Any) -> np.ndarray:
    """Eq. 23a, d(A(p) s)/dp with eq. 22's A: columns e0, then e = (e1, e2, e3)."""
    e0, e = p[0], np.asarray(p[1:])
    by_e0 = 4 * e0 * s + 2 * np.cross(e, s)
    by_e = 2 * ((e @ s) * I3 + np.outer(e, s) - e0 * tilde(s))
    return np.column_stack([by_e0, by_e])


def jacobian_rp(kind: str, row: Any, r_i: Any, p_i: Any, r_j: Any, p_j: Any) -> tuple[np.ndarray, np.ndarray]:
    """phi_p for p_i and p_j."""
    A_i, A_j = A_of_p(p_i), A_of_p(p_j)
    a, d = A_i @ row.a_i, points_apart(row, r_i, A_i, r_j, A_j)
    B_si, B_sj = B(p_i, row.s_i), B(p_j, row.s_j)
    if kind == "DP1":
        return (A_j @ row.a_j) @ B(p_i, row.a_i), a @ B(p_j, row.a_j)
    if kind == "DP2":
        return d @ B(p_i, row.a_i) - a @ B_si, a @ B_sj
    if kind == "D":
        return -2 * d @ B_si, 2 * d @ B_sj
    return -row.a_i @ B_si, row.a_i @ B_sj


def gamma_rp(kind: str, row: Any, i: Any, j: Any, f2: float) -> float:
    """Eq. 24; i and j are (r, p, v, pdot). Changed: 24a, the first term is minus; 23c, adot = B(p, abar) pdot."""
    r_i, p_i, v_i, q_i = i
    r_j, p_j, v_j, q_j = j
    A_i, A_j = A_of_p(p_i), A_of_p(p_j)
    a, b, d = A_i @ row.a_i, A_j @ row.a_j, points_apart(row, r_i, A_i, r_j, A_j)
    a_dot, b_dot = B(p_i, row.a_i) @ q_i, B(p_j, row.a_j) @ q_j
    d_dot = v_j + B(p_j, row.s_j) @ q_j - v_i - B(p_i, row.s_i) @ q_i
    turn_ai, turn_aj = B(q_i, row.a_i) @ q_i, B(q_j, row.a_j) @ q_j
    turn_si, turn_sj = B(q_i, row.s_i) @ q_i, B(q_j, row.s_j) @ q_j
    if kind == "DP1":
        return -a @ turn_aj - b @ turn_ai - 2 * a_dot @ b_dot + f2
    if kind == "DP2":
        return -a @ turn_sj + a @ turn_si - d @ turn_ai - 2 * a_dot @ d_dot + f2
    if kind == "D":
        return -2 * d @ turn_sj + 2 * d @ turn_si - 2 * d_dot @ d_dot + f2
    return row.a_i @ turn_si - row.a_i @ turn_sj + f2


def along_p(kind: str, row: Any, r_i: Any, p_i: Any, r_j: Any, p_j: Any) -> tuple[float, float]:
    """(x_i, x_j) with phi_p = Pi 2 G(p) + x p^T for unit p, from B(p, s) p = 2 (A s + s)."""
    A_i, A_j = A_of_p(p_i), A_of_p(p_j)
    a, b, d = A_i @ row.a_i, A_j @ row.a_j, points_apart(row, r_i, A_i, r_j, A_j)
    swept_i, swept_j = 2 * (A_i + I3) @ row.s_i, 2 * (A_j + I3) @ row.s_j
    if kind == "DP1":
        return b @ (2 * (a + row.a_i)), a @ (2 * (b + row.a_j))
    if kind == "DP2":
        return d @ (2 * (a + row.a_i)) - a @ swept_i, a @ swept_j
    if kind == "D":
        return -2 * d @ swept_i, 2 * d @ swept_j
    return -row.a_i @ swept_i, row.a_i @ swept_j


# --- re: eqs. 28-29


def about_z(x: Any, order: int) -> np.ndarray:
    """The rotation about z and its first two derivatives."""
    c, s = np.cos(x + order * np.pi / 2), np.sin(x + order * np.pi / 2)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, float(order == 0)]])


def about_x(x: Any, order: int) -> np.ndarray:
    """The rotation about x and its first two derivatives."""
    c, s = np.cos(x + order * np.pi / 2), np.sin(x + order * np.pi / 2)
    return np.array([[float(order == 0), 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])


def A_of_e(e: Any, orders: tuple[int, int, int] = (0, 0, 0)) -> np.ndarray:
    """A = A1(phi) A2(theta) A3(psi), each factor differentiated as often as `orders` says."""
    return about_z(e[0], orders[0]) @ about_x(e[1], orders[1]) @ about_z(e[2], orders[2])


def A_dot_of_e(e: Any, q: Any) -> np.ndarray:
    """Eq. 28a."""
    return q[0] * A_of_e(e, (1, 0, 0)) + q[1] * A_of_e(e, (0, 1, 0)) + q[2] * A_of_e(e, (0, 0, 1))


def D_of_e(e: Any, q: Any) -> np.ndarray:
    """D of eq. 28b: the part of the second derivative of A that is quadratic in the rates q."""
    squares = q[0] ** 2 * A_of_e(e, (2, 0, 0)) + q[1] ** 2 * A_of_e(e, (0, 2, 0)) + q[2] ** 2 * A_of_e(e, (0, 0, 2))
    products = (
        q[0] * q[1] * A_of_e(e, (1, 1, 0)) + q[1] * q[2] * A_of_e(e, (0, 1, 1)) + q[0] * q[2] * A_of_e(e, (1, 0, 1))
    )
    return squares + 2 * products


def W_of_e(e: Any) -> np.ndarray:
    """omega = W(e) edot, body components, for intrinsic ZXZ angles."""
    s2, c2, s3, c3 = np.sin(e[1]), np.cos(e[1]), np.sin(e[2]), np.cos(e[2])
    return np.array([[s2 * s3, c3, 0.0], [s2 * c3, -s3, 0.0], [c2, 0.0, 1.0]])


def jacobian_re(kind: str, row: Any, r_i: Any, e_i: Any, r_j: Any, e_j: Any) -> tuple[np.ndarray, np.ndarray]:
    """phi_e for e_i and e_j: derivatives of A by each angle, column by column."""
    A_i, A_j = A_of_e(e_i), A_of_e(e_j)
    a, d = A_i @ row.a_i, points_apart(row, r_i, A_i, r_j, A_j)
    orders = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    by_i, by_j = [A_of_e(e_i, o) for o in orders], [A_of_e(e_j, o) for o in orders]
    if kind == "DP1":
        return (
            np.array([(A_j @ row.a_j) @ X @ row.a_i for X in by_i]),
            np.array([a @ X @ row.a_j for X in by_j]),
        )
    if kind == "DP2":
        return (
            np.array([d @ X @ row.a_i - a @ X @ row.s_i for X in by_i]),
            np.array([a @ X @ row.s_j for X in by_j]),
        )
    g = 2 * d if kind == "D" else row.a_i
    return np.array([-g @ X @ row.s_i for X in by_i]), np.array([g @ X @ row.s_j for X in by_j])


def gamma_re(kind: str, row: Any, i: Any, j: Any, f2: float) -> float:
    """Eq. 29; i and j are (r, e, v, edot).

    Changed: 29a, all three terms are minus; 29b, the second term has Adot, not D; 29c, -2 ddot.ddot and d before
    the bracket; 29d, minus.
    """
    r_i, e_i, v_i, q_i = i
    r_j, e_j, v_j, q_j = j
    A_i, A_j, D_i, D_j = A_of_e(e_i), A_of_e(e_j), D_of_e(e_i, q_i), D_of_e(e_j, q_j)
    Ad_i, Ad_j = A_dot_of_e(e_i, q_i), A_dot_of_e(e_j, q_j)
    d = points_apart(row, r_i, A_i, r_j, A_j)
    d_dot = v_j + Ad_j @ row.s_j - v_i - Ad_i @ row.s_i
    turn = D_j @ row.s_j - D_i @ row.s_i
    a, aj = row.a_i, row.a_j
    if kind == "DP1":
        return -aj @ A_j.T @ D_i @ a - 2 * a @ Ad_i.T @ Ad_j @ aj - a @ A_i.T @ D_j @ aj + f2
    if kind == "DP2":
        return -a @ D_i.T @ d - 2 * a @ Ad_i.T @ d_dot - a @ A_i.T @ turn + f2
    if kind == "D":
        return -2 * d_dot @ d_dot - 2 * d @ turn + f2
    return -a @ turn + f2
