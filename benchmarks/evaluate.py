"""A compiled loop of evaluations of an explicit problem, as a Runge-Kutta method's stages make them."""

from __future__ import annotations

from functools import cache
from typing import Any

from linkwork.integrators.evaluation import NOW, OK, PLACED, evaluate_here
from linkwork.kernels.jit import kernel


@kernel
def repeat(entries: Any, context: Any, run: Any, count: Any) -> int:
    """Place and evaluate the state `count` times; the increment changes a little each time. 0: find accelerations."""
    status = OK
    if count == 0:
        entries.output(context)
    for k in range(count):
        run.counts[PLACED] = 0
        run.psi[0] = 1e-13 * (k % 2)
        status = evaluate_here(entries, context, run, run.settings[NOW], False)
    return status


@cache
def evaluations() -> Any:
    """The loop, compiled: of the table that a run's compiled code receives, and how often."""
    from linkwork.integrators.explicit_table import CONTEXT, entries_of, run_of
    from linkwork.kernels.jit import compiled
    from linkwork.problems.addresses import i1

    def repeated(table: Any, count: Any) -> int:
        return repeat(entries_of(table), i1(table, CONTEXT), run_of(table), count)

    return compiled(repeated, kept=False)
