"""Singular value decomposition by one-sided Jacobi rotations: rows of G are rotated in pairs until they are orthogonal.

V G_before = G, V orthogonal: the norms of the rows of G are the singular values, to high relative accuracy. After a
pivoted QR a few sweeps over its triangle are enough. By hand, as LAPACK's allocates: decision record 22.
"""

from __future__ import annotations

import numpy as np

from linkwork.kernels.dense_qr import product
from linkwork.kernels.jit import kernel
from linkwork.kernels.tables import Floats, Ints

ORTHOGONAL = 1e-13  # cosine of the angle between two rows below which they count as orthogonal
NEGLIGIBLE = 1e-30  # of the largest squared norm: rows that are only rounding
SWEEPS = 30


@kernel
def orthogonalise(G: Floats, V: Floats, squares: Floats, place: Ints, n: int, m: int) -> int:
    """Rotate the rows of the leading n x m part of G in place; returns the sweeps taken, -1 if too many.

    V (n, n), squares (n,) : squared singular values. place (n,) : their rows, largest first. All written.
    """
    for i in range(n):
        for j in range(n):
            V[i, j] = 0.0
        V[i, i] = 1.0
    for sweep in range(SWEEPS):
        largest, rotations = 0.0, 0
        for i in range(n):
            squares[i] = product(G, i, G, i, 0, m - 1)
            largest = max(largest, squares[i])
        for i in range(n - 1):
            for j in range(i + 1, n):
                if min(squares[i], squares[j]) > NEGLIGIBLE * largest:
                    rotations += rotate_pair(G, V, squares, i, j, n, m)
        if rotations == 0:
            sort_descending(squares, place, n)
            return sweep
    return -1


@kernel
def rotate_pair(G: Floats, V: Floats, squares: Floats, i: int, j: int, n: int, m: int) -> int:
    """Rotate rows i and j of G and V so that those of G are orthogonal; returns 1, or 0 if they were."""
    both = product(G, i, G, j, 0, m - 1)
    if not both * both > ORTHOGONAL * ORTHOGONAL * squares[i] * squares[j]:
        return 0
    half = (squares[j] - squares[i]) / (2.0 * both)
    t = 1.0 / (abs(half) + np.sqrt(1.0 + half * half))
    if half < 0.0:
        t = -t
    cos = 1.0 / np.sqrt(1.0 + t * t)
    sin = t * cos
    rotate_rows(G, i, j, m, cos, sin)
    rotate_rows(V, i, j, n, cos, sin)
    squares[i], squares[j] = max(squares[i] - t * both, 0.0), squares[j] + t * both
    return 1


@kernel
def rotate_rows(T: Floats, i: int, j: int, width: int, cos: float, sin: float) -> None:
    """Rows i and j of T, rotated in their plane by the angle with this cosine and sine."""
    for c in range(width):
        a, b = T[i, c], T[j, c]
        T[i, c] = cos * a - sin * b
        T[j, c] = sin * a + cos * b


@kernel
def sort_descending(squares: Floats, place: Ints, n: int) -> None:
    """place (n,) written: the row numbers 0..n-1 by descending squares."""
    for i in range(n):
        k = i
        while k > 0 and squares[place[k - 1]] < squares[i]:
            place[k] = place[k - 1]
            k -= 1
        place[k] = i
