"""What a run of an explicit method carries along, and one evaluation of its slope."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from linkwork.integrators.limit_stencil import LimitStencil
from linkwork.kernels.jit import kernel, separate_kernel
from linkwork.kernels.records import Columns, EntryCall, Shape
from linkwork.kernels.tables import Floats, Ints
from linkwork.problems.request import ExplicitRequest
from linkwork.status import Status

OK, NOT_FINITE, SINGULAR = int(Status.OK), int(Status.NOT_FINITE), int(Status.SINGULAR)


class Entries(NamedTuple):
    """The problem's entries, in the words of problems.explicit.ExplicitProblem."""

    set_state: EntryCall
    apply: EntryCall
    detect_redundant_rows: EntryCall
    factorise: EntryCall
    solve: EntryCall
    rhs: EntryCall
    accept_step: EntryCall
    retract: EntryCall
    output: EntryCall
    evaluate: EntryCall


class Run(NamedTuple):
    """What one run carries from chunk to chunk, and the parts of the problem that an integrator works on."""

    settings: Annotated[Floats, Shape(1, 11), "all of these:"]
    now: Annotated[Floats, Columns("settings"), "s", "time reached"]
    step: Annotated[Floats, Columns("settings"), "s", "step size"]
    atol: Annotated[Floats, Columns("settings"), "absolute tolerance"]
    rtol: Annotated[Floats, Columns("settings"), "relative tolerance"]
    max_step: Annotated[Floats, Columns("settings"), "s", "largest step"]
    t_end: Annotated[Floats, Columns("settings"), "s", "end"]
    next_step: Annotated[Floats, Columns("settings"), "s", "size of the next adaptive step"]
    old_error: Annotated[Floats, Columns("settings"), "error of the last step in units of the tolerances"]
    start_time: Annotated[Floats, Columns("settings"), "s", "start"]
    part_done: Annotated[Floats, Columns("settings"), "share of the present step that is done, of one taken in parts"]
    between_error: Annotated[Floats, Columns("settings"), "largest error of a sample within a step, in tolerances"]
    options: Annotated[Ints, Shape(1, 10), "all of these, 1 for yes:"]
    stages: Annotated[Ints, Columns("options"), "number of stages"]
    fsal: Annotated[Ints, Columns("options"), "the last stage is the next step's first"]
    adaptive: Annotated[Ints, Columns("options"), "steps find their own size"]
    every: Annotated[Ints, Columns("options"), "every k-th step is recorded"]
    project_every: Annotated[Ints, Columns("options"), "every k-th step is projected onto the constraints"]
    droppable: Annotated[Ints, Columns("options"), "redundant rows are allowed for"]
    error_order: Annotated[Ints, Columns("options"), "order of the error estimate"]
    extra_stages: Annotated[Ints, Columns("options"), "further stages of the dense output"]
    remembers: Annotated[Ints, Columns("options"), "later stages use what the first one found"]
    in_one: Annotated[Ints, Columns("options"), "the entry `evaluate` does what five others do"]
    counts: Annotated[Ints, Shape(1, 10), "all of these:"]
    steps: Annotated[Ints, Columns("counts"), "steps taken"]
    evaluations: Annotated[Ints, Columns("counts"), "right-hand sides evaluated"]
    rejected: Annotated[Ints, Columns("counts"), "steps rejected"]
    rhs_known: Annotated[Ints, Columns("counts"), "1: k[0] is known"]
    pending: Annotated[
        Ints,
        Columns("counts"),
        "1: a step waits, for samples within it to be taken, or for the right-hand side at its end",
    ]
    extended: Annotated[Ints, Columns("counts"), "1: extra stages of the waiting step are there"]
    rank_changes: Annotated[Ints, Columns("counts"), "how often the number of redundant rows changed"]
    rank_seen: Annotated[Ints, Columns("counts"), "those changes that were projected for"]
    projections: Annotated[Ints, Columns("counts"), "projections onto the constraints"]
    state_is_set: Annotated[Ints, Columns("counts"), "1: the problem's placed state is the base"]
    sizes: Annotated[Floats, Shape("steps kept"), "s", "sizes of adaptive steps, as many as there is room for"]
    k: Annotated[Floats, Shape("stages and extra ones", "N"), "slopes of all stages: rates of psi"]
    error: Annotated[Floats, Shape("N"), "estimated error of a step, of psi"]
    weight: Annotated[Floats, Shape("N"), "ExplicitProblem.weight"]
    psi: Annotated[Floats, Shape("N"), "Work.psi"]
    psi_rate: Annotated[Floats, Shape("N"), "Work.psi_rate"]
    size: Annotated[Floats, Shape("N"), "Work.size"]
    request: ExplicitRequest
    dropped: Annotated[Ints, Shape(1), "Work.dropped"]
    motion: Annotated[Floats, Shape("nb + 1", 24), "Work.motion"]
    lam: Annotated[Floats, Shape("nc"), "Work.lam"]
    extra: Annotated[Floats, Shape("nb + 1", "w"), "ExplicitProblem.extra"]
    stencil: LimitStencil


class Block(NamedTuple):
    """Recorded samples of one chunk."""

    time: Annotated[Floats, Shape("n"), "s", "of each sample"]
    motion: Annotated[Floats, Shape("n", "nb", 24), "`Work.motion` of each body: m, 1, m/s, rad/s, m/s^2, rad/s^2"]
    multiplier: Annotated[Floats, Shape("n", "nc"), "of each row"]
    extra: Annotated[Floats, Shape("n", "nb", "w"), "what is recorded of bodies besides"]


@separate_kernel
def evaluate_here(entries: Entries, context: Ints, run: Run, t: float, judge: bool) -> int:
    """The slope at base exp(psi) and time t, into run.psi_rate. What is placed there already is not placed again.

    judge : this is the first stage of a step, or a sample: decide anew which rows are independent, where that can
        change.
    """
    run.request.time[0], run.request.first_stage[0] = t, 1 if judge else 0
    run.evaluations[0] += 1
    run.stencil.output_done[0] = 0
    if run.in_one[0] == 1:
        run.request.state_is_set[0] = run.state_is_set[0]
        run.state_is_set[0] = 0
        return int(entries.evaluate(context))
    if run.state_is_set[0] == 0:
        status = entries.set_state(context)
        if status != OK:
            return int(status)
    run.state_is_set[0] = 0
    status = entries.apply(context)
    if status != OK:
        return int(status)
    if judge and run.droppable[0] == 1:
        before = run.dropped[0]
        changed = entries.detect_redundant_rows(context)
        if changed < 0:
            return NOT_FINITE
        if loses_rank(run):
            return SINGULAR
        if run.dropped[0] != before:
            run.rank_changes[0] += 1
        elif changed > 0:  # others in the place of those: what these miss is to be met from now on
            run.stencil.projection_due[0] = 1
    if judge or run.remembers[0] == 0:
        status = entries.factorise(context)
        if status != OK:
            return int(status)
        status = entries.solve(context)
        if status != OK:
            return int(status)
    return int(entries.rhs(context))


@kernel
def loses_rank(run: Run) -> bool:
    """Whether more rows are dependent here than elsewhere. Where nothing else helped, that is how it is from now on."""
    fewest, dropped = run.stencil.fewest_dropped, run.dropped[0]
    if run.stencil.base.shape[0] == 0:
        return False
    if fewest[0] < 0 or dropped < fewest[0] or run.request.least_independence[0].real < 0.0:
        fewest[0] = dropped
    return bool(dropped > fewest[0])


@kernel
def at_base(run: Run) -> None:
    """The increment psi (N,) becomes zero: the state is the base."""
    for c in range(run.psi.shape[0]):
        run.psi[c] = 0.0
