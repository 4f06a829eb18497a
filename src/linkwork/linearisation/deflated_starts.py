"""Where searches for more equilibria begin: beside a pose, along each freedom, and behind the ends of springs."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from linkwork.linearisation.equations import tilde
from linkwork.linearisation.freedoms import Freedoms
from linkwork.mechanism.lowered import Quantity
from linkwork.system import CompiledMechanism

Array = NDArray[np.float64]
MOVES = ((1.0, 0.1), (-1.0, 0.1), (1.0, 1.0), (-1.0, 1.0))  # sides and sizes of the moves along each freedom
BEHIND = 1.2  # times the distance of a length's two ends: the one is moved to behind the other
NONE = 1e-9  # of what an end moves by with a freedom, in typical lengths: it does not move


def moves_along_freedoms(at: CompiledMechanism, free: Freedoms) -> list[Array]:
    """(6 nb,) displacements from a pose: none, and along each freedom, this way and that, by little and much."""
    return [np.zeros(6 * at.nb), *(side * size * free.basis[:, k] for k in range(free.count) for side, size in MOVES)]


def moves_behind_ends(at: CompiledMechanism, free: Freedoms) -> Iterator[Array]:
    """(6 nb,) displacements that bring one end of each spring, or other force along a length, to behind the other.

    There it presses the other way; a body that is there balances behind an end that Newton's steps do not pass. They
    are the least moves of the freedoms, as if these were straight.
    """
    nb, A = at.nb, at.A.reshape(-1, 3, 3)
    acting = [one.quantity for one in at.lowered.elements] + [one.quantity for one in at.lowered.efforts]
    for q in (one for one in dict.fromkeys(acting) if one.kind == "LENGTH"):
        apart = at.r[q.body_j] + A[q.body_j] @ q.s_j - at.r[q.body_i] - A[q.body_i] @ q.s_i
        by_freedom = _by_displacement(q, A, nb) @ free.basis
        if float(np.max(np.abs(by_freedom), initial=0.0)) > NONE * at.extent:
            move = free.basis @ np.linalg.lstsq(by_freedom, -BEHIND * apart, rcond=1e-6)[0]
            turn = float(np.max(np.abs(move.reshape(nb, 6)[:, 3:])))
            yield move * min(1.0, np.pi / turn) if turn > 0.0 else move


def _by_displacement(q: Quantity, A: Array, nb: int) -> Array:
    """(3, 6 nb) how the second end of a length moves from its first, global [m]."""
    out = np.zeros((3, nb + 1, 6))
    for side, body, s in ((-1.0, q.body_i, q.s_i), (1.0, q.body_j, q.s_j)):
        out[:, body, :3] += side * np.eye(3)
        out[:, body, 3:] -= side * A[body] @ tilde(np.array([s]))[0]
    return out[:, :nb].reshape(3, 6 * nb)
