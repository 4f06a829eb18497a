"""L D L^T of a dense saddle-point matrix (K, H^T; H, 0), K positive definite, without pivoting.

Eliminating K leaves -H K^-1 H^T in the lower corner, so that pivots are positive first and negative then: no
permutation is needed, and the Schur complement is never formed apart. The matrix is its upper triangle, row by row in
a square. Entries that are zero when their row is eliminated are skipped: branches of a tree that do not touch each
other cause no fill-in if the tips come before the bases.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from linkwork.kernels.jit import kernel
from linkwork.kernels.needed import needed
from linkwork.kernels.records import Shape
from linkwork.kernels.sincos import chosen
from linkwork.kernels.tables import Floats, Ints
from linkwork.status import Status

OK, SINGULAR, NOT_FINITE = int(Status.OK), int(Status.SINGULAR), int(Status.NOT_FINITE)
LEAST_INERTIA = 1e-14  # smallest pivot of K over its diagonal entry: far below those of long chains, above rounding


class SaddleFactors(NamedTuple):
    """Arrays for matrices up to some size; a matrix of n unknowns uses the first n n values."""

    values: Annotated[Floats, Shape("n n"), "entry (i, j), j >= i, at n i + j; then D on the diagonal, D L^T beyond"]
    inverse: Annotated[Floats, Shape("n"), "1 / D"]
    reference: Annotated[
        Floats,
        Shape("n"),
        "what pivots are divided by: the diagonal of K; for rows of H, written by the caller",
    ]


def saddle_factors(n: int) -> SaddleFactors:
    """Arrays for up to n unknowns."""
    return SaddleFactors(np.zeros(n * n), np.zeros(n), np.zeros(n))


@kernel
def clear_saddle(factors: SaddleFactors, n: int) -> None:
    """A zero matrix of n unknowns, before its entries are added up."""
    for e in range(n * n):
        factors.values[e] = 0.0


@kernel
def factor_saddle(factors: SaddleFactors, n: int, positive: int, least_pivot: float, report: Floats) -> int:
    """Factor in place: OK, SINGULAR, or NOT_FINITE.

    positive : order of K. least_pivot : smallest |pivot| / reference allowed for a row of H.
    report (2,) : written, the smallest such ratio and its unknown; where K fails, those of K.
    """
    a, inverse, reference = factors.values, factors.inverse, factors.reference
    report[0], report[1] = 1.0, -1.0
    for k in range(positive):
        reference[k] = a[n * k + k]
    for k in range(n):
        row = n * k
        pivot = a[row + k] if k < positive else -a[row + k]
        if not abs(pivot) < 1e300:
            report[1] = k
            return NOT_FINITE
        least = LEAST_INERTIA if k < positive else least_pivot
        if not pivot > least * reference[k]:
            report[0], report[1] = pivot / reference[k] if reference[k] != 0.0 else 0.0, k
            return SINGULAR
        if k >= positive:
            smaller = pivot < report[0] * reference[k]
            report[0] = chosen(smaller, pivot / reference[k], report[0])
            report[1] = chosen(smaller, float(k), report[1])
        over = 1.0 / a[row + k]
        inverse[k] = over
        for i in range(k + 1, n):
            share = a[row + i] * over
            if needed(share != 0.0):
                other = n * i
                for j in range(i, n):
                    a[other + j] -= share * a[row + j]
    return OK


@kernel
def name_row(report: Floats, rows: Ints, count: int, before: int) -> None:
    """The unknown in report[1] becomes the constraint row that it stands for, -1 if it stands for none.

    rows (count, ...) : constraint rows, those of the unknowns from `before` on.
    """
    place, row = report[1], -1.0
    for q in range(count):
        row = chosen(place == before + q, float(rows[q]), row)
    report[1] = row


@kernel
def solve_saddle(factors: SaddleFactors, n: int, z: Floats) -> None:
    """Solve in place: z (n,) is the right side, then the solution."""
    a, inverse = factors.values, factors.inverse
    for k in range(n):
        share = z[k] * inverse[k]
        if needed(share != 0.0):
            for j in range(k + 1, n):
                z[j] -= share * a[n * k + j]
    for k in range(n - 1, -1, -1):
        total = z[k]
        for j in range(k + 1, n):
            total -= a[n * k + j] * z[j]
        z[k] = total * inverse[k]
