"""Kinematics analysis of a driven mechanism [Kissel 2021, eqs. 9-16], a whole run in compiled code.

At each time: Newton on the positions from a predicted pose, then linear solves for velocities and accelerations.
The matrix phi_q is formed and factored once per step, at the predicted pose, unless Newton asks for more; solves at
the final pose are refined with the exact rows until nothing changes.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from linkwork.kernels.jit import kernel
from linkwork.kernels.records import Columns, EntryCall, Shape
from linkwork.kernels.tables import Floats, Ints
from linkwork.kernels.tuple_access import at3
from linkwork.kernels.vec3 import cross
from linkwork.problems.entry import direct_entry
from linkwork.problems.implicit import ALPHA, W
from linkwork.problems.layout import Argument, slots
from linkwork.problems.request import ACCELERATION_LEVEL, POSITION_LEVEL, VELOCITY_LEVEL, ImplicitRequest
from linkwork.problems.step_state import NOTHING, flush, keep_motion, set_base, step_back
from linkwork.status import Status

OK, NEWTON_DIVERGED = int(Status.OK), int(Status.NEWTON_DIVERGED)
NOT_FINITE = int(Status.NOT_FINITE)
SLOW = 0.1  # a correction that shrinks by less than this factor asks for a new matrix
REFINED = 1e-15  # relative error at which a linear solve is done
REFINEMENTS = 12
JUMP = 0.5  # first correction (m, rad) beyond which a step is refused as too large
COARSE = 1e-3  # contraction above which rates are found with a matrix of the final pose


class Entries(NamedTuple):
    """The problem's entries that a kinematics run calls, in the words of problems.implicit.KinematicProblem."""

    begin: EntryCall
    set_state: EntryCall
    assemble: EntryCall
    constrain: EntryCall
    factorise: EntryCall
    solve: EntryCall
    detect_redundant_rows: EntryCall


class Run(NamedTuple):
    """What one kinematics run carries from chunk to chunk, and the parts of the problem that it works on."""

    settings: Annotated[Floats, Shape(1, 4), "all of these:"]
    start_time: Annotated[Floats, Columns("settings"), "s", "from which steps are counted"]
    step: Annotated[Floats, Columns("settings"), "s", "step size"]
    tolerance: Annotated[Floats, Columns("settings"), "m or rad", "largest correction that may end an instant"]
    contraction: Annotated[Floats, Columns("settings"), "of the last correction of a pose"]
    options: Annotated[Ints, Shape(1, 6), "all of these, 1 for yes:"]
    full: Annotated[Ints, Columns("options"), "a new matrix at every iteration"]
    cap: Annotated[Ints, Columns("options"), "most of Newton's iterations at an instant"]
    predictor: Annotated[Ints, Columns("options"), "order of the prediction: 1, 2 or 3"]
    bordered: Annotated[Ints, Columns("options"), "the least change is found"]
    stride: Annotated[Ints, Columns("options"), "unknowns per body"]
    algebra: Annotated[Ints, Columns("options"), "increments of rotations are in the Lie algebra"]
    counts: Annotated[Ints, Shape(1, 7), "all of these:"]
    steps: Annotated[Ints, Columns("counts"), "steps taken"]
    iterations: Annotated[Ints, Columns("counts"), "of Newton's method, for poses"]
    factorizations: Annotated[Ints, Columns("counts"), "of the matrix"]
    rebased: Annotated[Ints, Columns("counts"), "bodies given new coordinates"]
    last_iterations: Annotated[Ints, Columns("counts"), "of Newton's method in the last step"]
    rank_changes: Annotated[Ints, Columns("counts"), "how many rows became redundant, or no longer were"]
    known: Annotated[Ints, Columns("counts"), "instants that the next may be predicted from"]
    before: Annotated[Floats, Shape("nb + 1", 37), "the motion at the start of the present step"]
    rate_before: Annotated[Floats, Shape("npos"), "the rates there"]
    acceleration_before: Annotated[Floats, Shape("npos"), "the second derivatives there"]
    expected: Annotated[Floats, Shape(2, "npos"), "velocities and accelerations expected at the new time"]
    z: Annotated[Floats, Shape("N"), "Work.z: second derivatives, between steps"]
    residual: Annotated[Floats, Shape("N"), "Work.residual"]
    request: ImplicitRequest
    motion: Annotated[Floats, Shape("nb + 1", 37), "Work.motion"]
    base: Annotated[Floats, Shape("nb + 1", 16), "Work.base"]
    rate: Annotated[Floats, Shape("npos"), "Work.rate"]
    rate_star: Annotated[Floats, Shape("npos"), "Work.rate_star; increments have no starred part here"]
    delta: Annotated[Floats, Shape("N"), "Linear.delta"]


class Block(NamedTuple):
    """Recorded steps of one chunk."""

    time: Annotated[Floats, Shape("n")]
    motion: Annotated[Floats, Shape("n", "nb", 24)]
    iterations: Annotated[Ints, Shape("n")]


@kernel
def set_rates(run: Any, from_rates: Any) -> None:
    """Rates are counted from the present ones, or from zero."""
    for k in range(run.rate.shape[0]):
        run.rate_star[k] = run.rate[k] if from_rates else 0.0


@kernel
def predict(run: Any) -> None:
    """Increments of the pose into z, and the rates to expect, extrapolated from what is known.

    Order 1: h rate [Kissel 2021, eq. 11]; 2: and h^2/2 acceleration; 3: and the change of acceleration over the
    last step.
    """
    z = run.z
    stride, order, h = run.stride[0], run.predictor[0], run.step[0]
    trend = 1.0 if order > 2 and run.known[0] > 1 else 0.0
    on = 1.0 if order > 1 else 0.0
    for k in range(run.rate.shape[0]):
        v, a = flush(run.rate[k]), z[k]
        change = trend * (a - run.acceleration_before[k])
        run.rate_before[k] = v
        run.acceleration_before[k] = a
        z[k] = flush(h * (v + on * h * (0.5 * a + change / 6.0)))
        run.expected[0, k] = v + on * h * (a + 0.5 * change)
        run.expected[1, k] = a + change
    if order > 2 and run.algebra[0] == 1:  # third term of the Magnus series: h^3/12 omega x alpha
        for b in range(run.motion.shape[0] - 1):
            bend = cross(at3(run.motion, b, W), at3(run.motion, b, ALPHA))
            for c in range(3):
                z[stride * b + 3 + c] += h * h * h / 12.0 * bend[c]


@kernel
def expect(run: Any, which: Any) -> None:
    """The expected velocities (0) or accelerations (1) into the unknowns."""
    for k in range(run.rate.shape[0]):
        run.z[k] = run.expected[which, k]


@kernel
def undo(run: Any) -> None:
    """Motion, rates and accelerations at the start of the step that failed."""
    step_back(run)
    for k in range(run.rate.shape[0]):
        run.z[k] = run.acceleration_before[k]
    run.known[0] = 1


@kernel
def renew_matrix(entries: Any, context: Any, run: Any) -> int:
    """phi_q at the present pose, factored."""
    if run.bordered[0] == 1:
        changed = entries.detect_redundant_rows(context)
        if changed < 0:
            return NOT_FINITE
        run.rank_changes[0] += changed
    entries.assemble(context)
    run.factorizations[0] += 1
    return int(entries.factorise(context))


@kernel
def correct(entries: Any, context: Any, run: Any, moving: Any) -> Any:
    """Solve for the correction; returns its norm over the bodies' coordinates."""
    entries.solve(context)
    total = 0.0
    for c in range(moving):
        total += run.delta[c] * run.delta[c]
    return np.sqrt(total)


@kernel
def find_pose(entries: Any, context: Any, run: Any, moving: Any) -> int:
    """Newton on the positions from the increments in z; phi and G are those of the pose found."""
    z, request = run.z, run.request
    request.c_v[0], request.c_q[0], request.level[0] = 0.0, 1.0, POSITION_LEVEL
    factor_now = True
    before = np.inf
    entries.set_state(context)
    for iteration in range(run.cap[0]):
        set_base(run.motion, run.base)
        entries.constrain(context)
        if factor_now:
            status = renew_matrix(entries, context, run)
            if status != OK:
                return status
        norm = correct(entries, context, run, moving)
        if not np.isfinite(norm):
            return NOT_FINITE
        if iteration == 0 and norm > JUMP and run.known[0] > 0:
            return NEWTON_DIVERGED  # so far off, Newton may end on another branch of the motion
        for c in range(moving):
            z[c] = flush(-run.delta[c])
        entries.set_state(context)
        if norm < run.tolerance[0]:
            set_base(run.motion, run.base)
            entries.constrain(context)
            run.contraction[0] = norm if iteration == 0 else norm / before
            run.iterations[0] += iteration + 1
            run.last_iterations[0] = iteration + 1
            return OK
        factor_now = run.full[0] == 1 or norm > SLOW * before or norm > 0.1
        before = norm
    return NEWTON_DIVERGED


@kernel
def find_rates(entries: Any, context: Any, run: Any, moving: Any) -> None:
    """Velocities or accelerations, by the level that is asked for, from the guess in z."""
    z = run.z
    before = 0.0
    entries.set_state(context)
    for k in range(REFINEMENTS):
        entries.constrain(context)
        norm = correct(entries, context, run, moving)
        size = 0.0
        for c in range(moving):
            z[c] = flush(z[c] - run.delta[c])
            size += z[c] * z[c]
        entries.set_state(context)
        # corrections shrink by about a constant factor, the one Newton found: what is left is the next one
        left = norm * (run.contraction[0] if k == 0 else norm / max(before, NOTHING))
        if not left > REFINED * np.sqrt(size):
            break
        before = norm


@kernel
def solve_instant(entries: Any, context: Any, run: Any) -> int:
    """Pose, velocities and accelerations at the time asked for, from the increments predicted in z."""
    request = run.request
    moving = run.stride[0] * (run.motion.shape[0] - 1)
    set_rates(run, False)
    status = find_pose(entries, context, run, moving)
    if status == OK and run.contraction[0] > COARSE:
        status = renew_matrix(entries, context, run)
        run.contraction[0] = REFINED
    if status != OK:
        return status
    set_base(run.motion, run.base)
    expect(run, 0)
    request.c_v[0], request.c_q[0], request.level[0] = 1.0, 0.0, VELOCITY_LEVEL
    find_rates(entries, context, run, moving)
    set_rates(run, True)
    expect(run, 1)
    request.c_v[0], request.level[0] = 0.0, ACCELERATION_LEVEL
    find_rates(entries, context, run, moving)
    return OK


@kernel
def advance(entries: Entries, context: Any, run: Any, steps: Any, first: Any, block: Any) -> tuple[int, int]:
    """Find the motion at `steps` further times (at the start itself if `first` is 1). Returns (status, samples)."""
    h, m = run.step[0], run.motion
    for n in range(steps):
        step = run.steps[0] + 1 - first
        t = run.start_time[0] + step * h
        run.request.time[0] = t
        rebased = entries.begin(context)
        if rebased > 0:
            run.rebased[0] += rebased
            run.known[0] = 1
        if first == 1:
            for c in range(run.z.shape[0]):
                run.z[c] = 0.0
        else:
            predict(run)
        keep_motion(run)
        status = solve_instant(entries, context, run)
        if status != OK:
            undo(run)
            return status, n
        run.steps[0] = step
        run.known[0] += 1
        block.time[n] = t
        block.iterations[n] = run.last_iterations[0]
        for b in range(m.shape[0] - 1):
            for c in range(24):
                block.motion[n, b, c] = m[b, c]
    return OK, steps


# the table that the problem's entries receive; what is called of them; the run
CONTEXT, ENTRIES, RUN = slots(Annotated[Ints, Shape("words")], Entries, Run)
(SAMPLES,) = slots(Block, table=3)
ADVANCE = direct_entry(advance, ENTRIES, CONTEXT, RUN, Argument(1, "count"), Argument(2, "count"), SAMPLES, returns=2)
