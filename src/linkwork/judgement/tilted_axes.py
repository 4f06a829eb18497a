"""Torsion springs whose bodies tilt against the axis: their torque follows from no potential. And how fast they turn.

A torsion pulls along an axis n that is fixed in its first body, by an angle that is counted about n. Where a joint
keeps n in place in the second body, too, that angle's rate is n . (omega_j - omega_i), and what the spring gives is
what its energy loses. Where the second body tilts it is not: work is done that no energy accounts for.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkwork.system import CompiledMechanism

Array = NDArray[np.float64]
TILTED = 0.01  # rad: less can hide no hundredth of what a spring gives


class TiltedAxes:
    """How far the axes of a run's torsion springs tilt in their second bodies, against their place at the start."""

    def __init__(self, mechanism: CompiledMechanism) -> None:
        self.mechanism, elements = mechanism, mechanism.system.elements
        self._springs = np.flatnonzero((elements.memory >= 0) & (elements.stiffness != 0.0))
        self._start: Array | None = None
        self._tilts = np.zeros(len(self._springs))  # chords of the angles

    def look(self, motion: Array) -> None:
        """At samples; motion : (n, nb, 24)."""
        if not len(self._springs) or not len(motion):
            return
        elements, k, n = self.mechanism.system.elements, self._springs, len(motion)
        A = np.concatenate((motion[:, :, 3:12].reshape(n, -1, 3, 3), np.broadcast_to(np.eye(3), (n, 1, 3, 3))), axis=1)
        axes = np.einsum("tkac,tkab,kb->tkc", A[:, elements.body_j[k]], A[:, elements.body_i[k]], elements.n[k])
        if self._start is None:
            self._start = axes[:1]
        self._tilts = np.maximum(self._tilts, np.max(np.linalg.norm(axes - self._start, axis=2), axis=0))

    def spins(self, motion: Array) -> Array:
        """(n,) rad/s: how fast a spring's two bodies may turn against each other, at most; 0 without springs."""
        elements, k = self.mechanism.system.elements, self._springs
        speeds = np.linalg.norm(motion[:, :, 15:18], axis=2)
        speeds = np.concatenate((speeds, np.zeros((len(motion), 1))), axis=1)  # of the ground
        found: Array = np.max(speeds[:, elements.body_i[k]] + speeds[:, elements.body_j[k]], axis=1, initial=0.0)
        return found

    @property
    def worst(self) -> str:
        """Which tilts most, and by how much, in words; '' where none does."""
        if not np.any(self._tilts > TILTED):
            return ""
        k = int(np.argmax(self._tilts))
        tilt = 2.0 * np.arcsin(min(1.0, 0.5 * float(self._tilts[k])))
        name = self.mechanism.lowered.elements[int(self._springs[k])].name
        return f"'{name}', which tilt by {tilt:.2g} rad"
