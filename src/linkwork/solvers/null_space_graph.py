"""The null-space way with Z from the graph [Mufti 1983, eqs. 40, 54-61, A-4, A-5]: along the tree, then a small QR.

The joints of a spanning tree give Z_t, all motions that they allow (`tree`). Those that the rows of cut joints
allow, too, are found in the unknowns of the tree alone:

    x = x_0 + Z_t y,    R Z_t y = eta_R - R x_0,    D R Z_t S = L Y^T,    Z = Z_t S Y',  Y' across Y,

by Householder QR of a matrix of kept rows times freedoms of the tree, instead of all rows times 6 nb. Z^T M Z is formed
from Z_t^T M Z_t; it is regular wherever the motion is determined, also with bodies that lack inertia about an axis.
Dependent rows are detected by the problem, as for the other solvers along a tree.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

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
from linkwork.kernels.records import Shape, new_record
from linkwork.kernels.tables import Floats, Ints
from linkwork.problems.dependent import Dependent, expected
from linkwork.problems.entry import entry
from linkwork.problems.explicit import Work
from linkwork.problems.explicit_context import DEPENDENT, TABLES, WORK
from linkwork.problems.layout import slots
from linkwork.solvers.choice import ALL
from linkwork.solvers.null_space import IMPLIED, TRUSTED, smallest_trusted
from linkwork.solvers.residuals import row_residual
from linkwork.solvers.singularity_threshold import independence_threshold
from linkwork.solvers.tree.joint import solve_joints
from linkwork.solvers.tree.parts import Tree, new_tree
from linkwork.solvers.tree.reduced import Reduced, form
from linkwork.solvers.tree.sweeps import (
    add_to_solution,
    backward_pass,
    clear_particular_rates,
    forward_pass,
    multipliers_of_taken_rows,
    particular_rates,
    residual_of_bodies,
    start,
)
from linkwork.status import Status
from linkwork.system import CompiledMechanism
from linkwork.system.packed import Tables

OK, SINGULAR, NOT_FINITE = int(Status.OK), int(Status.SINGULAR), int(Status.NOT_FINITE)
PASSES = 2  # as along the tree: the second removes the rounding that long chains amplify


class Graph(NamedTuple):
    """What the solver keeps besides the arrays of the tree and the factors; n unknowns of the tree, m kept rows."""

    scale: Annotated[Floats, Shape("n"), "S: one for angles, the mechanism's length for translations"]
    row_scale: Annotated[Floats, Shape("m"), "D"]
    first_norm: Annotated[Floats, Shape("m"), "norms of the rows of R Z_t S in the first matrix"]
    allowed: Annotated[Ints, Shape("m"), "ones: every kept row may be taken as independent"]
    Z: Annotated[Floats, Shape("n", "n"), "Y', one vector per row, scaled by S"]
    y: Annotated[Floats, Shape("n"), "unknowns of the tree"]
    w: Annotated[Floats, Shape("n"), "the same in the coordinates (Y, Y')"]
    e: Annotated[Floats, Shape("m"), "residual of the kept rows"]


def new_arrays(
    mechanism: CompiledMechanism, group: Ints, droppable: bool, room: int, *, root: str | None = None
) -> tuple[Any, ...]:
    """Records of the solver: Tree, Reduced, SaddleFactors, Graph, RowFactors, SaddleFactors of Z^T M Z."""
    tree, n = new_tree(mechanism, group, droppable, ALL, root)
    m = len(tree.other_rows)
    space = new_record(Reduced, nb=mechanism.nb, n=n, m=m)
    given = {"scale": np.ones(n), "row_scale": np.ones(m), "allowed": np.ones(m, dtype=np.int64)}
    graph = new_record(Graph, given=given, n=n, m=m)
    return tree, space, saddle_factors(n + m), graph, row_factors(m, n), saddle_factors(n)


@kernel
def factorise(
    tables: Tables, work: Work, dependent: Dependent, tree: Tree, space: Reduced, whole: SaddleFactors, graph: Graph,
    rows: RowFactors, free: SaddleFactors,
) -> int:  # fmt: skip
    """Factor R Z_t at the state that is set, and Z^T M Z; returns a Status."""
    status = solve_joints(tables, work, dependent, tree)
    if status != OK:
        return int(status)
    form(tables, work, tree, space, whole)
    n, m = tree.sizes[0], tree.sizes[1]
    set_scale(work, tree, graph)
    least, negligible = IMPLIED, IMPLIED
    if not expected(dependent):
        negligible = max(dependent.length[2], independence_threshold(work))
        least = min(negligible, smallest_trusted(tree.first_pivot))
    fill(work, whole, tree, graph, rows, negligible)
    rank = factor_rows(rows, m, n, graph.allowed, least, -1)
    if rank < 0:
        return NOT_FINITE
    if rank < m:
        tree.report[0], tree.report[1] = 0.0, tree.kept_rows[rows.order[rank]]
        return SINGULAR
    for j in range(m):
        if abs(rows.diagonal[j]) < tree.report[0]:
            tree.report[0], tree.report[1] = abs(rows.diagonal[j]), tree.kept_rows[rows.order[j]]
    if tree.first_pivot[0] == 0.0 and (tree.report[0] > TRUSTED or not expected(dependent)):
        tree.first_pivot[0] = tree.report[0]
    if tree.report[0] < smallest_trusted(tree.first_pivot):
        return SINGULAR
    share, row = tree.report[0], tree.report[1]
    status = reduced_inertia(whole, tree, graph, rows, free)
    tree.report[0], tree.report[1] = (share, row) if status == OK else (tree.report[0], -1.0)
    return int(status)


@kernel
def set_scale(work: Work, tree: Tree, graph: Graph) -> None:
    """graph.scale: the mechanism's length for unknowns that are translations, one for angles."""
    for k in range(tree.body.shape[0]):
        for e in range(6 - tree.taken_count[k]):
            slides = tree.component[k, tree.taken_count[k] + e] >= 3
            graph.scale[tree.unknown[k, e]] = work.length[0].real if slides else 1.0


@kernel
def fill(work: Work, whole: SaddleFactors, tree: Tree, graph: Graph, rows: RowFactors, negligible: float) -> None:
    """rows.A = D R Z_t S; D is 1 / norm of a row, but of no smaller norm than in the first matrix; 1 / norm of the row
    of J where that of R Z_t S is less than `negligible` times it."""
    y, m = tree.sizes[0], tree.sizes[1]
    n = y + m
    for q in range(m):
        total = 0.0
        for c in range(y):
            rows.A[q, c] = whole.values[n * c + y + q] * graph.scale[c]
            total += rows.A[q, c] * rows.A[q, c]
        norm = np.sqrt(total)
        at = place_in_other_rows(tree, q)
        if graph.first_norm[at] == 0.0:
            graph.first_norm[at] = norm
        norm = max(norm, graph.first_norm[at])
        full_norm = row_norm(work, tree.kept_rows[q])
        if norm < negligible * full_norm:
            norm = full_norm
        graph.row_scale[q] = 1.0 / norm if norm > 0.0 else 1.0
        for c in range(y):
            rows.A[q, c] *= graph.row_scale[q]


@kernel
def row_norm(work: Work, row: int) -> Any:
    """The norm of a row of J, translations in units of the mechanism's length."""
    total, length = 0.0, work.length[0].real
    for c in range(12):
        x = work.J[row, c] * (1.0 if c % 6 < 3 else length)
        total += x * x
    return np.sqrt(total)


@kernel
def place_in_other_rows(tree: Tree, q: int) -> int:
    """Place of the q-th kept row in `tree.other_rows`."""
    k = q
    while tree.other_rows[k] != tree.kept_rows[q]:
        k += 1
    return k


@kernel
def reduced_inertia(whole: SaddleFactors, tree: Tree, graph: Graph, rows: RowFactors, free: SaddleFactors) -> int:
    """Write Y' into graph.Z, form Z^T M Z, upper triangle, in `free` and factor it; returns a Status."""
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
            entry = graph.scale[c] * Z[j, c]
            if entry != 0.0:
                u[c] += a[n * c + c] * entry
                for d in range(c + 1, y):
                    u[d] += a[n * c + d] * entry
        for c in range(y):
            total = 0.0
            for d in range(c + 1, y):
                total += a[n * c + d] * graph.scale[d] * Z[j, d]
            u[c] = (u[c] + total) * graph.scale[c]
        for i in range(j + 1):
            total = 0.0
            for c in range(y):
                total += Z[i, c] * u[c]
            free.values[count * i + j] = total
    return int(factor_saddle(free, count, count, 0.0, tree.report))


@kernel
def solve(
    tables: Tables, work: Work, dependent: Dependent, tree: Tree, space: Reduced, whole: SaddleFactors, graph: Graph,
    rows: RowFactors, free: SaddleFactors,
) -> int:  # fmt: skip
    """x and lambda, in the least-squares sense and of minimum norm for dependent rows."""
    y, m, w, e = tree.sizes[0], tree.sizes[1], graph.w, graph.e
    start(work, dependent, tree)
    for c in range(y):
        graph.y[c] = 0.0
    for _ in range(PASSES):
        particular_rates(tables, work, tree)  # the taken rows, then the kept ones, then the equations of the bodies
        for c in range(y):
            graph.y[c] = 0.0
        forward_pass(tree, graph.y)
        add_to_solution(work, tree)
        clear_particular_rates(tree)
        for j in range(m):
            k = rows.order[j]
            e[j] = graph.row_scale[k] * row_residual(tables, work, tree.eta, tree.kept_rows[k])
        solve_lower(rows, m, e)
        for c in range(y):
            w[c] = e[c] if c < m else 0.0
        add_motion(work, tree, graph, rows)
        scaled_wrenches(tables, work, tree, graph, rows)
        solve_saddle(free, y - m, w[m:])
        for c in range(m):
            w[c] = 0.0
        add_motion(work, tree, graph, rows)
        scaled_wrenches(tables, work, tree, graph, rows)
        for j in range(m):
            e[j] = w[j]
        solve_upper(rows, m, e)
        for j in range(m):
            k = rows.order[j]
            work.lam[tree.kept_rows[k]] += graph.row_scale[k] * e[j]
    multipliers_of_taken_rows(tables, work, dependent, tree)
    return OK


@kernel
def add_motion(work: Work, tree: Tree, graph: Graph, rows: RowFactors) -> None:
    """x += Z_t S (Y, Y') w."""
    apply_Q(rows, tree.sizes[1], graph.w)
    for c in range(tree.sizes[0]):
        graph.y[c] = graph.scale[c] * graph.w[c]
    forward_pass(tree, graph.y)
    add_to_solution(work, tree)


@kernel
def scaled_wrenches(tables: Tables, work: Work, tree: Tree, graph: Graph, rows: RowFactors) -> None:
    """graph.w = (Y, Y')^T S Z_t^T (f - M x - R^T lambda)."""
    residual_of_bodies(tables, work, tree)
    backward_pass(tree, graph.y)
    for c in range(tree.sizes[0]):
        graph.w[c] = graph.scale[c] * graph.y[c]
    apply_Q_transposed(rows, tree.sizes[1], graph.w)


TREE, SPACE, WHOLE, GRAPH, ROWS, FREE = slots(
    Tree, Reduced, SaddleFactors, Graph, RowFactors, SaddleFactors, after=DEPENDENT
)
FACTORISE = entry(factorise, TABLES, WORK, DEPENDENT, TREE, SPACE, WHOLE, GRAPH, ROWS, FREE)
SOLVE = entry(solve, TABLES, WORK, DEPENDENT, TREE, SPACE, WHOLE, GRAPH, ROWS, FREE)
