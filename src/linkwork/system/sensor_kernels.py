"""What sensors read of recorded samples: formulas of time and state, compiled."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from linkwork.kernels.angles import angle_about, told
from linkwork.kernels.jit import kernel
from linkwork.kernels.quantities.kinds import NUMBER
from linkwork.kernels.quantities.table import parts_of, times, value_of, velocities
from linkwork.kernels.records import Columns, Shape
from linkwork.kernels.state_formula import evaluate_state_program
from linkwork.kernels.tables import Floats
from linkwork.status import Status
from linkwork.system.derived_kernels import Scratch, load_state
from linkwork.system.packed import Tables, system_of

OK, ANGLE = int(Status.OK), NUMBER["TURN"]


class LastReading(NamedTuple):
    """What the last sample left, for turns to be counted on from it."""

    step: Annotated[Floats, Shape(1, 2), "all of these:"]
    time: Annotated[Floats, Columns("step"), "s", "of the last sample"]
    known: Annotated[Floats, Columns("step"), "1 if there was one"]
    operands: Annotated[Floats, Shape("2 * nq + ni"), "values and rates of quantities there; inputs"]
    read: Annotated[Floats, Shape("2 * nq + ni"), "1 of operands that some formula reads; others are left alone"]


@kernel
def read_sensors(
    tables: Tables, s: Scratch, last: LastReading, time: Any, position: Any, rotation: Any, velocity: Any, angular: Any,
    inputs: Any, out: Any,
) -> int:  # fmt: skip
    """Each program of `tables`' efforts at each sample, into out (programs, n). inputs : (n, ni). Returns OK.

    An angle has the turns that bring it nearest to where its rate, by the trapezoidal rule, has brought it.
    """
    system = system_of(tables)
    q, operands = system.quantities, last.operands
    for k in range(time.shape[0]):
        load_state(s, k, position, rotation, velocity, angular)
        half = 0.5 * last.known[0] * (time[k] - last.time[0])
        for m in range(q.kind.shape[0]):
            angle, before = q.kind[m] == ANGLE, operands[2 * m + 1]
            if angle or last.read[2 * m + 1] != 0.0:
                operands[2 * m + 1] = times(parts_of(q.kind[m], q, m, s.r, s.A), velocities(q, m, s.v, s.w))
            if angle:
                ahead = operands[2 * m] + half * (before + operands[2 * m + 1])
                turned = angle_about(q, m, s.A, ahead if ahead == ahead else 0.0)
                operands[2 * m] = turned if told(q, m, s.A, turned, turned) else np.nan
            elif last.read[2 * m] != 0.0:
                operands[2 * m] = value_of(q.kind[m], q, m, s.r, s.A, 0.0)
        for m in range(inputs.shape[1]):
            operands[2 * q.kind.shape[0] + m] = inputs[k, m]
        for m in range(out.shape[0]):
            program = system.efforts.program[m]
            out[m, k], _ = evaluate_state_program(
                system.programs, system.curves, program, time[k], operands, -1, s.stack
            )
        last.time[0], last.known[0] = time[k], 1.0
    return OK
