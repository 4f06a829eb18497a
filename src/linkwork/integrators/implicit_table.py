"""Which record of an implicit method's run stands where in the table that its compiled code receives."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from linkwork.integrators.newton import Block, Entries, Run
from linkwork.kernels.records import Shape
from linkwork.kernels.tables import Ints
from linkwork.problems.layout import Argument, address_table, slots

# the table that the problem's entries receive; what an integrator calls of them; the run
CONTEXT, ENTRIES, RUN = slots(Annotated[Ints, Shape("words")], Entries, Run)
STEPS = Argument(1, "count")
(SAMPLES,) = slots(Block, table=2)


def table_of(context: np.ndarray, entries: Entries, run: Run) -> np.ndarray:
    """The table for these, which must outlive it."""
    return address_table((context, entries, run))
