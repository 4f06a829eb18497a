"""S = L D L^T, and solving with it: sparse, symmetric, positive definite, in a fixed pattern, without pivoting.

Right-looking, by supernodes (`sparse.symbolic_ldl`): the diagonal block of a supernode stays in registers while the
rows below it are read, two at a time, and each product is added where the analysis said. Measured: one column at a time
takes twice as long, loops over the width instead of the formulas of `sparse.supernodes` half as long again.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from linkwork.kernels.jit import kernel
from linkwork.kernels.records import Shape
from linkwork.kernels.sincos import chosen
from linkwork.kernels.sparse.pattern import Floats
from linkwork.kernels.sparse.supernodes import (
    ONE,
    THREE,
    TWO,
    back_block1,
    back_block2,
    back_block3,
    factor_block1,
    factor_block2,
    factor_block3,
    factor_row1,
    factor_row2,
    factor_row3,
    forward_block1,
    forward_block2,
    forward_block3,
    load1,
    load2,
    load3,
    minus_product1,
    minus_product2,
    minus_product3,
    minus_row1,
    minus_row2,
    minus_row3,
)
from linkwork.kernels.sparse.symbolic_ldl import LdlPattern
from linkwork.status import Status

OK = int(Status.OK)
SINGULAR = int(Status.SINGULAR)
NOT_FINITE = int(Status.NOT_FINITE)

LEAST_PIVOT = (
    1e-11  # smallest pivot over diagonal entry of S: the square of 3e-6, the part of a row that is independent
)

# entries of LdlFactors.report
PIVOT, ROW = range(2)


class LdlFactors(NamedTuple):
    """S, and after `factor_ldl` its factors, in the places that a pattern gives them."""

    values: Annotated[Floats, Shape("entries"), "S; then 1 / D, and L without its unit diagonal"]
    work: Annotated[Floats, Shape("n"), "the diagonal of S while factoring, the right side while solving"]
    report: Annotated[
        Floats,
        Shape(2),
        "the smallest pivot, as a share of its diagonal entry, and the row it belongs to (-1: none)",
    ]


def ldl_factors(pattern: LdlPattern, dtype: Any = np.float64) -> LdlFactors:
    """Arrays for a matrix of this pattern and its factors."""
    size = int(pattern.start[-1])
    return LdlFactors(np.zeros(size, dtype), np.zeros(pattern.order.size, dtype), np.array([1.0, -1.0]))


@kernel
def clear_ldl(factors: LdlFactors) -> None:
    """S = 0, before its entries are added up."""
    values = factors.values
    for e in range(values.shape[0]):
        values[e] = 0.0


@kernel
def reciprocal(x: Floats, pivot: Any) -> Any:
    """1 / pivot; a zero pivot is found afterwards (`check_pivots`)."""
    return 1.0 / pivot


@kernel
def eliminate(reciprocal: Any, pattern: LdlPattern, values: Floats) -> None:
    """L D L^T of S in `values`, in place, supernode by supernode.

    reciprocal(values, pivot) : 1 / pivot, or what stands for it where the pivot is too small.
    """
    first = pattern.first
    if pattern.targets.shape[0] > 0:
        for s in range(first.shape[0] - 1):
            width = first[s + 1] - first[s]
            if width == 3:
                eliminate_listed(
                    reciprocal, factor_block3, factor_row3, load3, minus_product3, THREE, pattern, values, s
                )
            elif width == 2:
                eliminate_listed(reciprocal, factor_block2, factor_row2, load2, minus_product2, TWO, pattern, values, s)
            else:
                eliminate_listed(reciprocal, factor_block1, factor_row1, load1, minus_product1, ONE, pattern, values, s)
    else:
        for s in range(first.shape[0] - 1):
            width = first[s + 1] - first[s]
            if width == 3:
                eliminate_searching(
                    reciprocal, factor_block3, factor_row3, load3, minus_product3, THREE, pattern, values, s
                )
            elif width == 2:
                eliminate_searching(
                    reciprocal, factor_block2, factor_row2, load2, minus_product2, TWO, pattern, values, s
                )
            else:
                eliminate_searching(
                    reciprocal, factor_block1, factor_row1, load1, minus_product1, ONE, pattern, values, s
                )


@kernel
def eliminate_listed(
    reciprocal: Any, factor_block: Any, factor_row: Any, load: Any, minus_product: Any, width: Any,
    pattern: LdlPattern, values: Floats, s: int,
) -> None:  # fmt: skip
    """Eliminate supernode s of this width: its columns become columns of L, and what they update, S_ij - (L D)_i L_j^T
    for all rows i >= j below it, is written where `pattern.targets` lists it."""
    targets = pattern.targets
    d, e, t = np.uint64(pattern.first[s]), np.uint64(pattern.start[s]), np.uint64(pattern.update[s])
    count = np.uint64(pattern.below[s + 1]) - np.uint64(pattern.below[s])
    inverse, block = factor_block(reciprocal, values, d, e)
    b = e + width * (width - ONE) // TWO
    p = b
    for _ in range(count // TWO):
        u, f = factor_row(values, p, inverse, block)
        v, g = factor_row(values, p + width, inverse, block)
        j = b
        while j < p:
            h = load(values, j)
            y, z = targets[t], targets[t + ONE]
            values[y] = minus_product(values[y], u, h)
            values[z] = minus_product(values[z], v, h)
            t += TWO
            j += width
        x, y, z = targets[t], targets[t + ONE], targets[t + TWO]
        values[x] = minus_product(values[x], u, f)
        values[y] = minus_product(values[y], v, f)
        values[z] = minus_product(values[z], v, g)
        t += THREE
        p += width + width
    if count % TWO == ONE:
        u, f = factor_row(values, p, inverse, block)
        j = b
        while j < p:
            z = targets[t]
            values[z] = minus_product(values[z], u, load(values, j))
            t += ONE
            j += width
        z = targets[t]
        values[z] = minus_product(values[z], u, f)


@kernel
def eliminate_searching(
    reciprocal: Any, factor_block: Any, factor_row: Any, load: Any, minus_product: Any, width: Any,
    pattern: LdlPattern, values: Floats, s: int,
) -> None:  # fmt: skip
    """`eliminate_listed` without a list: targets are searched for, as every column that supernode s updates has all
    rows of s that come after it."""
    first, start, below, rows = pattern.first, pattern.start, pattern.below, pattern.rows
    d, e = np.uint64(first[s]), np.uint64(start[s])
    low, high = np.uint64(below[s]), np.uint64(below[s + 1])
    inverse, block = factor_block(reciprocal, values, d, e)
    p = e + width * (width - ONE) // TWO + width * (high - low)
    for a in range(high - low):
        p -= width
        u, f = factor_row(values, p, inverse, block)
        i = high - ONE - np.uint64(a)
        j = np.uint64(rows[i])
        values[j] = minus_product(values[j], u, f)
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
            values[y] = minus_product(values[y], u, load(values, l))


@kernel
def factor_ldl(pattern: LdlPattern, factors: LdlFactors, least_pivot: float = LEAST_PIVOT) -> int:
    """Factor S in place.

    least_pivot : smallest pivot allowed, as a share of the row's diagonal entry in S.
    Returns OK; SINGULAR where a row depends on those eliminated before; NOT_FINITE. `factors.report` is written: that
    row and its pivot; after OK, the row with the smallest one.
    """
    values, diagonal = factors.values, factors.work
    for k in range(diagonal.shape[0]):
        diagonal[k] = values[k]
    eliminate(reciprocal, pattern, values)
    return check_pivots(pattern, factors, least_pivot)


@kernel
def check_pivots(pattern: LdlPattern, factors: LdlFactors, least_pivot: float) -> int:
    """OK if all pivots are above `least_pivot` times their diagonal entries. Else the first that is not counts: pivots
    after it are computed from it."""
    values, diagonal, report = factors.values, factors.work, factors.report
    worst, row = 0.0, -1.0
    for k in range(diagonal.shape[0]):
        reciprocal = values[k].real
        share = diagonal[k].real * reciprocal
        if not (reciprocal > 0.0 and share * least_pivot <= 1.0):
            report[PIVOT] = 1.0 / share if abs(share) > 0.0 else 0.0
            report[ROW] = pattern.order[k]
            return SINGULAR if abs(reciprocal) > 0.0 else NOT_FINITE
        larger = share > worst
        worst, row = chosen(larger, share, worst), chosen(larger, float(pattern.order[k]), row)
    report[PIVOT] = 1.0 / worst if worst > 0.0 else 1.0
    report[ROW] = row
    return OK


@kernel
def forward(
    forward_block: Any,
    load: Any,
    minus_product: Any,
    width: Any,
    pattern: LdlPattern,
    values: Floats,
    y: Floats,
    s: int,
) -> None:
    """The part of y := D^-1 L^-1 y that the columns of supernode s do."""
    d, e = np.uint64(pattern.first[s]), np.uint64(pattern.start[s])
    t = forward_block(values, d, e, y)
    p = e + width * (width - ONE) // TWO
    for q in range(pattern.below[s], pattern.below[s + 1]):
        i = pattern.rows[q]
        y[i] = minus_product(y[i], load(values, p), t)
        p += width


@kernel
def back(
    back_block: Any, load: Any, minus_row: Any, width: Any, pattern: LdlPattern, values: Floats, y: Floats, s: int
) -> None:
    """The part of y := L^-T y that the columns of supernode s do."""
    d, e = np.uint64(pattern.first[s]), np.uint64(pattern.start[s])
    t = load(y, d)
    p = e + width * (width - ONE) // TWO
    for q in range(pattern.below[s], pattern.below[s + 1]):
        t = minus_row(t, values, p, y[pattern.rows[q]])
        p += width
    back_block(values, d, e, t, y)


@kernel
def solve_ldl(pattern: LdlPattern, factors: LdlFactors, rhs: Floats, out: Floats) -> None:
    """out = S^-1 rhs with the factors in `factors`; both (n,), rows numbered as in S; they may be the same array."""
    values, y, order, first = factors.values, factors.work, pattern.order, pattern.first
    supernodes = first.shape[0] - 1
    for k in range(y.shape[0]):
        y[k] = rhs[order[k]]
    for s in range(supernodes):
        width = first[s + 1] - first[s]
        if width == 3:
            forward(forward_block3, load3, minus_product3, THREE, pattern, values, y, s)
        elif width == 2:
            forward(forward_block2, load2, minus_product2, TWO, pattern, values, y, s)
        else:
            forward(forward_block1, load1, minus_product1, ONE, pattern, values, y, s)
    for s in range(supernodes - 1, -1, -1):
        width = first[s + 1] - first[s]
        if width == 3:
            back(back_block3, load3, minus_row3, THREE, pattern, values, y, s)
        elif width == 2:
            back(back_block2, load2, minus_row2, TWO, pattern, values, y, s)
        else:
            back(back_block1, load1, minus_row1, ONE, pattern, values, y, s)
    for k in range(y.shape[0]):
        out[order[k]] = y[k]
