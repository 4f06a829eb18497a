"""The stages of a Radau step on index-3 equations, by simplified Newton iterations [Hairer, Wanner 1996, IV.8].

    v_i = v_0 + h sum A_ij x_j,    increment_i = h sum A_ij k_j,    k_j the increment's rate at v_j

with the equations of motion and the constraints met by x_i, v_i and the pose at every stage. In coordinates k = v; on a
group k = dexp^-1 v (Munthe-Kaas). Matrices are those of the start of a step, this one or an earlier one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.integrators.collocation import Collocation
from linkwork.integrators.radau_index_2 import rows_at_velocity_level, to_rows
from linkwork.integrators.radau_matrix import evaluate, go_to, solve_pair, solve_real
from linkwork.integrators.radau_state import NEWTON_DIVERGED, NOT_FINITE, OK, Entries, Run, Systems
from linkwork.kernels.dependence import ND
from linkwork.kernels.jit import kernel, separate_kernel
from linkwork.kernels.tables import Floats, Ints
from linkwork.problems.step_state import flush

LEAST = 1e-12  # a contraction that is too good to be true
BELIEVED = 1e-3  # the least that the next step hears of: by it a first correction is judged before a second one is seen
MEMORY = 0.8  # exponent by which a contraction is believed less in the next step [Hairer, Wanner 1996, IV.8]
DIVERGING, FIRST_RATIO = 0.99, 2.0  # contractions that end the iteration; the first is often a bad one
FLOOR = 200 * float(np.finfo(float).eps)  # of the mechanism's length: corrections of poses below it are rounding
STAGNANT = 100.0  # times that, corrections that shrink no more are rounding, too
GOES_ON, CONVERGED, FAILED = 0, 1, 2  # what a correction says of the iteration


@separate_kernel
def predict(run: Run, systems: Systems, method: Collocation, h: float) -> None:
    """First guesses: the polynomial of the step before goes on, or all is as at the start.

    Multipliers of rows that are taken out, which no iteration changes, are zero at all stages: continued from step to
    step they would grow as extrapolated polynomials do.
    """
    s = run.stages[0]
    known = run.predictable[0] == 1 and run.old_step[0] > 0.0
    for i in range(s):
        theta = 1.0 + method.c[i] * h / run.old_step[0] if known else 0.0
        for c in range(run.z.shape[0]):
            run.x[i, c] = 0.0 if known else run.x_start[c]
        if known:
            for j in range(s):
                weight = polynomial(method.basis, j, theta)
                for c in range(run.z.shape[0]):
                    run.x[i, c] += weight * run.old_x[j, c]
        for c in range(run.rate.shape[0]):
            run.increment[i, c] = method.c[i] * h * (run.v_start[c] + 0.5 * method.c[i] * h * run.x_start[c])
            run.across[i, c] = 0.0
        if run.droppable[0] == 1:
            found = systems.dependent.found
            for d in range(found.sizes[ND]):
                run.x[i, run.first_multiplier[0] + found.dropped[d]] = 0.0


@kernel
def polynomial(basis: Floats, j: int, theta: float) -> Any:
    """Lagrange's polynomial number j at theta."""
    value = 0.0
    for d in range(basis.shape[1] - 1, -1, -1):
        value = value * theta + basis[j, d]
    return value


@kernel
def integral(basis: Floats, j: int, theta: float) -> Any:
    """Its integral from 0 to theta."""
    value = 0.0
    for d in range(basis.shape[1] - 1, -1, -1):
        value = (value + basis[j, d] / (d + 1)) * theta
    return value


@kernel
def rates_of_stages(run: Run, method: Collocation, h: float) -> None:
    """v at all stages, from x."""
    s, npos = run.stages[0], run.rate.shape[0]
    for i in range(s):
        for c in range(npos):
            run.v[i, c] = run.v_start[c]
        for j in range(s):
            weight = h * method.A[i, j]
            for c in range(npos):
                run.v[i, c] += weight * run.x[j, c]


@kernel
def put_stage(run: Run, x: Floats, increment: Floats, v: Floats, h: float) -> None:
    """Unknowns, increment and rates of a stage, as the problem's entries read them."""
    c_v, c_q = h, h * h
    run.request.c_v[0], run.request.c_q[0] = c_v, c_q
    for c in range(run.z.shape[0]):
        run.z[c] = x[c]
    for c in range(run.rate.shape[0]):
        run.step_star[c] = increment[c] - c_q * x[c]
        run.rate_star[c] = v[c] - c_v * x[c]
        run.rate[c] = v[c]


@separate_kernel
def increments_of_stages(entries: Entries, context: Ints, run: Run, method: Collocation, h: float) -> None:
    """Rates of the increments at all stages, from v and the increments last known; then the increments. On groups,
    where the rates depend on them, in a few passes: an error that is left would be felt over h^2."""
    for _ in range(run.passes[0]):
        one_pass(entries, context, run, method, h)


@kernel
def one_pass(entries: Entries, context: Ints, run: Run, method: Collocation, h: float) -> None:
    """Rates from increments, and these from them."""
    s, npos = run.stages[0], run.rate.shape[0]
    for i in range(s):
        put_stage(run, run.x[i], run.increment[i], run.v[i], h)
        entries.increment_rate(context)
        for c in range(npos):
            run.k[i, c] = run.rate[c] + run.across[i, c]
    for i in range(s):
        for c in range(npos):
            run.increment[i, c] = 0.0
        for j in range(s):
            weight = h * method.A[i, j]
            for c in range(npos):
                run.increment[i, c] += weight * run.k[j, c]


@separate_kernel
def residuals(entries: Entries, context: Ints, run: Run, method: Collocation, t: float, h: float) -> None:
    """The residuals of all stages."""
    for i in range(run.stages[0]):
        go_to(entries, context, run, t + method.c[i] * h)
        put_stage(run, run.x[i], run.increment[i], run.v[i], h)
        evaluate(entries, context, run)
        for c in range(run.z.shape[0]):
            run.r[i, c] = run.residual[c]
        if run.stabilised[0] == 1:
            rows_at_velocity_level(entries, context, run, i, h)


@separate_kernel
def corrections(run: Run, systems: Systems, method: Collocation) -> None:
    """The residuals of the stages become corrections: to eigenvectors, solved one by one, and back."""
    s, n = run.stages[0], run.z.shape[0]
    for c in range(n):
        into = method.into[min(run.power[c], 1) if run.stabilised[0] == 1 else run.power[c]]
        for i in range(s):
            total = 0.0
            for j in range(s):
                total += into[i, j] * run.r[j, c]
            run.gather[i] = total
        for i in range(s):
            run.r[i, c] = run.gather[i]
    solve_real(run, systems, run.r[0], systems.real)
    if s > 1:
        solve_pair(run, systems, run.r[1], run.r[2], systems.pair_1)
    if s > 3:
        solve_pair(run, systems, run.r[3], run.r[4], systems.pair_2)
    if s > 5:
        solve_pair(run, systems, run.r[5], run.r[6], systems.pair_3)
    for c in range(n):
        for i in range(s):
            total = 0.0
            for j in range(s):
                total += method.back[i, j] * run.r[j, c]
            run.gather[i] = total
        for i in range(s):
            run.r[i, c] = run.gather[i]


@kernel
def correction_norm(run: Run) -> Any:
    """Root mean square of the weighted corrections of all stages [1/s^2], of multipliers not: they follow."""
    total, npos = 0.0, run.rate.shape[0]
    for c in range(npos):
        for i in range(run.stages[0]):
            y = run.weight[c] * run.r[i, c]
            total += y * y
    return np.sqrt(total / max(npos * run.stages[0], 1))


@kernel
def speed(run: Run) -> Any:
    """The slowest rate, at the start of the step or, going on evenly, at its end, as a share of the length [1/s]."""
    found = 0.0
    for c in range(run.rate.shape[0]):
        v = run.v_start[c]
        found = max(found, run.weight[c] * max(abs(v), abs(v + run.step[0] * run.x_start[c])))
    return found


@separate_kernel
def newton_solve(
    entries: Entries, context: Ints, run: Run, systems: Systems, method: Collocation, t: float, h: float
) -> int:
    """Solve for the stages of a step from the predicted ones."""
    rtol, atol = run.rtol[0], run.atol[0]
    in_pose, in_rate = atol + rtol, atol + rtol * speed(run)
    measure = h * h / in_pose + h / in_rate
    rounding = FLOOR * (1.0 / in_pose + 1.0 / (h * in_rate))
    left, before, status = run.left[0] ** MEMORY, np.inf, NEWTON_DIVERGED
    slowest, iteration = LEAST, 0
    while iteration < run.cap[0]:
        rates_of_stages(run, method, h)
        increments_of_stages(entries, context, run, method, h)
        residuals(entries, context, run, method, t, h)
        across = to_rows(run, systems, method, h) / in_pose if run.stabilised[0] == 1 else 0.0
        corrections(run, systems, method)
        iteration += 1
        norm = across + measure * correction_norm(run)
        if not np.isfinite(norm):
            status = NOT_FINITE
            break
        for i in range(run.stages[0]):
            for c in range(run.z.shape[0]):
                run.x[i, c] = flush(run.x[i, c] - run.r[i, c])
        verdict, ratio, left = contraction(norm, before, left, iteration, rounding)
        slowest, before = max(slowest, ratio), norm
        shrinks = verdict == GOES_ON and iteration > 1 and ratio < DIVERGING and run.fixed_step[0] == 0.0
        if shrinks and ratio ** (run.cap[0] - iteration) * norm * left > max(run.newton[0], rounding):
            break  # a shorter step is sooner done
        if verdict != GOES_ON or left * norm <= run.newton[0] or norm <= rounding:
            status = NEWTON_DIVERGED if verdict == FAILED else OK
            break
    remember(run, status, iteration, left, slowest)
    if status == OK:
        rates_of_stages(run, method, h)
        increments_of_stages(entries, context, run, method, h)
    return status


@kernel
def contraction(norm: float, before: float, left: float, iteration: int, rounding: float) -> Any:
    """What a correction of this norm says after one of norm `before`, as (verdict, ratio, left).

    ratio : by which corrections shrink, 0 for the first. left : the error that is left, as a share of the correction;
    infinite where corrections grow, which the first may be forgiven. rounding : a norm that is rounding.
    """
    if iteration == 1:
        return GOES_ON, 0.0, left
    ratio = max(norm / max(before, 1e-300), LEAST)
    if norm <= rounding or (ratio > 0.1 and norm <= STAGNANT * rounding):
        return CONVERGED, ratio, left
    if ratio >= (FIRST_RATIO if iteration == 2 else DIVERGING):
        return FAILED, ratio, left
    return GOES_ON, ratio, ratio / (1.0 - ratio) if ratio < DIVERGING else np.inf


@separate_kernel
def remember(run: Run, status: int, iterations: int, left: float, slowest: float) -> None:
    """What the next step hears of this iteration: its contraction, or nothing where it failed. Writes the counters."""
    run.iterations[0] += iterations
    run.last_iterations[0] = iterations
    if status == OK:
        run.left[0], run.contraction[0] = max(left, BELIEVED), slowest
    else:
        run.left[0] = 1.0
        worst_row(run)


@separate_kernel
def worst_row(run: Run) -> None:
    """The row with the largest correction, to be named when a step fails."""
    first, largest = run.first_multiplier[0], -1.0
    for k in range(run.rows[0]):
        x = abs(run.residual[first + k])
        if not x <= largest:
            run.worst_row[0], largest = k, x
