"""The one-shot solver's entries with a sparse matrix, compiled."""

from __future__ import annotations

from typing import Any

from linkwork.formulations.rotation_matrix.one_shot import OneShot, begin, finish, form, name_row
from linkwork.formulations.rotation_matrix.workspace import elements_of
from linkwork.kernels.jit import entry
from linkwork.kernels.sparse_ldl import LdlPattern, clear_ldl, factor_ldl, solve_ldl
from linkwork.problems.blocks import block_of, readers
from linkwork.problems.explicit_context import ENTRY, FIRST_SOLVER, dependent_of, tables_of, work_of
from linkwork.problems.shared_blocks import LDL_FACTORS, LDL_PATTERN
from linkwork.solvers.singularity_threshold import pivot_threshold

REPORT = len(OneShot._fields) + len(LdlPattern._fields) + 2  # which of the solver's arrays names a row

SPACE = block_of(OneShot, "f2x54 i2x21 i2x12 i2x5 i1 f2x18 f1 f1 f1")
space_of, pattern_of, factors_of = readers(FIRST_SOLVER, SPACE, LDL_PATTERN, LDL_FACTORS)


@entry(ENTRY)
def factorise(context: Any) -> int:
    """Form and factor S."""
    factors, work = factors_of(context), work_of(context)
    clear_ldl(factors)
    form(tables_of(context), work, elements_of(context), dependent_of(context), space_of(context), factors.values)
    space = space_of(context)
    status = int(factor_ldl(pattern_of(context), factors, pivot_threshold(work, space.usual)))
    return name_row(work, space, status, factors.report)


@entry(ENTRY)
def solve(context: Any) -> int:
    """x and lambda."""
    tables, work, elements, space = tables_of(context), work_of(context), elements_of(context), space_of(context)
    begin(tables, work, elements, dependent_of(context), space)
    solve_ldl(pattern_of(context), factors_of(context), space.rhs, space.rhs)
    return finish(tables, work, elements, dependent_of(context), space)
