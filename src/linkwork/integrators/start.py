"""Accelerations and multipliers that fit a start pose and velocity: the index-1 equations, solved once."""

from __future__ import annotations

from typing import Any

from linkwork.integrators.newton import evaluate_forced, factorise
from linkwork.kernels.jit import kernel
from linkwork.kernels.sparse_lu import solve
from linkwork.problems.dependent import find_dependent, minimum_norm_multipliers, reduce_rows
from linkwork.problems.implicit import ACCELERATION_LEVEL, C_Q, C_V, LEVEL, POSITION_LEVEL, TIME
from linkwork.problems.stars import set_stars
from linkwork.status import Status

OK = int(Status.OK)
REFINEMENTS = 3  # the equations are linear in z: the second and third pass only remove rounding


@kernel
def solve_accelerations(
    begin: Any, place: Any, apply: Any, evaluate: Any, assemble: Any, vary_forces: Any, vary_reactions: Any,
    context: Any, tables: Any, work: Any, matrix: Any, pattern: Any, factors: Any, dependence: Any, run: Any, first: Any,
) -> int:  # fmt: skip
    """Solve M udot + G^T lambda = forces with G udot = gamma at the present pose and velocity."""
    work.coef[C_V], work.coef[C_Q], work.coef[TIME] = 0.0, 0.0, run.settings[0]
    begin(context)
    set_stars(work, 0.0)
    work.coef[LEVEL] = ACCELERATION_LEVEL
    may_drop = run.options[3] == 1
    z = work.z
    for c in range(z.shape[0]):
        z[c] = 0.0
    status = OK
    for k in range(REFINEMENTS):
        evaluate_forced(place, apply, evaluate, context, tables, work, run)
        if k == 0:
            if may_drop:
                find_dependent(tables, work, dependence)
            status = factorise(
                assemble, vary_forces, vary_reactions, context, tables, work, matrix, pattern, factors, dependence, run
            )
            if status != OK:
                break
        if may_drop:
            reduce_rows(work, first, dependence, run.rhs)
            solve(factors, run.rhs, run.delta)
        else:
            solve(factors, work.residual, run.delta)
        for c in range(z.shape[0]):
            z[c] -= run.delta[c]
    if status == OK:
        if may_drop:
            minimum_norm_multipliers(z, first, dependence)
        evaluate_forced(place, apply, evaluate, context, tables, work, run)
    work.coef[LEVEL] = POSITION_LEVEL
    run.counts[2] = 0  # the index-1 matrix must not serve the first step
    run.counts[7] = 1
    return status
