"""Which rows of a mechanism the joints of the tree take, and the arrays of the solvers along the tree."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from linkwork.errors import UnsupportedElementError
from linkwork.kernels.records import Shape, new_record
from linkwork.kernels.rows.kinds import CONSTANT, ROTATION_ALONE
from linkwork.kernels.tables import Floats, Ints
from linkwork.solvers.choice import ALL
from linkwork.system import CompiledMechanism
from linkwork.system.topology import topology_of


class Tree(NamedTuple):
    """Bodies by label, parents before children (n = nb), the joint of each to its parent, and arrays for solving.

    A joint's matrices are 6 x 6, row by row, angular components first; G is (n, 36) for n of them.
    """

    body: Annotated[Ints, Shape("n"), "body of each label"]
    parent: Annotated[Ints, Shape("n"), "label of the parent; -1: ground, or none"]
    label: Annotated[Ints, Shape("n + 1"), "label of each body; -1 for ground"]
    start: Annotated[Ints, Shape("n + 1"), "rows of the joint that leads to label k: row[start[k] : start[k + 1]]"]
    row: Annotated[Ints, Shape("m", 2), "row, and where the child stands in it: 0 for body i, 1 for body j"]
    other_rows: Annotated[
        Ints,
        Shape("others"),
        "rows that no joint of the tree takes: those of cut joints, and what TRANSLATIONS excludes",
    ]
    first_component: Annotated[
        Ints,
        Shape(1),
        "first component of the child that rows are solved for: ALL or TRANSLATIONS",
    ]
    G: Annotated[Floats, Shape("n", 36), "x_c = G x_p + N y + b"]
    N: Annotated[Floats, Shape("n", 36), "as many columns as the joint has unknowns"]
    B: Annotated[Floats, Shape("n", 36), "inverse of the taken rows' entries in the components solved for"]
    component: Annotated[
        Ints,
        Shape("n", 6),
        "components solved for, in the order of B's rows; then the free ones, as N's columns",
    ]
    taken: Annotated[Ints, Shape("n", 6), "the rows taken, in the order of B's columns"]
    taken_count: Annotated[Ints, Shape("n"), "how many"]
    unknown: Annotated[Ints, Shape("n", 6), "numbers of the joint's unknowns among all of y"]
    kept_rows: Annotated[
        Ints,
        Shape("others"),
        "those of other_rows that are not dropped, [: sizes[1]]; they keep their multipliers",
    ]
    sizes: Annotated[Ints, Shape(2), "unknowns y, kept rows"]
    table: Annotated[Floats, Shape(6, 12), "for one elimination"]
    b: Annotated[Floats, Shape("n", 6), "particular rates: what the right sides of the taken rows add to x_c"]
    g: Annotated[Floats, Shape("n", 6), "residual of the bodies' equations [N m, N]"]
    dx: Annotated[Floats, Shape("n", 6), "a correction of x, by label"]
    eta: Annotated[Floats, Shape("nc"), "right sides of the rows that are not dropped"]
    first_pivot: Annotated[Floats, Shape(1), "smallest pivot of the kept rows in the first matrix, 0 before"]
    report: Annotated[
        Floats,
        Shape(2),
        "smallest pivot over its reference, and its row; -1: an unknown without inertia",
    ]


def new_tree(
    mechanism: CompiledMechanism, group: Ints, droppable: bool, first: int, root: str | None
) -> tuple[Tree, int]:
    """Arrays of a solver, and how many unknowns y there are at most.

    first : ALL takes every row of the joints in the tree, TRANSLATIONS those with a translation of the body in them.
        Raw velocity rows with constant coefficients (PFAFFIAN) are not taken in any case: they need not depend on the
        child.
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

    given = {
        "body": np.array(topology.tree.body),
        "parent": np.array(topology.tree.parent),
        "label": np.append(topology.number, -1),
        "start": np.array(start, dtype=np.int64),
        "row": np.array(row, dtype=np.int64).reshape(-1, 2),
        "other_rows": rest.astype(np.int64),
        "first_component": np.array([first]),
        "report": np.array([1.0, -1.0]),
    }
    tree = new_record(Tree, given=given, n=n, nc=nc, others=len(rest))
    return tree, unknowns


def takes(kind: int, first: int) -> bool:
    """Whether a row of this kind can be solved for the child."""
    return kind not in CONSTANT and (first == ALL or kind not in ROTATION_ALONE)
