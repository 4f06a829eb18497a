"""Steps of one size for W instances: the integrator's own, to be called without the interpreter's lock."""

from __future__ import annotations

from linkwork.integrators import runge_kutta_kernels as one_size
from linkwork.integrators.evaluation import Block, Entries, Run
from linkwork.integrators.explicit_table import CONTEXT, ENTRIES, RUN, SAMPLES, STEPS, TABLEAU
from linkwork.integrators.tableaux.tableau import TableauArrays
from linkwork.kernels.jit import kernel
from linkwork.kernels.tables import Ints
from linkwork.problems.entry import direct_entry

STATES = 64  # more than there are values of Status


@kernel
def advance(entries: Entries, context: Ints, tableau: TableauArrays, run: Run, steps: int, block: Block) -> int:
    """`runge_kutta_kernels.advance`, what it returns in one number: Status + 64 times the samples recorded."""
    status, recorded = one_size.advance(entries, context, tableau, run, steps, block)
    return int(status) + STATES * recorded


ADVANCE = direct_entry(advance, ENTRIES, CONTEXT, TABLEAU, RUN, STEPS, SAMPLES)
