"""Is an accuracy that is asked for met? Random mechanisms against an independent reference, and what was claimed.

python -m benchmarks.calibration [--first SEED] [--count N] [--shipped] [--keep FILE]

Mechanisms are those of tests/mechanism_generator.py (one to four bodies: trees, loops, every joint, drivers, springs,
redundant rows), every third with its springs and dampers made up to 10^4 times harder; or the shipped ones. Each is
asked for 1e-3, 1e-5, 1e-7 and 1e-9. Truth is `lie-mixed` with `dop853` at rtol 1e-13, and counts where it agrees with
itself at 1e-12 to a tenth of what is asked. A line of JSON per run is appended to FILE, a table of all lines printed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from importlib.resources import files
from pathlib import Path
from time import monotonic, process_time
from typing import Any

import numpy as np

import linkwork as lw
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

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

ASKED = (1e-3, 1e-5, 1e-7, 1e-9)
SPAN, SAMPLES = 1.0, 50  # s, over it
TOO_GOOD = 30.0
SHORTEST = 8  # steps: a run that takes no more could hardly be looser
EXACT = 1e-10  # an error of the loosest runs below which nothing but rounding is in it
MOST_SECONDS = 10.0  # a reference, or the runs for one accuracy


def random_ones(first: int, count: int) -> Iterator[tuple[str, Mechanism, float]]:
    """Name, mechanism, span."""
    from mechanism_generator import random_mechanism

    for seed in range(first, first + count):
        mech = random_mechanism(seed)
        yield f"random {seed}", hardened(mech, seed) if seed % 3 == 0 else mech, SPAN


def hardened(mech: Mechanism, seed: int) -> Mechanism:
    """The same with its springs and dampers up to 10^4 times harder."""
    described = mech.to_dict()
    factor = 10.0 ** np.random.default_rng(seed).uniform(1.0, 4.0)
    for force in described.get("forces", ()):
        for name in ("stiffness", "damping"):
            if isinstance(force.get(name), float):
                force[name] *= factor
    return Mechanism.from_dict(described)


def shipped_ones() -> Iterator[tuple[str, Mechanism, float]]:
    """Likewise; at most 2 s."""
    for file in sorted(files("linkwork.mechanisms").iterdir(), key=lambda file: file.name):
        if file.name.endswith(".yaml"):
            mech = lw.load(file.name.removesuffix(".yaml"))
            yield file.name.removesuffix(".yaml"), mech, min(mech.run.t_end or SPAN, 2.0)


def reference(mech: Mechanism, span: float, rtol: float) -> Motion:
    """The motion by an independent formulation. Raises TimeUpError."""
    method = Method(FORMULATIONS.load("lie-mixed"), INTEGRATORS.load("dop853"))
    return Motion.of(one_run(plan(mech, span, span / SAMPLES).setting, method, rtol, monotonic() + MOST_SECONDS, None))


def cases(name: str, mech: Mechanism, span: float) -> Iterator[dict[str, Any]]:
    """A line for each accuracy."""
    length = compile_mechanism(mech.lower()).length
    try:
        exact = reference(mech, span, 1e-13)
        settled = difference(exact, reference(mech, span, 1e-12), length).largest
    except (LinkworkError, TimeUpError) as error:
        yield {"name": name, "failed": f"reference: {error}"[:200]}
        return
    for asked in ASKED:
        began = process_time()
        line: dict[str, Any] = {"name": name, "asked": asked, "settled": settled}
        try:
            result = lw.simulate(mech, span, span / SAMPLES, accuracy=asked, time_limit=MOST_SECONDS)
        except LinkworkError as error:
            yield {**line, "failed": str(error)[:200]}
            continue
        found = result.accuracy
        assert found is not None
        line |= {"error": difference(Motion.of(result), exact, length).largest, "claimed": found.error}
        line |= {"reached": found.reached, "seconds": process_time() - began, "runs": len(found.trials)}
        line |= {"steps": int(result.info.get("steps", 0)), "total_steps": sum(one.steps for one in found.trials)}
        line |= {"trials": [(one.value, one.steps, one.bound) for one in found.trials]}
        line |= {"how": found.trials[-1].how, "judgement": result.judgement, "reason": found.reason}
        yield line


def exact_ones(lines: Sequence[dict[str, Any]]) -> set[str]:
    """Mechanisms whose runs for the loosest accuracy are off by no more than rounding: driven throughout, at rest, or
    moving with constant acceleration, so that no tolerance has a say in their errors."""
    return {one["name"] for one in lines if one["asked"] == max(ASKED) and one["error"] <= EXACT}


def table(lines: list[dict[str, Any]]) -> str:
    """What all lines say together."""
    out = [f"{len({line['name'] for line in lines})} mechanisms, {len(lines)} lines"]
    failed = [line for line in lines if "failed" in line]
    out.append(f"failed: {len(failed)}" + "".join(f"\n  {one['name']}: {one['failed'][:120]}" for one in failed[:10]))
    known = [one for one in lines if "error" in one]
    sure = [one for one in known if one["settled"] <= 0.1 * one["asked"]]
    out.append(f"runs: {len(known)}, of them with a reference that is sure enough: {len(sure)}")
    out.append(
        "| asked | runs | claimed reached | of these missed | worst, times asked | <= 30 times too good "
        f"| that, of motions that are not exact | that, or <= {SHORTEST} steps | median |"
    )
    out.append("|---|---|---|---|---|---|---|---|---|")
    exact = exact_ones(sure)
    for asked in (*ASKED, None):
        some = [one for one in sure if asked in (None, one["asked"])]
        said = [one for one in some if one["reached"]]
        if not said:
            continue
        ratio = np.array([max(one["error"], 1e-16) / one["asked"] for one in said])
        missed, near = np.mean(ratio > 1.0), np.mean(ratio >= 1.0 / TOO_GOOD)
        few = np.array([0 < one.get("steps", 0) <= SHORTEST for one in said])
        short = np.mean((ratio >= 1.0 / TOO_GOOD) | few)
        able = np.array([one["name"] not in exact for one in said])
        inexact = np.mean(ratio[able] >= 1.0 / TOO_GOOD) if able.any() else np.nan
        out.append(
            f"| {'all' if asked is None else f'{asked:g}'} | {len(some)} | {len(said)} | {int(np.sum(ratio > 1))} "
            f"({100 * missed:.2f} %) | {ratio.max():.2g} | {100 * near:.0f} % | {100 * inexact:.0f} % "
            f"| {100 * short:.1f} % | {np.median(ratio):.2g} |"
        )
    out.append(f"exact at whatever tolerance: {len(exact)} mechanisms")
    wrong = [one for one in sure if one["reached"] and one["error"] > one["asked"]]
    out += [f"missed: {one['name']}, {one['asked']:g}, error {one['error']:.2g}" for one in wrong]
    short = [one for one in sure if not one["reached"]]
    out += [f"not reached: {one['name']}, {one['asked']:g}: {one['error']:.2g}; {one['reason']}"[:160] for one in short]
    return "\n".join(out)


def main() -> None:
    """Carry it out."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--shipped", action="store_true")
    parser.add_argument("--keep", type=Path, default=Path("calibration.jsonl"))
    said = parser.parse_args()
    wisdom.forget()
    with said.keep.open("a", encoding="utf-8") as kept:
        for one in shipped_ones() if said.shipped else random_ones(said.first, said.count):
            for line in cases(*one):
                kept.write(json.dumps(line) + "\n")
                kept.flush()
    lines = [json.loads(line) for line in said.keep.read_text(encoding="utf-8").splitlines()]
    sys.stdout.write(table(lines) + "\n")


if __name__ == "__main__":
    main()
