"""What planned runs are compared with."""

from __future__ import annotations

import linkwork as lw
from linkwork.result import Result
from linkwork.studies.motion import Motion, difference
from linkwork.system import compile_mechanism


def reference(mech: lw.Mechanism, t_end: float, step: float) -> Result:
    """By another formulation and pair than plans choose, much tighter."""
    how = {"rtol": 1e-12, "atol": 1e-14, "stabilisation": "projection"}
    return lw.simulate(mech, t_end, step, "lie-mixed", "dop853", **how)


def true_error(result: Result, exact: Result) -> float:
    length = compile_mechanism(result.mechanism.lower()).length
    return difference(Motion.of(result), Motion.of(exact), length).largest
