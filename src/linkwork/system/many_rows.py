"""Constraint rows of large mechanisms in plain NumPy: the same kernels, on all rows of a kind at once.

A kernel is arithmetic on numbers, 3-tuples and 9-tuples, and as good on arrays in their place. Kinds that are many in
large mechanisms go so; the others, and few rows, go one by one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.kernels.mat33 import get9
from linkwork.kernels.rows import cd, d, dp1, dp2
from linkwork.kernels.rows.blocks import ZERO, put_part
from linkwork.kernels.rows.kinds import NU_VARIES, VELOCITY_LEVEL
from linkwork.kernels.rows.table import evaluate_rows, rows_nu
from linkwork.kernels.tables import CD, DP1, DP2, D, Rows
from linkwork.kernels.vec3 import get3, neg

FEW = 40  # rows up to which one by one is as quick
AT_ONCE = (CD, DP1, DP2, D)
ASKED = (*VELOCITY_LEVEL, *NU_VARIES)  # kinds whose nu is not the rate of f alone


def evaluate(rows: Rows, r: Any, A: Any, drive: Any, phi: Any, G_i: Any, G_j: Any) -> None:
    """`kernels.rows.table.evaluate_rows`."""
    if len(rows.kind) <= FEW:
        evaluate_rows(rows, r, A, drive, phi, G_i, G_j)
        return
    for kind in AT_ONCE:
        k = np.flatnonzero(rows.kind == kind)
        if len(k):
            _evaluate(kind, rows, k, r, A, drive, phi, G_i, G_j)
    k = np.flatnonzero(~np.isin(rows.kind, AT_ONCE))
    if len(k):
        own = np.zeros(len(k)), np.zeros((len(k), 6)), np.zeros((len(k), 6))
        evaluate_rows(some(rows, k), r, A, drive[k], *own)
        phi[k], G_i[k], G_j[k] = own


def _evaluate(kind: int, rows: Rows, k: Any, r: Any, A: Any, drive: Any, phi: Any, G_i: Any, G_j: Any) -> None:
    """Rows number k, all of one kind."""
    i, j = rows.body_i[k], rows.body_j[k]
    A_i, A_j, a_i, c = get9(A, i), get9(A, j), get3(rows.a_i, k), ZERO
    ends = get3(r, i), A_i, get3(r, j), A_j
    s_i, s_j = get3(rows.s_i, k), get3(rows.s_j, k)
    if kind == CD:
        value, Pi_i, Pi_j = cd.row(*ends, a_i, s_i, s_j)
        c = a_i
    elif kind == DP1:
        value, Pi_i, Pi_j = dp1.row(A_i, A_j, a_i, get3(rows.a_j, k))
    elif kind == DP2:
        value, c, Pi_i, Pi_j = dp2.row(*ends, a_i, s_i, s_j)
    else:
        value, c, Pi_i, Pi_j = d.row(*ends, s_i, s_j)
    phi[k] = value - drive[k, 0]
    put_part(G_i, k, ZERO if c is ZERO else neg(c), Pi_i)
    put_part(G_j, k, c, Pi_j)


def velocities(rows: Rows, r: Any, A: Any, drive: Any, nu: Any) -> None:
    """`kernels.rows.table.rows_nu`."""
    if len(rows.kind) <= FEW:
        rows_nu(rows, r, A, drive, nu)
        return
    nu[:] = drive[:, 1]
    k = np.flatnonzero(np.isin(rows.kind, ASKED))
    if len(k):
        own = np.zeros(len(k))
        rows_nu(some(rows, k), r, A, drive[k], own)
        nu[k] = own


def some(rows: Rows, k: Any) -> Rows:
    """These rows alone."""
    columns: list[Any] = [column[k] for column in rows]
    return Rows(*columns)
