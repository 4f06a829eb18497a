"""Rows that depend on each other and ask for different accelerations: at singular positions, mostly.

A combination y of rows that vanishes, y^T G = 0, must vanish on what they ask for too, y^T gamma = 0. Where it does not
no acceleration meets all rows, and what a formulation returns depends on which of them it leaves out.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkwork.system.compiled import CompiledMechanism
from linkwork.system.dense import Pose, Rates, acceleration_rhs, drives, row_parts
from linkwork.system.rank import RANK_TOLERANCE, rank_of_parts, tolerance_at

Array = NDArray[np.float64]
TOLERANCE = 1e-7  # of the sizes involved
MISSED = 1e-6  # of the sizes involved, by accelerations that are to meet all rows


def contradicts(y: Array, values: Array, tolerance: float = TOLERANCE) -> bool:
    """Whether rows whose combination y vanishes have values whose combination does not, by more than a share."""
    return bool(abs(y @ values) > tolerance * max(1.0, float(np.abs(y) @ np.abs(values))))


def contradictory_accelerations(compiled: CompiledMechanism, time: float, found: Array) -> tuple[str, ...]:
    """Names of rows that depend on each other and ask for different accelerations at the mechanism's state; () if none.

    found : (nb, 6) accelerations that a formulation came to, of the origins, global, and angular, in the body. Where
        they meet all rows nothing else is looked at. Off the constraints rows that agree on them differ by as much as
        the pose is off.
    """
    pose, rates, drive = Pose(compiled.r, compiled.A), Rates(compiled.v, compiled.w), drives(compiled, time)
    parts = row_parts(compiled, pose, drive)
    gamma = acceleration_rhs(compiled, pose, rates, drive)
    rows, x = compiled.system.rows, np.vstack([found, np.zeros((1, 6))])
    terms = np.hstack([parts.G_i * x[rows.body_i], parts.G_j * x[rows.body_j]])
    if n := len(parts.coupled):
        terms[-n:, 0] = parts.coupled @ found.ravel()
    missed, size = np.abs(terms.sum(axis=1) - gamma), np.abs(terms).sum(axis=1) + np.abs(gamma)
    adrift = tolerance_at(compiled, parts.phi)
    slack = adrift if adrift > RANK_TOLERANCE else 0.0
    if not np.any(missed > max(MISSED, slack) * np.maximum(1.0, size)):
        return ()
    rank = rank_of_parts(compiled, parts, tolerance=adrift)
    for k, others, y in zip(rank.redundant, rank.depends_on, rank.combinations, strict=True):
        if contradicts(y, gamma, max(TOLERANCE, slack)):
            return tuple(compiled.row_names[c] for c in (*others, k))
    return ()
