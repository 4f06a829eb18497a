"""Which of several dependent rows is left out, for factors with gaps: `kernels.dependence.exchange` on a sparse matrix.

With L D L^T of G G^T and a gap at column d, L^T x = e_d gives the combination of rows that vanishes: x is one at d and
zero in all other rows left out. It has entries only below d in the elimination tree, and is looked for only where its
parents have some, so that the work grows with the length of the loops. A row that counts EXCHANGE_RATIO times as much
as row d is left out in its place, unless a row left out so before takes part: the exchanges then stay independent.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from linkwork.kernels.dependence import EXCHANGE_RATIO
from linkwork.kernels.jit import kernel
from linkwork.kernels.records import Shape
from linkwork.kernels.sparse.pattern import Indices
from linkwork.kernels.sparse.symbolic_ldl import LdlPattern
from linkwork.kernels.tables import Floats, Ints

NOTHING = 1e-10  # of row d's share: rounding
VISITS = 200  # pieces of the tree looked at in one search, times rows: no more exchanges after that


class Exchange(NamedTuple):
    """The elimination tree of pieces, and work space; x and taken are zero between searches."""

    first: Annotated[Indices, Shape("pieces + 1"), "part of `child`"]
    child: Annotated[Indices, Shape("children"), "pieces whose first row below belongs to this one"]
    x: Annotated[Floats, Shape("n"), "a combination, rows by elimination"]
    taken: Annotated[Ints, Shape("n"), "1: left out in exchange for another"]
    seen: Annotated[Ints, Shape("pieces"), "pieces looked at"]


def new_exchange(pattern: LdlPattern) -> Exchange:
    """For a pattern."""
    pieces, n = pattern.first.size - 1, pattern.order.size
    below = pattern.below.astype(np.int64)
    has = np.flatnonzero(np.diff(below) > 0)
    parent = pattern.owner[pattern.rows[below[has]]].astype(np.int64)
    order = np.argsort(parent, kind="stable")
    return Exchange(
        first=np.searchsorted(parent[order], np.arange(pieces + 1)).astype(np.uint32),
        child=has[order].astype(np.uint32),
        x=np.zeros(n),
        taken=np.zeros(n, dtype=np.int64),
        seen=np.zeros(pieces, dtype=np.int64),
    )


@kernel
def exchange_pivots(pattern: LdlPattern, values: Floats, space: Exchange, keep: Ints) -> None:
    """Move the marks in keep (nc,). values : factors with gaps, reciprocal pivots first."""
    x, taken, seen, order = space.x, space.taken, space.seen, pattern.order
    left = VISITS * x.shape[0]
    for d in range(x.shape[0]):
        if values[d] == 0.0 and left > 0:
            count = vanishing(pattern, values, space, d)
            left -= count
            most, at, free = EXCHANGE_RATIO, -1, True
            for q in range(count):
                s = seen[q]
                for k in range(np.int64(pattern.first[s]), np.int64(pattern.first[s + 1])):
                    size = abs(x[k])
                    x[k] = 0.0
                    if size > 0.0 and taken[k] == 1:
                        free = False
                    if size > most:
                        most, at = size, k
            if at >= 0 and free:
                taken[at] = 1
                keep[order[d]] = 1
                keep[order[at]] = 0
    for k in range(taken.shape[0]):
        taken[k] = 0


@kernel
def vanishing(pattern: LdlPattern, values: Floats, space: Exchange, d: int) -> int:
    """Write the combination with one at d into x; how many pieces were looked at, listed in `seen`."""
    x, seen = space.x, space.seen
    x[d] = 1.0
    seen[0] = np.int64(pattern.owner[d])
    combine(pattern, values, x, seen[0], d)
    count, q = 1, 0
    while q < count:
        s = seen[q]
        q += 1
        for c in range(np.int64(space.first[s]), np.int64(space.first[s + 1])):
            child = np.int64(space.child[c])
            if concerned(pattern, x, child):
                combine(pattern, values, x, child, np.int64(pattern.first[child + 1]))
                seen[count] = child
                count += 1
    return count


@kernel
def concerned(pattern: LdlPattern, x: Floats, s: int | np.int64) -> bool:
    """Whether x has entries in the rows below piece s."""
    for q in range(np.int64(pattern.below[s]), np.int64(pattern.below[s + 1])):
        if x[pattern.rows[q]] != 0.0:
            return True
    return False


@kernel
def combine(pattern: LdlPattern, values: Floats, x: Floats, s: int | np.int64, end: int | np.int64) -> None:
    """L^T x = 0 for the columns of piece s before `end`, the last one first."""
    first, below = np.int64(pattern.first[s]), np.int64(pattern.below[s])
    width, high = np.int64(pattern.first[s + 1]) - first, np.int64(pattern.below[s + 1])
    corner = np.int64(pattern.start[s])
    for k in range(end - 1, first - 1, -1):
        total, c = 0.0, k - first
        for i in range(c + 1, width):
            total -= values[corner + i * (i - 1) // 2 + c] * x[first + i]
        place = corner + width * (width - 1) // 2 + c
        for q in range(below, high):
            total -= values[place] * x[pattern.rows[q]]
            place += width
        x[k] = total if abs(total) > NOTHING else 0.0
