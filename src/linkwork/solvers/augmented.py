"""The whole system (M J^T; J 0) (x, lambda) = (f, eta) by sparse LU with a fixed pattern."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from linkwork.equations.jacobian_sparsity import rotations_used, translations_used
from linkwork.kernels.jit import kernel
from linkwork.kernels.sparse_lu import Factors, Pattern, factor, factors, pattern, refactor, solve, weakest_share
from linkwork.kernels.tables import Floats, Ints
from linkwork.problems.dependent import is_dropped, reduce_right_side, share_least
from linkwork.problems.explicit import ACCELERATIONS, LENGTH, LEVEL
from linkwork.solvers.singularity_threshold import weak
from linkwork.status import Status
from linkwork.system import CompiledMechanism

OK, SINGULAR = int(Status.OK), int(Status.SINGULAR)
PIVOT_THRESHOLD = 0.1
PASSES = 2  # the second takes away what rounding left, near rank losses in particular


class Augmented(NamedTuple):
    """Where the entries of the system go, and what is solved. Places point into `values`, whose last is waste."""

    values: Floats  # (nnz + 1,)
    inertia_pos: Ints  # (nb, 9)
    mass_pos: Ints  # (nb, 3)
    J_pos: Ints  # (nc, 12) entry (row, component of body i | j)
    JT_pos: Ints  # (nc, 12) entry (component, row)
    drop_pos: Ints  # (nc,) the diagonal entry of a multiplier
    rhs: Floats  # (6 nb + nc,)
    solution: Floats  # (6 nb + nc,)
    eta: Floats  # (nc,) Work.eta, zero in dropped rows
    usual: Floats  # (1,) smallest scaled pivot of the first matrix, 0 before
    alike: Floats  # (1,) the same with all bodies alike
    report: Floats  # (2,) nothing yet known here of the row that was worst: -1


def new_arrays(mechanism: CompiledMechanism, group: Any, droppable: bool, room: int) -> tuple[Any, ...]:
    """Arrays of the solver: an Augmented, a Pattern's arrays, Factors."""
    nb, nc, rows = mechanism.nb, mechanism.nc, mechanism.system.rows
    own, every, size = 6 * np.arange(nb)[:, None], np.arange(12), 6 * nb + nc
    body = np.stack([rows.body_i, rows.body_j], axis=1)
    linear = translations_used(rows)
    screws = np.append(np.asarray(group)[:nb] == 1, False)[body]
    linear |= (screws & np.any(linear, axis=2))[:, :, None]
    used = np.concatenate([np.repeat(rotations_used(rows)[:, :, None], 3, axis=2), linear], axis=2)
    row, column = np.nonzero((used & (body < nb)[:, :, None]).reshape(nc, 12))
    multiplier, component = 6 * nb + row, 6 * body[row, column // 6] + column % 6
    dropped = 6 * nb + np.arange(nc if droppable else 0)
    entries = [
        ((own + every[:9] // 3).ravel(), (own + every[:9] % 3).ravel()),
        ((own + every[3:6]).ravel(), (own + every[3:6]).ravel()),
        (multiplier, component),
        (component, multiplier),
        (dropped, dropped),
    ]
    rows_of, columns_of = (np.concatenate([pair[side] for pair in entries]) for side in (0, 1))
    made, where = pattern(rows_of, columns_of, size)
    numbers = np.split(np.arange(len(where)), np.cumsum([len(pair[0]) for pair in entries])[:-1])
    inertia_pos, mass_pos = numbers[0].reshape(nb, 9), numbers[1].reshape(nb, 3)
    J_pos, JT_pos = np.full((nc, 12), -1), np.full((nc, 12), -1)
    J_pos[row, column], JT_pos[row, column] = numbers[2], numbers[3]
    drop_pos = numbers[4] if droppable else np.full(nc, -1)
    nnz = len(made.indices)

    def place(numbers: Any) -> Any:
        return np.where(numbers >= 0, where[numbers], nnz)

    usual = factors(made)
    space = usual if room == 1 else factors(made, room * len(usual.Lx))
    arrays = Augmented(
        values=np.zeros(nnz + 1),
        inertia_pos=place(inertia_pos),
        mass_pos=place(mass_pos),
        J_pos=place(J_pos),
        JT_pos=place(JT_pos),
        drop_pos=place(drop_pos),
        rhs=np.zeros(size),
        solution=np.zeros(size),
        eta=np.zeros(nc),
        usual=np.zeros(1),
        alike=np.zeros(1),
        report=np.array([1.0, -1.0]),
    )
    return (*arrays, made.indptr, made.indices, made.order, made.prefer, *space)


@kernel
def fill(tables: Any, work: Any, dependent: Any, system: Augmented, alike: Any) -> None:
    """The matrix of the placed state. alike : with all bodies' masses and inertias one, in units of the length."""
    values, body = system.values, tables.body
    for c in range(values.shape[0]):
        values[c] = 0.0
    over = 1.0 / (work.coef[LENGTH].real * work.coef[LENGTH].real)
    for b in range(system.mass_pos.shape[0]):
        for c in range(9):
            own = 1.0 if c % 4 == 0 else 0.0
            values[system.inertia_pos[b, c]] = own if alike else body[b, 1 + c]
        for c in range(3):
            values[system.mass_pos[b, c]] = over if alike else body[b, 0]
    for k in range(work.J.shape[0]):
        if is_dropped(dependent, k):
            values[system.drop_pos[k]] = 1.0
        else:
            for c in range(12):
                values[system.J_pos[k, c]] += work.J[k, c]
                values[system.JT_pos[k, c]] += work.J[k, c]
    values[values.shape[0] - 1] = 0.0


@kernel
def factorise(tables: Any, work: Any, dependent: Any, system: Augmented, places: Pattern, space: Factors) -> int:
    """Fill the matrix of the placed state and factor it, with fresh pivots where the old ones fail."""
    values, before = system.values, system.usual[0]
    fill(tables, work, dependent, system, False)
    first = 6 * system.mass_pos.shape[0]
    status = refactor(places, values, space)
    if status == OK and not weak(work, weakest_share(space, first), system.usual):
        return OK
    # old pivots may be small where no row is weak
    status = factor(places, values, space, PIVOT_THRESHOLD)
    if status == OK:
        doubted = weak(work, weakest_share(space, first), system.usual)
        if doubted or before == 0.0:
            status = judge_rows(tables, work, dependent, system, places, space, doubted)
    return int(status)


@kernel
def judge_rows(
    tables: Any, work: Any, dependent: Any, system: Augmented, places: Pattern, space: Factors, doubted: Any
) -> int:
    """Whether the rows themselves are weak: a pivot is small where a light body alone gives way, too. So the rows are
    judged with all bodies alike; the matrix is factored again afterwards. doubted : the answer where factors of that
    matrix do not fit their work space."""
    fill(tables, work, dependent, system, True)
    if factor(places, system.values, space, PIVOT_THRESHOLD) == OK:
        doubted = weak(work, weakest_share(space, 6 * system.mass_pos.shape[0]), system.alike)
    fill(tables, work, dependent, system, False)
    if doubted:
        return SINGULAR
    return int(factor(places, system.values, space, PIVOT_THRESHOLD))


@kernel
def solve_system(tables: Any, work: Any, dependent: Any, system: Augmented, space: Factors) -> int:
    """x and lambda, in the least-squares sense and of least norm for dependent rows."""
    nb, nc = work.x.shape[0] - 1, work.lam.shape[0]
    rhs, solution, x, lam = system.rhs, system.solution, work.x, work.lam
    reduce_right_side(dependent, work.eta, work.coef[LEVEL].real != ACCELERATIONS, system.eta)
    for b in range(nb):
        for c in range(6):
            x[b, c] = 0.0
    for k in range(nc):
        lam[k] = 0.0
    for turn in range(PASSES):
        for b in range(nb):
            for c in range(6):
                rhs[6 * b + c] = work.f[b, c]
        for k in range(nc):
            rhs[6 * nb + k] = system.eta[k]
        if turn > 0:
            take_away(tables, work, dependent, rhs)
        solve(space, rhs, solution)
        for b in range(nb):
            for c in range(6):
                x[b, c] += solution[6 * b + c]
        for k in range(nc):
            lam[k] += solution[6 * nb + k]
    share_least(dependent, work)
    return OK


@kernel
def take_away(tables: Any, work: Any, dependent: Any, rhs: Any) -> None:
    """Subtract what x and lambda make of the system's left side."""
    J, x, lam, body = work.J, work.x, work.lam, tables.body
    nb = x.shape[0] - 1
    for b in range(nb):
        for r in range(3):
            for c in range(3):
                rhs[6 * b + r] -= body[b, 1 + 3 * r + c] * x[b, c]
            rhs[6 * b + 3 + r] -= body[b, 0] * x[b, 3 + r]
    for k in range(lam.shape[0]):
        if is_dropped(dependent, k):
            rhs[6 * nb + k] -= lam[k]
        else:
            for side in range(2):
                b = tables.row_int[k, 1 + side]
                if b < nb:
                    for c in range(6):
                        rhs[6 * b + c] -= J[k, 6 * side + c] * lam[k]
                        rhs[6 * nb + k] -= J[k, 6 * side + c] * x[b, c]
