"""S = L D L^T, and solving with it: sparse, symmetric, positive definite, in a fixed pattern, without pivoting.

Right-looking, by the pieces of `sparse.symmetric`: a piece's own triangle stays in registers while the rows below
it go by, two at a time, and each product is added where the analysis said. Measured: one column at a time takes
twice as long, loops over the width instead of the formulas of `sparse.narrow` half as long again.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from linkwork.kernels.jit import kernel
from linkwork.kernels.sparse.pattern import Floats
from linkwork.kernels.sparse.supernodes import (
    ONE,
    THREE,
    TWO,
    down1,
    down2,
    down3,
    less1,
    less2,
    less3,
    minus1,
    minus2,
    minus3,
    pivot1,
    pivot2,
    pivot3,
    row1,
    row2,
    row3,
    take1,
    take2,
    take3,
    up1,
    up2,
    up3,
)
from linkwork.kernels.sparse.symbolic_ldl import SymmetricPattern
from linkwork.status import Status

OK = int(Status.OK)
SINGULAR = int(Status.SINGULAR)
NOT_FINITE = int(Status.NOT_FINITE)

LEAST_PIVOT = 1e-11  # of a row's diagonal entry: less left of it, and it depends on others (3e-6 of a row is its own)

# entries of LdlFactors.report
PIVOT, ROW = range(2)


class LdlFactors(NamedTuple):
    """S, and after `factor_ldl` its factors, in the places that a pattern gives them."""

    values: Floats  # S; then 1 / D, and L without its unit diagonal
    work: Floats  # (n,) the diagonal of S while factoring, the right side while solving
    report: Floats  # (2,) the smallest pivot, as a share of its diagonal entry, and the row it belongs to (-1: none)


def ldl_factors(pattern: SymmetricPattern, dtype: Any = np.float64) -> LdlFactors:
    """Room for a matrix of this pattern and its factors."""
    size = int(pattern.start[-1])
    return LdlFactors(np.zeros(size, dtype), np.zeros(pattern.order.size, dtype), np.array([1.0, -1.0]))


@kernel
def clear_ldl(factors: LdlFactors) -> None:
    """Make room for a new matrix, whose entries are to be added up."""
    values = factors.values
    for e in range(values.shape[0]):
        values[e] = 0.0


@kernel
def eliminate(
    pivot: Any, row: Any, take: Any, less: Any, width: Any, pattern: SymmetricPattern, values: Floats, s: int
) -> None:
    """Eliminate piece s, of this width: its columns become columns of L, and update those they share rows with."""
    targets = pattern.targets
    d, e, t = np.uint64(pattern.first[s]), np.uint64(pattern.start[s]), np.uint64(pattern.update[s])
    count = np.uint64(pattern.below[s + 1]) - np.uint64(pattern.below[s])
    pivots, own = pivot(values, d, e)
    b = e + width * (width - ONE) // TWO
    p = b
    for _ in range(count // TWO):
        u, f = row(values, p, pivots, own)
        v, g = row(values, p + width, pivots, own)
        j = b
        while j < p:
            h = take(values, j)
            y, z = targets[t], targets[t + ONE]
            values[y] = less(values[y], u, h)
            values[z] = less(values[z], v, h)
            t += TWO
            j += width
        x, y, z = targets[t], targets[t + ONE], targets[t + TWO]
        values[x] = less(values[x], u, f)
        values[y] = less(values[y], v, f)
        values[z] = less(values[z], v, g)
        t += THREE
        p += width + width
    if count % TWO == ONE:
        u, f = row(values, p, pivots, own)
        j = b
        while j < p:
            z = targets[t]
            values[z] = less(values[z], u, take(values, j))
            t += ONE
            j += width
        z = targets[t]
        values[z] = less(values[z], u, f)


@kernel
def eliminate_searching(
    pivot: Any, row: Any, take: Any, less: Any, width: Any, pattern: SymmetricPattern, values: Floats, s: int
) -> None:
    """Eliminate piece s without a list of targets: the rows of a column updated contain those of the piece."""
    first, start, below, rows = pattern.first, pattern.start, pattern.below, pattern.rows
    d, e = np.uint64(first[s]), np.uint64(start[s])
    low, high = np.uint64(below[s]), np.uint64(below[s + 1])
    pivots, own = pivot(values, d, e)
    p = e + width * (width - ONE) // TWO + width * (high - low)
    for a in range(high - low):
        p -= width
        u, f = row(values, p, pivots, own)
        i = high - ONE - np.uint64(a)
        j = np.uint64(rows[i])
        values[j] = less(values[j], u, f)
        to = pattern.owner[j]
        column = np.uint64(first[to])
        wide = np.uint64(first[to + ONE]) - column
        corner = np.uint64(start[to]) + j - column
        q, z = np.uint64(below[to]), corner + wide * (wide - ONE) // TWO
        l = p
        for r in range(i + ONE, high):
            l += width
            k = np.uint64(rows[r])
            inner = k - column
            if inner < wide:
                y = corner + inner * (inner - ONE) // TWO
            else:
                while rows[q] != k:
                    q += ONE
                    z += wide
                y = z
            values[y] = less(values[y], u, take(values, l))


@kernel
def factor_ldl(pattern: SymmetricPattern, factors: LdlFactors, least_pivot: float = LEAST_PIVOT) -> int:
    """Factor S in place.

    least_pivot   smallest pivot allowed, as a share of the row's diagonal entry in S
    Returns OK; SINGULAR where a row depends on those eliminated before; NOT_FINITE. `factors.report` says which row
    that was; if all went well, which came closest.
    """
    values, diagonal, first = factors.values, factors.work, pattern.first
    for k in range(diagonal.shape[0]):
        diagonal[k] = values[k]
    if pattern.targets.shape[0] > 0:
        for s in range(first.shape[0] - 1):
            width = first[s + 1] - first[s]
            if width == 3:
                eliminate(pivot3, row3, take3, less3, THREE, pattern, values, s)
            elif width == 2:
                eliminate(pivot2, row2, take2, less2, TWO, pattern, values, s)
            else:
                eliminate(pivot1, row1, take1, less1, ONE, pattern, values, s)
    else:
        for s in range(first.shape[0] - 1):
            width = first[s + 1] - first[s]
            if width == 3:
                eliminate_searching(pivot3, row3, take3, less3, THREE, pattern, values, s)
            elif width == 2:
                eliminate_searching(pivot2, row2, take2, less2, TWO, pattern, values, s)
            else:
                eliminate_searching(pivot1, row1, take1, less1, ONE, pattern, values, s)
    return judge(pattern, factors, least_pivot)


@kernel
def judge(pattern: SymmetricPattern, factors: LdlFactors, least_pivot: float) -> int:
    """Whether all pivots are large enough. The first that is not counts: those after it may be its doing."""
    values, diagonal, report = factors.values, factors.work, factors.report
    worst = 0.0
    at = -1
    for k in range(diagonal.shape[0]):
        reciprocal = values[k].real
        share = diagonal[k].real * reciprocal
        if not (reciprocal > 0.0 and share * least_pivot <= 1.0):
            report[PIVOT] = 1.0 / share if abs(share) > 0.0 else 0.0
            report[ROW] = pattern.order[k]
            return SINGULAR if abs(reciprocal) > 0.0 else NOT_FINITE
        if share > worst:
            worst = share
            at = k
    report[PIVOT] = 1.0
    report[ROW] = -1
    if at >= 0:
        report[PIVOT] = 1.0 / worst
        report[ROW] = pattern.order[at]
    return OK


@kernel
def down(
    down_own: Any, take: Any, less: Any, width: Any, pattern: SymmetricPattern, values: Floats, y: Floats, s: int
) -> None:
    """y := D^-1 L^-1 y, as far as piece s goes."""
    d, e = np.uint64(pattern.first[s]), np.uint64(pattern.start[s])
    t = down_own(values, d, e, y)
    p = e + width * (width - ONE) // TWO
    for q in range(pattern.below[s], pattern.below[s + 1]):
        i = pattern.rows[q]
        y[i] = less(y[i], take(values, p), t)
        p += width


@kernel
def up(
    up_own: Any, take: Any, minus: Any, width: Any, pattern: SymmetricPattern, values: Floats, y: Floats, s: int
) -> None:
    """y := L^-T y, as far as piece s goes."""
    d, e = np.uint64(pattern.first[s]), np.uint64(pattern.start[s])
    t = take(y, d)
    p = e + width * (width - ONE) // TWO
    for q in range(pattern.below[s], pattern.below[s + 1]):
        t = minus(t, values, p, y[pattern.rows[q]])
        p += width
    up_own(values, d, e, t, y)


@kernel
def solve_ldl(pattern: SymmetricPattern, factors: LdlFactors, rhs: Floats, out: Floats) -> None:
    """out = S^-1 rhs, both (n,) in the caller's order of rows; they may be the same array."""
    values, y, order, first = factors.values, factors.work, pattern.order, pattern.first
    pieces = first.shape[0] - 1
    for k in range(y.shape[0]):
        y[k] = rhs[order[k]]
    for s in range(pieces):
        width = first[s + 1] - first[s]
        if width == 3:
            down(down3, take3, less3, THREE, pattern, values, y, s)
        elif width == 2:
            down(down2, take2, less2, TWO, pattern, values, y, s)
        else:
            down(down1, take1, less1, ONE, pattern, values, y, s)
    for s in range(pieces - 1, -1, -1):
        width = first[s + 1] - first[s]
        if width == 3:
            up(up3, take3, minus3, THREE, pattern, values, y, s)
        elif width == 2:
            up(up2, take2, minus2, TWO, pattern, values, y, s)
        else:
            up(up1, take1, minus1, ONE, pattern, values, y, s)
    for k in range(y.shape[0]):
        out[order[k]] = y[k]
