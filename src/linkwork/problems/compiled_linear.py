"""The linear entries, compiled once for all problems."""

from __future__ import annotations

from typing import Any

from linkwork.kernels.jit import entry
from linkwork.problems.context import (
    ENTRY,
    dependent_of,
    factors_of,
    linear_of,
    matrix_of,
    pattern_of,
    work_of,
)
from linkwork.problems.linear import factorise as _factorise
from linkwork.problems.linear import solve_residual as _solve_residual


@entry(ENTRY)
def factorise(context: Any) -> int:
    """Factor the assembled matrix."""
    return _factorise(
        matrix_of(context), pattern_of(context), factors_of(context), dependent_of(context), linear_of(context)
    )


@entry(ENTRY)
def solve(context: Any) -> int:
    """delta from the residual."""
    return _solve_residual(work_of(context), factors_of(context), dependent_of(context), linear_of(context))
