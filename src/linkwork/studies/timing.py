"""What a step costs."""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import Any, TypeVar

import numpy as np

from linkwork.mechanism import Mechanism
from linkwork.run.simulate import simulate
from linkwork.studies.noise import Array

Name = TypeVar("Name")

STEP = 1e-3  # s
FEWEST, MOST = 3, 40  # rounds
PATIENCE = 6.0  # s of computing
BLOCK = 0.04  # s that what is timed at once lasts at least: short calls are repeated
SHORT_BLOCK = 0.01  # s, of `quick` times

_quick: ContextVar[bool] = ContextVar("quick", default=False)


@contextmanager
def quick(wanted: bool = True) -> Iterator[None]:
    """Meanwhile times are taken in the fewest rounds, of short blocks, and of small mechanisms where they grow.

    They scatter, and more verdicts stay open.
    """
    token = _quick.set(wanted)
    try:
        yield
    finally:
        _quick.reset(token)


def microseconds(mechanism: Mechanism, variants: Mapping[str, Mapping[str, Any]], steps: int) -> dict[str, Array]:
    """Processor time per step of 1 ms in every round, preparation and records left out, by way.

    ways : name -> arguments of `simulate`. steps : how many are timed in a run.
    """

    def run(options: Mapping[str, Any], span: float) -> None:
        simulate(mechanism, span, STEP, every=round(span / STEP), **options)

    calls = {name: partial(run, options) for name, options in variants.items()}
    found = rounds(calls, (STEP, (1 + steps) * STEP), MOST, patience=PATIENCE)
    return {name: 1e6 * STEP * seconds for name, seconds in found.items()}


def processor_time(
    calls: Mapping[Name, Callable[[float], object]],
    spans: tuple[float, float],
    repeats: int,
    patience: float = math.inf,
) -> dict[Name, float]:
    """Seconds that the processor computes per second of motion, by call: the least of all `rounds`."""
    return {name: float(found.min()) for name, found in rounds(calls, spans, repeats, patience).items()}


def rounds(
    calls: Mapping[Name, Callable[[float], object]],
    spans: tuple[float, float],
    repeats: int,
    patience: float = math.inf,
) -> dict[Name, Array]:
    """Seconds that the processor computes per second of motion in every round, by call, preparation left out.

    calls : name -> a function that makes a run of a span, s. Each is timed over a short and a long span, whose
    difference counts, as often as lasts a BLOCK; all by turns. Other work on the machine hardly shows.
    patience : seconds of computing after which no new round begins, once there are a few.
    """
    keys = [(name, span) for name in calls for span in spans]
    loops = {(name, span): loops_of(partial(calls[name], span)) for name, span in keys}
    found: dict[Name, list[float]] = {name: [] for name in calls}
    begun = time.process_time()
    for done in range(allowed(repeats)):
        if done >= FEWEST and time.process_time() - begun > patience:
            break
        gc.collect()
        taken = {key: block(partial(calls[key[0]], key[1]), loops[key]) for key in keys}
        for name in calls:
            found[name].append((taken[name, spans[1]] - taken[name, spans[0]]) / (spans[1] - spans[0]))
    return {name: np.array(each) for name, each in found.items()}


def allowed(repeats: int) -> int:
    """How many rounds are taken where so many are wanted."""
    return min(repeats, FEWEST) if _quick.get() else repeats


def sizes(wanted: Sequence[int], small: int) -> tuple[int, ...]:
    """The sizes over which the growth of times is followed: of `quick` times those up to `small`."""
    return tuple(size for size in wanted if size <= small or not _quick.get())


def loops_of(call: Callable[[], object]) -> int:
    """How often a call must be repeated to last a block; it is made twice, since the first one may prepare things."""
    call()
    lasting = SHORT_BLOCK if _quick.get() else BLOCK
    return max(1, math.ceil(lasting / max(block(call, 1), 1e-6)))


def block(call: Callable[[], object], loops: int) -> float:
    """Seconds of the processor for each of so many calls."""
    start = time.process_time()
    for _ in range(loops):
        call()
    return (time.process_time() - start) / loops
