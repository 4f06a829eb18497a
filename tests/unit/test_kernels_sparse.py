"""Sparse LU against NumPy, on saddle matrices such as iteration matrices are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from linkwork.kernels.jit import compiled
from linkwork.kernels.sparse_lu import factor, factors, pattern, refactor, solve, solve_transposed
from linkwork.problems.transposed import MULTIPLY_TRANSPOSED, TransposedEquations
from linkwork.status import Status

OK, SINGULAR = int(Status.OK), int(Status.SINGULAR)


def places(A):
    """Every place of A that holds a number, row by row."""
    rows, cols = np.nonzero(A)
    return rows, cols, A[rows, cols]


def saddle(rng, bodies, rows, density=0.3, mass=(-1.0, 1.0)):
    """[M G^T; G 0]: 6 x 6 mass blocks (10^mass), G of full row rank with at most `rows` rows."""
    nu = 6 * bodies
    M = np.zeros((nu, nu))
    for b in range(bodies):
        M[6 * b : 6 * b + 3, 6 * b : 6 * b + 3] = np.eye(3) * 10 ** rng.uniform(*mass)
        J = rng.standard_normal((3, 3))
        M[6 * b + 3 : 6 * b + 6, 6 * b + 3 : 6 * b + 6] = (J @ J.T + np.eye(3)) * 10 ** rng.uniform(*mass)
    G = rng.standard_normal((rows, nu)) * (rng.random((rows, nu)) < density)
    for k in range(rows):
        G[k, (7 * k) % nu] = 3.0
    return np.block([[M, G.T], [G, np.zeros((rows, rows))]])


class Held:
    """A matrix in a pattern, with its factors; the plain kernels, or compiled ones."""

    def __init__(self, A, kernels=(factor, refactor, solve), structure=None, **options):
        rows, cols, _ = places(A if structure is None else structure)
        self.places = rows, cols
        self.factor, self.refactor, self.solve = kernels
        self.pattern, self.positions = pattern(rows, cols, A.shape[0], **options)
        self.factors = factors(self.pattern)

    def values(self, A):
        values = np.zeros(self.pattern.indices.size)
        for p, a in zip(self.positions, A[self.places], strict=True):
            values[p] += a
        return values

    def solution(self, A, b, again=False):
        if again:
            assert self.refactor(self.pattern, self.values(A), self.factors) == OK
        else:
            assert self.factor(self.pattern, self.values(A), self.factors, 0.1) == OK
        x = np.full(b.size, np.nan)
        self.solve(self.factors, b, x)
        return x


def assert_solves(A, x, b):
    """Backward error: the residual against the sizes of the matrix, the solution and the right side, by row."""
    assert np.max(np.abs(A @ x - b) / (np.abs(A) @ np.abs(x) + np.abs(b))) < 1e-11


@given(st.integers(0, 10**6), st.integers(1, 3), st.integers(0, 9), st.sampled_from((0.1, 0.4)))
def test_saddle_matrices_are_solved_and_solved_again_after_a_change_of_values(seed, bodies, rows, density):
    rng = np.random.default_rng(seed)
    A = saddle(rng, bodies, min(rows, 5 * bodies), density)
    b = rng.standard_normal(A.shape[0])
    keep = b.copy()
    held = Held(A)
    assert_solves(A, held.solution(A, b), b)
    assert_array_equal(b, keep)
    changed = A * (1.0 + 0.2 * rng.uniform(-1.0, 1.0, A.shape))
    x = held.solution(changed, b, again=True)
    assert_solves(changed, x, b)
    assert_allclose(x, np.linalg.solve(changed, b), rtol=1e-7, atol=1e-7 * np.abs(x).max())


@given(st.integers(0, 10**6), st.integers(2, 25))
def test_unsymmetric_matrices_without_a_diagonal_are_solved(seed, n):
    rng = np.random.default_rng(seed)
    A = rng.standard_normal((n, n)) * (rng.random((n, n)) < 0.2)
    np.fill_diagonal(A, 0.0)
    A[np.arange(n), np.roll(np.arange(n), 1)] = 4.0 + rng.random(n)
    b = rng.standard_normal(n)
    assert_solves(A, Held(A).solution(A, b), b)


@given(st.integers(0, 10**6))
def test_a_massless_body_held_by_its_constraints_is_solved(seed):
    rng = np.random.default_rng(seed)
    A = saddle(rng, 2, 6, density=1.0)
    A[:6, :6] = 0.0  # a body without mass or inertia, all of whose motion the six rows lock
    b = rng.standard_normal(A.shape[0])
    x = Held(A).solution(A, b)
    assert_allclose(x, np.linalg.solve(A, b), rtol=1e-6, atol=1e-8 * np.abs(x).max())


@given(st.integers(0, 10**6))
def test_bad_scaling_of_rows_and_columns_is_seen_through(seed):
    rng = np.random.default_rng(seed)
    A = saddle(rng, 2, 6, mass=(-4.0, 3.0))
    n = A.shape[0]
    R, C = 10 ** rng.uniform(-6, 6, n), 10 ** rng.uniform(-6, 6, n)
    x = rng.uniform(0.5, 1.0, n)  # C x_scaled
    scaled = R[:, None] * A * C
    b = R * (A @ x)
    held = Held(scaled)
    for again in (False, True):
        found = held.solution(scaled, b, again) * C
        assert_allclose(found, x, rtol=1e-13 * np.linalg.cond(A))


def test_entries_for_one_place_share_a_position():
    made, positions = pattern([0, 1, 0, 1], [0, 1, 0, 0], 2)
    assert positions[0] == positions[2]
    assert len({*positions.tolist()}) == 3 == made.indices.size


def test_refactoring_gives_the_very_numbers_of_factoring():
    rng = np.random.default_rng(4)
    A = saddle(rng, 3, 12)
    held = Held(A)
    b = rng.standard_normal(A.shape[0])
    assert_allclose(held.solution(A, b), held.solution(A, b, again=True), rtol=1e-13)


def test_solving_in_place_is_allowed():
    rng = np.random.default_rng(4)
    A = saddle(rng, 1, 3)
    held = Held(A)
    b = rng.standard_normal(A.shape[0])
    x = held.solution(A, b)
    held.solve(held.factors, b, b)
    assert_array_equal(b, x)


def test_a_sample_of_the_values_gives_no_more_fill_than_made_up_ones():
    A = saddle(np.random.default_rng(0), 3, 12)
    values = places(A)[2]
    b = np.ones(A.shape[0])
    blind, told = Held(A), Held(A, sample=values)
    assert_allclose(told.solution(A, b), blind.solution(A, b), rtol=1e-8)
    entries = [int(h.factors.Lp[-1]) + int(h.factors.Up[-1]) for h in (told, blind)]
    assert entries[0] <= entries[1]
    assert told.pattern.fill == entries[0]  # the trial eliminates as the kernel does


# what cannot be factored


def test_redundant_rows_are_reported():
    rng = np.random.default_rng(2)
    A = saddle(rng, 2, 6)
    held = Held(A)
    A[-1] = A[-2]
    A[:, -1] = A[:, -2]
    held = Held(A)
    assert held.factor(held.pattern, held.values(A), held.factors, 0.1) == SINGULAR


def test_an_empty_row_or_column_is_reported():
    A = np.array([[1.0, 2.0], [0.0, 0.0]])
    for B in (A, A.T):
        held = Held(B, structure=np.ones((2, 2)))
        assert held.factor(held.pattern, held.values(B), held.factors, 0.1) == SINGULAR
        held = Held(B)  # not even a place
        assert held.factor(held.pattern, held.values(B), held.factors, 0.1) == SINGULAR


def test_after_a_failure_the_same_work_space_serves_again():
    A = saddle(np.random.default_rng(2), 2, 6)
    held = Held(A)
    b = np.ones(A.shape[0])
    assert held.refactor(held.pattern, held.values(A), held.factors) == SINGULAR  # nothing to go by yet
    assert held.factor(held.pattern, held.values(0.0 * A), held.factors, 0.1) == SINGULAR
    assert held.refactor(held.pattern, held.values(A), held.factors) == SINGULAR
    assert_solves(A, held.solution(A, b), b)
    bad = A.copy()
    bad[0, 0] = np.nan
    assert held.refactor(held.pattern, held.values(bad), held.factors) == SINGULAR
    assert held.factor(held.pattern, held.values(bad), held.factors, 0.1) == Status.NOT_FINITE
    assert_solves(A, held.solution(A, b), b)


def test_refactoring_refuses_pivots_that_no_longer_suit():
    A = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 1.0], [0.5, 1.0, 5.0]])
    held = Held(A)
    b = np.ones(3)
    held.solution(A, b)
    first = int(held.pattern.order[0])
    A[first, first] = 1e-6
    assert held.refactor(held.pattern, held.values(A), held.factors) == SINGULAR
    assert_solves(A, held.solution(A, b), b)


@pytest.mark.parametrize("many", [1, 3])
def test_transposed_equations_of_several_right_sides(many):
    rng = np.random.default_rng(5)
    A = saddle(rng, 4, 15)
    A[0, 8] = A[13, 2] = 0.7  # no transpose of itself
    held, b = Held(A), rng.standard_normal((A.shape[0], many))
    assert held.factor(held.pattern, held.values(A), held.factors, 0.1) == OK
    found = b.copy()
    solve_transposed(held.factors, found, np.zeros_like(b))
    assert_allclose(A.T @ found, b, atol=1e-10)
    made = TransposedEquations(held.pattern, many)
    assert made.factor(held.values(A))
    assert_allclose(made.solved_transposed(b), found, rtol=1e-9, atol=1e-12)
    assert_allclose(A.T @ made.solved_transposed(b), b, atol=1e-12)
    assert_allclose(A @ made.solved(b[:, 0]), b[:, 0], atol=1e-12)
    made.numbers.w[:] = b
    assert MULTIPLY_TRANSPOSED(made.table) == OK
    assert_allclose(made.numbers.w, A.T @ b, atol=1e-13)
    assert not made.factor(0.0 * held.values(A))


def test_too_small_a_work_space_is_reported():
    A = np.ones((6, 6)) + 6.0 * np.eye(6)
    held = Held(A)
    assert held.factor(held.pattern, held.values(A), factors(held.pattern, 7), 0.1) == Status.OUT_OF_SPACE
    assert held.factor(held.pattern, held.values(A), factors(held.pattern, 15), 0.1) == OK


@pytest.mark.parametrize(("rows", "cols"), [([0, 2], [0, 0]), ([0], [-1]), ([0, 1], [0])])
def test_places_outside_the_matrix_are_refused(rows, cols):
    with pytest.raises(ValueError):
        pattern(rows, cols, 2)


def test_compiled_and_plain_agree():
    rng = np.random.default_rng(6)
    A = saddle(rng, 4, 15)
    b = rng.standard_normal(A.shape[0])
    plain = Held(A)
    fast = Held(A, kernels=(compiled(factor), compiled(refactor), compiled(solve)))
    for again in (False, True):
        assert_allclose(fast.solution(A, b, again), plain.solution(A, b, again), rtol=1e-9)
    assert_array_equal(fast.factors.row, plain.factors.row)
    assert_array_equal(fast.factors.Li, plain.factors.Li)
    B = 0.0 * A
    assert fast.refactor(fast.pattern, fast.values(B), fast.factors) == SINGULAR
