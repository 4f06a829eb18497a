"""The freedoms that constraint rows leave: a null space by a rank-revealing QR factorisation, and least changes.

Columns are scaled so that a unit is a turn of 1 rad or a move of the mechanism's typical length, and rows to unit
length, as everywhere that rank is judged.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkwork.system.rank import RANK_TOLERANCE

Array = NDArray[np.float64]


class Freedoms:
    """Motions x with J x = 0, J (n, m).

    tolerance : how much of a row of unit length must be its own for it to count as independent.
    rank : of J. basis (m, m - rank) : orthonormal in the scaled columns. independent : numbers of rows that are kept,
    in the order in which the factorisation chose them.
    """

    def __init__(self, J: Array, unit: Array, tolerance: float = RANK_TOLERANCE) -> None:
        from scipy.linalg import qr

        scaled = J * unit
        size = np.linalg.norm(scaled, axis=1)
        size = np.where(size > 0.0, size, 1.0)
        n, m = J.shape
        self.unit, self.size = unit, size
        if n:
            Q, R, order = qr((scaled / size[:, None]).T, pivoting=True)
            steps = np.abs(np.diagonal(R))
            self.rank = int(np.sum(steps > tolerance * max(1.0, steps[0])))
        else:
            Q, R, order, self.rank = np.eye(m), np.zeros((m, 0)), np.zeros(0, dtype=int), 0
        self._range, self._null = Q[:, : self.rank], Q[:, self.rank :]
        self._R = R[: self.rank, : self.rank]
        self.independent: NDArray[np.int64] = np.asarray(order[: self.rank], dtype=np.int64)
        self.basis: Array = unit[:, None] * self._null

    def take_basis(self, other: Freedoms) -> None:
        """Be told in the basis of others that span the same."""
        self._null, self.basis = other._null, other.basis

    @property
    def count(self) -> int:
        """How many there are."""
        return int(self._null.shape[1])

    def coordinates(self, x: Array) -> Array:
        """What of x (m, ...) lies in the freedoms, in the basis."""
        found: Array = self._null.T @ (x.T / self.unit).T
        return found

    def least_change(self, b: Array) -> Array:
        """The smallest x (m, ...) with J x = b (n, ...), of which the independent rows are met."""
        from scipy.linalg import solve_triangular

        wanted = (b.T / self.size).T[self.independent]
        if not self.rank:
            return np.zeros((len(self.unit), *b.shape[1:]))
        y = solve_triangular(self._R, wanted, trans="T")
        found: Array = ((self._range @ y).T * self.unit).T
        return found

    def multipliers(self, force: Array) -> Array:
        """lambda (n, ...) with J^T lambda = force as far as rows can; rows that are not independent get none."""
        from scipy.linalg import solve_triangular

        out = np.zeros((len(self.size), *force.shape[1:]))
        if self.rank:
            out[self.independent] = solve_triangular(self._R, self._range.T @ (force.T * self.unit).T)
        found: Array = (out.T / self.size).T
        return found
