"""Which record of an explicit problem stands where in the table that its entries receive.

The records of the solver come behind these (`slots(..., after=DEPENDENT)`), a formulation's own last of all
(`slots(..., last=True)`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from linkwork.problems.dependent import Dependent
from linkwork.problems.explicit import Work
from linkwork.problems.layout import address_table, slots
from linkwork.system.packed import Tables

TABLES, WORK, DEPENDENT = slots(Tables, Work, Dependent)


def make_context(
    tables: Tables, work: Work, dependent: Dependent, solver: Sequence[Any], formulation_arrays: Sequence[Any] = ()
) -> np.ndarray:
    """The table for these arrays, which must outlive it. own : a formulation's further arrays, the last of all."""
    return address_table((tables, work, dependent, *solver, *formulation_arrays))
