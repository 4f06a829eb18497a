"""In which order to eliminate: candidates, and a trial elimination that judges them (Python side, once).

Saddle matrices have zeros on their diagonal where the multipliers stand, so that an order for symmetric
matrices must wait with a multiplier until a neighbouring body has filled its diagonal. For small systems it
pays to look at both rows and columns (Markowitz). None is always best: each is tried on numbers, and the one
with the cheapest factors stays.
"""

from __future__ import annotations

import heapq
import warnings
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

TOLERANCE = 0.1  # pivots against the largest of their column, in trials
SOLVES = 4  # solves for each factorisation, in the cost of an order
MARKOWITZ_SIZE = 400  # unknowns up to which every pivot is searched for
RESTART_SIZE = 150  # unknowns up to which ties in degree are broken in several ways
LARGE = 4000  # unknowns from which only the dependable order is tried
TRIAL_BUDGET = 20_000_000  # operations beyond which a trial is given up
UNTRIED_FILL = 6  # entries of L and U for each of A, where none was tried


class Order(NamedTuple):
    """Columns in order of elimination, the row preferred as pivot in each, and the entries of L and U."""

    columns: Ints
    rows: Ints
    fill: int


class Trial(NamedTuple):
    """What a trial elimination came to."""

    cost: int
    fill: int


def best_order(n: int, indptr: Ints, indices: Ints, sample: Floats | None = None) -> Order:
    """The cheapest of all candidate orders for a pattern, judged on `sample` values (nnz,) or typical ones.

    Remembered: a mechanism is often run again and again, with other numbers in the same pattern.
    """
    if sample is None:
        return _best_order_of(n, np.ascontiguousarray(indptr).tobytes(), np.ascontiguousarray(indices).tobytes())
    return search_order(n, indptr, indices, sample)


@lru_cache(maxsize=64)
def _best_order_of(n: int, indptr: bytes, indices: bytes) -> Order:
    return search_order(n, np.frombuffer(indptr, dtype=np.int64), np.frombuffer(indices, dtype=np.int64), None)


def search_order(n: int, indptr: Ints, indices: Ints, sample: Floats | None) -> Order:
    """Try all candidates."""
    typical = typical_values(n, indptr, indices)
    first: Ints | None = None
    for values in (typical,) if sample is None else (sample, typical):
        best, least = None, TRIAL_BUDGET
        for columns, rows in candidates(n, indptr, indices, values):
            first = columns if first is None else first
            trial = eliminate(n, indptr, indices, values, columns, rows, least)
            if trial is not None and (best is None or trial.cost < least):
                best, least = Order(columns, rows, trial.fill), trial.cost
        if best is not None:
            return best
    # singular whatever the numbers (any order will do to say so), or too large to try
    untried = np.arange(n) if first is None else first
    return Order(untried, untried, UNTRIED_FILL * indices.size)


def typical_values(n: int, indptr: Ints, indices: Ints) -> Floats:
    """Numbers without structure, the diagonal strong where there is one."""
    rng = np.random.default_rng(1)
    values: Floats = rng.uniform(0.5, 1.0, indices.size) * rng.choice((-1.0, 1.0), indices.size)
    values[indices == columns_of(n, indptr)] = 8.0
    return values


def columns_of(n: int, indptr: Ints) -> Ints:
    """The column of every entry."""
    return np.repeat(np.arange(n), np.diff(indptr))


def candidates(n: int, indptr: Ints, indices: Ints, values: Floats) -> Iterator[tuple[Ints, Ints]]:
    """Orders worth a trial, the likeliest first."""
    first = minimum_degree(n, indptr, indices, delay=True)
    if first is not None:
        yield first, first
    if n <= MARKOWITZ_SIZE:
        for lines in (4, n):
            for sizes_decide in (True, False):
                found = markowitz(n, indptr, indices, values, lines, sizes_decide)
                if found is not None:
                    yield found
    if n <= LARGE:
        second = minimum_degree(n, indptr, indices, delay=False)
        if second is not None:
            yield second, second
    if n <= RESTART_SIZE:
        for seed in range(6):
            again = minimum_degree(n, indptr, indices, delay=True, seed=seed)
            if again is not None:
                yield again, again
    if first is None:
        yield from superlu_order(n, indptr, indices, values)


def minimum_degree(
    n: int, indptr: Ints, indices: Ints, delay: bool, seed: int | None = None, budget: int = 40_000_000
) -> Ints | None:
    """Eliminate the unknown with fewest neighbours in the graph of A + A^T; None beyond `budget` operations.

    delay   an unknown without a diagonal entry waits until a neighbour is gone (which fills its diagonal)
    seed    breaks ties at random; None: by number
    """
    neighbours: list[set[int]] = [set() for _ in range(n)]
    ready = [not delay] * n
    for i, j in zip(indices.tolist(), columns_of(n, indptr).tolist(), strict=True):
        if i == j:
            ready[i] = True
        else:
            neighbours[i].add(j)
            neighbours[j].add(i)
    tie = list(range(n)) if seed is None else np.random.default_rng(seed).permutation(n).tolist()
    heap = [(len(neighbours[i]), tie[i], i) for i in range(n) if ready[i]]
    heapq.heapify(heap)
    order: list[int] = []
    gone = [False] * n
    while len(order) < n:
        if not heap:  # nothing left but multipliers without bodies
            heap = [(len(neighbours[i]), tie[i], i) for i in range(n) if not gone[i]]
            heapq.heapify(heap)
        degree, _, i = heapq.heappop(heap)
        if gone[i] or degree != len(neighbours[i]):
            continue
        gone[i] = True
        order.append(i)
        front = neighbours[i]
        budget -= len(front) ** 2
        if budget < 0:
            return None
        for a in front:
            mine = neighbours[a]
            mine |= front
            mine.discard(i)
            mine.discard(a)
            heapq.heappush(heap, (len(mine), tie[a], a))
    return np.array(order, dtype=np.int64)


def superlu_order(n: int, indptr: Ints, indices: Ints, values: Floats) -> Iterator[tuple[Ints, Ints]]:
    """SuperLU's own column order (COLAMD), by way of SciPy, where the graph is too dense for `minimum_degree`.

    Not its orders for symmetric matrices: with zeros on the diagonal its symmetric mode was seen to hang.
    """
    from scipy.sparse import csc_matrix
    from scipy.sparse.csgraph import structural_rank
    from scipy.sparse.linalg import splu

    matrix = csc_matrix((values, indices.astype(np.int32), indptr.astype(np.int32)), shape=(n, n))
    if structural_rank(matrix) < n:  # SuperLU writes to the terminal on those
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            made = splu(matrix, permc_spec="COLAMD", diag_pivot_thresh=TOLERANCE)
        except RuntimeError:  # singular for these values
            return
    columns = np.argsort(made.perm_c).astype(np.int64)
    yield columns, columns


class Elimination:
    """A matrix under elimination: rows as dictionaries, columns as sets of the rows still there."""

    def __init__(self, n: int, indptr: Ints, indices: Ints, values: Floats) -> None:
        self.rows: list[dict[int, float]] = [{} for _ in range(n)]
        self.columns: list[set[int]] = [set() for _ in range(n)]
        for i, j, a in zip(indices.tolist(), columns_of(n, indptr).tolist(), values.tolist(), strict=True):
            self.rows[i][j] = a
            self.columns[j].add(i)
        for row in self.rows:  # scaled as `factor` compares them
            largest = max((abs(a) for a in row.values()), default=0.0)
            if largest > 0.0:
                for j in row:
                    row[j] /= largest

    def largest(self, j: int) -> float:
        """The largest entry of what is left of column j."""
        return max((abs(self.rows[i][j]) for i in self.columns[j]), default=0.0)

    def pivot_on(self, i: int, j: int) -> tuple[int, int]:
        """Eliminate with the pivot in row i and column j; returns the lengths of L's column and U's row."""
        pivot_row = self.rows[i]
        pivot = pivot_row[j]
        others = [(c, a / pivot) for c, a in pivot_row.items() if c != j]
        for c, _ in others:
            self.columns[c].discard(i)
        column = self.columns[j]
        column.discard(i)
        for r in column:
            row = self.rows[r]
            factor = row.pop(j)
            for c, a in others:
                if c in row:
                    row[c] -= factor * a
                else:
                    row[c] = -factor * a
                    self.columns[c].add(r)
        return len(column), len(others)


def eliminate(
    n: int, indptr: Ints, indices: Ints, values: Floats, columns: Ints, rows: Ints, budget: int
) -> Trial | None:
    """Eliminate on numbers as `factor` would, and count; None when singular, or dearer than `budget`."""
    work = Elimination(n, indptr, indices, values)
    cost = fill = 0
    for j, preferred in zip(columns.tolist(), rows.tolist(), strict=True):
        column = work.columns[j]
        largest = work.largest(j)
        if not largest > 1e-12:
            return None
        if preferred in column and abs(work.rows[preferred][j]) >= TOLERANCE * largest:
            i = preferred
        else:
            i = max(column, key=lambda r: abs(work.rows[r][j]))
        below, right = work.pivot_on(i, j)
        fill += below + right
        cost += below * right + SOLVES * (below + right)
        if cost > budget:
            return None
    return Trial(cost, fill)


def markowitz(
    n: int, indptr: Ints, indices: Ints, values: Floats, lines: int, sizes_decide: bool
) -> tuple[Ints, Ints] | None:
    """Pivots with the least (row count - 1) (column count - 1) among those large enough in their column.

    lines         how many short rows and columns are searched for each pivot
    sizes_decide  of equal counts take the larger number
    """
    work = Elimination(n, indptr, indices, values)
    rows_left, columns_left = set(range(n)), set(range(n))
    order: list[int] = []
    prefer: list[int] = []
    for _ in range(n):
        tops: dict[int, float] = {}
        best: tuple[int, float, int, int] | None = None
        short = [(len(work.columns[j]), 0, j) for j in columns_left] + [(len(work.rows[i]), 1, i) for i in rows_left]
        for seen, (count, is_row, line) in enumerate(heapq.nsmallest(lines, short) if lines < n else sorted(short)):
            if best is not None and (best[0] <= (count - 1) ** 2 or (lines < n and seen >= lines)):
                break
            places = [(line, j) for j in work.rows[line]] if is_row else [(i, line) for i in work.columns[line]]
            for i, j in places:
                merit = (len(work.rows[i]) - 1) * (len(work.columns[j]) - 1)
                if best is not None and merit > best[0]:
                    continue
                if j not in tops:
                    tops[j] = work.largest(j)
                size = abs(work.rows[i][j])
                if size <= 1e-12 or size < TOLERANCE * tops[j]:
                    continue
                key = (merit, -size / tops[j] if sizes_decide else 0.0, i, j)
                if best is None or key < best:
                    best = key
        if best is None:
            return None
        _, _, i, j = best
        work.pivot_on(i, j)
        rows_left.discard(i)
        columns_left.discard(j)
        order.append(j)
        prefer.append(i)
    return np.array(order, dtype=np.int64), np.array(prefer, dtype=np.int64)
