"""Which array of an explicit method's run stands where in the table that its compiled code receives.

What the method itself brings, a tableau or the solver of its equations, comes last.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.integrators.evaluation import Entries, Run
from linkwork.integrators.fixed_point import Solver
from linkwork.integrators.limit_stencil import Beside
from linkwork.integrators.runge_kutta_kernels import Block
from linkwork.integrators.tableaux.tableau import TableauArrays
from linkwork.problems.addresses import address_table
from linkwork.problems.blocks import block_of, readers

CONTEXT = 0  # the table that entries receive

ENTRIES = block_of(Entries, "call call call call call call call call call call")
BESIDE = block_of(Beside, "f2 f2 f1 f2x2 f2 f2 f1 f1 f1 f1 f1 f2x6 f1 f2 f2x2 i1 f1")
RUN = block_of(Run, "f1 i1 i1 f2 f1 f1 f1 f1 f1 f1 f2x24 f1 f2", BESIDE)
TABLEAU = block_of(TableauArrays, "f2 f1 f1 f1 f1 f2 f2 f1")
SOLVER = block_of(Solver, "f1 i1 f1 f1 f1 f1 f1 f1 f2 f2")

entries_of, run_of, tableau_of = readers(CONTEXT + 1, ENTRIES, RUN, TABLEAU)
(solver_of,) = readers(CONTEXT + 1 + ENTRIES.room + RUN.room, SOLVER)
(samples_of,) = readers(0, block_of(Block, "f1 f3 f2 f3"))


def table_of(context: np.ndarray, entries: Entries, run: Run, own: Any) -> np.ndarray:
    """The table for these, which must outlive it. own : what the method brings."""
    *arrays, beside = run
    return address_table((context, *entries, *arrays, *beside, *own))
