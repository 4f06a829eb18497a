"""Free motions that no mass resists: there the accelerations are not determined."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkwork.system.compiled import CompiledMechanism
from linkwork.system.dense import Pose, drives, row_parts
from linkwork.system.least_change import Jacobian, unit_columns

NOTHING = 1e-12  # of the largest inertia
LARGEST = 360  # columns


def units_of_bodies(M: NDArray[np.float64]) -> NDArray[np.float64]:
    """(2 nb,) for translations and rotations of each body: 1, and 1 over its radius of gyration [1/m], or 1."""
    found = np.ones(len(M) // 3)
    for k in range(0, len(found), 2):
        at = 3 * k
        mass, moments = M[at, at], np.trace(M[at + 3 : at + 6, at + 3 : at + 6])
        if mass > 0.0 and moments > 0.0:
            found[k + 1] = np.sqrt(mass / moments)
    return found


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
    units = np.repeat(units_of_bodies(M), 3)
    each = np.arange(2 * nb)  # M consists of 3 x 3 blocks on its diagonal
    blocks = (M * np.outer(units, units)).reshape(2 * nb, 3, 2 * nb, 3)[each, :, each, :]
    if np.min(np.linalg.eigvalsh(blocks), initial=np.inf) > NOTHING * np.max(np.abs(blocks), initial=0.0):
        return []  # every body resists every motion of its own, however far from the others it is
    column = unit_columns(compiled)
    M *= np.outer(column, column)
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
