"""When Newton's iterations of one step end, each lane by itself: `integrators.newton` with selections for branches.

A lane that has converged is held while others go on, so that what it comes to does not depend on them. What a lane
keeps of its iterations stands in numbers of its own, `Controls`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.integrators.newton import PATIENCE, correction_norm, judge_rows
from linkwork.integrators.stopping import LEAST, NEARLY, ROUNDING, YOUNG
from linkwork.lanes.traced.numbers import selected
from linkwork.problems.step_state import flush

HUGE = 1e300  # no norm of a correction is larger


class Controls:
    """What a lane keeps of its iterations, a number each by name, in cells beside the run's.

    cells : (CONTROLS,), the numbers, in the order of NAMES:

    active      1: not yet converged in this step
    left        1: no convergence, or not finite; the lane is run again elsewhere
    renew       1: the matrix is formed and factored before the next correction
    ask         1: corrections shrink no more; whether rounding is all that is left is found out
    formed      1: some step has formed the matrix
    age         of the matrix, in steps
    eager       steps in a row in which the matrix was renewed too late; eager_now: 1 where they are more than one
    late        1: so in this step; late_before: as of the correction before
    before      norm of the correction before [m/s^2]; first: of the step's first
    iteration   in this step; phase: steps taken, less multiples of PATIENCE
    """

    cells: Any

    def __init__(self, cells: Any) -> None:
        object.__setattr__(self, "cells", cells)

    def __getattr__(self, name: str) -> Any:
        return self.cells[PLACES[name]]

    def __setattr__(self, name: str, value: Any) -> None:
        self.cells[PLACES[name]] = value


NAMES = (
    "active", "left", "renew", "ask", "formed", "age", "eager", "eager_now", "late", "late_before", "before", "first",
    "iteration", "phase",
)  # fmt: skip
PLACES = {name: k for k, name in enumerate(NAMES)}
CONTROLS = len(NAMES)


def begin_iterations(c: Controls, run: Any) -> None:
    """At the start of a step. c : the controls. Writes them and run.contraction."""
    c.active = selected(c.left > 0.0, 0.0, 1.0)
    c.eager_now = selected(c.eager > 1.0, 1.0, 0.0)
    c.eager = selected(c.phase > 0.0, c.eager, 0.0)
    c.renew = 1.0 if run.frozen[0] == 0 else selected(c.formed > 0.0, c.eager_now, 1.0)
    c.before, c.first = np.inf, np.inf
    c.iteration, c.late, c.ask = 0.0, 0.0, 0.0
    run.contraction[0] = aged(run.contraction[0])


def aged(contraction: Any) -> Any:
    """contraction^(51/64), for `stopping.AGEING` = 0.8, by square roots: a correction is believed a little less."""
    half = np.sqrt(contraction)
    fourth = np.sqrt(half)
    thirty_second = np.sqrt(np.sqrt(np.sqrt(fourth)))
    return half * fourth * thirty_second * np.sqrt(thirty_second)


def matrix_formed(c: Controls) -> None:
    """The matrix is that of this step."""
    c.formed, c.age = 1.0, 0.0


def correct(c: Controls, run: Any) -> None:
    """Apply run.delta to the unknowns of active lanes, and decide what comes next: `newton_solve` behind `solve`.

    Reads delta, z, start and settings of the run; writes z, contraction and the controls.
    """
    norm, before, active = correction_norm(run), c.before, c.active > 0.0
    if run.droppable[0] == 1:
        judge_at_first(c, run, active)
    first = selected(c.iteration > 0.0, c.first, norm)
    old = c.age > 0.0
    done = active & converged(c, run, norm, first, active)
    slow = active & (norm > run.slow_contraction[0] * before)
    finite = norm < HUGE
    c.iteration = c.iteration + 1.0
    flag = selected(done, 0.0, selected(slow, 1.0, 0.0))  # slow, and not converged
    c.ask = selected(old, 0.0, flag)
    c.late_before = c.late
    frozen = run.frozen[0] == 1
    if frozen:
        c.late = selected(flag > 0.0, 1.0, c.late)
        again = (flag > 0.0) & old & (norm > before)
    for k in range(run.z.shape[0]):
        z = flush(run.z[k] - run.delta[k])
        if frozen:  # an old matrix leads astray: start the step again with a new one
            z = selected(again, run.start[k], z)
        run.z[k] = selected(active, z, run.z[k])
    c.first = first
    c.before = selected(again, np.inf, norm) if frozen else norm
    c.renew = flag if frozen else 1.0
    goes_on = selected(done, 0.0, c.active)
    lost = selected(finite, selected(c.iteration >= float(run.cap[0]), goes_on, 0.0), c.active)
    c.left = selected(lost > 0.0, 1.0, c.left)
    c.active = selected(lost > 0.0, 0.0, goes_on)


def judge_at_first(c: Controls, run: Any, active: Any) -> None:
    """`newton.judge_rows` of active lanes at a step's first correction. Writes run.rank."""
    now, off = run.rank[1], run.rank[3]
    judge_rows(run)
    judges = selected(c.iteration > 0.0, 0.0, selected(active, 1.0, 0.0)) > 0.0
    run.rank[1], run.rank[3] = selected(judges, run.rank[1], now), selected(judges, run.rank[3], off)


def converged(c: Controls, run: Any, norm: Any, first: Any, active: Any) -> Any:
    """`stopping.converged`, of each lane; writes run.contraction where that does."""
    before, age, floor, slow = c.before, c.age, run.floor[0], run.slow_contraction[0]
    known = before < np.inf
    small = norm < floor
    seen = selected(known, max(norm / before, LEAST), run.contraction[0])
    run.contraction[0] = selected(active, seen, run.contraction[0])
    rounding = (seen > slow) & known & ((age == 0.0) | ((age < float(YOUNG)) & (norm < NEARLY * floor)))
    left = run.left[0] * max(run.bend[0], first)
    shrinks = (seen <= slow) & (norm * seen < (1.0 - seen) * max(floor, left))
    return small | ((norm < run.tolerance[0]) & (rounding | shrinks))


def rows_at_rounding(c: Controls, run: Any) -> None:
    """First half of `newton.only_rounding`: rows that are met up to rounding are met. Lanes with others do not ask.

    Reads and writes the residual, and `ask`. Lanes that do not ask have no further use for the residual.
    """
    first, rows = run.first_multiplier[0], run.rows[0]
    for k in range(first, first + rows):
        c.ask = selected(run.request.c_q[0] * abs(run.residual[k]) <= ROUNDING * run.rank[0], c.ask, 0.0)
        run.residual[k] = 0.0


def end_at_rounding(c: Controls, run: Any) -> None:
    """Its second half, with delta solved for: lanes that ask, and whose correction is below the tolerance, are done."""
    done = (c.ask > 0.0) & (correction_norm(run) < run.tolerance[0])
    c.left = selected(done & (c.active == 0.0), 0.0, c.left)  # the last iteration that there may be
    c.late = selected(done, c.late_before, c.late)
    c.active = selected(done, 0.0, c.active)
    c.ask = 0.0


def end_iterations(c: Controls) -> None:
    """At the end of a step."""
    c.eager = selected(c.late > 0.0, c.eager + 1.0, selected(c.eager_now > 0.0, c.eager, 0.0))
    c.age = c.age + 1.0
    c.phase = selected(c.phase + 1.0 >= float(PATIENCE), 0.0, c.phase + 1.0)
