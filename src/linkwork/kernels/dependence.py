"""Constraint Jacobians with dependent rows: which rows depend on which; least-squares right sides and multipliers of
minimum norm.

A dependent row d is a combination of kept rows, G_d = C G_s. Then

- positions and velocities: G delta = -phi has a solution only if phi_d = C phi_s; in general the least-squares
  one solves G_s delta = -y with y = (I + C^T C)^-1 (phi_s + C^T phi_d);
- multipliers: of all lam with the same reaction G^T lam, the one of least norm is
  lam_s = (I + C^T C)^-1 mu, lam_d = C lam_s, with mu = lam_s + C^T lam_d.

Both need only the small matrix K = I + C C^T, since (I + C^T C)^-1 = I - C^T K^-1 C.

How rows are chosen: row by row, each is reduced by the rows kept before it and kept if its largest remaining entry,
over the norm of the row, is above `tolerance`; that entry becomes its pivot. This is Gaussian elimination with partial
pivoting of G^T, and as stable. Orthogonalisation would measure the distance of a row from the span of the others
exactly, but fills every row along a chain, costs twice as much, and gives C only by another solve. Of dependent rows
the first ones are kept; later ones are called redundant.

Which of several dependent rows is left out matters where the choice is used for a whole step: with a small coefficient
C[d, s] the rows become independent again after a small motion. `exchange` leaves out rows with large coefficients, and
a search begins with the rows kept by the one before, so that the choice seldom changes.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkwork.kernels.jit import kernel
from linkwork.kernels.natural import natural
from linkwork.kernels.needed import needed, passed_over
from linkwork.kernels.records import Shape

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

TOLERANCE = 1e-9  # largest entry that must remain of a row of unit norm for it to count as independent

STILL_PIVOT = 0.1  # of the largest entry: what a recorded step keeps as a pivot
EXCHANGE_RATIO = 2.0  # of scaled coefficients: a kept row is exchanged for the dropped one above it
KEPT_BEFORE = 2  # in Dependence.keep during a search: kept by the search before, and found dependent now

NR, ND = 0, 1  # entries of Dependence.sizes


class Dependence(NamedTuple):
    """What `independent_rows` finds about nc rows of m entries, and its work arrays."""

    keep: Annotated[Ints, Shape("nc"), "1: independent of the rows before it, 0: dependent"]
    kept: Annotated[Ints, Shape("nc"), "the first nr: the rows kept, as they were taken"]
    dropped: Annotated[Ints, Shape("nc"), "the first nd: the dependent rows"]
    sizes: Annotated[Ints, Shape(2), "nr, nd"]
    C: Annotated[Floats, Shape("nc", "nc"), "C[:nd, :nr]: row dropped[d] = sum over s of C[d, s] * row kept[s]"]
    K: Annotated[Floats, Shape("nc", "nc"), "[:nd, :nd] lower Cholesky factor of I + C C^T"]
    reduced: Annotated[
        Floats,
        Shape("nc", "m"),
        "kept rows, scaled, reduced by those before and divided by their pivots",
    ]
    factor: Annotated[Floats, Shape("nc", "nc"), "scaled kept row s = sum over q <= s of factor[s, q] * reduced[q]"]
    scale: Annotated[Floats, Shape("nc"), "size of each row"]
    pivot: Annotated[Ints, Shape("nc"), "column of each reduced row's pivot"]
    first: Annotated[Ints, Shape("nc"), "columns outside first..last of a reduced row are zero"]
    last: Annotated[Ints, Shape("nc")]
    w: Annotated[Floats, Shape("nc"), "intermediate results"]


def dependence(nc: int, m: int) -> Dependence:
    """Arrays for Jacobians of nc rows and m columns; all rows are marked as independent."""
    return Dependence(
        keep=np.ones(nc, dtype=np.int64),
        kept=np.arange(nc, dtype=np.int64),
        dropped=np.zeros(nc, dtype=np.int64),
        sizes=np.array((nc, 0), dtype=np.int64),
        C=np.zeros((nc, nc)),
        K=np.zeros((nc, nc)),
        reduced=np.zeros((nc, m)),
        factor=np.zeros((nc, nc)),
        scale=np.zeros(nc),
        pivot=np.zeros(nc, dtype=np.int64),
        first=np.zeros(nc, dtype=np.int64),
        last=np.zeros(nc, dtype=np.int64),
        w=np.zeros(nc),
    )


@kernel
def independent_rows(G: Floats, row_scale: Floats, tolerance: float, found: Dependence) -> int:
    """Find the independent rows of G (nc, m); returns the rank.

    Preferred are those that found.keep marks, all rows of a new `found`; among them the first ones.

    row_scale   (nc,)  rows are divided by their norm, but by no less than this; 0: by their norm
    tolerance   see TOLERANCE
    found       written: keep, kept, dropped, sizes, C, K
    Returns -1 where G is not finite.
    """
    m = G.shape[1]
    clear(found)
    for late in range(2):
        for i in range(G.shape[0]):
            if found.keep[i] == 1 - late:
                row = found.reduced[found.sizes[NR]]
                low, high = 0, m - 1
                while low < m and not needed(G[i, low] != 0.0):
                    low = natural(low + 1)
                while high > low and not needed(G[i, high] != 0.0):
                    high = natural(high - 1)
                for j in range(m):
                    row[j] = G[i, j]
                if take_row(i, low, high, row_scale[i], tolerance, found) < 0:
                    return -1
                if found.keep[i] == 0:
                    found.keep[i] = KEPT_BEFORE
    for i in range(G.shape[0]):
        if found.keep[i] == KEPT_BEFORE:
            found.keep[i] = 0
    factor_K(found)
    rank: int = found.sizes[NR]
    return rank


@kernel
def independent_rows_sparse(
    indptr: Ints, indices: Ints, values: Floats, row_scale: Floats, tolerance: float, found: Dependence
) -> int:
    """`independent_rows` for a Jacobian in compressed rows; entries for one place are added."""
    m = found.reduced.shape[1]
    clear(found)
    for i in range(indptr.shape[0] - 1):
        row = found.reduced[found.sizes[NR]]
        for j in range(m):
            row[j] = 0.0
        low = m
        high = -1
        for e in range(indptr[i], indptr[i + 1]):
            j = indices[e]
            row[j] += values[e]
            if needed(values[e] != 0.0):
                low = min(low, j)
                high = max(high, j)
        if take_row(i, low, high, row_scale[i], tolerance, found) < 0:
            return -1
    factor_K(found)
    rank: int = found.sizes[NR]
    return rank


@kernel
def clear(found: Dependence) -> None:
    """No rows kept or dropped yet."""
    found.sizes[NR] = 0
    found.sizes[ND] = 0


@kernel
def take_row(i: int, low: int, high: int, size: float, tolerance: float, found: Dependence) -> int:
    """Keep or drop row i, whose entries (columns low..high) stand in found.reduced[nr]; returns -1 if not finite, else
    0."""
    nr = natural(found.sizes[NR])
    row, part = found.reduced[nr], found.w
    low, end = natural(low), natural(high + 1)
    total = 0.0
    for j in range(low, end):
        total += row[j] * row[j]
    if not total < 1e300:
        return -1
    scale = max(np.sqrt(total), size)
    found.scale[i] = scale
    if total > 0.0:
        for j in range(low, end):
            row[j] /= scale
    for s in range(nr):
        column = natural(found.pivot[s])
        c = row[column]
        part[s] = c
        if needed(c != 0.0):
            first, behind = natural(found.first[s]), natural(found.last[s] + 1)
            other = found.reduced[s]
            for j in range(first, behind):
                row[j] -= c * other[j]
            row[column] = 0.0
            low, end = min(low, first), max(end, behind)
    best = 0.0
    for j in range(low, end):
        best = max(best, abs(row[j]))
    if best > tolerance:
        column = low
        while column < end - 1 and passed_over(abs(row[column]), best, tolerance, STILL_PIVOT):
            column = natural(column + 1)
        pivot = row[column]
        for j in range(low, end):
            row[j] /= pivot
        row[column] = 1.0
        for s in range(nr):
            found.factor[nr, s] = part[s]
        found.factor[nr, nr] = pivot
        found.pivot[nr] = column
        found.first[nr] = low
        found.last[nr] = end - 1
        found.keep[i] = 1
        found.kept[nr] = i
        found.sizes[NR] = nr + 1
    else:
        drop_row(i, found)
    return 0


@kernel
def drop_row(i: int, found: Dependence) -> None:
    """Write row i as a combination of the kept rows, from w: its combination of the reduced ones."""
    nr = found.sizes[NR]
    nd = found.sizes[ND]
    part, c = found.w, found.C[nd]
    for s in range(c.shape[0]):
        c[s] = 0.0
    for q in range(nr - 1, -1, -1):
        if needed(part[q] != 0.0):
            weight = part[q] / found.factor[q, q]
            for s in range(q):
                part[s] -= weight * found.factor[q, s]
            c[q] = weight * found.scale[i] / found.scale[found.kept[q]]
    found.keep[i] = 0
    found.dropped[nd] = i
    found.sizes[ND] = nd + 1


@kernel
def exchange(found: Dependence) -> None:
    """Of rows that depend on each other, leave out one with a large coefficient; writes keep, kept, dropped, C, K.

    With row d = sum C[d, s] row s, row s is row d less the others, over C[d, s]. Every exchange makes the kept rows
    more independent: the volume that they span grows by EXCHANGE_RATIO at least.
    """
    C, scale, kept, dropped = found.C, found.scale, found.kept, found.dropped
    nr, nd = found.sizes[NR], found.sizes[ND]
    moved = False
    for _ in range(2 * nd):
        most = EXCHANGE_RATIO
        d, s = -1, -1
        for e in range(nd):
            size = scale[dropped[e]]
            for q in range(nr):
                if abs(C[e, q]) * scale[kept[q]] > most * size:
                    most = abs(C[e, q]) * scale[kept[q]] / size if size > 0.0 else most
                    d, s = e, q
        if d < 0:
            break
        moved = True
        swap(found, d, s)
    if moved:
        factor_K(found)


@kernel
def swap(found: Dependence, d: int, s: int) -> None:
    """Keep dropped row d in the place of kept row s, with C[d, s] not zero; `factor_K` is left to the caller."""
    C, kept, dropped = found.C, found.kept, found.dropped
    nr, nd = found.sizes[NR], found.sizes[ND]
    over = 1.0 / C[d, s]
    for q in range(nr):
        C[d, q] *= -over
    C[d, s] = over
    for e in range(nd):
        coefficient = C[e, s]
        if e != d and coefficient != 0.0:
            C[e, s] = 0.0
            for q in range(nr):
                C[e, q] += coefficient * C[d, q]
    row = kept[s]
    kept[s], dropped[d] = dropped[d], row
    found.keep[row] = 0
    found.keep[kept[s]] = 1


@kernel
def factor_K(found: Dependence) -> None:
    """The Cholesky factor of K = I + C C^T (its eigenvalues are at least one: no pivots needed)."""
    nr, nd = found.sizes[NR], found.sizes[ND]
    C, K = found.C, found.K
    for d in range(nd):
        for e in range(d + 1):
            total = 1.0 if d == e else 0.0
            for s in range(nr):
                total += C[d, s] * C[e, s]
            for q in range(e):
                total -= K[d, q] * K[e, q]
            if d == e:
                K[d, d] = np.sqrt(total)
            else:
                K[d, e] = total / K[e, e]


@kernel
def solve_K(found: Dependence, w: Floats) -> None:
    """w[:nd] becomes K^-1 w, with the Cholesky factor of K."""
    nd = found.sizes[ND]
    K = found.K
    for d in range(nd):
        for q in range(d):
            w[d] -= K[d, q] * w[q]
        w[d] /= K[d, d]
    for d in range(nd - 1, -1, -1):
        for q in range(d + 1, nd):
            w[d] -= K[q, d] * w[q]
        w[d] /= K[d, d]


@kernel
def least_squares_rhs(found: Dependence, phi: Floats, y: Floats) -> None:
    """The right side y for which G_s delta = -y is the least-squares solution of G delta = -phi.

    phi (nc,) residuals of all rows; y (nc,) written, zero in dropped rows; y may be phi.
    y_s = phi_s + C^T K^-1 (phi_d - C phi_s).
    """
    nr, nd = found.sizes[NR], found.sizes[ND]
    w = found.w
    for d in range(nd):
        total = phi[found.dropped[d]]
        for s in range(nr):
            total -= found.C[d, s] * phi[found.kept[s]]
        w[d] = total
    solve_K(found, w)
    for s in range(nr):
        total = phi[found.kept[s]]
        for d in range(nd):
            total += found.C[d, s] * w[d]
        y[found.kept[s]] = total
    for d in range(nd):
        y[found.dropped[d]] = 0.0


@kernel
def minimum_norm(found: Dependence, lam: Floats, out: Floats) -> None:
    """Of all multipliers with the reaction G^T lam, those of least norm; lam, out (nc,); out may be lam.

    mu = lam_s + C^T lam_d;  out_d = K^-1 C mu;  out_s = mu - C^T out_d.
    """
    nr, nd = found.sizes[NR], found.sizes[ND]
    w = found.w
    for s in range(nr):
        total = lam[found.kept[s]]
        for d in range(nd):
            total += found.C[d, s] * lam[found.dropped[d]]
        out[found.kept[s]] = total
    for d in range(nd):
        total = 0.0
        for s in range(nr):
            total += found.C[d, s] * out[found.kept[s]]
        w[d] = total
    solve_K(found, w)
    for s in range(nr):
        for d in range(nd):
            out[found.kept[s]] -= found.C[d, s] * w[d]
    for d in range(nd):
        out[found.dropped[d]] = w[d]
