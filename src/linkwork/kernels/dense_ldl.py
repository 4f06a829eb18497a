"""S = L D L^T of a dense symmetric positive definite matrix, and solving with it: option matrix="dense", for
comparison.

The same calls and the same test of pivots as `kernels.sparse_ldl`. The lower triangle is stored row by row in a square;
rows are eliminated in the order given, and zeros are multiplied like any number: n^3 / 6 products, whatever the
structure. Decision record 22 says why this one, the sparse one and `kernels.dense_saddle` are three.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from linkwork.kernels.jit import kernel
from linkwork.kernels.records import Shape
from linkwork.kernels.sparse_ldl import LEAST_PIVOT
from linkwork.kernels.tables import Floats, Ints
from linkwork.status import Status

OK, SINGULAR, NOT_FINITE = int(Status.OK), int(Status.SINGULAR), int(Status.NOT_FINITE)


class DenseFactors(NamedTuple):
    """S, and after `factor_dense` its factors."""

    values: Annotated[Floats, Shape("n n"), "entry (k, l), l <= k, at n k + l; then L below the diagonal, 1 / D on it"]
    work: Annotated[Floats, Shape("n")]
    report: Annotated[Floats, Shape(2), "smallest pivot as a share of its diagonal entry, and its row"]


def dense_factors(n: int) -> DenseFactors:
    """Arrays for an n x n matrix and its factors."""
    return DenseFactors(np.zeros(n * n), np.zeros(n), np.array([1.0, -1.0]))


def dense_places(rows: Ints, cols: Ints, n: int) -> Ints:
    """Where entries (rows[e], cols[e]) of either triangle stand in `values`."""
    places: Ints = n * np.maximum(rows, cols) + np.minimum(rows, cols)
    return places


@kernel
def clear_dense(factors: DenseFactors) -> None:
    """S = 0, before its entries are added up."""
    for e in range(factors.values.shape[0]):
        factors.values[e] = 0.0


@kernel
def factor_dense(factors: DenseFactors, least_pivot: float = LEAST_PIVOT) -> int:
    """Factor S in place, row by row: OK, SINGULAR where a pivot is not above `least_pivot` times its diagonal entry of
    S, or NOT_FINITE. `factors.report` is written."""
    a, scaled, report = factors.values, factors.work, factors.report
    n = scaled.shape[0]
    report[0], report[1] = 1.0, -1.0
    for k in range(n):
        row = n * k
        diagonal = a[row + k]
        pivot = diagonal
        for j in range(k):
            other = n * j
            total = a[row + j]
            for i in range(j):
                total -= scaled[i] * a[other + i]
            scaled[j] = total
        for j in range(k):
            share = scaled[j] * a[n * j + j]
            a[row + j] = share
            pivot -= share * scaled[j]
        if not abs(pivot) < 1e300:
            report[1] = k
            return NOT_FINITE
        if not pivot > least_pivot * diagonal:
            report[0], report[1] = pivot / diagonal if diagonal != 0.0 else 0.0, k
            return SINGULAR
        if pivot < report[0] * diagonal:
            report[0], report[1] = pivot / diagonal, k
        a[row + k] = 1.0 / pivot
    return OK


@kernel
def solve_dense(factors: DenseFactors, rhs: Floats, out: Floats) -> None:
    """out = S^-1 rhs, both (n,); they may be the same array."""
    a = factors.values
    n = rhs.shape[0]
    for k in range(n):
        total = rhs[k]
        for j in range(k):
            total -= a[n * k + j] * out[j]
        out[k] = total
    for k in range(n):
        out[k] *= a[n * k + k]
    for k in range(n - 1, -1, -1):
        y = out[k]
        for j in range(k):
            out[j] -= a[n * k + j] * y
