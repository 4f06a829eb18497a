"""Accelerations and multipliers of a sample from the equations at acceleration level (index 1).

The unknowns of a step hold rounding of positions, divided by c_q. At steps so small that this shows in accelerations
and reactions, samples take them from M udot + G^T lambda = forces, G udot = gamma at the pose and velocity that the
step has reached, which rounding of positions enters undivided. They are of the method's order, as velocities are. The
motion goes on from the step's own unknowns.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.integrators.newton import OK, Entries, Run, correction_norm, evaluate, renew_matrix
from linkwork.integrators.start import set_coefficients
from linkwork.kernels.jit import kernel, separate_kernel
from linkwork.kernels.tables import Ints
from linkwork.problems.request import ACCELERATION_LEVEL, POSITION_LEVEL
from linkwork.problems.step_state import keep_motion, step_back

PASSES = 12
ENOUGH, POOR = 1e-12, 1e-8  # of the size of the unknowns: what may be left, and a correction too large for a last


@kernel
def keep_solution(run: Run) -> None:
    """Keep the unknowns, the motion and the rates that the step has reached."""
    keep_motion(run)
    for c in range(run.z.shape[0]):
        run.start[c] = run.z[c]
    for k in range(run.rate.shape[0]):
        run.rate_before[k] = run.rate[k]


@kernel
def restore_solution(run: Run) -> None:
    """Unknowns, motion and rates as `keep_solution` kept them."""
    step_back(run)
    for c in range(run.z.shape[0]):
        run.z[c] = run.start[c]


@kernel
def size_of_unknowns(run: Run) -> Any:
    """The norm of the unknowns, in the measure of corrections [m/s^2]."""
    largest = 0.0
    for c in range(run.z.shape[0]):
        largest = max(largest, abs(run.weight[c] * run.z[c]))
    return largest


@separate_kernel
def solve_index_1(entries: Entries, context: Ints, run: Run) -> None:
    """z and the accelerations in `motion` from the index-1 equations at the present pose and rates.

    The step's matrix differs from theirs by O(h), so that a few passes with its factors suffice; it is renewed where it
    is too old for that. Where they cannot be solved the step's own unknowns are left.
    """
    request, z, start = run.request, run.z, run.start
    for k in range(run.rate.shape[0]):
        run.step_star[k] += request.c_q[0] * z[k]
        run.rate_star[k] = run.rate[k]
    request.c_v[0], request.c_q[0], request.level[0] = 0.0, 0.0, ACCELERATION_LEVEL
    size = size_of_unknowns(run)
    renewed, before = False, np.inf
    for _ in range(PASSES):
        evaluate(entries, context, run)
        entries.solve(context)
        norm = correction_norm(run)
        if not norm <= run.slow_contraction[0] * before:
            if renewed or before < POOR * size or renew_matrix(entries, context, run) != OK:
                break  # what is left is rounding
            entries.solve(context)
            renewed, norm = True, correction_norm(run)
            if not np.isfinite(norm):
                break
        for c in range(z.shape[0]):
            z[c] -= run.delta[c]
        left = norm * norm / before if before < np.inf else norm  # what the next correction would be
        before = norm
        if left <= ENOUGH * size:
            before = left
            break
    if before < POOR * size:
        if run.droppable[0] == 1:
            entries.minimum_norm_multipliers(context)
    else:
        for c in range(z.shape[0]):
            z[c] = start[c]
    entries.set_state(context)
    request.level[0] = POSITION_LEVEL
    set_coefficients(run)
