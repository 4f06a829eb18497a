"""The one-shot solver's entries with a dense matrix, compiled."""

from __future__ import annotations

from typing import Any

from linkwork.formulations.rotation_matrix.compiled_one_shot import space_of
from linkwork.formulations.rotation_matrix.one_shot import OneShot, begin, finish, form, name_row
from linkwork.formulations.rotation_matrix.workspace import elements_of
from linkwork.kernels.dense_ldl import clear_dense, factor_dense, solve_dense
from linkwork.kernels.jit import entry
from linkwork.problems.blocks import readers
from linkwork.problems.explicit_context import ENTRY, FIRST_SOLVER, dependent_of, tables_of, work_of
from linkwork.problems.shared_blocks import DENSE_FACTORS
from linkwork.solvers.singularity_threshold import pivot_threshold

REPORT = len(OneShot._fields) + 2  # which of the solver's arrays names a row

(factors_of,) = readers(FIRST_SOLVER + len(OneShot._fields), DENSE_FACTORS)


@entry(ENTRY)
def factorise(context: Any) -> int:
    """Form and factor S."""
    factors, work = factors_of(context), work_of(context)
    clear_dense(factors)
    form(tables_of(context), work, elements_of(context), dependent_of(context), space_of(context), factors.values)
    space = space_of(context)
    status = int(factor_dense(factors, pivot_threshold(work, space.usual)))
    return name_row(work, space, status, factors.report)


@entry(ENTRY)
def solve(context: Any) -> int:
    """x and lambda."""
    tables, work, elements, space = tables_of(context), work_of(context), elements_of(context), space_of(context)
    begin(tables, work, elements, dependent_of(context), space)
    solve_dense(factors_of(context), space.rhs, space.rhs)
    return finish(tables, work, elements, dependent_of(context), space)
