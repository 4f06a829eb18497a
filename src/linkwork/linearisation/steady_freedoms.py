"""Whether a steady motion is determined: what may change with all equations met, but for its symmetries."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkwork.linearisation.applied import AppliedForces
from linkwork.linearisation.motions import in_words
from linkwork.linearisation.steady import SteadyMotion
from linkwork.linearisation.steady_search import SINGULAR, balance, newton_equations
from linkwork.linearisation.turning_motion import TurningMotion
from linkwork.system import CompiledMechanism

Array = NDArray[np.float64]
ASIDE = 1e-6  # of a change of unit size: what no symmetry explains


def undetermined(motion: SteadyMotion) -> str:
    """A change of the motion that nothing determines, in words; none where all is determined but for symmetries.

    These are displacements of everything, turns of everything about the axis, and turns of bodies about the axes that
    they spin about.
    """
    guess = TurningMotion(motion._at, np.array(motion.turning), motion.drift, motion.spin, motion.axis)
    now = balance(guess, AppliedForces(motion._at, motion.state.counted_angles), motion.state.time, 0)
    matrix, _, unit = newton_equations(now, motion._free)
    free = unit > 0.0
    null = _null_space(matrix[:, free])
    known = (symmetries(motion) / np.where(free, unit, 1.0))[:, free]
    known, sizes, _ = np.linalg.svd(known.T, full_matrices=False)
    known = known[:, sizes > SINGULAR * max(float(np.max(sizes, initial=0.0)), 1e-300)]
    left = null - known @ (known.T @ null)
    most = int(np.argmax(np.linalg.norm(left, axis=0))) if left.size else 0
    if not left.size or np.linalg.norm(left[:, most]) <= ASIDE:
        return ""
    change = np.zeros(len(unit))
    change[free] = left[:, most]
    return _words(motion, motion._at, change * unit)


def _null_space(matrix: Array) -> Array:
    """Orthonormal columns that the matrix takes to zero."""
    _, sizes, Vt = np.linalg.svd(matrix)
    rank = int(np.sum(sizes > SINGULAR * float(np.max(sizes, initial=0.0))))
    null: Array = Vt[rank:].T
    return null


def symmetries(motion: SteadyMotion) -> Array:
    """(n, 6 nb + 3 + nb) displacements with drift and spins, each of another look at the same motion."""
    at, nb, W = motion._at, motion._at.nb, np.array(motion.turning)
    gravity = np.array(at.system.gravity)
    axis = W if np.any(W) else gravity
    about = np.atleast_2d(axis / np.linalg.norm(axis)) if np.any(axis) else np.eye(3)
    found = [_change(nb, np.tile([*way, 0.0, 0.0, 0.0], (nb, 1)), -np.cross(W, way)) for way in np.eye(3)]
    for way in about:
        turned = np.einsum("bij,i->bj", at.A[:nb].reshape(nb, 3, 3), way)
        found.append(_change(nb, np.hstack([np.cross(way, at.r[:nb]), turned]), np.cross(way, motion.drift)))
    for b in np.flatnonzero(np.any(motion.axis != 0.0, axis=1)):
        spun = np.zeros((nb, 6))
        spun[b, 3:] = motion.axis[b]
        found.append(_change(nb, spun, np.zeros(3)))
    return np.array(found)


def _change(nb: int, displacement: Array, drift: Array) -> Array:
    return np.concatenate([displacement.ravel(), drift, np.zeros(nb)])


def _words(motion: SteadyMotion, at: CompiledMechanism, change: Array) -> str:
    nb = at.nb
    moves, spins = change[: 6 * nb].reshape(nb, 6), change[6 * nb + 3 :]
    if np.max(np.abs(spins), initial=0.0) > ASIDE * float(np.max(np.abs(change))):
        return f"the spin of '{motion.bodies[int(np.argmax(np.abs(spins)))]}'"
    return in_words(moves, at.A[:nb].reshape(nb, 3, 3), motion.bodies, at.extent)
