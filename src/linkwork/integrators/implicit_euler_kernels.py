"""Implicit Euler on the index-3 system [Kissel 2021, eqs. 32, 40], a whole run in compiled code.

r_{n+1} = r_n + h rdot_{n+1}, rdot_{n+1} = rdot_n + h rddot_{n+1}, and likewise for the rotation coordinates; on
the rotation matrix A_{n+1} = A_n exp(h omega~_{n+1}), which is what `place` makes of the same increments.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from linkwork.integrators.newton import newton_solve
from linkwork.integrators.start import solve_accelerations
from linkwork.kernels.jit import kernel
from linkwork.kernels.tables import Floats, Ints
from linkwork.problems.implicit import C_Q, C_V, FORCED, TIME
from linkwork.problems.stars import flush, keep_motion, rotation_too_large, set_stars, step_back
from linkwork.status import Status

OK, ROTATION_TOO_LARGE = int(Status.OK), int(Status.ROTATION_TOO_LARGE)

START = -1

RECORDED = 24  # columns of motion that are recorded: r, A, v, omega, a, alpha

# entries of Run.counts
STEPS, ITERATIONS, FACTORIZATIONS, REBASED, LAST_ITERATIONS, RANK_CHANGES, WORST_ROW, KNOWN = range(8)


class Run(NamedTuple):
    """What one run carries from chunk to chunk."""

    settings: Floats  # (4,) start time, step, tolerance, contraction above which the frozen matrix is renewed
    options: Ints  # (5,) Newton variant, iteration cap, record every k-th step, dependent rows allowed for, forces
    counts: Ints  # (8,)
    weight: Floats  # (N,) weights of the unknowns in the norm that Newton's stopping rule uses
    z_old: Floats  # (N,) the unknowns one step before
    start: Floats  # (N,) the predicted unknowns of the present step
    delta: Floats  # (N,)
    rhs: Floats  # (N,)
    before: Floats  # (nb + 1, 45) the motion at the start of the present step


class Block(NamedTuple):
    """Recorded steps of one chunk."""

    time: Floats  # (n,)
    motion: Floats  # (n, nb, 24)
    multiplier: Floats  # (n, nc)
    iterations: Ints  # (n,)


@kernel
def predict(run: Any, z: Any) -> None:
    """Extrapolate the unknowns linearly from the last two steps (the first step has but one)."""
    linear = 1.0 if run.counts[KNOWN] > 1 else 0.0
    for c in range(z.shape[0]):
        now = z[c]
        z[c] = flush(now + linear * (now - run.z_old[c]))
        run.z_old[c] = now
        run.start[c] = z[c]


@kernel
def record(work: Any, first: Any, t: Any, iterations: Any, block: Any, n: Any) -> None:
    """Keep the present state as sample n."""
    block.time[n] = t
    block.iterations[n] = iterations
    m = work.motion
    for b in range(m.shape[0] - 1):
        for c in range(RECORDED):
            block.motion[n, b, c] = m[b, c]
    for k in range(block.multiplier.shape[1]):
        block.multiplier[n, k] = work.z[first + k]


@kernel
def advance(
    begin: Any, place: Any, apply: Any, evaluate: Any, assemble: Any, vary_forces: Any, vary_reactions: Any,
    context: Any, tables: Any, work: Any, matrix: Any, pattern: Any, factors: Any, dependence: Any, run: Any, first: Any, steps: Any,
    block: Any,
) -> tuple[int, int]:  # fmt: skip
    """Take `steps` steps. Returns (status, samples recorded); on failure the block holds what went before.

    steps = START finds the accelerations at the start instead, and records nothing.
    """
    work.coef[FORCED] = run.options[4]
    if steps == START:
        status = solve_accelerations(
            begin, place, apply, evaluate, assemble, vary_forces, vary_reactions, context, tables, work, matrix, pattern, factors,
            dependence, run, first,
        )  # fmt: skip
        return status, 0
    h = run.settings[1]
    every = run.options[2]
    counts = run.counts
    recorded = 0
    for _ in range(steps):
        t = run.settings[0] + (counts[STEPS] + 1) * h
        work.coef[C_V], work.coef[C_Q], work.coef[TIME] = h, h * h, t
        rebased = begin(context)
        if rebased > 0:
            counts[REBASED] += rebased
            counts[KNOWN] = 1
        set_stars(work, h)
        keep_motion(work, run)
        status = ROTATION_TOO_LARGE if rotation_too_large(work, h) else OK
        if status == OK:
            predict(run, work.z)
            status = newton_solve(
                place, apply, evaluate, assemble, vary_forces, vary_reactions, context, tables, work, matrix, pattern, factors,
                dependence, run, first, rebased > 0,
            )  # fmt: skip
        if status != OK:
            step_back(work, run)
            for c in range(run.z_old.shape[0]):
                work.z[c] = run.z_old[c]
            counts[KNOWN] = 1
            return status, recorded
        place(context)
        counts[STEPS] += 1
        counts[KNOWN] += 1
        if counts[STEPS] % every == 0:
            record(work, first, t, counts[LAST_ITERATIONS], block, recorded)
            recorded += 1
    return OK, recorded
