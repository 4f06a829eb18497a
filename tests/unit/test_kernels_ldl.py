"""Sparse L D L^T against NumPy, on matrices J M^-1 J^T such as constraint rows give."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from linkwork.kernels.jit import compiled
from linkwork.kernels.sparse import symbolic_ldl
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
LISTED, SEARCHED = symbolic_ldl.MOST_UPDATES, 0


def rows_of(joints, width):
    """Which rows act on each body; joints: pairs of bodies, each of `width` rows. Ground is body -1."""
    bodies: dict[int, list[int]] = {}
    for k, pair in enumerate(joints):
        for body in pair:
            if body >= 0:
                bodies.setdefault(body, []).extend(range(width * k, width * k + width))
    return width * len(joints), list(bodies.values())


def range_space(rng, n, groups, least=0.5):
    """J M^-1 J^T of n rows, those of each group on one body; `least` of every row is its own."""
    S = least * np.eye(n)
    for group in groups:
        J = rng.standard_normal((len(group), 6))
        S[np.ix_(group, group)] += J * 10 ** rng.uniform(-1.0, 1.0, 6) @ J.T
    return S


def random_groups(rng, n, count):
    return [sorted(rng.choice(n, size=rng.integers(1, min(n, 7) + 1), replace=False)) for _ in range(count)]


CHAIN = rows_of([(k - 1, k) for k in range(6)], 3)
RING = rows_of([(k, (k + 1) % 7) for k in range(7)], 5)
TREE = rows_of([(-1, 0), (0, 1), (0, 2), (0, 3), (1, 4), (1, 5), (3, 6)], 4)
LEGS = rows_of([pair for k in range(6) for pair in ((-1, 2 * k), (2 * k, 2 * k + 1), (2 * k + 1, 12))], 4)


class Held:
    """A matrix in a pattern, with its factors; the plain kernels, or compiled ones."""

    def __init__(self, S, most_updates=LISTED, kernels=(factor_ldl, solve_ldl), structure=None, dtype=float):
        self.entries = np.nonzero(np.tril(S if structure is None else structure))
        self.factor_kernel, self.solve_kernel = kernels
        self.pattern, self.where = ldl_pattern(*self.entries, S.shape[0], most_updates)
        self.factors = ldl_factors(self.pattern, dtype)

    def factor(self, S, least_pivot=LEAST_PIVOT):
        clear_ldl(self.factors)
        np.add.at(self.factors.values, self.where, S[self.entries])
        with np.errstate(all="ignore"):  # zero pivots are divided by, and judged afterwards
            return self.factor_kernel(self.pattern, self.factors, least_pivot)

    def solve(self, b):
        x = np.full_like(b, np.nan)
        self.solve_kernel(self.pattern, self.factors, b, x)
        return x

    def solution(self, S, b):
        assert self.factor(S) == OK
        return self.solve(b)

    def lower(self):
        """L as a dense matrix, and D."""
        n = self.pattern.order.size
        i, j = np.tril_indices(n, -1)
        L = np.eye(n)
        held = self.held()[i, j]
        L[i[held], j[held]] = self.factors.values[symbolic_ldl.places(self.pattern, i[held], j[held])]
        return L, 1.0 / self.factors.values[:n]

    def held(self):
        """Which entries of the lower triangle of L have a place."""
        p = self.pattern
        n = p.order.size
        places = np.eye(n, dtype=bool)
        for s, (low, high) in enumerate(itertools.pairwise(p.first.tolist())):
            for k in range(low, high):
                places[k:high, k] = True
                places[p.rows[p.below[s] : p.below[s + 1]], k] = True
        return places


def naive_fill(S, order):
    """Places of L by elimination of S, entry by entry."""
    places = (S != 0)[np.ix_(order, order)]
    for k in range(len(order)):
        below = k + 1 + np.nonzero(places[k + 1 :, k])[0]
        places[np.ix_(below, below)] = True
    return np.tril(places)


# solutions


@pytest.mark.parametrize("most_updates", [LISTED, SEARCHED])
@given(st.integers(0, 10**6), st.integers(1, 24), st.integers(0, 12))
def test_random_patterns_are_solved(most_updates, seed, n, bodies):
    rng = np.random.default_rng(seed)
    groups = random_groups(rng, n, bodies)
    held = Held(range_space(rng, n, groups), most_updates)
    for _ in range(2):  # the same pattern with other numbers
        S, b = range_space(rng, n, groups), rng.standard_normal(n)
        x = np.linalg.solve(S, b)
        assert_allclose(held.solution(S, b), x, rtol=1e-10, atol=1e-10 * np.abs(x).max())


@pytest.mark.parametrize("most_updates", [LISTED, SEARCHED])
@pytest.mark.parametrize(("n", "groups"), [CHAIN, RING, TREE, LEGS, (36, [list(range(36))])])
def test_the_factors_multiply_to_the_matrix(n, groups, most_updates):
    S = range_space(np.random.default_rng(3), n, groups)
    held = Held(S, most_updates)
    assert held.factor(S) == OK
    L, D = held.lower()
    order = held.pattern.order
    assert_allclose(L * D @ L.T, S[np.ix_(order, order)], rtol=1e-12, atol=1e-12)
    shares = D / np.diag(S)[order]
    assert held.factors.report[PIVOT] == pytest.approx(shares.min(), rel=1e-12)
    assert held.factors.report[ROW] == order[shares.argmin()]


@given(st.integers(0, 10**6), st.integers(1, 20), st.integers(0, 10))
def test_there_is_a_place_for_every_entry_of_the_factor_and_for_no_other(seed, n, bodies):
    rng = np.random.default_rng(seed)
    S = range_space(rng, n, random_groups(rng, n, bodies))
    held = Held(S)
    assert_array_equal(held.held(), naive_fill(S, held.pattern.order))
    assert held.factors.values.size == held.held().sum()
    i, j = np.nonzero(held.held())
    assert sorted(symbolic_ldl.places(held.pattern, i, j).tolist()) == list(range(i.size))


def test_entries_of_one_place_in_either_triangle_share_it():
    made, where = ldl_pattern([0, 2, 0, 0, 2], [2, 0, 0, 2, 2], 3)
    assert where[0] == where[1] == where[3]
    assert made.order[where[2]] == 0
    assert made.order[where[4]] == 2


def test_the_right_side_may_be_overwritten_and_otherwise_is_kept():
    S = range_space(np.random.default_rng(0), *CHAIN)
    b = np.arange(1.0, 19.0)
    keep = b.copy()
    held = Held(S)
    x = held.solution(S, b)
    assert_array_equal(b, keep)
    held.solve_kernel(held.pattern, held.factors, b, b)
    assert_array_equal(b, x)


def test_no_rows_at_all():
    for most_updates in (LISTED, SEARCHED):
        held = Held(np.zeros((0, 0)), most_updates)
        assert held.factor(np.zeros((0, 0))) == OK
        assert_array_equal(held.factors.report, [1.0, -1.0])
        assert held.solve(np.zeros(0)).size == 0


def test_rows_that_no_entry_names_have_a_place_on_the_diagonal():
    made, where = ldl_pattern([], [], 4)
    factors = ldl_factors(made)
    factors.values[:] = np.array([1.0, 2.0, 4.0, 8.0])[made.order]
    assert where.size == 0
    assert factor_ldl(made, factors) == OK
    x = np.ones(4)
    solve_ldl(made, factors, x, x)
    assert_array_equal(x, [1.0, 0.5, 0.25, 0.125])


def test_separate_mechanisms_do_not_touch_each_other():
    rng = np.random.default_rng(1)
    n, groups = CHAIN
    mixed = rng.permutation(2 * n)  # the rows of two chains, shuffled
    both = [sorted(mixed[[i + side * n for i in group]]) for group in groups for side in (0, 1)]
    S = range_space(rng, 2 * n, both)
    held = Held(S)
    b = np.zeros(2 * n)
    b[mixed[:n]] = 1.0
    x = held.solution(S, b)
    assert_array_equal(x[mixed[n:]], 0.0)
    assert_allclose(x, np.linalg.solve(S, b), rtol=1e-10, atol=1e-14)


# patterns


def test_chains_and_trees_have_no_fill_and_rings_at_most_as_much_again():
    for joints, growth in (
        ([(k - 1, k) for k in range(200)], 1.0),
        ([((k - 1) // 2, k) for k in range(1, 200)], 1.0),
        ([(k, (k + 1) % 200) for k in range(200)], 2.0),
    ):
        n, groups = rows_of(joints, 5)
        entries = np.array(sorted({(a, b) for g in groups for a in g for b in g if a >= b}))
        made, _ = ldl_pattern(entries[:, 0], entries[:, 1], n)
        assert entries.shape[0] <= made.start[-1] <= growth * entries.shape[0]


def test_the_same_places_give_the_same_pattern():
    S = range_space(np.random.default_rng(0), *LEGS)
    for a, b in zip(Held(S).pattern, Held(S).pattern, strict=True):
        assert_array_equal(a, b)


def test_a_graph_too_dense_to_order_is_solved_in_the_order_at_hand(monkeypatch):
    monkeypatch.setattr(symbolic_ldl, "ORDER_BUDGET", 3)
    S = range_space(np.random.default_rng(5), *RING)
    b = np.ones(S.shape[0])
    assert_allclose(Held(S).solution(S, b), np.linalg.solve(S, b), rtol=1e-10)


@pytest.mark.parametrize(("rows", "cols"), [([0, 2], [0, 0]), ([0], [-1]), ([0, 1], [0])])
def test_places_outside_the_matrix_are_refused(rows, cols):
    with pytest.raises(ValueError):
        ldl_pattern(rows, cols, 2)


# what cannot be factored


@pytest.mark.parametrize("most_updates", [LISTED, SEARCHED])
@given(st.integers(0, 10**6), st.integers(0, 17), st.integers(0, 17))
def test_a_row_that_repeats_another_is_found_and_named(most_updates, seed, a, b):
    rng = np.random.default_rng(seed)
    S = range_space(rng, *CHAIN)
    if a == b:
        S[a] = S[:, a] = 0.0
    else:
        S[a] = 3.0 * S[b]
        S[:, a] = 3.0 * S[:, b]
        S[a, a] = 9.0 * S[b, b]
    held = Held(S, most_updates)
    assert held.factor(S) == SINGULAR
    assert held.factors.report[ROW] in (a, b)
    assert abs(held.factors.report[PIVOT]) < LEAST_PIVOT


@pytest.mark.parametrize("scale", [1e-8, 1.0, 1e8])
@pytest.mark.parametrize(("share", "status"), [(1e-13, SINGULAR), (0.9e-11, SINGULAR), (1.1e-11, OK), (1e-9, OK)])
def test_nearly_dependent_rows_are_judged_by_how_much_is_their_own(share, status, scale):
    rng = np.random.default_rng(0)
    J = np.zeros((7, 12))
    J[:5, 2:] = rng.standard_normal((5, 10))
    J[5, 0] = 1.0
    J[6, :2] = scale, scale * np.sqrt(share)  # almost the direction of the row before it
    mixed = rng.permutation(7)
    J[mixed] = J.copy()
    held = Held(J @ J.T, structure=np.ones((7, 7)))
    assert held.factor(J @ J.T) == status
    assert held.factors.report[ROW] in mixed[5:]
    assert held.factors.report[PIVOT] == pytest.approx(share, rel=1e-3 if share > 1e-12 else 1e-2)


@pytest.mark.parametrize("most_updates", [LISTED, SEARCHED])
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_is_reported_wherever_it_stands(bad, most_updates):
    n, groups = rows_of([(-1, 0), (0, 1), (1, 2)], 2)
    S = range_space(np.random.default_rng(0), n, groups)
    held = Held(S, most_updates)
    for i, j in zip(*held.entries, strict=True):
        spoilt = S.copy()
        spoilt[i, j] = bad
        assert held.factor(spoilt) == NOT_FINITE
    b = np.ones(n)
    assert_allclose(held.solution(S, b), np.linalg.solve(S, b), rtol=1e-12)  # nothing is left of it


def test_indefinite_matrices_and_empty_diagonals_are_refused():
    for S in (np.array([[1.0, 2.0], [2.0, 1.0]]), -np.eye(2), np.zeros((2, 2)), np.array([[0.0, 1.0], [1.0, 0.0]])):
        held = Held(S, structure=np.ones((2, 2)))
        assert held.factor(S) == SINGULAR
    assert Held(np.eye(2), structure=np.ones((2, 2))).factor(np.array([[1.0, 0.0], [0.5, 1.0]])) == OK


# one source


@pytest.mark.parametrize("most_updates", [LISTED, SEARCHED])
def test_complex_numbers_give_derivatives(most_updates):
    rng = np.random.default_rng(8)
    S, T = range_space(rng, *RING), range_space(rng, *RING)
    b = rng.standard_normal(S.shape[0])
    x = np.linalg.solve(S, b)
    held = Held(S, most_updates, dtype=complex)
    found = held.solution(S + 1e-40j * T, b + 0j)
    assert_allclose(found.real, x, rtol=1e-10)
    assert_allclose(found.imag / 1e-40, -np.linalg.solve(S, T @ x), rtol=1e-9, atol=1e-12)


def load_exact(held, seed):
    """A matrix whose factors are whole numbers and powers of two, so that nothing is ever rounded, into `held`."""
    rng = np.random.default_rng(seed)
    n = held.pattern.order.size
    i, j = np.nonzero(held.held())
    L = np.eye(n)
    L[i, j] = np.where(i == j, 1, rng.integers(-1, 2, i.size))
    S = L * 2.0 ** rng.integers(0, 3, n) @ L.T
    held.factors.values[symbolic_ldl.places(held.pattern, i, j)] = S[i, j]
    step = np.argsort(held.pattern.order)
    return S[np.ix_(step, step)]


def test_compiled_and_plain_agree_to_the_last_bit_where_nothing_is_rounded():
    kernels = compiled(factor_ldl), compiled(solve_ldl)
    rng = np.random.default_rng(6)
    for (n, groups), most_updates in itertools.product((CHAIN, TREE, RING), (LISTED, SEARCHED)):
        structure = range_space(rng, n, groups)
        x = rng.integers(-9, 10, n).astype(float)
        plain, fast = (Held(structure, most_updates, kernels=k) for k in ((factor_ldl, solve_ldl), kernels))
        for held in (plain, fast):
            S = load_exact(held, n)
            assert held.factor_kernel(held.pattern, held.factors) == OK
            assert_array_equal(held.solve(S @ x), x)
        assert_array_equal(fast.factors.values, plain.factors.values)
        assert_array_equal(fast.factors.report, plain.factors.report)
        for held in (plain, fast):
            spoilt = structure.copy()
            spoilt[0] = spoilt[:, 0] = 0.0
            assert held.factor(spoilt) == SINGULAR
            assert_array_equal(held.factors.report, [0.0, 0.0])
            spoilt[1, 1] = np.nan
            assert held.factor(spoilt) in (SINGULAR, NOT_FINITE)
            spoilt[0, 0] = 1.0
            assert held.factor(spoilt) == NOT_FINITE
