"""Implicit one-step methods on the index-3 system [Kissel 2021, eqs. 32-33, 40], a whole run in compiled code.

What a method is, its numbers say (`integrators.scheme`); a step is the same for all: starred parts, prediction, Newton.
"""

from __future__ import annotations

from linkwork.integrators.implicit_table import CONTEXT, ENTRIES, RUN, SAMPLES
from linkwork.integrators.implicit_table import STEPS as COUNT
from linkwork.integrators.index_1 import keep_solution, restore_solution, solve_index_1
from linkwork.integrators.newton import OK, Block, Entries, Run, newton_solve, weighted_norm
from linkwork.integrators.scheme import NEXT_A, NEXT_X, NEXT_Y
from linkwork.integrators.start import rebase_rates, set_coefficients, set_known_parts
from linkwork.kernels.jit import kernel
from linkwork.kernels.tables import Ints
from linkwork.problems.entry import direct_entry
from linkwork.problems.step_state import flush, keep_motion, rotation_too_large, step_back
from linkwork.status import Status

ROTATION_TOO_LARGE = int(Status.ROTATION_TOO_LARGE)
RECORDED = 24  # columns of motion that are recorded: r, A, v, omega, a, alpha


@kernel
def predict(run: Run) -> None:
    """Extrapolate the unknowns from the last steps, by a parabola as soon as there are enough (the first step has one).

    Methods that carry accelerations along have errors across the constraints that alternate from step to step and
    are damped slowly. z_n + (z_{n-1} - z_{n-2}) is exact for these, too; a straight line through the last two would be
    off by up to four times their size. The bend, (z_n - z_{n-1}) - (z_{n-2} - z_{n-3}), or the second difference where
    nothing alternates, is what such a line misses in smooth motion: its size is the measure of what a step may
    leave (`stopping.converged`).

    Writes z, z_old, z_older, z_oldest, start and bend of the run, and aside.
    """
    z, z_old, z_older, z_oldest = run.z, run.z_old, run.z_older, run.z_oldest
    alternates = run.scheme[NEXT_Y] != 0.0
    lasting = alternates and run.known[0] > 2
    linear = 1.0 if run.known[0] > 1 else 0.0
    bends = 1.0 if run.known[0] > (3 if alternates else 2) else 0.0
    for c in range(z.shape[0]):
        now, old, older = z[c], z_old[c], z_older[c]
        change = old - older if lasting else linear * (now - old)
        bend = bends * ((now - old) - (older - z_oldest[c] if alternates else old - older))
        run.aside[c] = bend
        z_old[c], z_older[c], z_oldest[c] = now, old, older
        z[c] = flush(now + change + bend)
        run.start[c] = z[c]
    run.bend[0] = weighted_norm(run.weight, run.aside)


@kernel
def carry_on(run: Run) -> None:
    """The second derivatives that the method carries along, at the end of the step."""
    s, carried, z, z_old = run.scheme, run.carried, run.z, run.z_old
    for k in range(carried.shape[0]):
        carried[k] = flush(s[NEXT_A] * carried[k] + s[NEXT_X] * z_old[k] + s[NEXT_Y] * z[k])


@kernel
def record(run: Run, t: float, block: Block, n: int) -> None:
    """Keep the present state as sample n."""
    block.time[n] = t
    block.iterations[n] = run.last_iterations[0]
    m, first = run.motion, run.first_multiplier[0]
    for b in range(m.shape[0] - 1):
        for c in range(RECORDED):
            block.motion[n, b, c] = m[b, c]
    for k in range(block.multiplier.shape[1]):
        block.multiplier[n, k] = run.z[first + k]


@kernel
def advance(entries: Entries, context: Ints, run: Run, steps: int, block: Block) -> tuple[int, int]:
    """Take `steps` steps. Returns (status, samples recorded); on failure the block holds what went before."""
    request = run.request
    h = run.step[0]
    set_coefficients(run)
    recorded = 0
    for _ in range(steps):
        t = run.start_time[0] + (run.steps[0] + 1) * h
        request.time[0] = t
        rebased = entries.begin(context)
        if rebased > 0:
            run.rebased[0] += rebased
            run.known[0] = min(run.known[0], 2)  # z_older is in the old coordinates
        keep_motion(run)
        if rebased > 0 and run.known[0] > 1:
            rebase_rates(entries, context, run, h)
        set_known_parts(run, h)
        status = ROTATION_TOO_LARGE
        if not rotation_too_large(run.motion, h):
            predict(run)
            status = newton_solve(entries, context, run, rebased > 0)
        if status != OK:
            step_back(run)
            for c in range(run.z.shape[0]):
                run.z[c] = run.z_old[c]
            run.known[0] = 1
            return status, recorded
        entries.set_state(context)
        carry_on(run)
        run.steps[0] += 1
        run.known[0] += 1
        if run.steps[0] % run.every[0] == 0:
            if run.from_index_1[0] == 1:
                keep_solution(run)
                solve_index_1(entries, context, run)
                record(run, t, block, recorded)
                restore_solution(run)
            else:
                record(run, t, block, recorded)
            recorded += 1
    return OK, recorded


ADVANCE = direct_entry(advance, ENTRIES, CONTEXT, RUN, COUNT, SAMPLES, returns=2)
