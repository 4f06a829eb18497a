"""Rows of a large sparse matrix that do not depend on rows before them, and what the others are made of.

For matrices with many dependent rows: found row by row by sparse elimination, then proved by singular values. Blocks of
null vectors, as `system.rank` iterates on where few rows are dependent, would grow with the mechanism.
"""

from __future__ import annotations

import heapq
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.system.least_change import damped_solver

Array = NDArray[np.float64]
LEFT = 1e-7  # of a row of unit length must be its own; less is taken for rounding, and proved to be
ZERO = 1e-14  # entries below this are dropped while eliminating
BUDGET = 4_000_000  # operations beyond which nothing is found
DAMPING = 1e-12  # less and the factors lose their digits, more and refinement takes longer
TURNS, MET = 8, 1e-12  # of refinement, at most; what ends it


def independent_rows(G: Any) -> NDArray[np.bool_] | None:
    """(n,) which rows of a sparse G (CSR, rows of unit length) to keep; None where elimination fills too much.

    Rows that come first are kept.
    """
    n = G.shape[0]
    keep = np.zeros(n, dtype=bool)
    made: list[tuple[int, list[tuple[int, float]]]] = []  # per row kept: pivot column, other entries over the pivot
    of_column: dict[int, int] = {}  # pivot column -> row kept
    indptr, indices, data = G.indptr.tolist(), G.indices.tolist(), G.data.tolist()
    budget = BUDGET
    for i in range(n):
        row: dict[int, float] = {}
        for e in range(indptr[i], indptr[i + 1]):
            row[indices[e]] = row.get(indices[e], 0.0) + data[e]
        waiting = [of_column[c] for c in row if c in of_column]
        heapq.heapify(waiting)
        while waiting:  # rows kept are zero in the pivots of those before: in their order every pivot goes once
            column, others = made[heapq.heappop(waiting)]
            a = row.pop(column, 0.0)
            if abs(a) < ZERO:
                continue
            budget -= len(others)
            for c, x in others:
                if c in row:
                    row[c] -= a * x
                else:
                    row[c] = -a * x
                    if c in of_column:
                        heapq.heappush(waiting, of_column[c])
        if budget < 0:
            return None
        pivot, largest = -1, LEFT
        for c, x in row.items():
            if abs(x) > largest:
                pivot, largest = c, abs(x)
        if pivot >= 0:
            keep[i] = True
            size = row.pop(pivot)
            of_column[pivot] = len(made)
            made.append((pivot, [(c, x / size) for c, x in row.items() if abs(x) > ZERO]))
    return keep


def combinations(G: Any, keep: NDArray[np.bool_]) -> tuple[Array, float]:
    """C (d, r) with dropped rows = C kept rows, in the least-squares sense, and the largest entry that this misses."""
    kept, dropped = G[np.flatnonzero(keep)], G[np.flatnonzero(~keep)]
    solve = damped_solver(kept, DAMPING)
    C = np.zeros((dropped.shape[0], kept.shape[0]))
    wanted = dropped.toarray()
    rest, missed = wanted, 1.0
    for _ in range(TURNS):
        C += solve(kept @ rest.T).T
        rest = wanted - C @ kept
        missed = float(np.max(np.abs(rest), initial=0.0))
        if missed < MET:
            break
    return C, missed
