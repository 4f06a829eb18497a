"""An equilibrium or a steady motion as a number changes, found from the one that is known by Newton's method.

Where there is none, or one of another kind is nearer, as an upright top beside one that hardly leans, what is found
jumps: poses on both sides do not meet in the one that is known. Then nearer places are tried.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.derivatives.described import Described
from linkwork.derivatives.stencil import FINER, spacing
from linkwork.errors import NoEquilibriumError, UsageError
from linkwork.linearisation.equilibrium import Equilibrium, equilibrium
from linkwork.linearisation.steady import SteadyMotion, moved_motion

Array = NDArray[np.float64]
Found = Equilibrium | SteadyMotion
MIDDLE = np.array([56.0, -28.0, 8.0, -1.0]) / 70.0  # of f(kh) + f(-kh), k = 1..4: f(0) of polynomials of degree seven
JUMP = 1e-4  # of how far poses move: what they may miss the known one by
ROUNDING = 1e-9  # of the size of poses


class Continuation:
    """An equilibrium or steady motion, followed as a number takes other values nearby."""

    def __init__(self, found: Found, number: Described) -> None:
        self.found, self.number = found, number
        self._there: dict[float, Found] = {}

    def at(self, by: float) -> Found:
        """The same with the number larger by so much."""
        if by not in self._there:
            self._there[by] = self._moved(by)
        return self._there[by]

    def value(self, quantity: Callable[..., Any], by: float) -> Array:
        """A quantity of that."""
        return np.asarray(quantity(self.at(by)))

    def _moved(self, by: float) -> Found:
        found, moved = self.found, self.number.moved(by)
        if isinstance(found, SteadyMotion):
            return moved_motion(found, moved)
        return equilibrium(moved, at=found.state, turning=found.turning)

    @cached_property
    def spacing(self) -> float:
        """How far places are apart at which it is followed. Raises UsageError where there are none such."""
        h = spacing(abs(self.number.value) or 1.0)
        for share in FINER:
            if self._follows(share * h):
                return share * h
        raise self.refused("there is another one, or none, beside")

    def _follows(self, h: float) -> bool:
        here = _pose(self.found)
        try:
            both = [np.array([_pose(self.at(sign * k * h)) for k in (1, 2, 3, 4)]) for sign in (1, -1)]
        except NoEquilibriumError:
            return False
        missed = np.max(np.abs(MIDDLE @ (both[0] - here) + MIDDLE @ (both[1] - here)))
        moved = max(float(np.max(np.abs(one - here))) for one in both)
        return bool(missed <= JUMP * moved + ROUNDING * np.max(np.abs(here)))

    def refused(self, why: str) -> UsageError:
        """The error for a derivative that does not exist."""
        return UsageError(
            f"there is no derivative with respect to {self.number.name!r} at {self.number.value:g}: {why}.",
            element=f"mechanism {self.number.mechanism.name!r}",
            remedy="Take another value, or another number.",
        )


def _pose(found: Found) -> Array:
    """Positions and rotations, and of a steady motion drift and spins."""
    parts = [found.state.position, found.state.rotation]
    if isinstance(found, SteadyMotion):
        parts += [found.drift, found.spin]
    return np.concatenate([one.ravel() for one in parts])
