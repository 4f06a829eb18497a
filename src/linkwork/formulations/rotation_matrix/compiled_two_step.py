"""The two-step solver's entries with a sparse matrix, compiled."""

from __future__ import annotations

from typing import Any

from linkwork.formulations.rotation_matrix.two_step import TwoStep, begin, finish, form, judge
from linkwork.formulations.rotation_matrix.workspace import elements_of
from linkwork.kernels.jit import entry
from linkwork.kernels.sparse_ldl import LdlPattern, clear_ldl, factor_ldl, solve_ldl
from linkwork.problems.blocks import block_of, readers
from linkwork.problems.explicit_context import ENTRY, FIRST_SOLVER, dependent_of, tables_of, work_of
from linkwork.problems.shared_blocks import LDL_FACTORS, LDL_PATTERN
from linkwork.solvers.singularity_threshold import pivot_threshold

REPORT = len(TwoStep._fields) + len(LdlPattern._fields) + 2  # which of the solver's arrays names a row

SPACE = block_of(TwoStep, "f2x9 f2x9 f2x18 i2x5 i1 f1 f1 f1")
space_of, pattern_of, factors_of = readers(FIRST_SOLVER, SPACE, LDL_PATTERN, LDL_FACTORS)


@entry(ENTRY)
def factorise(context: Any) -> int:
    """Form and factor the matrix of step two."""
    factors, work = factors_of(context), work_of(context)
    clear_ldl(factors)
    form(tables_of(context), work, elements_of(context), dependent_of(context), space_of(context), factors.values)
    space = space_of(context)
    status = int(factor_ldl(pattern_of(context), factors, pivot_threshold(work, space.usual)))
    return judge(work, space, status, factors.report)


@entry(ENTRY)
def solve(context: Any) -> int:
    """x, lambda, Lambda and Addot."""
    tables, work, elements, space = tables_of(context), work_of(context), elements_of(context), space_of(context)
    begin(tables, work, elements, dependent_of(context), space)
    solve_ldl(pattern_of(context), factors_of(context), space.rhs, space.rhs)
    return finish(tables, work, elements, dependent_of(context), space)
