"""Passes along the tree that its solvers share: rates from the bases to the tips, wrenches from the tips to the bases.

A solution is found by corrections: given x and lambda (zero at first), the residuals f - M x - J^T lambda and eta - J x
are the right sides for a change of x and lambda. A second correction removes the rounding of the first. At the end the
multipliers of the taken rows follow joint by joint.
"""

from __future__ import annotations

from linkwork.kernels.dense_saddle import name_row
from linkwork.kernels.jit import kernel
from linkwork.kernels.tables import Floats
from linkwork.kernels.tuple_access import at3
from linkwork.kernels.vec3 import dot
from linkwork.problems.dependent import Dependent, reduce_right_side, share_least
from linkwork.problems.explicit import Work
from linkwork.problems.request import ACCELERATION_LEVEL
from linkwork.solvers.residuals import body_residual, clear_solution, row_residual
from linkwork.solvers.singularity_threshold import check_pivot
from linkwork.solvers.tree.parts import Tree
from linkwork.solvers.tree.sixes import at6, column, times, transposed_times
from linkwork.system.packed import Tables


@kernel
def start(work: Work, dependent: Dependent, tree: Tree) -> None:
    """x = 0, lambda = 0, and tree.eta, the right sides of the rows that are not dropped."""
    reduce_right_side(dependent, work.eta, work.request.level[0] != ACCELERATION_LEVEL, tree.eta)
    clear_solution(work)


@kernel
def particular_rates(tables: Tables, work: Work, tree: Tree) -> None:
    """tree.b (n, 6): the rates of each child that its taken rows' residual eta - J x asks for, B (eta - J x)."""
    for k in range(tree.body.shape[0]):
        m = tree.taken_count[k]
        for c in range(6):
            tree.b[k, c] = 0.0
        for r in range(m):
            rest = row_residual(tables, work, tree.eta, tree.taken[k, r])
            for d in range(m):
                tree.b[k, tree.component[k, d]] += tree.B[k, 6 * d + r] * rest


@kernel
def clear_particular_rates(tree: Tree) -> None:
    """tree.b = 0, as it is once x satisfies the taken rows."""
    for k in range(tree.body.shape[0]):
        for c in range(6):
            tree.b[k, c] = 0.0


@kernel
def residual_of_bodies(tables: Tables, work: Work, tree: Tree) -> None:
    """tree.g = f - M x - R^T lambda, by label; R are the kept rows."""
    g = tree.g
    for k in range(tree.body.shape[0]):
        rest = body_residual(tables, work, tree.body[k])
        for c in range(6):
            g[k, c] = rest[c]
    subtract_kept_reactions(tables, work, tree)


@kernel
def subtract_kept_reactions(tables: Tables, work: Work, tree: Tree) -> None:
    """tree.g -= R^T lambda, R the kept rows."""
    for q in range(tree.sizes[1]):
        row = tree.kept_rows[q]
        for side in range(2):
            k = tree.label[tables.row_int[row, 1 + side]]
            if k >= 0:
                for c in range(6):
                    tree.g[k, c] -= work.J[row, 6 * side + c] * work.lam[row]


@kernel
def backward_pass(tree: Tree, out: Floats) -> None:
    """out = Z^T g, by number of unknown; tree.g becomes the sum over the branch that starts with each body."""
    g = tree.g
    for k in range(tree.body.shape[0] - 1, -1, -1):
        F, p = at6(g, k), tree.parent[k]
        for e in range(6 - tree.taken_count[k]):
            out[tree.unknown[k, e]] = column(tree.N, k, e, F)
        if p >= 0:
            up = transposed_times(tree.G, k, F)
            for c in range(6):
                g[p, c] += up[c]


@kernel
def forward_pass(tree: Tree, y: Floats) -> None:
    """tree.dx = Z y + the particular rates: dx_c = G dx_p + N y + b, from the bases to the tips."""
    dx = tree.dx
    for k in range(tree.body.shape[0]):
        p = tree.parent[k]
        for c in range(6):
            total = tree.b[k, c]
            if p >= 0:
                total += times(tree.G, k, c, dx, p)
            for e in range(6 - tree.taken_count[k]):
                total += tree.N[k, 6 * c + e] * y[tree.unknown[k, e]]
            dx[k, c] = total


@kernel
def add_to_solution(work: Work, tree: Tree) -> None:
    """x += dx, six numbers of every body of the tree."""
    for k in range(tree.body.shape[0]):
        for c in range(6):
            work.x[tree.body[k], c] += tree.dx[k, c]


@kernel
def multipliers_of_taken_rows(tables: Tables, work: Work, dependent: Dependent, tree: Tree) -> None:
    """lambda of the taken rows, from the tips to the bases; then those of minimum norm, where rows are dropped."""
    residual_of_bodies(tables, work, tree)
    g = tree.g
    for k in range(tree.body.shape[0] - 1, -1, -1):
        m, p = tree.taken_count[k], tree.parent[k]
        for r in range(m):
            row, total = tree.taken[k, r], 0.0
            for d in range(m):
                total += tree.B[k, 6 * d + r] * g[k, tree.component[k, d]]
            work.lam[row] = total
            if p >= 0:
                side = 0 if tables.row_int[row, 1] == tree.body[p] else 6
                for c in range(6):
                    g[p, c] -= work.J[row, side + c] * total
    share_least(dependent, work)


@kernel
def reference_pivots(tables: Tables, work: Work, tree: Tree, reference: Floats, first: int) -> None:
    """About (J M^-1 J^T)_kk of each kept row, with mean inertias, into reference[first:]: its pivot if there were no
    other rows. A pivot over this reference is a measure of rank that does not depend on the tree.
    """
    J, body = work.J, tables.body
    for q in range(tree.sizes[1]):
        row, total = tree.kept_rows[q], 0.0
        for side in range(2):
            b, n = tables.row_int[row, 1 + side], 6 * side
            inertia = (body[b, 1] + body[b, 5] + body[b, 9]) / 3.0
            if inertia.real > 0.0:
                total += dot(at3(J, row, n), at3(J, row, n)) / inertia
            if body[b, 0].real > 0.0:
                total += dot(at3(J, row, n + 3), at3(J, row, n + 3)) / body[b, 0]
        reference[first + q] = total


@kernel
def check_rank(work: Work, status: int, tree: Tree, before: int) -> int:
    """Status of a factorisation, as `check_pivot`. before : unknowns of the matrix that come before the kept rows, to
    name the row in tree.report.
    """
    name_row(tree.report, tree.kept_rows, tree.sizes[1], before)
    return check_pivot(work, status, tree.report[0], tree.first_pivot)
