"""The translational spring-damper-actuator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from pydantic import model_validator

from linkwork.mechanism.elements import Law, Name, NotNegative, Vector, invalid, law
from linkwork.mechanism.forces.base import Force
from linkwork.mechanism.joints.base import Joint
from linkwork.mechanism.lowered import Array, LoweredElement
from linkwork.mechanism.markers import Place, Poses, triple


class Spring(Force):
    """Between a point of `first` and a point of `second`; tension stiffness (l - length) + damping ldot + actuator(t).

    The ends are `point` and `point2` (global, at assembly) or `on_first: {point}` and `on_second: {point}`.
    `length` is the free length (m), the distance at the start pose if left out.
    """

    type: Literal["spring"] = "spring"
    first: Name
    second: Name
    point: Vector | None = None
    point2: Vector | None = None
    on_first: Place | None = None
    on_second: Place | None = None
    stiffness: Law = 0.0
    damping: Law = 0.0
    length: NotNegative | None = None
    actuator: Law = 0.0

    @model_validator(mode="after")
    def _has_ends(self) -> Spring:
        once = (self.point is not None, self.point2 is not None)
        each = tuple(p is not None and p.point is not None for p in (self.on_first, self.on_second))
        if not ((all(once) and not any((self.on_first, self.on_second))) or (all(each) and not any(once))):
            raise invalid("needs its two ends: point and point2 (global), or a point in on_first and in on_second")
        for place in (self.on_first, self.on_second):
            if place is not None and (place.axis is not None or place.x is not None):
                raise invalid("has an axis in on_first or on_second, which a spring does not use")
        return self

    def bodies(self) -> dict[str, str]:
        return {"first": self.first, "second": self.second}

    def lower(self, poses: Poses, joints: Mapping[str, Joint]) -> LoweredElement:
        k, m = poses.index(self.first), poses.index(self.second)
        if self.on_first is not None and self.on_second is not None:
            s_i, s_j = poses.point(k, self.on_first.point), poses.point(m, self.on_second.point)
        else:
            s_i, s_j = poses.local_point(k, self.point), poses.local_point(m, self.point2)
        start = float(np.linalg.norm(poses.world_point(m, s_j) - poses.world_point(k, s_i)))
        if start < 1e-9 and not (self.length == 0.0 and self.actuator == 0.0):
            raise invalid("has both ends at the same point at the start, where its direction is undefined")
        return LoweredElement(
            "SPRING",
            name=self.name,
            body_i=k,
            body_j=m,
            s_i=triple(s_i),
            s_j=triple(s_j),
            stiffness=law(self.stiffness),
            damping=law(self.damping),
            rest=start if self.length is None else self.length,
            actuator=law(self.actuator),
        )

    def relocate(self, described: dict[str, Any], poses: Poses, A: Array) -> None:
        """Its ends per body, and its free length where that was the distance at the old pose."""
        flat = self.lower(poses, {})
        ends = ((flat.body_i, flat.s_i), (flat.body_j, flat.s_j))
        on_first, on_second = ({"point": (np.array(s) - poses.point(k, (0.0, 0.0, 0.0))).tolist()} for k, s in ends)
        for key in ("point", "point2"):
            described.pop(key, None)
        described |= {"on_first": on_first, "on_second": on_second, "length": flat.rest}
