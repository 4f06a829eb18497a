"""One joint of the tree: its rows solved for the child's twist rate, x_c = G x_p + N y + b.

What the rows do not determine moves with the parent as if fixed to it, plus y: the joint's quasi-rates [Mufti 1983,
eqs. 43, 58-60]. Where only translational rows are taken, angular components are y themselves: absolute angular
accelerations [eqs. 38, 40-d]. Which components rows are solved for is found by pivoting, so that any joint, driver or
raw constraint can carry the tree.
"""

from __future__ import annotations

from linkwork.kernels.dependence import STILL_PIVOT
from linkwork.kernels.jit import kernel
from linkwork.kernels.mat33 import matmul_t, rotate
from linkwork.kernels.needed import passed_over
from linkwork.kernels.tables import Floats
from linkwork.kernels.tuple_access import at3, at9
from linkwork.kernels.vec3 import cross, sub
from linkwork.problems.dependent import Dependent, is_dropped
from linkwork.problems.explicit import A, R, Work
from linkwork.solvers.choice import ALL
from linkwork.solvers.singularity_threshold import independence_threshold
from linkwork.solvers.tree.parts import Tree
from linkwork.status import Status
from linkwork.system.packed import Tables

OK, SINGULAR, NOT_FINITE = int(Status.OK), int(Status.SINGULAR), int(Status.NOT_FINITE)


@kernel
def solve_joints(tables: Tables, work: Work, dependent: Dependent, tree: Tree) -> int:
    """G, N and B of all joints at the state that is set; numbers the unknowns, lists the kept rows. Returns a
    Status."""
    tree.report[0], tree.report[1] = 1.0, -1.0
    least = independence_threshold(work)
    for k in range(tree.body.shape[0]):
        status = solve_rows(work, dependent, tree, k, least)
        if status != OK:
            return status
        free_motions(tree, k)
        if tree.parent[k] >= 0:
            follow_parent(tables, work, tree, k)
    number_unknowns(tree)
    m = 0
    for q in range(tree.other_rows.shape[0]):
        if not is_dropped(dependent, tree.other_rows[q]):
            tree.kept_rows[m] = tree.other_rows[q]
            m += 1
    tree.sizes[1] = m
    return OK


@kernel
def solve_rows(work: Work, dependent: Dependent, tree: Tree, k: int, least: float) -> int:
    """Gauss-Jordan elimination of (child's part | unit matrix), rows in order, the largest entry of each its pivot.

    Translations count in units of the mechanism's length. SINGULAR where the largest entry left of a row is not above
    `least` times its largest entry before.
    """
    J, table, component, length = work.J, tree.table, tree.component, work.length[0]
    m = 0
    for q in range(tree.start[k], tree.start[k + 1]):
        row, side = tree.row[q, 0], 6 * tree.row[q, 1]
        if not is_dropped(dependent, row):
            tree.report[1] = row
            if m == 6:
                tree.report[0] = 0.0
                return SINGULAR
            size = 0.0
            for c in range(6):
                table[m, c], table[m, 6 + c] = J[row, side + c], 0.0
                size = max(size, abs(table[m, c]) * (1.0 if c < 3 else length))
            table[m, 6 + m] = 1.0
            for d in range(m):
                subtract(table, m, d, component[k, d])
            best, column = 0.0, tree.first_component[0]
            for c in range(column, 6):
                best = max(best, entry_size(table, m, c, length))
            if not size < 1e300:
                return NOT_FINITE
            if not best > least * size:
                tree.report[0] = best / size if size > 0.0 else 0.0
                return SINGULAR
            while column < 5 and passed_over(entry_size(table, m, column, length), best, least * size, STILL_PIVOT):
                column += 1
            over = 1.0 / table[m, column]
            for c in range(12):
                table[m, c] *= over
            table[m, column] = 1.0
            for d in range(m):
                subtract(table, d, m, column)
            component[k, m], tree.taken[k, m] = column, row
            m += 1
    tree.taken_count[k], tree.report[1] = m, -1.0
    return OK


@kernel
def entry_size(table: Floats, m: int, c: int, length: float) -> float:
    """Of the entry of row m for component c: translations in units of the mechanism's length."""
    size: float = abs(table[m, c]) * (1.0 if c < 3 else length)
    return size


@kernel
def subtract(table: Floats, d: int, m: int, column: int) -> None:
    """Eliminate `column` from row d by row m, whose entry there is one."""
    share = table[d, column]
    for c in range(12):
        table[d, c] -= share * table[m, c]
    table[d, column] = 0.0


@kernel
def free_motions(tree: Tree, k: int) -> None:
    """B and N of joint k from the table, and the components that are free."""
    table, component, m = tree.table, tree.component, tree.taken_count[k]
    e = m
    for c in range(6):
        solved = False
        for d in range(m):
            solved = solved or component[k, d] == c
        if not solved:
            component[k, e] = c
            e += 1
    for c in range(36):
        tree.N[k, c] = 0.0
    for d in range(m):
        for r in range(m):
            tree.B[k, 6 * d + r] = table[d, 6 + r]
        for e in range(6 - m):
            tree.N[k, 6 * component[k, d] + e] = -table[d, component[k, m + e]]
    for e in range(6 - m):
        tree.N[k, 6 * component[k, m + e] + e] = 1.0


@kernel
def follow_parent(tables: Tables, work: Work, tree: Tree, k: int) -> None:
    """G: free components move as the parent does at that place, or not at all; the others as the rows ask."""
    J, G, B, N, component, m = work.J, tree.G, tree.B, tree.N, tree.component, tree.taken_count[k]
    c, p = tree.body[k], tree.body[tree.parent[k]]
    A_c, A_p = at9(work.motion, c, A), at9(work.motion, p, A)
    turn = matmul_t(A_c, A_p)
    arm = sub(at3(work.motion, c, R), at3(work.motion, p, R))
    for n in range(36):
        G[k, n] = 0.0
    relative = 1.0 if tree.first_component[0] == ALL else 0.0
    for n in range(9):
        G[k, 6 * (n // 3) + n % 3] = relative * turn[n]
    for n in range(3):  # rdot_c = rdot_p + (A_p omega_p) x arm
        unit = (1.0 if n == 0 else 0.0, 1.0 if n == 1 else 0.0, 1.0 if n == 2 else 0.0)
        swing = cross(rotate(A_p, unit), arm)
        G[k, 18 + n], G[k, 24 + n], G[k, 30 + n] = swing[0], swing[1], swing[2]
        G[k, 6 * (3 + n) + 3 + n] = 1.0
    for d in range(m):
        at = 6 * component[k, d]
        for n in range(6):
            total = 0.0
            for e in range(6 - m):
                total += N[k, at + e] * G[k, 6 * component[k, m + e] + n]
            for r in range(m):
                row = tree.taken[k, r]
                side = 0 if tables.row_int[row, 1] == p else 6
                total -= B[k, 6 * d + r] * J[row, side + n]
            G[k, at + n] = total


@kernel
def number_unknowns(tree: Tree) -> None:
    """Number the unknowns from the tips to the bases, so that a dense factorisation has no fill-in between branches.

    Where angular components are absolute, the translations of floating bases come first: eliminating them refers K to
    barycentres instead of the base's centre of mass [Mufti 1983, eqs. 26-31].
    """
    n, m = tree.body.shape[0], 0
    ahead = tree.first_component[0] != ALL
    for early in range(2):
        for k in range(n - 1, -1, -1):
            floats = ahead and tree.parent[k] < 0 and tree.start[k] == tree.start[k + 1]
            for e in range(6 - tree.taken_count[k]):
                if (floats and tree.component[k, e] >= 3) == (early == 0):
                    tree.unknown[k, e] = m
                    m += 1
    tree.sizes[0] = m
