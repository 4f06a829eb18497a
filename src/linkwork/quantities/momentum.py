"""Momentum of the whole mechanism, and its centre of mass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from linkwork.errors import UsageError
from linkwork.header import Array, Variable
from linkwork.quantities.curves import Curves
from linkwork.quantities.model import lowered_of, motion, turned
from linkwork.quantities.points import OF, PointMotion, three_numbers
from linkwork.result import Result


@dataclass(frozen=True, repr=False)
class Momentum(Curves):
    """Of all bodies together, global components."""

    @property
    def linear(self) -> Array:
        """(nt, 3) kg m/s."""
        return self.arrays["linear_momentum"]

    @property
    def angular(self) -> Array:
        """(nt, 3) kg m^2/s, about the point asked for, which is fixed in space."""
        return self.arrays["angular_momentum"]


def momentum(result: Result, about: Sequence[float] = (0.0, 0.0, 0.0)) -> Momentum:
    """Linear momentum, and angular momentum about a fixed point (3,) m, global. Raises UsageError without masses,
    or for no point."""
    point = three_numbers(about, "of metres, fixed in space")
    linear, angular = np.zeros((2, result.time.size, 3))
    for k, (m, J) in enumerate(_masses(result)):
        body = motion(result, k)
        linear += m * body.v
        angular += np.cross(body.r - point, m * body.v) + turned(body.A, body.w @ J.T)
    variables = {
        "linear_momentum": Variable(OF, "kg m s-1", "linear momentum of all bodies, global components"),
        "angular_momentum": Variable(
            OF, "kg m2 s-1", f"angular momentum of all bodies about {tuple(point.tolist())}, global"
        ),
    }
    arrays = {"linear_momentum": linear, "angular_momentum": angular}
    return Momentum(lowered_of(result).name, result.time, arrays, variables)


def centre_of_mass(result: Result) -> PointMotion:
    """Position, velocity and acceleration of the centre of mass of all bodies. Raises UsageError without masses."""
    masses = [m for m, _ in _masses(result)]
    total = sum(masses)
    if not total > 0.0:
        raise UsageError("the mechanism has no mass, and so no centre of mass.")
    r, v, a = np.zeros((3, result.time.size, 3))
    for k, m in enumerate(masses):
        body = motion(result, k)
        r, v, a = r + m / total * body.r, v + m / total * body.v, a + m / total * body.a
    variables = {
        word: Variable(OF, unit, f"{word} of the centre of mass of all bodies, global components")
        for word, unit in (("position", "m"), ("velocity", "m s-1"), ("acceleration", "m s-2"))
    }
    arrays = {"position": r, "velocity": v, "acceleration": a}
    return PointMotion(lowered_of(result).name, result.time, arrays, variables)


def _masses(result: Result) -> list[tuple[float, Array]]:
    """Mass and inertia (3, 3) of every body. Raises UsageError naming the bodies that lack them."""
    bodies = lowered_of(result).bodies
    lacking = [body.name for body in bodies if body.mass is None or body.inertia is None]
    if lacking:
        names = ", ".join(repr(name) for name in lacking)
        raise UsageError(f"momentum needs masses and inertias; missing for {names}.")
    return [(float(body.mass or 0.0), np.asarray(body.inertia)) for body in bodies]
