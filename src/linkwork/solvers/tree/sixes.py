"""Vectors of six components as tuples; 6 x 6 matrices as rows of a table, T[k] row by row, angular components first."""

from __future__ import annotations

from typing import Any

from linkwork.kernels.jit import kernel
from linkwork.kernels.tables import Floats
from linkwork.solvers.residuals import Six


@kernel
def transposed_times(T: Floats, k: int, F: Six) -> Six:
    """T[k]^T F, T (n, 36) 6 x 6 matrices by rows, F six components."""
    return (column(T, k, 0, F), column(T, k, 1, F), column(T, k, 2, F), column(T, k, 3, F), column(T, k, 4, F),
            column(T, k, 5, F))  # fmt: skip


@kernel
def column(T: Floats, k: int, c: int, F: Six) -> Any:
    """Column c of T[k] times F: component c of T[k]^T F."""
    angular = T[k, c] * F[0] + T[k, 6 + c] * F[1] + T[k, 12 + c] * F[2]
    return angular + (T[k, 18 + c] * F[3] + T[k, 24 + c] * F[4] + T[k, 30 + c] * F[5])


@kernel
def times(T: Floats, k: int, r: int, x: Floats, p: int) -> Any:
    """Row r of T[k] times row p of x (n, 6): component r of T[k] x[p]."""
    n = 6 * r
    angular = T[k, n] * x[p, 0] + T[k, n + 1] * x[p, 1] + T[k, n + 2] * x[p, 2]
    return angular + (T[k, n + 3] * x[p, 3] + T[k, n + 4] * x[p, 4] + T[k, n + 5] * x[p, 5])


@kernel
def at6(table: Floats, k: int) -> Six:
    """Row k of a table (n, 6), as a tuple."""
    return (table[k, 0], table[k, 1], table[k, 2], table[k, 3], table[k, 4], table[k, 5])


@kernel
def body_inertia(body: Floats, b: int, inertia: Floats, k: int) -> None:
    """Write M of body b, diag(inertia, mass E), into inertia[k] (36 entries). body : as Tables.body."""
    for c in range(36):
        inertia[k, c] = 0.0
    for c in range(9):
        inertia[k, 6 * (c // 3) + c % 3] = body[b, 1 + c]
    for c in range(3):
        inertia[k, 7 * (3 + c)] = body[b, 0]


@kernel
def column_of(T: Floats, k: int, c: int) -> Six:
    """Column c of T[k], as a tuple."""
    return (T[k, c], T[k, 6 + c], T[k, 12 + c], T[k, 18 + c], T[k, 24 + c], T[k, 30 + c])


@kernel
def row_wrench(J: Floats, row: int, side: int) -> Six:
    """The wrench of a unit multiplier of a row on body i (side 0) or body j (side 1): six entries of J."""
    n = 6 * side
    return (J[row, n], J[row, n + 1], J[row, n + 2], J[row, n + 3], J[row, n + 4], J[row, n + 5])


@kernel
def minus_column(F: Six, T: Floats, k: int, c: int, share: float) -> Six:
    """F - share times column c of T[k]."""
    return (F[0] - share * T[k, c], F[1] - share * T[k, 6 + c], F[2] - share * T[k, 12 + c],
            F[3] - share * T[k, 18 + c], F[4] - share * T[k, 24 + c], F[5] - share * T[k, 30 + c])  # fmt: skip
