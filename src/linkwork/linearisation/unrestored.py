"""Freedoms of an equilibrium that no force brings back."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwork.linearisation.motions import in_words
from linkwork.linearisation.newton import Rest, turned
from linkwork.linearisation.restoring import restoring

Array = NDArray[np.float64]
ASIDE = 1e-6  # of a displacement of unit size


def unrestored(rest: Rest) -> tuple[str, ...]:
    """Directions without stiffness, in words."""
    return tuple(_words(rest.equations, x) for x in free_motions(rest).T)


def free_motions(rest: Rest) -> Array:
    """(6 nb, n) displacements without stiffness."""
    return np.asarray(rest.equations.displacements.basis @ restoring(rest).free)


def unrestored_while_turning(rest: Rest, turning: tuple[float, ...]) -> tuple[str, ...]:
    """The same without that direction in which everything turns on. turning (3,) : rad/s, global."""
    e, motions = rest.equations, free_motions(rest)
    on = turned(e.at, np.array(turning))
    way = np.hstack([on.v[:-1], on.w[:-1]]).ravel() / e.unit
    size = float(np.linalg.norm(way))
    if not motions.size or size == 0.0:
        return unrestored(rest)
    scaled, way = np.linalg.qr(motions / e.unit[:, None])[0], way / size
    moves, sizes, _ = np.linalg.svd(scaled - np.outer(way, way @ scaled), full_matrices=False)
    return tuple(_words(e, x * e.unit) for x in moves[:, sizes > ASIDE].T)


def _words(e: Any, x: Array) -> str:
    nb = e.at.nb
    return in_words(x.reshape(nb, 6), e.at.A[:nb].reshape(nb, 3, 3), e.at.body_names, e.at.extent)
