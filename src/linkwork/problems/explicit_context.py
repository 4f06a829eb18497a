"""Which array of an explicit problem stands where in the table that its entries receive.

The arrays of the solver come last: only the solver's own compiled file knows what they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from linkwork.problems.addresses import ENTRY, address_table
from linkwork.problems.blocks import block_of, readers, room_of
from linkwork.problems.dependent import Dependent, arrays_of
from linkwork.problems.explicit import Work
from linkwork.problems.shared_blocks import DEPENDENT, TABLES
from linkwork.system.packed import Tables

__all__ = ["ENTRY", "FIRST_SOLVER", "dependent_of", "make_context", "tables_of", "work_of"]

WORK = block_of(Work, "f2x24 f2x24 f2x6 f2x6 f2x12 f2x12 f2x6 f2x6 f1 f2x6 f1 f1 f1 f1 f1 i1 f2x3 f1 f1 f1 f2x3")
BLOCKS = (TABLES, WORK, DEPENDENT)
FIRST_SOLVER = room_of(*BLOCKS)

tables_of, work_of, dependent_of = readers(0, *BLOCKS)


def make_context(
    tables: Tables, work: Work, dependent: Dependent, solver: Sequence[Any], own: Sequence[Any] = ()
) -> np.ndarray:
    """The table for these arrays, which must outlive it. own : a formulation's further arrays, the last of all."""
    return address_table((*tables, *work, *arrays_of(dependent), *solver, *own))
