"""Implicit midpoint and Störmer-Verlet with steps of one size, whole runs in compiled code.

Both are told by fixed points (`fixed_point`) and know the group through the problem's entries alone: a state is
base exp(psi). Psi has two halves of N/2, first pose increments or coordinates, then velocity increments or momenta.
"""

from __future__ import annotations

from linkwork.integrators.evaluation import OK, Block, Entries, Run
from linkwork.integrators.explicit_table import CONTEXT, ENTRIES, RUN, SAMPLES, SOLVER
from linkwork.integrators.explicit_table import STEPS as COUNT
from linkwork.integrators.fixed_point import Solver, solve_for
from linkwork.integrators.runge_kutta_kernels import START, arrive, depart, start
from linkwork.integrators.stages import first_stage
from linkwork.kernels.jit import kernel, separate_kernel
from linkwork.kernels.tables import Ints
from linkwork.problems.entry import direct_entry

MIDPOINT, VERLET = 0, 1


@kernel
def advance(entries: Entries, context: Ints, solver: Solver, run: Run, steps: int, block: Block) -> tuple[int, int]:
    """As `runge_kutta_kernels.advance`, with a `fixed_point.Solver` in place of a tableau."""
    if steps == START:
        return start(entries, context, run), 0
    recorded = 0
    h = run.step[0]
    for _ in range(steps):
        status = OK
        if run.pending[0] == 0:
            t = run.start_time[0] + run.steps[0] * h
            status = first_stage(entries, context, run, t)
            if status == OK and solver.method[0] == MIDPOINT:
                status = midpoint(entries, context, run, solver, t, h)
            elif status == OK:
                status = verlet(entries, context, run, solver, t, h)
            if status == OK:
                status = depart(entries, context, run, solver, h, False)
        status, recorded = arrive(entries, context, run, status, block, recorded)
        if status != OK:
            return status, recorded
    return OK, recorded


@separate_kernel
def midpoint(entries: Entries, context: Ints, run: Run, solver: Solver, t: float, h: float) -> int:
    """psi = h/2 slope(base exp(psi)) at t + h/2; the new state is base exp(2 psi).

    The guess continues the slopes of the last middle and of the start on a straight line.
    """
    psi, k, before = run.psi, run.k, solver.before
    known = solver.before_is_known[0] == 1
    for c in range(psi.shape[0]):
        psi[c] = 0.5 * h * (2.0 * k[0, c] - before[c] if known else k[0, c])
        solver.known[c] = 0.0
    status = solve_for(entries, context, run, solver, t + 0.5 * h, h, 0, psi.shape[0])
    for c in range(psi.shape[0]):
        before[c] = 2.0 * psi[c] / h
        psi[c] *= 2.0
    solver.before_is_known[0] = 1 if status == OK else 0
    return status


@separate_kernel
def verlet(entries: Entries, context: Ints, run: Run, solver: Solver, t: float, h: float) -> int:
    """The generalised leapfrog of rates that depend on both halves (Hairer, Lubich, Wanner 2006, eq. VI.3.4):

    p = p_0 + h/2 pdot(q_0, p),   q_1 = q_0 + h/2 (qdot(q_0, p) + qdot(q_1, p)),   p_1 = p + h/2 pdot(q_1, p).
    """
    psi, slope, known = run.psi, run.psi_rate, solver.known
    n = psi.shape[0] // 2
    for c in range(n):
        psi[c], known[n + c] = 0.0, 0.0
        psi[n + c] = 0.5 * h * run.k[0, n + c]
    status = solve_for(entries, context, run, solver, t, h, n, 2 * n)
    if status != OK:
        return status
    for c in range(n):
        known[c] = 0.5 * h * slope[c]
        psi[c] = h * slope[c]
    status = solve_for(entries, context, run, solver, t + h, h, 0, n)
    for c in range(n):
        psi[n + c] += 0.5 * h * slope[n + c]
    return status


ADVANCE = direct_entry(advance, ENTRIES, CONTEXT, SOLVER, RUN, COUNT, SAMPLES, returns=2)
