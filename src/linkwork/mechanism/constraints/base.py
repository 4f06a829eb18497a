"""Raw primitive constraints: one row each, in the letters of Kissel 2021."""

from __future__ import annotations

from typing import ClassVar

from linkwork.mechanism.elements import Element, Formula, Name, Text, function_of_time
from linkwork.mechanism.lowered import ZERO3, Triple
from linkwork.mechanism.markers import Poses, triple
from linkwork.mechanism.primitives import Primitive


class Constraint(Element):
    """Base of raw constraints between `body_i` and `body_j`, with a prescribed function of time `f`.

    `driver` says that the constraint prescribes a motion; a function that varies with time does so anyway.
    """

    name: Name
    type: str
    body_i: Name
    body_j: Name
    description: Text = ""
    f: Formula = 0.0
    driver: bool = False

    kind: ClassVar[str]

    def row(self, poses: Poses) -> Primitive:
        """The row, in body components about centres of mass."""
        raise NotImplementedError

    def reaction_point(self, poses: Poses, *, first: bool = False) -> Triple:
        """The point of body j (or i, the first) at which the reaction is reported: its own point where it has one."""
        point, body = (getattr(self, "s_i", None), self.body_i) if first else (getattr(self, "s_j", None), self.body_j)
        return ZERO3 if point is None else triple(poses.point(poses.index(body), point))

    def prescribes(self) -> bool:
        """Whether this row drives the mechanism."""
        return self.driver or not isinstance(function_of_time(self.f), float)
