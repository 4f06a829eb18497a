"""Which array of an implicit method's run stands where in the table that its compiled code receives."""

from __future__ import annotations

import numpy as np

from linkwork.integrators.implicit_kernels import Block
from linkwork.integrators.newton import Entries, Run
from linkwork.problems.addresses import address_table
from linkwork.problems.blocks import block_of, readers

CONTEXT = 0  # the table that entries receive

ENTRIES = block_of(Entries, "call call call call call call call call call call call")
RUN = block_of(Run, "f1 i1 i1 f1 f1 f1 f1 f1 f2x37 f1 f1 f1 f1 f2x37 f1 f1 f1 f1 f1 f1")

entries_of, run_of = readers(CONTEXT + 1, ENTRIES, RUN)
(samples_of,) = readers(0, block_of(Block, "f1 f3 f2 i1"))


def table_of(context: np.ndarray, entries: Entries, run: Run) -> np.ndarray:
    """The table for these, which must outlive it."""
    return address_table((context, *entries, *run))
