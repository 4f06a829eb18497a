"""Slopes where constraints lose rank, from states beside.

At a rank loss on the way J x = eta does not determine the accelerations, and next to one it magnifies whatever is off:
by 1/s what the velocities miss, s being what is left of the weakest row, and by 1/s^3 what the pose misses. But the
motion goes through, so they are functions of the state that only need to be found otherwise:

- next to the loss, at the nearest state on the constraints;
- at the loss itself, as the limit of those on both sides, on the line through the state along its own velocity. States
  there are put on the constraints, too; a polynomial through three of each side is exact to the fifth degree.

A method that takes slopes of all its stages so sees a smooth field, which on the constraints is the right one: it keeps
its order. Where the mechanism does not move, or rank does not come back nearby, there is no limit.

Where the state holds momenta and impulses of the closing rows, p* = p + J^T sigma, it does not tell sigma of a row that
has vanished, which decides how p* goes on. So momenta p are taken as limits, too, and within a step that needs slopes
beside they change with the reactions, p' = f - J^T lambda, at all its stages: `reacting`.
"""

from __future__ import annotations

from typing import Any

from linkwork.integrators.evaluation import OK, SINGULAR, Entries, Run, at_base, evaluate_here
from linkwork.integrators.limit_stencil import add_found, come_back, copy2, forget, keep_base
from linkwork.integrators.projection import project
from linkwork.kernels.jit import kernel, separate_kernel
from linkwork.kernels.tables import Ints
from linkwork.problems.explicit import ACC
from linkwork.problems.request import ACCELERATION_LEVEL, RATES_ALONE

PAIRS = (0.75, -0.3, 0.05)  # weights of the states one, two, three strides to each side
SHARE = 1e-3  # of a row that must be its own beside
SURE = 1e-2  # of rows that may say which way the state goes
NONE = 2.0  # of a row there is no more than all: no row says
STRIDE, LONGER, LONGEST = 0.02, 2.5, 0.3  # of a radian, or of the mechanism's length, by the fastest body
MOST_STEPS = 1e3  # a stride is no longer, in time
WAIT = 20  # steps without further trials where there is no limit


@kernel
def evaluate(entries: Entries, context: Ints, run: Run, t: float, judge: bool) -> int:
    """`evaluate_here`; at and next to a rank loss by states beside, where it is for rank to be judged."""
    status = evaluate_here(entries, context, run, t, judge)
    if status == SINGULAR and judge:
        status = evaluate_at_loss(entries, context, run, t)
    return int(status)


@separate_kernel
def evaluate_at_loss(entries: Entries, context: Ints, run: Run, t: float) -> int:
    """By states beside; where that fails rows are dropped, or judged as kindly as can be."""
    if run.stencil.base.shape[0] == 0:
        return SINGULAR
    if run.steps[0] >= run.stencil.not_before[0]:
        status = evaluate_at_rank_loss(entries, context, run, t, False)
        if status == OK:
            return status
        run.stencil.not_before[0] = run.steps[0] + WAIT
    run.request.least_independence[0] = -1.0
    run.state_is_set[0] = 0
    status = evaluate_here(entries, context, run, t, True)
    run.request.least_independence[0] = 0.0
    return int(status)


@separate_kernel
def evaluate_at_rank_loss(entries: Entries, context: Ints, run: Run, t: float, reacting: bool) -> int:
    """The slope at base exp(psi) from the nearest state on the constraints, or as a limit. reacting : see above."""
    stencil = run.stencil
    if stencil.base.shape[0] == 0:
        return SINGULAR
    known, projections, changes = run.rhs_known[0], run.projections[0], run.rank_changes[0]
    keep_base(run)
    fastest = rates_here(entries, context, run, t)
    run.request.least_independence[0] = SHARE
    forget(run)
    status = add_state(entries, context, run, t, 0.0, 1.0)
    limit, stride = status != OK, STRIDE
    while status != OK and fastest > 0.0 and stride < LONGEST:
        duration = stride / fastest
        if duration > MOST_STEPS * max(run.step[0], run.next_step[0]):
            break
        forget(run)
        status = OK
        for n in range(6):
            if status == OK:
                side = 1.0 if n % 2 == 0 else -1.0
                status = add_state(entries, context, run, t, side * (1 + n // 2) * duration, PAIRS[n // 2])
        stride *= LONGER
    run.request.least_independence[0] = 0.0
    come_back(run)
    run.rhs_known[0], run.projections[0], run.rank_changes[0], run.state_is_set[0] = known, projections, changes, 0
    if status != OK:
        return SINGULAR
    if limit:
        if stencil.limits[0] == 0:
            stencil.first_loss[0] = t
        stencil.limits[0] += 1
    stencil.projection_due[0] = 1
    return present_sums(entries, context, run, t, reacting)


@separate_kernel
def rates_here(entries: Entries, context: Ints, run: Run, t: float) -> Any:
    """Rates of the pose's increment at the present state, and the largest of them in radians or lengths per second."""
    rates, largest = run.stencil.rates, 0.0
    if place_rates(entries, context, run, t, SURE) != OK:
        return 0.0
    for c in range(rates.shape[0] // 2):
        rates[c] = run.psi_rate[c]
        largest = max(largest, abs(run.weight[c] * rates[c]))
    return largest


@kernel
def place_rates(entries: Entries, context: Ints, run: Run, t: float, share: float) -> int:
    """Place base exp(psi), and the first half of its slope, which needs no accelerations. Where rates come from
    momenta, rows with less than this share of their own have no say in them."""
    run.request.time[0], run.request.first_stage[0] = t, 1
    status = int(entries.set_state(context))
    if status == OK:
        run.request.level[0], run.request.least_independence[0] = RATES_ALONE, share
        status = int(entries.rhs(context))
        run.request.level[0], run.request.least_independence[0] = ACCELERATION_LEVEL, 0.0
    return status


@separate_kernel
def add_state(entries: Entries, context: Ints, run: Run, t: float, later: float, weight: float) -> int:
    """Add slope, accelerations and multipliers of a state so much further on, put on the constraints."""
    b, psi = run.stencil, run.psi
    come_back(run)
    for c in range(psi.shape[0] // 2):
        psi[c] += later * b.rates[c]
    run.request.time[0], run.request.first_stage[0] = t + later, 1
    status = entries.set_state(context)
    if status == OK:
        entries.accept_step(context)
        status = project(entries, context, run, t + later)
    if status == OK:
        at_base(run)
        status = evaluate_here(entries, context, run, t + later, True)
    if status != OK:
        return int(status)
    entries.output(context)
    add_found(run, weight)
    return OK


@separate_kernel
def present_sums(entries: Entries, context: Ints, run: Run, t: float, reacting: bool) -> int:
    """Place the state again, and give it what was added up."""
    b, slope = run.stencil, run.psi_rate
    half, momenta = slope.shape[0] // 2, b.momenta.shape[0] > 0
    if momenta:
        for i in range(half):
            b.momenta[i, 0], b.momenta[i, 1] = b.impulse[i, 0] - run.psi[half + i], b.impulse[i, 1]
    status = place_rates(entries, context, run, t, NONE)
    if status != OK:
        return status
    entries.output(context)
    if reacting or not momenta:
        for c in range(half, slope.shape[0]):
            slope[c] = b.psi_rate[c]
    copy2(b.motion, run.motion[:, ACC : ACC + 6])
    copy2(b.extra, run.extra)
    for k in range(b.lam.shape[0]):
        run.lam[k] = b.lam[k]
    b.output_done[0] = 1
    if momenta and moved(run):  # momenta of the base itself stay what they should be
        copy2(b.kept, b.base)
    return OK


@kernel
def moved(run: Run) -> bool:
    """Whether the increment is not zero."""
    for c in range(run.psi.shape[0]):
        if run.psi[c] != 0.0:
            return True
    return False
