"""The kinematics kernels, compiled once for every formulation."""

from __future__ import annotations

from typing import Any

from linkwork.analysis import kinematics_kernels as kernels
from linkwork.analysis.kinematics_table import CONTEXT, entries_of, run_of, samples_of
from linkwork.kernels.jit import direct_entry
from linkwork.problems.addresses import COUNT, PAIR, TABLE, i1


@direct_entry(PAIR(TABLE, COUNT, COUNT, TABLE))
def advance(table: Any, steps: Any, first: Any, samples: Any) -> tuple[int, int]:
    """`kinematics_kernels.advance` of what the tables hold; first : 1 for the start itself, 0 for further times."""
    run, block = run_of(table), samples_of(samples)
    return kernels.advance(entries_of(table), i1(table, CONTEXT), run, steps, first, block)
