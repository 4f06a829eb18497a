"""New numbers for the same pattern and the same pivots, without any search."""

from __future__ import annotations

import numpy as np

from linkwork.kernels.jit import kernel
from linkwork.kernels.sparse.factor import OK, SINGULAR, SINGULAR_TOLERANCE
from linkwork.kernels.sparse.pattern import FACTORED, L_COUNT, REFACTORIZATIONS, Factors, Floats, Pattern


@kernel
def refactor(pattern: Pattern, values: Floats, factors: Factors) -> int:
    """Factor A again with the pivots that `factor` chose.

    Returns SINGULAR where these no longer suit the numbers (a scaled multiplier beyond MULTIPLIER_LIMIT, a
    pivot below SINGULAR_TOLERANCE, or anything not finite): call `factor`, which decides.
    """
    f = factors
    if f.counters[FACTORED] == 0:
        return SINGULAR
    f.counters[REFACTORIZATIONS] += 1
    n = pattern.n
    x, Lx, Li, Lp = f.x, f.Lx, f.Li, f.Lp
    e = 0
    for k in range(n):
        j = f.order[k]
        count = pattern.indptr[j + 1] - pattern.indptr[j]
        for s in range(e, e + count):
            x[f.entry_step[s]] = values[f.entry[s]]
        e += count
        for p in range(f.Up[k], f.Up[k + 1]):
            c = f.Ui[p]
            u = x[c]
            x[c] = 0.0
            f.Ux[p] = u
            for q in range(Lp[c], Lp[c + 1]):
                x[Li[q]] -= Lx[q] * u
        inverse = 1.0 / x[k]
        x[k] = 0.0
        f.pivot[k] = inverse
        for p in range(Lp[k], Lp[k + 1]):
            i = Li[p]
            Lx[p] = x[i] * inverse
            x[i] = 0.0
    unusable = 0
    for k in range(n):
        if not abs(f.pivot[k]) <= f.pivot_limit[k]:
            unusable += 1
    for p in range(f.counters[L_COUNT]):
        if not abs(Lx[p]) <= f.L_limit[p]:
            unusable += 1
    if unusable > 0:
        f.counters[FACTORED] = 0
        return SINGULAR
    return OK


@kernel
def smallest_independence(factors: Factors, first: int) -> float:
    """Estimate of min_k s_k over the rows of J, s_k = |part of row k independent of the other rows| / |row k|, from the
    pivots of the matrix (M, J^T; J, 0) last factored.

    A row with share s multiplies the determinant by s^2: as two pivots of about s where the row was eliminated with a
    column of M and its transpose with a row of it, else as one pivot s^2 on the diagonal.

    first : row and column of the first multiplier.
    """
    f = factors
    least = 1.0
    for k in range(f.pivot.shape[0]):
        pivot = SINGULAR_TOLERANCE * f.pivot_limit[k] / abs(f.pivot[k])
        if f.row[k] == f.order[k] and f.row[k] >= first:
            pivot = np.sqrt(pivot)  # from 0 to 1 a root is no smaller: the minimum decides as it did without it
        least = min(least, pivot)
    return least
