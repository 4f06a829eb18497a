"""Which freedoms forces bring back: stiffnesses, each against those of the bodies that its freedom moves.

A body of a gram beside one of a tonne has a stiffness that is small for the other. Freedoms are scaled for that: with S
the largest sum of a row of the stiffness of each body, y = T x so that Z T has unit length when weighed with S.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from linkwork.linearisation.newton import Rest

Array = NDArray[np.float64]
SINGULAR = 1e-10  # of the largest stiffness: below it a freedom has no restoring force
FLOOR = 1e-14  # of the largest body's stiffness: what a body counts for at least
ROUNDING = 64.0 * float(np.finfo(float).eps)  # of the stiffness of all freedoms: what is lost of one


class Restoring(NamedTuple):
    """Singular values of the scaled stiffness, in descending order.

    left (rows, k), right (columns, k) : with left^T H right = diag(size); in the freedoms' bases.
    free (columns, n) : orthonormal; freedoms without stiffness.
    """

    left: Array
    right: Array
    size: Array
    free: Array


def restoring(rest: Rest) -> Restoring:
    """Freedoms that forces bring back, and those that none does."""
    H, T = rest.stiffness, _scales(rest)
    if not H.size:
        return Restoring(H[:, :0], np.zeros((H.shape[1], 0)), np.zeros(0), np.eye(H.shape[1]))
    square = H.shape[0] == H.shape[1]
    U, s, Vt = np.linalg.svd((T.T @ H if square else H) @ T)
    U, V = (T @ U if square else U), T @ Vt.T
    size = np.zeros(H.shape[1])
    size[: len(s)] = s
    known = size > _limit(size, H, V)
    free = np.linalg.qr(V[:, ~known])[0] if not np.all(known) else V[:, :0]
    kept = np.flatnonzero(known)
    return Restoring(U[:, kept], V[:, kept], size[kept], free)


def least(rest: Rest, pull: Array) -> Array:
    """The least y with H y = pull, along freedoms that have a stiffness."""
    found = restoring(rest)
    y = found.right @ ((found.left.T @ pull) / found.size)
    return np.asarray(y - found.free @ (found.free.T @ y))


def signs(rest: Rest) -> NDArray[np.int64]:
    """(n,) -1, 0 or 1 for each stiffness of a symmetric one: pushes away, has none, brings back."""
    H, T = rest.stiffness, _scales(rest)
    value, V = np.linalg.eigh(T.T @ (0.5 * (H + H.T)) @ T)
    return np.asarray(np.where(np.abs(value) > _limit(value, H, T @ V), np.sign(value), 0.0), dtype=np.int64)


def _limit(size: Array, H: Array, V: Array) -> Array:
    """Up to which sizes of freedoms V (n, k) there is no stiffness: a share of the largest and what rounding leaves."""
    largest, lost = float(np.max(np.abs(size), initial=1e-300)), ROUNDING * float(np.linalg.norm(H))
    return np.asarray(SINGULAR * largest + lost * np.sum(V**2, axis=0))


def _scales(rest: Rest) -> Array:
    """(n, n) T."""
    e, Z = rest.equations, rest.equations.displacements.basis
    K = np.abs(rest.whole_stiffness * e.unit * e.unit[:, None])
    S = np.maximum(K.sum(axis=1), K.sum(axis=0)).reshape(e.at.nb, 6).max(axis=1)
    largest = float(np.max(S, initial=0.0))
    if not largest > 0.0:
        return np.eye(Z.shape[1])
    S = np.repeat(np.maximum(S / largest, FLOOR), 6)
    weighed = Z / e.unit[:, None]
    _, size, Vt = np.linalg.svd(weighed * np.sqrt(S)[:, None], full_matrices=False)
    return np.asarray(Vt.T / size)
