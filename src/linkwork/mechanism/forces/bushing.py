"""A bushing: an elastic joint with a stiffness along and about each axis, or a full 6 x 6 one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BeforeValidator, WithJsonSchema, model_validator

from linkwork.mechanism.elements import Direction, Name, Number, Vector, invalid, shown
from linkwork.mechanism.expressions import Expression
from linkwork.mechanism.expressions.tree import Node
from linkwork.mechanism.forces.base import Force
from linkwork.mechanism.joints.base import Joint
from linkwork.mechanism.lowered import ZERO3, LoweredEffort, Quantity
from linkwork.mechanism.markers import Marker, Place, Poses, marker, triple
from linkwork.mechanism.measuring import rate, turn_about, value


def _six_by_six(given: Any) -> list[list[Any]]:
    """Two numbers (along all axes, about all axes), six (along and about each), or six rows of six."""
    if isinstance(given, np.ndarray):
        given = given.tolist()
    if isinstance(given, list | tuple) and len(given) == 2:
        given = [given[0]] * 3 + [given[1]] * 3
    if not isinstance(given, list | tuple) or len(given) != 6:
        raise invalid(f"must be 2 or 6 numbers, or 6 rows of 6, not {shown(given)}")
    if not any(isinstance(row, list | tuple) for row in given):
        given = [[number if k == n else 0.0 for k in range(6)] for n, number in enumerate(given)]
    if any(not isinstance(row, list | tuple) or len(row) != 6 for row in given):
        raise invalid("must have six rows of six numbers")
    return [list(row) for row in given]


SixBySix = Annotated[
    tuple[tuple[Number, ...], ...], BeforeValidator(_six_by_six), WithJsonSchema({"type": "array", "minItems": 2})
]
NONE = ((0.0,) * 6,) * 6
UP = (0.0, 0.0, 1.0)


class Bushing(Force):
    """Between `first` and `second` at a global `point`: -(K d + C d') acts on the second body, in a frame of the first.

    d are the ways of the second body's point along x, y, z of that frame and the angles about them (as sines, small),
    all zero at the start. z is `axis` (global), x across it is `x`. `stiffness` (K) and `damping` (C): 2 numbers (N/m
    along, N m/rad about), 6, or 6 rows of 6. Given per body, `on_first` and `on_second` are the frame in each, which
    coincide where d is zero.
    """

    type: Literal["bushing"] = "bushing"
    first: Name
    second: Name
    point: Vector | None = None
    axis: Direction | None = None
    x: Direction | None = None
    on_first: Place | None = None
    on_second: Place | None = None
    stiffness: SixBySix
    damping: SixBySix = NONE

    def bodies(self) -> dict[str, str]:
        return {"first": self.first, "second": self.second}

    @model_validator(mode="after")
    def _check_places(self) -> Bushing:
        """Raise where its frame is said twice, or not at all."""
        per_body = (self.on_first, self.on_second)
        if any(per_body):
            if (self.point, self.axis, self.x) != (None, None, None) or not all(per_body):
                raise invalid("takes point, axis and x (global), or on_first and on_second instead")
            if any(place is None or place.point is None for place in per_body):
                raise invalid("needs a point in on_first and in on_second")
        elif self.point is None:
            raise invalid("needs a point (global), or on_first and on_second")
        return self

    def frames(self, poses: Poses) -> tuple[Marker, Marker]:
        """Its frame on the first and on the second body."""
        bodies = (poses.index(self.first), poses.index(self.second))
        if self.on_first is not None and self.on_second is not None:
            i, j = (
                marker(poses.point(b, place.point), place.axis or UP, place.x)
                for b, place in zip(bodies, (self.on_first, self.on_second), strict=True)
            )
            return i, j
        here, point = marker((0, 0, 0), self.axis or UP, self.x), self.point or ZERO3
        axes = (here.x, here.y, here.z)
        i, j = (Marker(triple(poses.local_point(b, point)), *(triple(poses.local(b, e)) for e in axes)) for b in bodies)
        return i, j

    def relocate(self, described: dict[str, Any], poses: Poses, A: Any) -> None:
        for key in ("point", "axis", "x"):
            described.pop(key, None)
        where = zip(("on_first", "on_second"), self.bodies().values(), self.frames(poses), strict=True)
        for key, body, frame in where:
            point = np.array(frame.point) - poses.point(poses.index(body), ZERO3)
            described[key] = {"point": point.tolist(), "axis": list(frame.z), "x": list(frame.x)}

    def lower(self, poses: Poses, joints: Mapping[str, Joint]) -> list[LoweredEffort]:
        k, m = poses.index(self.first), poses.index(self.second)
        i, j = self.frames(poses)
        on_first, on_second, s_i, s_j = (i.x, i.y, i.z), (j.x, j.y, j.z), i.point, j.point
        travels = [Quantity("TRAVEL", k, m, a_i=axis, s_i=s_i, s_j=s_j) for axis in on_first]
        rotations = [turn_about(k, axis, m) for axis in on_first]
        names: dict[str, Node] = {}
        for n in range(3):
            names[f"d{n}"], names[f"d{n}_rate"] = value(travels[n]), rate(travels[n])
            names[f"d{3 + n}_rate"] = rate(rotations[n])
            for c in range(3):
                names[f"c{n}{c}"] = value(Quantity("COSINE", k, m, a_i=on_first[n], a_j=on_second[c]))
        angles = {3: "0.5*(c21 - c12)", 4: "0.5*(c02 - c20)", 5: "0.5*(c10 - c01)"}
        made = []
        for n, along in enumerate([*travels, *rotations]):
            terms = [f"({self.stiffness[n][c]})*({angles.get(c, f'd{c}')})" for c in range(6) if self.stiffness[n][c]]
            terms += [f"({self.damping[n][c]})*d{c}_rate" for c in range(6) if self.damping[n][c]]
            if terms:
                law = Expression.of_state(f"-({' + '.join(terms)})")
                made.append(LoweredEffort(self.name, along, law, "xyz"[n % 3], names))
        return made
