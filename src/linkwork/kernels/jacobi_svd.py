"""Singular values by one-sided Jacobi: rows of G turned in pairs until they stand at right angles on each other.

V G_before = G, V orthogonal: the norms of G's rows are the singular values, to high relative accuracy. Best after a
pivoted QR, whose triangle needs few sweeps.
"""

from __future__ import annotations

import numpy as np

from linkwork.kernels.dense_qr import product
from linkwork.kernels.jit import kernel
from linkwork.kernels.tables import Floats, Ints

RIGHT = 1e-13  # cosine of an angle that is right
NOTHING = 1e-30  # of the largest square: rows that are only rounding
SWEEPS = 30


@kernel
def orthogonalise(G: Floats, V: Floats, squares: Floats, place: Ints, n: int, m: int) -> int:
    """Turn the leading n x m part of G in place; returns the sweeps taken, -1 if too many.

    V (n, n), squares (n,) of the singular values, place (n,) their rows in descending order: written.
    """
    for i in range(n):
        for j in range(n):
            V[i, j] = 0.0
        V[i, i] = 1.0
    for sweep in range(SWEEPS):
        largest, turned = 0.0, 0
        for i in range(n):
            squares[i] = product(G, i, G, i, 0, m - 1)
            largest = max(largest, squares[i])
        for i in range(n - 1):
            for j in range(i + 1, n):
                if min(squares[i], squares[j]) > NOTHING * largest:
                    turned += turn_pair(G, V, squares, i, j, n, m)
        if turned == 0:
            sort_down(squares, place, n)
            return sweep
    return -1


@kernel
def turn_pair(G: Floats, V: Floats, squares: Floats, i: int, j: int, n: int, m: int) -> int:
    """Rows i and j brought to a right angle; returns 1 if that took a turn."""
    both = product(G, i, G, j, 0, m - 1)
    if not both * both > RIGHT * RIGHT * squares[i] * squares[j]:
        return 0
    half = (squares[j] - squares[i]) / (2.0 * both)
    t = 1.0 / (abs(half) + np.sqrt(1.0 + half * half))
    if half < 0.0:
        t = -t
    cos = 1.0 / np.sqrt(1.0 + t * t)
    sin = t * cos
    turn_rows(G, i, j, m, cos, sin)
    turn_rows(V, i, j, n, cos, sin)
    squares[i], squares[j] = max(squares[i] - t * both, 0.0), squares[j] + t * both
    return 1


@kernel
def turn_rows(T: Floats, i: int, j: int, width: int, cos: float, sin: float) -> None:
    """Rows i and j of a table, turned by an angle."""
    for c in range(width):
        a, b = T[i, c], T[j, c]
        T[i, c] = cos * a - sin * b
        T[j, c] = sin * a + cos * b


@kernel
def sort_down(squares: Floats, place: Ints, n: int) -> None:
    """place: the numbers 0..n-1, the largest square first."""
    for i in range(n):
        k = i
        while k > 0 and squares[place[k - 1]] < squares[i]:
            place[k] = place[k - 1]
            k -= 1
        place[k] = i
