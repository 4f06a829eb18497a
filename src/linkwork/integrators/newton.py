"""Newton's method on one step's unknowns, compiled, in three variants [Kissel 2021, section 3].

The full matrix, the matrix without the first-order variation of the reactions (both formed anew at every
iteration), and the frozen matrix (kept over iterations and steps until convergence slows). Which of the first two
is meant shows in the matrix's own flags.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.kernels.jit import kernel
from linkwork.kernels.sparse_lu import factor, refactor, solve
from linkwork.problems.dependent import find_dependent, minimum_norm_multipliers, reduce_rows, take_out_rows
from linkwork.problems.implicit import LEVEL, POSITION_LEVEL
from linkwork.problems.stars import flush
from linkwork.status import Status

OK, NEWTON_DIVERGED = int(Status.OK), int(Status.NEWTON_DIVERGED)
SINGULAR, NOT_FINITE = int(Status.SINGULAR), int(Status.NOT_FINITE)

# Newton variants
EVERY_ITERATION, FROZEN = 0, 1
PIVOT_THRESHOLD = 0.1

# entries of Run.counts that this file writes (see implicit_euler_kernels.Run)
ITERATIONS, FACTORIZATIONS, LAST_ITERATIONS, RANK_CHANGES, WORST_ROW = 1, 2, 4, 5, 6


@kernel
def factorise(assemble: Any, vary_forces: Any, vary_reactions: Any, context: Any, tables: Any, work: Any, matrix: Any, pattern: Any,
              factors: Any, dependence: Any, run: Any) -> int:  # fmt: skip
    """Form the iteration matrix at the present state and factor it, with fresh pivots where the old ones fail."""
    blocks = matrix.blocks
    for p in range(blocks.shape[0]):
        for c in range(blocks.shape[1]):
            blocks[p, c] = 0.0
    if work.coef[LEVEL] == POSITION_LEVEL:
        if run.options[4] == 1:
            vary_forces(context)
        if matrix.flags[0] == 1:
            vary_reactions(context)
    assemble(context)
    if run.options[3] == 1:
        take_out_rows(matrix, dependence)
    run.counts[FACTORIZATIONS] += 1
    if refactor(pattern, matrix.values, factors) == OK:
        return OK
    return factor(pattern, matrix.values, factors, PIVOT_THRESHOLD)


@kernel
def evaluate_forced(place: Any, apply: Any, evaluate: Any, context: Any, tables: Any, work: Any, run: Any) -> None:
    """The residual, with the applied forces summed first where there are any."""
    if run.options[4] == 1:
        place(context)
        apply(context)
    evaluate(context)


@kernel
def correction_norm(run: Any) -> Any:
    """The weighted 2-norm of the correction [Kissel 2021, eq. 46]."""
    total = 0.0
    for c in range(run.delta.shape[0]):
        x = run.weight[c] * run.delta[c]
        total += x * x
    return np.sqrt(total)


@kernel
def worst_row(work: Any, first: Any, nc: Any) -> int:
    """The row with the largest scaled residual: named when a step fails."""
    worst, size = -1, -1.0
    for k in range(nc):
        x = abs(work.residual[first + k])
        if not x <= size:
            worst, size = k, x
    return worst


@kernel
def newton_solve(
    place: Any, apply: Any, evaluate: Any, assemble: Any, vary_forces: Any, vary_reactions: Any, context: Any, tables: Any, work: Any,
    matrix: Any, pattern: Any, factors: Any, dependence: Any, run: Any, first: Any, renew: Any,
) -> int:  # fmt: skip
    """Solve the step's equations from the predicted unknowns in work.z, which hold the solution afterwards."""
    tolerance, slow = run.settings[2], run.settings[3]
    variant, cap, may_drop = run.options[0], run.options[1], run.options[3] == 1
    nc = tables.row_int.shape[0]
    z, delta, counts = work.z, run.delta, run.counts
    factor_now = variant == EVERY_ITERATION or renew or counts[FACTORIZATIONS] == 0
    before = np.inf
    fresh = False
    iteration = 0
    while iteration < cap:
        evaluate_forced(place, apply, evaluate, context, tables, work, run)
        if may_drop and iteration == 0 and find_dependent(tables, work, dependence) > 0:
            counts[RANK_CHANGES] += 1
            factor_now = True
        if factor_now:
            status = factorise(
                assemble, vary_forces, vary_reactions, context, tables, work, matrix, pattern, factors, dependence, run
            )
            if status != OK:
                counts[WORST_ROW] = worst_row(work, first, nc)
                return SINGULAR
            fresh = True
            factor_now = variant == EVERY_ITERATION
        if may_drop:
            reduce_rows(work, first, dependence, run.rhs)
            solve(factors, run.rhs, delta)
        else:
            solve(factors, work.residual, delta)
        iteration += 1
        norm = correction_norm(run)
        if not np.isfinite(norm):
            counts[WORST_ROW] = worst_row(work, first, nc)
            return NOT_FINITE
        for c in range(z.shape[0]):
            z[c] = flush(z[c] - delta[c])
        if norm < tolerance:
            if may_drop:
                minimum_norm_multipliers(z, first, dependence)
            counts[LAST_ITERATIONS] = iteration
            counts[ITERATIONS] += iteration
            return OK
        if variant == FROZEN and not fresh and norm > slow * before:
            if norm > before:  # the old matrix leads astray: start the step again with a new one
                for c in range(z.shape[0]):
                    z[c] = run.start[c]
                before = np.inf
                factor_now = True
                continue
            factor_now = True
        elif variant == FROZEN and fresh and norm > slow * before:
            factor_now = True
        before = norm
    counts[WORST_ROW] = worst_row(work, first, nc)
    return NEWTON_DIVERGED
