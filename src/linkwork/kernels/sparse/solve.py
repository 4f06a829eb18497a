"""Triangular solves with finished factors."""

from __future__ import annotations

from linkwork.kernels.jit import kernel
from linkwork.kernels.sparse.pattern import Factors, Floats


@kernel
def solve(factors: Factors, b: Floats, x: Floats) -> None:
    """x = A^-1 b; b (n,) is not changed (and may be x).

    Both factors are read column by column: measured against rows (dot products, whose sums wait for each
    other) and against one flat list of operations, on 12 to 11,000 unknowns, columns were the fastest or equal.
    """
    Lp, Li, Lx = factors.Lp, factors.Li, factors.Lx
    Up, Ui, Ux = factors.Up, factors.Ui, factors.Ux
    row, order, pivot, y = factors.row, factors.order, factors.pivot, factors.y
    n = y.shape[0]
    for k in range(n):
        y[k] = b[row[k]]
    p = 0
    for k in range(n):
        t = y[k]
        end = Lp[k + 1]
        while p < end:
            y[Li[p]] -= Lx[p] * t
            p += 1
    for k in range(n - 1, -1, -1):
        t = y[k] * pivot[k]
        for p in range(Up[k], Up[k + 1]):
            y[Ui[p]] -= Ux[p] * t
        x[order[k]] = t


@kernel
def solve_transposed(factors: Factors, x: Floats, y: Floats) -> None:
    """x = A^-T x, for several right sides at once. x, y (n, m) : the right sides and then what solves; work space."""
    Lp, Li, Lx = factors.Lp, factors.Li, factors.Lx
    Up, Ui, Ux = factors.Up, factors.Ui, factors.Ux
    row, order, pivot = factors.row, factors.order, factors.pivot
    n, many = x.shape
    if many == 1:  # in half the time, with two sums at once
        for k in range(n):
            first, second = x[order[k], 0], 0.0
            p, end = Up[k], Up[k + 1]
            while p + 1 < end:
                first -= Ux[p] * y[Ui[p], 0]
                second += Ux[p + 1] * y[Ui[p + 1], 0]
                p += 2
            if p < end:
                first -= Ux[p] * y[Ui[p], 0]
            y[k, 0] = (first - second) * pivot[k]
        for k in range(n - 1, -1, -1):
            first, second = y[k, 0], 0.0
            p, end = Lp[k], Lp[k + 1]
            while p + 1 < end:
                first -= Lx[p] * y[Li[p], 0]
                second += Lx[p + 1] * y[Li[p + 1], 0]
                p += 2
            if p < end:
                first -= Lx[p] * y[Li[p], 0]
            y[k, 0] = first - second
            x[row[k], 0] = y[k, 0]
        return
    for k in range(n):
        for c in range(many):
            y[k, c] = x[order[k], c]
        for p in range(Up[k], Up[k + 1]):
            for c in range(many):
                y[k, c] -= Ux[p] * y[Ui[p], c]
        for c in range(many):
            y[k, c] *= pivot[k]
    for k in range(n - 1, -1, -1):
        for p in range(Lp[k], Lp[k + 1]):
            for c in range(many):
                y[k, c] -= Lx[p] * y[Li[p], c]
        for c in range(many):
            x[row[k], c] = y[k, c]
