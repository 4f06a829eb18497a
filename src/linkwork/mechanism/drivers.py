"""Drivers: a joint coordinate prescribed as a function of time."""

from __future__ import annotations

from typing import Literal

from linkwork.mechanism.elements import Element, Formula, Name, Text, invalid
from linkwork.mechanism.joints.base import Joint


class Driver(Element):
    """`joint`'s coordinate follows f(t): an angle (rad, with its turns; no singular position) or a displacement (m).

    `coordinate` may be left out where the joint has only one.
    """

    name: Name
    joint: Name
    f: Formula
    coordinate: Literal["angle", "displacement"] | None = None
    description: Text = ""

    def coordinate_of(self, joint: Joint) -> str:
        """The coordinate that is driven; refuses one that the joint does not have."""
        has = joint.coordinates
        if not has:
            raise invalid(f"drives joint {joint.name!r}, but a {joint.type} joint has no coordinate to drive")
        if self.coordinate is None:
            if len(has) > 1:
                raise invalid(f"needs 'coordinate': joint {joint.name!r} has {' and '.join(has)}")
            return has[0]
        if self.coordinate not in has:
            raise invalid(f"drives the {self.coordinate} of joint {joint.name!r}, which has only: {', '.join(has)}")
        return self.coordinate
