"""The matrices of the joint graph [Mufti 1983, eqs. 1, 22-25 and 62], sparse unless asked otherwise.

Rows of C, S and C* are bodies by label, columns are arcs; 1 where the arc starts, -1 where it ends. Tree arcs lead from
parent to child, and h_k to the body of label k. Elements stand for 3 x 3 blocks in the paper's equations.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.system.topology.labels import Ints, Tree
from linkwork.system.topology.loops import Cuts


def S(tree: Tree, dense: bool = False) -> Any:
    """(n, n): all arcs h_0, ..., also those from ground, and the one that the paper imagines before a floating root.

    Upper triangular, -1 on the diagonal. S = (-e_1, C) for one tree [eq. 22]; it takes the place of C where the base
    is held by ground or moves as prescribed [Remark 3].
    """
    k = np.arange(len(tree.parent))
    return _matrix(tree.parent, k, len(k), len(k), dense)


def C(tree: Tree, dense: bool = False) -> Any:
    """(n, n - bases): arcs between bodies, the columns of S whose arc starts at a body [eq. 1]."""
    inner = np.flatnonzero(tree.parent >= 0)
    return _matrix(tree.parent[inner], inner, len(tree.parent), len(inner), dense)


def C_star(tree: Tree, cuts: Cuts, dense: bool = False) -> Any:
    """(n, m): the cut joints, each from its first body to its second [eq. 62]; ground has no row."""
    return _matrix(cuts.i, cuts.j, len(tree.parent), len(cuts.arc), dense)


def T(tree: Tree, dense: bool = False) -> Any:
    """(n, n): the inverse of S. -1 where arc h_k is on the way from ground to the body of label l [eqs. 23-25].

    Row k is -1 on the subtree of k. A chain of n bodies has n (n + 1) / 2 entries: dense in all but name.
    """
    n, size = len(tree.size), tree.size
    if dense:
        l = np.arange(n)
        k = l[:, None]
        out: Ints = -((k <= l) & (l < k + size[:, None])).astype(np.int64)
        return out
    from scipy.sparse import csr_array

    start = np.concatenate(([0], np.cumsum(size)))
    column = np.arange(start[-1]) - np.repeat(start[:-1] - np.arange(n), size)
    return csr_array((np.full(start[-1], -1, dtype=np.int64), column, start), shape=(n, n))


def _matrix(first: Ints, second: Ints, rows: int, columns: int, dense: bool) -> Any:
    """Per column 1 in row `first` and -1 in row `second`; -1, ground, has no row."""
    k = np.arange(columns)
    row = np.concatenate((first, second))
    column = np.concatenate((k, k))
    value = np.concatenate((np.ones(columns, dtype=np.int64), -np.ones(columns, dtype=np.int64)))
    on_body = row >= 0
    row, column, value = row[on_body], column[on_body], value[on_body]
    if dense:
        out = np.zeros((rows, columns), dtype=np.int64)
        np.add.at(out, (row, column), value)
        return out
    from scipy.sparse import csr_array

    return csr_array((value, (row, column)), shape=(rows, columns))
