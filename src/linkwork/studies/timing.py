"""What a step costs."""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar

from linkwork.mechanism import Mechanism
from linkwork.simulate import simulate

Name = TypeVar("Name")

STEP = 1e-3  # s
FEWEST, MOST = 3, 40  # repeats
PATIENCE = 6.0  # s of computing


def microseconds(mechanism: Mechanism, ways: Mapping[str, Mapping[str, Any]], steps: int) -> dict[str, float]:
    """Processor time per step of 1 ms, preparation and records left out, by way.

    ways : name -> arguments of `simulate`. steps : how many are timed.
    """

    def run(options: Mapping[str, Any], span: float) -> None:
        simulate(mechanism, span, STEP, every=round(span / STEP), **options)

    calls = {name: partial(run, options) for name, options in ways.items()}
    found = processor_time(calls, (STEP, (1 + steps) * STEP), MOST, patience=PATIENCE)
    return {name: 1e6 * STEP * seconds for name, seconds in found.items()}


def processor_time(
    calls: Mapping[Name, Callable[[float], object]],
    spans: tuple[float, float],
    repeats: int,
    patience: float = math.inf,
) -> dict[Name, float]:
    """Seconds that the processor computes per second of motion, by call, preparation left out.

    calls : name -> a function that makes a run of a span, s. Each is timed over a short and a long span, whose
    difference counts; the best of some repeats each, all by turns. Other work on the machine hardly shows.
    patience : seconds of computing after which no new repeat begins, once there are a few.
    """
    best = {(name, span): math.inf for name in calls for span in spans}
    begun = time.process_time()
    for done in range(repeats):
        if done >= FEWEST and time.process_time() - begun > patience:
            break
        gc.collect()
        for name, span in best:
            start = time.process_time()
            calls[name](span)
            best[name, span] = min(best[name, span], time.process_time() - start)
    short, long = spans
    return {name: (best[name, long] - best[name, short]) / (long - short) for name in calls}
