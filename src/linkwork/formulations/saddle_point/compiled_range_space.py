"""The range-space solver's entries, compiled."""

from __future__ import annotations

from typing import Any

from linkwork.formulations.saddle_point.range_space import RangeSpace
from linkwork.formulations.saddle_point.range_space import factorise as _factorise
from linkwork.formulations.saddle_point.range_space import solve_sparse as _solve
from linkwork.kernels.jit import entry, kernel
from linkwork.kernels.sparse_ldl import LdlFactors, SymmetricPattern
from linkwork.problems.addresses import f1, f2, u1, u2
from linkwork.problems.explicit_context import ENTRY, FIRST_SOLVER, dependent_of, tables_of, work_of

FIRST_PATTERN = FIRST_SOLVER + len(RangeSpace._fields)
FIRST_FACTORS = FIRST_PATTERN + len(SymmetricPattern._fields)
REPORT = len(RangeSpace._fields) + len(SymmetricPattern._fields) + 2  # which of the solver's arrays names a row


@kernel
def space_of(c: Any) -> Any:
    """The solver's tables."""
    k = FIRST_SOLVER
    return RangeSpace(f2(c, k), f2(c, k + 1), u2(c, k + 2), u1(c, k + 3), f1(c, k + 4), f1(c, k + 5), f1(c, k + 6))


@kernel
def pattern_of(c: Any) -> Any:
    """The sparsity of S."""
    k = FIRST_PATTERN
    return SymmetricPattern(
        u1(c, k), u1(c, k + 1), u1(c, k + 2), u1(c, k + 3), u1(c, k + 4), u1(c, k + 5), u1(c, k + 6), u1(c, k + 7)
    )


@kernel
def factors_of(c: Any) -> Any:
    """S, and its factors."""
    k = FIRST_FACTORS
    return LdlFactors(f1(c, k), f1(c, k + 1), f1(c, k + 2))


@entry(ENTRY)
def factorise(context: Any) -> int:
    """Form and factor S."""
    return _factorise(
        tables_of(context), work_of(context), dependent_of(context), space_of(context), pattern_of(context),
        factors_of(context),
    )  # fmt: skip


@entry(ENTRY)
def solve(context: Any) -> int:
    """x and lambda."""
    return _solve(
        tables_of(context), work_of(context), dependent_of(context), space_of(context), pattern_of(context),
        factors_of(context),
    )  # fmt: skip
