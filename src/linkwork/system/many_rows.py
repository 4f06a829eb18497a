"""Constraint rows of large mechanisms in plain NumPy: the same kernels, on all rows of a kind at once.

A kernel is arithmetic on numbers, 3-tuples and 9-tuples, and as good on arrays in their place. Few rows go one by one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.kernels.rows.blocks import put_part
from linkwork.kernels.rows.kinds import KINDS
from linkwork.kernels.rows.table import evaluate_rows, rows_nu
from linkwork.kernels.tables import Rows

FEW = 40  # rows up to which one by one is as quick


def evaluate(rows: Rows, r: Any, A: Any, drive: Any, phi: Any, G_i: Any, G_j: Any) -> None:
    """`kernels.rows.table.evaluate_rows`."""
    if len(rows.kind) <= FEW:
        evaluate_rows(rows, r, A, drive, phi, G_i, G_j)
        return
    for number, kind in enumerate(KINDS):
        if len(k := np.flatnonzero(rows.kind == number)):
            phi[k], along_i, about_i, along_j, about_j = kind.of_rows(kind.row, rows, k, r, A, drive)
            put_part(G_i, k, along_i, about_i)
            put_part(G_j, k, along_j, about_j)


def velocities(rows: Rows, r: Any, A: Any, drive: Any, nu: Any) -> None:
    """`kernels.rows.table.rows_nu`."""
    if len(rows.kind) <= FEW:
        rows_nu(rows, r, A, drive, nu)
        return
    for number, kind in enumerate(KINDS):
        if len(k := np.flatnonzero(rows.kind == number)):
            nu[k] = kind.of_rows(kind.nu, rows, k, r, A, drive)
