"""The null-space solver's entries, compiled."""

from __future__ import annotations

from typing import Any

from linkwork.formulations.saddle_point.null_space import factorise as _factorise
from linkwork.formulations.saddle_point.null_space import solve_system as _solve
from linkwork.formulations.saddle_point.null_space_parts import NullSpace
from linkwork.kernels.dense_qr import RowFactors
from linkwork.kernels.dense_saddle import SaddleFactors
from linkwork.kernels.jit import entry, kernel
from linkwork.problems.addresses import f1, f2, i1
from linkwork.problems.explicit_context import ENTRY, FIRST_SOLVER, dependent_of, tables_of, work_of

FIRST_ROWS = FIRST_SOLVER + len(NullSpace._fields)
FIRST_SECOND = FIRST_ROWS + len(RowFactors._fields)
FIRST_REDUCED = FIRST_SECOND + len(RowFactors._fields)
REPORT = NullSpace._fields.index("report")  # which of the solver's arrays names a row


@kernel
def space_of(c: Any) -> Any:
    """The solver's own arrays."""
    k = FIRST_SOLVER
    return NullSpace(
        f2(c, k), f1(c, k + 1), f1(c, k + 2), i1(c, k + 3), i1(c, k + 4), f2(c, k + 5), f2(c, k + 6), f1(c, k + 7),
        i1(c, k + 8), f2(c, k + 9), f1(c, k + 10), f1(c, k + 11), f1(c, k + 12), f1(c, k + 13), f1(c, k + 14),
        f1(c, k + 15), f1(c, k + 16), i1(c, k + 17), f1(c, k + 18), f1(c, k + 19),
    )  # fmt: skip


@kernel
def rows_of(c: Any) -> Any:
    """The rows, and how they are split."""
    k = FIRST_ROWS
    return RowFactors(
        f2(c, k), i1(c, k + 1), f1(c, k + 2), f1(c, k + 3), i1(c, k + 4), i1(c, k + 5), f1(c, k + 6), f1(c, k + 7)
    )


@kernel
def second_of(c: Any) -> Any:
    """T and its factors."""
    k = FIRST_SECOND
    return RowFactors(
        f2(c, k), i1(c, k + 1), f1(c, k + 2), f1(c, k + 3), i1(c, k + 4), i1(c, k + 5), f1(c, k + 6), f1(c, k + 7)
    )


@kernel
def reduced_of(c: Any) -> Any:
    """Z^T M Z and its factors."""
    k = FIRST_REDUCED
    return SaddleFactors(f1(c, k), f1(c, k + 1), f1(c, k + 2))


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
