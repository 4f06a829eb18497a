"""Which entries of a constraint row's Jacobian can differ from zero: what every sparsity is made of."""

from __future__ import annotations

import numpy as np

from linkwork.kernels.tables import ANGLE, CD, DP1, PFAFFIAN, Rows


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
