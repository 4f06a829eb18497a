"""The null-space way, without multipliers [Mufti 1983, Remark 2, eq. 40, appendix]: x = x_p + Z y with J Z = 0.

With columns scaled by S and rows by D, D J S = L Y^T, L lower trapezoidal, and

    J x_p = eta,    Z^T M Z y = Z^T (f - M x_p),    Y L^T D^-1 lambda = f - M x  in the units of S.

qr         Y orthonormal, by Householder QR of (D J S)^T with column pivoting (A-4, A-5)
svd        Y the right singular vectors (A-9, A-11), by one-sided Jacobi on the triangle of that QR
partition  Y^T = U of L U with complete pivoting: Z = (E, -H_1 H_2^-1) in its order of coordinates

For the first two S = M^-1/2 where every inertia has an inverse: then Z^T M Z = E, and nothing is left to factor.
Elsewhere, and for a partition, S only makes a radian and the mechanism's length count alike.

Redundant rows (case 2) are found on the way, as rows of D J S of which nothing is left. Another QR, of T = D^-1 L in
the rows' own units, gives the multipliers of least norm, and x_p nearest to right sides that contradict each other. How
many rows are independent, and which, is decided at the first stage of a step, and for corrections of positions.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.errors import UsageError
from linkwork.kernels.dense_qr import RowFactors, apply_Q_transposed, row_factors
from linkwork.kernels.dense_saddle import SaddleFactors, saddle_factors, solve_saddle
from linkwork.kernels.jit import kernel
from linkwork.problems.dependent import expected
from linkwork.problems.explicit import ACCELERATIONS, FRESH, LEVEL, POSITIONS
from linkwork.solvers.choice import invertible
from linkwork.solvers.null_space_parts import (
    BASIS,
    NAMES,
    PARTITION,
    RANK,
    SEEN,
    SIZES,
    SVD,
    UNIT,
    NullSpace,
    decide,
    into_coordinates,
    meet,
    multipliers,
    out_of_coordinates,
    push,
    react,
    reduced_inertia,
    second_factors,
    smallest_pivot,
    span,
    split,
)
from linkwork.solvers.singularity_threshold import least_share
from linkwork.status import Status
from linkwork.system import CompiledMechanism

OK, SINGULAR, NOT_FINITE = int(Status.OK), int(Status.SINGULAR), int(Status.NOT_FINITE)
SHARES = "the least ones are reported"
PASSES = 2  # the second removes what rounding left
NEAREST = 1e-3  # pivot at which accelerations are trusted: it measures how far off a rank loss is. Nearer, the session
# takes a step on fewer rows, and finds them up to ten times as far off (`simulate.STRICTER`)
UNUSUAL = 0.1  # of the smallest pivot of the first matrix, where pivots are small anyway
LEFT = 1e-12  # of a row that others do not imply, where these have been taken out before


def admit(mechanism: CompiledMechanism, *, basis: str = "qr", **idle: Any) -> None:
    """Raise UsageError for an unknown basis, or for an option (root, rebuild) that only a tree has a use for."""
    if idle:
        raise UsageError(
            f"option {next(iter(idle))!r} belongs to a tree, and basis {basis!r} has none.",
            remedy="Take basis='graph', or leave it out.",
        )
    if basis not in NAMES:
        raise UsageError(f"basis is {basis!r}.", remedy=f"Take one of {', '.join(NAMES)}, graph.")


def new_arrays(
    mechanism: CompiledMechanism, group: Any, droppable: bool, room: int, *, basis: str = "qr"
) -> tuple[Any, ...]:
    """Arrays of the solver: a NullSpace, factors of the rows and of T, and of Z^T M Z.

    basis : 'qr', 'svd' or 'partition'.
    """
    kind = NAMES.index(basis)
    m, n = mechanism.nc, 6 * mechanism.nb
    unit = kind != PARTITION and invertible(mechanism)
    turned, full = (m if kind == SVD else 0), (0 if unit else n)
    space = NullSpace(
        units=units_of(mechanism, unit),
        scale=np.ones(m),
        size=np.zeros(m),
        taken=np.ones(m, dtype=np.int64),
        columns=np.arange(n),
        G=np.zeros((turned, turned)),
        V=np.zeros((turned, turned)),
        squares=np.zeros(m),
        place=np.arange(m),
        Z=np.zeros((full, full)),
        a=np.zeros(max(m, n)),
        g=np.zeros(n),
        w=np.zeros(n),
        c=np.zeros(m),
        e=np.zeros(m),
        z=np.zeros(m),
        y=np.zeros(n),
        sizes=np.zeros(SIZES, dtype=np.int64),
        usual=np.zeros(1),
        report=np.array([1.0, -1.0]),
    )
    space.sizes[[BASIS, UNIT, RANK, SEEN]] = kind, int(unit), -1, -1
    return (*space, *row_factors(m, n), *row_factors(m, m), *saddle_factors(full))


def units_of(mechanism: CompiledMechanism, unit: bool) -> np.ndarray:
    """S: M^-1/2, or one for angles and the mechanism's length for translations."""
    nb, bodies = mechanism.nb, mechanism.system.bodies
    units = np.zeros((nb, 10))
    for b in range(nb):
        if unit:
            units[b, :9] = np.linalg.inv(np.linalg.cholesky(bodies.inertia[b].reshape(3, 3)).T).ravel()
            units[b, 9] = 1.0 / np.sqrt(bodies.mass[b])
        else:
            units[b, [0, 4, 8]], units[b, 9] = 1.0, mechanism.length
    return units


def not_unique(arrays: tuple[Any, ...], within: float = 1e-9) -> list[int]:
    """Rows whose multipliers are not determined at the state last factored: the least ones are reported.

    A multiplier is unique if no set of multipliers without effect has a share in it. arrays : the solver's.
    """
    count = len(NullSpace._fields)
    space, second = NullSpace(*arrays[:count]), RowFactors(*arrays[count + 8 : count + 16])
    rank, m = int(space.sizes[RANK]), len(space.scale)
    if rank < 0 or rank == m:
        return []
    found = []
    for k in range(m):
        unit = np.zeros(m)
        unit[k] = 1.0
        apply_Q_transposed(second, rank, unit)
        if float(np.sum(unit[rank:] ** 2)) > within:
            found.append(k)
    return found


def undetermined(arrays: tuple[Any, ...]) -> tuple[list[int], list[int]]:
    """Rows that others imply at the state last factored, as the QR or LU takes them; rows as in `not_unique`."""
    count = len(NullSpace._fields)
    space, rows = NullSpace(*arrays[:count]), RowFactors(*arrays[count : count + len(RowFactors._fields)])
    rank = int(space.sizes[RANK])
    return (sorted(rows.order[rank:].tolist()) if rank >= 0 else []), not_unique(arrays)


@kernel
def factorise(
    tables: Any, work: Any, dependent: Any, space: NullSpace, rows: RowFactors, second: RowFactors,
    reduced: SaddleFactors,
) -> int:  # fmt: skip
    """Split the rows of the placed state; factor T and Z^T M Z where they are needed."""
    sizes, m, n = space.sizes, rows.A.shape[0], rows.A.shape[1]
    level = work.coef[LEVEL].real
    anew = sizes[RANK] < 0 or level == POSITIONS or (level == ACCELERATIONS and work.coef[FRESH].real == 1.0)
    fill(tables, work, space, rows)
    least, most = LEFT, m
    if expected(dependent):
        for k in range(m):
            space.taken[k] = dependent.found.keep[k]
        most = dependent.found.sizes[0]
    else:
        least = max(dependent.length[2], least_share(work))
        least = min(least, least_pivot(space.usual))
    rank = split(space, rows, least, most, -1 if anew else sizes[RANK])
    if rank < 0:
        return NOT_FINITE
    if not anew and rank < sizes[RANK]:
        return SINGULAR
    sizes[RANK] = rank
    smallest_pivot(space, rows, rank)
    if space.usual[0] == 0.0 and (space.report[0] > NEAREST or not expected(dependent)):
        space.usual[0] = space.report[0]  # a problem made anew on the way, because rank was lost, has no say before
    if space.report[0] < least_pivot(space.usual):
        return SINGULAR
    if anew and level == ACCELERATIONS:
        # a change of rank is a matter for the integrator: rows are then sought before each step
        if sizes[SEEN] >= 0 and rank != sizes[SEEN] and not expected(dependent):
            return SINGULAR
        sizes[SEEN] = rank
    if rank < m or sizes[BASIS] == SVD:
        second_factors(space, rows, second, rank)
    if sizes[UNIT] == 0:
        span(space, rows, rank)
        return reduced_inertia(space, tables.body, reduced, n - rank)
    return OK


@kernel
def least_pivot(usual: Any) -> Any:
    """The smallest pivot to be trusted; usual (1,) is the smallest one of the first matrix, 0 before."""
    return UNUSUAL * usual[0] if 0.0 < usual[0] < NEAREST else NEAREST


@kernel
def fill(tables: Any, work: Any, space: NullSpace, rows: RowFactors) -> None:
    """rows.A = D J S. A row that has shrunk against its first size is not blown up again."""
    A, J, units = rows.A, work.J, space.units
    for k in range(A.shape[0]):
        for c in range(A.shape[1]):
            A[k, c] = 0.0
        for side in range(2):
            b, o = tables.row_int[k, 1 + side], 6 * side
            if b < units.shape[0]:
                for c in range(3):
                    turned = J[k, o] * units[b, c] + J[k, o + 1] * units[b, 3 + c] + J[k, o + 2] * units[b, 6 + c]
                    A[k, 6 * b + c] += turned
                    A[k, 6 * b + 3 + c] += J[k, o + 3 + c] * units[b, 9]
        total = 0.0
        for c in range(A.shape[1]):
            total += A[k, c] * A[k, c]
        size = np.sqrt(total)
        if space.size[k] == 0.0:
            space.size[k] = size
        size = max(size, space.size[k])
        space.scale[k] = 1.0 / size if size > 0.0 else 1.0
        for c in range(A.shape[1]):
            A[k, c] *= space.scale[k]


@kernel
def solve_system(
    tables: Any, work: Any, dependent: Any, space: NullSpace, rows: RowFactors, second: RowFactors,
    reduced: SaddleFactors,
) -> int:  # fmt: skip
    """x and lambda, in the least-squares sense and of least norm for dependent rows.

    For accelerations the rows taken alone decide, as with the other solvers (`reduce_right_side`); singular vectors
    always weigh all rows.
    """
    sizes, z, w = space.sizes, space.z, space.w
    rank, nearest = sizes[RANK], work.coef[LEVEL].real != ACCELERATIONS
    for b in range(work.x.shape[0]):
        for c in range(6):
            work.x[b, c] = 0.0
    for i in range(z.shape[0]):
        z[i] = 0.0
    for _ in range(PASSES):
        miss(tables, work, space)
        decide(space, rows, second, rank, nearest)
        if sizes[UNIT] == 1:
            balance(tables, work, space, rows, rank)
            into_coordinates(space, rows, rank, space.g)
            for i in range(w.shape[0]):
                w[i] = space.g[i]
                if i < rank:
                    z[i] += space.g[i] - space.c[i]
                    w[i] = space.c[i]
            out_of_coordinates(space, rows, rank, w)
            move(work, space)
        else:
            for i in range(w.shape[0]):
                w[i] = 0.0
            meet(space, rows, rank, w)
            move(work, space)
            balance(tables, work, space, rows, rank)
            move_freely(space, reduced, w.shape[0] - rank)
            move(work, space)
            balance(tables, work, space, rows, rank)
            react(space, rows, rank)
    multipliers(space, rows, second, rank, work.lam)
    return OK


@kernel
def miss(tables: Any, work: Any, space: NullSpace) -> None:
    """e = eta - J x."""
    J, x = work.J, work.x
    for k in range(J.shape[0]):
        i, j = tables.row_int[k, 1], tables.row_int[k, 2]
        total = work.eta[k]
        for c in range(6):
            total -= J[k, c] * x[i, c] + J[k, 6 + c] * x[j, c]
        space.e[k] = total


@kernel
def balance(tables: Any, work: Any, space: NullSpace, rows: RowFactors, rank: Any) -> None:
    """g = S^T (f - M x) - Y z."""
    body, units, f, x, g = tables.body, space.units, work.f, work.x, space.g
    for b in range(units.shape[0]):
        t0 = f[b, 0] - (body[b, 1] * x[b, 0] + body[b, 2] * x[b, 1] + body[b, 3] * x[b, 2])
        t1 = f[b, 1] - (body[b, 4] * x[b, 0] + body[b, 5] * x[b, 1] + body[b, 6] * x[b, 2])
        t2 = f[b, 2] - (body[b, 7] * x[b, 0] + body[b, 8] * x[b, 1] + body[b, 9] * x[b, 2])
        for c in range(3):
            g[6 * b + c] = units[b, c] * t0 + units[b, 3 + c] * t1 + units[b, 6 + c] * t2
            g[6 * b + 3 + c] = units[b, 9] * (f[b, 3 + c] - body[b, 0] * x[b, 3 + c])
    push(space, rows, rank)


@kernel
def move(work: Any, space: NullSpace) -> None:
    """x grows by S w."""
    units, x, w = space.units, work.x, space.w
    for b in range(units.shape[0]):
        for c in range(3):
            n = 6 * b
            x[b, c] += units[b, 3 * c] * w[n] + units[b, 3 * c + 1] * w[n + 1] + units[b, 3 * c + 2] * w[n + 2]
            x[b, 3 + c] += units[b, 9] * w[n + 3 + c]


@kernel
def move_freely(space: NullSpace, reduced: SaddleFactors, free: Any) -> None:
    """w = Z (Z^T M Z)^-1 Z^T g."""
    y, w, Z = space.y, space.w, space.Z
    for i in range(free):
        total = 0.0
        for c in range(w.shape[0]):
            total += Z[i, c] * space.g[c]
        y[i] = total
    solve_saddle(reduced, free, y)
    for c in range(w.shape[0]):
        w[c] = 0.0
    for i in range(free):
        for c in range(w.shape[0]):
            w[c] += Z[i, c] * y[i]
