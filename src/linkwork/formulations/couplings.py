"""Which entries of a constraint row's Jacobian can differ from zero: what every sparsity is made of."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkwork.kernels.tables import ANGLE, CD, DP1, PFAFFIAN, Rows

Mask = NDArray[np.bool_]


def translation_used(rows: Rows, k: int, side: int) -> list[bool]:
    """Which of the three translation entries of a row can differ from zero."""
    kind = rows.kind[k]
    if kind in (DP1, ANGLE):
        return [False] * 3
    if kind == CD:
        return [bool(x != 0.0) for x in rows.a_i[k]]
    if kind == PFAFFIAN:
        return [bool(x != 0.0) for x in (rows.a_i, rows.a_j)[side][k]]
    return [True] * 3


def rotation_used(rows: Rows, k: int, side: int) -> bool:
    """Whether a row can depend on the rotation of one of its bodies."""
    s = (rows.s_i, rows.s_j)[side][k]
    return bool(rows.kind[k] not in (CD, PFAFFIAN) or np.any(s != 0.0))


def translations_used(rows: Rows) -> Mask:
    """`translation_used` of all rows and both sides, (nc, 2, 3)."""
    out = np.ones((len(rows.kind), 2, 3), dtype=bool)
    out[np.isin(rows.kind, (DP1, ANGLE))] = False
    for kind, given in ((CD, (rows.a_i, rows.a_i)), (PFAFFIAN, (rows.a_i, rows.a_j))):
        some = rows.kind == kind
        out[some] = np.stack([side[some] != 0.0 for side in given], axis=1)
    return out


def rotations_used(rows: Rows) -> Mask:
    """`rotation_used` of all rows and both sides, (nc, 2)."""
    points = np.stack([np.any(s != 0.0, axis=1) for s in (rows.s_i, rows.s_j)], axis=1)
    out: Mask = points | ~np.isin(rows.kind, (CD, PFAFFIAN))[:, None]
    return out
