"""A tendon over joints: spring, damper and actuator along a sum of joint coordinates, as MuJoCo's fixed tendons."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from typing import Literal

from pydantic import model_validator

from linkwork.mechanism.couplings.belt import Several
from linkwork.mechanism.couplings.cable import coordinate_in
from linkwork.mechanism.elements import Law, NotNegative, Number, invalid
from linkwork.mechanism.expressions import Expression
from linkwork.mechanism.expressions.tree import Node, apply, number
from linkwork.mechanism.forces.base import Force
from linkwork.mechanism.forces.on_joint import quantity_of
from linkwork.mechanism.joints.base import Joint
from linkwork.mechanism.lowered import LoweredEffort
from linkwork.mechanism.markers import Poses
from linkwork.mechanism.measuring import rate, value
from linkwork.mechanism.tables import Numbers


class Tendon(Force):
    """Pulls on joint coordinates q_k with Q_k = -factors[k] T; its length is L = sum factors[k] q_k + offset:

    T = stiffness stretch + damping L' + force,  stretch = max(L - free - slack, 0) + min(L - free, 0).

    Between `free` and `free` + `slack` the spring is slack. Factors are levers (m/rad) or pure numbers: T is in N where
    L is in m, in N m where it is in rad. stiffness, damping and force are numbers or formulas, which call L `length`,
    its rate `rate`, and the stretch `stretch`. A joint that has both coordinates is named with one: `arm.angle`.
    """

    type: Literal["tendon"] = "tendon"
    coordinates: Several
    factors: Numbers
    offset: Number = 0.0
    stiffness: Law = 0.0
    damping: Law = 0.0
    free: Number = 0.0
    slack: NotNegative = 0.0
    force: Law = 0.0

    @model_validator(mode="after")
    def _fits(self) -> Tendon:
        if not self.coordinates or len(self.coordinates) != len(self.factors):
            raise invalid(
                f"has {len(self.coordinates)} coordinates and {len(self.factors)} factors, not as many of each"
            )
        return self

    def bodies(self) -> dict[str, str]:
        return {}

    def joints(self) -> tuple[str, ...]:
        return tuple(coordinate_in(name).joint for name in self.coordinates)

    def lower(self, poses: Poses, joints: Mapping[str, Joint]) -> list[LoweredEffort]:
        on = [coordinate_in(name) for name in self.coordinates]
        along = [quantity_of(joints[one.joint], one.coordinate, poses)[0] for one in on]
        factors = [number(c) for c in self.factors]
        moved = [apply("*", c, value(q)) for c, q in zip(factors, along, strict=True)]
        turning = [apply("*", c, rate(q)) for c, q in zip(factors, along, strict=True)]
        length = apply("+", reduce(_plus, moved), number(self.offset))
        names = {"length": length, "rate": reduce(_plus, turning), "stretch": self._stretch(length)}
        tension = f"({self.stiffness})*stretch + ({self.damping})*rate + ({self.force})"
        parts = self.formulas("stiffness", "damping", "force")
        laws = [Expression.of_state(f"-({c})*({tension})") for c in self.factors]
        return [
            LoweredEffort(self.name, q, f, name.replace(".", "_"), names, parts=parts)
            for name, f, q in zip(self.coordinates, laws, along, strict=True)
        ]

    def _stretch(self, length: Node) -> Node:
        if self.slack == 0.0:
            return apply("-", length, number(self.free))
        beyond = apply("max", apply("-", length, number(self.free + self.slack)), number(0.0))
        return apply("+", beyond, apply("min", apply("-", length, number(self.free)), number(0.0)))


def _plus(a: Node, b: Node) -> Node:
    return apply("+", a, b)
