"""Newton's method on one step's unknowns, compiled, in three variants [Kissel 2021, section 3].

The full matrix, the matrix without the first-order variation of the reactions (both formed anew at every
iteration), and the frozen matrix (kept over iterations and steps until convergence slows).
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from linkwork.integrators.stopping import AGEING, CONTRACTION, ROUNDING, SLOW, TOLERANCE, converged
from linkwork.kernels.jit import kernel, separate_kernel
from linkwork.kernels.records import EntryCall, Shape
from linkwork.kernels.tables import Floats, Ints
from linkwork.problems.dependent import OFF_LARGEST
from linkwork.problems.request import POSITION_LEVEL, ImplicitRequest
from linkwork.problems.step_state import flush
from linkwork.status import Status

OK, NEWTON_DIVERGED = int(Status.OK), int(Status.NEWTON_DIVERGED)
NOT_FINITE = int(Status.NOT_FINITE)

# values of Run.options[VARIANT]
EVERY_ITERATION, FROZEN = 0, 1
OFF_MARGIN = 100.0  # times the error of the predicted pose
PATIENCE = 16  # steps after which a matrix renewed at every step is tried for longer again

# entries of Run.options and Run.counts; those of Run.settings stand in integrators/stopping.py
VARIANT, CAP, EVERY, DROPPABLE, HAS_FORCES, VARIES, FIRST_MULTIPLIER, ROWS, FROM_INDEX_1 = range(9)
STEPS, ITERATIONS, FACTORIZATIONS, REBASED, LAST_ITERATIONS, RANK_CHANGES, WORST_ROW, KNOWN, EAGER, FORMED = range(10)


class Entries(NamedTuple):
    """The problem's entries that implicit methods call, in the words of problems.implicit.ImplicitProblem."""

    begin: EntryCall
    set_state: EntryCall
    apply: EntryCall
    evaluate: EntryCall
    assemble: EntryCall
    vary_forces: EntryCall
    vary_reactions: EntryCall
    factorise: EntryCall
    solve: EntryCall
    detect_redundant_rows: EntryCall
    minimum_norm_multipliers: EntryCall


class Run(NamedTuple):
    """What one run carries from chunk to chunk, and the parts of the problem that an integrator works on."""

    settings: Annotated[
        Floats,
        Shape(7),
        "start time, step, the largest correction that may end a step, contraction above which the frozen matrix is "
        "renewed, correction that ends a step in any case, share of a step's first correction that may be left, "
        "contraction last seen",
    ]
    options: Annotated[
        Ints,
        Shape(9),
        "Newton variant, iteration cap, record every k-th step, dependent rows allowed for, forces, reaction "
        "variation, place of the first multiplier, number of rows, samples from the index-1 equations",
    ]
    counts: Annotated[
        Ints,
        Shape(10),
        "steps, iterations, factorisations, bodies re-based, iterations of the last step, changes of rank, worst row, "
        "solutions known to predict from, late renewals in a row, step of the matrix",
    ]
    scheme: Annotated[Floats, Shape(10), "the method's numbers (integrators/scheme.py)"]
    weight: Annotated[Floats, Shape("N"), "weights of the unknowns in the norm of Newton's stopping rule"]
    z_old: Annotated[Floats, Shape("N"), "the unknowns one step before"]
    start: Annotated[Floats, Shape("N"), "the predicted unknowns of the present step"]
    aside: Annotated[Floats, Shape("N"), "work space"]
    before: Annotated[Floats, Shape("nb + 1", 37), "the motion at the start of the present step"]
    rate_before: Annotated[Floats, Shape("npos"), "the rates there"]
    z: Annotated[Floats, Shape("N"), "Work.z"]
    residual: Annotated[Floats, Shape("N"), "Work.residual"]
    request: ImplicitRequest
    motion: Annotated[Floats, Shape("nb + 1", 37), "Work.motion"]
    rate: Annotated[Floats, Shape("npos"), "Work.rate"]
    step_star: Annotated[Floats, Shape("npos"), "Work.step_star"]
    rate_star: Annotated[Floats, Shape("npos"), "Work.rate_star"]
    carried: Annotated[Floats, Shape("npos"), "Work.carried"]
    delta: Annotated[Floats, Shape("N"), "Linear.delta"]
    rank: Annotated[Floats, Shape(4), "Dependent.length"]


class Block(NamedTuple):
    """Recorded steps of one chunk."""

    time: Annotated[Floats, Shape("n"), "s", "of each sample"]
    motion: Annotated[Floats, Shape("n", "nb", 24), "`Work.motion` of each body: m, 1, m/s, rad/s, m/s^2, rad/s^2"]
    multiplier: Annotated[Floats, Shape("n", "nc"), "of each row"]
    iterations: Annotated[Ints, Shape("n"), "of Newton's method in the step"]


@kernel
def renew_matrix(entries: Entries, context: Ints, run: Run) -> int:
    """Form the iteration matrix at the state last evaluated, and factor it."""
    if run.request.level[0] == POSITION_LEVEL:
        if run.options[HAS_FORCES] == 1:
            entries.vary_forces(context)
        if run.options[VARIES] == 1:
            entries.vary_reactions(context)
    entries.assemble(context)
    run.counts[FACTORIZATIONS] += 1
    run.counts[FORMED] = run.counts[STEPS]
    return int(entries.factorise(context))


@kernel
def evaluate(entries: Entries, context: Ints, run: Run) -> None:
    """The residual, with the applied forces summed first where there are any."""
    if run.options[HAS_FORCES] == 1:
        entries.set_state(context)
        entries.apply(context)
    entries.evaluate(context)


@kernel
def correction_norm(run: Run) -> Any:
    """The weighted 2-norm of the correction [Kissel 2021, eq. 46]."""
    total = 0.0
    for c in range(run.delta.shape[0]):
        x = run.weight[c] * run.delta[c]
        total += x * x
    return np.sqrt(total)


@separate_kernel
def judge_rows(run: Run) -> None:
    """How strictly rows are judged at the next step: by how far off the predicted pose was at this one.

    Redundancy holds where the rows are met; beside that pose rows that follow from others seem independent.
    """
    first = run.options[FIRST_MULTIPLIER]
    largest = 0.0
    for c in range(first):
        largest = max(largest, abs(run.delta[c]))
    run.rank[3] = OFF_MARGIN * run.request.c_q[0] * largest / run.rank[0]
    run.rank[1] = max(run.rank[2], min(run.rank[3], OFF_LARGEST))


@separate_kernel
def worst_row(residual: Floats, first: int, nc: int) -> int:
    """The row with the largest scaled residual: named when a step fails."""
    worst, size = -1, -1.0
    for k in range(nc):
        x = abs(residual[first + k])
        if not x <= size:
            worst, size = k, x
    return worst


@separate_kernel
def only_rounding(entries: Entries, context: Ints, run: Run) -> bool:
    """Whether rounding of the rows is all that is left to correct: near a loss of rank corrections by it are
    1/s of it, s being what is left of the weakest row, and shrink no more. Writes the residual and delta."""
    residual, first, rows = run.residual, run.options[FIRST_MULTIPLIER], run.options[ROWS]
    for k in range(first, first + rows):
        if not run.request.c_q[0] * abs(residual[k]) <= ROUNDING * run.rank[0]:
            return False
        residual[k] = 0.0
    entries.solve(context)
    return bool(correction_norm(run) < run.settings[TOLERANCE])


@kernel
def newton_solve(entries: Entries, context: Ints, run: Run, renew: bool) -> int:
    """Solve the step's equations from the predicted unknowns in z, which hold the solution afterwards."""
    slow = run.settings[SLOW]
    frozen, may_drop = run.options[VARIANT] == FROZEN, run.options[DROPPABLE] == 1
    z, delta, counts = run.z, run.delta, run.counts
    eager = counts[EAGER] > 1
    if counts[STEPS] % PATIENCE == 0:
        counts[EAGER] = 0
    factor_now = not frozen or renew or eager or counts[FACTORIZATIONS] == 0
    fresh, late = False, False
    before = first = np.inf
    run.settings[CONTRACTION] = run.settings[CONTRACTION] ** AGEING
    status = NEWTON_DIVERGED
    iteration = 0
    while iteration < run.options[CAP]:
        evaluate(entries, context, run)
        if may_drop and iteration == 0:
            changed = entries.detect_redundant_rows(context)
            if changed < 0:
                status = NOT_FINITE
                break
            if changed > 0:
                counts[RANK_CHANGES] += 1
                factor_now = True
        if factor_now:
            status = renew_matrix(entries, context, run)
            if status != OK:
                break
            status = NEWTON_DIVERGED
            fresh, factor_now = True, not frozen
        entries.solve(context)
        iteration += 1
        norm = correction_norm(run)
        if may_drop and iteration == 1:
            judge_rows(run)
        if not np.isfinite(norm):
            status = NOT_FINITE
            break
        for c in range(z.shape[0]):
            z[c] = flush(z[c] - delta[c])
        if iteration == 1:
            first = norm
        if converged(run, norm, before, first, counts[STEPS] - counts[FORMED]):
            status = OK
            break
        if norm > slow * before and counts[FORMED] == counts[STEPS] and only_rounding(entries, context, run):
            status = OK
            break
        if frozen and norm > slow * before:
            factor_now = late = True
            if not fresh and norm > before:  # the old matrix leads astray: start the step again with a new one
                for c in range(z.shape[0]):
                    z[c] = run.start[c]
                norm = np.inf
        before = norm
    if status == OK:
        if may_drop:
            entries.minimum_norm_multipliers(context)
        counts[LAST_ITERATIONS] = iteration
        counts[ITERATIONS] += iteration
        if late:
            counts[EAGER] += 1
        elif not eager:
            counts[EAGER] = 0
    else:
        counts[WORST_ROW] = worst_row(run.residual, run.options[FIRST_MULTIPLIER], run.options[ROWS])
    return status
