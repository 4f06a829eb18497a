"""A compiled loop of evaluations of an explicit problem, as a Runge-Kutta method's stages make them."""

from __future__ import annotations

from typing import Any

from linkwork.integrators.evaluation import OK, evaluate_here
from linkwork.integrators.explicit_table import CONTEXT, ENTRIES, RUN, STEPS
from linkwork.kernels.jit import kernel
from linkwork.problems.entry import direct_entry


@kernel
def repeat(entries: Any, context: Any, run: Any, count: Any) -> int:
    """Place and evaluate the state `count` times; the increment changes a little each time. 0: find accelerations."""
    status = OK
    if count == 0:
        entries.output(context)
    for k in range(count):
        run.state_is_set[0] = 0
        run.psi[0] = 1e-13 * (k % 2)
        status = evaluate_here(entries, context, run, run.now[0], False)
    return status


REPEAT = direct_entry(repeat, ENTRIES, CONTEXT, RUN, STEPS)


def evaluations() -> Any:
    """The loop, compiled: of the table that a run's compiled code receives, and how often."""
    return REPEAT
