"""The motions a joint leaves free, as data; the second face of a joint.

`columns` gives the directions u_j = (rdot_j global, omega_j body) of the second body while the first is at
rest, as (6, n), at poses (r, A) of the two bodies.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from linkwork.mechanism.elements import Array
from linkwork.mechanism.lowered import Triple
from linkwork.mechanism.markers import Marker, perpendicular, triple, unit

Pose = tuple[Array, Array]


class Motion(Protocol):
    """One or more free directions."""

    def columns(self, first: Pose, second: Pose) -> Array:
        """The directions, (6, n)."""


def _turn(axis: Array, through: Array, second: Pose) -> Array:
    """The turn of the second body about a global axis through a global point, as a column of six."""
    r, A = second
    return np.concatenate([np.cross(axis, r - through), A.T @ axis])


@dataclass(frozen=True)
class Turn:
    """A turn about `axis` (components of the first body, or of the second) through `point` of the second."""

    axis: Triple
    point: Triple
    on_second: bool = False

    def columns(self, first: Pose, second: Pose) -> Array:
        axis = (second if self.on_second else first)[1] @ np.array(self.axis)
        through = second[0] + second[1] @ np.array(self.point)
        return np.stack([_turn(axis, through, second)], axis=1)


@dataclass(frozen=True)
class Helix:
    """A turn as `Turn` makes it about an axis of the first body, advancing along it by `travel` m per radian."""

    axis: Triple
    point: Triple
    travel: float

    def columns(self, first: Pose, second: Pose) -> Array:
        axis = first[1] @ np.array(self.axis)
        turn = _turn(axis, second[0] + second[1] @ np.array(self.point), second)
        turn[:3] += self.travel * axis
        return turn[:, None]


@dataclass(frozen=True)
class Slide:
    """A translation along `axis` (components of the first body, or of the second)."""

    axis: Triple
    on_second: bool = False

    def columns(self, first: Pose, second: Pose) -> Array:
        axis = (second if self.on_second else first)[1] @ np.array(self.axis)
        return np.stack([np.concatenate([axis, np.zeros(3)])], axis=1)


@dataclass(frozen=True)
class Ball:
    """Every turn about `point` of the second body."""

    point: Triple

    def columns(self, first: Pose, second: Pose) -> Array:
        through = second[0] + second[1] @ np.array(self.point)
        return np.stack([_turn(e, through, second) for e in np.eye(3)], axis=1)


@dataclass(frozen=True)
class Bend:
    """The two turns about `point` of the second body across the sum of two axes, one of each body."""

    axis: Triple
    axis2: Triple
    point: Triple

    def columns(self, first: Pose, second: Pose) -> Array:
        half = unit(first[1] @ np.array(self.axis) + second[1] @ np.array(self.axis2))
        x = perpendicular(triple(half))
        through = second[0] + second[1] @ np.array(self.point)
        return np.stack([_turn(np.array(e), through, second) for e in (x, np.cross(half, x))], axis=1)


@dataclass(frozen=True)
class SlideAcross:
    """The two translations perpendicular to the line from the first body's point to the second's."""

    i: Triple
    j: Triple

    def columns(self, first: Pose, second: Pose) -> Array:
        along = unit(second[0] + second[1] @ np.array(self.j) - first[0] - first[1] @ np.array(self.i))
        x = perpendicular(triple(along))
        return np.stack([np.concatenate([e, np.zeros(3)]) for e in (x, np.cross(along, x))], axis=1)


@dataclass(frozen=True)
class Roll:
    """Every turn of a thin disc (its z axis, its centre at the body's origin) about the point it touches a plane at."""

    plane: Marker
    disc: Marker
    radius: float

    def columns(self, first: Pose, second: Pose) -> Array:
        through = second[0] + contact(first[1] @ np.array(self.plane.z), second[1] @ np.array(self.disc.z), self.radius)
        return np.stack([_turn(e, through, second) for e in np.eye(3)], axis=1)


def contact(normal: Any, axis: Any, radius: float) -> Array:
    """From a disc's centre to its lowest point over a plane: -R (n - (n.a) a) / |n - (n.a) a|, global."""
    n, a = np.array(normal), np.array(axis)
    down = n - (n @ a) * a
    return np.asarray(-radius * down / math.hypot(*down))
