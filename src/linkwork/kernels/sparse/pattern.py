"""The fixed pattern of a sparse matrix, its column order, and the work space of its factors (Python side).

Nothing here is compiled: a pattern is analysed once per mechanism, its factors are computed many times.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from linkwork.kernels.records import Length, Shape
from linkwork.kernels.sparse.ordering import best_order
from linkwork.remembered import remembered

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
# unsigned, so that the compiler needs no test for negative (wrapped) indices, and half the memory traffic
Indices = NDArray[np.uint32]

# entries of Factors.counters
L_COUNT, U_COUNT, FACTORED, FACTORIZATIONS, REFACTORIZATIONS = range(5)


class Pattern(NamedTuple):
    """A square sparse matrix's places, column by column (rows ascending within a column)."""

    n: Annotated[int, Length("order")]
    indptr: Annotated[Indices, Shape("n + 1"), "where each column's entries begin"]
    indices: Annotated[Indices, Shape("nnz"), "row of each entry"]
    order: Annotated[Indices, Shape("n"), "order[k]: the column eliminated at step k"]
    prefer: Annotated[Indices, Shape("n"), "the row preferred as pivot at step k"]
    fill: Annotated[int, Length(), "entries of L and U off the diagonal, in a trial"]


class Factors(NamedTuple):
    """P A Q = L U for one pattern, and the work space; L has a unit diagonal, U's is kept inverted.

    Indices of L and U are elimination steps. P takes row `row[k]` of A to step k, Q takes column `order[k]`.
    """

    order: Annotated[Indices, Shape("n"), "column of A at step k"]
    row: Annotated[Indices, Shape("n"), "row of A at step k"]
    step: Annotated[Ints, Shape("n"), "step at which a row of A was taken; -1: not yet"]
    Lp: Annotated[Indices, Shape("n + 1"), "columns of L below the diagonal"]
    Li: Annotated[Indices, Shape("capacity"), "rows of L's entries, column by column"]
    Lx: Annotated[Floats, Shape("capacity"), "L's entries"]
    Up: Annotated[Indices, Shape("n + 1"), "columns of U above the diagonal"]
    Ui: Annotated[Indices, Shape("capacity"), "rows of U's entries, column by column"]
    Ux: Annotated[Floats, Shape("capacity"), "U's entries"]
    pivot: Annotated[Floats, Shape("n"), "1 / U[k, k]"]
    pivot_limit: Annotated[Floats, Shape("n"), "refactoring trusts |pivot| up to here"]
    L_limit: Annotated[Floats, Shape("capacity"), "and |Lx| up to here"]
    entry: Annotated[Indices, Shape("nnz"), "the values of A in order of elimination ..."]
    entry_step: Annotated[Indices, Shape("nnz"), "... and the step of each one's row"]
    row_scale: Annotated[Floats, Shape("n"), "what each row is multiplied by"]
    column_scale: Annotated[Floats, Shape("n"), "what each column is multiplied by"]
    x: Annotated[Floats, Shape("n"), "zero between calls of `factor` and `refactor`"]
    y: Annotated[Floats, Shape("n"), "the right side, while solving"]
    stack: Annotated[Ints, Shape("3 n"), "work space of the search"]
    mark: Annotated[Ints, Shape("n"), "which nodes the search has seen"]
    heads: Annotated[Indices, Shape("n + 1"), "columns of a transpose, while sorting"]
    Ti: Annotated[Indices, Shape("capacity"), "and its entries"]
    Tx: Annotated[Floats, Shape("capacity"), "work space, as U's entries"]
    counters: Annotated[
        Ints, Shape(5), "entries of L and of U, whether factored, factorisations with and without a search for pivots"
    ]


@remembered
def pattern(rows: ArrayLike, cols: ArrayLike, n: int, sample: ArrayLike | None = None) -> tuple[Pattern, Ints]:
    """The pattern of an n x n matrix given by the places of its entries, and where each entry goes.

    rows, cols   (m,)  places; several entries may share one place (their values are to be added)
    sample       (m,)  values to choose the order by; without them numbers are made up. Real ones give less fill
    Returns the pattern and `positions` (m,), so that `values[positions[k]] += x` writes entry k.
    """
    r = np.asarray(rows, dtype=np.int64).ravel()
    c = np.asarray(cols, dtype=np.int64).ravel()
    if r.shape != c.shape:
        raise ValueError(f"rows and cols differ in length: {r.size} and {c.size}")
    if r.size and (min(r.min(), c.min()) < 0 or max(r.max(), c.max()) >= n):
        raise ValueError(f"an entry lies outside the {n} x {n} matrix")
    places = c * n + r
    order = np.argsort(places, kind="stable")  # np.unique would import masked arrays
    first = np.diff(places[order], prepend=-1) > 0
    keys, positions = places[order][first], np.empty(places.size, dtype=np.int64)
    positions[order] = np.cumsum(first) - 1
    indices = keys % n
    indptr = np.zeros(n + 1, dtype=np.int64)
    np.cumsum(np.bincount(keys // n, minlength=n), out=indptr[1:])
    values = None
    if sample is not None:
        values = np.zeros(indices.size)
        np.add.at(values, positions, np.asarray(sample, dtype=np.float64).ravel())
        if not np.all(np.isfinite(values)):
            raise ValueError("sample values must be finite")
    chosen = best_order(n, indptr, indices, values)
    made = Pattern(
        n,
        indptr.astype(np.uint32),
        indices.astype(np.uint32),
        chosen.columns.astype(np.uint32),
        chosen.rows.astype(np.uint32),
        chosen.fill,
    )
    return made, positions


def factors(pattern: Pattern, capacity: int | None = None) -> Factors:
    """Work space for the factors of a matrix of this pattern: `capacity` entries in L and as many in U."""
    n, nnz = pattern.n, pattern.indices.size
    if capacity is None:
        capacity = min(n * (n - 1) // 2, 4 * max(pattern.fill, nnz) + 64)
    capacity = max(capacity, 1)

    def indices(size: int) -> Indices:
        return np.zeros(size, dtype=np.uint32)

    return Factors(
        order=pattern.order.copy(),
        row=indices(n),
        step=np.zeros(n, dtype=np.int64),
        Lp=indices(n + 1),
        Li=indices(capacity),
        Lx=np.zeros(capacity),
        Up=indices(n + 1),
        Ui=indices(capacity),
        Ux=np.zeros(capacity),
        pivot=np.zeros(n),
        pivot_limit=np.zeros(n),
        L_limit=np.zeros(capacity),
        entry=indices(nnz),
        entry_step=indices(nnz),
        row_scale=np.zeros(n),
        column_scale=np.zeros(n),
        x=np.zeros(n),
        y=np.zeros(n),
        stack=np.zeros(3 * n, dtype=np.int64),
        mark=np.zeros(n, dtype=np.int64),
        heads=indices(n + 1),
        Ti=indices(capacity),
        Tx=np.zeros(capacity),
        counters=np.zeros(5, dtype=np.int64),
    )
