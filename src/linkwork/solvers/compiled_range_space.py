"""The range-space solver's entries, compiled."""

from __future__ import annotations

from typing import Any

from linkwork.kernels.jit import entry
from linkwork.problems.blocks import block_of, readers
from linkwork.problems.explicit_context import ENTRY, FIRST_SOLVER, dependent_of, tables_of, work_of
from linkwork.problems.shared_blocks import LDL_FACTORS, LDL_PATTERN
from linkwork.solvers.range_space import RangeSpace
from linkwork.solvers.range_space import factorise as _factorise
from linkwork.solvers.range_space import solve as _solve

SPACE = block_of(RangeSpace, "f2x10 f2x12 u2x5 u1 f1 f1 f1")
space_of, pattern_of, factors_of = readers(FIRST_SOLVER, SPACE, LDL_PATTERN, LDL_FACTORS)


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
