"""Radau IIA methods of 3, 5 and 7 stages in one run: the order changes between steps [Hairer, Wanner 1999].

Up, where Newton's method converges fast and steps have kept their size; down, where it does not get there. Tolerances
go with the order: the embedded formula's error falls like h^(s+1), that of a step like h^(2s), so that with

    tolerance of s stages = 0.1 rtol^((s+1) / (2s))

the error of a step is about rtol whatever the order is.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from linkwork.integrators.radau_kernels import (
    CONTEXT,
    ENTRIES,
    RUN,
    SAMPLES,
    SYSTEMS,
    advancing,
    begin_step,
    solve,
    step_error,
    stepping,
    wanted_step,
)
from linkwork.integrators.radau_matrix import factor_all
from linkwork.integrators.radau_newton import polynomial
from linkwork.integrators.radau_state import Entries, Run
from linkwork.kernels.jit import kernel, separate_kernel
from linkwork.kernels.records import Columns, Shape
from linkwork.kernels.tables import Floats, Ints
from linkwork.problems.entry import direct_entry
from linkwork.problems.layout import Argument, slots

FEWEST, MOST = 3, 7  # stages
UP = 0.1  # contraction of Newton's method below which the order may go up; with Jacobians of every step it is 0.002
STEADY = 0.8, 1.2  # ratio of two steps between which it may
WAIT = 5  # steps of one order before it goes up
TROUBLE, FORGIVEN = 1.5, 0.8  # steps given up of late at which the order goes down; what is left of one a step later
FADING = 0.5  # what is left of a slow contraction a step later
SHARE = 0.1  # of the tolerances


class Orders(NamedTuple):
    """Numbers of the present method, as those of a `Collocation`, with room for seven stages; and of all three."""

    c: Annotated[Floats, Shape(7), "abscissae"]
    A: Annotated[Floats, Shape(7, 7), "weights of the stages"]
    inverse: Annotated[Floats, Shape(7, 7), "of A"]
    error: Annotated[Floats, Shape(8), "weights of the estimate"]
    basis: Annotated[Floats, Shape(7, 7), "Lagrange's polynomials through c, ascending powers"]
    eigenvalues: Annotated[Floats, Shape(7), "of A"]
    into: Annotated[Floats, Shape(3, 7, 7), "residuals of the stages to those of the eigenvectors"]
    back: Annotated[Floats, Shape(7, 7), "corrections of the eigenvectors to those of the stages"]
    all_c: Annotated[Floats, Shape(3, 7), "of 3, 5 and 7 stages: abscissae, and so on"]
    all_A: Annotated[Floats, Shape(3, 7, 7), "weights"]
    all_inverse: Annotated[Floats, Shape(3, 7, 7), "their inverses"]
    all_error: Annotated[Floats, Shape(3, 8), "weights of the estimates"]
    all_basis: Annotated[Floats, Shape(3, 7, 7), "polynomials"]
    all_eigenvalues: Annotated[Floats, Shape(3, 7), "eigenvalues"]
    all_into: Annotated[Floats, Shape(9, 7, 7), "to eigenvectors, three to a method"]
    all_back: Annotated[Floats, Shape(3, 7, 7), "and back"]
    old_basis: Annotated[Floats, Shape(7, 7), "of the method that the stages kept belong to"]
    told: Annotated[Floats, Shape(1, 5), "all of these:"]
    rtol: Annotated[Floats, Columns("told"), "relative tolerance asked for"]
    atol: Annotated[Floats, Columns("told"), "absolute tolerance asked for"]
    contraction: Annotated[Floats, Columns("told"), "the worst of late, fading"]
    size: Annotated[Floats, Columns("told"), "s", "of the step before the last one"]
    trouble: Annotated[Floats, Columns("told"), "steps given up of late"]
    kept: Annotated[Ints, Shape(1, 6), "all of these, 1 for yes:"]
    cap_by_order: Annotated[Ints, Columns("kept"), "the cap of Newton's iterations goes with the order"]
    since: Annotated[Ints, Columns("kept"), "steps since the order changed"]
    unsolved: Annotated[Ints, Columns("kept"), "`Run.unsolved` when this was last looked at"]
    steps_3: Annotated[Ints, Columns("kept"), "steps begun with 3 stages"]
    steps_5: Annotated[Ints, Columns("kept"), "with 5"]
    steps_7: Annotated[Ints, Columns("kept"), "with 7"]


@separate_kernel
def take_method(run: Run, method: Orders, stages: int) -> None:
    """The numbers, tolerances and limits of a method with so many stages."""
    which = (stages - FEWEST) // 2
    method.error[MOST] = method.all_error[which, MOST]
    for i in range(MOST):
        method.error[i] = method.all_error[which, i]
        method.c[i] = method.all_c[which, i]
        method.eigenvalues[i] = method.all_eigenvalues[which, i]
        for j in range(MOST):
            method.A[i, j] = method.all_A[which, i, j]
            method.inverse[i, j] = method.all_inverse[which, i, j]
            method.basis[i, j] = method.all_basis[which, i, j]
            method.back[i, j] = method.all_back[which, i, j]
            for power in range(3):
                method.into[power, i, j] = method.all_into[3 * which + power, i, j]
    if method.cap_by_order[0] == 1:
        run.cap[0] += stages - run.stages[0]
    run.stages[0] = stages
    exponent = (stages + 1.0) / (2.0 * stages)
    run.rtol[0] = SHARE * method.rtol[0] ** exponent
    run.atol[0] = run.rtol[0] * (method.atol[0] / method.rtol[0])
    run.factored_step[0] = 0.0


@separate_kernel
def change_order(run: Run, method: Orders, stages: int) -> None:
    """Go on with another number of stages; unknowns of the last step are carried over to its nodes."""
    before, x = run.stages[0], run.r
    for i in range(MOST):
        for j in range(MOST):
            method.old_basis[i, j] = method.basis[i, j]
    take_method(run, method, stages)
    for i in range(stages):
        for c in range(run.z.shape[0]):
            x[i, c] = 0.0
        for j in range(before):
            weight = polynomial(method.old_basis, j, method.c[i])
            for c in range(run.z.shape[0]):
                x[i, c] += weight * run.old_x[j, c]
    for i in range(stages):
        for c in range(run.z.shape[0]):
            run.old_x[i, c] = x[i, c]
    run.old_error[0] = np.inf  # nothing is known of this order's
    method.since[0] = 0


@kernel
def wanted_stages(run: Run, method: Orders) -> int:
    """How many stages the next step is to have."""
    s, h, before = run.stages[0], run.old_step[0], method.size[0]
    ratio = h / before if before > 0.0 else 0.0
    slow = method.contraction[0] = max(run.contraction[0], FADING * method.contraction[0])
    given_up = run.unsolved[0] - method.unsolved[0]
    method.unsolved[0], method.size[0] = run.unsolved[0], h
    method.trouble[0] = FORGIVEN * method.trouble[0] + given_up
    if method.trouble[0] > TROUBLE:
        method.trouble[0] = 0.0
        return int(max(FEWEST, s - 2))
    if slow <= UP and run.last_iterations[0] > 1 and STEADY[0] < ratio < STEADY[1] and method.since[0] >= WAIT:
        return int(min(MOST, s + 2))
    return int(s)


@separate_kernel
def begin(entries: Entries, context: Ints, run: Run, method: Orders) -> int:
    """`begin_step`, with the order that the last step recommends."""
    if run.old_step[0] > 0.0 and run.fixed_step[0] == 0.0:
        method.since[0] += 1
        stages = wanted_stages(run, method)
        if stages != run.stages[0]:
            change_order(run, method, stages)
    if run.stages[0] == 3:
        method.steps_3[0] += 1
    elif run.stages[0] == 5:
        method.steps_5[0] += 1
    else:
        method.steps_7[0] += 1
    return int(begin_step(entries, context, run))


advance_to = advancing(stepping(begin, factor_all, solve, step_error, wanted_step))
(METHOD,) = slots(Orders, after=SYSTEMS)
ADVANCE_TO = direct_entry(
    advance_to, ENTRIES, CONTEXT, RUN, SYSTEMS, METHOD, Argument(1, "floats"), Argument(2, "count"), SAMPLES, returns=2
)
