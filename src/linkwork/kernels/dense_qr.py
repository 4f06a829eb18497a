"""Rows a_k of a dense matrix as A = L Q^T, by Householder reflections, rows with the largest remaining norm first.

That is QR with column pivoting of A^T. A constraint row has entries for two bodies only, so the range of each row's
entries is kept, and a reflection is applied to rows whose range it meets. For the same reason rows keep their order as
long as their remaining norm squared is at least NEAR times the largest: in the order of a chain there is little
fill-in.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from linkwork.kernels.jit import kernel
from linkwork.kernels.natural import natural
from linkwork.kernels.needed import needed, passed_over
from linkwork.kernels.records import Shape
from linkwork.kernels.sincos import signed
from linkwork.kernels.tables import Floats, Ints

NEAR = 0.1  # of the largest remaining squared norm: a row with as much is taken before later rows
STILL_NEAR = 0.01  # of that: what a recorded step goes on taking, a norm 0.03 times the largest
RECOUNT = 0.01  # a remaining squared norm updated down to this share of its last summation is summed again


class RowFactors(NamedTuple):
    """A (m, n), and after `factor_rows` its factors: r = rank reflections, L below them."""

    A: Annotated[Floats, Shape("m", "n"), "row order[j]: L[j, :j], then reflection j for j < r, or L[j, :r] for j >= r"]
    order: Annotated[Ints, Shape("m"), "rows as they were taken"]
    diagonal: Annotated[Floats, Shape("m"), "L[j, j]"]
    tau: Annotated[Floats, Shape("m"), "reflection j is I - tau v v^T"]
    first: Annotated[Ints, Shape("m"), "entries outside first..last of a row are zero"]
    last: Annotated[Ints, Shape("m")]
    rest: Annotated[Floats, Shape("m"), "squared norm of a row after the reflections so far"]
    counted: Annotated[Floats, Shape("m"), "the same when it was last summed from the entries"]


def row_factors(m: int, n: int) -> RowFactors:
    """Arrays for m rows of n entries."""
    return RowFactors(
        A=np.zeros((m, n)),
        order=np.arange(m, dtype=np.int64),
        diagonal=np.zeros(m),
        tau=np.zeros(m),
        first=np.zeros(m, dtype=np.int64),
        last=np.zeros(m, dtype=np.int64),
        rest=np.zeros(m),
        counted=np.zeros(m),
    )


@kernel
def factor_rows(f: RowFactors, m: int, n: int, taken: Ints, least: float, fixed: int) -> int:
    """Factor the leading m x n part of f.A in place. Returns the rank found, -1 where A is not finite.

    taken (m,) : 1 for rows that may be taken as independent, 2 for rows that are, whatever is left of them: they are
        taken before all others. least : the norm that a row must have left.
    fixed : take that many rows in the order that stands in f.order, whatever is left of them; -1: choose.
    """
    first = 0
    for k in range(m):
        if not measure_row(f, k, n):
            return -1
        if fixed < 0:
            i = k
            if taken[k] == 2:
                while i > first:
                    f.order[i] = f.order[i - 1]
                    i -= 1
                first += 1
            f.order[i] = k
    rank = 0
    for j in range(fixed if fixed >= 0 else min(m, n)):
        if fixed < 0 and j >= first and not bring_forward(f, j, m, taken, least):
            break
        reflect(f, j, m)
        rank += 1
    return rank


@kernel
def measure_row(f: RowFactors, k: int, n: int) -> bool:
    """Range of the nonzero entries of row k, and its squared norm. False where that is not finite."""
    low, high, total = n, -1, 0.0
    for c in range(n):
        a = f.A[k, c]
        if needed(a != 0.0):
            total += a * a
            high = c
            low = min(low, c)
    f.first[k], f.last[k], f.rest[k], f.counted[k] = low, high, total, total
    return bool(total < 1e300)


@kernel
def bring_forward(f: RowFactors, j: int, m: int, taken: Ints, least: float) -> bool:
    """Move a row with a large remaining norm to place j, keeping the order of the others. False where none is left."""
    largest = 0.0
    for i in range(j, m):
        k = f.order[i]
        if taken[k] == 1:
            largest = max(largest, f.rest[k])
    if not largest > least * least:
        return False
    limit = max(NEAR * largest, least * least)
    i = j
    while taken[f.order[i]] == 0 or passed_over(f.rest[f.order[i]], min(limit, largest), least * least, STILL_NEAR):
        i += 1
    k = f.order[i]
    while i > j:
        f.order[i] = f.order[i - 1]
        i -= 1
    f.order[j] = k
    return True


@kernel
def reflect(f: RowFactors, j: int, m: int) -> None:
    """Householder reflection j from the row at place j, applied to the rows behind it."""
    A, p, j = f.A, natural(f.order[j]), natural(j)
    high = natural(max(f.last[p], j))
    f.last[p] = high
    size = np.sqrt(product(A, p, A, p, j, high))
    f.diagonal[j], f.tau[j] = 0.0, 0.0
    if size == 0.0:
        return
    alpha = signed(-size, A[p, j] > 0.0)
    A[p, j] -= alpha
    tau = -1.0 / (alpha * A[p, j])
    f.diagonal[j], f.tau[j] = alpha, tau
    for i in range(j + 1, m):
        k = natural(f.order[i])
        first, last = f.first[k], f.last[k]
        if first <= high and last >= j:
            share = tau * product(A, p, A, k, max(j, first), min(high, last))
            if needed(share != 0.0):
                for c in range(j, high + 1):
                    A[k, c] -= share * A[p, c]
                first, last = min(first, j), max(last, high)
                f.first[k], f.last[k] = first, last
            rest = f.rest[k] - A[k, j] * A[k, j]
            if needed(rest < RECOUNT * f.counted[k]):
                rest = product(A, k, A, k, j + 1, last)
                f.counted[k] = rest
            f.rest[k] = rest


@kernel
def product(A: Floats, p: int, B: Floats, k: int, low: int, high: int) -> float:
    """Dot product of row p of A and row k of B over columns low..high, in four independent sums."""
    s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
    c = natural(low)
    while c + 3 <= high:
        s0 += A[p, c] * B[k, c]
        s1 += A[p, c + 1] * B[k, c + 1]
        s2 += A[p, c + 2] * B[k, c + 2]
        s3 += A[p, c + 3] * B[k, c + 3]
        c = natural(c + 4)
    while c <= high:
        s0 += A[p, c] * B[k, c]
        c = natural(c + 1)
    return (s0 + s1) + (s2 + s3)


@kernel
def lower(f: RowFactors, rank: int, j: int, i: int) -> Any:
    """L[j, i], rows in the order taken, i < rank."""
    if j < rank and i >= j:
        return f.diagonal[j] if i == j else 0.0 * f.diagonal[j]
    return f.A[f.order[j], i]


@kernel
def apply_Q_transposed(f: RowFactors, rank: int, w: Floats) -> None:
    """w (n,) becomes Q^T w: its first `rank` components are those in the span of the rows."""
    for j in range(rank):
        apply_reflection(f, j, w)


@kernel
def apply_Q(f: RowFactors, rank: int, w: Floats) -> None:
    """w (n,) becomes Q w, by the reflections in f."""
    for j in range(rank - 1, -1, -1):
        apply_reflection(f, j, w)


@kernel
def apply_reflection(f: RowFactors, j: int, w: Floats) -> None:
    """w (n,) becomes (I - tau v v^T) w with reflection j."""
    p = natural(f.order[j])
    total = 0.0
    for c in range(j, f.last[p] + 1):
        total += f.A[p, c] * w[c]
    share = f.tau[j] * total
    if needed(share != 0.0):
        for c in range(j, f.last[p] + 1):
            w[c] -= share * f.A[p, c]


@kernel
def solve_lower(f: RowFactors, rank: int, c: Floats) -> None:
    """c[:rank] becomes L^-1 c, L by its first `rank` rows."""
    for j in range(rank):
        total = c[j]
        p = f.order[j]
        for i in range(j):
            total -= f.A[p, i] * c[i]
        c[j] = total / f.diagonal[j]


@kernel
def solve_upper(f: RowFactors, rank: int, c: Floats) -> None:
    """c[:rank] becomes L^-T c, by back substitution."""
    for j in range(rank - 1, -1, -1):
        c[j] /= f.diagonal[j]
        p = f.order[j]
        for i in range(j):
            c[i] -= f.A[p, i] * c[j]
