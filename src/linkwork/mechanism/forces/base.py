"""What every force element has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from linkwork.mechanism.elements import Element, Name, Text
from linkwork.mechanism.joints.base import Joint
from linkwork.mechanism.lowered import LoweredEffort, LoweredLoad, LoweredSpring, LoweredTorsion
from linkwork.mechanism.markers import Poses

Made = LoweredLoad | LoweredSpring | LoweredTorsion | LoweredEffort


class Force(Element):
    """Base of all force elements."""

    name: Name
    type: str
    description: Text = ""

    def bodies(self) -> dict[str, str]:
        """The bodies it acts on, by the key that names them."""
        raise NotImplementedError

    def joints(self) -> tuple[str, ...]:
        """The joints on whose coordinates it acts."""
        return ()

    def lower(self, poses: Poses, joints: Mapping[str, Joint]) -> Made | Sequence[Made]:
        """The element by body numbers, in body components about centres of mass."""
        raise NotImplementedError
