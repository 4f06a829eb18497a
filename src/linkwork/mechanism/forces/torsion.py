"""The rotational spring-damper-actuator."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import model_validator

from linkwork.kernels.vec3 import cross
from linkwork.mechanism.elements import Direction, Law, Name, Number, invalid, law
from linkwork.mechanism.forces.base import Force
from linkwork.mechanism.joints.base import Joint
from linkwork.mechanism.lowered import Array, LoweredElement
from linkwork.mechanism.markers import Marker, Poses, marker


class Torsion(Force):
    """Torque stiffness (theta - angle) + damping thetadot + actuator(t) that turns the bodies back towards `angle`.

    On a revolute or cylindrical `joint`, theta being that joint's angle; or between `first` and `second` about
    a global `axis` (fixed in the first body), theta being zero at the start pose. The torque acts on the
    first body along the axis and on the second against it. theta is counted with its turns.
    """

    needs_coordinate: ClassVar[str] = "angle"
    glyph: ClassVar[str] = "ring"
    type: Literal["torsion"] = "torsion"
    joint: Name | None = None
    first: Name | None = None
    second: Name | None = None
    axis: Direction | None = None
    stiffness: Law = 0.0
    damping: Law = 0.0
    angle: Number = 0.0
    actuator: Law = 0.0

    @model_validator(mode="after")
    def _has_an_axis(self) -> Torsion:
        free = [key for key in ("first", "second", "axis") if getattr(self, key) is not None]
        if self.joint is not None and free:
            raise invalid(f"has a joint and also {' and '.join(free)}; give the joint alone, or first, second and axis")
        if self.joint is None and len(free) < 3:
            raise invalid("needs a joint, or first, second and axis")
        return self

    def bodies(self) -> dict[str, str]:
        return {k: v for k, v in (("first", self.first), ("second", self.second)) if v is not None}

    def joints(self) -> tuple[str, ...]:
        return () if self.joint is None else (self.joint,)

    def lower(self, poses: Poses, joints: Mapping[str, Joint]) -> LoweredElement:
        if self.joint is not None:
            joint = joints[self.joint]
            first, second = joint.first, joint.second
            i, j = joint.markers(poses)
        else:
            first, second = str(self.first), str(self.second)
            here = marker((0, 0, 0), self.axis, None)
            i, j = (_seen(poses, poses.index(name), here) for name in (first, second))
        return LoweredElement(
            "TORSION",
            name=self.name,
            body_i=poses.index(first),
            body_j=poses.index(second),
            a_i=i.x,
            b_i=cross(i.z, i.x),
            a_j=j.x,
            n=i.z,
            stiffness=law(self.stiffness),
            damping=law(self.damping),
            rest=self.angle,
            actuator=law(self.actuator),
        )

    def relocate(self, described: dict[str, Any], poses: Poses, A: Array) -> None:
        """Its axis, turned with the first body, and its angle counted from the new start pose, in formulas, too."""
        if self.joint is not None:
            return
        flat = self.lower(poses, {})
        A_i, A_j = (A[k].reshape(3, 3) for k in (flat.body_i, flat.body_j))  # index -1 is ground, the last
        n, a_i = np.array(flat.n), np.array(flat.a_i)
        g = A_i.T @ A_j @ np.array(flat.a_j)
        turned = math.atan2(float(np.cross(n, a_i) @ g), float(a_i @ g))
        described["axis"] = (A_i @ n).tolist()
        described["angle"] = flat.rest - turned
        for key in ("stiffness", "damping", "actuator"):
            if isinstance(described.get(key), str):
                described[key] = _by_turned(described[key], flat.rest)


def _by_turned(formula: str, rest: float) -> str:
    """A formula that reads `turned`, which another start pose leaves as it is, in place of `angle`."""
    parts = re.split(r"('[^']*'|\"[^\"]*\")", formula)
    parts[::2] = [re.sub(r"\bangle\b(?!\s*\()", f"(turned + {rest!r})", part) for part in parts[::2]]
    return "".join(parts)


def _seen(poses: Poses, k: int, here: Marker) -> Marker:
    """A global marker's axes in components of body k."""
    return marker((0, 0, 0), poses.local(k, here.z), poses.local(k, here.x))
