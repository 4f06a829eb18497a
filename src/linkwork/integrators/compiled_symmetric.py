"""Implicit midpoint and Störmer-Verlet, compiled once for every formulation of the explicit shape."""

from __future__ import annotations

from typing import Any

from linkwork.integrators import symmetric_kernels as kernels
from linkwork.integrators.explicit_table import CONTEXT, entries_of, run_of, samples_of, solver_of
from linkwork.kernels.jit import direct_entry
from linkwork.problems.addresses import COUNT, PAIR, TABLE, i1


@direct_entry(PAIR(TABLE, COUNT, TABLE))
def advance(table: Any, steps: Any, samples: Any) -> tuple[int, int]:
    """`symmetric_kernels.advance` of what the tables hold."""
    entries, context, run = entries_of(table), i1(table, CONTEXT), run_of(table)
    return kernels.advance(entries, context, solver_of(table), run, steps, samples_of(samples))
