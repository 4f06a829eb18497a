"""Which constraint rows depend on which, by singular values: the slow, careful answer for reports."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linkwork.system.compiled import CompiledMechanism

Array = NDArray[np.float64]
RANK_TOLERANCE = 1e-9  # on singular values of rows scaled to unit length


@dataclass(frozen=True)
class Rank:
    """The rank of the constraints at one pose.

    rank : number of independent rows.
    redundant : rows that earlier rows imply, in order.
    depends_on : for each redundant row, the earlier rows that imply it.
    nearly : the smallest singular value counted as nonzero, relative to the largest.
    """

    rank: int
    redundant: tuple[int, ...]
    depends_on: tuple[tuple[int, ...], ...]
    nearly: float


def scaled_rows(mechanism: CompiledMechanism, G: Array) -> Array:
    """Rows in consistent units (translations divided by the typical length), each of unit length."""
    scale = np.tile(np.r_[np.full(3, mechanism.length), np.ones(3)], mechanism.nb)
    scaled = G * scale
    size = np.linalg.norm(scaled, axis=1, keepdims=True)
    out: Array = scaled / np.where(size > 0, size, 1.0)
    return out


def rank_of(mechanism: CompiledMechanism, G: Array) -> Rank:
    """Rank and redundant rows of G (nc, 6 nb)."""
    rows = scaled_rows(mechanism, G)
    if not len(rows) or not rows.shape[1]:
        return Rank(0, tuple(range(len(rows))), ((),) * len(rows), 1.0)
    sigma = np.linalg.svd(rows, compute_uv=False)
    rank = int(np.sum(sigma > RANK_TOLERANCE * max(1.0, sigma[0])))
    nearly = float(sigma[rank - 1] / sigma[0]) if rank else 0.0
    if rank == len(rows):
        return Rank(rank, (), (), nearly)
    basis: list[Array] = []
    kept: list[int] = []
    redundant: list[int] = []
    depends: list[tuple[int, ...]] = []
    for k, row in enumerate(rows):
        rest = row.copy()
        for _ in range(2):  # twice is enough against rounding
            for q in basis:
                rest -= (q @ rest) * q
        size = float(np.linalg.norm(rest))
        if size > 10 * RANK_TOLERANCE and len(kept) < rank:
            basis.append(rest / size)
            kept.append(k)
        else:
            redundant.append(k)
            share = np.linalg.lstsq(rows[kept].T, row, rcond=None)[0] if kept else np.zeros(0)
            depends.append(tuple(kept[c] for c in np.flatnonzero(np.abs(share) > 1e-6)))
    return Rank(len(kept), tuple(redundant), tuple(depends), nearly)
