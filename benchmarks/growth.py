"""How the cost of one evaluation grows with size: every way of solving on chains, trees and ladders of four-bars.

An evaluation is what an explicit method does for one stage: place the bodies and their rows, apply forces, factor,
solve, slope. Its entries are timed in a compiled loop, in which nothing is recorded.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from benchmarks.tables import markdown, minimum, number
from benchmarks.timing import Spread, spread

ENTRIES = ("set_state", "apply", "factorise", "solve", "rhs")
SIZES = {"chain": (10, 100, 1000, 10_000), "tree": (10, 100, 1000, 10_000), "ladder": (2, 10, 40, 100, 400)}
QUICK_SIZES = {"chain": (10, 100), "tree": (10, 100), "ladder": (2, 10)}
ALL = 10**9
DENSE = "dense by nature"
# Largest numbers of bodies tried, and why no more: a second or more per evaluation, or matrices without room.
LIMITS: dict[str, tuple[dict[str, int], str]] = {
    "range-space": ({}, ""),
    "augmented": ({}, ""),
    "partial": ({}, ""),
    "penalty": ({}, ""),
    "cut-joint": ({"ladder": 300}, "multipliers of cut joints: dense"),
    "joint-rates": ({"chain": 300, "tree": 1000, "ladder": 300}, "Z^T M Z: dense"),
    "barycentric": ({"chain": 100, "tree": 100, "ladder": 30}, "K and the rotational rows: dense"),
    "null-space": ({"chain": 100, "tree": 100, "ladder": 30}, "QR of all rows: dense"),
}
LEAST, MOST_LOOPS = 0.02, 2000  # s that a timing lasts; loops in it
FIT_FROM = 50  # bodies from which the exponent is fitted: below, what does not grow counts


@dataclass
class Cost:
    """One way on one mechanism: microseconds of an evaluation, seconds of setting it up.

    setup : describing aside, everything from the mechanism to the first evaluation, compiled code being there.
    parts : microseconds of each entry.   failure : why there is nothing.
    """

    kind: str
    size: int
    bodies: int
    way: str
    evaluation: Spread | None = None
    parts: dict[str, float] | None = None
    setup: float | None = None
    failure: str = ""


def compiled(entry: Any) -> Any:
    """What Numba knows of an entry."""
    return getattr(entry, "compiled", entry)


@lru_cache(maxsize=1)
def compiled_loop() -> Callable[[Any, Any, int], int]:
    """loop(entry, context, n): call an entry n times from compiled code."""
    from linkwork.kernels.jit import activate

    activate()
    import numba

    def loop(entry: Any, context: Any, n: int) -> int:
        status = 0
        for _ in range(n):
            status += entry(context)
        return status

    made: Callable[[Any, Any, int], int] = numba.njit(loop)
    return made


def generated(kind: str, size: int) -> Any:
    """The mechanism of this size; ladders without redundant rows."""
    from linkwork.studies import generated as of

    return of.ladder(size, "point-in-line") if kind == "ladder" else of.GENERATORS[kind](size)


def problem_of(mechanism: Any, way: str) -> Any:
    """The explicit problem at the mechanism's start."""
    from linkwork.formulations import FORMULATIONS
    from linkwork.run.starting import prepare

    compiled = prepare(mechanism, dynamics=True).compiled
    return FORMULATIONS.load(way).build(compiled, shape="explicit")


def measure(mechanism: Any, kind: str, size: int, way: str, repetitions: int) -> Cost:
    """One row."""
    made = Cost(kind, size, len(mechanism.bodies), way)
    loop = compiled_loop()
    start = time.perf_counter()
    problem = problem_of(mechanism, way)
    entries = [compiled(getattr(problem, name)) for name in ENTRIES]
    context = problem.context
    statuses = [loop(entry, context, 1) for entry in entries]
    made.setup = time.perf_counter() - start
    if any(statuses):
        made.failure = f"status {statuses}"
        return made
    found = {name: _times(loop, entry, context, repetitions) for name, entry in zip(ENTRIES, entries, strict=True)}
    made.parts = {name: min(some) for name, some in found.items()}
    made.evaluation = spread([sum(some) for some in zip(*found.values(), strict=True)])
    return made


def _times(loop: Any, entry: Any, context: Any, repetitions: int) -> list[float]:
    """Microseconds per call, as often as asked for."""
    start = time.perf_counter()
    loop(entry, context, 1)
    once = time.perf_counter() - start
    n = int(np.clip(LEAST / max(once, 1e-9), 1, MOST_LOOPS))
    found = []
    for _ in range(repetitions):
        start = time.perf_counter()
        loop(entry, context, n)
        found.append(1e6 * (time.perf_counter() - start) / n)
    return found


def run(quick: bool, say: Callable[[str], None] = print) -> list[Cost]:
    """All ways, kinds and sizes. A way is compiled on a small mechanism before it is timed."""
    made = []
    for way, (limits, reason) in LIMITS.items():
        say(f"{way}, growth")
        problem = problem_of(generated("chain", 3), way)
        for name in ENTRIES:
            compiled_loop()(compiled(getattr(problem, name)), problem.context, 1)
        for kind, sizes in (QUICK_SIZES if quick else SIZES).items():
            for size in sizes:
                mechanism = generated(kind, size)
                bodies = len(mechanism.bodies)
                if bodies > limits.get(kind, ALL):
                    made.append(Cost(kind, size, bodies, way, failure=reason))
                else:
                    made.append(measure(mechanism, kind, size, way, 3 if quick else 7))
                    cost = made[-1]
                    say(f"  {kind} {size}: {number(minimum(cost.evaluation))} µs, set up in {cost.setup:.2g} s")
    return made


def exponent(some: Sequence[Cost], least: int = FIT_FROM) -> float | None:
    """The slope of log cost over log bodies, from `least` bodies on; None with fewer than two sizes there."""
    points = [(c.bodies, c.evaluation.minimum) for c in some if c.evaluation is not None and c.bodies >= least]
    if len(points) < 2:
        return None
    n, us = np.log(np.array(points)).T
    return float(np.polyfit(n, us, 1)[0])


def tables(some: Sequence[Cost]) -> list[str]:
    """A table for each kind: microseconds by size, the exponent; and one of the seconds to set up."""
    made = []
    for what, title in (("us", "µs per evaluation"), ("setup", "seconds to set up")):
        for kind in dict.fromkeys(c.kind for c in some):
            of_kind = [c for c in some if c.kind == kind]
            sizes = sorted({c.size for c in of_kind})
            rows = []
            for way in dict.fromkeys(c.way for c in of_kind):
                costs = {c.size: c for c in of_kind if c.way == way}
                cells = [_cell(costs.get(size), what) for size in sizes]
                slope = exponent(list(costs.values()))
                rows.append([way, *cells, *([number(slope, 3), limit_of(way, kind)] if what == "us" else [])])
            tail = ["exponent", "stops because"] if what == "us" else []
            made.append(markdown(f"{title}: {kind}", ["way", *(f"{n:,}" for n in sizes), *tail], rows))
    return made


def limit_of(way: str, kind: str) -> str:
    """Why larger mechanisms were not tried."""
    limits, reason = LIMITS[way]
    return reason if kind in limits else ""


def _cell(cost: Cost | None, what: str) -> str:
    if cost is None:
        return number(None)
    if what == "setup":
        return number(cost.setup, 2)
    return cost.failure[:24] if cost.failure.startswith("status") else number(minimum(cost.evaluation))
