"""The null-space way, without multipliers [Mufti 1983, Remark 2, eq. 40, appendix]: x = x_p + Z y with J Z = 0.

With columns scaled by S and rows by D, D J S = L Y^T, L lower trapezoidal, and

    J x_p = eta,    Z^T M Z y = Z^T (f - M x_p),    Y L^T D^-1 lambda = f - M x  in the units of S.

qr         Y orthonormal, by Householder QR of (D J S)^T with column pivoting (A-4, A-5)
svd        Y the right singular vectors (A-9, A-11), by one-sided Jacobi on the triangle of that QR
partition  Y^T = U of L U with complete pivoting: Z = (E, -H_1 H_2^-1) in its order of coordinates

For the first two S = M^-1/2 where every inertia has an inverse: then Z^T M Z = E, and nothing is left to factor.
Elsewhere, and for a partition, S is one for angles and the mechanism's length for translations.

Redundant rows (case 2) are found on the way: rows of D J S whose norm after the reflections is below a limit. Another
QR, of T = D^-1 L in the units of J, gives the multipliers of minimum norm, and x_p nearest to right sides that
contradict each other. How many rows are independent, and which, is found at the first stage of a step, and for
corrections of positions.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.kernels.dense_qr import RowFactors, apply_Q_transposed, row_factors
from linkwork.kernels.dense_saddle import SaddleFactors, saddle_factors, solve_saddle
from linkwork.kernels.jit import kernel
from linkwork.kernels.records import new_record
from linkwork.kernels.tables import Bodies, Floats, Ints
from linkwork.problems.dependent import Dependent, expected
from linkwork.problems.entry import entry
from linkwork.problems.explicit import Work
from linkwork.problems.explicit_context import DEPENDENT, TABLES, WORK
from linkwork.problems.layout import slots
from linkwork.problems.request import ACCELERATION_LEVEL, POSITION_LEVEL
from linkwork.solvers.admission import NAMES, invertible
from linkwork.solvers.null_space_basis import (
    BASIS,
    PARTITION,
    RANK,
    SEEN,
    SVD,
    UNIT,
    NullSpace,
    apply_basis,
    apply_basis_transposed,
    basis_vectors,
    factor_jacobian,
    factor_T,
    multipliers,
    particular_solution,
    project_onto_rows,
    reduced_inertia,
    report_pivot,
    row_coordinates,
    subtract_reactions,
)
from linkwork.solvers.residuals import body_residual, clear_solution, row_residual
from linkwork.solvers.singularity_threshold import independence_threshold
from linkwork.status import Status
from linkwork.system import CompiledMechanism
from linkwork.system.packed import Tables

OK, SINGULAR, NOT_FINITE = int(Status.OK), int(Status.SINGULAR), int(Status.NOT_FINITE)
SHARES = "the least ones are reported"
PASSES = 2  # the second removes the rounding of the first
TRUSTED = 1e-3  # smallest pivot with which accelerations are used. Nearer to a rank loss the session takes a step on
# fewer rows, which may be up to ten times as far off (`simulate.STRICTER`)
TRUSTED_OF_FIRST = 0.1  # the same, of the smallest pivot of the first matrix, where that is less
IMPLIED = 1e-12  # smallest pivot where dependent rows have been taken out before


def new_arrays(
    mechanism: CompiledMechanism, group: Ints, droppable: bool, room: int, *, basis: str = "qr"
) -> tuple[Any, ...]:
    """Records of the solver: NullSpace, RowFactors of the rows and of T, SaddleFactors of Z^T M Z.

    basis : 'qr', 'svd' or 'partition'.
    """
    kind = NAMES.index(basis)
    m, n = mechanism.nc, 6 * mechanism.nb
    unit = kind != PARTITION and invertible(mechanism)
    singular, full = (m if kind == SVD else 0), (0 if unit else n)
    given = {
        "scale": scales(mechanism.system.bodies, mechanism.length, unit),
        "row_scale": np.ones(m),
        "allowed": np.ones(m, dtype=np.int64),
        "columns": np.arange(n),
        "order": np.arange(m),
        "report": np.array([1.0, -1.0]),
    }
    space = new_record(NullSpace, given=given, nc=m, N=n, singular=singular, full=full, work=max(m, n))
    space.sizes[[BASIS, UNIT, RANK, SEEN]] = kind, int(unit), -1, -1
    return space, row_factors(m, n), row_factors(m, m), saddle_factors(full)


def renew(records: tuple[Any, ...], mechanism: CompiledMechanism, bodies: Bodies) -> None:
    """The scales, of other masses and inertias."""
    space = records[0]
    space.scale[:] = scales(bodies, mechanism.length, bool(space.sizes[UNIT]))


def scales(bodies: Bodies, length: float, unit: bool) -> np.ndarray:
    """S (nb, 10): M^-1/2, or one for angles and the mechanism's length for translations."""
    nb = len(bodies.mass) - 1
    units = np.zeros((nb, 10))
    for b in range(nb):
        if unit:
            units[b, :9] = np.linalg.inv(np.linalg.cholesky(bodies.inertia[b].reshape(3, 3)).T).ravel()
            units[b, 9] = 1.0 / np.sqrt(bodies.mass[b])
        else:
            units[b, [0, 4, 8]], units[b, 9] = 1.0, length
    return units


def rows_not_unique(records: tuple[Any, ...], within: float = 1e-9) -> list[int]:
    """Rows whose multipliers are not unique at the state last factored; those of minimum norm are reported.

    Multiplier k is unique if row k of every null vector of J^T is zero. records : of the solver.
    """
    space, _, second, _ = records
    rank, m = int(space.sizes[RANK]), len(space.row_scale)
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


def undetermined(records: tuple[Any, ...]) -> tuple[list[int], list[int]]:
    """Rows that others imply at the state last factored, as found by QR or LU; rows as in `rows_not_unique`."""
    space, rows, _, _ = records
    rank = int(space.sizes[RANK])
    return (sorted(rows.order[rank:].tolist()) if rank >= 0 else []), rows_not_unique(records)


@kernel
def factorise(
    tables: Tables, work: Work, dependent: Dependent, space: NullSpace, rows: RowFactors, second: RowFactors,
    reduced: SaddleFactors,
) -> int:  # fmt: skip
    """Factor the rows at the state that is set, and T and Z^T M Z where they are needed; returns a Status."""
    sizes, m, n = space.sizes, rows.A.shape[0], rows.A.shape[1]
    level = work.request.level[0]
    anew = (
        sizes[RANK] < 0 or level == POSITION_LEVEL or (level == ACCELERATION_LEVEL and work.request.first_stage[0] == 1)
    )
    fill(tables, work, space, rows)
    least, most = IMPLIED, m
    if expected(dependent):
        for k in range(m):
            space.allowed[k] = dependent.found.keep[k]
        most = dependent.found.sizes[0]
    else:
        least = max(dependent.length[2], independence_threshold(work))
        least = min(least, smallest_trusted(space.first))
    rank = factor_jacobian(space, rows, least, most, -1 if anew else sizes[RANK])
    if rank < 0:
        return NOT_FINITE
    if not anew and rank < sizes[RANK]:
        return SINGULAR
    sizes[RANK] = rank
    report_pivot(space, rows, rank)
    if space.first[0] == 0.0 and (space.report[0] > TRUSTED or not expected(dependent)):
        space.first[0] = space.report[0]  # not of a problem built again near a rank loss
    if space.report[0] < smallest_trusted(space.first):
        return SINGULAR
    if anew and level == ACCELERATION_LEVEL:
        # SINGULAR: the session builds the problem again, with dependent rows found before each step
        if sizes[SEEN] >= 0 and rank != sizes[SEEN] and not expected(dependent):
            return SINGULAR
        sizes[SEEN] = rank
    if rank < m or sizes[BASIS] == SVD:
        factor_T(space, rows, second, rank)
    if sizes[UNIT] == 0:
        basis_vectors(space, rows, rank)
        return reduced_inertia(space, tables.body, reduced, n - rank)
    return OK


@kernel
def smallest_trusted(first: Floats) -> float:
    """The smallest pivot with which a state is solved; first (1,) is that of the first matrix, 0 before."""
    return min(TRUSTED_OF_FIRST * first[0], TRUSTED) if first[0] > 0.0 else TRUSTED


@kernel
def fill(tables: Tables, work: Work, space: NullSpace, rows: RowFactors) -> None:
    """rows.A = D J S; D is 1 / norm of a row, but of no smaller norm than in the first matrix."""
    A, J, scale = rows.A, work.J, space.scale
    for k in range(A.shape[0]):
        for c in range(A.shape[1]):
            A[k, c] = 0.0
        for side in range(2):
            b, o = tables.row_int[k, 1 + side], 6 * side
            if b < scale.shape[0]:
                for c in range(3):
                    angular = J[k, o] * scale[b, c] + J[k, o + 1] * scale[b, 3 + c] + J[k, o + 2] * scale[b, 6 + c]
                    A[k, 6 * b + c] += angular
                    A[k, 6 * b + 3 + c] += J[k, o + 3 + c] * scale[b, 9]
        total = 0.0
        for c in range(A.shape[1]):
            total += A[k, c] * A[k, c]
        norm = np.sqrt(total)
        if space.first_norm[k] == 0.0:
            space.first_norm[k] = norm
        norm = max(norm, space.first_norm[k])
        space.row_scale[k] = 1.0 / norm if norm > 0.0 else 1.0
        for c in range(A.shape[1]):
            A[k, c] *= space.row_scale[k]


@kernel
def solve(
    tables: Tables, work: Work, dependent: Dependent, space: NullSpace, rows: RowFactors, second: RowFactors,
    reduced: SaddleFactors,
) -> int:  # fmt: skip
    """x and lambda, in the least-squares sense and of minimum norm for dependent rows.

    Accelerations follow from the independent rows alone, as with the other solvers (`reduce_right_side`); with singular
    vectors from all rows, in least squares.
    """
    sizes, z, w = space.sizes, space.z, space.w
    rank, nearest = sizes[RANK], work.request.level[0] != ACCELERATION_LEVEL
    clear_solution(work)
    for i in range(z.shape[0]):
        z[i] = 0.0
    for _ in range(PASSES):
        for k in range(space.e.shape[0]):
            space.e[k] = row_residual(tables, work, work.eta, k)
        row_coordinates(space, rows, second, rank, nearest)
        if sizes[UNIT] == 1:
            scaled_residual(tables, work, space, rows, rank)
            apply_basis_transposed(space, rows, rank, space.g)
            for i in range(w.shape[0]):
                w[i] = space.g[i]
                if i < rank:
                    z[i] += space.g[i] - space.c[i]
                    w[i] = space.c[i]
            apply_basis(space, rows, rank, w)
            add_to_solution(work, space)
        else:
            for i in range(w.shape[0]):
                w[i] = 0.0
            particular_solution(space, rows, rank, w)
            add_to_solution(work, space)
            scaled_residual(tables, work, space, rows, rank)
            free_motion(space, reduced, w.shape[0] - rank)
            add_to_solution(work, space)
            scaled_residual(tables, work, space, rows, rank)
            project_onto_rows(space, rows, rank)
    multipliers(space, rows, second, rank, work.lam)
    return OK


@kernel
def scaled_residual(tables: Tables, work: Work, space: NullSpace, rows: RowFactors, rank: int) -> None:
    """space.g = S^T (f - M x) - Y z."""
    scale, g = space.scale, space.g
    for b in range(scale.shape[0]):
        rest = body_residual(tables, work, b)
        for c in range(3):
            g[6 * b + c] = scale[b, c] * rest[0] + scale[b, 3 + c] * rest[1] + scale[b, 6 + c] * rest[2]
            g[6 * b + 3 + c] = scale[b, 9] * rest[3 + c]
    subtract_reactions(space, rows, rank)


@kernel
def add_to_solution(work: Work, space: NullSpace) -> None:
    """x += S w, S (n x f) the basis of the null space."""
    scale, x, w = space.scale, work.x, space.w
    for b in range(scale.shape[0]):
        for c in range(3):
            n = 6 * b
            x[b, c] += scale[b, 3 * c] * w[n] + scale[b, 3 * c + 1] * w[n + 1] + scale[b, 3 * c + 2] * w[n + 2]
            x[b, 3 + c] += scale[b, 9] * w[n + 3 + c]


@kernel
def free_motion(space: NullSpace, reduced: SaddleFactors, free: int) -> None:
    """space.w = Z (Z^T M Z)^-1 Z^T g; free : the number of basis vectors."""
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


SPACE, ROWS, SECOND, REDUCED = slots(NullSpace, RowFactors, RowFactors, SaddleFactors, after=DEPENDENT)
FACTORISE = entry(factorise, TABLES, WORK, DEPENDENT, SPACE, ROWS, SECOND, REDUCED)
SOLVE = entry(solve, TABLES, WORK, DEPENDENT, SPACE, ROWS, SECOND, REDUCED)
