"""Residuals of M x + J^T lambda = f, J x = eta that several solvers need: each of them solves for corrections of x and
lambda, so that a second pass removes the rounding of the first."""

from __future__ import annotations

from typing import Any

from linkwork.kernels.jit import kernel
from linkwork.kernels.tables import Floats
from linkwork.problems.explicit import Work
from linkwork.system.packed import Tables

Six = tuple[float, float, float, float, float, float]  # angular before linear

NONNEGATIVE = 0x7FFFFFFF  # an index masked by it is known not to be negative, which spares a test at every use


@kernel
def clear_solution(work: Work) -> None:
    """x = 0 for all bodies but ground, lambda = 0."""
    x, lam = work.x, work.lam
    for b in range(x.shape[0] - 1):
        for c in range(6):
            x[b, c] = 0.0
    for k in range(lam.shape[0]):
        lam[k] = 0.0


@kernel
def row_residual(tables: Tables, work: Work, eta: Floats, k: int) -> Any:
    """eta_k - J_k x of row k. Reads work.J (nc, 12), work.x (nb + 1, 6)."""
    J, x = work.J, work.x
    i, j = tables.row_int[k, 1] & NONNEGATIVE, tables.row_int[k, 2] & NONNEGATIVE
    total = eta[k]
    for c in range(6):
        total -= J[k, c] * x[i, c] + J[k, 6 + c] * x[j, c]
    return total


@kernel
def body_residual(tables: Tables, work: Work, b: int) -> Six:
    """f - M x of body b as six components, torque [N m] before force [N]; M from tables.body: mass, inertia by rows."""
    f, x, body = work.f, work.x, tables.body
    x0, x1, x2, mass = x[b, 0], x[b, 1], x[b, 2], body[b, 0]
    return (
        f[b, 0] - (body[b, 1] * x0 + body[b, 2] * x1 + body[b, 3] * x2),
        f[b, 1] - (body[b, 4] * x0 + body[b, 5] * x1 + body[b, 6] * x2),
        f[b, 2] - (body[b, 7] * x0 + body[b, 8] * x1 + body[b, 9] * x2),
        f[b, 3] - mass * x[b, 3],
        f[b, 4] - mass * x[b, 4],
        f[b, 5] - mass * x[b, 5],
    )
