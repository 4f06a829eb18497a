"""How far each constraint row is from holding, over time.

The kernel of a row is asked once for all samples: what it reads are arrays over time instead of numbers, which costs no
compilation. A row whose kernel decides something by its data is asked sample by sample.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.header import Array
from linkwork.kernels.rows.table import row
from linkwork.mechanism.expressions import Expression
from linkwork.mechanism.lowered import Lowered
from linkwork.system.compiled import compile_mechanism


def row_violations(lowered: Lowered, time: Array, position: Array, rotation: Array) -> Array:
    """(n, nc) absolute residuals of the position-level rows at n poses (n, nb, 3), (n, nb, 3, 3); m, or 1."""
    n, nb, nc = len(time), len(lowered.bodies), len(lowered.rows)
    rows = compile_mechanism(lowered).system.rows
    r, A = np.zeros((nb + 1, 3, n)), np.zeros((nb + 1, 9, n))
    r[:nb] = position.transpose(1, 2, 0)
    A[:nb] = rotation.reshape(n, nb, 9).transpose(1, 2, 0)
    A[nb] = np.eye(3).reshape(9, 1)
    out = np.zeros((n, nc))
    for k, told in enumerate(lowered.rows):
        drive = np.zeros((nc, 3), dtype=object)
        if isinstance(told.f, Expression):
            drive[k] = told.f.jet(time)
        else:
            drive[k, 0] = float(told.f)
        try:
            out[:, k] = np.abs(row(rows.kind[k], rows, k, r, A, drive)[0])
        except ValueError:  # it asked whether an array is true
            out[:, k] = [_one(rows, k, drive, r[:, :, s], A[:, :, s], s) for s in range(n)]
    return out


def _one(rows: Any, k: int, drive: Any, r: Array, A: Array, s: int) -> float:
    """The same at one sample."""
    now = np.zeros((len(drive), 3))
    now[k] = [np.broadcast_to(f, (s + 1,))[s] if np.ndim(f) == 0 else f[s] for f in drive[k]]
    return abs(float(row(rows.kind[k], rows, k, r, A, now)[0]))
