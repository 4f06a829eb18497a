"""Steps of a Radau method, of a given size or of their own, and samples from them; a whole run in compiled code.

The error is that of an embedded formula of order s, filtered by the real system (Hairer and Wanner 1996, IV.8): stiff
parts are taken out of it, and of rates what lies across the constraints. Step sizes follow Gustafsson's predictive
control.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import numpy as np

from linkwork.integrators.collocation import Collocation
from linkwork.integrators.newton import Block
from linkwork.integrators.radau_matrix import evaluate, factor_all, factor_here, form, go_to, solve_real, stand_still
from linkwork.integrators.radau_newton import newton_solve, predict, speed
from linkwork.integrators.radau_samples import accelerations_here, accept, keep_start, sample
from linkwork.integrators.radau_state import (
    NEWTON_DIVERGED,
    NOT_FINITE,
    OK,
    ROTATION_TOO_LARGE,
    SINGULAR,
    STEP_TOO_SMALL,
    Entries,
    Run,
    Systems,
)
from linkwork.kernels.jit import kernel, separate_kernel
from linkwork.kernels.records import Shape
from linkwork.kernels.sparse.pattern import Pattern
from linkwork.kernels.tables import Floats, Ints
from linkwork.problems.entry import direct_entry
from linkwork.problems.implicit import W
from linkwork.problems.layout import Argument, slots
from linkwork.problems.request import ACCELERATION_LEVEL, POSITION_LEVEL

SLOW = 0.02  # contraction above which matrices are formed anew for the next step
KEEP = 1.2  # a step that could be longer by less stays as it is, and its factors
SAFETY, LONGER, SHORTER = 0.9, 8.0, 0.2
LEAST_ERROR = 1e-2  # the last error is taken for no less
LEAST_STEP = 1e-14  # of the time reached or the end
STRETCHED = 0.99  # of what is left: a step of that size or longer goes to the end
LARGEST_ROTATION = 1.0  # rad in a step that finds its own size: matrices turn with the bodies
CLOSE = 0.7  # of the step that matrices were formed for: a shorter one wants its own


@kernel
def largest_turn(run: Run, h: float) -> Any:
    """The largest angle by which a body turns in a step of this size, at its present speed [rad]."""
    m, found = run.motion, 0.0
    for b in range(m.shape[0] - 1):
        found = max(found, m[b, W] ** 2 + m[b, W + 1] ** 2 + m[b, W + 2] ** 2)
    return h * np.sqrt(found)


@separate_kernel
def times_matrix(pattern: Pattern, values: Floats, factor: float, x: Floats, out: Floats, size: int) -> None:
    """Add factor times the leading size x size part of a matrix times x to out."""
    for j in range(size):
        y = factor * x[j]
        if y != 0.0:
            for e in range(pattern.indptr[j], pattern.indptr[j + 1]):
                i = pattern.indices[e]
                if i < size:
                    out[i] += values[e] * y


@separate_kernel
def step_error(run: Run, systems: Systems, method: Collocation, h: float) -> float:
    """The norm of the step's error, 1 where it is just acceptable."""
    npos, s, e = run.rate.shape[0], run.stages[0], method.error
    of_pose, of_rate = run.error[:npos], run.error[npos:]
    for c in range(npos):
        of_pose[c], of_rate[c] = h * e[0] * run.v_start[c], h * e[0] * run.x_start[c]
        for j in range(s):
            of_pose[c] += h * e[1 + j] * run.k[j, c]
            of_rate[c] += h * e[1 + j] * run.x[j, c]
    smooth = run.aside
    for c in range(smooth.shape[0]):
        smooth[c] = 0.0
    reach = h * method.eigenvalues[0]
    times_matrix(systems.pattern, systems.instant, 1.0, of_rate, smooth, npos)
    times_matrix(systems.pattern, systems.stiffness, -reach, of_pose, smooth, npos)
    solve_real(run, systems, smooth, systems.real)
    rtol, atol = run.rtol[0], run.atol[0]
    in_pose, in_rate = atol + rtol, atol + rtol * speed(run)
    total = 0.0
    for c in range(npos):
        of_rate[c] = smooth[c]
        of_pose[c] += reach * smooth[c]
        x, y = run.weight[c] * of_pose[c] / in_pose, run.weight[c] * of_rate[c] / in_rate
        total += x * x + y * y
    return float(np.sqrt(total / max(2 * npos, 1)))


@kernel
def wanted_step(run: Run, h: float, error: float, rejected: bool) -> Any:
    """The size of the next step after one with this error, or of its repetition."""
    power = 1.0 / (run.stages[0] + 1.0)
    cap = 2.0 * run.cap[0]
    safe = SAFETY * (1.0 + cap) / (run.last_iterations[0] + cap)
    factor = safe * max(error, 1e-10) ** -power
    if error <= 1.0 and run.old_step[0] > 0.0:
        seen = max(error, LEAST_ERROR)
        predictive = SAFETY * h / run.old_step[0] * (run.old_error[0] / (seen * seen)) ** power
        if error <= LEAST_ERROR:  # shorter than the last only to share out what was left
            predictive = max(predictive, 1.0)
        factor = min(factor, predictive)
    return h * limited(run, factor, LONGER, rejected)


@kernel
def limited(run: Run, factor: float, longest: float, rejected: bool) -> Any:
    """By how much a step may change: no more than `longest`, not at all where that saves a factorization."""
    factor = min(max(factor, SHORTER), longest)
    if rejected:
        return min(factor, 1.0)
    return 1.0 if 1.0 <= factor <= KEEP and run.contraction[0] <= SLOW else factor


@separate_kernel
def begin_step(entries: Entries, context: Ints, run: Run) -> int:
    """Formulas and coordinates at the start of the step; which rows depend on others there. Returns a Status."""
    rebased = go_to(entries, context, run, run.now[0])
    if rebased > 0:
        run.rebased[0] += rebased
        keep_start(run, run.z)
        run.predictable[0], run.formed[0] = 0, -1
    if run.droppable[0] == 0:
        return OK
    run.request.level[0] = ACCELERATION_LEVEL
    stand_still(run, 0.0, 0.0)
    evaluate(entries, context, run)
    run.request.level[0] = POSITION_LEVEL
    changed = entries.detect_redundant_rows(context)
    if changed > 0:
        run.rank_changes[0] += 1
        run.factored_step[0], run.predictable[0] = 0.0, 0
    return OK if changed >= 0 else NOT_FINITE


@kernel
def next_size(run: Run) -> Any:
    """The size that the next step is to be tried with."""
    left = run.t_end[0] - run.now[0]
    if run.fixed_step[0] > 0.0:
        return run.fixed_step[0] if run.fixed_step[0] < left * (1.0 + 1e-9) else left
    h = min(run.next_step[0], run.max_step[0])
    turn = largest_turn(run, h)
    if turn > LARGEST_ROTATION:
        h *= LARGEST_ROTATION / turn
    return shared_out(h, left, run.max_step[0])


@kernel
def shared_out(h: float, left: float, longest: float) -> Any:
    """h, but two equal steps to the end, and no sliver: the second of them is not shared out again. longest : of all
    steps."""
    if h >= STRETCHED * left and left <= longest * (1.0 + LEAST_STEP):
        return left
    return 0.5 * left if 2.0 * h > left else h


def stepping(
    begin: Callable[..., int],
    factor_step: Callable[..., int],
    solve: Callable[..., int],
    step_error: Callable[..., float],
    wanted_step: Callable[..., float],
) -> Callable[..., int]:
    """The kernel that takes one step of a method.

    begin : (entries, context, run, method), at the start of a step. factor_step : (run, systems, method, h), the
    factors that it is solved with. solve : (entries, context, run, systems, method, h), its unknowns. step_error :
    (run, systems, method, h). wanted_step : (run, h, error, rejected). The first three return a Status.
    """

    @separate_kernel
    def take_step(entries: Entries, context: Ints, run: Run, systems: Systems, method: Collocation) -> int:
        """One step, its size adapted until the error is small enough where that is wanted."""
        status = begin(entries, context, run, method)
        t, adaptive = run.now[0], run.fixed_step[0] == 0.0
        h, fresh, rejected = next_size(run), False, False
        if status != OK:
            return int(status)
        if not adaptive and largest_turn(run, h) >= np.pi:
            return ROTATION_TOO_LARGE
        stale = run.formed[0] < 0 or run.frozen[0] == 0 or run.contraction[0] > SLOW
        failed = STEP_TOO_SMALL
        while h > LEAST_STEP * max(abs(t), run.t_end[0]):
            run.step[0] = h
            if stale:
                form(entries, context, run, systems, t, h)
                stale, fresh = False, True
            status = OK
            if run.factored_step[0] != h:
                status = factor_step(run, systems, method, h)
            if status == OK:
                status = solve(entries, context, run, systems, method, h)
            if status == OK and not adaptive:
                run.pending[0] = 1
                return OK
            if status == OK:
                error = step_error(run, systems, method, h)
                if error <= 1.0:
                    run.next_step[0] = wanted_step(run, h, error, rejected)
                    run.old_error[0] = max(error, LEAST_ERROR)
                    run.pending[0] = 1
                    return OK
                h = wanted_step(run, h, error, True) if np.isfinite(error) else SHORTER * h
            elif not fresh:
                stale = True
                continue
            elif not adaptive or (status != NEWTON_DIVERGED and status != NOT_FINITE and status != SINGULAR):
                return int(status)
            else:
                failed = status
                run.unsolved[0] += 1
                h *= 0.5
            stale = run.formed[0] == run.steps[0] and h < CLOSE * run.step[0]  # they were those of a pose too far ahead
            rejected = True
            run.rejected[0] += 1
        return int(failed)

    return take_step


@separate_kernel
def back_to_start(entries: Entries, context: Ints, run: Run) -> None:
    """The state from which a step failed; whoever goes on does so without memory."""
    go_to(entries, context, run, run.now[0])
    run.predictable[0], run.formed[0], run.factored_step[0] = 0, -1, 0.0


def advancing(take_step: Callable[..., int]) -> Callable[..., tuple[int, int]]:
    """The kernel that goes from sample to sample by a method's steps.

    take_step : (entries, context, run, systems, method) -> a Status; the step then waits, its nodes in run.x and run.k.
    """

    @kernel
    def advance_to(
        entries: Entries,
        context: Ints,
        run: Run,
        systems: Systems,
        method: Collocation,
        targets: Floats,
        most: int,
        block: Block,
    ) -> tuple[int, int]:
        """Samples at the times `targets` (ascending). Returns (status, samples recorded).

        After `most` steps it returns with what it has, so that somebody can look at the clock. Steps do not depend on
        where samples are wanted. A step within which samples are still missing waits, unsettled, for the next call;
        so does the last one, unless `most` is below zero: then it counts without its sign, and what ends at t_end is
        settled.
        """
        n, taken = 0, 0
        while n < targets.shape[0] and taken < abs(most):
            if run.pending[0] == 0:
                taken += 1
                status = take_step(entries, context, run, systems, method)
                if status != OK:
                    back_to_start(entries, context, run)
                    return status, n
            reached = run.now[0] + run.step[0] * (1.0 + 1e-12)
            while n < targets.shape[0] and targets[n] <= reached:
                status = sample(entries, context, run, systems, method, targets[n], block, n)
                if status != OK:
                    return status, n
                n += 1
            if n == targets.shape[0] and (most > 0 or reached < run.t_end[0]):
                break
            status = accept(entries, context, run, systems, method)
            if status != OK:
                return status, n
        return OK, n

    return advance_to


@kernel
def begin_run(entries: Entries, context: Ints, run: Run, systems: Systems) -> int:
    """Accelerations and multipliers at the present pose and velocity, which the first step starts from."""
    keep_start(run, run.z)
    for c in range(run.z.shape[0]):
        run.x_start[c] = 0.0
    run.now[0] = run.start_time[0]
    go_to(entries, context, run, run.now[0])
    keep_start(run, run.z)
    run.request.level[0] = ACCELERATION_LEVEL
    stand_still(run, 0.0, 0.0)
    evaluate(entries, context, run)
    if run.droppable[0] == 1 and entries.detect_redundant_rows(context) < 0:
        return NOT_FINITE
    status = factor_here(entries, context, run, systems)
    if status == OK:
        status = accelerations_here(entries, context, run, systems)
    keep_start(run, run.z)
    run.request.time[0] = run.now[0]
    return int(status)


@separate_kernel
def begin(entries: Entries, context: Ints, run: Run, method: Collocation) -> int:
    """`begin_step`; the method itself carries nothing along."""
    return int(begin_step(entries, context, run))


@separate_kernel
def solve(entries: Entries, context: Ints, run: Run, systems: Systems, method: Collocation, h: float) -> int:
    """The stages of a step of this size."""
    predict(run, systems, method, h)
    return int(newton_solve(entries, context, run, systems, method, run.now[0], h))


advance_to = advancing(stepping(begin, factor_all, solve, step_error, wanted_step))
CONTEXT, ENTRIES, RUN, SYSTEMS, METHOD = slots(Annotated[Ints, Shape("words")], Entries, Run, Systems, Collocation)
(SAMPLES,) = slots(Block, table=3)
ADVANCE_TO = direct_entry(
    advance_to, ENTRIES, CONTEXT, RUN, SYSTEMS, METHOD, Argument(1, "floats"), Argument(2, "count"), SAMPLES, returns=2
)
BEGIN_RUN = direct_entry(begin_run, ENTRIES, CONTEXT, RUN, SYSTEMS)
