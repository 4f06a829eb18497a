"""The tree eliminated joint by joint, from the tips to the bases; then the kept rows: solver cut_joint [Mufti 1983,
eqs. 62, 65-73]. All rows of joints in the tree are taken; the rows of cut joints are kept.

With the articulated inertia M_A of the branch at its first body, an unknown with motion N has d = N^T M_A N;
eliminating it leaves M_A - u u^T / d, u = M_A N. A branch with all its unknowns eliminated adds G^T M_A G to its
parent. That is L D L^T of Z^T M Z without the matrix: cost grows with the number of bodies. The kept rows have the
Schur complement H^T J^-1 H [eqs. 72-73] = V^T D^-1 V, V = L^-1 H by one pass from the two bodies of each row.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

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
from linkwork.kernels.needed import needed
from linkwork.kernels.records import Shape, new_record
from linkwork.kernels.tables import Floats, Ints
from linkwork.problems.dependent import Dependent, ask_more, count_changes, expected, sort_rows
from linkwork.problems.entry import entry
from linkwork.problems.explicit import Work
from linkwork.problems.explicit_context import DEPENDENT, TABLES, WORK
from linkwork.problems.implicit import PHI
from linkwork.problems.layout import slots
from linkwork.problems.sparse_redundancy import is_sparse
from linkwork.solvers.choice import ALL
from linkwork.solvers.residuals import row_residual
from linkwork.solvers.singularity_threshold import pivot_threshold
from linkwork.solvers.tree.joint import solve_joints
from linkwork.solvers.tree.parts import Tree, new_tree
from linkwork.solvers.tree.sixes import (
    at6,
    body_inertia,
    column,
    column_of,
    minus_column,
    row_wrench,
    times,
    transposed_times,
)
from linkwork.solvers.tree.sweeps import (
    add_to_solution,
    check_rank,
    clear_particular_rates,
    multipliers_of_taken_rows,
    particular_rates,
    reference_pivots,
    residual_of_bodies,
    start,
)
from linkwork.status import Status
from linkwork.system import CompiledMechanism
from linkwork.system.packed import Tables

OK, SINGULAR, NOT_FINITE = int(Status.OK), int(Status.SINGULAR), int(Status.NOT_FINITE)
LEAST_COEFFICIENT = 1e-3  # of a cut joint's row in the combination for a row of the tree, to be dropped in its place
PASSES = 2  # where there are kept rows; the second removes the rounding of the first in them


class Eliminated(NamedTuple):
    """What the solver keeps besides the arrays of the tree and the factors of the Schur complement; y unknowns, m kept
    rows at most."""

    inertia: Annotated[Floats, Shape("nb", 36), "M_A, articulated inertia of each branch at its first body"]
    u: Annotated[Floats, Shape("nb", 36), "M_A N by columns, for the unknowns of a joint one after the other"]
    D_inv: Annotated[Floats, Shape("y"), "1 / d"]
    q: Annotated[Floats, Shape("y"), "N^T of the wrench on a branch"]
    V: Annotated[Floats, Shape("y", "m"), "L^-1 H"]
    z: Annotated[Floats, Shape("m"), "right side of the kept rows, then the change of their multipliers"]


def new_arrays(
    mechanism: CompiledMechanism, group: Ints, droppable: bool, room: int, *, root: str | None = None
) -> tuple[Any, ...]:
    """Records of the solver: Tree, Eliminated, SaddleFactors. root : body that the tree starts with."""
    tree, unknowns = new_tree(mechanism, group, droppable, ALL, root)
    rows, n = len(tree.other_rows), mechanism.nb
    space = new_record(Eliminated, nb=n, y=unknowns, m=rows)
    return tree, space, saddle_factors(rows)


@kernel
def factorise(
    tables: Tables, work: Work, dependent: Dependent, tree: Tree, space: Eliminated, factors: SaddleFactors
) -> int:
    """Eliminate the tree at the state that is set, form the Schur complement of the kept rows and factor it; returns a
    Status."""
    status = solve_joints(tables, work, dependent, tree)
    if status == OK:
        status = eliminate_tree(tables, tree, space)
    if status != OK:
        return int(status)
    m = tree.sizes[1]
    eliminate_rows(tables, work, tree, space)
    schur_complement(tree, space, factors)
    reference_pivots(tables, work, tree, factors.reference, 0)
    return check_rank(work, factor_saddle(factors, m, 0, pivot_threshold(work, tree.first_pivot), tree.report), tree, 0)


@kernel
def detect_redundant_rows(tables: Tables, work: Work, dependent: Dependent, tree: Tree) -> int:
    """Sort the rows into kept and dropped ones as `equations.index_1.redundancy` does, those of the tree before others.

    Reads G and phi; writes dependent, work.dropped. Returns how many rows changed sides since the last time, counted
    behind the preference: what a search alone drops would seem to change places with it from step to step, and each
    such change is followed by a projection. -1 for rows that are not finite.
    """
    ask_more(dependent, work.row[:, PHI])
    if sort_rows(tables, work, dependent) < 0:
        return -1
    prefer_tree_rows(dependent, tree)
    work.dropped[0] = dependent.found.sizes[ND]
    return int(count_changes(dependent))


@kernel
def prefer_tree_rows(dependent: Dependent, tree: Tree) -> None:
    """Of rows that depend on each other drop those of cut joints, where the search is dense.

    If a row of the tree is dropped instead, a body without inertia about the axis that this row holds makes d zero.
    """
    if not expected(dependent) or is_sparse(dependent.sparse):
        return
    found, moved = dependent.found, False
    for d in range(found.sizes[ND]):
        if not is_other_row(tree, found.dropped[d]):
            best, at = LEAST_COEFFICIENT * found.scale[found.dropped[d]], -1
            for s in range(found.sizes[NR]):
                coefficient = abs(found.C[d, s]) * found.scale[found.kept[s]]
                if coefficient > best and is_other_row(tree, found.kept[s]):
                    best, at = coefficient, s
            if at >= 0:
                swap(found, d, at)
                moved = True
    if moved:
        factor_K(found)


@kernel
def is_other_row(tree: Tree, row: int) -> bool:
    """Whether a row is among tree.other_rows: no joint of the tree takes it."""
    for k in range(tree.other_rows.shape[0]):
        if tree.other_rows[k] == row:
            return True
    return False


@kernel
def eliminate_tree(tables: Tables, tree: Tree, space: Eliminated) -> int:
    """M_A, u and 1 / d of all branches. SINGULAR where d is zero: an unknown without inertia."""
    inertia, u, N, G = space.inertia, space.u, tree.N, tree.G
    n = tree.body.shape[0]
    for k in range(n):
        body_inertia(tables.body, tree.body[k], inertia, k)
    for k in range(n - 1, -1, -1):
        free = 6 - tree.taken_count[k]
        for e in range(free):
            space.q[tree.unknown[k, e]] = reference_inertia(inertia, N, k, e)
        for e in range(free):
            y = tree.unknown[k, e]
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
            D_inv = 1.0 / d
            space.D_inv[y] = D_inv
            for r in range(6):
                for c in range(6):
                    inertia[k, 6 * r + c] -= u[k, 6 * r + e] * D_inv * u[k, 6 * c + e]
        p = tree.parent[k]
        if p >= 0:
            for c in range(6):
                F = transposed_times(inertia, k, column_of(G, k, c))
                up = transposed_times(G, k, F)
                for r in range(6):
                    inertia[p, 6 * r + c] += up[r]
    return OK


@kernel
def reference_inertia(inertia: Floats, N: Floats, k: int, e: int) -> float:
    """N^T M_A N with absolute values of all terms: the reference for d, to tell it from rounding."""
    total = 0.0
    for r in range(6):
        for c in range(6):
            total += abs(N[k, 6 * r + e] * inertia[k, 6 * r + c] * N[k, 6 * c + e])
    return total


@kernel
def eliminate_rows(tables: Tables, work: Work, tree: Tree, space: Eliminated) -> None:
    """space.V = L^-1 H, one column per kept row."""
    V = space.V
    for y in range(tree.sizes[0]):
        for q in range(tree.sizes[1]):
            V[y, q] = 0.0
    for q in range(tree.sizes[1]):
        row = tree.kept_rows[q]
        for side in range(2):
            k, F = tree.label[tables.row_int[row, 1 + side]], row_wrench(work.J, row, side)
            while k >= 0:
                for e in range(6 - tree.taken_count[k]):
                    y = tree.unknown[k, e]
                    part = column(tree.N, k, e, F)
                    V[y, q] += part
                    F = minus_column(F, space.u, k, e, part * space.D_inv[y])
                F = transposed_times(tree.G, k, F)  # zero on a base
                k = tree.parent[k]


@kernel
def schur_complement(tree: Tree, space: Eliminated, factors: SaddleFactors) -> None:
    """factors.values = -V^T D^-1 V, upper triangle: negative, as `factor_saddle` has it after the first unknowns."""
    m, V, values = tree.sizes[1], space.V, factors.values
    clear_saddle(factors, m)
    for y in range(tree.sizes[0]):
        for i in range(m):
            share = V[y, i] * space.D_inv[y]
            if needed(share != 0.0):
                for j in range(i, m):
                    values[m * i + j] -= share * V[y, j]


@kernel
def solve(
    tables: Tables, work: Work, dependent: Dependent, tree: Tree, space: Eliminated, factors: SaddleFactors
) -> int:
    """x and lambda, in the least-squares sense and of minimum norm for dependent rows."""
    m, z = tree.sizes[1], space.z
    start(work, dependent, tree)
    for _ in range(PASSES if m > 0 else 1):
        particular_rates(tables, work, tree)
        residual_of_bodies(tables, work, tree)
        backward(tree, space)
        forward(tree, space)
        add_to_solution(work, tree)
        if m > 0:
            for i in range(m):
                z[i] = row_residual(tables, work, tree.eta, tree.kept_rows[i])
            solve_saddle(factors, m, z)
            for i in range(m):
                work.lam[tree.kept_rows[i]] += z[i]
            loop_correction(tree, space)
            add_to_solution(work, tree)
    multipliers_of_taken_rows(tables, work, dependent, tree)
    return OK


@kernel
def backward(tree: Tree, space: Eliminated) -> None:
    """space.q from the wrenches tree.g and the particular rates tree.b: N^T of the wrench on each branch, tips to
    bases."""
    g, q, b = tree.g, space.q, tree.b
    for k in range(tree.body.shape[0] - 1, -1, -1):
        F = at6(g, k)
        for e in range(6 - tree.taken_count[k]):
            y = tree.unknown[k, e]
            part = column(tree.N, k, e, F)
            q[y] = part
            F = minus_column(F, space.u, k, e, part * space.D_inv[y])
        p = tree.parent[k]
        if p >= 0:
            back = transposed_times(space.inertia, k, at6(b, k))
            F = (F[0] - back[0], F[1] - back[1], F[2] - back[2], F[3] - back[3], F[4] - back[4], F[5] - back[5])
            up = transposed_times(tree.G, k, F)
            for c in range(6):
                g[p, c] += up[c]


@kernel
def forward(tree: Tree, space: Eliminated) -> None:
    """tree.dx from q and b, from the bases to the tips; a joint's unknowns in the reverse order of their
    elimination."""
    dx = tree.dx
    for k in range(tree.body.shape[0]):
        p = tree.parent[k]
        for c in range(6):
            dx[k, c] = tree.b[k, c] + (times(tree.G, k, c, dx, p) if p >= 0 else 0.0)
        for e in range(5 - tree.taken_count[k], -1, -1):
            y = tree.unknown[k, e]
            rate = (space.q[y] - column(space.u, k, e, at6(dx, k))) * space.D_inv[y]
            for c in range(6):
                dx[k, c] += tree.N[k, 6 * c + e] * rate


@kernel
def loop_correction(tree: Tree, space: Eliminated) -> None:
    """tree.dx from a change z of the multipliers of the kept rows: L^T y = -D^-1 V z."""
    for y in range(tree.sizes[0]):
        total = 0.0
        for i in range(tree.sizes[1]):
            total -= space.V[y, i] * space.z[i]
        space.q[y] = total
    clear_particular_rates(tree)
    forward(tree, space)


TREE, SPACE, FACTORS = slots(Tree, Eliminated, SaddleFactors, after=DEPENDENT)
DETECT_REDUNDANT_ROWS = entry(detect_redundant_rows, TABLES, WORK, DEPENDENT, TREE)
FACTORISE = entry(factorise, TABLES, WORK, DEPENDENT, TREE, SPACE, FACTORS)
SOLVE = entry(solve, TABLES, WORK, DEPENDENT, TREE, SPACE, FACTORS)
