"""Joints of three freedoms against Gaussian elimination of 6 x 6 matrices."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from linkwork.formulations.recursive.three_freedom_joints import (
    ANGULAR,
    LINEAR,
    bias_beyond_three,
    eliminate_three,
    half_block,
    rates_of_three,
)

ROW, COLUMN = np.triu_indices(3)


def packed(A: np.ndarray) -> np.ndarray:
    """The 21 numbers of a 6 x 6."""
    return np.r_[A[:3, :3][ROW, COLUMN], A[:3, 3:].ravel(), A[3:, 3:][ROW, COLUMN]]


def random_inertia(rng: np.random.Generator) -> np.ndarray:
    X = rng.normal(size=(6, 6))
    return np.asarray(X @ X.T + 0.1 * np.eye(6))


def case_of(A: np.ndarray) -> Any:
    """The arrays of one link with this inertia."""
    return SimpleNamespace(
        articulated_inertia=packed(A)[None].copy(),
        U_D_inv=np.zeros((3, 6)),
        D_inv=np.zeros(3),
        unconstrained_rate=np.zeros(3),
    )


def halves(first: int) -> tuple[slice, slice]:
    """Where the freedoms are, and where not."""
    return slice(first, first + 3), slice(3 - first, 6 - first)


@given(seed=st.integers(0, 10_000), first=st.sampled_from((ANGULAR, LINEAR)))
def test_elimination_leaves_the_schur_complement(seed: int, first: int) -> None:
    rng = np.random.default_rng(seed)
    A = random_inertia(rng)
    recursion, (mine, other) = case_of(A), halves(first)
    assert eliminate_three(recursion, 0, 0, first)
    rest = np.zeros((6, 6))
    rest[other, other] = A[other, other] - A[other, mine] @ np.linalg.solve(A[mine, mine], A[mine, other])
    assert_allclose(
        recursion.articulated_inertia[0], packed(rest), atol=1e-9 * np.abs(A).max() * np.linalg.cond(A[mine, mine])
    )
    assert_allclose(np.reshape(half_block(recursion.articulated_inertia, 0, first), (3, 3)), rest[other, other], atol=0)
    taken = sum(np.outer(w, w) / over for w, over in zip(recursion.U_D_inv, recursion.D_inv, strict=True))
    assert_allclose(taken + rest, A, atol=1e-12 * np.abs(A).max())


@given(seed=st.integers(0, 10_000), first=st.sampled_from((ANGULAR, LINEAR)))
def test_wrenches_and_twists_are_those_of_the_whole_inertia(seed: int, first: int) -> None:
    """A (V + E rate) + b = wanted where the freedoms are."""
    rng = np.random.default_rng(seed)
    A, b, V, wanted = random_inertia(rng), rng.normal(size=6), rng.normal(size=6), rng.normal(size=3)
    recursion, (mine, other) = case_of(A), halves(first)
    assert eliminate_three(recursion, 0, 0, first)
    size = np.linalg.cond(A[mine, mine])
    left = bias_beyond_three(recursion, 0, first, tuple(wanted), tuple(b[mine]), tuple(b[other]))
    share = np.linalg.solve(A[mine, mine], wanted - b[mine])
    assert_allclose(left, b[other] + A[other, mine] @ share, atol=1e-11 * size)
    rates = np.zeros(5)
    moving = rates_of_three(recursion, 0, first, tuple(V[mine]), tuple(V[other]), rates, 1)
    rate = np.linalg.solve(A[mine, mine], wanted - b[mine] - A[mine] @ V)
    assert_allclose(rates[1:4], rate, atol=1e-11 * size)
    assert_allclose(moving, V[mine] + rate, atol=1e-11 * size)
    assert rates[0] == rates[4] == 0.0


@pytest.mark.parametrize("lost", range(3))
@pytest.mark.parametrize("first", [ANGULAR, LINEAR])
def test_a_freedom_that_moves_nothing_is_refused(first: int, lost: int) -> None:
    A = np.diag([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    A[first + lost, first + lost] = 0.0
    assert not eliminate_three(case_of(A), 0, 0, first)
