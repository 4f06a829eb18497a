"""How a joint's second marker moves as seen from its first, over time, components first (`quantities.components`)."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from linkwork.header import Array
from linkwork.mechanism.markers import Marker
from linkwork.quantities.components import (
    Motion,
    Point,
    components_first,
    crossed,
    path_of,
    product,
    turned,
    turned_back,
)


class Relative:
    """The second marker, j, against the first, i; each is worked out when it is first asked for.

    All are in components of the FIRST marker except where said. Vectors p are seen by an observer on the first body.
    """

    def __init__(self, first: Motion, second: Motion, i: Marker, j: Marker) -> None:
        self._first, self._second = components_first(first), components_first(second)
        alike = (1,) * (self._first.r.ndim - 1)
        self._M, self._N = (axes_of(one).reshape(3, 3, *alike) for one in (i, j))
        self._i, self._j = (np.array(one.point).reshape(3, *alike) for one in (i, j))

    @cached_property
    def _P(self) -> Array:
        """(3, 3, ...) from components of the second body to those of the first."""
        return product(np.swapaxes(self._first.A, 0, 1), self._second.A)

    @cached_property
    def R(self) -> Array:
        """(3, 3, ...) the second marker's axes."""
        return product(np.swapaxes(self._M, 0, 1), product(self._P, self._N))

    @cached_property
    def _point(self) -> Point:
        """The second marker's point, its velocity and acceleration, in the first body's frame, which turns with w."""
        first, w = self._first, self._first.w
        place, place1, place2 = path_of(self._second, self._j)
        base, base1, base2 = path_of(first, self._i)
        p = turned_back(first.A, place - base)
        p1 = turned_back(first.A, place1 - base1) - crossed(w, p)
        p2 = (
            turned_back(first.A, place2 - base2)
            - crossed(first.alpha, p)
            - 2.0 * crossed(w, p1)
            - crossed(w, crossed(w, p))
        )
        return Point(p, p1, p2)

    @cached_property
    def p(self) -> Array:
        """(3, ...) m, the second marker's point."""
        return turned_back(self._M, self._point.position)

    @cached_property
    def p1(self) -> Array:
        """(3, ...) m/s, its velocity."""
        return turned_back(self._M, self._point.velocity)

    @cached_property
    def p2(self) -> Array:
        """(3, ...) m/s^2, its acceleration."""
        return turned_back(self._M, self._point.acceleration)

    @cached_property
    def _carried(self) -> Array:
        """Angular velocity of the first body, in the second body's frame."""
        return turned_back(self._P, self._first.w)

    @cached_property
    def _spin(self) -> Array:
        """Relative angular velocity, in the second body's frame."""
        return np.asarray(self._second.w - self._carried)

    @cached_property
    def _spin1(self) -> Array:
        """Its rate, in the second body's frame."""
        turning = turned_back(self._P, self._first.alpha)
        return np.asarray(self._second.alpha - turning + crossed(self._spin, self._carried))

    @cached_property
    def w(self) -> Array:
        """(3, ...) rad/s, relative angular velocity."""
        return turned_back(self._M, turned(self._P, self._spin))

    @cached_property
    def w1(self) -> Array:
        """(3, ...) rad/s^2, its rate."""
        return turned_back(self._M, turned(self._P, self._spin1))

    @cached_property
    def w_second(self) -> Array:
        """(3, ...) rad/s, relative angular velocity in components of the second marker."""
        return turned_back(self._N, self._spin)

    @cached_property
    def w1_second(self) -> Array:
        """(3, ...) rad/s^2, its rate in components of the second marker."""
        return turned_back(self._N, self._spin1)


def axes_of(marker: Marker) -> Array:
    """(3, 3) the marker's axes as columns, in components of its body."""
    return np.array([marker.x, marker.y, marker.z]).T
