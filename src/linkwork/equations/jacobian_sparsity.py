"""Which entries of a constraint row's Jacobian can differ from zero: what every sparsity is made of."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkwork.kernels.rows.kinds import CONSTANT, GLOBAL_DIRECTION, ROTATION_ALONE
from linkwork.kernels.tables import Rows

Mask = NDArray[np.bool_]


def translation_used(rows: Rows, k: int, side: int) -> list[bool]:
    """Which of the three translation entries of a row can differ from zero."""
    kind = rows.kind[k]
    if kind in ROTATION_ALONE:
        return [False] * 3
    if kind in GLOBAL_DIRECTION:
        return [bool(x != 0.0) for x in rows.a_i[k]]
    if kind in CONSTANT:
        return [bool(x != 0.0) for x in (rows.a_i, rows.a_j)[side][k]]
    return [True] * 3


def rotation_used(rows: Rows, k: int, side: int) -> bool:
    """Whether a row can depend on the rotation of one of its bodies."""
    s = (rows.s_i, rows.s_j)[side][k]
    return bool(rows.kind[k] not in (*GLOBAL_DIRECTION, *CONSTANT) or np.any(s != 0.0))


def translations_used(rows: Rows) -> Mask:
    """`translation_used` of all rows and both sides, (nc, 2, 3)."""
    out = np.ones((len(rows.kind), 2, 3), dtype=bool)
    out[np.isin(rows.kind, ROTATION_ALONE)] = False
    for kinds, given in ((GLOBAL_DIRECTION, (rows.a_i, rows.a_i)), (CONSTANT, (rows.a_i, rows.a_j))):
        some = np.isin(rows.kind, kinds)
        out[some] = np.stack([side[some] != 0.0 for side in given], axis=1)
    return out


def rotations_used(rows: Rows) -> Mask:
    """`rotation_used` of all rows and both sides, (nc, 2)."""
    points = np.stack([np.any(s != 0.0, axis=1) for s in (rows.s_i, rows.s_j)], axis=1)
    out: Mask = points | ~np.isin(rows.kind, (*GLOBAL_DIRECTION, *CONSTANT))[:, None]
    return out
