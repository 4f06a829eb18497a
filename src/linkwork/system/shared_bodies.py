"""Which rows share a body: the entries of every matrix made of rows by rows, such as G G^T."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkwork.kernels.tables import Rows

Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]


def sharing(rows: Rows, nb: int, used: Mask) -> Ints:
    """Pairs of rows that share a body, each with itself and every later row with every earlier one, (n, 4).

    used : (nc, 2) which sides count. Of a pair: rows k >= l, and where their parts of the shared body begin, 0 or 6.
    """
    body = np.stack([rows.body_i, rows.body_j], axis=1).ravel()
    at = np.flatnonzero(used.ravel() & (body < nb))
    at = at[np.argsort(body[at], kind="stable")]
    start = np.flatnonzero(np.diff(body[at], prepend=-1))  # where a body's parts begin
    first = np.repeat(start, np.diff(start, append=len(at)))
    every = np.arange(len(at))
    count = every - first + 1
    later = np.repeat(every, count)
    earlier = np.arange(len(later)) - np.repeat(np.cumsum(count) - count, count) + np.repeat(first, count)
    k, l = at[later], at[earlier]
    return np.stack([k // 2, l // 2, 6 * (k % 2), 6 * (l % 2)], axis=1).astype(np.int64)
