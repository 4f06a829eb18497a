"""States of a Radau run at the end of a step, and within it by its collocation polynomial.

A state is taken to its constraints: poses by least change in the kinetic metric, rates likewise, which gives both the
order 2s - 1 of the coordinates along the constraints; accelerations and multipliers are those of the index-1 equations
there.
"""

from __future__ import annotations

import numpy as np

from linkwork.integrators.collocation import Collocation
from linkwork.integrators.implicit_samples import RECORDED
from linkwork.integrators.least_norm import share_least_norm
from linkwork.integrators.newton import Block
from linkwork.integrators.radau_matrix import evaluate, factor_here, go_to, solve_real
from linkwork.integrators.radau_newton import integral, polynomial, put_stage, speed
from linkwork.integrators.radau_state import NOT_FINITE, OK, Entries, Run, Systems
from linkwork.kernels.jit import kernel, separate_kernel
from linkwork.kernels.tables import Floats, Ints
from linkwork.problems.request import ACCELERATION_LEVEL, POSITION_LEVEL, VELOCITY_LEVEL

PASSES = 4
ENOUGH = 4e-15  # of the mechanism's length: a last correction of a pose
SURE = 1e-13  # of accelerations


@separate_kernel
def set_solution(entries: Entries, context: Ints, run: Run, method: Collocation, theta: float, h: float) -> None:
    """Unknowns, increments (into step_star) and rates at the share theta of the step; the problem's state is set."""
    s, npos, n = run.stages[0], run.rate.shape[0], run.z.shape[0]
    go_to(entries, context, run, run.now[0] + theta * h)
    run.request.c_v[0], run.request.c_q[0] = 0.0, 0.0
    for c in range(n):
        run.z[c] = 0.0
    for c in range(npos):
        run.step_star[c], run.rate_star[c] = 0.0, run.v_start[c]
    for j in range(s):
        now = polynomial(method.basis, j, theta)
        so_far = h * integral(method.basis, j, theta)
        for c in range(n):
            run.z[c] += now * run.x[j, c]
        for c in range(npos):
            run.rate_star[c] += so_far * run.x[j, c]
            run.step_star[c] += so_far * run.k[j, c]
    entries.set_state(context)


@separate_kernel
def meet_rows(entries: Entries, context: Ints, run: Run, systems: Systems, level: float) -> float:
    """One correction of increments or rates by what the rows at this level ask for; returns its weighted size."""
    run.request.level[0] = level
    entries.constrain(context)
    run.request.level[0] = POSITION_LEVEL
    change, first = run.aside, run.first_multiplier[0]
    for c in range(change.shape[0]):
        skipped = c < first or (level == POSITION_LEVEL and run.power[c] == 1)
        change[c] = 0.0 if skipped else run.residual[c]
    solve_real(run, systems, change, systems.here)
    largest = 0.0
    for c in range(run.rate.shape[0]):
        largest = max(largest, run.weight[c] * abs(change[c]))
        if level == POSITION_LEVEL:
            run.step_star[c] -= change[c]
        else:
            run.rate_star[c] -= change[c]
    entries.set_state(context)
    return largest


@separate_kernel
def to_constraints(entries: Entries, context: Ints, run: Run, systems: Systems) -> int:
    """Pose and rates of the state that is placed meet the rows; `systems.here` is factored there."""
    run.request.level[0] = ACCELERATION_LEVEL
    evaluate(entries, context, run)
    status = factor_here(entries, context, run, systems)
    if status != OK:
        return int(status)
    for _ in range(PASSES):
        if not meet_rows(entries, context, run, systems, POSITION_LEVEL) > ENOUGH:
            break
    small = ENOUGH * speed(run)
    for _ in range(PASSES):
        if not meet_rows(entries, context, run, systems, VELOCITY_LEVEL) > small:
            break
    return OK


@separate_kernel
def accelerations_here(entries: Entries, context: Ints, run: Run, systems: Systems) -> int:
    """z from the index-1 equations at the state that is placed, with the factors of about there."""
    z, before = run.z, np.inf
    for _ in range(2 * PASSES):
        run.request.level[0] = ACCELERATION_LEVEL
        evaluate(entries, context, run)
        change, size, largest = run.aside, 0.0, 0.0
        for c in range(z.shape[0]):
            change[c] = run.residual[c]
        solve_real(run, systems, change, systems.here)
        for c in range(z.shape[0]):
            size = max(size, run.weight[c] * abs(z[c]))
            largest = max(largest, run.weight[c] * abs(change[c]))
        if not largest < before:
            break
        for c in range(z.shape[0]):
            z[c] -= change[c]
        before = largest
        if largest <= SURE * size:
            break
    run.request.level[0] = POSITION_LEVEL
    if not np.isfinite(largest):
        return NOT_FINITE
    if run.droppable[0] == 1:
        detect, share = entries.detect_redundant_rows, entries.minimum_norm_multipliers
        if not share_least_norm(detect, share, context, systems.dependent, systems.kept_dependence):
            return NOT_FINITE
    entries.set_state(context)
    return OK


@separate_kernel
def sample(
    entries: Entries,
    context: Ints,
    run: Run,
    systems: Systems,
    method: Collocation,
    t: float,
    block: Block,
    n: int,
) -> int:
    """The state at time t within the pending step, as sample n of the block."""
    h = run.step[0]
    theta = min(max((t - run.now[0]) / h, 0.0), 1.0)
    set_solution(entries, context, run, method, theta, h)
    status = to_constraints(entries, context, run, systems)
    if status == OK:
        status = accelerations_here(entries, context, run, systems)
    if status == OK:
        record(run, t, block, n)
    return int(status)


@kernel
def record(run: Run, t: float, block: Block, n: int) -> None:
    """Keep the present state as sample n."""
    block.time[n] = t
    block.iterations[n] = run.last_iterations[0]
    m, first = run.motion, run.first_multiplier[0]
    for b in range(m.shape[0] - 1):
        for c in range(RECORDED):
            block.motion[n, b, c] = m[b, c]
    for k in range(block.multiplier.shape[1]):
        block.multiplier[n, k] = run.z[first + k]


@separate_kernel
def keep_start(run: Run, x: Floats) -> None:
    """The present state is where the next step starts; x : its unknowns."""
    m, before = run.motion, run.before
    for b in range(m.shape[0]):
        for c in range(m.shape[1]):
            before[b, c] = m[b, c]
    for c in range(run.rate.shape[0]):
        run.v_start[c] = run.rate[c]
    for c in range(run.z.shape[0]):
        run.x_start[c] = x[c]


@separate_kernel
def accept(entries: Entries, context: Ints, run: Run, systems: Systems, method: Collocation) -> int:
    """The pending step's end becomes the start of the next one."""
    s, h = run.stages[0], run.step[0]
    last = s - 1
    go_to(entries, context, run, run.now[0] + h)
    put_stage(run, run.x[last], run.increment[last], run.v[last], h)
    entries.set_state(context)
    run.request.c_v[0], run.request.c_q[0] = 0.0, 0.0
    for c in range(run.rate.shape[0]):
        run.step_star[c], run.rate_star[c] = run.increment[last, c], run.v[last, c]
    status = to_constraints(entries, context, run, systems)
    if status != OK:
        return int(status)
    keep_start(run, run.z)
    for i in range(s):
        for c in range(run.z.shape[0]):
            run.old_x[i, c] = run.x[i, c]
    run.old_step[0], run.predictable[0] = h, 1
    run.steps[0] += 1
    run.now[0] = run.request.time[0]
    run.pending[0] = 0
    return OK
