"""Sparse L D L^T of one symmetric positive definite pattern, many times: the names that formulations use.

In Python, once, and then in kernels::

    made, where = symmetric_pattern(rows, cols, n)    once, in Python; entries of one triangle
    factors = ldl_factors(made)
    clear_ldl(factors)
    factors.values[where[e]] += x                     in a kernel, entry by entry
    status = factor_ldl(made, factors, LEAST_PIVOT)   in place: S is gone
    solve_ldl(made, factors, rhs, out)                as often as needed; out may be rhs
    factors.report[PIVOT], factors.report[ROW]        the weakest row, and how much of it is its own, squared

`factor_ldl` and `solve_ldl` are inlined where compiled code calls them, as calls would cost as much as a joint or
two: call each from one place.
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
from linkwork.kernels.sparse.symbolic_ldl import SymmetricPattern, symmetric_pattern

__all__ = [
    "LEAST_PIVOT",
    "PIVOT",
    "ROW",
    "LdlFactors",
    "SymmetricPattern",
    "clear_ldl",
    "factor_ldl",
    "ldl_factors",
    "solve_ldl",
    "symmetric_pattern",
]
