"""The matrices of a Radau step, formed once and factored for any step size.

The matrix of Newton's method for one eigenvector is that of the problem with c_v = c, c_q = c^2, where c is the step
times an eigenvalue, real or complex. As a polynomial of the second degree in c it is known from real values alone.
"""

from __future__ import annotations

from linkwork.integrators.collocation import Collocation
from linkwork.integrators.radau_state import OK, Entries, Run, Systems
from linkwork.kernels.dependence import ND
from linkwork.kernels.jit import kernel, separate_kernel
from linkwork.kernels.sparse.pattern import Factors, Pattern
from linkwork.kernels.sparse_lu import factor, refactor, solve
from linkwork.kernels.tables import Floats, Ints
from linkwork.problems.dependent import Dependent, in_least_squares, take_out_rows
from linkwork.problems.linear import PIVOT_THRESHOLD
from linkwork.problems.request import ACCELERATION_LEVEL, POSITION_LEVEL


@kernel
def evaluate(entries: Entries, context: Ints, run: Run) -> None:
    """The residual, with the applied forces summed first where there are any."""
    run.evaluations[0] += 1
    if run.forced[0] == 1:
        entries.set_state(context)
        entries.apply(context)
    entries.evaluate(context)


@separate_kernel
def go_to(entries: Entries, context: Ints, run: Run, t: float) -> int:
    """Formulas at time t, increments counted from the start of the step. Returns how many bodies were re-based."""
    m, before, z, x = run.motion, run.before, run.z, run.x_start
    for b in range(m.shape[0]):
        for c in range(m.shape[1]):
            m[b, c] = before[b, c]
    for c in range(z.shape[0]):
        z[c] = x[c]
    for c in range(run.rate.shape[0]):
        run.rate[c] = run.v_start[c]
    run.request.time[0] = t
    return int(entries.begin(context))


@kernel
def stand_still(run: Run, c_v: float, c_q: float) -> None:
    """Increments of zero and the present rates, whatever z is."""
    run.request.c_v[0], run.request.c_q[0] = c_v, c_q
    for k in range(run.rate.shape[0]):
        run.step_star[k] = -c_q * run.z[k]
        run.rate_star[k] = run.rate[k] - c_v * run.z[k]


@separate_kernel
def form_at(entries: Entries, context: Ints, run: Run, systems: Systems, c: float, values: Floats) -> None:
    """P(c) at the start of the step, for real c; 0 stands for the matrix of accelerations."""
    for k in range(run.rate.shape[0]):
        run.rate[k] = run.v_start[k]
    run.request.level[0] = POSITION_LEVEL if c != 0.0 else ACCELERATION_LEVEL
    stand_still(run, c, c * c)
    evaluate(entries, context, run)
    if c != 0.0:
        if run.forced[0] == 1:
            entries.vary_forces(context)
        if run.varies[0] == 1:
            entries.vary_reactions(context)
    entries.assemble(context)
    for e in range(values.shape[0]):
        values[e] = systems.matrix.values[e]
    run.request.level[0] = POSITION_LEVEL


@separate_kernel
def form(entries: Entries, context: Ints, run: Run, systems: Systems, t: float, h: float) -> None:
    """The three parts of P at the start of the step, from P(0), P(h) and P(-h)."""
    instant, damping, stiffness = systems.instant, systems.damping, systems.stiffness
    go_to(entries, context, run, t)
    form_at(entries, context, run, systems, 0.0, instant)
    form_at(entries, context, run, systems, h, damping)
    form_at(entries, context, run, systems, -h, stiffness)
    for e in range(instant.shape[0]):
        ahead, back = damping[e], stiffness[e]
        damping[e] = (ahead - back) / (2.0 * h)
        stiffness[e] = (0.5 * (ahead + back) - instant[e]) / (h * h)
    run.formed[0] = run.steps[0]
    run.factored_step[0] = 0.0


@kernel
def factored(pattern: Pattern, values: Floats, factors: Factors) -> int:
    """The factors of these values, with fresh pivots where the old ones fail."""
    if refactor(pattern, values, factors) == OK:
        return OK
    return int(factor(pattern, values, factors, PIVOT_THRESHOLD))


@separate_kernel
def factor_real(run: Run, systems: Systems, c: float) -> int:
    """The factors of P(c) for the real eigenvalue."""
    values = systems.matrix.values
    for e in range(values.shape[0]):
        values[e] = systems.instant[e] + c * (systems.damping[e] + c * systems.stiffness[e])
    if run.droppable[0] == 1:
        take_out_rows(systems.matrix, systems.dependent)
    return int(factored(systems.pattern, values, systems.real))


@separate_kernel
def factor_start(run: Run, systems: Systems) -> int:
    """The factors of P(0), in `systems.start`: with them increments take the least change to given rows."""
    values = systems.matrix.values
    for e in range(values.shape[0]):
        values[e] = systems.instant[e]
    if run.droppable[0] == 1:
        take_out_rows(systems.matrix, systems.dependent)
    return int(factored(systems.pattern, values, systems.start))


@separate_kernel
def factor_pair(run: Run, systems: Systems, x: float, y: float, factors: Factors) -> int:
    """The factors of P(x + i y), as a real matrix of twice the size."""
    values, matrix, dependent = systems.matrix.values, systems.matrix, systems.dependent
    pair, where = systems.pair_values, systems.pair_position
    for part in range(2):
        for e in range(values.shape[0]):
            if part == 0:
                values[e] = systems.instant[e] + x * systems.damping[e] + (x * x - y * y) * systems.stiffness[e]
            else:
                values[e] = y * systems.damping[e] + 2.0 * x * y * systems.stiffness[e]
        if run.droppable[0] == 1:
            take_out_rows(matrix, dependent)
            if part == 1:
                for d in range(dependent.found.sizes[ND]):
                    values[matrix.drop_pos[dependent.found.dropped[d]]] = 0.0
        for e in range(where.shape[0]):
            if part == 0:
                pair[where[e, 0]] = pair[where[e, 3]] = values[e]
            else:
                pair[where[e, 1]] = -values[e]
                pair[where[e, 2]] = values[e]
    return int(factored(systems.pair_pattern, pair, factors))


@separate_kernel
def factor_all(run: Run, systems: Systems, method: Collocation, h: float) -> int:
    """The factors of all systems of a step of this size."""
    run.factorizations[0] += 1
    run.factored_step[0] = 0.0
    s, lam = run.stages[0], method.eigenvalues
    status = factor_real(run, systems, h * lam[0])
    if status == OK and s > 1:
        status = factor_pair(run, systems, h * lam[1], h * lam[2], systems.pair_1)
    if status == OK and s > 3:
        status = factor_pair(run, systems, h * lam[3], h * lam[4], systems.pair_2)
    if status == OK and s > 5:
        status = factor_pair(run, systems, h * lam[5], h * lam[6], systems.pair_3)
    if status == OK and run.stabilised[0] == 1:
        status = factor_start(run, systems)
    if status == OK:
        run.factored_step[0] = h
    return int(status)


@kernel
def reduce(run: Run, dependent: Dependent, rhs: Floats) -> None:
    """Right sides of dependent rows go to those that are kept, in the least-squares sense."""
    if run.droppable[0] == 1:
        first = run.first_multiplier[0]
        rows = rhs[first : first + dependent.row_scale.shape[0]]  # those of couplings are independent
        in_least_squares(dependent, rows, rows)


@separate_kernel
def solve_pair(run: Run, systems: Systems, x: Floats, y: Floats, factors: Factors) -> None:
    """x + i y becomes the solution with x + i y on the right."""
    reduce(run, systems.dependent, x)
    reduce(run, systems.dependent, y)
    both = systems.pair_rhs
    for c in range(x.shape[0]):
        both[2 * c], both[2 * c + 1] = x[c], y[c]
    solve(factors, both, both)
    for c in range(x.shape[0]):
        x[c], y[c] = both[2 * c], both[2 * c + 1]


@separate_kernel
def solve_real(run: Run, systems: Systems, x: Floats, factors: Factors) -> None:
    """x becomes the solution of a real system with x on the right."""
    reduce(run, systems.dependent, x)
    solve(factors, x, x)


@separate_kernel
def factor_here(entries: Entries, context: Ints, run: Run, systems: Systems) -> int:
    """The factors of the matrix of accelerations at the state last evaluated."""
    run.request.level[0] = ACCELERATION_LEVEL
    entries.assemble(context)
    run.request.level[0] = POSITION_LEVEL
    if run.droppable[0] == 1:
        take_out_rows(systems.matrix, systems.dependent)
    return int(factored(systems.pattern, systems.matrix.values, systems.here))
