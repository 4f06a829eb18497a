"""Translations eliminated, rotations and multipliers at once [Mufti 1983, eq. 15], by sparse LU.

With J = (W, R) by angular and linear parts, rddot = (f_r - R^T lambda) / m leaves

    ( I      W^T      ) ( omegadot )   ( f_w               )
    ( W   -R m^-1 R^T ) (  lambda  ) = ( eta - R m^-1 f_r  )

which needs no inverse of an inertia: bodies without inertia about an axis that joints hold run.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from linkwork.equations.jacobian_sparsity import rotation_used, translation_used
from linkwork.kernels.jit import kernel
from linkwork.kernels.records import Shape
from linkwork.kernels.sparse_lu import Factors, Pattern
from linkwork.kernels.sparse_lu import solve as solve_lu
from linkwork.kernels.tables import Floats, Ints
from linkwork.problems.dependent import Dependent, is_dropped, reduce_right_side, share_least
from linkwork.problems.entry import entry
from linkwork.problems.explicit import Work
from linkwork.problems.explicit_context import DEPENDENT, TABLES, WORK
from linkwork.problems.layout import slots
from linkwork.problems.request import ACCELERATION_LEVEL
from linkwork.solvers.residuals import body_residual, row_residual
from linkwork.solvers.sparse_saddle import OK, PASSES, SaddleMatrix, factorise_saddle, new_matrix
from linkwork.system import CompiledMechanism
from linkwork.system.packed import Tables


class Partial(NamedTuple):
    """Places of the entries of the system in SaddleMatrix.values."""

    inertia: Annotated[Ints, Shape("nb", 9), "inertia of a body by rows"]
    W: Annotated[Ints, Shape("nc", 6), "entry (row, angular component of body i | j)"]
    W_transposed: Annotated[Ints, Shape("nc", 6), "entry (angular component, row)"]
    pair: Annotated[
        Ints,
        Shape("n", 6),
        "rows k and l, columns of J with their linear parts for a shared body, that body, the place",
    ]
    dropped: Annotated[Ints, Shape("nc"), "diagonal entry of a multiplier"]


def new_arrays(mechanism: CompiledMechanism, group: Ints, droppable: bool, room: int) -> tuple[Any, ...]:
    """Records of the solver: Partial, SaddleMatrix, Pattern, Factors."""
    nb, nc, rows = mechanism.nb, mechanism.nc, mechanism.pattern_rows
    entries: list[tuple[int, int]] = []

    def add(row: int, col: int) -> int:
        entries.append((row, col))
        return len(entries) - 1

    inertia = np.array([[add(3 * b + c // 3, 3 * b + c % 3) for c in range(9)] for b in range(nb)]).reshape(nb, 9)
    W, W_transposed = np.full((nc, 6), -1, dtype=np.int64), np.full((nc, 6), -1, dtype=np.int64)
    dropped = np.full(nc, -1, dtype=np.int64)
    translating: list[list[tuple[int, int]]] = [[] for _ in range(nb)]  # rows, columns of their linear parts, by body
    for k in range(nc):
        row = 3 * nb + k
        if droppable:
            dropped[k] = add(row, row)
        for side, b in enumerate((int(rows.body_i[k]), int(rows.body_j[k]))):
            if b >= nb:
                continue
            if rotation_used(rows, k, side):
                for c in range(3):
                    W[k, 3 * side + c], W_transposed[k, 3 * side + c] = add(row, 3 * b + c), add(3 * b + c, row)
            if any(translation_used(rows, k, side)):
                translating[b].append((k, 6 * side + 3))
    pair = np.array(
        [
            (k, l, a, c, b, add(3 * nb + k, 3 * nb + l))
            for b, some in enumerate(translating)
            for k, a in some
            for l, c in some
        ],
        dtype=np.int64,
    ).reshape(-1, 6)
    listed = np.array(entries, dtype=np.int64).reshape(-1, 2)
    matrix, made, space, where = new_matrix(listed[:, 0], listed[:, 1], 3 * nb + nc, nc, room)
    pair[:, 5] = where[pair[:, 5]]
    system = Partial(
        inertia=where[inertia], W=where[W], W_transposed=where[W_transposed], pair=pair, dropped=where[dropped]
    )
    return system, matrix, made, space


@kernel
def fill(tables: Tables, work: Work, dependent: Dependent, system: Partial, values: Floats, unit_bodies: bool) -> None:
    """Write the matrix of the state that is set. unit_bodies : with unit inertias, and masses 1 / length^2."""
    body, J = tables.body, work.J
    for c in range(values.shape[0]):
        values[c] = 0.0
    over_unit_mass = work.length[0].real * work.length[0].real
    for b in range(system.inertia.shape[0]):
        for c in range(9):
            unit = 1.0 if c % 4 == 0 else 0.0
            values[system.inertia[b, c]] = unit if unit_bodies else body[b, 1 + c]
    for k in range(J.shape[0]):
        if is_dropped(dependent, k):
            values[system.dropped[k]] = 1.0
        else:
            for side in range(2):
                for c in range(3):
                    values[system.W[k, 3 * side + c]] += J[k, 6 * side + c]
                    values[system.W_transposed[k, 3 * side + c]] += J[k, 6 * side + c]
    for p in range(system.pair.shape[0]):
        k, l, a, c = system.pair[p, 0], system.pair[p, 1], system.pair[p, 2], system.pair[p, 3]
        if not (is_dropped(dependent, k) or is_dropped(dependent, l)):
            product = J[k, a] * J[l, c] + J[k, a + 1] * J[l, c + 1] + J[k, a + 2] * J[l, c + 2]
            values[system.pair[p, 5]] -= (
                product * over_unit_mass if unit_bodies else product / body[system.pair[p, 4], 0]
            )
    values[values.shape[0] - 1] = 0.0


@kernel
def factorise(
    tables: Tables,
    work: Work,
    dependent: Dependent,
    system: Partial,
    matrix: SaddleMatrix,
    places: Pattern,
    space: Factors,
) -> int:
    """Factor the matrix of the state that is set; returns a Status."""
    return factorise_saddle(fill, tables, work, dependent, system, matrix, places, space, 3 * system.inertia.shape[0])


@kernel
def solve(tables: Tables, work: Work, dependent: Dependent, matrix: SaddleMatrix, space: Factors) -> int:
    """x and lambda, in the least-squares sense and of minimum norm for dependent rows."""
    nb, nc = work.x.shape[0] - 1, work.lam.shape[0]
    rhs, solution, J, x, lam, body = matrix.rhs, matrix.solution, work.J, work.x, work.lam, tables.body
    reduce_right_side(dependent, work.eta, work.request.level[0] != ACCELERATION_LEVEL, matrix.eta)
    for b in range(nb):
        for c in range(3):
            x[b, c], x[b, 3 + c] = 0.0, work.f[b, 3 + c] / body[b, 0]
    for k in range(nc):
        lam[k] = 0.0
    for _ in range(PASSES):
        residual(tables, work, dependent, matrix)
        solve_lu(space, rhs, solution)
        for b in range(nb):
            for c in range(3):
                x[b, c] += solution[3 * b + c]
        for k in range(nc):  # translations follow the multipliers exactly
            change = solution[3 * nb + k]
            lam[k] += change
            if not is_dropped(dependent, k):
                for side in range(2):
                    b = tables.row_int[k, 1 + side]
                    if b < nb:
                        for c in range(3):
                            x[b, 3 + c] -= J[k, 6 * side + 3 + c] * change / body[b, 0]
    share_least(dependent, work)
    return OK


@kernel
def residual(tables: Tables, work: Work, dependent: Dependent, matrix: SaddleMatrix) -> None:
    """matrix.rhs = (f_w - I omegadot - W^T lambda, eta - J x); -lambda in the place of a dropped row."""
    rhs, J, lam = matrix.rhs, work.J, work.lam
    nb = work.x.shape[0] - 1
    for b in range(nb):
        rest = body_residual(tables, work, b)
        for c in range(3):
            rhs[3 * b + c] = rest[c]
    for k in range(lam.shape[0]):
        if is_dropped(dependent, k):
            rhs[3 * nb + k] = -lam[k]
        else:
            rhs[3 * nb + k] = row_residual(tables, work, matrix.eta, k)
            for side in range(2):
                b = tables.row_int[k, 1 + side]
                if b < nb:
                    for c in range(3):
                        rhs[3 * b + c] -= J[k, 6 * side + c] * lam[k]


SYSTEM, MATRIX, PATTERN, FACTORS = slots(Partial, SaddleMatrix, Pattern, Factors, after=DEPENDENT)
FACTORISE = entry(factorise, TABLES, WORK, DEPENDENT, SYSTEM, MATRIX, PATTERN, FACTORS)
SOLVE = entry(solve, TABLES, WORK, DEPENDENT, MATRIX, FACTORS)
