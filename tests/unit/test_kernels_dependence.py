"""Dependent constraint rows against NumPy's least squares and pseudo-inverse."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from linkwork.kernels.dependence import (
    EXCHANGE_RATIO,
    TOLERANCE,
    dependence,
    exchange,
    independent_rows,
    independent_rows_sparse,
    least_squares_rhs,
    minimum_norm,
)
from linkwork.kernels.jit import compiled


def find(G, row_scale=None, tolerance=TOLERANCE, kernel=independent_rows):
    found = dependence(*G.shape)
    scale = np.zeros(G.shape[0]) if row_scale is None else row_scale
    rank = kernel(G, scale, tolerance, found)
    return rank, found


def parts(found):
    nr, nd = found.sizes
    return found.kept[:nr], found.dropped[:nd], found.C[:nd, :nr]


@st.composite
def jacobian(draw):
    """Rows of three kinds in any order: fresh ones, sums of others, copies and zeros; sizes from 1e-3 to 1e3."""
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    m = draw(st.integers(1, 14))
    rank = draw(st.integers(0, m))
    base = rng.standard_normal((rank, m)) * (rng.random((rank, m)) < draw(st.sampled_from((0.4, 1.0))))
    nc = rank + draw(st.integers(0 if rank else 1, 5))
    G = np.zeros((nc, m))
    G[:rank] = base
    for i in range(rank, nc):
        kind = draw(st.sampled_from(("zero", "copy", "sum")))
        if rank and kind == "copy":
            G[i] = -2.0 * G[draw(st.integers(0, rank - 1))]
        elif rank and kind == "sum":
            G[i] = rng.standard_normal(rank) @ base
    return rng.permutation(G) * 10 ** rng.uniform(-3, 3, (nc, 1)), rng


@given(jacobian())
def test_rank_rows_and_combinations_are_right(sample):
    G, _ = sample
    rank, found = find(G)
    norms = np.linalg.norm(G, axis=1, keepdims=True)
    unit = np.divide(G, norms, out=np.zeros_like(G), where=norms > 0)
    assert rank == np.linalg.matrix_rank(unit, tol=1e-7)
    kept, dropped, C = parts(found)
    assert_array_equal(np.sort(np.concatenate((kept, dropped))), np.arange(G.shape[0]))
    assert_array_equal(np.flatnonzero(found.keep), kept)
    for d, row in enumerate(dropped):
        assert_allclose(C[d] @ G[kept], G[row], atol=1e-9 * max(norms[row, 0], 1e-30))
        assert not np.any(C[d][kept > row])  # explained by rows before it


@given(jacobian())
def test_position_steps_are_least_squares(sample):
    G, rng = sample
    _, found = find(G)
    kept, dropped, C = parts(found)
    phi = rng.standard_normal(G.shape[0])
    y = np.empty_like(phi)
    least_squares_rhs(found, phi, y)
    assert not np.any(y[dropped])
    # what the steps delta reach: G delta = -(y_s, C y_s) must be phi projected on the columns of (I, C)
    reach = np.zeros((G.shape[0], kept.size))
    reach[kept] = np.eye(kept.size)
    reach[dropped] = C
    expected = np.linalg.lstsq(reach, phi, rcond=None)[0]
    assert_allclose(y[kept], expected, atol=1e-8 * (1.0 + np.abs(expected).max(initial=0.0)))
    least_squares_rhs(found, phi, phi)
    assert_array_equal(phi, y)


def test_least_squares_step_is_numpys():
    rng = np.random.default_rng(3)
    G = rng.standard_normal((5, 8))
    G = np.vstack((G[:3], G[0] - 2.0 * G[2], G[3:], G[1] + G[4]))
    _, found = find(G)
    kept, dropped, _ = parts(found)
    assert dropped.tolist() == [3, 6]
    phi = rng.standard_normal(7)  # inconsistent
    y = np.empty(7)
    least_squares_rhs(found, phi, y)
    delta = np.linalg.pinv(G[kept]) @ -y[kept]
    assert_allclose(delta, np.linalg.lstsq(G, -phi, rcond=None)[0], atol=1e-12)


@given(jacobian())
def test_multipliers_of_least_norm_have_the_same_reactions(sample):
    G, rng = sample
    norms = np.linalg.norm(G, axis=1, keepdims=True)
    G = np.divide(G, norms, out=np.zeros_like(G), where=norms > 0)
    _, found = find(G)
    lam = rng.standard_normal(G.shape[0])
    out = np.empty_like(lam)
    minimum_norm(found, lam, out)
    size = 1.0 + np.abs(found.C).max(initial=0.0)
    assert_allclose(G.T @ out, G.T @ lam, atol=1e-9 * size)
    assert np.linalg.norm(out) <= np.linalg.norm(lam) * (1.0 + 1e-9)
    again = np.empty_like(lam)
    minimum_norm(found, out, again)
    assert_allclose(again, out, atol=1e-9 * size)
    minimum_norm(found, lam, lam)
    assert_array_equal(lam, out)


def test_multipliers_of_least_norm_are_the_pseudo_inverses():
    rng = np.random.default_rng(5)
    G = rng.standard_normal((4, 9))
    G = np.vstack((G, G[1], 3.0 * G[0] - G[3]))
    _, found = find(G)
    lam = rng.standard_normal(6)
    out = np.empty(6)
    minimum_norm(found, lam, out)
    assert_allclose(out, np.linalg.pinv(G.T) @ (G.T @ lam), atol=1e-12)


def planar_four_bar():
    """Unit-square four-bar of three bodies and four z hinges, 5 rows each: 20 rows of rank 17 on 18 unknowns."""
    hinges = ((None, 0, (0.0, 0.0)), (0, 1, (0.0, 1.0)), (1, 2, (1.0, 1.0)), (2, None, (1.0, 0.0)))
    centre = ((0.0, 0.5), (0.5, 1.0), (1.0, 0.5))
    rows = []
    for i, j, point in hinges:
        block = np.zeros((5, 18))
        for body, sign in ((i, -1.0), (j, 1.0)):
            if body is None:
                continue
            x, y = point[0] - centre[body][0], point[1] - centre[body][1]
            block[:3, 6 * body : 6 * body + 3] = sign * np.eye(3)
            block[:3, 6 * body + 3 : 6 * body + 6] = -sign * np.array(((0, 0, y), (0, 0, -x), (-y, x, 0)))
            block[3:, 6 * body + 3 : 6 * body + 5] = sign * np.eye(2)
        rows.append(block)
    return np.vstack(rows)


def test_a_planar_loop_has_three_redundant_rows_all_in_the_last_hinge():
    G = planar_four_bar()
    rank, found = find(G)
    assert rank == 17 == np.linalg.matrix_rank(G)
    assert found.dropped[:3].tolist() == [17, 18, 19]  # z translation, both tilts


def test_first_rows_stay():
    g = np.array([1.0, 2.0, 0.0])
    _, found = find(np.array([g, 3.0 * g, [0.0, 0.0, 1.0], -g]))
    assert found.keep.tolist() == [1, 0, 1, 0]
    assert_allclose(found.C[:2, :2], [[3.0, 0.0], [-1.0, 0.0]])


def test_how_near_is_too_near():
    for angle, rank in ((1e-7, 2), (1e-11, 1)):
        assert find(np.array([[1.0, 0.0], [1e4, 1e4 * angle]]))[0] == rank


def test_a_reference_size_makes_a_vanishing_row_dependent():
    G = np.array([[1.0, 0.0], [0.0, 1e-12]])
    assert find(G)[0] == 2
    rank, found = find(G, row_scale=np.ones(2))
    assert rank == 1
    assert found.keep.tolist() == [1, 0]


def test_numbers_that_are_none_are_reported():
    for bad in (np.nan, np.inf):
        assert find(np.array([[1.0, bad]]))[0] == -1


@given(jacobian())
def test_dense_sparse_and_compiled_agree(sample):
    G, rng = sample
    rank, found = find(G)
    rows, cols = np.nonzero(G)
    halves = np.repeat(G[rows, cols] / 2.0, 2)  # two entries for each place
    indptr = 2 * np.searchsorted(rows, np.arange(G.shape[0] + 1))
    other = dependence(*G.shape)
    zero = np.zeros(G.shape[0])
    assert independent_rows_sparse(indptr, np.repeat(cols, 2), halves, zero, TOLERANCE, other) == rank
    assert_array_equal(other.keep, found.keep)
    size = 1.0 + np.abs(found.C).max(initial=0.0)
    assert_allclose(parts(other)[2], parts(found)[2], atol=1e-9 * size)
    fast_rank, fast = find(G, kernel=compiled(independent_rows))
    assert fast_rank == rank
    assert_array_equal(fast.keep, found.keep)
    assert_allclose(parts(fast)[2], parts(found)[2], atol=1e-9 * size)
    phi = rng.standard_normal(G.shape[0])
    for kernel in (least_squares_rhs, minimum_norm):
        plain, quick = np.empty_like(phi), np.empty_like(phi)
        kernel(found, phi, plain)
        compiled(kernel)(found, phi, quick)
        assert_allclose(quick, plain, atol=1e-12 * size)


@given(jacobian())
def test_exchange_leaves_out_rows_that_take_part_in_full(sample):
    G, _ = sample
    rank, found = find(G)
    exchange(found)
    kept, dropped, C = parts(found)
    assert len(kept) == rank
    assert_array_equal(np.sort(np.concatenate((kept, dropped))), np.arange(G.shape[0]))
    assert_array_equal(found.keep[kept], 1)
    assert_array_equal(found.keep[dropped], 0)
    scale = found.scale
    for d, row in enumerate(dropped):
        assert_allclose(C[d] @ G[kept], G[row], atol=1e-8 * max(scale[row], 1e-30))
        assert np.all(np.abs(C[d]) * scale[kept] <= EXCHANGE_RATIO * max(scale[row], 1e-30) * (1 + 1e-9))
    nd = len(dropped)
    assert_allclose(
        np.tril(found.K[:nd, :nd]) @ np.tril(found.K[:nd, :nd]).T, np.eye(nd) + C @ C.T, rtol=1e-9, atol=1e-9
    )


def test_a_row_that_hardly_takes_part_is_not_the_one_left_out():
    G = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 1e-3], [0.0, 0.0, 1.0]])
    _, found = find(G)
    assert parts(found)[1].tolist() == [3]  # 1e-3 of it would have kept it independent
    exchange(found)
    kept, dropped, _ = parts(found)
    assert dropped[0] in (0, 1, 2)
    assert np.linalg.svd(G[kept] / np.linalg.norm(G[kept], axis=1, keepdims=True))[1].min() > 0.3
    rank, again = find(G)  # a search that starts from what was kept keeps it
    again.keep[:] = found.keep
    assert independent_rows(G, np.zeros(4), TOLERANCE, again) == rank
    assert_array_equal(again.keep, found.keep)
