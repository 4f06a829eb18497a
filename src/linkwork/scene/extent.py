"""Where a scene is: the box that its parts pass through, and whether it moves in a plane."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from linkwork.header import Array
from linkwork.scene.parts import Part, half_extents, matrix_of

SIGNS = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)], dtype=float)
LOOKS = 200  # frames that are looked at


def corners(parts: Sequence[Part], nb: int) -> tuple[Array, Array]:
    """Corners of the boxes around the parts: (n, 3) in body components, (n,) their body's number (ground: nb)."""
    points, bodies = [np.zeros((nb, 3))], [np.arange(nb)]
    for part in parts:
        if part.role in ("rail", "plane"):
            continue
        local = SIGNS * np.array(half_extents(part))
        points.append(np.array(part.position) + local @ matrix_of(part.quaternion).T)
        bodies.append(np.full(8, part.body if part.body >= 0 else nb))
    return np.concatenate(points), np.concatenate(bodies)


def box_of(parts: Sequence[Part], position: Array, rotation: Array, fixed: Sequence[Array] = ()) -> tuple[Array, Array]:
    """Lowest and highest corner (3,) m of the box that everything passes through, points `fixed` in ground as well."""
    nt, nb = position.shape[:2]
    some = np.unique(np.linspace(0, nt - 1, min(nt, LOOKS)).astype(int))
    r = np.concatenate([position[some], np.zeros((len(some), 1, 3))], axis=1)
    A = np.concatenate([rotation[some], np.tile(np.eye(3), (len(some), 1, 1, 1))], axis=1)
    points, bodies = corners(parts, nb)
    points = np.concatenate([points, np.array(fixed).reshape(-1, 3)])
    bodies = np.concatenate([bodies, np.full(len(fixed), nb)])
    if not len(points):
        return np.full(3, -0.5), np.full(3, 0.5)
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    for k in range(len(some)):
        at = r[k][bodies] + np.einsum("nij,nj->ni", A[k][bodies], points)
        low, high = np.minimum(low, at.min(axis=0)), np.maximum(high, at.max(axis=0))
    return low, high


def plane_of(position: Array, rotation: Array, axes: Sequence[Array], size: float) -> Array | None:
    """The normal (3,) of the plane that all bodies move in, None where there is none.

    axes : directions of joints at the start, which are tried after the axes x, y, z.
    """
    nt = len(position)
    some = np.unique(np.linspace(0, nt - 1, min(nt, LOOKS)).astype(int))
    r, A = position[some], rotation[some]
    moved = r - r[:1]
    turned = np.einsum("tbij,bkj->tbik", A, A[0])
    for n in (*(np.asarray(a, dtype=float) for a in axes), *np.eye(3)[[1, 2, 0]]):
        still = np.abs(moved @ n).max(initial=0.0) < 1e-4 * size
        if still and np.abs(turned @ n - n).max(initial=0.0) < 1e-4:
            return np.asarray(n, dtype=float)
    return None
