"""Rows that get entries beside a number: a point that moves off the centre of mass, a direction off a coordinate axis.

Sparsity is found by what is zero. A run and those beside it are to have one sparsity, so that what compiled code works
on stands at the same places: the run is then carried out with places for all entries that one of them has.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from linkwork.errors import UsageError
from linkwork.kernels.tables import Rows

VECTORS = ("a_i", "b_i", "a_j", "s_i", "s_j", "n")
TOLD = "rows of the run have places for entries that a number moves off zero: values may differ in last places"


class WiderRowsError(UsageError):
    """The run has to be carried out with places for more entries. rows : these."""

    rows: Rows


def wider(rows: Rows, others: Iterable[Rows]) -> Rows:
    """The rows, with a number wherever one of the others has one."""
    found = rows
    for other in others:
        if np.array_equal(other.kind, rows.kind):
            changed = {
                name: np.where(getattr(found, name) == 0.0, getattr(other, name), getattr(found, name))
                for name in VECTORS
            }
            found = found._replace(**changed)
    return found


def same_zeros(rows: Rows, other: Rows) -> bool:
    """Whether both have numbers at the same places."""
    return all(np.array_equal(getattr(rows, name) != 0.0, getattr(other, name) != 0.0) for name in VECTORS)
