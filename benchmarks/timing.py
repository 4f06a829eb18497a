"""Repeated timing of one call."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Spread:
    """Median and minimum of repeated measurements, in one unit."""

    median: float
    minimum: float
    repetitions: int


def spread(values: Sequence[float], scale: float = 1.0) -> Spread:
    """The spread of `scale` times each value."""
    return Spread(scale * statistics.median(values), scale * min(values), len(values))


def repeat(call: Callable[[], T], repetitions: int) -> tuple[list[float], T]:
    """Seconds of each call, without the garbage collector in between, and what the last one returned."""
    seconds = []
    for _ in range(repetitions):
        gc.collect()
        gc.disable()
        try:
            start = time.perf_counter()
            last = call()
            seconds.append(time.perf_counter() - start)
        finally:
            gc.enable()
    return seconds, last


@dataclass(frozen=True)
class Timed:
    """One call: the seconds that count, those of its compiled loop (nan where it tells none), and what it returned."""

    seconds: float
    loop: float
    kept: Any


def alternate(calls: Sequence[Callable[[], Timed]], repetitions: int) -> list[list[Timed]]:
    """Each call in turn, in so many rounds: what disturbs the machine meets all of them alike.

    Only the last round keeps what was returned. The garbage collector stays off within a round.
    """
    found: list[list[Timed]] = [[] for _ in calls]
    for left in range(repetitions - 1, -1, -1):
        gc.collect()
        gc.disable()
        try:
            for call, timed in zip(calls, found, strict=True):
                one = call()
                timed.append(one if left == 0 else Timed(one.seconds, one.loop, None))
        finally:
            gc.enable()
    return found
