"""Free motions that no mass resists: there the accelerations are not determined."""

from __future__ import annotations

import numpy as np

from linkwork.system.compiled import CompiledMechanism
from linkwork.system.dense import Pose, drives, row_parts
from linkwork.system.least_change import Jacobian, unit_columns

NOTHING = 1e-12  # of the largest inertia
LARGEST = 360  # columns


def motions_without_inertia(compiled: CompiledMechanism) -> list[str]:
    """A warning naming the bodies that move in motions without inertia; empty if there are none.

    Only where all masses are given and something is massless, and for mechanisms that are not large.
    """
    bodies, nb = compiled.lowered.bodies, compiled.nb
    if 6 * nb > LARGEST or any(b.mass is None or b.inertia is None for b in bodies):
        return []
    M = np.zeros((6 * nb, 6 * nb))
    for k in range(nb):
        at = 6 * k
        M[at : at + 3, at : at + 3] = compiled.system.bodies.mass[k] * np.eye(3)
        M[at + 3 : at + 6, at + 3 : at + 6] = compiled.system.bodies.inertia[k].reshape(3, 3)
    column = unit_columns(compiled)
    M *= np.outer(column, column)
    if np.min(np.linalg.eigvalsh(M)) > NOTHING * np.max(np.abs(M), initial=0.0):
        return []
    parts = row_parts(compiled, Pose(compiled.r, compiled.A), drives(compiled, 0.0))
    G = Jacobian(compiled, parts, np.ones(compiled.nc, dtype=bool), column).dense()
    _, s, Vt = np.linalg.svd(G, full_matrices=True) if len(G) else (None, np.zeros(0), np.eye(6 * nb))
    Z = Vt[int(np.sum(s > 1e-9)) :].T
    if not Z.shape[1]:
        return []
    values, vectors = np.linalg.eigh(Z.T @ M @ Z)
    free = Z @ vectors[:, values <= NOTHING * max(np.max(np.abs(M)), 1e-300)]
    if not free.shape[1]:
        return []
    size = np.linalg.norm(free.reshape(nb, 6, -1), axis=(1, 2))
    names = ", ".join(repr(bodies[k].name) for k in np.flatnonzero(size > 1e-3))
    return [f"{names}: a free motion has no inertia, so that its acceleration is not determined (dynamics cannot run)"]
