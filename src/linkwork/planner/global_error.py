"""How far two runs of one mechanism are apart through time, in the quantities that accuracy is asked of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.planner.asked import Wanted
from linkwork.result import Result

Array = NDArray[np.float64]
ROUNDING_OF_RATES = 2e-11  # of the largest value: of velocities, accelerations and reactions, both runs have it


class Lengths(NamedTuple):
    """Of a mechanism [m]. extent : how large it is, of which errors of poses are shares. length : what tolerances
    go by, longer far from the origin, where coordinates are rounded more."""

    extent: float
    length: float


@dataclass(frozen=True)
class Apart:
    """Of one quantity: distance (n,) in its unit, the largest of all bodies or joints; who : (n,) whose it is."""

    distance: Array
    who: NDArray[np.intp]

    @property
    def largest(self) -> float:
        """Over the time that both runs have."""
        return float(np.max(self.distance)) if len(self.distance) else float("nan")


def turned(A: Array, B: Array) -> Array:
    """(...) rad, the angle of the rotation from A to B, (..., 3, 3); exact for small angles, too."""
    chord = np.sqrt(np.sum((A - B) ** 2, axis=(-2, -1))) / np.sqrt(8.0)
    angle: Array = 2.0 * np.arcsin(np.minimum(chord, 1.0))
    return angle


def apart(one: Result, other: Result, asked: Sequence[Wanted], length: float) -> tuple[Apart, ...]:
    """How far two runs are apart in each quantity asked for, over the samples that both have.

    length : how large the mechanism is [m], of which positions in poses are shares.
    """
    n = min(one.time.size, other.time.size)
    return tuple(_apart(one, other, each, n, length) for each in asked)


def _apart(one: Result, other: Result, asked: Wanted, n: int, length: float) -> Apart:
    numbers = [one.index(asked.kind.of, name) for name in asked.who]
    pick = numbers or slice(None)
    each = [_distance(name, *(run.read(name, 0, n)[:, pick] for run in (one, other))) for name in asked.kind.variables]
    if asked.quantity == "pose":
        each[0] /= length
    distance = reduce(np.maximum, each)
    worst = distance.argmax(axis=1) if n else np.zeros(0, dtype=np.intp)
    return Apart(np.max(distance, axis=1, initial=0.0), np.array(numbers, dtype=np.intp)[worst] if numbers else worst)


def _distance(name: str, a: Array, b: Array) -> Array:
    """(n, ...) of one variable."""
    if name == "rotation":
        return turned(a, b)
    distance: Array = np.linalg.norm(a - b, axis=-1)
    if name != "position":
        distance += ROUNDING_OF_RATES * float(np.max(np.linalg.norm(a, axis=-1), initial=0.0))
    return distance


def ratio(found: Sequence[Apart], asked: Sequence[Wanted]) -> Array:
    """(n,) the largest error of all quantities as a multiple of what was asked of it."""
    each = [one.distance / want.bound for one, want in zip(found, asked, strict=True)]
    largest: Array = np.max(np.array(each), axis=0)
    return largest if np.isfinite(largest).all() else np.nan_to_num(largest, nan=np.inf)
