"""Accelerations and multipliers that fit a start pose and velocity: the index-1 equations, solved once."""

from __future__ import annotations

from typing import Any

from linkwork.integrators.newton import (
    DROPPABLE,
    EAGER,
    FACTORIZATIONS,
    KNOWN,
    NOT_FINITE,
    OK,
    START_TIME,
    evaluate,
    renew_matrix,
)
from linkwork.kernels.jit import kernel
from linkwork.problems.implicit import ACCELERATION_LEVEL, C_Q, C_V, LEVEL, POSITION_LEVEL, TIME
from linkwork.problems.stars import set_stars

REFINEMENTS = 3  # the equations are linear in z: the second and third pass only remove rounding


@kernel
def solve_accelerations(entries: Any, context: Any, run: Any) -> int:
    """Solve M udot + G^T lambda = forces with G udot = gamma at the present pose and velocity."""
    coef, z = run.coef, run.z
    coef[C_V], coef[C_Q], coef[TIME] = 0.0, 0.0, run.settings[START_TIME]
    entries.begin(context)
    set_stars(run, 0.0)
    coef[LEVEL] = ACCELERATION_LEVEL
    for c in range(z.shape[0]):
        z[c] = 0.0
    status = OK
    for k in range(REFINEMENTS + 1):
        evaluate(entries, context, run)
        if k == REFINEMENTS or status != OK:
            break
        if k == 0:
            if run.options[DROPPABLE] == 1:
                status = NOT_FINITE if entries.seek(context) < 0 else OK
            if status == OK:
                status = renew_matrix(entries, context, run)
        if status == OK:
            entries.solve(context)
            for c in range(z.shape[0]):
                z[c] -= run.delta[c]
            if k == REFINEMENTS - 1 and run.options[DROPPABLE] == 1:
                entries.share(context)
    coef[LEVEL] = POSITION_LEVEL
    run.counts[FACTORIZATIONS] = 0  # the index-1 matrix must not serve the first step
    run.counts[KNOWN], run.counts[EAGER] = 1, 0
    return status
