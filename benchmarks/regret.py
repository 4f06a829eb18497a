"""What does a plan's choice cost, beside the best of all pairs that meet the accuracy? Exhaustive search.

python -m benchmarks.regret [--mechanism NAME ...] [--random COUNT] [--keep FILE]

For each mechanism every pair of four formulations and three adaptive integrators runs at rtol 1e-3 to 1e-11 by decades.
The best is the one whose cheapest run with a true error within the accuracy (against `lie-mixed`, `dop853`, rtol 1e-13)
takes the least processor time in the compiled loop. Two regrets: of the run that the plan hands over (its pair and
tolerance), and of all runs that the plan made, its proof included, by their steps. Times are the least of two.
"""

from __future__ import annotations

import argparse
import json
import sys
from itertools import chain, islice
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np

from benchmarks.calibration import SAMPLES, random_ones, reference, shipped_ones
from linkwork.errors import LinkworkError
from linkwork.formulations import FORMULATIONS
from linkwork.integrators import INTEGRATORS
from linkwork.mechanism import Mechanism
from linkwork.planner import wisdom
from linkwork.planner.methods import Method
from linkwork.planner.one_run import one_run
from linkwork.planner.plan import plan
from linkwork.planner.tolerances import TimeUpError
from linkwork.studies.motion import Motion, difference
from linkwork.system import compile_mechanism

ASKED = (1e-4, 1e-6, 1e-8)
FORMS = ("articulated-body", "canonical", "lie-mixed", "augmented")
HOW = ("dop853", "ts54", "dp54")
TOLERANCES = [10.0**-k for k in range(3, 12)]
REPEATS = 2


def ladder(mech: Mechanism, span: float, exact: Motion, length: float) -> list[dict[str, Any]]:
    """Every pair at every tolerance: error and seconds."""
    setting = plan(mech, span, span / SAMPLES).setting
    found = []
    for form in FORMS:
        for how in HOW:
            method = Method(FORMULATIONS.load(form), INTEGRATORS.load(how))
            for rtol in TOLERANCES:
                try:
                    runs = [one_run(setting, method, rtol, monotonic() + 10.0, None) for _ in range(REPEATS)]
                except (LinkworkError, TimeUpError):
                    continue
                error = difference(Motion.of(runs[0]), exact, length).largest
                seconds = min(float(run.info["processor_seconds"]) for run in runs)
                found.append({"pair": f"{form} {how}", "rtol": rtol, "error": error, "seconds": seconds})
                if error < 0.1 * ASKED[-1]:
                    break
    return found


def cases(name: str, mech: Mechanism, span: float) -> list[dict[str, Any]]:
    """A line for each accuracy that some pair meets."""
    length = compile_mechanism(mech.lower()).length
    try:
        exact = reference(mech, span, 1e-13)
    except (LinkworkError, TimeUpError):
        return []
    rungs = ladder(mech, span, exact, length)
    lines = []
    for asked in ASKED:
        good = [one for one in rungs if one["error"] <= asked]
        if not good:
            continue
        best = min(good, key=lambda one: one["seconds"])
        made = plan(mech, span, span / SAMPLES, accuracy=asked)
        runs = [made.run() for _ in range(REPEATS)]
        accuracy = runs[0].accuracy
        assert accuracy is not None
        final = min(float(run.info["processor_seconds"]) for run in runs)
        last = next(one for one in accuracy.trials if one.bound is not None)
        total = final * sum(max(one.steps, 1) for one in accuracy.trials) / max(int(runs[0].info["steps"]), 1)
        lines.append(
            {"name": name, "asked": asked, "best": best, "chosen": last.how, "reached": accuracy.reached}
            | {"choice": final / best["seconds"], "total": total / best["seconds"]}
        )
    return lines


def main() -> None:
    """Carry it out and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mechanism", action="append")
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("--keep", type=Path, default=Path("regret.jsonl"))
    said = parser.parse_args()
    wisdom.forget()
    named = (one for one in shipped_ones() if said.mechanism is None or one[0] in said.mechanism)
    with said.keep.open("a", encoding="utf-8") as kept:
        for one in chain(named, islice(random_ones(10_000, said.random), said.random)):
            for line in cases(*one):
                kept.write(json.dumps(line) + "\n")
                kept.flush()
    lines = [json.loads(line) for line in said.keep.read_text(encoding="utf-8").splitlines()]
    for name in ("choice", "total"):
        values = np.array([line[name] for line in lines if line["reached"]])
        middle, most, worst = np.quantile(values, [0.5, 0.95, 1.0])
        sys.stdout.write(f"{name}: {len(values)} runs, median {middle:.2f}, 95 % {most:.2f}, worst {worst:.2f}\n")


if __name__ == "__main__":
    main()
