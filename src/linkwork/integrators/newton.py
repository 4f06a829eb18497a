"""Newton's method on one step's unknowns, compiled, in three variants [Kissel 2021, section 3].

The full matrix, the matrix without the first-order variation of the reactions (both formed anew at every
iteration), and the frozen matrix (kept over iterations and steps until convergence slows).
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from linkwork.integrators.stopping import AGEING, ROUNDING, converged
from linkwork.kernels.jit import kernel, separate_kernel
from linkwork.kernels.pose_error import OFF_LARGEST, OFF_MARGIN
from linkwork.kernels.records import Columns, EntryCall, Shape
from linkwork.kernels.tables import Floats, Ints
from linkwork.problems.request import POSITION_LEVEL, ImplicitRequest
from linkwork.problems.step_state import flush
from linkwork.status import Status

OK, NEWTON_DIVERGED = int(Status.OK), int(Status.NEWTON_DIVERGED)
NOT_FINITE = int(Status.NOT_FINITE)

PATIENCE = 16  # steps after which a matrix renewed at every step is tried for longer again
LEAST_DAMPING = 1e-6  # the least part of a correction that is tried
LATE = 8  # corrections, from which on those that do not shrink are asked whether they are rounding of coordinates


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

    settings: Annotated[Floats, Shape(1, 8), "all of these:"]
    start_time: Annotated[Floats, Columns("settings"), "s", "start"]
    step: Annotated[Floats, Columns("settings"), "s", "step size"]
    tolerance: Annotated[Floats, Columns("settings"), "m/s^2", "Theta, the largest correction that may end a step"]
    slow_contraction: Annotated[Floats, Columns("settings"), "contraction above which a frozen matrix is renewed"]
    floor: Annotated[Floats, Columns("settings"), "m/s^2", "a correction that ends a step in any case"]
    left: Annotated[Floats, Columns("settings"), "share of the bend or the first correction that may be left"]
    contraction: Annotated[Floats, Columns("settings"), "of Newton's corrections, last seen"]
    bend: Annotated[Floats, Columns("settings"), "m/s^2", "norm of what predictions have beyond a straight line"]
    options: Annotated[Ints, Shape(1, 9), "all of these, 1 for yes:"]
    frozen: Annotated[Ints, Columns("options"), "the matrix is kept over iterations and steps"]
    cap: Annotated[Ints, Columns("options"), "most of Newton's iterations in a step"]
    every: Annotated[Ints, Columns("options"), "every k-th step is recorded"]
    droppable: Annotated[Ints, Columns("options"), "redundant rows are allowed for"]
    forced: Annotated[Ints, Columns("options"), "there are forces besides weight"]
    varies: Annotated[Ints, Columns("options"), "matrices hold the variation of the reactions"]
    first_multiplier: Annotated[Ints, Columns("options"), "place of the first multiplier"]
    rows: Annotated[Ints, Columns("options"), "constraint rows"]
    from_index_1: Annotated[Ints, Columns("options"), "samples have accelerations and multipliers of index-1 equations"]
    counts: Annotated[Ints, Shape(1, 11), "all of these:"]
    steps: Annotated[Ints, Columns("counts"), "steps taken"]
    iterations: Annotated[Ints, Columns("counts"), "of Newton's method"]
    factorizations: Annotated[Ints, Columns("counts"), "of the iteration matrix"]
    rebased: Annotated[Ints, Columns("counts"), "bodies given new coordinates"]
    last_iterations: Annotated[Ints, Columns("counts"), "of Newton's method in the last step"]
    rank_changes: Annotated[Ints, Columns("counts"), "how often redundant rows changed"]
    worst_row: Annotated[Ints, Columns("counts"), "row with the largest residual when a step failed"]
    known: Annotated[Ints, Columns("counts"), "solutions that the next may be predicted from"]
    eager: Annotated[Ints, Columns("counts"), "steps in a row in which the matrix was renewed too late"]
    formed: Annotated[Ints, Columns("counts"), "step at which the matrix was formed"]
    rounded: Annotated[Ints, Columns("counts"), "steps that ended at the rounding of coordinates"]
    scheme: Annotated[Floats, Shape(10), "the method's numbers (integrators/scheme.py)"]
    weight: Annotated[Floats, Shape("N"), "weights of the unknowns in the norm of Newton's stopping rule"]
    row_size: Annotated[Floats, Shape("nc"), "of each row's gradient: of lengths 1 about, of angles 1/m"]
    z_old: Annotated[Floats, Shape("N"), "the unknowns one step before"]
    z_older: Annotated[Floats, Shape("N"), "and two steps before"]
    z_oldest: Annotated[Floats, Shape("N"), "and three"]
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
        if run.forced[0] == 1:
            entries.vary_forces(context)
        if run.varies[0] == 1:
            entries.vary_reactions(context)
    entries.assemble(context)
    run.factorizations[0] += 1
    run.formed[0] = run.steps[0]
    return int(entries.factorise(context))


@kernel
def evaluate(entries: Entries, context: Ints, run: Run) -> None:
    """The residual, with the applied forces summed first where there are any."""
    if run.forced[0] == 1:
        entries.set_state(context)
        entries.apply(context)
    entries.evaluate(context)


@kernel
def weighted_norm(weight: Floats, x: Floats) -> Any:
    """The weighted 2-norm of x, in four independent sums: one would be waited for at every term."""
    s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
    n = x.shape[0]
    whole = n - n % 4
    for c in range(0, whole, 4):
        a, b = weight[c] * x[c], weight[c + 1] * x[c + 1]
        d, e = weight[c + 2] * x[c + 2], weight[c + 3] * x[c + 3]
        s0, s1, s2, s3 = s0 + a * a, s1 + b * b, s2 + d * d, s3 + e * e
    for c in range(whole, n):
        a = weight[c] * x[c]
        s0 += a * a
    return np.sqrt((s0 + s1) + (s2 + s3))


@kernel
def correction_norm(run: Run) -> Any:
    """The weighted 2-norm of the correction [Kissel 2021, eq. 46]."""
    return weighted_norm(run.weight, run.delta)


@separate_kernel
def judge_rows(run: Run) -> None:
    """How strictly rows are judged at the next step: by how far off the predicted pose was at this one.

    Redundancy holds where the rows are met; beside that pose rows that follow from others seem independent.
    """
    first = run.first_multiplier[0]
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
def farthest(run: Run) -> Any:
    """The largest coordinate of a body's centre, m, no less than the mechanism's length: a mechanism that has gone far
    from where it began has the rounding of where it is."""
    size = run.rank[0]
    for b in range(run.motion.shape[0] - 1):
        for c in range(3):
            size = max(size, abs(run.motion[b, c]))
    return size


@separate_kernel
def only_rounding(entries: Entries, context: Ints, run: Run) -> bool:
    """Whether rounding of the rows is all that is left to correct: near a loss of rank corrections by it are
    1/s of it, s being what is left of the weakest row, and shrink no more. Writes the residual and delta."""
    residual, first, rows = run.residual, run.first_multiplier[0], run.rows[0]
    for k in range(first, first + rows):
        if not run.request.c_q[0] * abs(residual[k]) <= ROUNDING * run.rank[0]:
            return False
        residual[k] = 0.0
    entries.solve(context)
    return bool(correction_norm(run) < run.tolerance[0])


@separate_kernel
def only_rounding_of_coordinates(entries: Entries, context: Ints, run: Run) -> bool:
    """The same of coordinates that are far larger than the mechanism, and of bodies, whose rotations have rounding of
    their own. Writes the residual and delta."""
    residual, first, rows, size = run.residual, run.first_multiplier[0], run.rows[0], farthest(run)
    for k in range(rows):
        if not run.request.c_q[0] * abs(residual[first + k]) <= ROUNDING * size * run.row_size[k]:
            return False
        residual[first + k] = 0.0
    entries.solve(context)
    return bool(correction_norm(run) < run.tolerance[0])


@kernel
def iterate(entries: Entries, context: Ints, run: Run, renew: bool) -> int:
    """Newton's iterations. Of rows that depend on others z keeps the multipliers that were predicted."""
    slow = run.slow_contraction[0]
    frozen, may_drop = run.frozen[0] == 1, run.droppable[0] == 1
    z, delta = run.z, run.delta
    eager = run.eager[0] > 1
    if run.steps[0] % PATIENCE == 0:
        run.eager[0] = 0
    factor_now = not frozen or renew or eager or run.factorizations[0] == 0
    fresh, late = False, False
    before = first = np.inf
    run.contraction[0] = run.contraction[0] ** AGEING
    status = NEWTON_DIVERGED
    iteration = 0
    while iteration < run.cap[0]:
        evaluate(entries, context, run)
        if may_drop and iteration == 0:
            changed = entries.detect_redundant_rows(context)
            if changed < 0:
                status = NOT_FINITE
                break
            if changed > 0:
                run.rank_changes[0] += 1
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
        if converged(run, norm, before, first, run.steps[0] - run.formed[0]):
            status = OK
            break
        if norm > slow * before and run.formed[0] == run.steps[0]:
            if only_rounding(entries, context, run):
                status = OK
                break
            if iteration >= LATE and only_rounding_of_coordinates(entries, context, run):
                run.rounded[0] += 1
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
        run.last_iterations[0] = iteration
        run.iterations[0] += iteration
        if late:
            run.eager[0] += 1
        elif not eager:
            run.eager[0] = 0
    else:
        run.worst_row[0] = worst_row(run.residual, run.first_multiplier[0], run.rows[0])
    return status


@kernel
def part_of_correction(run: Run, whole: Floats, base: Floats, part: float) -> None:
    """Writes z: a part of a correction from base."""
    for c in range(base.shape[0]):
        run.z[c] = flush(base[c] - part * whole[c])


@separate_kernel
def iterate_damped(entries: Entries, context: Ints, run: Run) -> int:
    """Newton's iterations from the predicted unknowns once more, each correction by the part that the natural
    monotonicity test allows [Deuflhard 2011, section 3.3]: one by the same matrix, behind it, must be smaller by a
    quarter of that part at least. Steep forces need it (friction by tanh), whose tangents lead too far.

    Writes z, start and aside, which hold where a correction began and itself; and counters.
    """
    base, whole, part, before = run.start, run.aside, 1.0, np.inf
    for c in range(base.shape[0]):
        run.z[c] = base[c]
    evaluate(entries, context, run)
    for iteration in range(1, run.cap[0] + 1):
        run.iterations[0] += 1
        run.last_iterations[0] = iteration
        status = renew_matrix(entries, context, run)
        if status != OK:
            return int(status)
        entries.solve(context)
        norm = correction_norm(run)
        if not np.isfinite(norm):
            return NOT_FINITE
        for c in range(base.shape[0]):
            base[c], whole[c] = run.z[c], run.delta[c]
        part = min(1.0, 4.0 * part)
        while part > LEAST_DAMPING:
            part_of_correction(run, whole, base, part)
            if part == 1.0 and converged(run, norm, before, norm, 0):
                return OK
            evaluate(entries, context, run)
            entries.solve(context)
            if correction_norm(run) <= (1.0 - 0.25 * part) * norm:
                break
            part = 0.5 * part
        if not part > LEAST_DAMPING:
            return NEWTON_DIVERGED
        before = norm if part == 1.0 else np.inf
    return NEWTON_DIVERGED


@kernel
def newton_solve(entries: Entries, context: Ints, run: Run, renew: bool) -> int:
    """Solve the step's equations from the predicted unknowns in z, which hold the solution afterwards, with multipliers
    of least norm where rows depend on others."""
    status: int = iterate(entries, context, run, renew)
    failed = status == NEWTON_DIVERGED or status == NOT_FINITE  # which it stays where damping does not help
    if failed and iterate_damped(entries, context, run) == OK:
        status = OK
    if status == OK and run.droppable[0] == 1:
        entries.minimum_norm_multipliers(context)
    return status
