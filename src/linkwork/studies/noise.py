"""Ratios of times that scatter, and verdicts that know it: true, false, or too close to tell.

Ways take turns, so that a round gives one ratio each and what slows the machine for a while falls out of it. The range
of a ratio holds the middle of all rounds that could have been with a probability of 95 % or more: a pair of order
statistics, whatever the distribution. Besides, processes differ from each other by where code and data happen to lie,
which no number of rounds in one process shows: BETWEEN widens every range.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Answer = bool | None  # None: too close to tell

BETWEEN = 0.05  # by how much ratios differ from process to process, relative
MISSED = 0.05  # probability of a range without the middle, where there are rounds enough


@dataclass(frozen=True)
class Ratio:
    """A ratio that was measured: the middle one of all rounds, and between which values it is."""

    middle: float
    low: float
    high: float

    def above(self, limit: float) -> Answer:
        """Whether it is larger."""
        return True if self.low > limit else False if self.high < limit else None

    def within(self, low: float, high: float) -> Answer:
        """Whether it lies between two limits."""
        return all_of((self.above(low), opposite(self.above(high))))

    def __format__(self, spec: str) -> str:
        """The middle and the range, each as `spec` says."""
        return f"{self.middle:{spec}} ({self.low:{spec}} to {self.high:{spec}})"


def ratio(one: Array, other: Array) -> Ratio:
    """One over other, from the times of as many rounds (n,). Rounds in which a difference of times came out as nothing
    or less say nothing; where none is left, nothing is known."""
    one, other = np.asarray(one), np.asarray(other)
    told = (one > 0.0) & (other > 0.0)
    if not told.any():
        return Ratio(float("nan"), 0.0, float("inf"))
    every = np.sort(one[told] / other[told])
    k = outermost(every.size)
    return Ratio(float(np.median(every)), float(every[k]) / (1.0 + BETWEEN), float(every[-1 - k]) * (1.0 + BETWEEN))


def outermost(n: int) -> int:
    """How many of n sorted values on either side are not needed to enclose the middle of their distribution."""
    missed, k = 2.0 * 0.5**n, 0
    while True:
        missed += 2.0 * math.comb(n, k + 1) * 0.5**n
        if missed > MISSED or 2 * (k + 1) >= n:
            return k
        k += 1


def all_of(answers: Iterable[Answer]) -> Answer:
    """Whether all are true: not if one is false; unknown if none is and one is unknown."""
    given = list(answers)
    return False if False in given else None if None in given else True


def opposite(answer: Answer) -> Answer:
    """Not so, if that is known."""
    return None if answer is None else not answer
