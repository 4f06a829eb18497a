"""Sparse LU of one pattern, many times: the names that formulations use.

In Python, once, and then in kernels::

    made, positions = pattern(rows, cols, n)          once, in Python
    work = factors(made)
    values[positions[k]] += x                         in a kernel
    status = factor(made, values, work, 0.1)          chooses pivots
    status = refactor(made, values, work)             same pivots, new numbers; not OK: call factor
    solve(work, b, x)
    solve_transposed(work, x, aside)                  several right sides, in place
"""

from __future__ import annotations

from linkwork.kernels.sparse.factor import MULTIPLIER_LIMIT, SINGULAR_TOLERANCE, factor
from linkwork.kernels.sparse.pattern import Factors, Pattern, factors, pattern
from linkwork.kernels.sparse.refactor import refactor, smallest_independence
from linkwork.kernels.sparse.solve import solve, solve_transposed

__all__ = [
    "MULTIPLIER_LIMIT",
    "SINGULAR_TOLERANCE",
    "Factors",
    "Pattern",
    "factor",
    "factors",
    "pattern",
    "refactor",
    "smallest_independence",
    "solve",
    "solve_transposed",
]
