"""Which rows of a mechanism are taken along the tree, and where the solvers keep what they find out about them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from linkwork.errors import UnsupportedElementError
from linkwork.kernels.rows.kinds import CONSTANT, ROTATION_ALONE
from linkwork.kernels.tables import Floats, Ints
from linkwork.system import CompiledMechanism
from linkwork.system.topology import topology_of

ALL, TRANSLATIONS = 0, 3  # Tree.first


class Tree(NamedTuple):
    """Bodies by label, parents before children (n = nb), what joins each to its parent, and work space for solving.

    A joint's matrices are 6 x 6, row by row, angular components first; G is (n, 36) for n of them.
    """

    body: Ints  # (n,) body of each label
    parent: Ints  # (n,) label of the parent; -1: ground, or none
    label: Ints  # (n + 1,) label of each body; -1 for ground
    start: Ints  # (n + 1,) rows of the joint that leads to label k: row[start[k] : start[k + 1]]
    row: Ints  # (m, 2) row, and where the child stands in it: 0 for body i, 1 for body j
    rest: Ints  # rows that no joint of the tree takes
    first: Ints  # (1,) the first component of the child that rows are solved for: ALL or TRANSLATIONS
    G: Floats  # (n, 36) x_c = G x_p + N y + b
    N: Floats  # (n, 36) as many columns as the joint has unknowns
    B: Floats  # (n, 36) inverse of the taken rows' entries in the components solved for
    place: Ints  # (n, 6) the components solved for, in the order of B's rows; behind them the others, as N's columns
    taken: Ints  # (n, 6) the rows taken, in the order of B's columns
    held: Ints  # (n,) how many
    col: Ints  # (n, 6) numbers of the unknowns among all
    left: Ints  # the rows of `rest` that are not dropped, [: sizes[1]]
    sizes: Ints  # (2,) unknowns y, rows left
    table: Floats  # (6, 12) for one elimination
    b: Floats  # (n, 6)
    g: Floats  # (n, 6) wrenches
    dx: Floats  # (n, 6) a step towards the solution, by label
    eta: Floats  # (nc,) right sides of the rows that are not dropped
    usual: Floats  # (1,) smallest pivot of the rows left in the first matrix, 0 before
    report: Floats  # (2,) the smallest pivot as a share of what it was, and its row; -1: a freedom without inertia


def new_tree(
    mechanism: CompiledMechanism, group: Any, droppable: bool, first: int, root: str | None
) -> tuple[Tree, int]:
    """Tables and work space of a solver, and how many unknowns y there are at most.

    first : ALL takes every row of the joints in the tree, TRANSLATIONS those with a translation of the body in them.
        Raw velocity rows with constant coefficients (PFAFFIAN) are left in any case: they need not depend on the child.
    root : body that the tree starts with (`topology_of`).
    Raises UsageError for a root that does not exist, UnsupportedElementError for bodies on SE(3).
    """
    if np.any(np.asarray(group) != 0):
        raise UnsupportedElementError("solving along a tree is written for bodies on SO(3) x R^3.")
    rows, topology = mechanism.system.rows, topology_of(mechanism, root)
    n, nc = mechanism.nb, mechanism.nc
    start, row = [0], []
    for k in range(n):
        if (a := int(topology.tree.arc[k])) >= 0:
            taken = [r for r in topology.arcs[a].rows if takes(rows.kind[r], first)]
            row += [(r, 0 if rows.body_i[r] == topology.tree.body[k] else 1) for r in taken]
        start.append(len(row))
    rest = np.setdiff1d(np.arange(nc), [r for r, _ in row])
    unknowns = 6 * n if droppable else int(np.sum(np.maximum(6 - np.diff(start), 0)))

    def matrices() -> Floats:
        return np.zeros((n, 36))

    def sixes(dtype: Any = np.float64) -> Any:
        return np.zeros((n, 6), dtype=dtype)

    tree = Tree(
        body=np.array(topology.tree.body), parent=np.array(topology.tree.parent), label=np.append(topology.number, -1),
        start=np.array(start, dtype=np.int64), row=np.array(row, dtype=np.int64).reshape(-1, 2),
        rest=rest.astype(np.int64), first=np.array([first]),
        G=matrices(), N=matrices(), B=matrices(), place=sixes(np.int64), taken=sixes(np.int64),
        held=np.zeros(n, dtype=np.int64), col=sixes(np.int64), left=np.zeros(len(rest), dtype=np.int64),
        sizes=np.zeros(2, dtype=np.int64), table=np.zeros((6, 12)), b=sixes(), g=sixes(), dx=sixes(), eta=np.zeros(nc),
        usual=np.zeros(1), report=np.array([1.0, -1.0]),
    )  # fmt: skip
    return tree, unknowns


def takes(kind: int, first: int) -> bool:
    """Whether a row of this kind can be solved for the child."""
    return kind not in CONSTANT and (first == ALL or kind not in ROTATION_ALONE)
