"""Plane profiles given by data: closed or open smooth curves through points, and circles."""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import pairwise
from typing import Annotated, Any

import numpy as np
from pydantic import BeforeValidator, WithJsonSchema, model_validator

from linkwork.mechanism.elements import Array, Element, Number, Positive, invalid, shown
from linkwork.mechanism.lowered import LoweredTable
from linkwork.mechanism.tables import Table, cubics, periodic_slopes

SAMPLES = 16  # points by which a circle is searched


def _points(given: Any) -> list[list[Any]]:
    if isinstance(given, np.ndarray):
        given = given.tolist()
    if not isinstance(given, list | tuple):
        raise invalid(f"must be a list of points [x, y], not {shown(given)}")
    for point in given:
        if not isinstance(point, list | tuple) or len(point) != 2:
            raise invalid(f"must be points of two numbers, x and y, not {shown(point)}")
    return [list(point) for point in given]


Points = Annotated[
    tuple[tuple[Number, Number], ...],
    BeforeValidator(_points),
    WithJsonSchema({"type": "array", "items": {"type": "array", "minItems": 2, "maxItems": 2}}),
]


class Profile(Element):
    """A smooth plane curve: through `points` [x, y] (m), closed or not, or a circle of `radius` (m) about the origin.

    Through points goes a cubic spline over the length along them, periodic where it is closed (the first point is not
    to be said again), natural where it is open: two points are a straight face, which goes on beyond its ends.
    """

    points: Points | None = None
    radius: Positive | None = None
    closed: bool = True

    @model_validator(mode="after")
    def _is_a_curve(self) -> Profile:
        if (self.points is None) == (self.radius is None):
            raise invalid("needs points or a radius, one of them")
        if self.points is None:
            if not self.closed:
                raise invalid("has a radius and is not closed; give an arc by points")
            return self
        least = 3 if self.closed else 2
        if len(self.points) < least:
            raise invalid(f"needs {least} points at least, not {len(self.points)}")
        ring = [*self.points, self.points[0]] if self.closed else list(self.points)
        for k, (a, b) in enumerate(pairwise(ring)):
            if math.dist(a, b) < 1e-12:
                also = "; a closed profile does not say its first point again" if self.closed else ""
                raise invalid(f"has two points at the same place, number {k + 1} and the next{also}")
        return self

    def lowered(self) -> tuple[LoweredTable, LoweredTable, LoweredTable]:
        """The three curves of `kernels.profiles`."""
        if self.radius is not None:
            return _circle(self.radius)
        return _spline(self.points or (), self.closed)


def _about(period: float, radius: float) -> LoweredTable:
    return LoweredTable("", ((0.0, period, radius, 0.0, 0.0),))


@lru_cache(maxsize=64)
def _circle(radius: float) -> tuple[LoweredTable, LoweredTable, LoweredTable]:
    turn = 2.0 * math.pi
    u = [turn * k / SAMPLES for k in range(SAMPLES + 1)]
    x, y = ([radius * f(a) for a in u] for f in (math.cos, math.sin))
    return _table(u, x), _table(u, y), _about(turn, radius)


@lru_cache(maxsize=64)
def _spline(points: tuple[tuple[float, float], ...], closed: bool) -> tuple[LoweredTable, LoweredTable, LoweredTable]:
    ring = np.array([*points, points[0]] if closed else points)
    u = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(ring, axis=0).T))])
    if not closed:
        x, y = (_table(u.tolist(), ring[:, c].tolist()) for c in range(2))
        return x, y, _about(0.0, 0.0)
    x, y = (_pieces(u, ring[:, c], periodic_slopes(u, ring[:, c])) for c in range(2))
    return x, y, _about(float(u[-1]), 0.0)


def _table(u: list[float], values: list[float]) -> LoweredTable:
    """Natural, going on along its ends."""
    return Table(x=tuple(u), y=tuple(values), between="cubic", outside="extend").lowered("")


def _pieces(u: Array, values: Array, slopes: Array) -> LoweredTable:
    """The cubics between points with these slopes; what stands before and behind is never asked for."""
    inner = cubics(u, values, slopes[:-1], slopes[1:])
    ends = [(u[k], values[k], slopes[k], 0.0, 0.0) for k in (0, -1)]
    rows = [ends[0], *inner, ends[1]]
    return LoweredTable("", tuple((float(a), float(b), float(c), float(d), float(e)) for a, b, c, d, e in rows))
