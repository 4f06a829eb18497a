"""One explicit Runge-Kutta step in the algebra of a group, compiled [Müller 2013, eqs. 36-37].

Stage j is the state base exp(psi_j) with psi_j = h sum_l a_jl k_l, and k_j = dexp_{-psi_j}^-1 F. Only the problem's
entries know the group: on a vector space the same loop is the ordinary Runge-Kutta method.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from linkwork.kernels.jit import kernel, large_kernel
from linkwork.kernels.tables import Floats, Ints
from linkwork.problems.explicit import FRESH, TIME
from linkwork.status import Status

OK, NOT_FINITE = int(Status.OK), int(Status.NOT_FINITE)

# entries of Run.settings, Run.options and Run.counts
NOW, STEP, ATOL, RTOL, MAX_STEP, T_END, NEXT_STEP, OLD_ERROR, START_TIME, SHARE = range(10)
STAGES, FSAL, ADAPTIVE, EVERY, PROJECT_EVERY, DROPPABLE, ERROR_ORDER, EXTRA, REMEMBERS = range(9)
STEPS, EVALUATIONS, REJECTED, KNOWN, PENDING, EXTENDED, RANK_CHANGES, RANK_SEEN, PROJECTIONS, PLACED = range(10)


class Entries(NamedTuple):
    """The problem's entries, in the words of problems.explicit.ExplicitProblem."""

    place: Any
    apply: Any
    seek: Any
    factorise: Any
    solve: Any
    slope: Any
    settle: Any
    shift: Any
    present: Any


class Run(NamedTuple):
    """What one run carries from chunk to chunk, and the parts of the problem that an integrator works on."""

    settings: Floats  # (10,) time reached, step, absolute and relative tolerance, largest step, end, next step, last
    # error, start, what share of the present step is done (steps that are taken in parts)
    options: Ints  # (9,) stages, whether the last is the next first, adaptive, record every k-th step, project every
    # k-th, dependent rows allowed for, order of the error estimate, extra stages of the dense output, whether later
    # stages use what the first one found
    counts: Ints  # (10,) steps, evaluations, rejected steps, whether k[0] is known, whether a step waits (to be settled
    # where samples are taken within steps, else for the slope at its end), whether it was sampled (extra stages are
    # there), changes of rank, those already projected for, projections, whether the base is what is placed
    k: Floats  # (stages and extra ones, N)
    error: Floats  # (N,)
    weight: Floats  # (N,) ExplicitProblem.weight
    psi: Floats  # (N,) Work.psi
    slope: Floats  # (N,) Work.slope
    size: Floats  # (N,) Work.size
    coef: Floats  # Work.coef
    motion: Floats  # Work.motion
    lam: Floats  # Work.lam
    extra: Floats  # ExplicitProblem.extra


@large_kernel
def evaluate(entries: Any, context: Any, run: Any, t: Any, judge: Any) -> int:
    """The slope at base exp(psi) and time t, into run.slope. What is placed there already is not placed again.

    judge : this is the first stage of a step, or a sample: decide anew which rows are independent, where that can
        change.
    """
    run.coef[TIME], run.coef[FRESH] = t, 1.0 if judge else 0.0
    run.counts[EVALUATIONS] += 1
    if run.counts[PLACED] == 0:
        status = entries.place(context)
        if status != OK:
            return int(status)
    run.counts[PLACED] = 0
    entries.apply(context)
    if judge and run.options[DROPPABLE] == 1:
        changed = entries.seek(context)
        if changed < 0:
            return NOT_FINITE
        if changed > 0:
            run.counts[RANK_CHANGES] += 1
    if judge or run.options[REMEMBERS] == 0:
        status = entries.factorise(context)
        if status != OK:
            return int(status)
        entries.solve(context)
    return int(entries.slope(context))


@kernel
def keep(run: Any, j: Any) -> None:
    """The slope just found is k_j."""
    k, slope = run.k, run.slope
    for c in range(slope.shape[0]):
        k[j, c] = slope[c]


@kernel
def combine(run: Any, weights: Any, n: Any, h: Any) -> None:
    """psi = h sum over l < n of weights[l] k_l."""
    psi, k = run.psi, run.k
    for c in range(psi.shape[0]):
        psi[c] = 0.0
    for j in range(n):
        factor = h * weights[j]
        if factor != 0.0:
            for c in range(psi.shape[0]):
                psi[c] += factor * k[j, c]


@kernel
def at_base(run: Any) -> None:
    """psi = 0."""
    for c in range(run.psi.shape[0]):
        run.psi[c] = 0.0


@kernel
def first_stage(entries: Any, context: Any, run: Any, t: Any) -> int:
    """k_0 at the base, unless it is known."""
    if run.counts[KNOWN] == 1:
        return OK
    at_base(run)
    status = evaluate(entries, context, run, t, True)
    if status == OK:
        keep(run, 0)
        run.counts[KNOWN] = 1
    return status


@kernel
def later_stages(entries: Any, context: Any, run: Any, tableau: Any, t: Any, h: Any) -> int:
    """k_1, k_2, ... from k_0."""
    for j in range(1, run.options[STAGES]):
        combine(run, tableau.a[j], j, h)
        status = evaluate(entries, context, run, t + tableau.c[j] * h, False)
        if status != OK:
            return status
        keep(run, j)
    return OK


@kernel
def finish_step(entries: Any, context: Any, run: Any, tableau: Any, t: Any, placed: Any) -> int:
    """The base moves to the new state at time t. placed : whether the last stage put the bodies there already."""
    if not placed:
        run.coef[TIME] = t
        status = entries.place(context)
        if status != OK:
            return int(status)
    moved = entries.settle(context)
    run.counts[STEPS] += 1
    run.counts[KNOWN] = 0
    run.counts[PLACED] = 0 if placed or moved > 0 else 1
    return OK


@kernel
def reuse_last(entries: Any, context: Any, run: Any) -> int:
    """k_0 from the last stage of a method whose last stage is the new state: only psi is another one."""
    at_base(run)
    run.coef[FRESH] = 1.0
    status = int(entries.slope(context))
    keep(run, 0)
    run.counts[KNOWN] = 1
    return status
