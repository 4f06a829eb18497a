"""The kernels of implicit methods, compiled once for every method and every formulation with an index-3 problem."""

from __future__ import annotations

from typing import Any

from linkwork.integrators import implicit_kernels, start
from linkwork.integrators.implicit_table import CONTEXT, entries_of, run_of, samples_of
from linkwork.kernels.jit import direct_entry
from linkwork.problems.addresses import COUNT, PAIR, TABLE, i1


@direct_entry(PAIR(TABLE, COUNT, TABLE))
def advance(table: Any, steps: Any, samples: Any) -> tuple[int, int]:
    """`implicit_kernels.advance` of what the tables hold."""
    return implicit_kernels.advance(entries_of(table), i1(table, CONTEXT), run_of(table), steps, samples_of(samples))


@direct_entry(COUNT(TABLE))
def solve_accelerations(table: Any) -> int:
    """`start.solve_accelerations` of what the table holds."""
    return start.solve_accelerations(entries_of(table), i1(table, CONTEXT), run_of(table))


@direct_entry(COUNT(TABLE))
def perturb(table: Any) -> int:
    """`start.perturb` of what the table holds."""
    return start.perturb(entries_of(table), i1(table, CONTEXT), run_of(table))
