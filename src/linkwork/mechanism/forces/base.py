"""What every force element has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

from pydantic import model_validator

from linkwork.mechanism.elements import Element, Name, Text, need_weight
from linkwork.mechanism.expressions import Expression
from linkwork.mechanism.joints.base import Joint
from linkwork.mechanism.lowered import Array, LoweredEffort, LoweredElement, LoweredLoad
from linkwork.mechanism.markers import Poses

Made = LoweredLoad | LoweredElement | LoweredEffort


class Force(Element):
    """Base of all force elements."""

    name: Name
    needs_coordinate: ClassVar[str] = ""  # which its `joints` must have
    glyph: ClassVar[str] = ""  # 'ring': an element on a joint that pictures show as a ring around its axis
    type: str
    description: Text = ""

    @model_validator(mode="after")
    def _firm(self) -> Self:
        for what in ("stiffness", "damping"):
            need_weight(what, getattr(self, what, None), "(SI)")
        return self

    def bodies(self) -> dict[str, str]:
        """The bodies it acts on, by the key that names them."""
        raise NotImplementedError

    def joints(self) -> tuple[str, ...]:
        """The joints on whose coordinates it acts."""
        return ()

    def relocate(self, described: dict[str, Any], poses: Poses, A: Array) -> None:
        """Write into its description what would mean something else at another start pose; nothing if left out.

        poses : at the old pose. A : (nb + 1, 9) rotations of all bodies at the new one, ground last.
        """

    def lower(self, poses: Poses, joints: Mapping[str, Joint]) -> Made | Sequence[Made]:
        """The element by body numbers, in body components about centres of mass."""
        raise NotImplementedError

    def formulas(self, *fields: str) -> dict[str, Expression]:
        """Those of these fields that are formulas, for messages to name the one that is wrong."""
        said = {name: getattr(self, name) for name in fields}
        return {name: Expression.of_state(one) for name, one in said.items() if isinstance(one, str)}
