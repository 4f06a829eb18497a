"""What a step costs."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from linkwork.mechanism import Mechanism
from linkwork.simulate import simulate

Name = TypeVar("Name")

STEP = 1e-3  # s
ROUNDS = (3, 40)  # fewest and most
PATIENCE = 6.0  # s, after which no new round begins


def microseconds(mechanism: Mechanism, ways: Mapping[str, Mapping[str, Any]], steps: int) -> dict[str, float]:
    """Least processor time per step in the compiled loop of some runs of so many steps of 1 ms, by way.

    ways : name -> arguments of `simulate`. All take turns, so that they see the same weather on a shared machine.
    """
    best = dict.fromkeys(ways, float("inf"))
    begun, done = time.perf_counter(), 0
    while done < ROUNDS[0] or (done < ROUNDS[1] and time.perf_counter() - begun < PATIENCE):
        for name, options in ways.items():
            gc.collect()
            result = simulate(mechanism, steps * STEP, STEP, every=steps, **options)
            best[name] = min(best[name], 1e6 * result.info["processor_seconds"] / steps)
        done += 1
    return best


def processor_time(
    calls: Mapping[Name, Callable[[float], object]], spans: tuple[float, float], repeats: int
) -> dict[Name, float]:
    """Seconds that the processor computes per second of motion, by call, preparation left out.

    calls : name -> a function that makes a run of a span, s. Each is timed over a short and a long span, whose
    difference counts; the best of some repeats each, all by turns. Other work on the machine hardly shows.
    """
    best = {(name, span): float("inf") for name in calls for span in spans}
    for _ in range(repeats):
        gc.collect()
        for name, span in best:
            start = time.process_time()
            calls[name](span)
            best[name, span] = min(best[name, span], time.process_time() - start)
    short, long = spans
    return {name: (best[name, long] - best[name, short]) / (long - short) for name in calls}
