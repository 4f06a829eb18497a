"""Sparse L D L^T of matrices with all entries (matrix="dense") against NumPy, on J M^-1 J^T of constraint rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from linkwork.kernels.jit import compiled
from linkwork.kernels.sparse_ldl import (
    LEAST_PIVOT,
    PIVOT,
    ROW,
    clear_ldl,
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


class Full:
    """S added up entry by entry, some from the upper triangle, each in two parts; and its factors."""

    def __init__(self, S: np.ndarray) -> None:
        n = len(S)
        self.pattern, where = ldl_pattern(*np.tril_indices(n), n)
        self.place = np.zeros((n, n), dtype=np.int64)
        self.place[np.tril_indices(n)] = where
        self.place = np.tril(self.place) + np.tril(self.place, -1).T
        self.factors = ldl_factors(self.pattern, S.dtype)
        self.load(S)

    def load(self, S: np.ndarray) -> None:
        clear_ldl(self.factors)
        k, l = np.tril_indices(len(S))
        turned = (k + l) % 2 == 0
        for share in (0.25, 0.75):
            self.factors.values[self.place[np.where(turned, l, k), np.where(turned, k, l)]] += share * S[k, l]

    @property
    def report(self) -> np.ndarray:
        return self.factors.report

    def factor(self, least: float = LEAST_PIVOT) -> int:
        with np.errstate(all="ignore"):  # zero pivots are divided by, and found afterwards
            return int(factor_ldl(self.pattern, self.factors, least))

    def solve(self, b: np.ndarray, x: np.ndarray) -> None:
        solve_ldl(self.pattern, self.factors, b, x)


def solution(S: np.ndarray, b: np.ndarray) -> np.ndarray:
    full, x = Full(S), np.zeros_like(b)
    assert full.factor() == OK
    full.solve(b, x)
    return x


@given(seed=st.integers(0, 2**31), n=st.integers(1, 30))
def test_solutions_are_those_of_numpy(seed: int, n: int) -> None:
    S, b = gram(seed, n), np.random.default_rng(seed).normal(size=n)
    wanted = np.linalg.solve(S, b)
    assert_allclose(solution(S, b), wanted, atol=1e-11 * np.abs(wanted).max())


@pytest.mark.parametrize("n", [1, 5, 17])
def test_rows_are_eliminated_in_the_order_given(n: int) -> None:
    assert_array_equal(Full(gram(0, n)).pattern.order, np.arange(n))


@pytest.mark.parametrize("n", [1, 2, 7, 40])
def test_the_factors_multiply_to_the_matrix(n: int) -> None:
    S = gram(n, n)
    full = Full(S)
    assert full.factor() == OK
    a = full.factors.values[full.place]
    L, D = np.tril(a, -1) + np.eye(n), 1.0 / np.diag(a)
    assert_allclose(L * D @ L.T, S, atol=1e-13 * np.abs(S).max())
    share = D / np.diag(S)
    assert full.report[PIVOT] == pytest.approx(min(1.0, share.min()), rel=1e-12)
    assert full.report[ROW] == share.argmin()


def test_the_right_side_may_be_overwritten_and_otherwise_is_kept() -> None:
    S, b = gram(0, 6), np.arange(6.0)
    full, x, same = Full(S), np.zeros(6), b.copy()
    full.factor()
    full.solve(b, x)
    assert_array_equal(b, np.arange(6.0))
    full.solve(same, same)
    assert_array_equal(same, x)


def test_nothing_is_left_of_the_matrix_before() -> None:
    S, other, b = gram(0, 5), gram(1, 5), np.ones(5)
    full, x = Full(other), np.zeros(5)
    full.factor()
    full.load(S)
    assert full.factor() == OK
    full.solve(b, x)
    assert_array_equal(x, solution(S, b))


def test_no_rows_at_all() -> None:
    full = Full(np.zeros((0, 0)))
    assert full.factor() == OK
    full.solve(np.zeros(0), np.zeros(0))


@pytest.mark.parametrize("row", [1, 3, 5])
def test_a_dependent_row_is_singular_and_named(row: int) -> None:
    rng = np.random.default_rng(row)
    J = rng.normal(size=(6, 9))
    J[row] = J[:row].T @ rng.normal(size=row)
    full = Full(J @ J.T)
    assert full.factor() == SINGULAR
    assert full.report[ROW] == row
    assert full.report[PIVOT] < 1e-13


@pytest.mark.parametrize("least", [1e-12, 1e-6, 1e-2])
def test_the_limit_is_a_share_of_a_row_squared(least: float) -> None:
    for scale in (1e-6, 1.0, 1e6):
        for own, status in ((2.0 * least, OK), (0.5 * least, SINGULAR)):
            J = np.array([[1.0, 0.0], [np.sqrt(1.0 - own), np.sqrt(own)]]) * np.array([[1.0], [scale]])
            full = Full(J @ J.T)
            assert full.factor(least) == status, (scale, own)
            assert full.report[PIVOT] == pytest.approx(own, rel=1e-3)


def test_the_usual_limit_is_that_of_the_sparse_factors() -> None:
    for own, status in ((10.0 * LEAST_PIVOT, OK), (0.1 * LEAST_PIVOT, SINGULAR)):
        c = np.sqrt(1.0 - own)
        S = np.array([[1.0, c], [c, 1.0]])
        assert Full(S).factor() == status


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("place", [(0, 0), (3, 1), (4, 4)])
def test_what_is_not_finite_is_reported(bad: float, place: tuple[int, int]) -> None:
    S = gram(2, 5)
    S[place] = S[place[::-1]] = bad
    full = Full(S)
    with np.errstate(all="ignore"):
        assert full.factor() == NOT_FINITE
    assert full.report[ROW] == max(place)


@pytest.mark.parametrize("S", [[[-1.0]], [[0.0]], [[1.0, 2.0], [2.0, 1.0]]])
def test_indefinite_matrices_and_empty_diagonals_are_refused(S: Any) -> None:
    with np.errstate(all="ignore"):
        assert Full(np.array(S, dtype=float)).factor() == SINGULAR


def test_complex_numbers_give_derivatives() -> None:
    S, T = gram(0, 6), gram(1, 6)
    b, x = np.arange(1.0, 7.0), np.zeros(6, complex)
    full = Full(S + 1j * TINY * T)
    assert full.factor() == OK
    full.solve(b.astype(complex), x)
    wanted = -np.linalg.solve(S, T @ np.linalg.solve(S, b))
    assert_allclose(x.imag / TINY, wanted, atol=1e-10 * np.abs(wanted).max())


def test_compiled_and_plain_agree() -> None:
    """To rounding: compiled code may fuse products and sums."""
    fast_factor, fast_solve = compiled(factor_ldl), compiled(solve_ldl)
    S, b = gram(4, 12), np.arange(12.0)
    plain, fast, x, y = Full(S), Full(S), np.zeros(12), np.zeros(12)
    assert plain.factor() == fast_factor(fast.pattern, fast.factors, LEAST_PIVOT) == OK
    plain.solve(b, x)
    fast_solve(fast.pattern, fast.factors, b, y)
    assert_allclose(y, x, atol=1e-12 * np.abs(x).max())
    assert_allclose(fast.report, plain.report, rtol=1e-12)
    S[3] = S[:, 3] = 0.0
    assert Full(S).factor() != OK
