"""The whole system (M J^T; J 0) (x, lambda) = (f, eta) by sparse LU with a fixed pattern [Mufti 1983, eqs. 10, 49]."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from linkwork.equations.jacobian_sparsity import rotations_used, translations_used
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
from linkwork.solvers.residuals import body_residual, clear_solution, row_residual
from linkwork.solvers.sparse_saddle import OK, PASSES, SaddleMatrix, factorise_saddle, new_matrix
from linkwork.system import CompiledMechanism
from linkwork.system.packed import Tables


class Augmented(NamedTuple):
    """Places of the entries of the system in SaddleMatrix.values."""

    inertia: Annotated[Ints, Shape("nb", 9), "inertia of a body by rows"]
    mass: Annotated[Ints, Shape("nb", 3), "mass of a body"]
    J: Annotated[Ints, Shape("nc", 12), "entry (row, component of body i | j)"]
    J_transposed: Annotated[Ints, Shape("nc", 12), "entry (component, row)"]
    dropped: Annotated[Ints, Shape("nc"), "diagonal entry of a multiplier"]


def new_arrays(mechanism: CompiledMechanism, group: Ints, droppable: bool, room: int) -> tuple[Any, ...]:
    """Records of the solver: Augmented, SaddleMatrix, Pattern, Factors."""
    nb, nc, rows = mechanism.nb, mechanism.nc, mechanism.pattern_rows
    block, every, size = 6 * np.arange(nb)[:, None], np.arange(12), 6 * nb + nc
    body = np.stack([rows.body_i, rows.body_j], axis=1)
    linear = translations_used(rows)
    screws = np.append(np.asarray(group)[:nb] == 1, False)[body]
    linear |= (screws & np.any(linear, axis=2))[:, :, None]
    used = np.concatenate([np.repeat(rotations_used(rows)[:, :, None], 3, axis=2), linear], axis=2)
    row, column = np.nonzero((used & (body < nb)[:, :, None]).reshape(nc, 12))
    multiplier, component = 6 * nb + row, 6 * body[row, column // 6] + column % 6
    dropped = 6 * nb + np.arange(nc if droppable else 0)
    entries = [
        ((block + every[:9] // 3).ravel(), (block + every[:9] % 3).ravel()),
        ((block + every[3:6]).ravel(), (block + every[3:6]).ravel()),
        (multiplier, component),
        (component, multiplier),
        (dropped, dropped),
    ]
    rows_of, columns_of = (np.concatenate([pair[side] for pair in entries]) for side in (0, 1))
    matrix, made, space, where = new_matrix(rows_of, columns_of, size, nc, room)
    numbers = np.split(np.arange(len(rows_of)), np.cumsum([len(pair[0]) for pair in entries])[:-1])
    J, J_transposed = np.full((nc, 12), -1), np.full((nc, 12), -1)
    J[row, column], J_transposed[row, column] = numbers[2], numbers[3]
    system = Augmented(
        inertia=where[numbers[0].reshape(nb, 9)],
        mass=where[numbers[1].reshape(nb, 3)],
        J=where[J],
        J_transposed=where[J_transposed],
        dropped=where[numbers[4] if droppable else np.full(nc, -1)],
    )
    return system, matrix, made, space


@kernel
def fill(
    tables: Tables, work: Work, dependent: Dependent, system: Augmented, values: Floats, unit_bodies: bool
) -> None:
    """Write the matrix of the state that is set. unit_bodies : with unit inertias, and masses 1 / length^2."""
    J, body = work.J, tables.body
    for c in range(values.shape[0]):
        values[c] = 0.0
    unit_mass = 1.0 / (work.length[0].real * work.length[0].real)
    for b in range(system.mass.shape[0]):
        for c in range(9):
            unit = 1.0 if c % 4 == 0 else 0.0
            values[system.inertia[b, c]] = unit if unit_bodies else body[b, 1 + c]
        for c in range(3):
            values[system.mass[b, c]] = unit_mass if unit_bodies else body[b, 0]
    for k in range(J.shape[0]):
        if is_dropped(dependent, k):
            values[system.dropped[k]] = 1.0
        else:
            for c in range(12):
                values[system.J[k, c]] += J[k, c]
                values[system.J_transposed[k, c]] += J[k, c]
    values[values.shape[0] - 1] = 0.0


@kernel
def factorise(
    tables: Tables,
    work: Work,
    dependent: Dependent,
    system: Augmented,
    matrix: SaddleMatrix,
    places: Pattern,
    space: Factors,
) -> int:
    """Factor the matrix of the state that is set; returns a Status."""
    return factorise_saddle(fill, tables, work, dependent, system, matrix, places, space, 6 * system.mass.shape[0])


@kernel
def solve(tables: Tables, work: Work, dependent: Dependent, matrix: SaddleMatrix, space: Factors) -> int:
    """x and lambda, in the least-squares sense and of minimum norm for dependent rows."""
    nb, nc = work.x.shape[0] - 1, work.lam.shape[0]
    rhs, solution, x, lam = matrix.rhs, matrix.solution, work.x, work.lam
    reduce_right_side(dependent, work.eta, work.request.level[0] != ACCELERATION_LEVEL, matrix.eta)
    clear_solution(work)
    for _ in range(PASSES):
        residual(tables, work, dependent, matrix)
        solve_lu(space, rhs, solution)
        for b in range(nb):
            for c in range(6):
                x[b, c] += solution[6 * b + c]
        for k in range(nc):
            lam[k] += solution[6 * nb + k]
    share_least(dependent, work)
    return OK


@kernel
def residual(tables: Tables, work: Work, dependent: Dependent, matrix: SaddleMatrix) -> None:
    """matrix.rhs = (f - M x - J^T lambda, eta - J x); -lambda in the place of a dropped row."""
    rhs, J, lam = matrix.rhs, work.J, work.lam
    nb = work.x.shape[0] - 1
    for b in range(nb):
        rest = body_residual(tables, work, b)
        for c in range(6):
            rhs[6 * b + c] = rest[c]
    for k in range(lam.shape[0]):
        if is_dropped(dependent, k):
            rhs[6 * nb + k] = -lam[k]
        else:
            rhs[6 * nb + k] = row_residual(tables, work, matrix.eta, k)
            for side in range(2):
                b = tables.row_int[k, 1 + side]
                if b < nb:
                    for c in range(6):
                        rhs[6 * b + c] -= J[k, 6 * side + c] * lam[k]


SYSTEM, MATRIX, PATTERN, FACTORS = slots(Augmented, SaddleMatrix, Pattern, Factors, after=DEPENDENT)
FACTORISE = entry(factorise, TABLES, WORK, DEPENDENT, SYSTEM, MATRIX, PATTERN, FACTORS)
SOLVE = entry(solve, TABLES, WORK, DEPENDENT, MATRIX, FACTORS)
