"""Which record of an implicit or kinematic problem stands where in the table that its entries receive.

What only the problem's own entries know comes behind these (`slots(..., after=LINEAR)`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.kernels.sparse_lu import Factors, Pattern
from linkwork.problems.dependent import Dependent
from linkwork.problems.implicit import Linear, Matrix, Work
from linkwork.problems.layout import address_table, slots
from linkwork.system.packed import Tables

TABLES, WORK, MATRIX, PATTERN, FACTORS, DEPENDENT, LINEAR = slots(
    Tables, Work, Matrix, Pattern, Factors, Dependent, Linear
)


def make_context(
    tables: Tables,
    work: Work,
    matrix: Matrix,
    pattern: Pattern,
    factors: Factors,
    dependent: Dependent,
    linear: Linear,
    *formulation_arrays: Any,
) -> np.ndarray:
    """The table for these records, which must outlive it. own : what only the problem's own entries know."""
    return address_table((tables, work, matrix, pattern, factors, dependent, linear, *formulation_arrays))
