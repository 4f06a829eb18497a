"""What every joint has: two bodies, a place, the rows it locks and the motions it leaves free.

The place is given once in global coordinates at assembly (`point`, `axis`, `x`, ...), or per body in that
body's components (`on_first`, `on_second`). Given once, joint coordinates start at zero.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from pydantic import model_validator

from linkwork.kernels.vec3 import cross, dot
from linkwork.mechanism.elements import Direction, Element, Name, Text, Vector, invalid
from linkwork.mechanism.markers import Marker, Place, Poses, direction, marker, triple
from linkwork.mechanism.motions import Motion
from linkwork.mechanism.primitives import Primitive

_ORIGIN, _UP = (0.0, 0.0, 0.0), (0.0, 0.0, 1.0)
_GLOBAL = ("point", "point2", "axis", "axis2", "x")


class Joint(Element):
    """Base of all joints. A subclass says what its place needs, what it locks and what it leaves free."""

    name: Name
    type: str
    first: Name
    second: Name
    description: Text = ""
    point: Vector | None = None
    point2: Vector | None = None
    axis: Direction | None = None
    axis2: Direction | None = None
    x: Direction | None = None
    on_first: Place | None = None
    on_second: Place | None = None

    needs: ClassVar[tuple[str, ...]] = ("point", "axis")  # global keys
    may: ClassVar[tuple[str, ...]] = ("x",)
    coordinates: ClassVar[tuple[str, ...]] = ()  # along its one axis; all there are: `mechanism.joint_coordinates`
    ground_only: ClassVar[bool] = False  # defined against ground only, which is then its first body
    glyph: ClassVar[str] = ""  # how it is drawn: a key of `linkwork.scene.glyphs.GLYPHS`; not at all
    lower_pair: ClassVar[bool] = False
    """Whether the joint is a lower pair: a body joined so to ground moves in a motion subgroup of SE(3), its twists
    in body components form one Lie algebra at every pose, and a step along their exponential keeps the joint to
    rounding [Müller 2013, sections 1 and 6]. Crosses, rods, points on lines and planes, and what rolls leave no
    subgroup. A perpendicular-1 condition does (of Schoenflies), but its rows hold the rotation alone: either group
    keeps them, so it is not counted."""

    @classmethod
    def example(cls, place: Mapping[str, Any]) -> dict[str, Any]:
        """Keywords of an example at a place in global components: `point`, `point2` (m), `axis`, `axis2`, `x`.

        axis2 and x are across axis. A joint with parameters of its own adds them. Tests assemble two bodies there.
        """
        return {key: place[key] for key in cls.needs}

    @model_validator(mode="after")
    def _place_is_whole(self) -> Joint:
        if self.ground_only and self.first != "ground":
            raise invalid(f"has first {self.first!r}; the first body of a {self.type} joint must be 'ground'")
        given = [key for key in _GLOBAL if getattr(self, key) is not None]
        per_body = [key for key in ("on_first", "on_second") if getattr(self, key) is not None]
        if given and per_body:
            raise invalid(f"gives its place both globally ({', '.join(given)}) and per body ({', '.join(per_body)})")
        for key in given:
            if key not in self.needs + self.may:
                raise invalid(f"has {key!r}, which a {self.type} joint does not use")
        if per_body:
            self._check_places()
        else:
            missing = [key for key in self.needs if key not in given]
            if missing:
                raise invalid(f"needs {' and '.join(missing)} (global, at assembly), or on_first and on_second")
        return self

    def _check_places(self) -> None:
        """Per body: both places, each with an axis where the joint has one."""
        wants_axis, wants_point = "axis" in self.needs, "point" in self.needs
        for key in ("on_first", "on_second"):
            place = getattr(self, key)
            if place is None:
                raise invalid(f"needs {key} as well, with the place on that body")
            if wants_axis and place.axis is None:
                raise invalid(f"needs an axis in {key}")
            if wants_point and place.point is None:
                raise invalid(f"needs a point in {key}")
            for part, used in (("axis", wants_axis), ("x", "x" in self.may), ("point", wants_point)):
                if not used and getattr(place, part) is not None:
                    raise invalid(f"has {key}.{part}, which a {self.type} joint does not use")

    def markers(self, poses: Poses) -> tuple[Marker, Marker]:
        """The joint's markers on its two bodies."""
        k, m = poses.index(self.first), poses.index(self.second)
        if self.on_first is not None and self.on_second is not None:
            i = _placed(poses, k, self.on_first)
            x = self.on_second.x
            if x is None:  # unstated: the x axes coincide at the given pose
                x = _same_x(poses, k, i, m, self.on_second)
            return i, _placed(poses, m, self.on_second, x)
        here = there = marker(_ORIGIN, self.axis or _UP, self.x)
        if self.axis2 is not None:
            there = marker(_ORIGIN, self.axis2, self.x)
        return _seen_from(poses, k, self.point, here), _seen_from(poses, m, self.point2 or self.point, there)

    def at_the_second(self, poses: Poses) -> Joint:
        """For joints that need no place: the same joint at the second body's centre of mass where none was given."""
        if self.on_first is not None or self.point is not None:
            return self
        return self.model_copy(update={"point": tuple(poses.pose(poses.index(self.second))[0].tolist())})

    def locks(self, i: Marker, j: Marker) -> tuple[Primitive, ...]:
        """The rows that lock the joint."""
        raise NotImplementedError

    def moves(self, i: Marker, j: Marker) -> tuple[Motion, ...]:
        """The motions it leaves free."""
        raise NotImplementedError


def _seen_from(poses: Poses, k: int, point: Any, here: Marker) -> Marker:
    """A global place, its axes those of `here`, as a marker on body k."""
    local = poses.seen_point(k, point) if point is not None else _ORIGIN
    return marker(local, poses.seen(k, here.z), poses.seen(k, here.x))


def _placed(poses: Poses, k: int, place: Place, x: Any | None = None) -> Marker:
    """A per-body place as a marker on body k."""
    point = np.zeros(3) if place.point is None else poses.point(k, place.point)
    return marker(point, place.axis or (0, 0, 1), place.x if x is None else x)


def _same_x(poses: Poses, k: int, i: Marker, m: int, place: Place) -> Any | None:
    """The first body's x axis seen from the second; None where that is along its axis, or the axis has a default."""
    if place.axis is None:
        return None
    x = triple(poses.local(m, poses.world(k, i.x)))
    across = cross(direction(place.axis), x)
    return None if math.sqrt(dot(across, across)) < 1e-3 else x
