"""Which array of an explicit problem stands where in the table that its entries receive.

The arrays of the solver come last: only the solver's own compiled file knows what they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from linkwork.kernels.dependence import Dependence
from linkwork.kernels.jit import kernel
from linkwork.problems.addresses import ENTRY, address_table, f1, f2, i1
from linkwork.problems.context import tables_of
from linkwork.problems.dependent import Dependent
from linkwork.problems.explicit import Work
from linkwork.problems.wide import arrays_of
from linkwork.problems.wide_context import WORDS_OF_WIDE, wide_of
from linkwork.system.packed import Tables

__all__ = ["ENTRY", "FIRST_SOLVER", "dependent_of", "make_context", "tables_of", "work_of"]

FIRST_WORK = len(Tables._fields)
FIRST_FOUND = FIRST_WORK + len(Work._fields)
FIRST_DEPENDENT = FIRST_FOUND + len(Dependence._fields)
FIRST_WIDE = FIRST_DEPENDENT + len(Dependent._fields) - 2
FIRST_SOLVER = FIRST_WIDE + WORDS_OF_WIDE


def make_context(
    tables: Tables, work: Work, dependent: Dependent, solver: Sequence[Any], own: Sequence[Any] = ()
) -> np.ndarray:
    """The table for these arrays, which must outlive it. own : a formulation's further arrays, the last of all."""
    return address_table(
        (*tables, *work, *dependent.found, *dependent[1:-1], *arrays_of(dependent.wide), *solver, *own)
    )


@kernel
def work_of(c: Any) -> Any:
    """The work space."""
    k = FIRST_WORK
    return Work(
        f2(c, k), f2(c, k + 1), f2(c, k + 2), f2(c, k + 3), f2(c, k + 4), f2(c, k + 5), f2(c, k + 6), f2(c, k + 7),
        f1(c, k + 8), f2(c, k + 9), f1(c, k + 10), f1(c, k + 11), f1(c, k + 12), f1(c, k + 13), f1(c, k + 14),
        i1(c, k + 15), f2(c, k + 16), f1(c, k + 17), f1(c, k + 18), f1(c, k + 19), f2(c, k + 20),
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
