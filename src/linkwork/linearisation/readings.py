"""Sensors as outputs of linear models: how what they read changes with small motions, by the kernels that read it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from linkwork.equations.sensing import Sensing, acceleration_felt, turned_back
from linkwork.errors import UsageError
from linkwork.kernels.efforts import effort_now
from linkwork.kernels.quantities.table import gradient_of, parts_of, rate_gradient
from linkwork.linearisation.equations import Equations, tilde
from linkwork.linearisation.smoothness import ROUNDED, is_smooth
from linkwork.mechanism.lowered import Lowered, LoweredImu

if TYPE_CHECKING:
    from linkwork.linearisation.signals import Output

Array = NDArray[np.float64]
STEP = 1e-30  # of complex steps
UNIT = "acceleration", "angular_velocity"  # what a measuring unit reads


def reading_names(lowered: Lowered) -> list[str]:
    """Names of single numbers that sensors read: NAME of a formula, NAME.acceleration.x of a measuring unit."""
    found: list[str] = []
    for one in lowered.sensors:
        found += [one.name] if one.imu is None else [f"{one.name}.{what}.{axis}" for what in UNIT for axis in "xyz"]
    return found


class Readings:
    """The sensors of a mechanism at one state."""

    def __init__(self, e: Equations) -> None:
        self.e, self.names = e, reading_names(e.at.lowered)

    @cached_property
    def sensing(self) -> Sensing:
        """The sensors."""
        return Sensing(self.e.at.lowered)

    @cached_property
    def read(self) -> Array:
        """What formulas, and last those of a shaken base, come to at the state."""
        at, nb = self.e.at, self.e.at.nb
        return self.sensing.read_one(self.e.time, at.r[:nb], at.A[:nb], at.v[:nb], at.w[:nb])

    def output(self, name: str, udot: Array, none: Output) -> Output:
        """How a reading changes. none : of what nothing changes. Raises UsageError for a formula without derivative."""
        sensing = self.sensing
        if name in sensing.names:
            return self._of_formula(name, sensing.names.index(name), none)
        owner, what, axis = name.rsplit(".", 2)
        unit = next(unit for one, unit in sensing.units if one == owner)
        return self._of_unit(unit, what, "xyz".index(axis), udot, none)

    def _of_formula(self, name: str, k: int, none: Output) -> Output:
        sensing, e, _ = self.sensing, self.e, self.read
        system, operands, t = sensing.mechanism.system, sensing.last.operands, e.time
        if not is_smooth(system, k, operands, t):
            raise UsageError(
                f"sensor {name!r} has a kink or a jump at this state: it has no derivative.",
                element=f"mechanism {e.at.lowered.name!r}",
                remedy=ROUNDED,
            )
        q, stack = system.quantities, np.zeros((int(system.programs.depth[0]) + 1, 3))
        r, A, v, w = e.at.r, e.at.A, e.at.v, e.at.w
        place, speed = np.zeros((2, e.at.nb + 1, 2, 3))
        by_input = np.array(none.by_input)
        first = system.efforts.first[k]
        for use in map(int, system.uses[first : first + system.efforts.reads[k]]):
            slope = effort_now(system, k, t, operands, use, stack)[1]
            m = use // 2
            if m >= len(q.kind):
                by_input[use - 2 * len(q.kind)] += slope
            elif use % 2 == 0:
                _add(place, slope, gradient_of(q.kind[m], q, m, r, A), q, m)
            else:
                _add(place, slope, rate_gradient(q, m, r, A, v, w, np.zeros((12, 12))), q, m)
                _add(speed, slope, parts_of(q.kind[m], q, m, r, A), q, m)
        return none._replace(by_place=place[:-1].ravel(), by_speed=speed[:-1].ravel(), by_input=by_input)

    def _of_unit(self, unit: LoweredImu, what: str, axis: int, udot: Array, none: Output) -> Output:
        """By complex steps of what the unit feels."""
        at, b = self.e.at, unit.body
        if b < 0:
            return none
        A, w, given = at.A[b].reshape(3, 3), at.w[b], udot.reshape(-1, 6)[b]
        R, base = unit.rotation, self.read[len(self.sensing.names) :]
        a, alpha = given[:3] + (base if len(base) else 0.0) - at.lowered.gravity, given[3:]
        found = np.zeros((3, at.nb, 6))
        for k, axis_of_turn in enumerate(np.eye(3)):
            step = STEP * 1j * axis_of_turn
            turned = A @ (np.eye(3) + STEP * 1j * tilde(axis_of_turn[None])[0])
            changes = (
                (0, 3, turned, w, a, alpha), (1, 3, A, w + step, a, alpha), (2, 0, A, w, a + step, alpha),
                (2, 3, A, w, a, alpha + step),
            )  # fmt: skip
            for level, at_first, *state in changes:
                felt = acceleration_felt(unit, *state) if what == "acceleration" else turned_back(R, state[1])
                found[level, b, at_first + k] = np.imag(felt[axis]) / STEP
        place, speed, acceleration = found.reshape(3, -1)
        return none._replace(by_place=place, by_speed=speed, by_acceleration=acceleration)


def _add(out: Array, slope: Any, parts: Any, q: Any, m: int) -> None:
    """Twelve numbers of quantity m, times a slope, into those of its two bodies."""
    for body, first, second in ((q.body_i[m], *parts[:2]), (q.body_j[m], *parts[2:])):
        out[body] += slope * np.array([first, second])
