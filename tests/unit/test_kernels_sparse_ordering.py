"""The fill of elimination orders: bounded where it must be, and found even where other ways give up."""

from __future__ import annotations

import numpy as np

from linkwork.kernels.sparse.ordering import best_order, eliminate, minimum_degree, superlu_order, typical_values


def compressed(A):
    cols, rows = np.nonzero(A.T)
    return A.shape[0], np.concatenate(([0], np.cumsum(np.bincount(cols, minlength=A.shape[0])))), rows


def chain(bodies, rng):
    """A saddle matrix of bodies hinged one to the next with five rows: body k's 6, then joint k's rows."""
    n = 11 * bodies
    A = np.zeros((n, n))
    for k in range(bodies):
        A[11 * k : 11 * k + 6, 11 * k : 11 * k + 6] = 4.0 * np.eye(6)
        G = slice(11 * k + 6, 11 * k + 11)
        for body in (k - 1, k):
            if body >= 0:
                block = rng.standard_normal((5, 6))
                A[G, 11 * body : 11 * body + 6] = block
                A[11 * body : 11 * body + 6, G] = block.T
    return A


def test_fill_along_a_chain_grows_linearly():
    fill = [best_order(*compressed(chain(nb, np.random.default_rng(0)))).fill for nb in (10, 20, 40)]
    assert abs((fill[2] - fill[1]) / (2 * (fill[1] - fill[0])) - 1.0) < 0.15
    assert fill[2] < 40 * 300


def test_an_arrow_is_eliminated_tip_last():
    n = 30
    A = np.eye(n)
    A[0], A[:, 0] = 1.0, 1.0
    A[0, 0] = 50.0
    order = best_order(*compressed(A))
    assert order.fill == 2 * (n - 1)
    assert sorted(order.columns.tolist()) == sorted(order.rows.tolist()) == list(range(n))


def test_multipliers_wait_for_a_neighbour():
    A = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, 1.0, 0.0]])
    order = minimum_degree(*compressed(A), delay=True)
    assert order is not None
    assert order.tolist().index(2) > 0


def test_minimum_degree_gives_up_beyond_its_budget_and_superlu_takes_over():
    A = chain(5, np.random.default_rng(0))
    n, indptr, indices = compressed(A)
    assert minimum_degree(n, indptr, indices, delay=True, budget=10) is None
    values = typical_values(n, indptr, indices)
    ((columns, rows),) = superlu_order(n, indptr, indices, values)
    assert sorted(columns.tolist()) == list(range(n))
    trial = eliminate(n, indptr, indices, values, columns, rows, 10**6)
    assert trial is not None
    assert eliminate(n, indptr, indices, values, columns, rows, trial.cost - 1) is None


def test_a_structurally_singular_matrix_gets_some_order():
    A = np.zeros((4, 4))
    A[0] = 1.0
    order = best_order(*compressed(A))
    assert sorted(order.columns.tolist()) == list(range(4))
    assert not list(superlu_order(*compressed(A), np.ones(4)))
