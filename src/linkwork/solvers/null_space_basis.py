"""The bases of the null space: factors D J S = L Y^T of the rows, and products with Y and with Z, where Y^T Z = 0.

Vectors of 6 nb components are scaled by S (`NullSpace.scale`); c and z have as many components as the rank.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

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
from linkwork.kernels.records import Shape
from linkwork.kernels.sincos import chosen
from linkwork.kernels.tables import Floats, Ints

QR, SVD, PARTITION = 0, 1, 2
ROUNDING = 1e-13  # norm of a row of unit norm that a QR leaves out as rounding before singular values are computed

# entries of NullSpace.sizes
BASIS, UNIT, RANK, SEEN, REFLECTIONS = range(5)


class NullSpace(NamedTuple):
    """What the solver keeps besides the factors of the rows and of Z^T M Z; N = 6 nb. singular = nc for basis svd, full
    = N where Z^T M Z is not the unit matrix, else 0; work = max(nc, N)."""

    scale: Annotated[Floats, Shape("nb", 10), "S: upper triangular angular part by rows, linear part"]
    row_scale: Annotated[Floats, Shape("nc"), "D"]
    first_norm: Annotated[Floats, Shape("nc"), "norms of the rows of J S in the first matrix"]
    allowed: Annotated[Ints, Shape("nc"), "1: may be taken as independent"]
    columns: Annotated[Ints, Shape("N"), "coordinates: those that the rows determine, then the independent ones"]
    G: Annotated[Floats, Shape("singular", "singular"), "triangle of the QR, rotated until its rows are orthogonal"]
    V: Annotated[Floats, Shape("singular", "singular"), "the product of these rotations"]
    squares: Annotated[Floats, Shape("nc"), "squared singular values"]
    order: Annotated[Ints, Shape("nc"), "rows of G by descending singular values"]
    Z: Annotated[Floats, Shape("full", "full"), "one basis vector per row"]
    a: Annotated[Floats, Shape("work"), "intermediate results"]
    g: Annotated[Floats, Shape("N"), "residual of the bodies' equations, S^T (f - M x) - Y z"]
    w: Annotated[Floats, Shape("N"), "change of S^-1 x"]
    c: Annotated[Floats, Shape("nc"), "the part of w in the basis Y"]
    e: Annotated[Floats, Shape("nc"), "residual of the rows, eta - J x"]
    z: Annotated[Floats, Shape("nc"), "L^T D^-1 lambda"]
    y: Annotated[Floats, Shape("N"), "independent unknowns"]
    sizes: Annotated[
        Ints,
        Shape(5),
        "basis; 1 where Z^T M Z = E; rank, -1 before; rank when accelerations were last solved for; rank of the QR "
        "that singular values are computed from",
    ]
    first: Annotated[Floats, Shape(1), "smallest pivot of the first matrix, 0 before"]
    report: Annotated[Floats, Shape(2), "smallest pivot, and its row"]


@kernel
def factor_jacobian(space: NullSpace, rows: RowFactors, least: float, most: int, fixed: int) -> int:
    """Factor rows.A = D J S as L Y^T. Returns the rank, -1 where the matrix is not finite.

    least : smallest pivot or singular value of an independent row. most : rank at most. fixed : rank to be kept, with
    the same rows; -1: find it.
    """
    m, n = rows.A.shape
    basis = space.sizes[BASIS]
    if basis == PARTITION:
        return int(factor_complete(rows.A, rows.order, space.columns, rows.diagonal, space.allowed, least, fixed))
    if basis == QR:
        return int(factor_rows(rows, m, n, space.allowed, least, fixed))
    found = factor_rows(rows, m, n, space.allowed, ROUNDING, -1)
    if found < 0:
        return -1
    space.sizes[REFLECTIONS] = found
    for j in range(m):
        for i in range(found):
            space.G[i, j] = lower(rows, found, j, i)
    if orthogonalise(space.G, space.V, space.squares, space.order, found, m) < 0:
        return -1
    if fixed >= 0:
        return int(min(fixed, found))
    rank = 0
    while rank < min(found, most) and space.squares[space.order[rank]] > least * least:
        rank += 1
    return rank


@kernel
def report_pivot(space: NullSpace, rows: RowFactors, rank: int) -> None:
    """Write the smallest pivot or singular value, and its row if it has one, to the report."""
    space.report[0], space.report[1] = 1.0, -1.0
    if space.sizes[BASIS] == SVD:
        if rank > 0:
            space.report[0] = space.squares[space.order[rank - 1]] ** 0.5
    else:
        for j in range(rank):
            pivot = abs(rows.diagonal[j])
            smaller = pivot < space.report[0]
            space.report[0] = chosen(smaller, pivot, space.report[0])
            space.report[1] = chosen(smaller, float(rows.order[j]), space.report[1])


@kernel
def entry_of_L(space: NullSpace, rows: RowFactors, rank: int, j: int, i: int) -> Any:
    """L[j, i], rows in the order taken."""
    basis = space.sizes[BASIS]
    if basis == QR:
        return lower(rows, rank, j, i)
    if basis == SVD:
        return space.G[space.order[i], j]
    if j < rank and i >= j:
        return 1.0 if i == j else 0.0
    return rows.A[rows.order[j], space.columns[i]]


@kernel
def has_triangle(space: NullSpace) -> bool:
    """Whether L has a triangle: its first `rank` rows alone determine c."""
    return bool(space.sizes[BASIS] != SVD)


@kernel
def factor_T(space: NullSpace, rows: RowFactors, second: RowFactors, rank: int) -> None:
    """QR of T = D^-1 L (nc, rank), with rows in the order and units of J."""
    m = rows.A.shape[0]
    for i in range(rank):
        second.order[i] = i
        for j in range(m):
            k = rows.order[j]
            second.A[i, k] = entry_of_L(space, rows, rank, j, i) / space.row_scale[k]
    factor_rows(second, rank, m, space.allowed, 0.0, rank)


@kernel
def row_coordinates(space: NullSpace, rows: RowFactors, second: RowFactors, rank: int, nearest: bool) -> None:
    """space.c from space.e: L c = D e by the first `rank` rows, or T c nearest to e in least squares.

    nearest : the latter; always with a singular value decomposition, which has no triangle.
    """
    c, e = space.c, space.e
    if has_triangle(space) and not (nearest and rank < e.shape[0]):
        for j in range(rank):
            k = rows.order[j]
            c[j] = space.row_scale[k] * e[k]
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
def multipliers(space: NullSpace, rows: RowFactors, second: RowFactors, rank: int, lam: Floats) -> None:
    """lam with L^T D^-1 lam = z; of minimum norm where rows are redundant. Overwrites z."""
    z, m = space.z, lam.shape[0]
    if has_triangle(space) and rank == m:
        if space.sizes[BASIS] == QR:
            solve_upper(rows, rank, z)
        else:
            for j in range(rank - 1, -1, -1):
                for i in range(j):
                    z[i] -= rows.A[rows.order[j], space.columns[i]] * z[j]
        for j in range(rank):
            k = rows.order[j]
            lam[k] = space.row_scale[k] * z[j]
    else:
        solve_lower(second, rank, z)
        for k in range(m):
            lam[k] = z[k] if k < rank else 0.0
        apply_Q(second, rank, lam)


@kernel
def apply_basis_transposed(space: NullSpace, rows: RowFactors, rank: int, w: Floats) -> None:
    """w (N,) becomes (Y, Z)^T w. For qr and svd, whose bases are orthonormal."""
    if space.sizes[BASIS] == QR:
        apply_Q_transposed(rows, rank, w)
    else:
        found = space.sizes[REFLECTIONS]
        apply_Q_transposed(rows, found, w)
        for i in range(found):
            space.a[i] = w[i]
        for i in range(found):
            total, at = 0.0, space.order[i]
            for j in range(found):
                total += space.V[at, j] * space.a[j]
            w[i] = total


@kernel
def apply_basis(space: NullSpace, rows: RowFactors, rank: int, w: Floats) -> None:
    """w (N,) becomes (Y, Z) w. For qr and svd."""
    if space.sizes[BASIS] == QR:
        apply_Q(rows, rank, w)
    else:
        found = space.sizes[REFLECTIONS]
        for i in range(found):
            space.a[i], w[i] = w[i], 0.0
        for i in range(found):
            at = space.order[i]
            for j in range(found):
                w[j] += space.V[at, j] * space.a[i]
        apply_Q(rows, found, w)


@kernel
def particular_solution(space: NullSpace, rows: RowFactors, rank: int, w: Floats) -> None:
    """w (N,) with Y^T w = c; with a partition the independent coordinates of w stay as they are."""
    if space.sizes[BASIS] != PARTITION:
        for i in range(w.shape[0]):
            w[i] = space.c[i] if i < rank else 0.0
        apply_basis(space, rows, rank, w)
    else:
        for j in range(rank - 1, -1, -1):
            p, total = rows.order[j], space.c[j]
            for i in range(j + 1, w.shape[0]):
                at = space.columns[i]
                total -= rows.A[p, at] * w[at]
            w[space.columns[j]] = total / rows.diagonal[j]


@kernel
def subtract_reactions(space: NullSpace, rows: RowFactors, rank: int) -> None:
    """g -= Y z, Y being the basis of what rows determine."""
    g, w = space.g, space.w
    if space.sizes[BASIS] != PARTITION:
        for i in range(g.shape[0]):
            w[i] = space.z[i] if i < rank else 0.0
        apply_basis(space, rows, rank, w)
        for i in range(g.shape[0]):
            g[i] -= w[i]
    else:
        for j in range(rank):
            p = rows.order[j]
            for i in range(j, g.shape[0]):
                at = space.columns[i]
                g[at] -= rows.A[p, at] * space.z[j]


@kernel
def project_onto_rows(space: NullSpace, rows: RowFactors, rank: int) -> None:
    """z += Y^+ g, the multipliers that balance g as far as the rows can: fully, once x is the solution."""
    g, z = space.g, space.z
    if space.sizes[BASIS] != PARTITION:
        apply_basis_transposed(space, rows, rank, g)
        for i in range(rank):
            z[i] += g[i]
    else:
        for j in range(rank):
            change = g[space.columns[j]] / rows.diagonal[j]
            z[j] += change
            for i in range(j + 1, rank):
                at = space.columns[i]
                g[at] -= rows.A[rows.order[j], at] * change


@kernel
def basis_vectors(space: NullSpace, rows: RowFactors, rank: int) -> None:
    """Write the basis vectors of the null space into the rows of space.Z."""
    Z = space.Z
    for i in range(space.w.shape[0] - rank):
        w = Z[i]
        for c in range(w.shape[0]):
            w[c] = 0.0
        if space.sizes[BASIS] == PARTITION:
            w[space.columns[rank + i]] = 1.0
            for j in range(rank):
                space.c[j] = 0.0
            particular_solution(space, rows, rank, w)
        else:
            w[rank + i] = 1.0
            apply_basis(space, rows, rank, w)


@kernel
def reduced_inertia(space: NullSpace, body: Floats, reduced: SaddleFactors, free: int) -> int:
    """Form Z^T S^T M S Z, upper triangle, in `reduced` and factor it; returns a Status. free : its order."""
    Z, u = space.Z, space.a
    for j in range(free):
        scaled_mass_times(space, body, Z[j], u)
        for i in range(j + 1):
            total = 0.0
            for c in range(u.shape[0]):
                total += Z[i, c] * u[c]
            reduced.values[free * i + j] = total
    return int(factor_saddle(reduced, free, free, 0.0, space.report))


@kernel
def scaled_mass_times(space: NullSpace, body: Floats, w: Floats, out: Floats) -> None:
    """out (N,) = S^T M S w."""
    scale = space.scale
    for b in range(scale.shape[0]):
        s0, s1, s2 = w[6 * b], w[6 * b + 1], w[6 * b + 2]
        # S is diagonal wherever S^T M S is not the unit matrix
        s0, s1, s2 = scale[b, 0] * s0, scale[b, 4] * s1, scale[b, 8] * s2
        for r in range(3):
            turned = body[b, 1 + 3 * r] * s0 + body[b, 2 + 3 * r] * s1 + body[b, 3 + 3 * r] * s2
            out[6 * b + r] = scale[b, 4 * r] * turned
            out[6 * b + 3 + r] = scale[b, 9] * scale[b, 9] * body[b, 0] * w[6 * b + 3 + r]
