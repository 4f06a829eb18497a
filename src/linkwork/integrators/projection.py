"""Back onto the constraints: positions, then velocities, with the least change in the kinetic metric.

The correction x solves M x + J^T mu = 0, J x = -phi (positions, Newton's method) or nu - J V (velocities): the
matrix is that of the accelerations, so the same entries serve.
"""

from __future__ import annotations

from typing import Any

from linkwork.integrators.evaluation import NOT_FINITE, OK, Entries, Run, at_base
from linkwork.kernels.jit import kernel, separate_kernel
from linkwork.kernels.tables import Ints
from linkwork.problems.request import ACCELERATION_LEVEL, POSITION_LEVEL, VELOCITY_LEVEL

ITERATIONS = 8
SMALL = 1e-8  # a correction below this leaves an error of its square
# a correction below this changes the matrix so little that its factors serve the next one, too; NEAR where rows may
# depend on each other, since next to a rank loss little is much
FAR, NEAR = 1e-7, 1e-10


@separate_kernel
def project(entries: Entries, context: Ints, run: Run, t: float) -> int:
    """Bring the base onto the constraints of time t."""
    run.request.time[0] = t
    run.rhs_known[0], run.state_is_set[0] = 0, 0
    run.projections[0] += 1
    at_base(run)
    run.request.level[0] = POSITION_LEVEL
    status = int(entries.set_state(context))
    if status == OK and run.droppable[0] == 1 and entries.detect_redundant_rows(context) < 0:
        status = NOT_FINITE
    iteration, size = 0, 1.0
    far = NEAR if run.droppable[0] == 1 else FAR
    while status == OK and iteration < ITERATIONS:
        status = correct(entries, context, run, size > far)
        iteration, size = iteration + 1, largest(run)
        if size < SMALL:
            break
    if status == OK:
        at_base(run)
        run.request.level[0] = VELOCITY_LEVEL
        status = int(entries.set_state(context))
    if status == OK:
        status = correct(entries, context, run, size > far)
    run.request.level[0] = ACCELERATION_LEVEL
    at_base(run)
    return status


@kernel
def correct(entries: Entries, context: Ints, run: Run, anew: bool) -> int:
    """Solve for a correction at the placed state and move the base by it. anew : the matrix is factored there first."""
    status = OK
    if anew:
        status = int(entries.factorise(context))
    if status != OK:
        return status
    entries.solve(context)
    entries.retract(context)
    status = int(entries.set_state(context))
    if status == OK:
        entries.accept_step(context)
    return status


@kernel
def largest(run: Run) -> Any:
    """The largest weighted component of psi."""
    found = 0.0
    for c in range(run.psi.shape[0]):
        found = max(found, abs(run.weight[c] * run.psi[c]))
    return found
