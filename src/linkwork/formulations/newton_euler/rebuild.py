"""Positions and velocities of bodies anew from the rows of the tree [Mufti 1983, eqs. 7, 12 and the text after eq. 14].

The paper integrates body 1 and the orientations only: where all joints are balls, C^T r + L^T 1 = 0 gives the other
r_i, and its derivative their velocities. Here it is done joint by joint at the end of a step. At given orientations a
row c . (r_j - r_i) + ... is linear in positions; the child is moved along the rows' directions c until they hold, and
along with its parent in the directions that they leave open, where it keeps what was integrated. A screw's row is
linear but for the cube of its violation. Rods are not linear,
and rows without a translation say nothing of positions: their drift remains, as does that of cut joints.
"""

from __future__ import annotations

import numpy as np

from linkwork.equations.index_1.accept_step import accept_step
from linkwork.equations.index_1.set_state import row_times
from linkwork.kernels.jit import kernel
from linkwork.kernels.rows.kinds import LINEAR
from linkwork.kernels.tuple_access import at3, set3
from linkwork.kernels.vec3 import axpy, dot, scale
from linkwork.problems.entry import entry
from linkwork.problems.explicit import R_0, TWIST_0, Work
from linkwork.problems.explicit_context import DEPENDENT, TABLES, WORK
from linkwork.problems.implicit import DRIVE, PHI
from linkwork.problems.layout import slots
from linkwork.solvers.tree.parts import Tree
from linkwork.system.packed import Tables

PARALLEL = 1e-12  # of a direction's square is left beside those before it


@kernel
def rebuild(tables: Tables, work: Work, tree: Tree) -> int:
    """Move the base so that the linear rows of the tree hold. Returns 1: the state must be set again."""
    dx, base = tree.dx, work.base
    for k in range(tree.body.shape[0]):
        b, p = tree.body[k], tree.parent[k]
        for c in range(6):
            dx[k, c] = dx[p, c] if p >= 0 else 0.0
        meet_rows(tables, work, tree, k)
        for c in range(3):
            base[b, R_0 + c] += dx[k, c]
            base[b, TWIST_0 + 3 + c] += dx[k, 3 + c]
    return 1


@kernel
def meet_rows(tables: Tables, work: Work, tree: Tree, k: int) -> None:
    """Add to dx[k] the least shift and the least change of velocity that make the joint's linear rows hold.

    Directions are made orthonormal one by one and kept in the table, with what is to be moved along each.
    """
    table, dx, m = tree.table, tree.dx, 0
    for q in range(tree.start[k], tree.start[k + 1]):
        row = tree.row[q, 0]
        kind = tables.row_int[row, 0]
        if kind in LINEAR and m < 3:
            c = at3(work.J, row, 6 * tree.row[q, 1] + 3)
            rest, shift = c, -work.row[row, PHI]
            change = work.row[row, DRIVE + 1] - row_times(tables, work, row, work.twist)
            for d in range(m):
                one = at3(table, d, 0)
                share = dot(c, one)
                rest = axpy(-share, one, rest)
                shift -= share * table[d, 3]
                change -= share * table[d, 4]
            size2 = dot(rest, rest)
            if size2.real > PARALLEL * dot(c, c).real:
                over = 1.0 / np.sqrt(size2)
                one = scale(over, rest)
                set3(table, m, 0, one)
                table[m, 3], table[m, 4] = shift * over, change * over
                for i in range(3):
                    dx[k, i] += table[m, 3] * one[i]
                    dx[k, 3 + i] += table[m, 4] * one[i]
                m += 1


@kernel
def accept_and_rebuild(tables: Tables, work: Work, tree: Tree) -> int:
    """End a step: the state that is set becomes the base, its positions rebuilt. Returns 1, as `rebuild`."""
    accept_step(tables, work)
    return rebuild(tables, work, tree)


(TREE,) = slots(Tree, after=DEPENDENT)
ACCEPT_STEP = entry(accept_and_rebuild, TABLES, WORK, TREE)
