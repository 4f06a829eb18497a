"""Dense L D L^T against NumPy and against the sparse one, on matrices J M^-1 J^T such as constraint rows give."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from linkwork.kernels.dense_ldl import (
    DenseFactors,
    clear_dense,
    dense_factors,
    dense_places,
    factor_dense,
    solve_dense,
)
from linkwork.kernels.jit import compiled
from linkwork.kernels.sparse_ldl import (
    LEAST_PIVOT,
    PIVOT,
    ROW,
    factor_ldl,
    ldl_factors,
    ldl_pattern,
    solve_ldl,
)
from linkwork.status import Status

OK, SINGULAR, NOT_FINITE = int(Status.OK), int(Status.SINGULAR), int(Status.NOT_FINITE)
TINY = 1e-30


def gram(seed: int, n: int, own: float = 0.3) -> np.ndarray:
    """J M^-1 J^T of n rows of unlike sizes, `own` of each apart from all others."""
    rng = np.random.default_rng(seed)
    J = rng.normal(size=(n, n + 2)) * rng.uniform(0.1, 3.0, n)[:, None]
    S = J @ J.T
    return S + own * np.diag(np.diag(S))


def loaded(S: np.ndarray) -> DenseFactors:
    """S added up entry by entry, some from the upper triangle, each in two parts."""
    n = len(S)
    factors = DenseFactors(*(a.astype(S.dtype) for a in dense_factors(n)))
    k, l = np.tril_indices(n)
    turned = (k + l) % 2 == 0
    where = dense_places(np.where(turned, l, k), np.where(turned, k, l), n)
    clear_dense(factors)
    for share in (0.25, 0.75):
        factors.values[where] += share * S[k, l]
    return factors


def solution(S: np.ndarray, b: np.ndarray) -> np.ndarray:
    factors, x = loaded(S), np.zeros_like(b)
    assert factor_dense(factors) == OK
    solve_dense(factors, b, x)
    return x


@given(seed=st.integers(0, 2**31), n=st.integers(1, 30))
def test_solutions_are_those_of_numpy_and_of_the_sparse_factors(seed: int, n: int) -> None:
    S, b = gram(seed, n), np.random.default_rng(seed).normal(size=n)
    wanted = np.linalg.solve(S, b)
    assert_allclose(solution(S, b), wanted, atol=1e-11 * np.abs(wanted).max())
    pattern, where = ldl_pattern(*np.tril_indices(n), n)
    sparse = ldl_factors(pattern)
    sparse.values[where] = S[np.tril_indices(n)]
    assert factor_ldl(pattern, sparse) == OK
    x = np.zeros(n)
    solve_ldl(pattern, sparse, b, x)
    assert_allclose(solution(S, b), x, atol=1e-11 * np.abs(wanted).max())


@pytest.mark.parametrize("n", [1, 2, 7, 40])
def test_the_factors_multiply_to_the_matrix(n: int) -> None:
    S = gram(n, n)
    factors = loaded(S)
    assert factor_dense(factors) == OK
    a = factors.values.reshape(n, n)
    L, D = np.tril(a, -1) + np.eye(n), 1.0 / np.diag(a)
    assert_allclose(L * D @ L.T, S, atol=1e-13 * np.abs(S).max())
    share = D / np.diag(S)
    assert factors.report[PIVOT] == pytest.approx(min(1.0, share.min()), rel=1e-12)
    assert factors.report[ROW] == (share.argmin() if n > 1 else -1)


def test_the_right_side_may_be_overwritten_and_otherwise_is_kept() -> None:
    S, b = gram(0, 6), np.arange(6.0)
    factors, x, same = loaded(S), np.zeros(6), b.copy()
    factor_dense(factors)
    solve_dense(factors, b, x)
    assert_array_equal(b, np.arange(6.0))
    solve_dense(factors, same, same)
    assert_array_equal(same, x)


def test_nothing_is_left_of_the_matrix_before() -> None:
    S, other, b = gram(0, 5), gram(1, 5), np.ones(5)
    factors, x = loaded(other), np.zeros(5)
    factor_dense(factors)
    clear_dense(factors)
    k, l = np.tril_indices(5)
    factors.values[dense_places(k, l, 5)] += S[k, l]
    assert factor_dense(factors) == OK
    solve_dense(factors, b, x)
    fresh, y = dense_factors(5), np.zeros(5)
    fresh.values[dense_places(k, l, 5)] = S[k, l]
    factor_dense(fresh)
    solve_dense(fresh, b, y)
    assert_array_equal(x, y)


def test_no_rows_at_all() -> None:
    factors = dense_factors(0)
    assert factor_dense(factors) == OK
    solve_dense(factors, np.zeros(0), np.zeros(0))


@pytest.mark.parametrize("row", [1, 3, 5])
def test_a_dependent_row_is_singular_and_named(row: int) -> None:
    rng = np.random.default_rng(row)
    J = rng.normal(size=(6, 9))
    J[row] = J[:row].T @ rng.normal(size=row)
    factors = loaded(J @ J.T)
    assert factor_dense(factors) == SINGULAR
    assert factors.report[ROW] == row
    assert factors.report[PIVOT] < 1e-13


@pytest.mark.parametrize("least", [1e-12, 1e-6, 1e-2])
def test_the_limit_is_a_share_of_a_row_squared(least: float) -> None:
    for scale in (1e-6, 1.0, 1e6):
        for own, status in ((2.0 * least, OK), (0.5 * least, SINGULAR)):
            J = np.array([[1.0, 0.0], [np.sqrt(1.0 - own), np.sqrt(own)]]) * np.array([[1.0], [scale]])
            factors = loaded(J @ J.T)
            assert factor_dense(factors, least) == status, (scale, own)
            assert factors.report[PIVOT] == pytest.approx(own, rel=1e-3)


def test_the_usual_limit_is_that_of_the_sparse_factors() -> None:
    for own, status in ((10.0 * LEAST_PIVOT, OK), (0.1 * LEAST_PIVOT, SINGULAR)):
        c = np.sqrt(1.0 - own)
        S = np.array([[1.0, c], [c, 1.0]])
        assert factor_dense(loaded(S)) == status


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("place", [(0, 0), (3, 1), (4, 4)])
def test_what_is_not_finite_is_reported(bad: float, place: tuple[int, int]) -> None:
    S = gram(2, 5)
    S[place] = S[place[::-1]] = bad
    factors = loaded(S)
    with np.errstate(all="ignore"):
        assert factor_dense(factors) == NOT_FINITE
    assert factors.report[ROW] == max(place)


@pytest.mark.parametrize("S", [[[-1.0]], [[0.0]], [[1.0, 2.0], [2.0, 1.0]]])
def test_indefinite_matrices_and_empty_diagonals_are_refused(S: Any) -> None:
    with np.errstate(all="ignore"):
        assert factor_dense(loaded(np.array(S))) == SINGULAR


def test_complex_numbers_give_derivatives() -> None:
    S, T = gram(0, 6), gram(1, 6)
    b, x = np.arange(1.0, 7.0), np.zeros(6, complex)
    factors = loaded(S + 1j * TINY * T)
    assert factor_dense(factors) == OK
    solve_dense(factors, b.astype(complex), x)
    wanted = -np.linalg.solve(S, T @ np.linalg.solve(S, b))
    assert_allclose(x.imag / TINY, wanted, atol=1e-10 * np.abs(wanted).max())


def test_compiled_and_plain_agree() -> None:
    """To rounding: compiled code may fuse products and sums."""
    fast_factor, fast_solve = compiled(factor_dense), compiled(solve_dense)
    S, b = gram(4, 12), np.arange(12.0)
    plain, fast, x, y = loaded(S), loaded(S), np.zeros(12), np.zeros(12)
    assert factor_dense(plain) == fast_factor(fast, LEAST_PIVOT) == OK
    solve_dense(plain, b, x)
    fast_solve(fast, b, y)
    assert_allclose(y, x, atol=1e-12 * np.abs(x).max())
    assert_allclose(fast.report, plain.report, rtol=1e-12)
    S[3] = S[:, 3] = 0.0
    singular = loaded(S)
    assert fast_factor(singular, LEAST_PIVOT) == SINGULAR
    assert_array_equal(singular.report, [0.0, 3.0])
