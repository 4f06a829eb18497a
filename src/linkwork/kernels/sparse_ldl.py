"""Sparse L D L^T of one symmetric positive definite pattern, many times: the names that formulations use.

In Python, once, and then in kernels::

    made, where = ldl_pattern(rows, cols, n)          once, in Python; entries of one triangle
    factors = ldl_factors(made)
    clear_ldl(factors)
    factors.values[where[e]] += x                     in a kernel, entry by entry
    status = factor_ldl(made, factors, LEAST_PIVOT)   in place: S is gone
    solve_ldl(made, factors, rhs, out)                as often as needed; out may be rhs
    factors.report[PIVOT], factors.report[ROW]        the smallest pivot over diagonal entry, and its row

`factor_ldl` and `solve_ldl` are inlined where compiled code calls them, as a call costs as much time as one or two
joints: call each from one place.
"""

from __future__ import annotations

from linkwork.kernels.sparse.ldl import (
    LEAST_PIVOT,
    PIVOT,
    ROW,
    LdlFactors,
    clear_ldl,
    factor_ldl,
    ldl_factors,
    solve_ldl,
)
from linkwork.kernels.sparse.symbolic_ldl import LdlPattern, ldl_pattern

__all__ = [
    "LEAST_PIVOT",
    "PIVOT",
    "ROW",
    "LdlFactors",
    "LdlPattern",
    "clear_ldl",
    "factor_ldl",
    "ldl_factors",
    "ldl_pattern",
    "solve_ldl",
]
