"""L U of the rows of a dense matrix with complete pivoting: which rows are independent, and which unknowns (columns)
they determine.

P A = L U with L unit lower trapezoidal, in the order in which rows and columns were taken.
"""

from __future__ import annotations

from linkwork.kernels.jit import kernel
from linkwork.kernels.tables import Floats, Ints


@kernel
def factor_complete(
    A: Floats, order: Ints, columns: Ints, pivots: Floats, taken: Ints, least: float, fixed: int
) -> int:
    """Factor A (m, n) in place. Returns the rank found, -1 where A is not finite.

    order (m,), columns (n,) : rows and columns as taken; with fixed >= 0 that many of them as they stand, else chosen,
    the largest entry left first as long as it is above `least`. pivots (m,) : written. taken (m,) : 1 for rows that
    may be taken. Row k: L[k, :] in the columns taken before it, U in the others.
    """
    m, n = A.shape
    if fixed < 0:
        for k in range(m):
            order[k] = k
        for c in range(n):
            columns[c] = c
    rank = 0
    for j in range(fixed if fixed >= 0 else min(m, n)):
        if fixed < 0:
            found = bring_largest(A, order, columns, j, taken, least)
            if found < 0:
                return -1
            if found == 0:
                break
        p, d = order[j], columns[j]
        pivots[j] = A[p, d]
        if not abs(pivots[j]) < 1e300:
            return -1
        if pivots[j] == 0.0:
            break
        for i in range(j + 1, m):
            k = order[i]
            if A[k, d] != 0.0:
                share = A[k, d] / pivots[j]
                A[k, d] = share
                for e in range(j + 1, n):
                    A[k, columns[e]] -= share * A[p, columns[e]]
        rank += 1
    return rank


@kernel
def bring_largest(A: Floats, order: Ints, columns: Ints, j: int, taken: Ints, least: float) -> int:
    """Swap the largest entry left to place (j, j): 1, 0 where none is left, -1 where one is not finite."""
    best, at, to = least, -1, -1
    for i in range(j, order.shape[0]):
        k = order[i]
        if taken[k] == 1:
            for e in range(j, columns.shape[0]):
                a = abs(A[k, columns[e]])
                if not a < 1e300:
                    return -1
                if a > best:
                    best, at, to = a, i, e
    if at < 0:
        return 0
    order[j], order[at] = order[at], order[j]
    columns[j], columns[to] = columns[to], columns[j]
    return 1
