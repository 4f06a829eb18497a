"""The null-space solver's entries, compiled."""

from __future__ import annotations

from typing import Any

from linkwork.kernels.jit import entry
from linkwork.problems.blocks import block_of, readers
from linkwork.problems.explicit_context import ENTRY, FIRST_SOLVER, dependent_of, tables_of, work_of
from linkwork.problems.shared_blocks import ROW_FACTORS, SADDLE_FACTORS
from linkwork.solvers.null_space import factorise as _factorise
from linkwork.solvers.null_space import solve as _solve
from linkwork.solvers.null_space_basis import NullSpace

SPACE = block_of(NullSpace, "f2 f1 f1 i1 i1 f2 f2 f1 i1 f2 f1 f1 f1 f1 f1 f1 f1 i1 f1 f1")
# the rows, and how they are split; T and its factors; Z^T M Z and its factors
space_of, rows_of, second_of, reduced_of = readers(FIRST_SOLVER, SPACE, ROW_FACTORS, ROW_FACTORS, SADDLE_FACTORS)


@entry(ENTRY)
def factorise(context: Any) -> int:
    """Split the rows, and factor what that leaves."""
    return _factorise(
        tables_of(context), work_of(context), dependent_of(context), space_of(context), rows_of(context),
        second_of(context), reduced_of(context),
    )  # fmt: skip


@entry(ENTRY)
def solve(context: Any) -> int:
    """x and lambda."""
    return _solve(
        tables_of(context), work_of(context), dependent_of(context), space_of(context), rows_of(context),
        second_of(context), reduced_of(context),
    )  # fmt: skip
