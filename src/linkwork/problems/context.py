"""Which array of an implicit or kinematic problem stands where in the table that its entries receive."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.kernels.dependence import Dependence
from linkwork.kernels.jit import kernel
from linkwork.kernels.sparse_lu import Factors, Pattern
from linkwork.problems.addresses import ENTRY, WORDS, address_table, f1, f2, i1, i2, i3, u1
from linkwork.problems.dependent import Dependent
from linkwork.problems.implicit import Matrix, Work
from linkwork.problems.linear import Linear
from linkwork.problems.wide import arrays_of
from linkwork.problems.wide_context import WORDS_OF_WIDE, wide_of
from linkwork.system.packed import Tables

__all__ = [
    "ENTRY",
    "FIRST_OWN",
    "dependent_of",
    "factors_of",
    "linear_of",
    "make_context",
    "matrix_of",
    "pattern_of",
    "tables_of",
    "work_of",
]

FIRST_WORK = len(Tables._fields)
FIRST_MATRIX = FIRST_WORK + len(Work._fields)
FIRST_PATTERN = FIRST_MATRIX + len(Matrix._fields)
FIRST_FACTORS = FIRST_PATTERN + 4
FIRST_FOUND = FIRST_FACTORS + len(Factors._fields)
FIRST_DEPENDENT = FIRST_FOUND + len(Dependence._fields)
FIRST_WIDE = FIRST_DEPENDENT + len(Dependent._fields) - 2
FIRST_LINEAR = FIRST_WIDE + WORDS_OF_WIDE
FIRST_OWN = FIRST_LINEAR + len(Linear._fields)


def make_context(
    tables: Tables,
    work: Work,
    matrix: Matrix,
    pattern: Pattern,
    factors: Factors,
    dependent: Dependent,
    linear: Linear,
    *own: np.ndarray,
) -> np.ndarray:
    """The table for these arrays, which must outlive it.

    own : what only the problem's own entries know; they come last, from FIRST_OWN on.
    """
    places = (pattern.indptr, pattern.indices, pattern.order, pattern.prefer)
    found = (*dependent.found, *dependent[1:-1], *arrays_of(dependent.wide))
    return address_table((*tables, *work, *matrix, *places, *factors, *found, *linear, *own))


@kernel
def tables_of(c: Any) -> Any:
    """The mechanism's tables."""
    return Tables(
        f2(c, 0), f1(c, 1), i2(c, 2), f2(c, 3), i1(c, 4), i1(c, 5), f1(c, 6), i1(c, 7), i2(c, 8), f2(c, 9),
        i2(c, 10), f2(c, 11), i2(c, 12), f2(c, 13),
    )  # fmt: skip


@kernel
def work_of(c: Any) -> Any:
    """The work space."""
    k = FIRST_WORK
    return Work(
        f2(c, k), f2(c, k + 1), f1(c, k + 2), f1(c, k + 3), f1(c, k + 4), f1(c, k + 5), f2(c, k + 6), f2(c, k + 7),
        f2(c, k + 8), f1(c, k + 9), f1(c, k + 10), f1(c, k + 11), f2(c, k + 12), f1(c, k + 13), f1(c, k + 14),
        f1(c, k + 15), f2(c, k + 16),
    )  # fmt: skip


@kernel
def matrix_of(c: Any) -> Any:
    """The iteration matrix."""
    k = FIRST_MATRIX
    return Matrix(
        f1(c, k), i1(c, k + 1), i2(c, k + 2), i3(c, k + 3), i3(c, k + 4), i3(c, k + 5), i3(c, k + 6),
        i1(c, k + 7), i2(c, k + 8), i2(c, k + 9), i2(c, k + 10), f2(c, k + 11), f2(c, k + 12), f2(c, k + 13),
        f1(c, k + 14),
    )  # fmt: skip


@kernel
def pattern_of(c: Any) -> Any:
    """The matrix's sparsity."""
    k = FIRST_PATTERN
    fill = 0  # a trial's count, which only the Python side reads
    return Pattern(c[WORDS * (k + 2) + 1], u1(c, k), u1(c, k + 1), u1(c, k + 2), u1(c, k + 3), fill)


@kernel
def factors_of(c: Any) -> Any:
    """The matrix's factors."""
    k = FIRST_FACTORS
    return Factors(
        u1(c, k), u1(c, k + 1), i1(c, k + 2), u1(c, k + 3), u1(c, k + 4), f1(c, k + 5), u1(c, k + 6),
        u1(c, k + 7), f1(c, k + 8), f1(c, k + 9), f1(c, k + 10), f1(c, k + 11), u1(c, k + 12), u1(c, k + 13),
        f1(c, k + 14), f1(c, k + 15), f1(c, k + 16), f1(c, k + 17), i1(c, k + 18), i1(c, k + 19),
        u1(c, k + 20), u1(c, k + 21), f1(c, k + 22), i1(c, k + 23),
    )  # fmt: skip


@kernel
def dependent_of(c: Any) -> Any:
    """What is known of dependent rows."""
    k, d = FIRST_FOUND, FIRST_DEPENDENT
    found = Dependence(
        i1(c, k), i1(c, k + 1), i1(c, k + 2), i1(c, k + 3), f2(c, k + 4), f2(c, k + 5), f2(c, k + 6),
        f2(c, k + 7), f1(c, k + 8), i1(c, k + 9), i1(c, k + 10), i1(c, k + 11), f1(c, k + 12),
    )  # fmt: skip
    return Dependent(found, f2(c, d), f1(c, d + 1), i1(c, d + 2), f1(c, d + 3), wide_of(c, FIRST_WIDE))


@kernel
def linear_of(c: Any) -> Any:
    """The linear entries' own arrays."""
    k = FIRST_LINEAR
    return Linear(f1(c, k), f1(c, k + 1), i1(c, k + 2))
