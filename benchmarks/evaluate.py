"""A compiled loop of evaluations of an explicit problem, as a Runge-Kutta method's stages make them."""

from __future__ import annotations

from functools import cache
from typing import Any

from linkwork.integrators.evaluation import NOW, OK, PLACED, evaluate_here
from linkwork.kernels.jit import compiled


def repeat(entries: Any, context: Any, run: Any, count: Any) -> int:
    """Place and evaluate the state `count` times; the increment changes a little each time. 0: find accelerations."""
    status = OK
    if count == 0:
        entries.present(context)
    for k in range(count):
        run.counts[PLACED] = 0
        run.psi[0] = 1e-13 * (k % 2)
        status = evaluate_here(entries, context, run, run.settings[NOW], False)
    return status


@cache
def evaluations() -> Any:
    """The loop, compiled."""
    return compiled(repeat)
