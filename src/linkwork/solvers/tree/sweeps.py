"""Along the tree: motions from the bases to the tips, forces from the tips to the bases; what all solvers here share.

A solution is found in steps: given x and lambda (zero at first), g = f - M x - J^T lambda is what the bodies' equations
miss and eta - J x what the rows miss; a solver finds the change that makes up for both. A second step takes away what
rounding left. At the end the multipliers of the rows taken follow joint by joint.
"""

from __future__ import annotations

from typing import Any

from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import rotate
from linkwork.kernels.tuple_access import at3, at9, set3
from linkwork.kernels.vec3 import dot, scale, sub
from linkwork.problems.dependent import reduce_right_side, share_least
from linkwork.problems.explicit import ACCELERATIONS, LEVEL
from linkwork.solvers.singularity_threshold import doubtful_pivot
from linkwork.solvers.tree.parts import Tree
from linkwork.solvers.tree.sixes import at6, column, times, transposed_times
from linkwork.status import Status

OK, SINGULAR = int(Status.OK), int(Status.SINGULAR)


@kernel
def begin(work: Any, dependent: Any, tree: Tree) -> None:
    """No motion and no multipliers yet; the right sides of the rows that are not dropped."""
    reduce_right_side(dependent, work.eta, work.coef[LEVEL].real != ACCELERATIONS, tree.eta)
    for b in range(work.x.shape[0]):
        for c in range(6):
            work.x[b, c] = 0.0
    for k in range(work.lam.shape[0]):
        work.lam[k] = 0.0


@kernel
def missing(tables: Any, work: Any, tree: Tree, row: Any) -> Any:
    """eta - J x of a row."""
    i, j = tables.row_int[row, 1], tables.row_int[row, 2]
    total = tree.eta[row]
    for c in range(6):
        total -= work.J[row, c] * work.x[i, c] + work.J[row, 6 + c] * work.x[j, c]
    return total


@kernel
def demands(tables: Any, work: Any, tree: Tree) -> None:
    """b: what the taken rows miss, as a motion of the child."""
    for k in range(tree.body.shape[0]):
        m = tree.held[k]
        for c in range(6):
            tree.b[k, c] = 0.0
        for r in range(m):
            miss = missing(tables, work, tree, tree.taken[k, r])
            for d in range(m):
                tree.b[k, tree.place[k, d]] += tree.B[k, 6 * d + r] * miss


@kernel
def demand_nothing(tree: Tree) -> None:
    """b = 0: once the taken rows are met."""
    for k in range(tree.body.shape[0]):
        for c in range(6):
            tree.b[k, c] = 0.0


@kernel
def imbalance(tables: Any, work: Any, tree: Tree) -> None:
    """g = f - M x - R^T lambda, the last for the rows left."""
    body, g, x, f = tables.body, tree.g, work.x, work.f
    for k in range(tree.body.shape[0]):
        b = tree.body[k]
        set3(g, k, 0, sub(at3(f, b, 0), rotate(at9(body, b, 1), at3(x, b, 0))))
        set3(g, k, 3, sub(at3(f, b, 3), scale(body[b, 0], at3(x, b, 3))))
    push_left(tables, work, tree)


@kernel
def push_left(tables: Any, work: Any, tree: Tree) -> None:
    """What the multipliers of rows left exert, taken off g."""
    for q in range(tree.sizes[1]):
        row = tree.left[q]
        for side in range(2):
            k = tree.label[tables.row_int[row, 1 + side]]
            if k >= 0:
                for c in range(6):
                    tree.g[k, c] -= work.J[row, 6 * side + c] * work.lam[row]


@kernel
def gather(tree: Tree, out: Any) -> None:
    """out = Z^T g, out by number of unknown; g becomes what each body's branch exerts in all."""
    g = tree.g
    for k in range(tree.body.shape[0] - 1, -1, -1):
        F, p = at6(g, k), tree.parent[k]
        for e in range(6 - tree.held[k]):
            out[tree.col[k, e]] = column(tree.N, k, e, F)
        if p >= 0:
            up = transposed_times(tree.G, k, F)
            for c in range(6):
                g[p, c] += up[c]


@kernel
def spread(tree: Tree, y: Any) -> None:
    """dx = Z y + what the rows demand."""
    dx = tree.dx
    for k in range(tree.body.shape[0]):
        p = tree.parent[k]
        for c in range(6):
            total = tree.b[k, c]
            if p >= 0:
                total += times(tree.G, k, c, dx, p)
            for e in range(6 - tree.held[k]):
                total += tree.N[k, 6 * c + e] * y[tree.col[k, e]]
            dx[k, c] = total


@kernel
def move(work: Any, tree: Tree) -> None:
    """x + dx."""
    for k in range(tree.body.shape[0]):
        for c in range(6):
            work.x[tree.body[k], c] += tree.dx[k, c]


@kernel
def react(tables: Any, work: Any, dependent: Any, tree: Tree) -> None:
    """Multipliers of the rows taken, from the tips to the bases; then those of least norm, where rows are dropped."""
    imbalance(tables, work, tree)
    g = tree.g
    for k in range(tree.body.shape[0] - 1, -1, -1):
        m, p = tree.held[k], tree.parent[k]
        for r in range(m):
            row, total = tree.taken[k, r], 0.0
            for d in range(m):
                total += tree.B[k, 6 * d + r] * g[k, tree.place[k, d]]
            work.lam[row] = total
            if p >= 0:
                side = 0 if tables.row_int[row, 1] == tree.body[p] else 6
                for c in range(6):
                    g[p, c] -= work.J[row, side + c] * total
    share_least(dependent, work)


@kernel
def free_sizes(tables: Any, work: Any, tree: Tree, own: Any, first: Any) -> None:
    """About J M^-1 J^T of each row left, into own[first:]: how easily its bodies would give way if nothing held them.

    What the other rows leave of that is a measure of rank that does not depend on the tree.
    """
    J, body = work.J, tables.body
    for q in range(tree.sizes[1]):
        row, total = tree.left[q], 0.0
        for side in range(2):
            b, n = tables.row_int[row, 1 + side], 6 * side
            inertia = (body[b, 1] + body[b, 5] + body[b, 9]) / 3.0
            if inertia.real > 0.0:
                total += dot(at3(J, row, n), at3(J, row, n)) / inertia
            if body[b, 0].real > 0.0:
                total += dot(at3(J, row, n + 3), at3(J, row, n + 3)) / body[b, 0]
        own[first + q] = total


@kernel
def judge(work: Any, status: Any, tree: Tree, before: Any) -> int:
    """A factorisation's status; the report names the row, of a matrix with `before` unknowns before the rows left.

    The smallest pivot of the first matrix that could be factored is kept.
    """
    k = int(tree.report[1])
    tree.report[1] = tree.left[k - before] if k >= before else -1.0
    if status == OK and tree.usual[0] == 0.0:
        tree.usual[0] = tree.report[0]
    return SINGULAR if status == OK and doubtful_pivot(work, tree.report[0], tree.usual) else int(status)
