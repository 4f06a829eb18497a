"""Drivers: a joint coordinate, or where a point of a body is, prescribed as a function of time."""

from __future__ import annotations

from pydantic import model_validator

from linkwork.mechanism.elements import Element, Formula, Name, Text, Vector, function_of_time, invalid
from linkwork.mechanism.expressions import Expression
from linkwork.mechanism.joint_coordinates import driving_row, names_to_drive, which_of
from linkwork.mechanism.joints.base import Joint
from linkwork.mechanism.lowered import Triple
from linkwork.mechanism.markers import Marker
from linkwork.mechanism.primitives import GLOBAL_AXES, Primitive

AXES = dict(zip("xyz", GLOBAL_AXES, strict=True))


class Driver(Element):
    """`coordinate` of `joint` follows f(t): an angle (rad, with its turns; no singular position) or a displacement (m).

    It may be left out where the joint has only one. Joints with several have `angle_1`, `displacement_2` and so on, as
    `Result.joint` names them; a ball has `yaw`, `pitch` and `roll`, R = R_z(yaw) R_y(pitch) R_x(roll), with the pitch
    within a quarter turn. With `body` instead of `joint`, the global `x`, `y` or `z` of a `point` of that body (in its
    components; its frame's origin if left out) follows f(t): a moving support.
    """

    name: Name
    joint: Name | None = None
    body: Name | None = None
    point: Vector | None = None
    f: Formula
    coordinate: Text | None = None
    description: Text = ""

    @model_validator(mode="after")
    def _drives_one_thing(self) -> Driver:
        if (self.joint is None) == (self.body is None):
            raise invalid("needs a 'joint' whose coordinate it drives, or a 'body' whose point it drives; one of them")
        if self.body is None and self.point is not None:
            raise invalid("has a point, which only a driver of a body's point takes")
        if self.body is not None and self.coordinate not in AXES:
            raise invalid("needs 'coordinate', which of a body's point is 'x', 'y' or 'z', global")
        return self

    def coordinate_of(self, joint: Joint) -> str:
        """The joint's coordinate that is driven; refuses one that the joint does not have."""
        return which_of(joint, self.coordinate, "drives", names_to_drive(joint))

    def row(self, joint: Joint, i: Marker, j: Marker) -> Primitive:
        """The row that prescribes the joint's coordinate."""
        return driving_row(joint, self.coordinate_of(joint), i, j, self.prescribed)

    def row_of_point(self, point: Triple) -> Primitive:
        """The row that prescribes where a point (from the body's centre of mass) is; its first body is ground."""
        return Primitive("CD", a_i=AXES[self.coordinate or "x"], s_j=point, f=self.prescribed)

    @property
    def prescribed(self) -> Expression | float:
        """f as a function of time."""
        return function_of_time(self.f)
