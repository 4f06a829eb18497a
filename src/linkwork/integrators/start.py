"""How a run begins: accelerations and multipliers that fit, and rates that fit the method's own steps."""

from __future__ import annotations

import numpy as np

from linkwork.integrators.implicit_table import CONTEXT, ENTRIES, RUN
from linkwork.integrators.newton import NOT_FINITE, OK, Entries, Run, correction_norm, evaluate, renew_matrix
from linkwork.integrators.scheme import LAG as LAG_STEPS
from linkwork.integrators.scheme import RATE_A, RATE_X, RATE_Y, STEP_A, STEP_X, STEP_Y
from linkwork.kernels.jit import kernel, separate_kernel
from linkwork.kernels.tables import Floats, Ints
from linkwork.problems.entry import direct_entry
from linkwork.problems.request import ACCELERATION_LEVEL, POSITION_LEVEL
from linkwork.problems.step_state import flush, step_back

AHEAD = 0.25  # of a step: over which accelerations are differenced
AT_REST = 1e-9  # of the mechanism's length in a step
REFINEMENTS = 3  # the equations are linear in z: the second and third pass only remove rounding


@kernel
def set_coefficients(run: Run) -> None:
    """What a unit of the unknowns counts over a step; and what the formulation has to know of the run besides."""
    request, s, h = run.request, run.scheme, run.step[0]
    request.c_v[0], request.c_q[0] = s[RATE_Y] * h, s[STEP_Y] * h * h
    request.lag[0], request.behind[0], request.has_forces[0] = s[LAG_STEPS] * h, -h, run.forced[0]
    request.c_step[0] = (s[STEP_A] + s[STEP_X] + s[STEP_Y]) * h * h
    request.c_change[0] = (s[STEP_A] * s[LAG_STEPS] + s[STEP_Y]) * h * h


@kernel
def set_known_parts(run: Run, h: float) -> None:
    """What increments and rates are made of before the unknowns are known (`integrators.scheme`).

    The rates are kept, to come back to if the step fails.
    """
    s = run.scheme
    for k in range(run.rate.shape[0]):
        v, a, x = flush(run.rate[k]), run.carried[k], run.z[k]
        run.rate_before[k] = v
        run.rate_star[k] = v + h * (s[RATE_A] * a + s[RATE_X] * x)
        run.step_star[k] = h * (v + h * (s[STEP_A] * a + s[STEP_X] * x))


@separate_kernel
def solve_here(entries: Entries, context: Ints, run: Run, detect: bool) -> int:
    """Solve M udot + G^T lambda = forces with G udot = gamma at the pose and velocity that the stars make.

    detect : decide which rows depend on others here; else what was found before holds.
    """
    request, z = run.request, run.z
    request.c_v[0], request.c_q[0], request.level[0] = 0.0, 0.0, ACCELERATION_LEVEL
    for c in range(z.shape[0]):
        z[c] = 0.0
    status = OK
    for k in range(REFINEMENTS + 1):
        evaluate(entries, context, run)
        if k == REFINEMENTS or status != OK:
            break
        if k == 0:
            if detect and run.droppable[0] == 1:
                status = NOT_FINITE if entries.detect_redundant_rows(context) < 0 else OK
            if status == OK:
                status = renew_matrix(entries, context, run)
        if status == OK:
            entries.solve(context)
            for c in range(z.shape[0]):
                z[c] -= run.delta[c]
            if k == REFINEMENTS - 1 and run.droppable[0] == 1:
                entries.minimum_norm_multipliers(context)
    request.level[0] = POSITION_LEVEL
    run.factorizations[0] = 0  # the index-1 matrix must not serve the first step
    run.known[0], run.eager[0] = 1, 0
    return status


@kernel
def move_to(run: Run, s: float, z: Floats) -> None:
    """Stars of the state a time s ahead, by Taylor series in the algebra, from the rates kept and accelerations z."""
    for k in range(run.rate.shape[0]):
        v, x = run.rate_before[k], z[k]
        run.rate_star[k] = v + s * x
        run.step_star[k] = s * (v + 0.5 * s * x)


@kernel
def solve_accelerations(entries: Entries, context: Ints, run: Run) -> int:
    """Accelerations and multipliers at the present pose and velocity; what the method carries along is the same."""
    set_coefficients(run)
    run.request.time[0] = run.start_time[0]
    entries.begin(context)
    for k in range(run.rate.shape[0]):
        run.rate_before[k] = run.rate[k]
    move_to(run, 0.0, run.z)
    status = solve_here(entries, context, run, True)
    for k in range(run.carried.shape[0]):
        run.carried[k] = run.z[k]
    return status


@kernel
def resolved(run: Run, h: float) -> bool:
    """Whether no body's acceleration changes by more over a step than would turn its motion round.

    z holds the accelerations after the share AHEAD of a step, z_old those at the start. Bodies at rest pass.
    """
    stride = run.rate.shape[0] // (run.motion.shape[0] - 1)
    rest = (AT_REST * run.rank[0] / h) ** 2
    for first in range(0, run.rate.shape[0], stride):
        moving, turning = 0.0, 0.0
        for k in range(first, first + stride):
            w2 = run.weight[k] * run.weight[k]
            change = (run.z[k] - run.z_old[k]) / AHEAD
            moving += w2 * (run.rate_before[k] ** 2 + (h * run.z_old[k]) ** 2)
            turning += w2 * (h * change) ** 2
        if not turning <= max(moving, rest):  # as also where it is not finite
            return False
    return True


@kernel
def solve_violation(entries: Entries, context: Ints, run: Run, h: float) -> None:
    """run.delta: the rates, least in the kinetic metric, that make up over a step for what its constraints are off."""
    residual, first = run.residual, run.first_multiplier[0]
    for c in range(residual.shape[0]):
        residual[c] = residual[c] * run.request.c_q[0] / h if c >= first else 0.0
    entries.solve(context)


@kernel
def shift_known_parts(run: Run, h: float, sign: float) -> None:
    """Add the rates in `aside`, or take them away again."""
    for k in range(run.rate.shape[0]):
        run.rate_star[k] += sign * run.aside[k]
        run.step_star[k] += sign * h * run.aside[k]


@separate_kernel
def rebase_rates(entries: Entries, context: Ints, run: Run, h: float) -> None:
    """Rates that go with new coordinates of some bodies, before the first step in them.

    The error of an increment depends on the coordinates, and so do the numerical rates across the constraints, which
    make up for it (see `perturb`). rate_star holds rates that end the step where it would have ended in the old
    coordinates. A predicted step with either shows how their constraints differ; what is needed to make up for that,
    and no more, is taken over. (Violations themselves would feed errors of the prediction back into rates.)
    """
    z, aside = run.z, run.aside
    for k in range(run.rate.shape[0]):
        aside[k] = run.rate_star[k] - run.rate[k]
    set_known_parts(run, h)
    for c in range(z.shape[0]):
        run.start[c] = z[c]
        z[c] += z[c] - run.z_old[c]
    shift_known_parts(run, h, 1.0)
    evaluate(entries, context, run)
    found = renew_matrix(entries, context, run) == OK
    shift_known_parts(run, h, -1.0)
    for c in range(z.shape[0]):
        aside[c] = run.residual[c]
    if found:
        evaluate(entries, context, run)
        for c in range(z.shape[0]):
            run.residual[c] -= aside[c]
        solve_violation(entries, context, run, h)
        found = np.isfinite(correction_norm(run))
    step_back(run)
    for c in range(z.shape[0]):
        z[c] = run.start[c]
    if found:
        for k in range(run.rate.shape[0]):
            run.rate[k] -= run.delta[k]


@separate_kernel
def perturb(entries: Entries, context: Ints, run: Run) -> int:
    """Carried accelerations at t + lag h, and rates with which the first step is like all others.

    After Arnold, Brüls and Cardona (2015). Where positions are held exactly, the numerical rates across the
    constraints settle at a small distance from the true ones: such that an increment, whose local error is not zero,
    ends on the constraints. A start at the true rates instead is felt in the multipliers, divided by h. The distance
    is found here by a step predicted with differenced accelerations: its violation, divided by h, taken out of the
    rates in the kinetic metric. Motion stays at the true start.

    Returns OK, or another status where that fails or steps do not resolve the motion: the start is then consistent.
    """
    request, z, z_old, scheme = run.request, run.z, run.z_old, run.scheme
    t, h = run.start_time[0], run.step[0]
    for c in range(z.shape[0]):
        z_old[c] = z[c]
    request.time[0] = t + AHEAD * h
    entries.begin(context)  # before the pose moves: increments are counted from the start
    move_to(run, AHEAD * h, z_old)
    status = solve_here(entries, context, run, False)  # rows that depend on others do so only at poses that meet all
    if status == OK and not resolved(run, h):
        status = NOT_FINITE
    for k in range(run.rate.shape[0]):
        change = (z[k] - z_old[k]) / AHEAD  # in a step
        run.carried[k] = z_old[k] + scheme[LAG_STEPS] * change
        run.start[k] = z_old[k] + change  # accelerations to expect after a step
    if status == OK:  # the index-1 matrix of the start
        move_to(run, 0.0, z_old)
        request.time[0] = t
        for c in range(z.shape[0]):
            z[c] = z_old[c]
        entries.set_state(context)
        entries.begin(context)
        status = solve_here(entries, context, run, False)
    if status == OK:
        request.time[0] = t + h
        entries.begin(context)
        set_known_parts(run, h)
        set_coefficients(run)
        for k in range(run.rate.shape[0]):
            z[k] = run.start[k]
        evaluate(entries, context, run)
        solve_violation(entries, context, run, h)
        if not correction_norm(run) < np.inf:
            status = NOT_FINITE
    request.c_v[0], request.c_q[0], request.time[0] = 0.0, 0.0, t
    move_to(run, 0.0, z_old)
    for c in range(z.shape[0]):
        z[c] = z_old[c]
    entries.set_state(context)
    for k in range(run.rate.shape[0]):
        if status == OK:
            run.rate[k] -= run.delta[k]
        else:
            run.carried[k] = z_old[k]
    return status


@kernel
def answer_jump(entries: Entries, context: Ints, run: Run) -> int:
    """Accelerations and multipliers at the present state, whose forces have jumped; what is carried along jumps as far.

    Otherwise a step would take the jump for a slope over the step: velocities would be h/2 times the jump behind,
    whatever rho_infinity, and stay so.
    """
    z, h = run.z, run.step[0]
    set_coefficients(run)
    run.request.time[0] = run.start_time[0] + run.steps[0] * h
    rebased = entries.begin(context)
    if rebased > 0:
        run.rebased[0] += rebased
    for c in range(z.shape[0]):
        run.start[c] = z[c]
    for k in range(run.rate.shape[0]):
        run.rate_before[k] = run.rate[k]
    move_to(run, 0.0, z)
    status = solve_here(entries, context, run, False)
    for c in range(z.shape[0]):
        if status != OK:
            z[c] = run.start[c]
        elif c < run.rate.shape[0]:
            run.carried[c] += z[c] - run.start[c]
    return status


SOLVE_ACCELERATIONS = direct_entry(solve_accelerations, ENTRIES, CONTEXT, RUN)
PERTURB = direct_entry(perturb, ENTRIES, CONTEXT, RUN)
ANSWER_JUMP = direct_entry(answer_jump, ENTRIES, CONTEXT, RUN)
