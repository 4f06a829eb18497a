"""Kinematics analysis of a driven mechanism [Kissel 2021, eqs. 9-16], a whole run in compiled code.

At each time: Newton on the positions from a predicted pose, then linear solves for velocities and accelerations.
The matrix phi_q is formed and factored once per step, at the predicted pose, unless Newton asks for more; solves at
the final pose are refined with the exact rows until nothing changes.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from linkwork.kernels.jit import kernel
from linkwork.kernels.records import EntryCall, Shape
from linkwork.kernels.tables import Floats, Ints
from linkwork.kernels.tuple_access import at3
from linkwork.kernels.vec3 import cross
from linkwork.problems.entry import direct_entry
from linkwork.problems.implicit import ALPHA, W
from linkwork.problems.layout import Argument, slots
from linkwork.problems.request import ACCELERATION_LEVEL, POSITION_LEVEL, VELOCITY_LEVEL, ImplicitRequest
from linkwork.problems.step_state import NOTHING, flush, keep_motion, set_base, step_back
from linkwork.status import Status

OK, NEWTON_DIVERGED, SINGULAR = int(Status.OK), int(Status.NEWTON_DIVERGED), int(Status.SINGULAR)
NOT_FINITE = int(Status.NOT_FINITE)
SLOW = 0.1  # a correction that shrinks by less than this factor asks for a new matrix
REFINED = 1e-15  # relative error at which a linear solve is done
REFINEMENTS = 12
JUMP = 0.5  # first correction (m, rad) beyond which a step is refused as too large
COARSE = 1e-3  # contraction above which rates are found with a matrix of the final pose

# entries of Run.counts
STEPS, ITERATIONS, FACTORIZATIONS, REBASED, LAST_ITERATIONS, RANK_CHANGES, KNOWN = range(7)
TOLERANCE, CONTRACTION = 2, 3  # entries of Run.settings
# entries of Run.options
FULL, CAP, PREDICTOR, BORDERED, STRIDE, ALGEBRA = range(6)


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

    settings: Annotated[Floats, Shape(4), "start time, step, tolerance, contraction of the last Newton iteration"]
    options: Annotated[
        Ints,
        Shape(6),
        "new matrix at every iteration, cap, predictor order, bordered, unknowns per body, algebra",
    ]
    counts: Annotated[Ints, Shape(7)]
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
    stride, order, h = run.options[STRIDE], run.options[PREDICTOR], run.settings[1]
    trend = 1.0 if order > 2 and run.counts[KNOWN] > 1 else 0.0
    on = 1.0 if order > 1 else 0.0
    for k in range(run.rate.shape[0]):
        v, a = flush(run.rate[k]), z[k]
        change = trend * (a - run.acceleration_before[k])
        run.rate_before[k] = v
        run.acceleration_before[k] = a
        z[k] = flush(h * (v + on * h * (0.5 * a + change / 6.0)))
        run.expected[0, k] = v + on * h * (a + 0.5 * change)
        run.expected[1, k] = a + change
    if order > 2 and run.options[ALGEBRA] == 1:  # third term of the Magnus series: h^3/12 omega x alpha
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
    run.counts[KNOWN] = 1


@kernel
def renew_matrix(entries: Any, context: Any, run: Any) -> int:
    """phi_q at the present pose, factored."""
    if run.options[BORDERED] == 1:
        changed = entries.detect_redundant_rows(context)
        if changed < 0:
            return NOT_FINITE
        run.counts[RANK_CHANGES] += changed
    entries.assemble(context)
    run.counts[FACTORIZATIONS] += 1
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
    z, counts, request = run.z, run.counts, run.request
    request.c_v[0], request.c_q[0], request.level[0] = 0.0, 1.0, POSITION_LEVEL
    factor_now = True
    before = np.inf
    entries.set_state(context)
    for iteration in range(run.options[CAP]):
        set_base(run.motion, run.base)
        entries.constrain(context)
        if factor_now:
            status = renew_matrix(entries, context, run)
            if status != OK:
                return status
        norm = correct(entries, context, run, moving)
        if not np.isfinite(norm):
            return NOT_FINITE
        if iteration == 0 and norm > JUMP and run.counts[KNOWN] > 0:
            return NEWTON_DIVERGED  # so far off, Newton may end on another branch of the motion
        for c in range(moving):
            z[c] = flush(-run.delta[c])
        entries.set_state(context)
        if norm < run.settings[TOLERANCE]:
            set_base(run.motion, run.base)
            entries.constrain(context)
            run.settings[CONTRACTION] = norm if iteration == 0 else norm / before
            counts[ITERATIONS] += iteration + 1
            counts[LAST_ITERATIONS] = iteration + 1
            return OK
        factor_now = run.options[FULL] == 1 or norm > SLOW * before or norm > 0.1
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
        left = norm * (run.settings[CONTRACTION] if k == 0 else norm / max(before, NOTHING))
        if not left > REFINED * np.sqrt(size):
            break
        before = norm


@kernel
def far_from_expected(run: Any) -> bool:
    """Whether velocities or accelerations leave what is expected by so much that a step with them would be refused."""
    h, far = run.settings[1], False
    for k in range(run.rate.shape[0]):
        far |= not h * abs(run.rate[k] - run.expected[0, k]) < JUMP
        far |= not h * h * abs(run.z[k] - run.expected[1, k]) < JUMP
    return far


@kernel
def solve_instant(entries: Any, context: Any, run: Any) -> int:
    """Pose, velocities and accelerations at the time asked for, from the increments predicted in z."""
    request = run.request
    moving = run.options[STRIDE] * (run.motion.shape[0] - 1)
    set_rates(run, False)
    status = find_pose(entries, context, run, moving)
    if status == OK and run.settings[CONTRACTION] > COARSE:
        status = renew_matrix(entries, context, run)
        run.settings[CONTRACTION] = REFINED
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
    if run.options[BORDERED] == 0 and run.counts[KNOWN] > 0 and far_from_expected(run):
        return SINGULAR  # rounding, over a pivot that is nearly zero
    return OK


@kernel
def advance(entries: Entries, context: Any, run: Any, steps: Any, first: Any, block: Any) -> tuple[int, int]:
    """Find the motion at `steps` further times (at the start itself if `first` is 1). Returns (status, samples)."""
    h, counts, m = run.settings[1], run.counts, run.motion
    for n in range(steps):
        step = counts[STEPS] + 1 - first
        t = run.settings[0] + step * h
        run.request.time[0] = t
        rebased = entries.begin(context)
        if rebased > 0:
            counts[REBASED] += rebased
            counts[KNOWN] = 1
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
        counts[STEPS] = step
        counts[KNOWN] += 1
        block.time[n] = t
        block.iterations[n] = counts[LAST_ITERATIONS]
        for b in range(m.shape[0] - 1):
            for c in range(24):
                block.motion[n, b, c] = m[b, c]
    return OK, steps


# the table that the problem's entries receive; what is called of them; the run
CONTEXT, ENTRIES, RUN = slots(Annotated[Ints, Shape("words")], Entries, Run)
(SAMPLES,) = slots(Block, table=3)
ADVANCE = direct_entry(advance, ENTRIES, CONTEXT, RUN, Argument(1, "count"), Argument(2, "count"), SAMPLES, returns=2)
