"""The one-shot solver's entries with a sparse matrix, compiled."""

from __future__ import annotations

from typing import Any

from linkwork.formulations.rotation_matrix.one_shot import OneShot, begin, finish, form, name_row
from linkwork.formulations.rotation_matrix.own import own_of
from linkwork.formulations.saddle_point.trust import least_pivot_beside
from linkwork.kernels.jit import entry, kernel
from linkwork.kernels.sparse_ldl import LdlFactors, SymmetricPattern, clear_ldl, factor_ldl, solve_ldl
from linkwork.problems.addresses import f1, f2, i1, i2, u1
from linkwork.problems.explicit_context import ENTRY, FIRST_SOLVER, dependent_of, tables_of, work_of

FIRST_PATTERN = FIRST_SOLVER + len(OneShot._fields)
FIRST_FACTORS = FIRST_PATTERN + len(SymmetricPattern._fields)
REPORT = len(OneShot._fields) + len(SymmetricPattern._fields) + 2  # which of the solver's arrays names a row


@kernel
def space_of(c: Any) -> Any:
    """The solver's tables."""
    k = FIRST_SOLVER
    return OneShot(
        f2(c, k),
        i2(c, k + 1),
        i2(c, k + 2),
        i2(c, k + 3),
        i1(c, k + 4),
        f2(c, k + 5),
        f1(c, k + 6),
        f1(c, k + 7),
        f1(c, k + 8),
    )  # fmt: skip


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
    factors, work = factors_of(context), work_of(context)
    clear_ldl(factors)
    form(tables_of(context), work, own_of(context), dependent_of(context), space_of(context), factors.values)
    space = space_of(context)
    status = int(factor_ldl(pattern_of(context), factors, least_pivot_beside(work, space.usual)))
    return name_row(work, space, status, factors.report)


@entry(ENTRY)
def solve(context: Any) -> int:
    """x and lambda."""
    tables, work, own, space = tables_of(context), work_of(context), own_of(context), space_of(context)
    begin(tables, work, own, dependent_of(context), space)
    solve_ldl(pattern_of(context), factors_of(context), space.rhs, space.rhs)
    return finish(tables, work, own, dependent_of(context), space)
