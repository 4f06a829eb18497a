"""Does a run that names no method keep 1e-4, and take no longer than the usual method at 1 ms steps?

python -m benchmarks.usual [--mechanism NAME ...] [--t-end SECONDS]

For every shipped mechanism: `lw.simulate(mech, t_end)`, planned, beside `rA` with generalized-alpha and steps of 1 ms,
with as many samples. Processor time of the second call and later ones, plan, pilots and samples included, the least,
in turn; the errors of both are against `lie-mixed` with `dop853` at rtol 1e-12, and its own difference from 1e-11.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from time import process_time
from typing import Any

import linkwork as lw
from benchmarks.calibration import shipped_ones
from linkwork.errors import LinkworkError
from linkwork.mechanism import Mechanism
from linkwork.planner import wisdom
from linkwork.result import Result
from linkwork.studies.motion import Motion, difference
from linkwork.system import compile_mechanism

ASKED, STEP, REPEATS, SPAN = 1e-4, 1e-3, 5, 3.0  # accuracy, s, s


@dataclass
class Line:
    """Errors as shares of the length and angles; seconds of processor time. settled : of the reference itself."""

    name: str
    reached: bool
    planned_error: float
    usual_error: float
    planned: float
    usual: float
    settled: float
    how: str


def timed(mech: Mechanism, span: float, **how: Any) -> tuple[Result, float]:
    """A run and its processor time."""
    began = process_time()
    found = lw.simulate(mech, span, **how)
    return found, process_time() - began


def line(name: str, mech: Mechanism, span: float) -> Line:
    """Both runs of one mechanism. Raises what runs raise."""
    length = compile_mechanism(mech.lower()).length
    tight: dict[str, Any] = {"stabilisation": "projection", "max_step": 0.01}
    exact, other = (
        lw.simulate(mech, span, STEP, "lie-mixed", "dop853", rtol=rtol, atol=1e-3 * rtol, every=10, **tight)
        for rtol in (1e-12, 1e-11)
    )
    best = [float("inf"), float("inf")]
    runs: list[Result] = []
    for _ in range(REPEATS):
        planned, first = timed(mech, span, step=10 * STEP)
        usual, second = timed(mech, span, step=STEP, formulation="rA", integrator="generalized-alpha", every=10)
        best, runs = [min(best[0], first), min(best[1], second)], [planned, usual]
    errors = [difference(Motion.of(run), Motion.of(exact), length).largest for run in runs]
    settled = difference(Motion.of(other), Motion.of(exact), length).largest
    found = runs[0].accuracy
    assert found is not None
    how = f"{found.trials[-1].how}, {len(found.trials)} pilots"
    return Line(name, found.reached, errors[0], errors[1], best[0], best[1], settled, how)


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mechanism", action="append")
    parser.add_argument("--t-end", type=float, default=SPAN)
    said = parser.parse_args()
    wisdom.forget()
    out = sys.stdout
    out.write(
        "| mechanism | planned: error | at 1 ms: error | planned, ms | at 1 ms, ms | by |\n|---|---|---|---|---|---|\n"
    )
    for name, mech, _ in shipped_ones():
        if said.mechanism is not None and name not in said.mechanism:
            continue
        try:
            one = line(name, mech, said.t_end)
        except LinkworkError as error:
            out.write(f"| {name} | {str(error)[:80]} | | | | |\n")
            continue
        told = f"{one.planned_error:.1e}" if one.settled < 0.1 * ASKED else "no reference"
        said_so = "" if one.reached else ", said so"
        out.write(
            f"| {name} | {told}{said_so} | {one.usual_error:.1e} | {1e3 * one.planned:.1f} | {1e3 * one.usual:.1f} "
            f"| {one.how} |\n"
        )
        out.flush()


if __name__ == "__main__":
    main()
