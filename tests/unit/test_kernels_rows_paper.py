"""Constraint rows against the published expressions of Kissel 2021, pulled back to each choice of coordinates."""

from __future__ import annotations

import numpy as np
import pytest
from oracles import rows_paper as paper
from oracles.rows_naive import one_row
from oracles.rows_samples import sample

from linkwork.kernels.rows import table

BASIC = ("DP1", "DP2", "D", "CD")
SEEDS = range(4)
TINY = 1e-30


def close(actual, wanted):
    size = max(1.0, np.max(np.abs(wanted)))
    return np.max(np.abs(np.asarray(actual) - wanted)) <= 1e-12 * size


def ours(s, r, A, v, w):
    """G (nc, 12) and gamma (nc,)."""
    nc = len(s.kinds)
    value, G_i, G_j, gamma = np.empty(nc), np.empty((nc, 6)), np.empty((nc, 6)), np.empty(nc)
    table.evaluate_rows(s.rows, r, A, s.drive, value, G_i, G_j)
    table.rows_gamma(s.rows, r, A, v, w, s.drive, gamma)
    return np.hstack([G_i, G_j]), gamma


def basic_rows(s):
    return [(k, kind, one_row(s.rows, k)) for k, kind in enumerate(s.kinds) if kind in BASIC]


@pytest.mark.parametrize("seed", SEEDS)
def test_rA_rows_are_table_2_and_equation_18(seed):
    s = sample(seed)
    G, gamma = ours(s, s.r, s.A, s.v, s.w)
    for k, kind, row in basic_rows(s):
        i, j = ((s.r[b], s.A[b].reshape(3, 3), s.v[b], s.w[b]) for b in (row.body_i, row.body_j))
        assert close(G[k], paper.table_2(kind, row, *i[:2], *j[:2])), kind
        assert close(gamma[k], paper.gamma_rA(kind, row, i, j, s.drive[k, 2])), kind


@pytest.mark.parametrize("seed", SEEDS)
def test_reaction_variations_are_tables_3_to_6(seed):
    s = sample(seed)
    for k, kind, row in basic_rows(s):
        i, j = ((s.r[b], s.A[b].reshape(3, 3)) for b in (row.body_i, row.body_j))
        out = np.zeros((12, 12))
        table.row_variation(s.rows, k, s.lam[k], s.r, s.A, s.drive, out)
        assert close(out, s.lam[k] * paper.tables_3_to_6(kind, row, *i, *j)), kind


@pytest.mark.parametrize("seed", SEEDS)
def test_published_rp_rows_are_ours_pulled_back(seed):
    """phi_p = Pi 2 G(p) + x p^T; with p . pddot = -pdot . pdot, gamma = gamma^p + x_i |pdot_i|^2 + x_j |pdot_j|^2."""
    s = sample(seed)
    rng = np.random.default_rng(seed)
    p = rng.normal(size=(3, 4))
    p /= np.linalg.norm(p, axis=1, keepdims=True)
    q = rng.normal(size=(3, 4))
    q -= np.sum(p * q, axis=1, keepdims=True) * p  # p stays a unit vector
    p[2], q[2] = (1.0, 0.0, 0.0, 0.0), 0.0
    w = np.array([2 * paper.G_of_p(p_b) @ q_b for p_b, q_b in zip(p, q, strict=True)])
    G, gamma = ours(s, s.r, np.array([paper.A_of_p(p_b).ravel() for p_b in p]), s.v, w)
    for k, kind, row in basic_rows(s):
        i, j = ((s.r[b], p[b], s.v[b], q[b]) for b in (row.body_i, row.body_j))
        by_i, by_j = paper.jacobian_rp(kind, row, *i[:2], *j[:2])
        x_i, x_j = paper.along_p(kind, row, *i[:2], *j[:2])
        assert close(G[k, 3:6] @ (2 * paper.G_of_p(i[1])) + x_i * i[1], by_i), kind
        assert close(G[k, 9:] @ (2 * paper.G_of_p(j[1])) + x_j * j[1], by_j), kind
        published = paper.gamma_rp(kind, row, i, j, s.drive[k, 2])
        assert close(gamma[k], published + x_i * (i[3] @ i[3]) + x_j * (j[3] @ j[3])), kind


@pytest.mark.parametrize("seed", SEEDS)
def test_published_re_rows_are_ours_pulled_back(seed):
    """phi_e = Pi W(e), and gamma^e = gamma - Pi Wdot edot."""
    s = sample(seed)
    rng = np.random.default_rng(seed)
    e, q = rng.normal(size=(2, 3, 3))
    W = np.array([paper.W_of_e(e_b) for e_b in e])
    W_dot = np.array([paper.W_of_e(e_b + 1j * TINY * q_b).imag / TINY for e_b, q_b in zip(e, q, strict=True)])
    w = np.einsum("bij,bj->bi", W, q)
    G, gamma = ours(s, s.r, np.array([paper.A_of_e(e_b).ravel() for e_b in e]), s.v, w)
    for k, kind, row in basic_rows(s):
        bi, bj = row.body_i, row.body_j
        i, j = ((s.r[b], e[b], s.v[b], q[b]) for b in (bi, bj))
        by_i, by_j = paper.jacobian_re(kind, row, *i[:2], *j[:2])
        assert close(G[k, 3:6] @ W[bi], by_i), kind
        assert close(G[k, 9:] @ W[bj], by_j), kind
        pulled = gamma[k] - G[k, 3:6] @ W_dot[bi] @ q[bi] - G[k, 9:] @ W_dot[bj] @ q[bj]
        assert close(pulled, paper.gamma_re(kind, row, i, j, s.drive[k, 2])), kind


def test_B_is_the_derivative_of_equation_22():
    rng = np.random.default_rng(0)
    p, s = rng.normal(size=4), rng.normal(size=3)
    wanted = np.column_stack([(paper.A_of_p(p + 1j * TINY * c) @ s).imag / TINY for c in np.eye(4)])
    assert close(paper.B(p, s), wanted)
