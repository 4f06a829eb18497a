"""The range-space solver's entries with a dense matrix, compiled."""

from __future__ import annotations

from typing import Any

from linkwork.kernels.jit import entry
from linkwork.problems.blocks import readers
from linkwork.problems.explicit_context import ENTRY, FIRST_SOLVER, dependent_of, tables_of, work_of
from linkwork.problems.shared_blocks import DENSE_FACTORS
from linkwork.solvers.compiled_range_space import space_of
from linkwork.solvers.range_space import RangeSpace
from linkwork.solvers.range_space_dense import factorise as _factorise
from linkwork.solvers.range_space_dense import solve as _solve

(factors_of,) = readers(FIRST_SOLVER + len(RangeSpace._fields), DENSE_FACTORS)


@entry(ENTRY)
def factorise(context: Any) -> int:
    """Form and factor S."""
    return _factorise(
        tables_of(context), work_of(context), dependent_of(context), space_of(context), factors_of(context)
    )


@entry(ENTRY)
def solve(context: Any) -> int:
    """x and lambda."""
    return _solve(tables_of(context), work_of(context), dependent_of(context), space_of(context), factors_of(context))
