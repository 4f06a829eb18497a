"""Where a joint sits on its two bodies: a point and three axes on each, and how they are given.

Once in global coordinates at assembly, both bodies taking their own view of the same place, or per body in
that body's components.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from linkwork.kernels.mat33 import IDENTITY, rotate_t
from linkwork.kernels.vec3 import axpy, cross, dot, sub
from linkwork.mechanism.body import Body
from linkwork.mechanism.elements import GROUND, Array, Direction, Element, Vector, invalid
from linkwork.mechanism.lowered import LoweredBody, Triple
from linkwork.mechanism.rotation import rotation_matrix

NEARLY = 0.135  # cosine: what does not count between two coordinate axes
_UNKNOWN = (0.0, 0.0, 0.0)  # a velocity that is not stated, until assembly has found it


class Place(Element):
    """A place on one body, in its components: a point, an axis, and the direction of the x axis."""

    point: Vector | None = None
    axis: Direction | None = None
    x: Direction | None = None


class Marker(NamedTuple):
    """A point and right-handed unit axes on one body, in its components (frame at the centre of mass)."""

    point: Triple
    x: Triple
    y: Triple
    z: Triple


def triple(v: Any) -> Triple:
    """Three plain floats."""
    return (float(v[0]), float(v[1]), float(v[2]))


def unit(v: Any) -> Array:
    """v / |v|."""
    w = np.array(v, dtype=float)
    return np.asarray(w / math.hypot(*w))


def direction(v: Any) -> Triple:
    """`unit` in plain floats, which thousands of joints are quicker with."""
    x, y, z = float(v[0]), float(v[1]), float(v[2])
    size = math.hypot(x, y, z)
    return (x / size, y / size, z / size)


def perpendicular(z: Triple) -> Triple:
    """A unit vector perpendicular to z: from the first coordinate axis that is NEARLY the one that is least along it.

    Beside coordinate axes, diagonals of squares and of the cube the choice stays: frames have derivatives there.
    """
    least = min(abs(z[0]), abs(z[1]), abs(z[2]))
    k = next((k for k in range(3) if abs(z[k]) <= least + NEARLY), 0)
    e = (float(k == 0), float(k == 1), float(k == 2))
    return direction(axpy(-z[k], z, e))


def marker(point: Any, axis: Any, x: Any | None) -> Marker:
    """The marker at a point with z along `axis` and x along the part of `x` perpendicular to it.

    Raises ValueError where x is along the axis.
    """
    z = direction(axis)
    if x is None:
        e = perpendicular(z)
    else:
        along = direction(x)
        e = axpy(-dot(along, z), z, along)
        if math.hypot(*e) < 1e-6:
            raise invalid("has its x direction along its axis; take another")
        e = direction(e)
    return Marker(triple(point), e, cross(z, e), z)


class Poses:
    """Where all bodies are at the start, frames at centres of mass, and views between global and body."""

    def __init__(self, bodies: Sequence[Body], known: Mapping[int, LoweredBody] | None = None) -> None:
        """known : what some of these very bodies come to, by id."""
        self.bodies = tuple((known or {}).get(id(body)) or _lowered(body) for body in bodies)
        self._index = {body.name: k for k, body in enumerate(bodies)} | {GROUND: -1}
        self._offset = [np.array(body.centre) for body in self.bodies]
        self._plain: list[Any] = [(b.position.tolist(), b.rotation.ravel().tolist()) for b in self.bodies]
        self._plain.append(([0.0, 0.0, 0.0], list(IDENTITY)))  # number -1: ground

    def standing(self, others: Poses) -> set[str]:
        """Names of bodies that stand where those of another mechanism do, bit by bit, whatever their masses and rates
        are."""
        found = set[str]()
        for one, other in zip(self.bodies, others.bodies, strict=False):
            same = one is other or (one.name == other.name and repr(one.centre) == repr(other.centre))
            pairs = () if one is other else ((one.position, other.position), (one.rotation, other.rotation))
            if same and all(a.tobytes() == b.tobytes() for a, b in pairs):
                found.add(one.name)
        return found

    def index(self, name: str) -> int:
        """The body's number, -1 for ground."""
        return self._index[name]

    def pose(self, k: int) -> tuple[Array, Array]:
        """r and A of body k."""
        if k < 0:
            return np.zeros(3), np.eye(3)
        return self.bodies[k].position, self.bodies[k].rotation

    def rates(self, k: int) -> tuple[Array, Array]:
        """rdot (global) and omega (body components) of body k."""
        if k < 0:
            return np.zeros(3), np.zeros(3)
        return self.bodies[k].velocity, self.bodies[k].angular_velocity

    def point(self, k: int, given: Any) -> Array:
        """A point given in the described frame of body k, from its centre of mass."""
        return np.array(given, dtype=float) - (self._offset[k] if k >= 0 else 0.0)

    def is_offset(self, k: int) -> bool:
        """Whether the described frame of body k is away from its centre of mass."""
        return k >= 0 and bool(np.any(self._offset[k] != 0.0))

    def local_point(self, k: int, given: Any) -> Array:
        """A global point in components of body k, from its centre of mass."""
        r, A = self.pose(k)
        return np.asarray(A.T @ (np.array(given, dtype=float) - r))

    def local(self, k: int, given: Any) -> Array:
        """A global vector in components of body k."""
        return np.asarray(self.pose(k)[1].T @ np.array(given, dtype=float))

    def seen(self, k: int, given: Any) -> Triple:
        """`local` in plain floats."""
        return rotate_t(self._plain[k][1], given)

    def seen_point(self, k: int, given: Any) -> Triple:
        """`local_point` in plain floats."""
        r, A = self._plain[k]
        return rotate_t(A, sub(given, r))

    def world(self, k: int, vector: Any) -> Array:
        """A vector of body k in global components."""
        return np.asarray(self.pose(k)[1] @ np.array(vector, dtype=float))

    def world_point(self, k: int, point: Any) -> Array:
        """A point of body k (from its centre of mass) in global coordinates."""
        r, A = self.pose(k)
        return np.asarray(r + A @ np.array(point, dtype=float))


def _lowered(body: Body) -> LoweredBody:
    """The body with its frame moved to the centre of mass."""
    A, _ = rotation_matrix(body.rotation)
    spin = body.angular_velocity or _UNKNOWN
    position, velocity = np.array(body.position), np.array(body.velocity or _UNKNOWN)
    (mass, inertia), centre = body.mass_properties(), body.centre
    if any(centre):
        position = position + A @ np.array(centre)
        velocity = velocity + A @ np.array(cross(spin, centre))
    return LoweredBody(
        name=body.name,
        mass=mass,
        inertia=inertia,
        position=position,
        rotation=A,
        velocity=velocity,
        angular_velocity=np.array(spin),
        stated=body.stated,
        centre=centre,
    )
