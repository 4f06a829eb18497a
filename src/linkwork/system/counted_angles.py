"""Counted angles at the start; and force elements whose angle is in doubt, in words: why a run of theirs ends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.kernels.angles import AXIS, DOUBTFUL, angle_about, count_angles
from linkwork.kernels.quantities.kinds import NUMBER
from linkwork.system.compiled import CompiledMechanism

BESIDE = 2.0  # times as far from the axis: where no step gets any nearer


def start_angles(mechanism: CompiledMechanism) -> NDArray[np.float64]:
    """(mechanism.angles,) angles at the mechanism's pose, within half a turn [rad]."""
    angles = np.zeros(mechanism.angles)
    count_angles(mechanism.system, mechanism.A, angles, angles)
    return angles


def counts_angles(mechanism: CompiledMechanism) -> bool:
    """Whether any of its angles is one: of a torsion spring, or measured by a formula or a coupling."""
    e, q = mechanism.system.elements, mechanism.system.quantities
    return bool(np.any(e.memory >= 0) or np.any(q.kind == NUMBER["TURN"]))


def angles_after(
    mechanism: CompiledMechanism, rotations: NDArray[np.float64], before: NDArray[np.float64]
) -> NDArray[np.float64]:
    """(mechanism.angles,) at the last of several poses in order of time, turns counted from one to the next [rad].

    rotations : (n, nb, 9) of bodies. before : (mechanism.angles,) angles before the first pose.
    """
    n, angles = len(rotations), np.array(before)
    A = np.concatenate((rotations.reshape(n, -1, 3, 3), np.broadcast_to(np.eye(3), (n, 1, 3, 3))), axis=1)
    e, q = mechanism.system.elements, mechanism.system.quantities
    counted, of_quantities = np.flatnonzero(e.memory >= 0), len(angles) - len(q.kind) + np.arange(len(q.kind))
    for columns, which, at in ((e, counted, e.memory[counted]), (q, slice(None), of_quantities)):
        i, j = columns.body_i[which], columns.body_j[which]
        g = np.einsum("tkba,tkbc,kc->tka", A[:, i], A[:, j], columns.a_j[which])
        along, across = (np.einsum("tka,ka->tk", g, axes[which]) for axes in (columns.a_i, columns.b_i))
        angles[at] = np.unwrap(np.concatenate((angles[at][None], np.arctan2(across, along))), axis=0)[-1]
    return angles


def told_at_start(info: Mapping[str, Any]) -> list[float] | None:
    """The angles that a run started at, from what its result tells of it; None where that was not said.

    Results written before angles had this name call them after torsion springs.
    """
    start = info.get("start", {})
    found: list[float] | None = start.get("counted_angles", start.get("torsion_angles"))
    return found


def angle_in_doubt(mechanism: CompiledMechanism, A: Any, previous: Any) -> str:
    """Which torsion spring's angle cannot be told at a pose, and why; '' if none.

    A : (nb + 1, 9) rotations. previous : (mechanism.angles,) angles at the last step [rad].
    """
    e = mechanism.system.elements
    if not np.all(np.isfinite(A)):
        return ""
    for k, element in enumerate(mechanism.lowered.elements):
        m = e.memory[k]
        if m < 0 or e.stiffness[k] == 0.0:
            continue
        turned = [A[b].reshape(3, 3) for b in (e.body_i[k], e.body_j[k])]
        along = float((turned[0] @ e.n[k]) @ (turned[1] @ e.a_j[k]))
        if np.sqrt(max(1.0 - along * along, 0.0)) < BESIDE * AXIS:
            return (
                f"torsion spring '{element.name}' has no angle any more: its bodies have tilted by a quarter turn "
                "against its axis. Nothing keeps them to a common one: put it on a joint that does"
            )
        if abs(float(angle_about(e, k, A, previous[m])) - previous[m]) > DOUBTFUL:
            return (
                f"torsion spring '{element.name}' turns by more than 135 degrees in a step, or its bodies tilt past "
                "its axis: its turns cannot be counted. Take a smaller step"
            )
    return ""
