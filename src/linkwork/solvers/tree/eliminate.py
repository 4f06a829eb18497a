"""The tree eliminated joint by joint, from the tips to the bases; then the rows left: solver cut_joint.

With the inertia M_A that a branch shows at its base body, an unknown with motion N has d = N^T M_A N; eliminating it
leaves M_A - u u^T / d, u = M_A N. Of a branch with all its unknowns eliminated the parent feels G^T M_A G. That is
L D L^T of Z^T M Z without the matrix: cost grows with the number of bodies. Rows left meet it in the Schur complement
H^T J^-1 H [Mufti 1983, eqs. 72-73] = V^T D^-1 V, V = L^-1 H found by one sweep from each row's two bodies.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from linkwork.kernels.dense_saddle import (
    LEAST_INERTIA,
    SaddleFactors,
    clear_saddle,
    factor_saddle,
    saddle_factors,
    solve_saddle,
)
from linkwork.kernels.dependence import ND, NR, factor_K, swap
from linkwork.kernels.jit import kernel
from linkwork.kernels.tables import Floats
from linkwork.problems.dependent import expected
from linkwork.problems.sparse_redundancy import is_wide
from linkwork.solvers.singularity_threshold import least_pivot_beside
from linkwork.solvers.tree.joint import solve_joints
from linkwork.solvers.tree.parts import Tree, new_tree
from linkwork.solvers.tree.sixes import (
    at6,
    column,
    column_of,
    less,
    own_inertia,
    part_at,
    times,
    transposed_times,
)
from linkwork.solvers.tree.sweeps import (
    begin,
    demand_nothing,
    demands,
    free_sizes,
    imbalance,
    judge,
    missing,
    move,
    react,
)
from linkwork.status import Status
from linkwork.system import CompiledMechanism

OK, SINGULAR, NOT_FINITE = int(Status.OK), int(Status.SINGULAR), int(Status.NOT_FINITE)
LEAST_PART = 1e-3  # of a row of the tree, in a combination: less of a cut joint's row does not take its place
PASSES = 2  # where rows are left; the second removes what rounding left of them


class Eliminated(NamedTuple):
    """What the solver keeps besides the tree's tables and the factors of the Schur complement."""

    inertia: Floats  # (n, 36) of a branch at its base body, what its unknowns take up left out
    u: Floats  # (n, 36) M_A N by columns, for the unknowns of a joint one after the other
    over: Floats  # unknowns: 1 / d
    q: Floats  # unknowns: N^T of the wrench that a branch passes on
    V: Floats  # (unknowns, rows left)
    z: Floats  # rows left


def new_arrays(
    mechanism: CompiledMechanism, group: Any, droppable: bool, first: int, root: str | None
) -> tuple[Any, ...]:
    """Arrays of the solver: a Tree, an Eliminated, SaddleFactors. first, root : as in `new_tree`."""
    tree, unknowns = new_tree(mechanism, group, droppable, first, root)
    rows, n = len(tree.rest), mechanism.nb
    space = Eliminated(
        inertia=np.zeros((n, 36)),
        u=np.zeros((n, 36)),
        over=np.zeros(unknowns),
        q=np.zeros(unknowns),
        V=np.zeros((unknowns, rows)),
        z=np.zeros(rows),
    )
    return (*tree, *space, *saddle_factors(rows))


@kernel
def factorise(tables: Any, work: Any, dependent: Any, tree: Tree, space: Eliminated, factors: SaddleFactors) -> int:
    """Eliminate the tree at the placed state, form the Schur complement of the rows left and factor it."""
    keep_tree(dependent, tree)
    status = solve_joints(tables, work, dependent, tree)
    if status == OK:
        status = eliminate_tree(tables, tree, space)
    if status != OK:
        return int(status)
    m = tree.sizes[1]
    weigh_rows(tables, work, tree, space)
    complement(tree, space, factors)
    free_sizes(tables, work, tree, factors.reference, 0)
    return judge(work, factor_saddle(factors, m, 0, least_pivot_beside(work, tree.usual), tree.report), tree, 0)


@kernel
def keep_tree(dependent: Any, tree: Tree) -> None:
    """Of rows that depend on each other leave out those of cut joints, where rows are searched densely.

    A body without inertia about an axis that its joint holds has nothing to take the wrench where a row of that joint
    is left out and its part taken by the loop.
    """
    if not expected(dependent) or is_wide(dependent.wide):
        return
    found, moved = dependent.found, False
    for d in range(found.sizes[ND]):
        if not is_left(tree, found.dropped[d]):
            best, at = LEAST_PART * found.scale[found.dropped[d]], -1
            for s in range(found.sizes[NR]):
                part = abs(found.C[d, s]) * found.scale[found.kept[s]]
                if part > best and is_left(tree, found.kept[s]):
                    best, at = part, s
            if at >= 0:
                swap(found, d, at)
                moved = True
    if moved:
        factor_K(found)


@kernel
def is_left(tree: Tree, row: Any) -> bool:
    """Whether no joint of the tree takes a row."""
    for k in range(tree.rest.shape[0]):
        if tree.rest[k] == row:
            return True
    return False


@kernel
def eliminate_tree(tables: Any, tree: Tree, space: Eliminated) -> int:
    """The branches' inertias. Fails where a freedom has none."""
    inertia, u, N, G = space.inertia, space.u, tree.N, tree.G
    n = tree.body.shape[0]
    for k in range(n):
        own_inertia(tables.body, tree.body[k], inertia, k)
    for k in range(n - 1, -1, -1):
        free = 6 - tree.held[k]
        for e in range(free):
            space.q[tree.col[k, e]] = spread_inertia(inertia, N, k, e)
        for e in range(free):
            y = tree.col[k, e]
            for r in range(6):
                total = 0.0
                for c in range(6):
                    total += inertia[k, 6 * r + c] * N[k, 6 * c + e]
                u[k, 6 * r + e] = total
            d = column(N, k, e, column_of(u, k, e))
            if not abs(d) < 1e300:
                return NOT_FINITE
            if not d > LEAST_INERTIA * space.q[y]:
                tree.report[0] = 0.0
                return SINGULAR
            over = 1.0 / d
            space.over[y] = over
            for r in range(6):
                for c in range(6):
                    inertia[k, 6 * r + c] -= u[k, 6 * r + e] * over * u[k, 6 * c + e]
        p = tree.parent[k]
        if p >= 0:
            for c in range(6):
                F = transposed_times(inertia, k, column_of(G, k, c))
                up = transposed_times(G, k, F)
                for r in range(6):
                    inertia[p, 6 * r + c] += up[r]
    return OK


@kernel
def spread_inertia(inertia: Any, N: Any, k: Any, e: Any) -> Any:
    """N^T M_A N with nothing cancelled: what d is measured against."""
    total = 0.0
    for r in range(6):
        for c in range(6):
            total += abs(N[k, 6 * r + e] * inertia[k, 6 * r + c] * N[k, 6 * c + e])
    return total


@kernel
def weigh_rows(tables: Any, work: Any, tree: Tree, space: Eliminated) -> None:
    """V = L^-1 H, column by column."""
    V = space.V
    for y in range(tree.sizes[0]):
        for q in range(tree.sizes[1]):
            V[y, q] = 0.0
    for q in range(tree.sizes[1]):
        row = tree.left[q]
        for side in range(2):
            k, F = tree.label[tables.row_int[row, 1 + side]], part_at(work.J, row, side)
            while k >= 0:
                for e in range(6 - tree.held[k]):
                    y = tree.col[k, e]
                    part = column(tree.N, k, e, F)
                    V[y, q] += part
                    F = less(F, space.u, k, e, part * space.over[y])
                F = transposed_times(tree.G, k, F)  # zero on a base
                k = tree.parent[k]


@kernel
def complement(tree: Tree, space: Eliminated, factors: SaddleFactors) -> None:
    """-V^T D^-1 V: negative, as where a saddle-point matrix's first unknowns have been eliminated."""
    m, V, values = tree.sizes[1], space.V, factors.values
    clear_saddle(factors, m)
    for y in range(tree.sizes[0]):
        for i in range(m):
            share = V[y, i] * space.over[y]
            if share != 0.0:
                for j in range(i, m):
                    values[m * i + j] -= share * V[y, j]


@kernel
def solve_system(tables: Any, work: Any, dependent: Any, tree: Tree, space: Eliminated, factors: SaddleFactors) -> int:
    """x and lambda, in the least-squares sense and of least norm for dependent rows."""
    m, z = tree.sizes[1], space.z
    begin(work, dependent, tree)
    for _ in range(PASSES if m > 0 else 1):
        demands(tables, work, tree)
        imbalance(tables, work, tree)
        backward(tree, space)
        forward(tree, space)
        move(work, tree)
        if m > 0:
            for i in range(m):
                z[i] = missing(tables, work, tree, tree.left[i])
            solve_saddle(factors, m, z)
            for i in range(m):
                work.lam[tree.left[i]] += z[i]
            close(tree, space)
            move(work, tree)
    react(tables, work, dependent, tree)
    return OK


@kernel
def backward(tree: Tree, space: Eliminated) -> None:
    """q from the wrenches g and the demands b: what each unknown has to take up."""
    g, q, b = tree.g, space.q, tree.b
    for k in range(tree.body.shape[0] - 1, -1, -1):
        F = at6(g, k)
        for e in range(6 - tree.held[k]):
            y = tree.col[k, e]
            part = column(tree.N, k, e, F)
            q[y] = part
            F = less(F, space.u, k, e, part * space.over[y])
        p = tree.parent[k]
        if p >= 0:
            back = transposed_times(space.inertia, k, at6(b, k))
            F = (F[0] - back[0], F[1] - back[1], F[2] - back[2], F[3] - back[3], F[4] - back[4], F[5] - back[5])
            up = transposed_times(tree.G, k, F)
            for c in range(6):
                g[p, c] += up[c]


@kernel
def forward(tree: Tree, space: Eliminated) -> None:
    """dx from q and b, from the bases to the tips; a joint's unknowns in the reverse of their elimination."""
    dx = tree.dx
    for k in range(tree.body.shape[0]):
        p = tree.parent[k]
        for c in range(6):
            dx[k, c] = tree.b[k, c] + (times(tree.G, k, c, dx, p) if p >= 0 else 0.0)
        for e in range(5 - tree.held[k], -1, -1):
            y = tree.col[k, e]
            rate = (space.q[y] - column(space.u, k, e, at6(dx, k))) * space.over[y]
            for c in range(6):
                dx[k, c] += tree.N[k, 6 * c + e] * rate


@kernel
def close(tree: Tree, space: Eliminated) -> None:
    """dx from a change z of the multipliers of rows left: of L^T y = -D^-1 V z."""
    for y in range(tree.sizes[0]):
        total = 0.0
        for i in range(tree.sizes[1]):
            total -= space.V[y, i] * space.z[i]
        space.q[y] = total
    demand_nothing(tree)
    forward(tree, space)
