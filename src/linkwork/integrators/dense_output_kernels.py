"""Samples at chosen times, by dense output, from explicit Runge-Kutta steps that may find their own size."""

from __future__ import annotations

from typing import Any

from linkwork.integrators.evaluation import NOT_FINITE, OK, SINGULAR, Block, Entries, Run, evaluate_here
from linkwork.integrators.explicit_table import CONTEXT, ENTRIES, RUN, TABLEAU
from linkwork.integrators.runge_kutta_kernels import PART, accept_and_project, record
from linkwork.integrators.singular_configurations import evaluate, evaluate_at_rank_loss
from linkwork.integrators.stages import combine, first_stage, keep, later_stages, short
from linkwork.integrators.step_control import (
    accepted,
    combined_norm,
    error_norm,
    first_step_guess,
    next_step,
    trial_step,
)
from linkwork.integrators.tableaux.tableau import TableauArrays
from linkwork.kernels.jit import kernel, separate_kernel
from linkwork.kernels.needed import needed
from linkwork.kernels.tables import Floats, Ints
from linkwork.problems.entry import direct_entry
from linkwork.problems.layout import Argument, slots
from linkwork.status import Status

STEP_TOO_SMALL, ROTATION_TOO_LARGE = int(Status.STEP_TOO_SMALL), int(Status.ROTATION_TOO_LARGE)
LEAST_STEP = 1e-14  # of the time reached or the end, whichever is larger
HUMP = 0.3  # of theta^2 (1 - theta)^2: the largest value over the largest derivative
SHRINK = 0.3  # after a stage that could not be evaluated
SHORTEST = 1e-3  # of the usual step, where a stage meets a rank loss


@kernel
def advance_to(
    entries: Entries, context: Ints, tableau: TableauArrays, run: Run, targets: Floats, most: int, block: Block
) -> tuple[int, int]:
    """Samples at the times `targets` (ascending), by dense output. Returns (status, samples recorded).

    After `most` steps it returns with what it has, so that somebody can look at the clock. Steps do not depend on
    where samples are wanted. A step within which samples are still missing waits, unsettled, for the next call; so does
    the last one, unless `most` is below zero: then it counts without its sign, and what ends at t_end is settled.
    """
    n = 0
    taken = 0
    while n < targets.shape[0] and taken < abs(most):
        if run.pending[0] == 0:
            taken += 1
            status = first_stage(entries, context, run, run.now[0])
            if status == OK:
                status = take_step(entries, context, run, tableau)
            if status != OK:
                run.rhs_known[0], run.state_is_set[0] = 0, 0
                return status, n
        t, h = run.now[0], run.step[0]
        reached = t + h * (1.0 + 1e-12)
        while n < targets.shape[0] and targets[n] <= reached:
            status = sample(entries, context, run, tableau, targets[n], t, h)
            if status != OK:
                return status, n
            record(entries, context, run, targets[n], block, n)
            n += 1
        if n == targets.shape[0] and (most > 0 or reached < run.t_end[0]):
            break
        combine(run, tableau.b, run.stages[0], h)
        placed = run.fsal[0] == 1 and run.extended[0] == 0  # no sample has moved the bodies since
        status = accept_and_project(entries, context, run, tableau, t + h, placed)
        run.pending[0] = 1 if run.now[0] == t else 0
        if status != OK:
            run.rhs_known[0], run.state_is_set[0] = 0, 0
            return status, n
    return OK, n


@separate_kernel
def extend(entries: Entries, context: Ints, run: Run, tableau: TableauArrays, t: float, h: float) -> int:
    """The further stages that samples within a step take. Slopes of momenta that reactions change do not go with those
    of others: where such a stage meets a rank loss, the step's own stages are found again beside, too."""
    momenta = run.stencil.momenta.shape[0] > 0
    reacting = momenta and run.stencil.reacting[0] == 1
    status = further_stages(entries, context, run, tableau, t, h, reacting)
    if status == SINGULAR and momenta and not reacting:
        status = stages_of_trial(entries, context, run, tableau, t, h, True)
        if status == OK:
            status = further_stages(entries, context, run, tableau, t, h, True)
    return int(status)


@separate_kernel
def further_stages(
    entries: Entries, context: Ints, run: Run, tableau: TableauArrays, t: float, h: float, reacting: bool
) -> int:
    """k after those of the step. reacting : by `evaluate_at_rank_loss`, as those were."""
    s, momenta = run.stages[0], run.stencil.momenta.shape[0] > 0
    for j in range(run.extra_stages[0]):
        combine(run, tableau.a_extra[j], s + j, h)
        at, status = t + tableau.c_extra[j] * h, SINGULAR
        if not reacting:
            status = evaluate_here(entries, context, run, at, False)
        if reacting or (status == SINGULAR and not momenta):
            status = evaluate_at_rank_loss(entries, context, run, at, reacting)
        if status != OK:
            return int(status)
        keep(run, s + j)
    return OK


@separate_kernel
def sample(entries: Entries, context: Ints, run: Run, tableau: TableauArrays, at: float, t: float, h: float) -> int:
    """The state, accelerations and multipliers at time `at` within the step [t, t + h].

    The increment follows the method's continuous extension; the rest is evaluated there.
    """
    P = tableau.P
    if run.extended[0] == 0:
        status = extend(entries, context, run, tableau, t, h)
        if status != OK:
            return status
        run.extended[0] = 1
    theta = min((at - t) / h, 1.0)
    for c in range(run.psi.shape[0]):
        run.psi[c] = 0.0
    for j in range(P.shape[0]):
        weight = 0.0
        for d in range(P.shape[1] - 1, -1, -1):
            weight = (weight + P[j, d]) * theta
        if needed(weight != 0.0):
            for c in range(run.psi.shape[0]):
                run.psi[c] += h * weight * run.k[j, c]
    status = evaluate(entries, context, run, at, True)
    if status == OK and run.adaptive[0] == 1 and run.stencil.output_done[0] == 0:
        run.between_error[0] = max(run.between_error[0], error_between(run, P, theta, h))
    return int(status)


@kernel
def error_between(run: Run, P: Floats, theta: float, h: float) -> Any:
    """About the error of the continuous extension at theta, 1 where a step's would be just acceptable.

    Its derivative misses the slope at the sample by the derivative of its error, which vanishes at both ends of the
    step and is of the fourth degree at least: about HUMP h times the largest derivative.
    """
    error, slope, k = run.error, run.psi_rate, run.k
    for c in range(error.shape[0]):
        error[c] = -slope[c]
    for j in range(P.shape[0]):
        weight = 0.0
        for d in range(P.shape[1] - 1, -1, -1):
            weight = weight * theta + (d + 1) * P[j, d]
        if needed(weight != 0.0):
            for c in range(error.shape[0]):
                error[c] += weight * k[j, c]
    for c in range(error.shape[0]):
        error[c] *= HUMP * h
    return error_norm(error, run.weight, run.size, run.atol[0], run.rtol[0])


@separate_kernel
def stages_of_trial(
    entries: Entries, context: Ints, run: Run, tableau: TableauArrays, t: float, h: float, careful: bool
) -> int:
    """`later_stages`, compiled once for all that ask for them here."""
    return later_stages(entries, context, run, tableau, t, h, careful)


@separate_kernel
def take_step(entries: Entries, context: Ints, run: Run, tableau: TableauArrays) -> int:
    """The stages of one step from the base, its size adapted until the error is small enough where that is wanted.

    The error is that of the increment, before it is mapped to the group [errata: Müller 2013, 6].
    """
    t = run.now[0]
    h = min(run.next_step[0], run.max_step[0])
    rejected = False
    while True:
        left = run.t_end[0] - t
        if h >= left * (1.0 - LEAST_STEP):
            h = left
        elif run.adaptive[0] == 1 and 2.0 * h > left:  # two equal steps to the end, and no sliver
            h = 0.5 * left
        if not h > LEAST_STEP * max(abs(t), run.t_end[0]):
            return STEP_TOO_SMALL
        status = stages_of_trial(entries, context, run, tableau, t, h, False)
        if status == SINGULAR:  # a stage's, not the base's: try elsewhere, then by states on the constraints
            if h > SHORTEST * run.next_step[0] and not short(run, h):
                h *= PART
                continue
            status = stages_of_trial(entries, context, run, tableau, t, h, True)
        if run.adaptive[0] == 0:
            break
        if status == ROTATION_TOO_LARGE or status == NOT_FINITE:
            rejected = True
            run.rejected[0] += 1
            h *= SHRINK
            continue
        if status != OK:
            break
        error = step_error(run, tableau, h).real  # sizes of steps do not move with what is differentiated by
        wanted = next_step(h.real, error, run.old_error[0].real, run.error_order[0], rejected)
        if accepted(error):
            run.next_step[0], run.old_error[0] = wanted, error
            break
        rejected = True
        run.rejected[0] += 1
        h = wanted
    run.step[0] = h
    if status == OK:
        run.pending[0], run.extended[0] = 1, 0
        if run.steps[0] < run.sizes.shape[0]:
            run.sizes[run.steps[0]] = h
    return status


@kernel
def step_error(run: Run, tableau: TableauArrays, h: float) -> Any:
    """The norm of the step's error, 1 where it is just acceptable."""
    s = run.stages[0]
    first = weighted_error(run, tableau.e, s, h)
    if tableau.e2.shape[0] == 0:
        return first
    return combined_norm(first, weighted_error(run, tableau.e2, s, h))


@kernel
def weighted_error(run: Run, weights: Floats, s: int, h: float) -> Any:
    """The norm of h sum weights[j] k_j."""
    error, k = run.error, run.k
    for c in range(error.shape[0]):
        error[c] = 0.0
    for j in range(s):
        factor = h * weights[j]
        if needed(factor != 0.0):
            for c in range(error.shape[0]):
                error[c] += factor * k[j, c]
    return error_norm(error, run.weight, run.size, run.atol[0], run.rtol[0])


@kernel
def guess_step(entries: Entries, context: Ints, run: Run) -> int:
    """A first step from the sizes of the slope and of its change."""
    t = run.now[0]
    status = first_stage(entries, context, run, t)
    if status != OK:
        return status
    atol, rtol = run.atol[0], run.rtol[0]
    for c in range(run.error.shape[0]):
        run.error[c] = run.size[c] / run.weight[c]
    d0 = error_norm(run.error, run.weight, run.size, atol, rtol)
    d1 = error_norm(run.k[0], run.weight, run.size, atol, rtol)
    h0 = min(min(trial_step(d0, d1), run.max_step[0]), run.t_end[0] - t)  # dual numbers: two at a time
    for c in range(run.psi.shape[0]):
        run.psi[c] = h0 * run.k[0, c]
    status = evaluate(entries, context, run, t + h0, False)
    if status != OK:
        run.next_step[0] = 0.01 * h0.real
        return OK
    for c in range(run.error.shape[0]):
        run.error[c] = (run.psi_rate[c] - run.k[0, c]) / h0
    d2 = error_norm(run.error, run.weight, run.size, atol, rtol)
    run.next_step[0] = first_step_guess(h0.real, d1.real, d2.real, run.error_order[0])
    return OK


(SAMPLES,) = slots(Block, table=3)
ADVANCE_TO = direct_entry(
    advance_to, ENTRIES, CONTEXT, TABLEAU, RUN, Argument(1, "floats"), Argument(2, "count"), SAMPLES, returns=2
)
GUESS_STEP = direct_entry(guess_step, ENTRIES, CONTEXT, RUN)
