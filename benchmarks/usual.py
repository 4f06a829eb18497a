"""Does a run that names no method keep 1e-4, and take no longer than the usual method at 1 ms steps?

python -m benchmarks.usual [--mechanism NAME ...] [--t-end SECONDS]

For every shipped mechanism: `lw.simulate(mech, t_end)`, planned, beside `rA` with generalized-alpha and steps of 1 ms,
with as many samples. Processor time, the least of a few calls in turn, everything compiled: of the first call on a
mechanism that is new, with plan, pilots and samples, and of later calls on the same one, for which both keep
what they know (the plan its setting, both a started run). The errors of both are against `lie-mixed` with `dop853` at
rtol and atol 1e-12, and its own difference from 1e-11.
"""

from __future__ import annotations

import argparse
import copy
import gc
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import process_time
from typing import Any

import numpy as np

import linkwork as lw
from benchmarks.calibration import shipped_ones
from linkwork.errors import LinkworkError
from linkwork.mechanism import Mechanism
from linkwork.planner import wisdom
from linkwork.result import Result
from linkwork.studies.motion import Motion, difference
from linkwork.system import compile_mechanism

ASKED, STEP, REPEATS, SPAN = 1e-4, 1e-3, 9, 3.0  # accuracy, s, s
PLANNED: dict[str, Any] = {"step": 10 * STEP}
USUAL: dict[str, Any] = {"step": STEP, "formulation": "rA", "integrator": "generalized-alpha", "every": 10}


@dataclass
class Line:
    """Errors as shares of the length and angles; seconds of processor time. settled : of the reference itself."""

    name: str
    reached: bool
    planned_error: float
    usual_error: float
    planned: tuple[float, float]  # of a later call, and of the first
    usual: tuple[float, float]
    settled: float
    how: str


def timed(mech: Mechanism, span: float, **how: Any) -> tuple[Result, float]:
    """A run and its processor time."""
    gc.collect()
    began = process_time()
    found = lw.simulate(mech, span, **how)
    return found, process_time() - began


def line(name: str, mech: Mechanism, span: float) -> Line:
    """Both runs of one mechanism. Raises what runs raise."""
    length = compile_mechanism(mech.lower()).length
    tight: dict[str, Any] = {"stabilisation": "projection", "max_step": 0.01}
    exact, other = (
        lw.simulate(mech, span, STEP, "lie-mixed", "dop853", rtol=rtol, atol=rtol, every=10, **tight)
        for rtol in (1e-12, 1e-11)
    )
    least = np.full((2, 2), np.inf)  # planned or usual; later or first
    runs: list[Result] = []
    for _ in range(REPEATS):
        runs = []
        for k, how in enumerate((PLANNED, USUAL)):
            found, again = timed(mech, span, **how)
            first = timed(copy.deepcopy(mech), span, **how)[1]
            least[k] = np.minimum(least[k], (again, first))
            runs.append(found)
    errors = [difference(Motion.of(run), Motion.of(exact), length).largest for run in runs]
    settled = difference(Motion.of(other), Motion.of(exact), length).largest
    found = runs[0].accuracy
    assert found is not None
    by = f"{found.trials[-1].how}, {len(found.trials)} pilots"
    planned, usual = (tuple(map(float, each)) for each in least)
    return Line(name, found.reached, errors[0], errors[1], planned, usual, settled, by)


def table(names: Sequence[str] | None = None, span: float = SPAN) -> Iterator[str]:
    """Lines of Markdown, one by one as they are measured. names : of shipped mechanisms, None for all."""
    yield (
        "| mechanism | planned: error | at 1 ms: error | planned, ms | at 1 ms, ms | first call: planned, ms "
        "| at 1 ms, ms | by |"
    )
    yield "|---|---|---|---|---|---|---|---|"
    for name, mech, _ in shipped_ones():
        if names is not None and name not in names:
            continue
        try:
            one = line(name, mech, span)
        except LinkworkError as error:
            yield f"| {name} | {str(error)[:80]} | | | | | | |"
            continue
        told = f"{one.planned_error:.1e}" if one.settled < 0.1 * ASKED else "no reference"
        times = [f"{1e3 * x:.1f} | {1e3 * y:.1f}" for x, y in zip(one.planned, one.usual, strict=True)]
        yield (
            f"| {name} | {told}{'' if one.reached else ', said so'} | {one.usual_error:.1e} "
            f"| {' | '.join(times)} | {one.how} |"
        )


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mechanism", action="append")
    parser.add_argument("--t-end", type=float, default=SPAN)
    said = parser.parse_args()
    wisdom.forget()
    for text in table(said.mechanism, said.t_end):
        sys.stdout.write(text + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
