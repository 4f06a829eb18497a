"""A step's unknown increment as a fixed point, psi = known + h/2 slope(psi), found without derivatives.

Each iteration evaluates the slope once. Plain iteration shrinks the error by about h/2 times the fastest rate of the
system; Anderson's acceleration (1965) combines the last few evaluations so that what they span is removed at once,
and vibrations of few frequencies converge where plain iteration would not. Differences of residuals are kept
orthonormal, each with the difference of values that belongs to it, so that a combination is a few scalar products.

Psi has two halves, first what places the bodies, then what moves them. In scalar products the second counts over a
step, h times itself.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from linkwork.integrators.evaluation import NOT_FINITE, OK, Entries, Run, evaluate_here
from linkwork.integrators.symmetric import DEPTH
from linkwork.kernels.jit import kernel, separate_kernel
from linkwork.kernels.records import Columns, Shape, new_record
from linkwork.kernels.tables import Floats, Ints
from linkwork.status import Status

DIVERGED, ROTATION_TOO_LARGE = int(Status.ITERATION_DIVERGED), int(Status.ROTATION_TOO_LARGE)
NEW = 1e-8  # of a difference must usually be left beside those kept already
STALLED = 1e-11  # a residual that does not become smaller any more is as small as rounding lets it be, below this
PATIENCE = 3  # iterations without a smaller residual
AT_REST = 1e-4  # velocities below this per step are as good as none


class Solver(NamedTuple):
    """What the iteration needs besides the run."""

    settings: Annotated[Floats, Shape(1, 2), "all of these:"]
    tolerance: Annotated[Floats, Columns("settings"), "relative residual at which it is done"]
    least_new: Annotated[Floats, Columns("settings"), "share of a difference that must be new"]
    counts: Annotated[Ints, Shape(1, 4), "all of these:"]
    method: Annotated[Ints, Columns("counts"), "place among `symmetric.METHODS`"]
    most: Annotated[Ints, Columns("counts"), "most iterations"]
    iterations: Annotated[Ints, Columns("counts"), "made so far in the run"]
    before_is_known: Annotated[Ints, Columns("counts"), "1: `before` is known"]
    before: Annotated[Floats, Shape("N"), "the slope in the middle of the last step"]
    known: Annotated[Floats, Shape("N"), "the part of psi that does not depend on it"]
    residual: Annotated[Floats, Shape("N"), "known + h/2 slope - psi"]
    value: Annotated[Floats, Shape("N"), "known + h/2 slope"]
    old_residual: Annotated[Floats, Shape("N"), "`residual` one iteration before"]
    old_value: Annotated[Floats, Shape("N"), "`value` one iteration before"]
    Q: Annotated[Floats, Shape("depth", "N"), "differences of residuals, orthonormal"]
    P: Annotated[Floats, Shape("depth", "N"), "the differences of values that belong to them"]


def new_solver(n: int, method: int, tolerance: float, most: int, new: float = NEW) -> Solver:
    """Arrays for psi of n components. new : share of a difference that must be left beside those kept already."""
    solver = new_record(Solver, N=n, depth=DEPTH)
    solver.tolerance[0], solver.least_new[0] = tolerance, new
    solver.method[0], solver.most[0] = method, most
    return solver


@separate_kernel
def solve_for(
    entries: Entries, context: Ints, run: Run, solver: Solver, t: float, h: float, first: int, last: int
) -> int:
    """psi[first:last] = known + h/2 slope(psi) at time t, from the psi that is there; the rest of psi is held.

    The slope that run.psi_rate holds then belongs to psi but for the last correction. A state that cannot be reached
    from an iterate counts as divergence, from the guess as what it is.
    """
    psi, slope, value, residual = run.psi, run.psi_rate, solver.value, solver.residual
    kept, best, worse = -1, np.inf, 0
    for k in range(solver.most[0]):
        status = evaluate_here(entries, context, run, t, False)
        solver.iterations[0] += 1
        if status != OK:
            return DIVERGED if k > 0 and (status == ROTATION_TOO_LARGE or status == NOT_FINITE) else status
        for c in range(first, last):
            value[c] = solver.known[c] + 0.5 * h * slope[c]
            residual[c] = value[c] - psi[c]
        error = relative(run, residual, h, first, last)
        worse = 0 if error < best else worse + 1
        best = min(best, error)
        if error <= solver.tolerance[0] or (worse >= PATIENCE and best <= STALLED):
            for c in range(first, last):
                psi[c] = value[c]
            return OK
        kept = next_guess(run, solver, h, first, last, kept)
    return DIVERGED


@kernel
def relative(run: Run, residual: Floats, h: float, first: int, last: int) -> Any:
    """The largest component of a residual, in parts of what such components are measured against.

    Those of poses: a radian, the mechanism's length. Those of velocities: the fastest body, or the fastest change.
    """
    n = run.psi.shape[0] // 2
    pose = moving = 0.0
    for c in range(n):
        pose = max(pose, run.size[c], abs(run.weight[c] * run.psi[c]))
        moving = max(moving, run.size[n + c], abs(run.weight[n + c] * run.psi[n + c]))
    moving = max(moving, AT_REST / h)
    error = 0.0
    for c in range(first, last):
        error = max(error, abs(run.weight[c] * residual[c]) / (pose if c < n else moving))
    return error


@kernel
def product(run: Run, a: Floats, b: Floats, h: float, first: int, last: int) -> Any:
    """Scalar product of components first to last - 1 of two increments, velocities' over a step h."""
    n, total = run.psi.shape[0] // 2, 0.0
    for c in range(first, last):
        w = run.weight[c] * (1.0 if c < n else h)
        total += (w * a[c]) * (w * b[c])
    return total


@separate_kernel
def next_guess(run: Run, solver: Solver, h: float, first: int, last: int, kept: int) -> int:
    """psi to evaluate next. kept : pairs made before, -1 at the first iteration. Returns their number now."""
    Q, P, residual, value = solver.Q, solver.P, solver.residual, solver.value
    if kept >= 0:
        slot = kept % DEPTH
        for c in range(first, last):
            Q[slot, c], P[slot, c] = residual[c] - solver.old_residual[c], value[c] - solver.old_value[c]
        whole = np.sqrt(product(run, Q[slot], Q[slot], h, first, last))
        for j in range(min(kept, DEPTH)):
            if j != slot:
                take_away(Q[slot], P[slot], product(run, Q[j], Q[slot], h, first, last), Q[j], P[j], first, last)
        left = np.sqrt(product(run, Q[slot], Q[slot], h, first, last))
        over = 1.0 / left if left > solver.least_new[0] * whole else 0.0
        for c in range(first, last):
            Q[slot, c] *= over
            P[slot, c] *= over
    for c in range(first, last):
        solver.old_residual[c], solver.old_value[c] = residual[c], value[c]
        run.psi[c] = value[c]
    for j in range(min(kept + 1, DEPTH)):
        take_away(residual, run.psi, product(run, Q[j], residual, h, first, last), Q[j], P[j], first, last)
    return int(kept + 1)


@kernel
def take_away(a: Floats, b: Floats, share: float, q: Floats, p: Floats, first: int, last: int) -> None:
    """Share q from a, and share p from b."""
    for c in range(first, last):
        a[c] -= share * q[c]
        b[c] -= share * p[c]
