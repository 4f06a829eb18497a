"""Which array of an implicit or kinematic problem stands where in the table that its entries receive."""

from __future__ import annotations

import numpy as np

from linkwork.kernels.sparse_lu import Factors, Pattern
from linkwork.problems.addresses import ENTRY, address_table
from linkwork.problems.blocks import block_of, readers, room_of
from linkwork.problems.dependent import Dependent, arrays_of
from linkwork.problems.implicit import Matrix, Work
from linkwork.problems.linear import Linear
from linkwork.problems.shared_blocks import DEPENDENT, FACTORS, PATTERN, TABLES
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

WORK = block_of(Work, "f2x37 f2x16 f1 f1 f1 f1 f2x6 f2x12 f2x6 f1 f1 f1 f1 f2x3 f1 f1 f1 f2x3")
MATRIX = block_of(Matrix, "f1 i1 i2x2 i3x7 i3x7 i3x7 i3x4 i1 i2x4 i2x4 i2x4 f2x72 f2 f2x12 f1")
LINEAR = block_of(Linear, "f1 f1 i1")
BLOCKS = (TABLES, WORK, MATRIX, PATTERN, FACTORS, DEPENDENT, LINEAR)
FIRST_OWN = room_of(*BLOCKS)

tables_of, work_of, matrix_of, pattern_of, factors_of, dependent_of, linear_of = readers(0, *BLOCKS)


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
    found = arrays_of(dependent)
    return address_table((*tables, *work, *matrix, *places, *factors, *found, *linear, *own))
