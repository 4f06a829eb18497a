"""Implicit Euler on the index-3 system [Kissel 2021, eqs. 32, 40], a whole run in compiled code.

r_{n+1} = r_n + h rdot_{n+1}, rdot_{n+1} = rdot_n + h rddot_{n+1}, and likewise for the rotation coordinates; on
the rotation matrix A_{n+1} = A_n exp(h omega~_{n+1}), which is what `place` makes of the same increments.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from linkwork.integrators.newton import (
    EVERY,
    FIRST_MULTIPLIER,
    HAS_FORCES,
    KNOWN,
    LAST_ITERATIONS,
    OK,
    REBASED,
    START_TIME,
    STEP,
    STEPS,
    newton_solve,
)
from linkwork.integrators.start import solve_accelerations
from linkwork.kernels.jit import kernel
from linkwork.kernels.tables import Floats, Ints
from linkwork.problems.implicit import C_Q, C_V, FORCED, TIME
from linkwork.problems.stars import flush, keep_motion, rotation_too_large, set_stars, step_back
from linkwork.status import Status

ROTATION_TOO_LARGE = int(Status.ROTATION_TOO_LARGE)
START = -1
RECORDED = 24  # columns of motion that are recorded: r, A, v, omega, a, alpha


class Entries(NamedTuple):
    """The problem's entries that implicit Euler calls, in the words of problems.implicit.ImplicitProblem."""

    begin: Any
    place: Any
    apply: Any
    evaluate: Any
    assemble: Any
    vary_forces: Any
    vary_reactions: Any
    factorise: Any
    solve: Any
    seek: Any
    share: Any


class Block(NamedTuple):
    """Recorded steps of one chunk."""

    time: Floats  # (n,)
    motion: Floats  # (n, nb, 24)
    multiplier: Floats  # (n, nc)
    iterations: Ints  # (n,)


@kernel
def predict(run: Any) -> None:
    """Extrapolate the unknowns linearly from the last two steps (the first step has but one)."""
    z = run.z
    linear = 1.0 if run.counts[KNOWN] > 1 else 0.0
    for c in range(z.shape[0]):
        now = z[c]
        z[c] = flush(now + linear * (now - run.z_old[c]))
        run.z_old[c] = now
        run.start[c] = z[c]


@kernel
def record(run: Any, t: Any, block: Any, n: Any) -> None:
    """Keep the present state as sample n."""
    block.time[n] = t
    block.iterations[n] = run.counts[LAST_ITERATIONS]
    m, first = run.motion, run.options[FIRST_MULTIPLIER]
    for b in range(m.shape[0] - 1):
        for c in range(RECORDED):
            block.motion[n, b, c] = m[b, c]
    for k in range(block.multiplier.shape[1]):
        block.multiplier[n, k] = run.z[first + k]


@kernel
def advance(entries: Entries, context: Any, run: Any, steps: Any, block: Any) -> tuple[int, int]:
    """Take `steps` steps. Returns (status, samples recorded); on failure the block holds what went before.

    steps = START finds the accelerations at the start instead, and records nothing.
    """
    coef, counts = run.coef, run.counts
    coef[FORCED] = run.options[HAS_FORCES]
    if steps == START:
        return solve_accelerations(entries, context, run), 0
    h = run.settings[STEP]
    recorded = 0
    for _ in range(steps):
        t = run.settings[START_TIME] + (counts[STEPS] + 1) * h
        coef[C_V], coef[C_Q], coef[TIME] = h, h * h, t
        rebased = entries.begin(context)
        if rebased > 0:
            counts[REBASED] += rebased
            counts[KNOWN] = 1
        set_stars(run, h)
        keep_motion(run)
        status = ROTATION_TOO_LARGE
        if not rotation_too_large(run.motion, h):
            predict(run)
            status = newton_solve(entries, context, run, rebased > 0)
        if status != OK:
            step_back(run)
            for c in range(run.z.shape[0]):
                run.z[c] = run.z_old[c]
            counts[KNOWN] = 1
            return status, recorded
        entries.place(context)
        counts[STEPS] += 1
        counts[KNOWN] += 1
        if counts[STEPS] % run.options[EVERY] == 0:
            record(run, t, block, recorded)
            recorded += 1
    return OK, recorded
