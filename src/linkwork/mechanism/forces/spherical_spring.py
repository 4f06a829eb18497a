"""A spring and damper against every turn of a ball in its socket."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np

from linkwork.mechanism.elements import Array, Law, Name, invalid, law
from linkwork.mechanism.expressions import Expression
from linkwork.mechanism.expressions.tree import apply, number
from linkwork.mechanism.forces.base import Force
from linkwork.mechanism.joints.base import Joint
from linkwork.mechanism.lowered import LoweredEffort, Quantity
from linkwork.mechanism.markers import Poses, triple
from linkwork.mechanism.measuring import rate, turn_about, value
from linkwork.mechanism.motions import Ball
from linkwork.mechanism.primitives import GLOBAL_AXES
from linkwork.mechanism.rotation import Rotation, rotation_matrix

AXES = dict(zip("xyz", GLOBAL_AXES, strict=True))


class SphericalSpring(Force):
    """Moment -(stiffness phi + damping omega) on the second body of a `joint` with a ball, its opposite on the first.

    phi (rad) is the rotation vector, at most half a turn, by which the second body is turned from where the spring is
    free; omega the relative angular velocity. `free`: the rotation of the second body seen from the first at which phi
    is zero, that of the start if left out. Stiffness (N m/rad) and damping (N m s/rad) are numbers or formulas.
    """

    type: Literal["spherical-spring"] = "spherical-spring"
    joint: Name
    stiffness: Law = 0.0
    damping: Law = 0.0
    free: Rotation | None = None

    def bodies(self) -> dict[str, str]:
        return {}

    def joints(self) -> tuple[str, ...]:
        return (self.joint,)

    def free_rotation(self, poses: Poses, joint: Joint) -> Array:
        """Components of the second body -> of the first, (3, 3), where the spring is free."""
        if self.free is not None:
            return rotation_matrix(self.free)[0]
        A_i, A_j = (poses.pose(poses.index(name))[1] for name in (joint.first, joint.second))
        return np.asarray(A_i.T @ A_j)

    def lower(self, poses: Poses, joints: Mapping[str, Joint]) -> list[LoweredEffort]:
        joint = joints[self.joint]
        if not any(isinstance(move, Ball) for move in joint.moves(*joint.markers(poses))):
            raise invalid(f"is on joint {joint.name!r}, but a {joint.type} joint holds no ball: take a joint-spring")
        k, m = poses.index(joint.first), poses.index(joint.second)
        x, y, z = (triple(column) for column in self.free_rotation(poses, joint).T)
        made = [self._spring(Quantity("ROTATION", k, m, a_i=x, b_i=y, n=z))]
        parts = self.formulas("damping")
        for name, axis in AXES.items() if self.damping != 0.0 else ():
            along = turn_about(k, axis, m)
            f = Expression.of_state(f"-({self.damping})*rate")
            made.append(LoweredEffort(self.name, along, f, f"damping_{name}", {"rate": rate(along)}, parts=parts))
        return made

    def _spring(self, along: Quantity) -> LoweredEffort:
        """Along |phi|^2 / 2, whose rate is phi . omega; a stiffness that is a number stores k |phi|^2 / 2."""
        stiffness, f = law(self.stiffness), Expression.of_state(f"-({self.stiffness})")
        stored = None if isinstance(stiffness, Expression) else Expression(apply("*", number(stiffness), value(along)))
        return LoweredEffort(self.name, along, f, "stiffness", potential=stored)
