"""Repeated timing of one call."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

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
