"""The augmented solver's entries, compiled."""

from __future__ import annotations

from typing import Any

from linkwork.kernels.jit import entry
from linkwork.problems.blocks import block_of, readers
from linkwork.problems.explicit_context import ENTRY, FIRST_SOLVER, dependent_of, tables_of, work_of
from linkwork.problems.shared_blocks import FACTORS, PATTERN
from linkwork.solvers.augmented import Augmented
from linkwork.solvers.augmented import factorise as _factorise
from linkwork.solvers.augmented import solve as _solve
from linkwork.solvers.sparse_saddle import SaddleMatrix

SYSTEM = block_of(Augmented, "i2x9 i2x3 i2x12 i2x12 i1")
MATRIX = block_of(SaddleMatrix, "f1 f1 f1 f1 f1 f1 f1")
system_of, matrix_of, pattern_of, factors_of = readers(FIRST_SOLVER, SYSTEM, MATRIX, PATTERN, FACTORS)


@entry(ENTRY)
def factorise(context: Any) -> int:
    """Fill and factor the matrix."""
    return _factorise(
        tables_of(context), work_of(context), dependent_of(context), system_of(context), matrix_of(context),
        pattern_of(context), factors_of(context),
    )  # fmt: skip


@entry(ENTRY)
def solve(context: Any) -> int:
    """x and lambda."""
    return _solve(tables_of(context), work_of(context), dependent_of(context), matrix_of(context), factors_of(context))
