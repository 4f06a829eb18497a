"""L D L^T of a positive semidefinite matrix that leaves out the rows that depend on rows eliminated before them.

Where a pivot is at or below a limit, 1 / D = 0 stands in its place: the column of L becomes zero, no other column is
updated by it, and a solve gives that unknown the value zero. The matrix has a diagonal of ones; the limit stands in the
last of `values`, behind the matrix.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.kernels.jit import kernel
from linkwork.kernels.sparse.ldl import LdlFactors, eliminate
from linkwork.kernels.sparse.pattern import Floats
from linkwork.kernels.sparse.symbolic_ldl import LdlPattern


def semidefinite_factors(pattern: LdlPattern) -> LdlFactors:
    """Arrays for a matrix of this pattern and its factors, and for the limit behind it."""
    size = int(pattern.start[-1])
    return LdlFactors(np.zeros(size + 1), np.zeros(pattern.order.size), np.array([1.0, -1.0]))


@kernel
def reciprocal_or_zero(x: Floats, pivot: Any) -> Any:
    """1 / pivot, or zero where the pivot is not above the limit x[-1]."""
    return 1.0 / pivot if pivot > x[x.shape[0] - 1] else 0.0


@kernel
def factor_semidefinite(pattern: LdlPattern, factors: LdlFactors) -> None:
    """Factor `factors.values` in place. Rows order[k] with values[k] = 0 are those left out."""
    eliminate(reciprocal_or_zero, pattern, factors.values)
