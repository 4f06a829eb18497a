"""What the bases of the null space differ in: how rows are split into L Y^T, and how Y and Z act on vectors.

Vectors of 6 nb components stand in the units of `NullSpace.units`; c and z have as many components as the rank.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from linkwork.kernels.dense_lu import factor_complete
from linkwork.kernels.dense_qr import (
    RowFactors,
    apply_Q,
    apply_Q_transposed,
    factor_rows,
    lower,
    solve_lower,
    solve_upper,
)
from linkwork.kernels.dense_saddle import SaddleFactors, factor_saddle
from linkwork.kernels.jacobi_svd import orthogonalise
from linkwork.kernels.jit import kernel
from linkwork.kernels.tables import Floats, Ints

QR, SVD, PARTITION = 0, 1, 2
NAMES = ("qr", "svd", "partition")
ROUNDING = 1e-13  # of a scaled row is rounding: what a QR leaves out before singular values are looked for

# entries of NullSpace.sizes
BASIS, UNIT, RANK, SEEN, REFLECTIONS = range(5)
SIZES = 5


class NullSpace(NamedTuple):
    """What the solver keeps besides the factors of the rows and of Z^T M Z; N = 6 nb; empty if a basis has no use."""

    units: Floats  # (nb, 10) S: upper triangular angular part row by row, linear part
    scale: Floats  # (nc,) D
    size: Floats  # (nc,) norms of the rows of J S when they were first seen
    taken: Ints  # (nc,) 1: may be taken as independent
    columns: Ints  # (N,) coordinates: those the rows decide, then the independent ones
    G: Floats  # (nc, nc) triangle of the QR, turned until its rows are orthogonal
    V: Floats  # (nc, nc) by these turns
    squares: Floats  # (nc,) of singular values
    place: Ints  # (nc,) their rows in G, descending
    Z: Floats  # (N, N) one basis vector to a row
    a: Floats  # (N,) work
    g: Floats  # (N,) what the bodies' equations miss
    w: Floats  # (N,) a motion
    c: Floats  # (nc,) what the rows decide of it
    e: Floats  # (nc,) what the rows miss
    z: Floats  # (nc,) L^T D^-1 lambda
    y: Floats  # (N,) independent unknowns
    sizes: Ints  # (5,) basis; 1 where Z^T M Z = E; rank, -1 before; rank when accelerations were last decided; rank of
    # the QR before singular values
    usual: Floats  # (1,) smallest pivot of the first matrix, 0 before
    report: Floats  # (2,) smallest pivot, and its row


@kernel
def split(space: NullSpace, rows: RowFactors, least: Any, most: Any, fixed: Any) -> int:
    """D J S, which stands in rows.A, as L Y^T. Returns the rank, -1 where it is not finite.

    least : what must be left of a row. most : rank at most. fixed : rank to be kept, with the rows that were taken;
    -1: decide.
    """
    m, n = rows.A.shape
    basis = space.sizes[BASIS]
    if basis == PARTITION:
        return int(factor_complete(rows.A, rows.order, space.columns, rows.diagonal, space.taken, least, fixed))
    if basis == QR:
        return int(factor_rows(rows, m, n, space.taken, least, fixed))
    found = factor_rows(rows, m, n, space.taken, ROUNDING, -1)
    if found < 0:
        return -1
    space.sizes[REFLECTIONS] = found
    for j in range(m):
        for i in range(found):
            space.G[i, j] = lower(rows, found, j, i)
    if orthogonalise(space.G, space.V, space.squares, space.place, found, m) < 0:
        return -1
    if fixed >= 0:
        return int(min(fixed, found))
    rank = 0
    while rank < min(found, most) and space.squares[space.place[rank]] > least * least:
        rank += 1
    return rank


@kernel
def smallest_pivot(space: NullSpace, rows: RowFactors, rank: Any) -> None:
    """The smallest pivot or singular value, and its row if it has one, into the report."""
    space.report[0], space.report[1] = 1.0, -1.0
    if space.sizes[BASIS] == SVD:
        if rank > 0:
            space.report[0] = space.squares[space.place[rank - 1]] ** 0.5
    else:
        for j in range(rank):
            if abs(rows.diagonal[j]) < space.report[0]:
                space.report[0], space.report[1] = abs(rows.diagonal[j]), rows.order[j]


@kernel
def entry_of_L(space: NullSpace, rows: RowFactors, rank: Any, j: Any, i: Any) -> Any:
    """L[j, i], rows in the order taken."""
    basis = space.sizes[BASIS]
    if basis == QR:
        return lower(rows, rank, j, i)
    if basis == SVD:
        return space.G[space.place[i], j]
    if j < rank and i >= j:
        return 1.0 if i == j else 0.0
    return rows.A[rows.order[j], space.columns[i]]


@kernel
def triangular(space: NullSpace) -> bool:
    """Whether the rows taken alone decide, by a triangle."""
    return bool(space.sizes[BASIS] != SVD)


@kernel
def second_factors(space: NullSpace, rows: RowFactors, second: RowFactors, rank: Any) -> None:
    """QR of T = D^-1 L, all rows, in their own order and units."""
    m = rows.A.shape[0]
    for i in range(rank):
        second.order[i] = i
        for j in range(m):
            k = rows.order[j]
            second.A[i, k] = entry_of_L(space, rows, rank, j, i) / space.scale[k]
    factor_rows(second, rank, m, space.taken, 0.0, rank)


@kernel
def decide(space: NullSpace, rows: RowFactors, second: RowFactors, rank: Any, nearest: Any) -> None:
    """c from e: L c = D e by the rows taken alone, or T c nearest to e.

    nearest : the latter. A singular value decomposition knows no other way.
    """
    c, e = space.c, space.e
    if triangular(space) and not (nearest and rank < e.shape[0]):
        for j in range(rank):
            k = rows.order[j]
            c[j] = space.scale[k] * e[k]
        if space.sizes[BASIS] == QR:
            solve_lower(rows, rank, c)
        else:
            for j in range(rank):
                for i in range(j):
                    c[j] -= rows.A[rows.order[j], space.columns[i]] * c[i]
    else:
        apply_Q_transposed(second, rank, e)
        for i in range(rank):
            c[i] = e[i]
        solve_upper(second, rank, c)


@kernel
def multipliers(space: NullSpace, rows: RowFactors, second: RowFactors, rank: Any, lam: Any) -> None:
    """lam from z; of least norm where rows are redundant. z is used up."""
    z, m = space.z, lam.shape[0]
    if triangular(space) and rank == m:
        if space.sizes[BASIS] == QR:
            solve_upper(rows, rank, z)
        else:
            for j in range(rank - 1, -1, -1):
                for i in range(j):
                    z[i] -= rows.A[rows.order[j], space.columns[i]] * z[j]
        for j in range(rank):
            k = rows.order[j]
            lam[k] = space.scale[k] * z[j]
    else:
        solve_lower(second, rank, z)
        for k in range(m):
            lam[k] = z[k] if k < rank else 0.0
        apply_Q(second, rank, lam)


@kernel
def into_coordinates(space: NullSpace, rows: RowFactors, rank: Any, w: Any) -> None:
    """w becomes (Y, Z)^T w. For qr and svd, whose bases are orthonormal."""
    if space.sizes[BASIS] == QR:
        apply_Q_transposed(rows, rank, w)
    else:
        found = space.sizes[REFLECTIONS]
        apply_Q_transposed(rows, found, w)
        for i in range(found):
            space.a[i] = w[i]
        for i in range(found):
            total, at = 0.0, space.place[i]
            for j in range(found):
                total += space.V[at, j] * space.a[j]
            w[i] = total


@kernel
def out_of_coordinates(space: NullSpace, rows: RowFactors, rank: Any, w: Any) -> None:
    """w becomes (Y, Z) w."""
    if space.sizes[BASIS] == QR:
        apply_Q(rows, rank, w)
    else:
        found = space.sizes[REFLECTIONS]
        for i in range(found):
            space.a[i], w[i] = w[i], 0.0
        for i in range(found):
            at = space.place[i]
            for j in range(found):
                w[j] += space.V[at, j] * space.a[i]
        apply_Q(rows, found, w)


@kernel
def meet(space: NullSpace, rows: RowFactors, rank: Any, w: Any) -> None:
    """w with Y^T w = c; the coordinates that a partition leaves independent are kept."""
    if space.sizes[BASIS] != PARTITION:
        for i in range(w.shape[0]):
            w[i] = space.c[i] if i < rank else 0.0
        out_of_coordinates(space, rows, rank, w)
    else:
        for j in range(rank - 1, -1, -1):
            p, total = rows.order[j], space.c[j]
            for i in range(j + 1, w.shape[0]):
                at = space.columns[i]
                total -= rows.A[p, at] * w[at]
            w[space.columns[j]] = total / rows.diagonal[j]


@kernel
def push(space: NullSpace, rows: RowFactors, rank: Any) -> None:
    """g less Y z."""
    g, w = space.g, space.w
    if space.sizes[BASIS] != PARTITION:
        for i in range(g.shape[0]):
            w[i] = space.z[i] if i < rank else 0.0
        out_of_coordinates(space, rows, rank, w)
        for i in range(g.shape[0]):
            g[i] -= w[i]
    else:
        for j in range(rank):
            p = rows.order[j]
            for i in range(j, g.shape[0]):
                at = space.columns[i]
                g[at] -= rows.A[p, at] * space.z[j]


@kernel
def react(space: NullSpace, rows: RowFactors, rank: Any) -> None:
    """z grows by that part of g that the rows can take up: all of it, once the motion is right."""
    g, z = space.g, space.z
    if space.sizes[BASIS] != PARTITION:
        into_coordinates(space, rows, rank, g)
        for i in range(rank):
            z[i] += g[i]
    else:
        for j in range(rank):
            share = g[space.columns[j]] / rows.diagonal[j]
            z[j] += share
            for i in range(j + 1, rank):
                at = space.columns[i]
                g[at] -= rows.A[rows.order[j], at] * share


@kernel
def span(space: NullSpace, rows: RowFactors, rank: int) -> None:
    """Z, vector by vector."""
    Z = space.Z
    for i in range(space.w.shape[0] - rank):
        w = Z[i]
        for c in range(w.shape[0]):
            w[c] = 0.0
        if space.sizes[BASIS] == PARTITION:
            w[space.columns[rank + i]] = 1.0
            for j in range(rank):
                space.c[j] = 0.0
            meet(space, rows, rank, w)
        else:
            w[rank + i] = 1.0
            out_of_coordinates(space, rows, rank, w)


@kernel
def reduced_inertia(space: NullSpace, body: Floats, reduced: SaddleFactors, free: int) -> int:
    """Form Z^T M Z in the upper triangle and factor it."""
    Z, u = space.Z, space.a
    for j in range(free):
        weigh(space, body, Z[j], u)
        for i in range(j + 1):
            total = 0.0
            for c in range(u.shape[0]):
                total += Z[i, c] * u[c]
            reduced.values[free * i + j] = total
    return int(factor_saddle(reduced, free, free, 0.0, space.report))


@kernel
def weigh(space: NullSpace, body: Any, w: Any, out: Any) -> None:
    """out = S^T M S w."""
    units = space.units
    for b in range(units.shape[0]):
        s0, s1, s2 = w[6 * b], w[6 * b + 1], w[6 * b + 2]
        # only diagonal angular units come with a mass matrix that is not one
        s0, s1, s2 = units[b, 0] * s0, units[b, 4] * s1, units[b, 8] * s2
        for r in range(3):
            turned = body[b, 1 + 3 * r] * s0 + body[b, 2 + 3 * r] * s1 + body[b, 3 + 3 * r] * s2
            out[6 * b + r] = units[b, 4 * r] * turned
            out[6 * b + 3 + r] = units[b, 9] * units[b, 9] * body[b, 0] * w[6 * b + 3 + r]
