"""A motor or servo on a joint coordinate, with a gear and a limit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import model_validator

from linkwork.mechanism.elements import Law, Number, Positive, invalid
from linkwork.mechanism.expressions import Expression
from linkwork.mechanism.forces.on_joint import OnJoint, names_of, quantity_of
from linkwork.mechanism.joints.base import Joint
from linkwork.mechanism.lowered import LoweredEffort
from linkwork.mechanism.markers import Poses


class Motor(OnJoint):
    """Drives a joint's coordinate q with ratio clip(u, -limit, limit), N m or N, against its first body.

    u = effort + stiffness (position - q) + damping (velocity - q'), all of them numbers or formulas; `effort` alone is
    a motor with a torque, `position` with stiffness and damping a servo, `velocity` with damping a speed controller.
    Formulas call the coordinate `angle` or `displacement`, and its rate `rate`.
    """

    type: Literal["motor"] = "motor"
    effort: Law = 0.0
    position: Law | None = None
    velocity: Law | None = None
    stiffness: Law = 0.0
    damping: Law = 0.0
    ratio: Number = 1.0
    limit: Positive | None = None

    @model_validator(mode="after")
    def _has_gains(self) -> Motor:
        if self.position is not None and self.stiffness == 0.0:
            raise invalid("has a position to hold and no stiffness to hold it with")
        if self.velocity is not None and self.damping == 0.0:
            raise invalid("has a velocity to hold and no damping to hold it with")
        if self.stiffness != 0.0 and self.position is None:
            raise invalid("has a stiffness and no position; for a spring take type 'joint-spring'")
        return self

    def lower(self, poses: Poses, joints: Mapping[str, Joint]) -> list[LoweredEffort]:
        quantity, coordinate = quantity_of(joints[self.joint], self.coordinate, poses)
        u = f"({self.effort})"
        if self.position is not None:
            u += f" + ({self.stiffness})*(({self.position}) - {coordinate})"
        if self.damping != 0.0:
            u += f" + ({self.damping})*(({self.velocity or 0.0}) - rate)"
        if self.limit is not None:
            u = f"clip({u}, -({self.limit}), {self.limit})"
        law = Expression.of_state(f"({self.ratio})*({u})")
        parts = self.formulas("effort", "position", "velocity", "stiffness", "damping")
        return [LoweredEffort(self.name, quantity, law, "effort", names_of(quantity, coordinate), parts=parts)]
