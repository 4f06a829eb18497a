"""The path of a point of a body."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from linkwork.errors import UsageError
from linkwork.header import Array, Variable
from linkwork.quantities.curves import Curves
from linkwork.quantities.model import body_number, lowered_of, motion, path_of
from linkwork.result import Result

OF = ("time", "xyz")


@dataclass(frozen=True, repr=False)
class PointMotion(Curves):
    """A point of a body: ``position``, ``velocity``, ``acceleration``, global components."""

    @property
    def position(self) -> Array:
        """(nt, 3) m."""
        return self.arrays["position"]

    @property
    def velocity(self) -> Array:
        """(nt, 3) m/s."""
        return self.arrays["velocity"]

    @property
    def acceleration(self) -> Array:
        """(nt, 3) m/s^2."""
        return self.arrays["acceleration"]


def point(result: Result, body: str, place: Sequence[float] = (0.0, 0.0, 0.0)) -> PointMotion:
    """The motion of a point fixed in a body. place : (3,) m in the body's frame as described, its origin if left out.

    Raises UsageError for a body that does not exist, and for a place that is no point.
    """
    k = body_number(result, body)
    moved = path_of(motion(result, k), local_point(result, k, place))
    words = ("position", "velocity", "acceleration")
    where = ", ".join(f"{x:g}" for x in np.asarray(place, dtype=float))
    variables = {
        word: Variable(OF, unit, f"{word} of the point ({where}) of body {body}, global components")
        for word, unit in zip(words, ("m", "m s-1", "m s-2"), strict=True)
    }
    return PointMotion(body, result.time, dict(zip(words, moved, strict=True)), variables)


def local_point(result: Result, body: int, place: Sequence[float]) -> Array:
    """(3,) m from the body's centre of mass, in its components. place : in the described frame."""
    s = three_numbers(place, "of metres in the body's components")
    return s if body < 0 else s - np.array(lowered_of(result).bodies[body].centre)


def three_numbers(place: Sequence[float], what: str) -> Array:
    """(3,) of a point. Raises UsageError, which says what they are, for anything else."""
    try:
        s = np.array(place, dtype=float)
    except (TypeError, ValueError):
        s = np.zeros(0)
    if s.shape != (3,) or not np.all(np.isfinite(s)):
        raise UsageError(f"a point is three finite numbers {what}, not {place!r}.")
    return s
