"""What depends on time alone: the rows' f(t) and the applied forces' formulas, once per step."""

from __future__ import annotations

from typing import Any

from linkwork.kernels.angles import count_angles
from linkwork.kernels.formula import evaluate_program
from linkwork.kernels.jit import kernel
from linkwork.problems.explicit import Work
from linkwork.problems.implicit import DRIVE, A
from linkwork.problems.implicit import Work as ImplicitWork
from linkwork.system.packed import ACTUATOR, Tables, programs_of, system_of


@kernel
def evaluate_time(tables: Tables, work: Work | ImplicitWork) -> None:
    """Drives f, f', f'' of all rows and the values of all loads and actuators at work.request.time."""
    t = work.request.time[0]
    programs = programs_of(tables)
    for k in range(tables.row_int.shape[0]):
        p = tables.row_int[k, 4]
        if p < 0:
            work.row[k, DRIVE] = tables.row[k, 19]
            work.row[k, DRIVE + 1] = 0.0
            work.row[k, DRIVE + 2] = 0.0
        else:
            f, f1, f2 = evaluate_program(programs, p, t, work.stack)
            work.row[k, DRIVE] = f
            work.row[k, DRIVE + 1] = f1
            work.row[k, DRIVE + 2] = f2
    for k in range(tables.load.shape[0]):
        for c in range(3):
            work.load_values[k, c] = tables.load[k, 3 + c] + _value(programs, tables.load_int[k, 3 + c], t, work)
    for k in range(tables.element.shape[0]):
        program = tables.element_int[k, 3]
        work.element_values[k] = tables.element[k, ACTUATOR] + _value(programs, program, t, work)


@kernel
def _value(programs: Any, p: int, t: Any, work: Work | ImplicitWork) -> Any:
    """Of program p at time t; 0 where there is none, p = -1."""
    if p < 0:
        return 0.0
    return evaluate_program(programs, p, t, work.stack)[0]


@kernel
def unwrap_angles(tables: Tables, work: Work | ImplicitWork) -> None:
    """Keep every counted angle, with its turns, at the present pose."""
    if work.counted_angles.shape[0] > 0:
        count_angles(system_of(tables), work.motion[:, A : A + 9], work.counted_angles, work.counted_angles)
