"""Fixed-step Runge-Kutta, compiled once for every formulation that hands itself over as an explicit problem."""

from __future__ import annotations

from typing import Any

from linkwork.integrators import runge_kutta_kernels as kernels
from linkwork.integrators.explicit_table import CONTEXT, entries_of, run_of, samples_of, tableau_of
from linkwork.kernels.jit import direct_entry
from linkwork.problems.addresses import COUNT, PAIR, TABLE, i1


@direct_entry(PAIR(TABLE, COUNT, TABLE))
def advance(table: Any, steps: Any, samples: Any) -> tuple[int, int]:
    """`runge_kutta_kernels.advance` of what the tables hold."""
    entries, context, run = entries_of(table), i1(table, CONTEXT), run_of(table)
    return kernels.advance(entries, context, tableau_of(table), run, steps, samples_of(samples))
