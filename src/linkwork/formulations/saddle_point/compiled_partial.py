"""The partial-elimination solver's entries, compiled."""

from __future__ import annotations

from typing import Any

from linkwork.formulations.saddle_point.partial import Partial
from linkwork.formulations.saddle_point.partial import factorise as _factorise
from linkwork.formulations.saddle_point.partial import solve_system as _solve
from linkwork.kernels.jit import entry, kernel
from linkwork.kernels.sparse_lu import Factors, Pattern
from linkwork.problems.addresses import WORDS, f1, i1, i2, u1
from linkwork.problems.explicit_context import ENTRY, FIRST_SOLVER, dependent_of, tables_of, work_of

REPORT = 10  # which of the solver's arrays names a row


@kernel
def system_of(c: Any) -> Any:
    """The system's places and values."""
    k = FIRST_SOLVER
    return Partial(
        f1(c, k), i2(c, k + 1), i2(c, k + 2), i2(c, k + 3), i2(c, k + 4), i1(c, k + 5), f1(c, k + 6), f1(c, k + 7),
        f1(c, k + 8), f1(c, k + 9), f1(c, k + 10),
    )  # fmt: skip


@kernel
def pattern_of(c: Any) -> Any:
    """Its sparsity."""
    k = FIRST_SOLVER + 11
    return Pattern(c[WORDS * (k + 2) + 1], u1(c, k), u1(c, k + 1), u1(c, k + 2), u1(c, k + 3), 0)


@kernel
def factors_of(c: Any) -> Any:
    """Its factors."""
    k = FIRST_SOLVER + 15
    return Factors(
        u1(c, k), u1(c, k + 1), i1(c, k + 2), u1(c, k + 3), u1(c, k + 4), f1(c, k + 5), u1(c, k + 6), u1(c, k + 7),
        f1(c, k + 8), f1(c, k + 9), f1(c, k + 10), f1(c, k + 11), u1(c, k + 12), u1(c, k + 13), f1(c, k + 14),
        f1(c, k + 15), f1(c, k + 16), f1(c, k + 17), i1(c, k + 18), i1(c, k + 19), u1(c, k + 20), u1(c, k + 21),
        f1(c, k + 22), i1(c, k + 23),
    )  # fmt: skip


@entry(ENTRY)
def factorise(context: Any) -> int:
    """Fill and factor the matrix."""
    return _factorise(
        tables_of(context), work_of(context), dependent_of(context), system_of(context), pattern_of(context),
        factors_of(context),
    )  # fmt: skip


@entry(ENTRY)
def solve(context: Any) -> int:
    """x and lambda."""
    return _solve(tables_of(context), work_of(context), dependent_of(context), system_of(context), factors_of(context))
