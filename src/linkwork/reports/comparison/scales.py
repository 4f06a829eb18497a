"""Axes: from numbers to places on the paper, and the ticks between."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

MOST_TICKS = 7
NICE = (1.0, 2.0, 5.0, 10.0)


@dataclass(frozen=True)
class Scale:
    """A linear or logarithmic axis: numbers from `low` to `high` lie from `start` to `end` on the paper."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    @classmethod
    def of(cls, values: Iterable[float], start: float, end: float, *, log: bool, least: float = 0.0) -> Scale:
        """A scale that holds all values that can be shown. least : shown at the edge if smaller (logarithmic)."""
        shown = [max(v, least) if log else v for v in values if math.isfinite(v)]
        shown = [v for v in shown if v > 0.0 or not log] or [1.0, 10.0]
        low, high = min(shown), max(shown)
        if log:
            a, b = math.log10(low), math.log10(high)
            room = max(0.04 * (b - a), 0.08)
            a, b = a - room, b + room
            if b - a < 1.2:  # a decade at least, so that there are ticks to read
                middle = 0.5 * (a + b)
                a, b = middle - 0.6, middle + 0.6
            return cls(10.0**a, 10.0**b, start, end, True)
        if high - low <= 0.0:
            low, high = low - 0.5, high + 0.5
        return cls(low, high, start, end)

    def __call__(self, value: float) -> float:
        """The place of a number; those beyond the axis are at its ends."""
        if self.log:
            value = max(value, self.low)
            share = math.log10(value / self.low) / math.log10(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return self.start + min(1.0, max(0.0, share)) * (self.end - self.start)

    def ticks(self) -> list[tuple[float, str]]:
        """(number, label) of the ticks."""
        if not self.log:
            return self._linear()
        first, last = math.ceil(math.log10(self.low) - 1e-9), math.floor(math.log10(self.high) + 1e-9)
        every = max(1, math.ceil((last - first + 1) / MOST_TICKS))
        first += -first % every
        powers = [(10.0**n, _power(n)) for n in range(first, last + 1, every)]
        return powers if len(powers) > 2 else self._short(first - 1, last)

    def _short(self, first: int, last: int) -> list[tuple[float, str]]:
        """Powers of ten and some between, as many as there is room for, for axes of less than three decades."""
        found: list[tuple[float, str]] = []
        for between in ((1, 2, 5), (1, 3), (1,)):
            values = [k * 10.0**n for n in range(first, last + 1) for k in between]
            found = [(value, f"{value:.6g}") for value in values if self.low <= value <= self.high]
            if len(found) < MOST_TICKS:
                break
        return found

    def _linear(self) -> list[tuple[float, str]]:
        rough = (self.high - self.low) / 5.0
        unit = 10.0 ** math.floor(math.log10(rough))
        step = next(nice * unit for nice in NICE if nice * unit >= rough * 0.999)
        first = math.ceil(self.low / step - 1e-9)
        last = math.floor(self.high / step + 1e-9)
        return [(n * step, f"{n * step:.6g}") for n in range(first, last + 1)]


def _power(n: int) -> str:
    """10 to the n, with raised digits."""
    if n in (0, 1):
        return "10" if n else "1"
    return "10" + str(n).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
