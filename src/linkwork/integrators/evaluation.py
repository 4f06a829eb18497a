"""What a run of an explicit method carries along, and one evaluation of its slope."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from linkwork.integrators.limit_stencil import DUE, FEWEST, SHOWN, Beside
from linkwork.kernels.jit import kernel, separate_kernel
from linkwork.kernels.records import EntryCall, Shape
from linkwork.kernels.tables import Floats, Ints
from linkwork.problems.explicit import CARE, DROPPED, FRESH, STANDS, TIME
from linkwork.status import Status

OK, NOT_FINITE, SINGULAR = int(Status.OK), int(Status.NOT_FINITE), int(Status.SINGULAR)

# entries of Run.settings, Run.options and Run.counts
NOW, STEP, ATOL, RTOL, MAX_STEP, T_END, NEXT_STEP, OLD_ERROR, START_TIME, SHARE, BETWEEN = range(11)
STAGES, FSAL, ADAPTIVE, EVERY, PROJECT_EVERY, DROPPABLE, ERROR_ORDER, EXTRA, REMEMBERS, IN_ONE = range(10)
STEPS, EVALUATIONS, REJECTED, KNOWN, PENDING, EXTENDED, RANK_CHANGES, RANK_SEEN, PROJECTIONS, PLACED = range(10)


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

    settings: Annotated[
        Floats,
        Shape(11),
        "time reached, step, absolute and relative tolerance, largest step, end, next step, last error, start, what "
        "share of the present step is done (steps that are taken in parts), largest error of a sample within a step, "
        "in units of the tolerances",
    ]
    options: Annotated[
        Ints,
        Shape(10),
        "stages, whether the last is the next first, adaptive, record every k-th step, project every k-th, dependent "
        "rows allowed for, order of the error estimate, extra stages of the dense output, whether later stages use "
        "what the first one found, whether one entry evaluates",
    ]
    counts: Annotated[
        Ints,
        Shape(10),
        "steps, evaluations, rejected steps, whether k[0] is known, whether a step waits (to be settled where "
        "samples are taken within steps, else for the slope at its end), whether it was sampled (extra stages are "
        "there), changes of rank, those already projected for, projections, whether the base is what is placed",
    ]
    k: Annotated[Floats, Shape("stages and extra ones", "N")]
    error: Annotated[Floats, Shape("N")]
    weight: Annotated[Floats, Shape("N"), "ExplicitProblem.weight"]
    psi: Annotated[Floats, Shape("N"), "Work.psi"]
    slope: Annotated[Floats, Shape("N"), "Work.slope"]
    size: Annotated[Floats, Shape("N"), "Work.size"]
    coef: Annotated[Floats, Shape("coefficients"), "Work.coef"]
    motion: Annotated[Floats, Shape("nb + 1", 24), "Work.motion"]
    lam: Annotated[Floats, Shape("nc"), "Work.lam"]
    extra: Annotated[Floats, Shape("nb + 1", "w"), "ExplicitProblem.extra"]
    beside: Beside


class Block(NamedTuple):
    """Recorded samples of one chunk."""

    time: Annotated[Floats, Shape("n")]
    motion: Annotated[Floats, Shape("n", "nb", 24)]
    multiplier: Annotated[Floats, Shape("n", "nc")]
    extra: Annotated[Floats, Shape("n", "nb", "w")]


@separate_kernel
def evaluate_here(entries: Any, context: Any, run: Any, t: Any, judge: Any) -> int:
    """The slope at base exp(psi) and time t, into run.slope. What is placed there already is not placed again.

    judge : this is the first stage of a step, or a sample: decide anew which rows are independent, where that can
        change.
    """
    run.coef[TIME], run.coef[FRESH] = t, 1.0 if judge else 0.0
    run.counts[EVALUATIONS] += 1
    run.beside.counts[SHOWN] = 0
    if run.options[IN_ONE] == 1:
        run.coef[STANDS] = 1.0 if run.counts[PLACED] == 1 else 0.0
        run.counts[PLACED] = 0
        return int(entries.evaluate(context))
    if run.counts[PLACED] == 0:
        status = entries.set_state(context)
        if status != OK:
            return int(status)
    run.counts[PLACED] = 0
    status = entries.apply(context)
    if status != OK:
        return int(status)
    if judge and run.options[DROPPABLE] == 1:
        before = run.coef[DROPPED]
        changed = entries.detect_redundant_rows(context)
        if changed < 0:
            return NOT_FINITE
        if loses_rank(run):
            return SINGULAR
        if run.coef[DROPPED] != before:
            run.counts[RANK_CHANGES] += 1
        elif changed > 0:  # others in the place of those: what these miss is to be met from now on
            run.beside.counts[DUE] = 1
    if judge or run.options[REMEMBERS] == 0:
        status = entries.factorise(context)
        if status != OK:
            return int(status)
        status = entries.solve(context)
        if status != OK:
            return int(status)
    return int(entries.rhs(context))


@kernel
def loses_rank(run: Any) -> bool:
    """Whether more rows are dependent here than elsewhere. Where nothing else helped, that is how it is from now on."""
    counts, dropped = run.beside.counts, int(run.coef[DROPPED].real)
    if run.beside.base.shape[0] == 0:
        return False
    if counts[FEWEST] < 0 or dropped < counts[FEWEST] or run.coef[CARE].real < 0.0:
        counts[FEWEST] = dropped
    return bool(dropped > counts[FEWEST])


@kernel
def at_base(run: Any) -> None:
    """psi = 0."""
    for c in range(run.psi.shape[0]):
        run.psi[c] = 0.0
