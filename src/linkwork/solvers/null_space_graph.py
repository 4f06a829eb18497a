"""The null-space way with Z from the graph [Mufti 1983, eqs. 40, 54-61, A-4, A-5]: along the tree, then a small QR.

The joints of a spanning tree give Z_t, all motions that they allow (`tree`). What rows of cut joints leave of those is
found in the tree's unknowns alone:

    x = x_0 + Z_t y,    R Z_t y = eta_R - R x_0,    D R Z_t S = L Y^T,    Z = Z_t S Y',  Y' across Y,

by Householder QR of a matrix of rows left times freedoms of the tree, instead of all rows times 6 nb. Z^T M Z is formed
from Z_t^T M Z_t; it is regular wherever the motion is determined, also with bodies that lack inertia about an axis.
Rows that depend on others are not looked for here, but by the problem, as for the other solvers along a tree.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from linkwork.kernels.dense_qr import (
    RowFactors,
    apply_Q,
    apply_Q_transposed,
    factor_rows,
    row_factors,
    solve_lower,
    solve_upper,
)
from linkwork.kernels.dense_saddle import SaddleFactors, factor_saddle, saddle_factors, solve_saddle
from linkwork.kernels.jit import kernel
from linkwork.kernels.tables import Floats, Ints
from linkwork.problems.dependent import expected
from linkwork.problems.explicit import LENGTH
from linkwork.solvers.null_space import LEFT, NEAREST, least_pivot
from linkwork.solvers.singularity_threshold import least_share
from linkwork.solvers.tree.joint import solve_joints
from linkwork.solvers.tree.parts import ALL, Tree, new_tree
from linkwork.solvers.tree.reduced import Reduced, form
from linkwork.solvers.tree.sweeps import (
    begin,
    demand_nothing,
    demands,
    gather,
    imbalance,
    missing,
    move,
    react,
    spread,
)
from linkwork.status import Status
from linkwork.system import CompiledMechanism

OK, SINGULAR, NOT_FINITE = int(Status.OK), int(Status.SINGULAR), int(Status.NOT_FINITE)
PASSES = 2  # as along the tree: the second finds the digits that long chains lose


class Graph(NamedTuple):
    """What the solver keeps besides the tree's tables and the factors; n unknowns of the tree, m rows left."""

    unit: Floats  # (n,) S: one for turning, the mechanism's length for sliding
    scale: Floats  # (m,) D
    size: Floats  # (m,) norms of the rows of R Z_t S when they were first seen
    taken: Ints  # (m,) ones: every row left may be taken
    Z: Floats  # (n, n) Y', one vector to a row, in the units of S
    y: Floats  # (n,) unknowns of the tree
    w: Floats  # (n,) the same in the coordinates (Y, Y')
    e: Floats  # (m,) what rows left miss


def new_arrays(
    mechanism: CompiledMechanism, group: Any, droppable: bool, room: int, *, root: str | None = None
) -> tuple[Any, ...]:
    """Arrays of the solver: a Tree, a Reduced, SaddleFactors, a Graph, RowFactors, SaddleFactors of Z^T M Z."""
    tree, n = new_tree(mechanism, group, droppable, ALL, root)
    m = len(tree.rest)
    space = Reduced(np.zeros((mechanism.nb, 36)), np.zeros(n + m), np.zeros(1), np.zeros(m), np.zeros(m))
    graph = Graph(
        unit=np.ones(n), scale=np.ones(m), size=np.zeros(m), taken=np.ones(m, dtype=np.int64), Z=np.zeros((n, n)),
        y=np.zeros(n), w=np.zeros(n), e=np.zeros(m),
    )  # fmt: skip
    return (*tree, *space, *saddle_factors(n + m), *graph, *row_factors(m, n), *saddle_factors(n))


@kernel
def factorise(
    tables: Any, work: Any, dependent: Any, tree: Tree, space: Reduced, whole: SaddleFactors, graph: Graph,
    rows: RowFactors, free: SaddleFactors,
) -> int:  # fmt: skip
    """Split R Z_t of the placed state, and factor Z^T M Z."""
    status = solve_joints(tables, work, dependent, tree)
    if status != OK:
        return int(status)
    form(tables, work, tree, space, whole)
    n, m = tree.sizes[0], tree.sizes[1]
    set_units(work, tree, graph)
    least, nothing = LEFT, LEFT
    if not expected(dependent):
        nothing = max(dependent.length[2], least_share(work))
        least = min(nothing, least_pivot(tree.usual))
    fill(work, whole, tree, graph, rows, nothing)
    rank = factor_rows(rows, m, n, graph.taken, least, -1)
    if rank < 0:
        return NOT_FINITE
    if rank < m:
        tree.report[0], tree.report[1] = 0.0, tree.left[rows.order[rank]]
        return SINGULAR
    for j in range(m):
        if abs(rows.diagonal[j]) < tree.report[0]:
            tree.report[0], tree.report[1] = abs(rows.diagonal[j]), tree.left[rows.order[j]]
    if tree.usual[0] == 0.0 and (tree.report[0] > NEAREST or not expected(dependent)):
        tree.usual[0] = tree.report[0]
    if tree.report[0] < least_pivot(tree.usual):
        return SINGULAR
    share, row = tree.report[0], tree.report[1]
    status = reduced_inertia(whole, tree, graph, rows, free)
    tree.report[0], tree.report[1] = (share, row) if status == OK else (tree.report[0], -1.0)
    return int(status)


@kernel
def set_units(work: Any, tree: Tree, graph: Graph) -> None:
    """S: unknowns that are velocities along a joint weigh with the mechanism's length."""
    for k in range(tree.body.shape[0]):
        for e in range(6 - tree.held[k]):
            slides = tree.place[k, tree.held[k] + e] >= 3
            graph.unit[tree.col[k, e]] = work.coef[LENGTH].real if slides else 1.0


@kernel
def fill(work: Any, whole: SaddleFactors, tree: Tree, graph: Graph, rows: RowFactors, nothing: Any) -> None:
    """rows.A = D R Z_t S. A row that has shrunk against its first size is not blown up again, nor one that the tree
    leaves next to nothing of: less than the share `nothing` of the row itself."""
    y, m = tree.sizes[0], tree.sizes[1]
    n = y + m
    for q in range(m):
        total = 0.0
        for c in range(y):
            rows.A[q, c] = whole.values[n * c + y + q] * graph.unit[c]
            total += rows.A[q, c] * rows.A[q, c]
        size = np.sqrt(total)
        own = rest_of(tree, q)
        if graph.size[own] == 0.0:
            graph.size[own] = size
        size = max(size, graph.size[own])
        whole_row = size_of(work, tree.left[q])
        if size < nothing * whole_row:
            size = whole_row
        graph.scale[q] = 1.0 / size if size > 0.0 else 1.0
        for c in range(y):
            rows.A[q, c] *= graph.scale[q]


@kernel
def size_of(work: Any, row: Any) -> Any:
    """The norm of a row of J, a radian and the mechanism's length counting alike."""
    total, length = 0.0, work.coef[LENGTH].real
    for c in range(12):
        x = work.J[row, c] * (1.0 if c % 6 < 3 else length)
        total += x * x
    return np.sqrt(total)


@kernel
def rest_of(tree: Tree, q: Any) -> Any:
    """Where the q-th row left stands in `tree.rest`."""
    k = q
    while tree.rest[k] != tree.left[q]:
        k += 1
    return k


@kernel
def reduced_inertia(whole: SaddleFactors, tree: Tree, graph: Graph, rows: RowFactors, free: SaddleFactors) -> int:
    """Y' vector by vector, Z^T M Z in the upper triangle, and its factors."""
    y, m = tree.sizes[0], tree.sizes[1]
    n, count, Z, u, a = y + m, y - m, graph.Z, graph.w, whole.values
    for i in range(count):
        for c in range(y):
            Z[i, c] = 0.0
        Z[i, m + i] = 1.0
        apply_Q(rows, m, Z[i])
    for j in range(count):
        for c in range(y):
            u[c] = 0.0
        for c in range(y):
            own = graph.unit[c] * Z[j, c]
            if own != 0.0:
                u[c] += a[n * c + c] * own
                for d in range(c + 1, y):
                    u[d] += a[n * c + d] * own
        for c in range(y):
            total = 0.0
            for d in range(c + 1, y):
                total += a[n * c + d] * graph.unit[d] * Z[j, d]
            u[c] = (u[c] + total) * graph.unit[c]
        for i in range(j + 1):
            total = 0.0
            for c in range(y):
                total += Z[i, c] * u[c]
            free.values[count * i + j] = total
    return int(factor_saddle(free, count, count, 0.0, tree.report))


@kernel
def solve_system(
    tables: Any, work: Any, dependent: Any, tree: Tree, space: Reduced, whole: SaddleFactors, graph: Graph,
    rows: RowFactors, free: SaddleFactors,
) -> int:  # fmt: skip
    """x and lambda, in the least-squares sense and of least norm for dependent rows."""
    y, m, w, e = tree.sizes[0], tree.sizes[1], graph.w, graph.e
    begin(work, dependent, tree)
    for c in range(y):
        graph.y[c] = 0.0
    for _ in range(PASSES):
        demands(tables, work, tree)  # the tree's rows, then those left, then the bodies' own equations
        for c in range(y):
            graph.y[c] = 0.0
        spread(tree, graph.y)
        move(work, tree)
        demand_nothing(tree)
        for j in range(m):
            k = rows.order[j]
            e[j] = graph.scale[k] * missing(tables, work, tree, tree.left[k])
        solve_lower(rows, m, e)
        for c in range(y):
            w[c] = e[c] if c < m else 0.0
        go(work, tree, graph, rows)
        weigh(tables, work, tree, graph, rows)
        solve_saddle(free, y - m, w[m:])
        for c in range(m):
            w[c] = 0.0
        go(work, tree, graph, rows)
        weigh(tables, work, tree, graph, rows)
        for j in range(m):
            e[j] = w[j]
        solve_upper(rows, m, e)
        for j in range(m):
            k = rows.order[j]
            work.lam[tree.left[k]] += graph.scale[k] * e[j]
    react(tables, work, dependent, tree)
    return OK


@kernel
def go(work: Any, tree: Tree, graph: Graph, rows: RowFactors) -> None:
    """x grows by Z_t S (Y, Y') w."""
    apply_Q(rows, tree.sizes[1], graph.w)
    for c in range(tree.sizes[0]):
        graph.y[c] = graph.unit[c] * graph.w[c]
    spread(tree, graph.y)
    move(work, tree)


@kernel
def weigh(tables: Any, work: Any, tree: Tree, graph: Graph, rows: RowFactors) -> None:
    """w = (Y, Y')^T S Z_t^T (f - M x - R^T lambda)."""
    imbalance(tables, work, tree)
    gather(tree, graph.y)
    for c in range(tree.sizes[0]):
        graph.w[c] = graph.unit[c] * graph.y[c]
    apply_Q_transposed(rows, tree.sizes[1], graph.w)
