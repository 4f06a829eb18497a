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
    tables: Tables, work: Work, dependent: Dependent, solver: Sequence[Any], own: Sequence[Any] = ()
) -> np.ndarray:
    """The table for these arrays, which must outlive it. own : a formulation's further arrays, the last of all."""
    return address_table((tables, work, dependent, *solver, *own))


def __getattr__(name: str) -> Any:
    """What rooms use that do not declare entries where kernels stand yet."""
    if not name.endswith("_of") and name not in ("ENTRY", "FIRST_OWN", "FIRST_SOLVER"):
        raise AttributeError(name)
    from linkwork.problems.addresses import ENTRY
    from linkwork.problems.blocks import block_of, readers

    if name == "FIRST_SOLVER":
        return DEPENDENT.first + DEPENDENT.room
    if name == "ENTRY":
        return ENTRY
    for slot, reader in ((TABLES, "tables_of"), (WORK, "work_of"), (DEPENDENT, "dependent_of")):
        if name == reader:
            globals()[name] = readers(slot.first, block_of(slot.record))[0]
            return globals()[name]
    raise AttributeError(name)
