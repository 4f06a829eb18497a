"""L D L^T of a positive semidefinite matrix that leaves out rows of which nothing is left.

With 1 / D = 0 in place of a pivot that is too small, the column of L becomes zero, nothing is updated by it, and a
solve gives that unknown the value zero: the row is not there. The matrix has a diagonal of ones; how small is too small
stands in the last of `values`, behind the matrix.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.kernels.jit import kernel
from linkwork.kernels.sparse.ldl import LdlFactors, eliminate, eliminate_searching
from linkwork.kernels.sparse.pattern import Floats
from linkwork.kernels.sparse.supernodes import (
    ONE,
    THREE,
    TWO,
    One,
    Three,
    Two,
    less1,
    less2,
    less3,
    row1,
    row2,
    row3,
    take1,
    take2,
    take3,
)
from linkwork.kernels.sparse.symbolic_ldl import SymmetricPattern


def gap_factors(pattern: SymmetricPattern) -> LdlFactors:
    """Room for a matrix of this pattern, and for the limit behind it."""
    size = int(pattern.start[-1])
    return LdlFactors(np.zeros(size + 1), np.zeros(pattern.order.size), np.array([1.0, -1.0]))


@kernel
def reciprocal(x: Floats, pivot: Any) -> Any:
    """1 / pivot, or zero where it is too small."""
    return 1.0 / pivot if pivot > x[x.shape[0] - 1] else 0.0


@kernel
def gap1(x: Floats, d: int, e: int) -> tuple[One, tuple[()]]:
    """`narrow.pivot1` with gaps."""
    a = reciprocal(x, x[d])
    x[d] = a
    return (a,), ()


@kernel
def gap2(x: Floats, d: int, e: int) -> tuple[Two, One]:
    """`narrow.pivot2` with gaps."""
    a = reciprocal(x, x[d])
    u = x[e]
    l = u * a
    b = reciprocal(x, x[d + ONE] - u * l)
    x[d] = a
    x[d + ONE] = b
    x[e] = l
    return (a, b), (l,)


@kernel
def gap3(x: Floats, d: int, e: int) -> tuple[Three, Three]:
    """`narrow.pivot3` with gaps."""
    a = reciprocal(x, x[d])
    u, v = x[e], x[e + ONE]
    l, m = u * a, v * a
    b = reciprocal(x, x[d + ONE] - u * l)
    w = x[e + TWO] - v * l
    k = w * b
    c = reciprocal(x, x[d + TWO] - v * m - w * k)
    x[d] = a
    x[d + ONE] = b
    x[d + TWO] = c
    x[e] = l
    x[e + ONE] = m
    x[e + TWO] = k
    return (a, b, c), (l, m, k)


@kernel
def factor_gaps(pattern: SymmetricPattern, factors: LdlFactors) -> None:
    """Factor in place. Left out are the rows order[k] with values[k] = 0."""
    values, first = factors.values, pattern.first
    if pattern.targets.shape[0] > 0:
        for s in range(first.shape[0] - 1):
            width = first[s + 1] - first[s]
            if width == 3:
                eliminate(gap3, row3, take3, less3, THREE, pattern, values, s)
            elif width == 2:
                eliminate(gap2, row2, take2, less2, TWO, pattern, values, s)
            else:
                eliminate(gap1, row1, take1, less1, ONE, pattern, values, s)
    else:
        for s in range(first.shape[0] - 1):
            width = first[s + 1] - first[s]
            if width == 3:
                eliminate_searching(gap3, row3, take3, less3, THREE, pattern, values, s)
            elif width == 2:
                eliminate_searching(gap2, row2, take2, less2, TWO, pattern, values, s)
            else:
                eliminate_searching(gap1, row1, take1, less1, ONE, pattern, values, s)
