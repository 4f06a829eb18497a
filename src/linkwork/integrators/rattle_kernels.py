"""Steps of RATTLE and SHAKE, alone and composed, whole runs in compiled code.

The equations for the end of a step are met by an iteration with the matrix of its start, which shrinks the error by
some multiple of the angle that bodies turn by, and by Anderson's acceleration much more (`fixed_point`). That matrix is
the one that the velocity equation of the step before was solved with: a step factors once.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from linkwork.integrators.evaluation import NOT_FINITE, OK, Block, Entries, Run, at_base, evaluate_here, loses_rank
from linkwork.integrators.explicit_table import CONTEXT, ENTRIES, RUN, SAMPLES
from linkwork.integrators.explicit_table import STEPS as COUNT
from linkwork.integrators.fixed_point import (
    AT_REST,
    DIVERGED,
    PATIENCE,
    ROTATION_TOO_LARGE,
    STALLED,
    Solver,
    next_guess,
    relative,
)
from linkwork.integrators.runge_kutta_kernels import START, record, start
from linkwork.kernels.jit import separate_kernel
from linkwork.kernels.records import Columns, Shape
from linkwork.kernels.tables import Floats, Ints
from linkwork.problems.entry import direct_entry
from linkwork.problems.explicit import TWIST_0
from linkwork.problems.layout import slots
from linkwork.problems.momenta import MomentumEntries
from linkwork.problems.request import ACCELERATION_LEVEL, VELOCITY_LEVEL
from linkwork.status import Status

SINGULAR = int(Status.SINGULAR)
ROUNDED = 1e-15  # of the fastest velocity: a correction of velocities below it is rounding


class Rattle(NamedTuple):
    """What the method brings besides the run."""

    shares: Annotated[Floats, Shape("s"), "the steps that one is made of, as shares of it"]
    state: Annotated[Ints, Shape(1, 5), "all of these:"]
    ready: Annotated[Ints, Columns("state"), "1: matrix and force at the base are known"]
    has_momenta: Annotated[Ints, Columns("state"), "1: there are momenta"]
    next_share: Annotated[Ints, Columns("state"), "the share to go on with"]
    projected: Annotated[Ints, Columns("state"), "1: momenta meet the velocity equation after every step"]
    damped: Annotated[Ints, Columns("state"), "1: forces depend on velocities"]
    step: Annotated[Floats, Shape(1), "s: InMomenta.step"]
    x: Annotated[Floats, Shape("nb + 1", 6), "Work.x: corrections"]
    base: Annotated[Floats, Shape("nb + 1", 24), "Work.base, whose twists are those of the start of a step"]
    solver: Solver


@separate_kernel
def advance(
    entries: Entries, kicks: MomentumEntries, context: Ints, run: Run, method: Rattle, steps: int, block: Block
) -> tuple[int, int]:
    """Take `steps` steps of one size. Returns (status, samples recorded). START: the accelerations at the start."""
    if steps == START:
        return start(entries, context, run), 0
    recorded, h = 0, run.step[0]
    run.rhs_known[0], run.state_is_set[0] = 0, 0
    for _ in range(steps):
        if run.pending[0] == 0:
            t = run.start_time[0] + run.steps[0] * h
            for k in range(method.next_share[0]):
                t += method.shares[k] * h
            while method.next_share[0] < method.shares.shape[0]:
                part = method.shares[method.next_share[0]] * h
                last = method.next_share[0] == method.shares.shape[0] - 1
                after = run.start_time[0] + (run.steps[0] + 1) * h if last else t + part
                status = one_step(entries, kicks, context, run, method, t, after, part)
                if status != OK:
                    method.ready[0] = 0
                    return status, recorded
                method.next_share[0] += 1
                t = after
            method.next_share[0] = 0
            run.steps[0] += 1
            run.now[0], run.pending[0] = t, 1
        if run.steps[0] % run.every[0] == 0:
            status = show_state(entries, kicks, context, run, method)
            if status != OK:
                method.ready[0] = 0
                return status, recorded
            record(entries, context, run, run.now[0], block, recorded)
            recorded += 1
        run.pending[0] = 0
    return OK, recorded


@separate_kernel
def one_step(
    entries: Entries, kicks: MomentumEntries, context: Ints, run: Run, method: Rattle, t: float, after: float, h: float
) -> int:
    """A step from the base at t to the time `after`, by h; the base moves there."""
    psi, n = run.psi, run.psi.shape[0] // 2
    status = OK
    if method.ready[0] == 0:
        at_base(run)
        status = set_state_and_forces(entries, kicks, context, run, t)
        if status == OK:
            kicks.keep_force(context)
            if method.has_momenta[0] == 0:
                kicks.set_momenta(context)
                method.has_momenta[0] = 1
            method.ready[0] = 1
    if status != OK:
        return status
    method.step[0] = h
    kicks.kick(context)
    run.request.time[0] = after
    status = solve_positions(entries, kicks, context, run, method, h)
    if status != OK:
        return status
    kicks.carry(context)
    for c in range(n):  # twists at the end are looked for from those of the increment
        psi[n + c] = psi[c] / h - method.base[c // 6, TWIST_0 + c % 6]
    status = solve_rates(entries, kicks, context, run, method, after)
    if status == OK:
        entries.accept_step(context)
    return status


@separate_kernel
def set_state_and_forces(entries: Entries, kicks: MomentumEntries, context: Ints, run: Run, t: float) -> int:
    """The state base exp(psi) at t with rows, their independence, forces in f, nu - J V in eta, and the matrix."""
    run.request.time[0], run.request.level[0], run.request.first_stage[0] = t, VELOCITY_LEVEL, 1
    run.evaluations[0] += 1
    status = int(entries.set_state(context))
    run.request.level[0] = ACCELERATION_LEVEL
    if status != OK:
        return status
    if run.droppable[0] == 1:
        before = run.dropped[0]
        if entries.detect_redundant_rows(context) < 0:
            return NOT_FINITE
        if loses_rank(run):
            return SINGULAR
        if run.dropped[0] != before:
            run.rank_changes[0] += 1
    kicks.put_weight(context)
    status = int(entries.apply(context))
    if status == OK:
        status = int(entries.factorise(context))
    return status


@separate_kernel
def solve_positions(entries: Entries, kicks: MomentumEntries, context: Ints, run: Run, method: Rattle, h: float) -> int:
    """psi, its first half, so that kicked momenta and multipliers of the start lead onto the constraints."""
    psi, solver, n = run.psi, method.solver, run.psi.shape[0] // 2
    for c in range(n):
        psi[c], psi[n + c] = h * method.base[c // 6, TWIST_0 + c % 6], 0.0
    kept, best, worse = -1, np.inf, 0
    for k in range(solver.most[0]):
        status = int(kicks.drift(context))
        solver.iterations[0] += 1
        if status == OK:
            status = int(entries.solve(context))
        if status != OK:
            return DIVERGED if k > 0 and status == ROTATION_TOO_LARGE else status
        for c in range(n):
            solver.residual[c] = method.x[c // 6, c % 6]
            solver.value[c] = psi[c] + solver.residual[c]
        error = relative(run, solver.residual, abs(h), 0, n)
        if not error < np.inf:
            return NOT_FINITE
        worse = 0 if error < best else worse + 1
        best = min(best, error)
        if error <= solver.tolerance[0] or (worse >= PATIENCE and best <= STALLED):
            for c in range(n):
                psi[c] = solver.value[c]
            return OK
        kept = next_guess(run, solver, abs(h), 0, n, kept)
    return DIVERGED


@separate_kernel
def solve_rates(entries: Entries, kicks: MomentumEntries, context: Ints, run: Run, method: Rattle, t: float) -> int:
    """psi, its second half, and the momenta at the end of the step, psi's first half being known.

    Where forces depend on velocities the equations are met again with those just found.
    """
    psi, n = run.psi, run.psi.shape[0] // 2
    best = np.inf
    for _ in range(method.solver.most[0]):
        status = set_state_and_forces(entries, kicks, context, run, t)
        if status != OK:
            return status
        status = int(kicks.correct_rates(context))
        if status != OK:
            return status
        if method.projected[0] == 0:
            return OK
        status = int(entries.solve(context))
        if status != OK:
            return status
        size, fastest = 0.0, AT_REST / abs(method.step[0])
        for c in range(n):
            x = method.x[c // 6, c % 6]
            psi[n + c] += x
            size = max(size, abs(run.weight[n + c] * x))
            fastest = max(fastest, run.size[n + c], abs(run.weight[n + c] * psi[n + c]))
        size /= fastest
        kicks.subtract_reactions(context)
        if method.damped[0] == 0 or size <= ROUNDED or (size >= best and best <= STALLED):
            return OK
        if not size < np.inf:
            return NOT_FINITE
        best = min(best, size)
    return DIVERGED


@separate_kernel
def show_state(entries: Entries, kicks: MomentumEntries, context: Ints, run: Run, method: Rattle) -> int:
    """Accelerations and multipliers at the base, from the index-1 equations; SHAKE's velocities first."""
    t = run.now[0]
    at_base(run)
    if method.projected[0] == 0:
        status = set_state_and_forces(entries, kicks, context, run, t)
        if status == OK:
            status = int(kicks.correct_rates(context))
        if status == OK:
            status = int(entries.solve(context))
        if status != OK:
            return status
        n = run.psi.shape[0] // 2
        for c in range(n):
            run.psi[n + c] = method.x[c // 6, c % 6]
        entries.accept_step(context)
        at_base(run)
    return evaluate_here(entries, context, run, t, True)


KICKS, METHOD = slots(MomentumEntries, Rattle, after=RUN)
ADVANCE = direct_entry(advance, ENTRIES, KICKS, CONTEXT, RUN, METHOD, COUNT, SAMPLES, returns=2)
