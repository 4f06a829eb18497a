"""Free motions that no mass resists: there the accelerations are not determined."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.system.compiled import CompiledMechanism
from linkwork.system.dense import Pose, drives, row_parts
from linkwork.system.least_change import Jacobian, unit_columns

NOTHING = 1e-12  # of the largest inertia
FEW = 12  # names in a message
SEEN = 1e-3  # of a motion, of which a body has so much
LEAST_HOLD = 1e-9  # of a scaled row: below, it does not hold a motion


def resistances(mass: NDArray[np.float64], inertia: NDArray[np.float64]) -> NDArray[np.float64]:
    """What bodies (nb,), (nb, 3, 3) resist motions of their own with, (4 nb,): their masses, and principal moments over
    the square of the radius of gyration, where there is one [kg; else kg m^2]."""
    moments = np.linalg.eigvalsh(inertia)
    trace = moments.sum(axis=1)
    both = (mass > 0.0) & (trace > 0.0)
    moments[both] *= (mass[both] / trace[both])[:, None]
    return np.concatenate((mass, moments.ravel()))


def motions_without_inertia(compiled: CompiledMechanism) -> list[str]:
    """A warning naming the bodies that move in motions without inertia; empty if there are none.

    Only where all masses are given and something is massless. Such a motion moves bodies in directions that have no
    inertia (of whole bodies, or axes of thin ones) and no others, so that the rows between these tell all of it: those
    of bodies that no row joins are looked at apart.
    """
    bodies, nb = compiled.lowered.bodies, compiled.nb
    if any(b.mass is None or b.inertia is None for b in bodies):
        return []
    mass, inertia = compiled.system.bodies.mass[:nb], compiled.system.bodies.inertia[:nb].reshape(nb, 3, 3)
    resisting = resistances(mass, inertia)
    if np.min(resisting, initial=np.inf) > NOTHING * np.max(np.abs(resisting), initial=0.0):
        return []  # every body resists every motion of its own, however far from the others it is
    M = np.zeros((2 * nb, 3, 3))  # translations and rotations of each body
    M[0::2], M[1::2] = mass[:, None, None] * np.eye(3), inertia
    column = unit_columns(compiled)
    values, vectors = np.linalg.eigh(M * (column[::3] ** 2)[:, None, None])
    idle = values <= NOTHING * max(float(np.max(np.abs(values))), 1e-300)  # (2 nb, 3) directions
    if not np.any(idle):
        return []
    parts = row_parts(compiled, Pose(compiled.r, compiled.A), drives(compiled, 0.0))
    G = Jacobian(compiled, parts, np.ones(compiled.nc, dtype=bool), column).sparse()
    found = _moving(G, idle, vectors)
    if not len(found):
        return []
    names = ", ".join(repr(bodies[k].name) for k in found[:FEW])
    names += f" and {len(found) - FEW} others" if len(found) > FEW else ""
    return [f"{names}: a free motion has no inertia, so that its acceleration is not determined (dynamics cannot run)"]


def _moving(G: Any, idle: NDArray[np.bool_], vectors: NDArray[np.float64]) -> NDArray[np.intp]:
    """The bodies that may move without inertia where rows G (nc, 6 nb; sparse) hold the directions idle (2 nb, 3) among
    the columns of vectors (2 nb, 3, 3)."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    block, direction = np.nonzero(idle)
    n, body = len(block), block // 2
    at = np.repeat(np.arange(n), 3), (3 * block[:, None] + np.arange(3)).ravel()
    N = csr_array((vectors[block, :, direction].ravel(), at), shape=(n, G.shape[1]))
    held = (G @ N.T).tocsc()
    held.data[np.abs(held.data) <= LEAST_HOLD] = 0.0
    held.eliminate_zeros()
    whose = csr_array((np.ones(n), (np.arange(n), body)), shape=(n, len(idle) // 2))
    count, label = connected_components(abs(held).T @ abs(held) + whose @ whose.T, directed=False)
    found: list[NDArray[np.intp]] = []
    for k in range(count):
        mine = np.flatnonzero(label == k)
        here = held[:, mine]
        rows = here[np.unique(here.indices)].toarray()
        _, s, Vt = np.linalg.svd(rows) if len(rows) else (None, np.zeros(0), np.eye(len(mine)))
        free = Vt[int(np.sum(s > LEAST_HOLD)) :]
        found.append(np.unique(body[mine[np.any(np.abs(free) > SEEN, axis=0)]]))
    return np.unique(np.concatenate(found))
