"""Adaptive steps and dense output, compiled when a run asks for them."""

from __future__ import annotations

from typing import Any

from linkwork.integrators import dense_output_kernels as kernels
from linkwork.integrators.explicit_table import CONTEXT, entries_of, run_of, samples_of, tableau_of
from linkwork.kernels.jit import direct_entry
from linkwork.problems.addresses import COUNT, FLOATS, PAIR, TABLE, i1


@direct_entry(PAIR(TABLE, FLOATS, COUNT, TABLE))
def advance_to(table: Any, targets: Any, most: Any, samples: Any) -> tuple[int, int]:
    """`dense_output_kernels.advance_to` of what the tables hold."""
    entries, context, run = entries_of(table), i1(table, CONTEXT), run_of(table)
    return kernels.advance_to(entries, context, tableau_of(table), run, targets, most, samples_of(samples))


@direct_entry(COUNT(TABLE))
def guess_step(table: Any) -> int:
    """`dense_output_kernels.guess_step` of what the table holds."""
    return kernels.guess_step(entries_of(table), i1(table, CONTEXT), run_of(table))
