"""Which rows depend on others, in a recorded step: by projection, in the place of `kernels.dependence.take_row`.

Compiled kernels eliminate with pivots, and which entry of a row is largest changes on the way of a mechanism that
turns. A recorded step can follow no such choice. It takes each row's part in the rows kept before it by modified
Gram-Schmidt, which is as stable [Golub and Van Loan, Matrix computations, 5.2.8], and needs none: the combinations C of
kept rows that come of it are the same, up to rounding. Rows that are kept, and that depend on them, are those of the
recorded run. A guard asks of each kept row that more is left of it than elimination would ask, and of each dropped row
that less is.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.kernels.dependence import NR, drop_row
from linkwork.lanes.traced.numbers import Traced, value_of


def take_row(i: int, low: int, high: int, size: Any, tolerance: Any, found: Any) -> int:
    """Keep or drop row i, whose entries stand in found.reduced[nr]; returns -1 if not finite, else 0.

    Writes found: reduced and factor of a kept row, orthonormal and its parts in those; all else as the kernel does.
    """
    nr = int(found.sizes[NR])
    row, part = found.reduced[nr], found.w
    total = product(row, row)
    if not total < 1e300:
        return -1
    scale = max(np.sqrt(total), size)
    found.scale[i] = scale
    for j in filled(row):
        row[j] = row[j] / scale
    for s in range(nr):
        other = found.reduced[s]
        part[s] = product(row, other)
        for j in filled(other):
            row[j] = row[j] - part[s] * other[j]
    left = product(row, row)
    most = len(row) * tolerance * tolerance  # then some entry is above `tolerance`, whatever the pivots
    if value_of(left) > value_of(most):
        if not left > most:
            return -1
        length = np.sqrt(left)
        for j in filled(row):
            row[j] = row[j] / length
        found.factor[nr, :nr] = part[:nr]
        found.factor[nr, nr] = length
        found.keep[i], found.kept[nr], found.sizes[NR] = 1, i, nr + 1
        return 0
    if not left <= tolerance * tolerance:
        return -1
    drop_row(i, found)
    return 0


def filled(row: Any) -> list[int]:
    """Entries that are not always zero."""
    return [j for j, x in enumerate(row) if isinstance(x, Traced) or x != 0.0]


def product(a: Any, b: Any) -> Any:
    """Of two rows."""
    return sum((a[j] * b[j] for j in filled(a) if isinstance(b[j], Traced) or b[j] != 0.0), 0.0)
