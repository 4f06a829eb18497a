"""linkwork's microseconds per step through its public interface, results kept."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.references import REFERENCES, position_error
from benchmarks.timing import Spread, repeat, spread

T_END, STEP = 3.0, 1e-3
DYNAMICS = "implicit-euler"  # the paper's method
DYNAMICS_TOLERANCE = 1e-3  # the stopping value Θ of Kissel 2021, Table 10
KINEMATICS_TOLERANCE = 1e-10  # Kissel 2021, Tables 8 and 9


@dataclass
class OurRun:
    """One formulation on one mechanism.

    call : microseconds per step of the whole call, from the mechanism to the result.
    compiled : the same of the compiled loop alone, where the result tells it.
    first_call_seconds : the first call of this process, compilation or loading of compiled code included.
    iterations : Newton iterations per step, mean.   error : m, see `references.position_error`.
    failure : why there are no figures, or nothing.
    """

    kind: str
    mechanism: str
    formulation: str
    steps: int = round(T_END / STEP)
    call: Spread | None = None
    compiled: Spread | None = None
    first_call_seconds: float | None = None
    iterations: float | None = None
    error: float | None = None
    failure: str = ""


def carry_out(lw: Any, mechanism: Any, kind: str, formulation: str, t_end: float = T_END, step: float = STEP) -> Any:
    """One run as a user would make it."""
    if kind == "kinematics":
        return lw.kinematics(mechanism, t_end=t_end, step=step, formulation=formulation, tolerance=KINEMATICS_TOLERANCE)
    how = {"formulation": formulation, "integrator": DYNAMICS, "tolerance": DYNAMICS_TOLERANCE}
    return lw.simulate(mechanism, t_end=t_end, step=step, **how)


def measure(lw: Any, name: str, kind: str, formulation: str, repetitions: int) -> OurRun:
    """Time `repetitions` calls after one that compiles. A failing run is reported, not raised."""
    made = OurRun(kind, name, formulation)
    mechanism = lw.load(name)
    compiled: list[float] = []

    def call() -> Any:
        result = carry_out(lw, mechanism, kind, formulation)
        compiled.append(float(result.info.get("run_seconds", np.nan)))
        return result

    try:
        start = time.perf_counter()
        call()
        made.first_call_seconds = time.perf_counter() - start
        compiled.clear()
        seconds, result = repeat(call, repetitions)
    except Exception as error:  # one mechanism that cannot run must not take the others' figures away
        made.failure = f"{type(error).__name__}: {error}".splitlines()[0]
        return made
    per_step = 1e6 / made.steps
    made.call = spread(seconds, per_step)
    made.compiled = None if np.any(np.isnan(compiled)) else spread(compiled, per_step)
    made.iterations = float(np.mean(np.asarray(result["iterations"])[1:]))
    if name in REFERENCES:
        made.error = position_error(name, np.asarray(result["time"]), np.asarray(result["position"]))
    return made
