"""Which numbers of the bodies' motion a sweep keeps while runs go on: those that formulas ask for, and no others."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from linkwork.header import Array
from linkwork.mechanism.lowered import Lowered, LoweredJoint
from linkwork.quantities.components import Motion
from linkwork.quantities.forces import elements_of
from linkwork.quantities.formulas import AXES, BODY, ENDINGS, REACTIONS
from linkwork.sweeps.kept import Kept

OF_BODY = 24  # numbers of a body's motion
MOVING = 18  # of these, without accelerations


class Columns:
    """Some of the numbers (nb, 24) of a sample, one after the other. which (m,) : their flat indices, in order."""

    def __init__(self, wanted: Iterable[int], bodies: int) -> None:
        self.which: NDArray[np.int64] = np.array(sorted(set(wanted)), dtype=np.int64)
        self._places = np.full(OF_BODY * bodies, -1)
        self._places[self.which] = np.arange(len(self.which))

    def of(self, motion: Array, body: int, low: int, high: int) -> Array:
        """Numbers `low` to `high` of a body, from those that are kept (..., m)."""
        first, last = self._places[[OF_BODY * body + low, OF_BODY * body + high - 1]]
        return motion[..., first : last + 1]

    def moving(self, motion: Array, body: int) -> Motion:
        """How a body moved, its accelerations being zero where they are not kept; -1 is ground."""
        every = motion.shape[:-1]
        if body < 0:
            rest = np.zeros((*every, 3))
            return Motion(rest, np.broadcast_to(np.eye(3), (*every, 3, 3)), rest, rest, rest, rest)
        many = MOVING if np.any(self._places[OF_BODY * body + MOVING : OF_BODY * (body + 1)] < 0) else OF_BODY
        m = np.zeros((OF_BODY, *every))  # components first, as they are worked with
        m[:many] = np.moveaxis(self.of(motion, body, 0, many), -1, 0)
        A = np.moveaxis(m[3:12].reshape(3, 3, *every), (0, 1), (-2, -1))
        r, v, w, a, alpha = (
            np.moveaxis(m[low:high], 0, -1) for name, (low, high) in BODY.items() if name != "rotation"
        )
        return Motion(r, A, v, w, a, alpha)


def columns_of(lowered: Lowered, kept: Iterable[Kept]) -> Columns:
    """What these formulas ask for: quantities of bodies; for coordinates of joints, all of their bodies; for what is
    derived, all bodies."""
    wanted: set[int] = set()
    for path in set().union(*(one.quantities for one in kept)):
        place = body_numbers(lowered, path)
        if is_derived(lowered, path):
            wanted |= set(range(OF_BODY * len(lowered.bodies)))
        elif place is not None:
            body, low, high = place
            wanted |= set(range(OF_BODY * body + low, OF_BODY * body + high))
        elif len(path) > 1 and path[1] not in REACTIONS:
            joint, many = joint_of(lowered, path[0]), OF_BODY if path[1].endswith(ENDINGS[2]) else MOVING
            for body in (joint.body_i, joint.body_j):
                if body >= 0:
                    wanted |= set(range(OF_BODY * body, OF_BODY * body + many))
    return Columns(wanted, len(lowered.bodies))


def is_derived(lowered: Lowered, path: tuple[str, ...]) -> bool:
    """Whether a quantity, an energy, a violation, a reaction, a reading, a curve of a force element, is derived from
    motion and multipliers of a whole run."""
    if body_numbers(lowered, path) is not None:
        return False
    asked = is_reading(lowered, path) or is_force(lowered, path)
    return path not in (("t",), ("pi",)) and (len(path) == 1 or path[1] in REACTIONS or asked)


def is_force(lowered: Lowered, path: tuple[str, ...]) -> bool:
    """Whether a quantity is a curve of a force element."""
    return len(path) > 1 and path[0] in elements_of(lowered)


def is_reading(lowered: Lowered, path: tuple[str, ...]) -> bool:
    """Whether a quantity is what a sensor reads."""
    return body_numbers(lowered, path) is None and any(one.name == path[0] for one in lowered.sensors)


def body_numbers(lowered: Lowered, path: tuple[str, ...]) -> tuple[int, int, int] | None:
    """Of ("rod", "velocity", "x"): body, first number, and the one behind the last. None for other quantities."""
    names = [body.name for body in lowered.bodies]
    if len(path) < 2 or path[0] not in names or path[1] not in BODY:
        return None
    low, high = BODY[path[1]]
    if len(path) == 3:
        low += AXES.index(path[2])
        high = low + 1
    return names.index(path[0]), low, high


def joint_of(lowered: Lowered, name: str) -> LoweredJoint:
    """A joint by its name."""
    return next(one for one in lowered.joints if one.name == name and one.kind == "joint")
