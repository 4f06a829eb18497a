"""Measured orders of convergence: errors over ever smaller steps, and the slope where they can be trusted."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.errors import ConvergenceError

Array = NDArray[Any]
COARSEST, FINEST = 1e-4, 1e-11  # errors between which the slope is fitted: asymptotic, and above rounding


@dataclass(frozen=True)
class Convergence:
    """Steps (n,) s and the errors met with them (n,), coarse to fine."""

    steps: Array
    errors: Array

    @property
    def trusted(self) -> NDArray[np.bool_]:
        """(n,) whether an error lies in the fitted range."""
        inside: NDArray[np.bool_] = (self.errors < COARSEST) & (self.errors > FINEST)
        return inside

    @property
    def order(self) -> float:
        """The slope of log error over log step within the range, NaN with fewer than three errors there."""
        inside = self.trusted
        if inside.sum() < 3:
            return math.nan
        return float(np.polyfit(np.log(self.steps[inside]), np.log(self.errors[inside]), 1)[0])


def measure(error: Callable[[int], float], t_end: float, fewest: int, most: int, growth: float = 2.0) -> Convergence:
    """Errors with a count of `fewest`, then growth times as many, ... until one is below the range, or up to `most`.

    error : the error met with a count of steps, or of equal groups of them; a `step` is t_end over that count.
    Counts at which the method does not get through (turns too large for one step) are passed over.
    """
    counts, errors = [], []
    for n in ladder(fewest, most, growth):
        try:
            found = error(n)
        except ConvergenceError:
            continue
        if math.isfinite(found):
            counts.append(n)
            errors.append(found)
        if found < FINEST:
            break
    return Convergence(t_end / np.array(counts, dtype=float), np.array(errors))


def ladder(fewest: int, most: int, growth: float) -> list[int]:
    """Growing step counts from fewest to at most `most`, none twice."""
    rungs = [round(fewest * growth**k) for k in range(1 + int(math.log(most / fewest) / math.log(growth) + 1e-9))]
    return [rungs[0], *(b for a, b in pairwise(rungs) if b > a)]
