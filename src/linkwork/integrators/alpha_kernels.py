"""Generalized-alpha on index-3 problems with steps that find their own size, a whole run in compiled code.

Every step starts from rates that meet the velocity equation and from the accelerations of the index-1 equations there,
as those of Radau methods do (`radau_samples`), so that another step size leaves no transient in the reactions. What the
method carries along belongs to t + lag h: it is moved along its slope when h changes. With true accelerations a

    increment = exact + h^3 c_pose da/dt,    rates = exact + h^3 c_rate d^2a/dt^2,

are known from differences of accelerations: that is the error of a step, after the step's own matrix has taken out of
it what is stiff and what lies across the constraints. Within a step samples follow cubic polynomials through both ends.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from linkwork.integrators.alpha_index_2 import to_rows
from linkwork.integrators.radau_kernels import (
    CONTEXT,
    ENTRIES,
    LEAST_ERROR,
    RUN,
    SAFETY,
    SAMPLES,
    SYSTEMS,
    advancing,
    begin_step,
    limited,
    stepping,
    times_matrix,
)
from linkwork.integrators.radau_matrix import evaluate, factor_start, factored, go_to, solve_real
from linkwork.integrators.radau_newton import (
    FAILED,
    FLOOR,
    GOES_ON,
    LEAST,
    MEMORY,
    contraction,
    remember,
    speed,
)
from linkwork.integrators.radau_state import (
    NEWTON_DIVERGED,
    NOT_FINITE,
    OK,
    Entries,
    Run,
    Systems,
)
from linkwork.integrators.scheme import LAG as LAG_STEPS
from linkwork.integrators.scheme import NEXT_A, NEXT_X, NEXT_Y, RATE_A, RATE_X, RATE_Y, STEP_A, STEP_X, STEP_Y
from linkwork.kernels.jit import kernel, separate_kernel
from linkwork.kernels.records import Shape
from linkwork.kernels.tables import Floats, Ints
from linkwork.problems.dependent import take_out_rows
from linkwork.problems.entry import direct_entry
from linkwork.problems.layout import Argument, slots
from linkwork.problems.step_state import flush

START, MIDDLE, END = range(3)  # nodes of a step
ORDER = 2
LONGER = 4.0


class Alpha(NamedTuple):
    """What the method brings besides the run."""

    scheme: Annotated[Floats, Shape(10), "the method's numbers (integrators/scheme.py)"]
    pose_error: Annotated[Floats, Shape(1), "constant of the error of increments"]
    rate_error: Annotated[Floats, Shape(1), "and of that of rates"]
    basis: Annotated[Floats, Shape(3, 3), "Lagrange's polynomials through start, middle and end, ascending powers"]
    used: Annotated[Floats, Shape("npos"), "what the last step carried along, at its start + lag times its size"]
    carried: Annotated[Floats, Shape("npos"), "the same for the present step, as if it had that size"]
    carried_rate: Annotated[Floats, Shape("npos"), "its change with time"]


@separate_kernel
def carry_on(run: Run, method: Alpha) -> None:
    """carried and its rate of change at the start of a step."""
    s, known = method.scheme, run.predictable[0] == 1 and run.old_step[0] > 0.0
    for c in range(run.rate.shape[0]):
        now, before = run.x_start[c], run.old_x[START, c]
        if known:
            method.carried[c] = flush(s[NEXT_A] * method.used[c] + s[NEXT_X] * before + s[NEXT_Y] * now)
            method.carried_rate[c] = (now - before) / run.old_step[0]
        else:
            method.carried[c], method.carried_rate[c] = now, 0.0


@separate_kernel
def set_known_parts(run: Run, method: Alpha, h: float) -> None:
    """What increments and rates are made of besides the unknowns, and these: they go on in a straight line."""
    s, known = method.scheme, run.predictable[0] == 1 and run.old_step[0] > 0.0
    change = h - run.old_step[0] if known else h
    run.request.c_v[0], run.request.c_q[0] = s[RATE_Y] * h, s[STEP_Y] * h * h
    for c in range(run.rate.shape[0]):
        v, x = run.v_start[c], run.x_start[c]
        a = method.used[c] = method.carried[c] + s[LAG_STEPS] * change * method.carried_rate[c]
        run.rate_star[c] = v + h * (s[RATE_A] * a + s[RATE_X] * x)
        run.step_star[c] = h * (v + h * (s[STEP_A] * a + s[STEP_X] * x))
    ahead = h / run.old_step[0] if known else 0.0
    for c in range(run.z.shape[0]):
        x = run.x_start[c]
        run.x[END, c] = x + ahead * (x - run.old_x[START, c])


@separate_kernel
def factor_step(run: Run, systems: Systems, method: Alpha, h: float) -> int:
    """The factors of Newton's matrix for a step of this size."""
    values, c_v, c_q = systems.matrix.values, method.scheme[RATE_Y] * h, method.scheme[STEP_Y] * h * h
    run.factorizations[0] += 1
    run.factored_step[0] = 0.0
    for e in range(values.shape[0]):
        values[e] = systems.instant[e] + c_v * systems.damping[e] + c_q * systems.stiffness[e]
    if run.droppable[0] == 1:
        take_out_rows(systems.matrix, systems.dependent)
    status = int(factored(systems.pattern, values, systems.real))
    if status == OK and run.stabilised[0] == 1:
        status = factor_start(run, systems)
    if status == OK:
        run.factored_step[0] = h
    return status


@separate_kernel
def newton_solve(entries: Entries, context: Ints, run: Run, systems: Systems, h: float) -> int:
    """Solve for the unknowns of a step, x[END], from the predicted ones. As that of Radau methods, for one stage.

    On stabilised equations increments take a part across the constraints besides, in step_star.
    """
    rtol, atol, x, change, npos = run.rtol[0], run.atol[0], run.x, run.r, run.rate.shape[0]
    in_pose, in_rate = atol + rtol, atol + rtol * speed(run)
    measure = run.request.c_q[0] / in_pose + run.request.c_v[0] / in_rate
    rounding = FLOOR * (1.0 / in_pose + 1.0 / (h * in_rate))
    left, before, status = run.left[0] ** MEMORY, np.inf, NEWTON_DIVERGED
    slowest, iteration = LEAST, 0
    go_to(entries, context, run, run.now[0] + h)
    while iteration < run.cap[0]:
        for c in range(run.z.shape[0]):
            run.z[c] = x[END, c]
        evaluate(entries, context, run)
        for c in range(run.z.shape[0]):
            change[END, c] = run.residual[c]
        across = to_rows(entries, context, run, systems, change[END]) / in_pose if run.stabilised[0] == 1 else 0.0
        solve_real(run, systems, change[END], systems.real)
        iteration += 1
        total = 0.0
        for c in range(npos):
            y = run.weight[c] * change[END, c]
            total += y * y
        norm = across + measure * np.sqrt(total / max(npos, 1))
        if not np.isfinite(norm):
            status = NOT_FINITE
            break
        for c in range(run.z.shape[0]):
            x[END, c] = flush(x[END, c] - change[END, c])
        verdict, ratio, left = contraction(norm, before, left, iteration, rounding)
        slowest, before = max(slowest, ratio), norm
        if verdict != GOES_ON or left * norm <= run.newton[0] or norm <= rounding:
            status = NEWTON_DIVERGED if verdict == FAILED else OK
            break
    remember(run, status, iteration, left, slowest)
    return status


@separate_kernel
def set_nodes(entries: Entries, context: Ints, run: Run, h: float) -> None:
    """Unknowns and rates at start, middle and end of the step, such that their polynomials end where the step does."""
    npos = run.rate.shape[0]
    for c in range(run.z.shape[0]):
        run.z[c] = run.x[END, c]
        run.x[START, c] = run.x_start[c]
        run.x[MIDDLE, c] = 0.5 * (run.x_start[c] + run.x[END, c])
    for c in range(npos):
        x = run.x[END, c]
        v, d = run.rate_star[c] + run.request.c_v[0] * x, run.step_star[c] + run.request.c_q[0] * x
        run.v[START, c], run.v[END, c] = run.v_start[c], v
        run.increment[END, c] = d
        run.rate[c] = v
        run.x[MIDDLE, c] = 0.25 * (6.0 * (v - run.v_start[c]) / h - run.x_start[c] - x)
    entries.increment_rate(context)
    for c in range(npos):
        run.k[START, c], run.k[END, c] = run.v_start[c], run.rate[c]
        run.k[MIDDLE, c] = 0.25 * (6.0 * run.increment[END, c] / h - run.v_start[c] - run.rate[c])


@separate_kernel
def filtered(run: Run, systems: Systems, e: Floats) -> None:
    """e (npos,) without what is stiff and what lies across the constraints: P^-1 M e, P the matrix of the step."""
    npos, smooth = run.rate.shape[0], run.aside
    for c in range(smooth.shape[0]):
        smooth[c] = 0.0
    times_matrix(systems.pattern, systems.instant, 1.0, e, smooth, npos)
    solve_real(run, systems, smooth, systems.real)
    for c in range(npos):
        e[c] = smooth[c]


@separate_kernel
def step_error(run: Run, systems: Systems, method: Alpha, h: float) -> float:
    """The norm of the step's error, 1 where it is just acceptable."""
    npos, known = run.rate.shape[0], run.predictable[0] == 1 and run.old_step[0] > 0.0
    of_pose, of_rate = run.error[:npos], run.error[npos:]
    for c in range(npos):
        change = run.x[END, c] - run.x_start[c]
        bend = change
        if known:
            ahead = h / run.old_step[0]
            bend = 2.0 * (change - ahead * (run.x_start[c] - run.old_x[START, c])) / (1.0 + 1.0 / ahead)
        of_pose[c], of_rate[c] = h * h * method.pose_error[0] * change, h * method.rate_error[0] * bend
    filtered(run, systems, of_pose)
    filtered(run, systems, of_rate)
    rtol, atol, total = run.rtol[0], run.atol[0], 0.0
    in_pose, in_rate = atol + rtol, atol + rtol * speed(run)
    for c in range(npos):
        x, y = run.weight[c] * of_pose[c] / in_pose, run.weight[c] * of_rate[c] / in_rate
        total += x * x + y * y
    return float(np.sqrt(total / max(2 * npos, 1)))


@kernel
def wanted_step(run: Run, h: float, error: float, rejected: bool) -> Any:
    """The size of the next step after one with this error, or of its repetition."""
    power = 1.0 / (ORDER + 1.0)
    factor = SAFETY * max(error, 1e-10) ** -power
    if error <= 1.0 and run.old_step[0] > 0.0:
        before = run.old_error[0] / max(error, LEAST_ERROR)
        factor = min(factor, factor * h / run.old_step[0] * before**power)
    return h * limited(run, factor, LONGER, rejected)


@separate_kernel
def solve(entries: Entries, context: Ints, run: Run, systems: Systems, method: Alpha, h: float) -> int:
    """Unknowns and nodes of a step of this size."""
    known = run.predictable[0] == 1 and run.old_step[0] > 0.0
    status = OK
    for trial in range(1 if known else 2):  # a first step finds the slope of accelerations by itself
        if trial == 1:
            for c in range(run.rate.shape[0]):
                method.carried_rate[c] = (run.x[END, c] - run.x_start[c]) / h
        set_known_parts(run, method, h)
        status = newton_solve(entries, context, run, systems, h)
        if status != OK:
            return int(status)
    set_nodes(entries, context, run, h)
    return OK


@separate_kernel
def begin(entries: Entries, context: Ints, run: Run, method: Alpha) -> int:
    """`begin_step`, and what the method carries along there."""
    status = begin_step(entries, context, run)
    if status == OK:
        carry_on(run, method)
    return int(status)


take_step = stepping(begin, factor_step, solve, step_error, wanted_step)
advance_to = advancing(take_step)
(METHOD,) = slots(Alpha, after=SYSTEMS)
ADVANCE_TO = direct_entry(
    advance_to, ENTRIES, CONTEXT, RUN, SYSTEMS, METHOD, Argument(1, "floats"), Argument(2, "count"), SAMPLES, returns=2
)
