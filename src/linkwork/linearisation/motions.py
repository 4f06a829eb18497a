"""Small motions of bodies in words: which bodies move and turn the most in a displacement of them all."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
SHARE, FEW = 0.3, 4


def in_words(displacement: Array, rotation: Array, names: Sequence[str], length: float) -> str:
    """A displacement (nb, 6) of bodies with rotations (nb, 3, 3): those that move at least a third as much as the most.

    length : m, that counts as much as a turn of 1 rad.
    """
    moved, turned = displacement[:, :3] / length, np.einsum("bij,bj->bi", rotation, displacement[:, 3:])
    sizes = np.maximum(np.linalg.norm(moved, axis=1), np.linalg.norm(turned, axis=1))
    if not len(sizes) or not sizes.max() > 0.0:
        return "nothing moves"
    found = []
    for b in sorted(np.argsort(-sizes, kind="stable")[:FEW]):
        if sizes[b] < SHARE * sizes.max():
            continue
        does = []
        for verb, part in (("moves along", moved[b]), ("turns about", turned[b])):
            size = float(np.linalg.norm(part))
            if size >= SHARE * sizes[b]:
                does.append(f"{verb} ({', '.join(f'{x:.2g}' for x in part / size + 0.0)})")
        found.append(f"'{names[b]}' {' and '.join(does)}")
    others = int(np.sum(sizes >= SHARE * sizes.max())) - len(found)
    return "; ".join(found) + (f"; and {others} others" if others > 0 else "")


def forces_in_words(force: Array, names: Sequence[str], length: float) -> str:
    """Forces (nb, 6) that are left on bodies: the largest ones."""
    sizes = np.maximum(np.linalg.norm(force[:, :3], axis=1), np.linalg.norm(force[:, 3:], axis=1) / length)
    found = []
    for b in np.argsort(-sizes, kind="stable")[:FEW]:
        if sizes[b] < 1e-3 * sizes.max():
            continue
        f, n = (float(np.linalg.norm(part)) for part in (force[b, :3], force[b, 3:]))
        found.append(f"'{names[b]}' by {f:.6g} N and {n:.6g} N m")
    return ", ".join(found)
