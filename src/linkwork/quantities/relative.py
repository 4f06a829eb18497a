"""How a joint's second marker moves as seen from its first, over time."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np

from linkwork.header import Array
from linkwork.mechanism.markers import Marker
from linkwork.quantities.model import Motion, crossed, path_of, turned, turned_back


class Point(NamedTuple):
    """A point over time, (nt, 3) each."""

    position: Array
    velocity: Array
    acceleration: Array


class Relative:
    """The second marker, j, against the first, i, over nt samples; each is worked out when it is first asked for.

    All are in components of the FIRST marker except where said. Vectors p are seen by an observer on the first body.
    """

    def __init__(self, first: Motion, second: Motion, i: Marker, j: Marker) -> None:
        self._first, self._second, self._i, self._j = first, second, i, j
        self._M, self._N = axes_of(i), axes_of(j)
        self._P: Array = np.swapaxes(first.A, 1, 2) @ second.A
        self._carried = turned_back(self._P, first.w)
        self._spin = second.w - self._carried

    @cached_property
    def R(self) -> Array:
        """(nt, 3, 3) the second marker's axes."""
        found: Array = self._M.T @ self._P @ self._N
        return found

    @cached_property
    def _point(self) -> Point:
        """The second marker's point, its velocity and acceleration, in the first body's frame, which turns with w."""
        first, w = self._first, self._first.w
        place, place1, place2 = path_of(self._second, np.array(self._j.point))
        base, base1, base2 = path_of(first, np.array(self._i.point))
        p = turned_back(first.A, place - base)
        p1 = turned_back(first.A, place1 - base1) - crossed(w, p)
        p2 = (
            turned_back(first.A, place2 - base2)
            - crossed(first.alpha, p)
            - 2.0 * crossed(w, p1)
            - crossed(w, crossed(w, p))
        )
        return Point(p, p1, p2)

    @property
    def p(self) -> Array:
        """(nt, 3) m, the second marker's point."""
        return self._point.position @ self._M

    @property
    def p1(self) -> Array:
        """(nt, 3) m/s, its velocity."""
        return self._point.velocity @ self._M

    @property
    def p2(self) -> Array:
        """(nt, 3) m/s^2, its acceleration."""
        return self._point.acceleration @ self._M

    @cached_property
    def w(self) -> Array:
        """(nt, 3) rad/s, relative angular velocity."""
        return turned(self._P, self._spin) @ self._M

    @cached_property
    def _spin1(self) -> Array:
        """Rate of the relative angular velocity, in the second body's frame."""
        first = self._first
        found: Array = self._second.alpha - turned_back(self._P, first.alpha) + crossed(self._spin, self._carried)
        return found

    @cached_property
    def w1(self) -> Array:
        """(nt, 3) rad/s^2, its rate."""
        return turned(self._P, self._spin1) @ self._M

    @property
    def w_second(self) -> Array:
        """(nt, 3) rad/s, relative angular velocity in components of the second marker."""
        return self._spin @ self._N

    @property
    def w1_second(self) -> Array:
        """(nt, 3) rad/s^2, its rate in components of the second marker."""
        return self._spin1 @ self._N


def axes_of(marker: Marker) -> Array:
    """(3, 3) the marker's axes as columns, in components of its body."""
    return np.array([marker.x, marker.y, marker.z]).T
