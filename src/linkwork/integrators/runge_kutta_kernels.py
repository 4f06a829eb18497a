"""Explicit Runge-Kutta methods on groups with steps of one size, whole runs in compiled code."""

from __future__ import annotations

from typing import Any

from linkwork.integrators.evaluation import (
    DROPPABLE,
    EVERY,
    FSAL,
    KNOWN,
    NOW,
    OK,
    PENDING,
    PLACED,
    PROJECT_EVERY,
    RANK_CHANGES,
    RANK_SEEN,
    SHARE,
    SINGULAR,
    STAGES,
    START_TIME,
    STEP,
    STEPS,
)
from linkwork.integrators.explicit_table import CONTEXT, ENTRIES, RUN, SAMPLES, TABLEAU
from linkwork.integrators.explicit_table import STEPS as COUNT
from linkwork.integrators.limit_stencil import DUE, SHOWN
from linkwork.integrators.projection import project
from linkwork.integrators.stages import (
    combine,
    finish_step,
    first_stage,
    later_stages,
    reuse_last,
    short,
)
from linkwork.kernels.jit import kernel, separate_kernel
from linkwork.problems.entry import direct_entry

START = -1
ALL = 1.0 - 1e-12
PART, MOST_TRIALS = 0.382, 6  # of a step with a stage at a rank loss: its first part, and how often one is shortened
RECORDED = 24  # columns of motion


@kernel
def show(entries: Any, context: Any, run: Any) -> None:
    """What is recorded of the placed state, unless it is there as a sum of states beside."""
    if run.beside.counts[SHOWN] == 0:
        entries.output(context)


@kernel
def record(entries: Any, context: Any, run: Any, t: Any, block: Any, n: Any) -> None:
    """Keep the placed state as sample n."""
    show(entries, context, run)
    block.time[n] = t
    for b in range(block.motion.shape[1]):
        for c in range(RECORDED):
            block.motion[n, b, c] = run.motion[b, c]
        for c in range(block.extra.shape[2]):
            block.extra[n, b, c] = run.extra[b, c]
    for k in range(block.multiplier.shape[1]):
        block.multiplier[n, k] = run.lam[k]


@separate_kernel
def leave(entries: Any, context: Any, run: Any, tableau: Any, t: Any, last: Any) -> int:
    """Settle the step that ends at t, and project where due: also after rows were lost or came back, since a step
    taken with fewer rows leaves those behind.

    last : whether what is placed is the last stage of a method where that is the new state; its slope then serves
        the next step, unless the state has been projected or rows must be judged anew.
    """
    status = finish_step(entries, context, run, tableau, t, last)
    if status != OK:
        return status
    run.settings[NOW] = t
    counts, every = run.counts, run.options[PROJECT_EVERY]
    due = run.beside.counts[DUE] == 1 or counts[RANK_CHANGES] != counts[RANK_SEEN]
    if due or (every > 0 and counts[STEPS] % every == 0):
        run.beside.counts[DUE] = 0
        counts[RANK_SEEN] = counts[RANK_CHANGES]
        status = project(entries, context, run, t)
        if status == SINGULAR and run.beside.base.shape[0] > 0:  # it could lead away here: after the next step
            run.beside.counts[DUE] = 1
            return OK
        return status
    if last and run.options[DROPPABLE] == 0:
        return reuse_last(entries, context, run)
    return OK


@separate_kernel
def stages_of_step(entries: Any, context: Any, run: Any, tableau: Any, t: Any, h: Any) -> int:
    """All stages of the step from t to t + h; psi becomes the increment to its end, from the base.

    Where a later stage meets a rank loss, which the base does not, the step is taken in unequal parts: stages then fall
    elsewhere. A short one, or where that does not help, is taken with slopes of states on the constraints.
    `settings[SHARE]` of it may be done already.
    """
    settings = run.settings
    fsal = run.options[FSAL] == 1
    part, trials, careful = 1.0 - settings[SHARE], 0, False
    while True:
        at = t + settings[SHARE] * h
        status = first_stage(entries, context, run, at)
        if status != OK:
            return status
        status = later_stages(entries, context, run, tableau, at, part * h, careful)
        if status == SINGULAR and not careful:  # once more
            careful = trials == MOST_TRIALS or short(run, part * h)
            if not careful:
                trials += 1
                part *= PART
            continue
        if status != OK:
            return status
        if not fsal:
            combine(run, tableau.b, run.options[STAGES], part * h)
        if settings[SHARE] + part >= ALL:
            return OK
        status = finish_step(entries, context, run, tableau, at + part * h, fsal)
        if status != OK:
            return status
        run.counts[STEPS] -= 1
        settings[SHARE] += part
        part, careful = 1.0 - settings[SHARE], False


@kernel
def start(entries: Any, context: Any, run: Any) -> int:
    """The slope at the start."""
    counts = run.counts
    counts[KNOWN], counts[PLACED] = 0, 0
    status = first_stage(entries, context, run, run.settings[START_TIME])
    counts[RANK_SEEN] = counts[RANK_CHANGES]
    if status == OK:
        show(entries, context, run)
    return status


@kernel
def depart(entries: Any, context: Any, run: Any, tableau: Any, h: Any, last: Any) -> int:
    """`leave` to the end of a step of one size. A step that was settled waits until `arrive` has evaluated its end."""
    before = run.counts[STEPS]
    status = leave(entries, context, run, tableau, run.settings[START_TIME] + (before + 1) * h, last)
    run.counts[PENDING] = run.counts[STEPS] - before
    if run.counts[PENDING] == 1:
        run.settings[SHARE] = 0.0
    return status


@kernel
def arrive(entries: Any, context: Any, run: Any, status: Any, block: Any, recorded: Any) -> tuple[int, int]:
    """The slope at the end of a step, unless it has failed; a sample of it where one is due.

    Returns (status, samples recorded so far).
    """
    counts = run.counts
    if status == OK:
        status = first_stage(entries, context, run, run.settings[NOW])
    if status != OK:
        counts[KNOWN], counts[PLACED] = 0, 0
        return status, recorded
    counts[PENDING] = 0
    if counts[STEPS] % run.options[EVERY] == 0:
        record(entries, context, run, run.settings[NOW], block, recorded)
        recorded += 1
    return OK, recorded


@kernel
def advance(entries: Any, context: Any, tableau: Any, run: Any, steps: Any, block: Any) -> tuple[int, int]:
    """Take `steps` steps of one size. Returns (status, samples recorded).

    steps = START finds the slope at the start instead, and records nothing. A step whose end cannot be evaluated
    waits there, and counts when that has succeeded.
    """
    counts = run.counts
    recorded = 0
    if steps == START:
        return start(entries, context, run), 0
    h = run.settings[STEP]
    fsal = run.options[FSAL] == 1
    for _ in range(steps):
        status = OK
        if counts[PENDING] == 0:
            t = run.settings[START_TIME] + counts[STEPS] * h
            status = stages_of_step(entries, context, run, tableau, t, h)
            if status == OK:
                status = depart(entries, context, run, tableau, h, fsal)
        status, recorded = arrive(entries, context, run, status, block, recorded)
        if status != OK:
            return status, recorded
    return OK, recorded


ADVANCE = direct_entry(advance, ENTRIES, CONTEXT, TABLEAU, RUN, COUNT, SAMPLES, returns=2)
