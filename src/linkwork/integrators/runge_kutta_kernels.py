"""Explicit Runge-Kutta methods on groups with steps of one size, whole runs in compiled code."""

from __future__ import annotations

from linkwork.integrators.evaluation import OK, SINGULAR, Block, Entries, Run
from linkwork.integrators.explicit_table import CONTEXT, ENTRIES, RUN, SAMPLES, TABLEAU
from linkwork.integrators.explicit_table import STEPS as COUNT
from linkwork.integrators.projection import project
from linkwork.integrators.stages import (
    combine,
    finish_step,
    first_stage,
    later_stages,
    reuse_last,
    short,
)
from linkwork.integrators.tableaux.tableau import TableauArrays
from linkwork.kernels.jit import kernel, separate_kernel
from linkwork.kernels.tables import Ints
from linkwork.problems.entry import direct_entry

START = -1
ALL = 1.0 - 1e-12
PART, MOST_TRIALS = 0.382, 6  # of a step with a stage at a rank loss: its first part, and how often one is shortened
RECORDED = 24  # columns of motion


@kernel
def show(entries: Entries, context: Ints, run: Run) -> None:
    """What is recorded of the placed state, unless it is there as a sum of states beside."""
    if run.stencil.output_done[0] == 0:
        entries.output(context)


@kernel
def record(entries: Entries, context: Ints, run: Run, t: float, block: Block, n: int) -> None:
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
def accept_and_project(entries: Entries, context: Ints, run: Run, tableau: object, t: float, last: bool) -> int:
    """Settle the step that ends at t, and project where due: also after rows were lost or came back, since a step
    taken with fewer rows leaves those behind.

    last : whether what is placed is the last stage of a method where that is the new state; its slope then serves
        the next step, unless the state has been projected or rows must be judged anew.
    """
    status = finish_step(entries, context, run, tableau, t, last)
    if status != OK:
        return status
    run.now[0] = t
    every = run.project_every[0]
    due = run.stencil.projection_due[0] == 1 or run.rank_changes[0] != run.rank_seen[0]
    if due or (every > 0 and run.steps[0] % every == 0):
        run.stencil.projection_due[0] = 0
        run.rank_seen[0] = run.rank_changes[0]
        status = project(entries, context, run, t)
        if status == SINGULAR and run.stencil.base.shape[0] > 0:  # it could lead away here: after the next step
            run.stencil.projection_due[0] = 1
            return OK
        return status
    if last and run.droppable[0] == 0:
        return reuse_last(entries, context, run)
    return OK


@separate_kernel
def stages_of_step(entries: Entries, context: Ints, run: Run, tableau: TableauArrays, t: float, h: float) -> int:
    """All stages of the step from t to t + h; psi becomes the increment to its end, from the base.

    Where a later stage meets a rank loss, which the base does not, the step is taken in unequal parts: stages then fall
    elsewhere. A short one, or where that does not help, is taken with slopes of states on the constraints.
    `run.part_done[0]` of it may be done already.
    """
    fsal = run.fsal[0] == 1
    part, trials, careful = 1.0 - run.part_done[0], 0, False
    while True:
        at = t + run.part_done[0] * h
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
            combine(run, tableau.b, run.stages[0], part * h)
        if run.part_done[0] + part >= ALL:
            return OK
        status = finish_step(entries, context, run, tableau, at + part * h, fsal)
        if status != OK:
            return status
        run.steps[0] -= 1
        run.part_done[0] += part
        part, careful = 1.0 - run.part_done[0], False


@kernel
def start(entries: Entries, context: Ints, run: Run) -> int:
    """The slope k[0] at the start of the run; returns a Status."""
    run.rhs_known[0], run.state_is_set[0] = 0, 0
    status = first_stage(entries, context, run, run.start_time[0])
    run.rank_seen[0] = run.rank_changes[0]
    if status == OK:
        show(entries, context, run)
    return status


@kernel
def depart(entries: Entries, context: Ints, run: Run, tableau: object, h: float, last: bool) -> int:
    """`leave` to the end of a step of one size. A step that was settled waits until `arrive` has evaluated its end."""
    before = run.steps[0]
    status = accept_and_project(entries, context, run, tableau, run.start_time[0] + (before + 1) * h, last)
    run.pending[0] = run.steps[0] - before
    if run.pending[0] == 1:
        run.part_done[0] = 0.0
    return status


@kernel
def arrive(entries: Entries, context: Ints, run: Run, status: int, block: Block, recorded: int) -> tuple[int, int]:
    """The slope at the end of a step, unless it has failed; a sample of it where one is due.

    Returns (status, samples recorded so far).
    """
    if status == OK:
        status = first_stage(entries, context, run, run.now[0])
    if status != OK:
        run.rhs_known[0], run.state_is_set[0] = 0, 0
        return status, recorded
    run.pending[0] = 0
    if run.steps[0] % run.every[0] == 0:
        record(entries, context, run, run.now[0], block, recorded)
        recorded += 1
    return OK, recorded


@kernel
def advance(
    entries: Entries, context: Ints, tableau: TableauArrays, run: Run, steps: int, block: Block
) -> tuple[int, int]:
    """Take `steps` steps of one size. Returns (status, samples recorded).

    steps = START finds the slope at the start instead, and records nothing. A step whose end cannot be evaluated
    waits there, and counts when that has succeeded.
    """
    recorded = 0
    if steps == START:
        return start(entries, context, run), 0
    h = run.step[0]
    fsal = run.fsal[0] == 1
    for _ in range(steps):
        status = OK
        if run.pending[0] == 0:
            t = run.start_time[0] + run.steps[0] * h
            status = stages_of_step(entries, context, run, tableau, t, h)
            if status == OK:
                status = depart(entries, context, run, tableau, h, fsal)
        status, recorded = arrive(entries, context, run, status, block, recorded)
        if status != OK:
            return status, recorded
    return OK, recorded


ADVANCE = direct_entry(advance, ENTRIES, CONTEXT, TABLEAU, RUN, COUNT, SAMPLES, returns=2)
