"""A cam pair: plane profiles of two bodies slide or roll on each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np

from linkwork.kernels.profiles import CURVES, Placed, conditions, contact, profile, seen_profile
from linkwork.kernels.tables import Curves
from linkwork.mechanism.elements import Array, invalid
from linkwork.mechanism.joints.base import Joint
from linkwork.mechanism.lowered import LoweredTable
from linkwork.mechanism.markers import Marker, Poses, triple
from linkwork.mechanism.motions import Ball, Motion, Pose, Slide
from linkwork.mechanism.primitives import Primitive
from linkwork.mechanism.profiles import Profile


class CamPair(Joint):
    """`profile` of the first body and `profile2` of the second touch: 1 locked, 2 with `rolling`: they do not slip.

    Profiles lie in the x-y planes of the joint's two places (z is `axis`): `point` is the origin of the first,
    `point2` that of the second, x the direction of both x axes (global, at assembly); or `on_first` and `on_second`.
    Points of the second profile are seen in the first's plane, which other joints keep parallel. Where the two come
    nearest to each other, they touch; where they lose contact the force pulls. The reaction acts along the common
    normal (and with `rolling` the common tangent) and is reported at the origin of the second profile.
    """

    type: Literal["cam-pair"] = "cam-pair"
    glyph: ClassVar[str] = ""
    profile: Profile
    profile2: Profile
    rolling: bool = False
    needs: ClassVar[tuple[str, ...]] = ("point", "point2", "axis")

    @classmethod
    def example(cls, place: Mapping[str, Any]) -> dict[str, Any]:
        apart, axis = np.array(place["point2"]) - np.array(place["point"]), np.array(place["axis"])
        across = float(np.linalg.norm(apart - (apart @ axis) * axis))
        return {**super().example(place), "profile": {"radius": 0.4 * across}, "profile2": {"radius": 0.6 * across}}

    def locks(self, i: Marker, j: Marker) -> tuple[Primitive, ...]:
        kinds = ("CONTACT", "CONTACT_SLIP") if self.rolling else ("CONTACT",)
        curves = (*self.profile.lowered(), *self.profile2.lowered())
        return tuple(
            Primitive(kind, a_i=i.x, b_i=i.y, a_j=j.x, s_i=i.point, s_j=j.point, n=j.y, profiles=curves)
            for kind in kinds
        )

    def moves(self, i: Marker, j: Marker) -> tuple[Motion, ...]:
        return (Touching(i, j, (*self.profile.lowered(), *self.profile2.lowered()), self.rolling),)

    def markers(self, poses: Poses) -> tuple[Marker, Marker]:
        i, j = super().markers(poses)
        z_i, z_j = (poses.world(poses.index(name), one.z) for name, one in ((self.first, i), (self.second, j)))
        if abs(float(z_i @ z_j)) < 0.5:
            raise invalid("has profiles in planes that are not parallel at the start")
        return i, j


@dataclass(frozen=True)
class Touching:
    """Every turn about the point of contact, the translation along the planes' normal, and unless it rolls along the
    common tangent."""

    i: Marker
    j: Marker
    curves: tuple[LoweredTable, ...]
    rolling: bool

    @cached_property
    def tables(self) -> Curves:
        """The profiles as kernels read them."""
        start = np.cumsum([0, *(len(one.pieces) for one in self.curves)])
        return Curves(start, np.array([piece for one in self.curves for piece in one.pieces]))

    def columns(self, first: Pose, second: Pose) -> Array:
        u, s, at = self.found(first, second)
        p, q = profile(self.tables, 0, u), profile(self.tables, CURVES, s)
        n = conditions(p, seen_profile(self.tables, CURVES, s, at))[2]
        x, y, z = (np.array(axis) for axis in (self.i.x, self.i.y, self.i.z))
        point = np.array(self.j.point) + q[0][0] * np.array(self.j.x) + q[0][1] * np.array(self.j.y)
        free = [Ball(triple(point)).columns(first, second), Slide(triple(z)).columns(first, second)]
        if not self.rolling:
            free.append(Slide(triple(-n[1] * x + n[0] * y)).columns(first, second))
        return np.concatenate(free, axis=1)

    def found(self, first: Pose, second: Pose) -> tuple[float, float, Placed]:
        """Parameters of the contact on both profiles, and how the second is seen from the first."""
        (r_i, A_i), (r_j, A_j) = first, second
        x, y = np.array(self.i.x), np.array(self.i.y)
        d = A_i.T @ (r_j + A_j @ np.array(self.j.point) - r_i) - np.array(self.i.point)
        a, b = (A_i.T @ A_j @ np.array(axis) for axis in (self.j.x, self.j.y))
        at = Placed(*(float(one @ other) for one, other in ((x, d), (y, d), (x, a), (x, b), (y, a), (y, b))))
        u, s = contact(self.tables, 0, CURVES, at)
        return float(u), float(s), at
