"""The outcomes of a compiled kernel, and what each means in words.

Kernels never raise: they return one of these codes, and the Python layer adds time, step and the worst
row by name.
"""

from __future__ import annotations

from enum import IntEnum


class Status(IntEnum):
    """What a kernel call came to."""

    OK = 0
    NEWTON_DIVERGED = 1
    SINGULAR = 2
    NOT_FINITE = 3
    ROTATION_TOO_LARGE = 4
    OUT_OF_SPACE = 5
    DRIVER_LIMIT = 6
    ROD_COLLAPSED = 7
    STEP_TOO_SMALL = 8
    ITERATION_DIVERGED = 9
    LIMIT_PASSED = 20
    JUDGED_WRONG = 21


# Outcomes of whole runs that no kernel knows (and no compiled code depends on)
NOT_REACHED, TIME_UP = 22, 23  # the accuracy asked for was not reached; the time limit ended the run
LOCK_UP = 24  # drivers ask for more than the mechanism can reach


REMEDY = {
    Status.OK: "",
    Status.LIMIT_PASSED: "Take a smaller step; limits can be set (limits=...).",
    Status.JUDGED_WRONG: "Take a smaller step; limits can be set (limits=...).",
    Status.NEWTON_DIVERGED: "Try a smaller step, or check the start velocities with `linkwork check`.",
    Status.SINGULAR: (
        "The equations are singular here: a body without inertia about a free axis, or constraints that "
        "lose rank. `linkwork check` names the rows."
    ),
    Status.NOT_FINITE: "A value became infinite or not a number: try a smaller step and check forces and formulas.",
    Status.ROTATION_TOO_LARGE: ("Take a smaller step: step * angular speed must stay below pi."),
    Status.OUT_OF_SPACE: "The work space of the sparse factorisation was too small.",
    Status.DRIVER_LIMIT: "No angle has such a cosine: drive the angle itself, or change the formula.",
    Status.ROD_COLLAPSED: "Change the formula: a rod without length has no direction.",
    Status.ITERATION_DIVERGED: (
        "Take a smaller step: step times the fastest rate of the mechanism (vibration, spin, damping) should stay "
        "below one. If it nearly converges, raise max_iterations or loosen tolerance; stiff mechanisms want "
        "generalized-alpha."
    ),
    Status.STEP_TOO_SMALL: (
        "The error did not become small enough with any step: loosen rtol and atol, or look for forces that jump."
    ),
}
