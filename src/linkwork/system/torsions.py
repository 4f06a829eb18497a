"""Angles of torsion springs at the start; and springs whose angle is in doubt, in words: why a run of theirs ends."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.kernels.torsions import AXIS, DOUBTFUL, angle_about, count_angles
from linkwork.system.compiled import CompiledMechanism

BESIDE = 2.0  # times as far from the axis: where no step gets any nearer


def start_angles(mechanism: CompiledMechanism) -> NDArray[np.float64]:
    """(n torsions + n quantities,) angles at the mechanism's pose, within half a turn [rad]."""
    angles = np.zeros(mechanism.angles)
    count_angles(mechanism.system, mechanism.A, angles, angles)
    return angles


def angle_in_doubt(mechanism: CompiledMechanism, A: Any, previous: Any) -> str:
    """Which torsion spring's angle cannot be told at a pose, and why; '' if none.

    A : (nb + 1, 9) rotations. previous : (n torsions,) angles at the last step [rad].
    """
    torsions = mechanism.system.torsions
    if not np.all(np.isfinite(A)):
        return ""
    for k, spring in enumerate(mechanism.lowered.torsions):
        turned = [A[b].reshape(3, 3) for b in (torsions.body_i[k], torsions.body_j[k])]
        along = float((turned[0] @ torsions.n[k]) @ (turned[1] @ torsions.a_j[k]))
        if torsions.stiffness[k] == 0.0:
            continue
        if np.sqrt(max(1.0 - along * along, 0.0)) < BESIDE * AXIS:
            return (
                f"torsion spring '{spring.name}' has no angle any more: its bodies have tilted by a quarter turn "
                "against its axis. Nothing keeps them to a common one: put it on a joint that does"
            )
        if abs(float(angle_about(torsions, k, A, previous[k])) - previous[k]) > DOUBTFUL:
            return (
                f"torsion spring '{spring.name}' turns by more than 135 degrees in a step, or its bodies tilt past its "
                "axis: its turns cannot be counted. Take a smaller step"
            )
    return ""
