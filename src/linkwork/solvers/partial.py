"""Translations eliminated, rotations and multipliers at once [Mufti 1983, eq. 15], by sparse LU.

With J = (W, R) by angular and linear parts, rddot = (f_r - R^T lambda) / m leaves

    ( I      W^T      ) ( omegadot )   ( f_w               )
    ( W   -R m^-1 R^T ) (  lambda  ) = ( eta - R m^-1 f_r  )

which needs no inverse of an inertia: bodies without inertia about an axis that joints hold run.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from linkwork.equations.jacobian_sparsity import rotation_used, translation_used
from linkwork.errors import UnsupportedElementError
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


class Partial(NamedTuple):
    """Where the entries of the system go, and what is solved. Places point into `values`, whose last is waste."""

    values: Floats  # (nnz + 1,)
    inertia_pos: Ints  # (nb, 9)
    W_pos: Ints  # (nc, 6) entry (row, angular component of body i | j)
    WT_pos: Ints  # (nc, 6)
    pair: Ints  # (n, 6) rows k and l, where their linear parts of a shared body begin in J, the body, the place
    drop_pos: Ints  # (nc,)
    rhs: Floats  # (3 nb + nc,)
    solution: Floats  # (3 nb + nc,)
    eta: Floats  # (nc,) Work.eta, zero in dropped rows
    usual: Floats  # (1,) smallest scaled pivot of the first matrix, 0 before
    alike: Floats  # (1,) the same with all bodies alike
    report: Floats  # (2,) nothing yet known here of the row that was worst: -1


def admit(mechanism: CompiledMechanism) -> None:
    """Raise UnsupportedElementError for a body without mass."""
    for body in mechanism.lowered.bodies:
        if not (body.mass and body.mass > 0.0):
            raise UnsupportedElementError(
                f"body {body.name!r} has no mass; partial elimination divides by it.",
                element=f"mechanism {mechanism.lowered.name!r}",
                remedy="Give it a small mass, or take augmented.",
            )


def new_arrays(mechanism: CompiledMechanism, group: Any, droppable: bool, room: int) -> tuple[Any, ...]:
    """Arrays of the solver: a Partial, a Pattern's arrays, Factors."""
    nb, nc, rows = mechanism.nb, mechanism.nc, mechanism.system.rows
    places: list[tuple[int, int]] = []

    def add(row: int, col: int) -> int:
        places.append((row, col))
        return len(places) - 1

    inertia_pos = np.array([[add(3 * b + c // 3, 3 * b + c % 3) for c in range(9)] for b in range(nb)])
    W_pos, WT_pos = np.full((nc, 6), -1, dtype=np.int64), np.full((nc, 6), -1, dtype=np.int64)
    drop_pos = np.full(nc, -1, dtype=np.int64)
    moving: list[list[tuple[int, int]]] = [[] for _ in range(nb)]
    for k in range(nc):
        row = 3 * nb + k
        if droppable:
            drop_pos[k] = add(row, row)
        for side, b in enumerate((int(rows.body_i[k]), int(rows.body_j[k]))):
            if b >= nb:
                continue
            if rotation_used(rows, k, side):
                for c in range(3):
                    W_pos[k, 3 * side + c], WT_pos[k, 3 * side + c] = add(row, 3 * b + c), add(3 * b + c, row)
            if any(translation_used(rows, k, side)):
                moving[b].append((k, 6 * side + 3))
    pair = np.array(
        [(k, l, a, c, b, add(3 * nb + k, 3 * nb + l)) for b, on in enumerate(moving) for k, a in on for l, c in on],
        dtype=np.int64,
    ).reshape(-1, 6)
    entries = np.array(places, dtype=np.int64).reshape(-1, 2)
    size = 3 * nb + nc
    made, where = pattern(entries[:, 0], entries[:, 1], size)
    nnz = len(made.indices)

    def place(numbers: Any) -> Any:
        return np.where(numbers >= 0, where[numbers], nnz)

    pair[:, 5] = place(pair[:, 5])
    usual = factors(made)
    space = usual if room == 1 else factors(made, room * len(usual.Lx))
    arrays = Partial(
        values=np.zeros(nnz + 1),
        inertia_pos=place(inertia_pos.reshape(nb, 9)),
        W_pos=place(W_pos),
        WT_pos=place(WT_pos),
        pair=pair,
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
def fill(tables: Any, work: Any, dependent: Any, system: Partial, alike: Any) -> None:
    """The matrix of the placed state. alike : with all bodies' masses and inertias one, in units of the length."""
    values, body, J = system.values, tables.body, work.J
    for c in range(values.shape[0]):
        values[c] = 0.0
    square = work.coef[LENGTH].real * work.coef[LENGTH].real
    for b in range(system.inertia_pos.shape[0]):
        for c in range(9):
            own = 1.0 if c % 4 == 0 else 0.0
            values[system.inertia_pos[b, c]] = own if alike else body[b, 1 + c]
    for k in range(J.shape[0]):
        if is_dropped(dependent, k):
            values[system.drop_pos[k]] = 1.0
        else:
            for side in range(2):
                for c in range(3):
                    values[system.W_pos[k, 3 * side + c]] += J[k, 6 * side + c]
                    values[system.WT_pos[k, 3 * side + c]] += J[k, 6 * side + c]
    for p in range(system.pair.shape[0]):
        k, l, a, c = system.pair[p, 0], system.pair[p, 1], system.pair[p, 2], system.pair[p, 3]
        if not (is_dropped(dependent, k) or is_dropped(dependent, l)):
            product = J[k, a] * J[l, c] + J[k, a + 1] * J[l, c + 1] + J[k, a + 2] * J[l, c + 2]
            values[system.pair[p, 5]] -= product * square if alike else product / body[system.pair[p, 4], 0]
    values[values.shape[0] - 1] = 0.0


@kernel
def factorise(tables: Any, work: Any, dependent: Any, system: Partial, places: Pattern, space: Factors) -> int:
    """Fill the matrix of the placed state and factor it, with fresh pivots where the old ones fail."""
    values, before = system.values, system.usual[0]
    fill(tables, work, dependent, system, False)
    first = 3 * system.inertia_pos.shape[0]
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
    tables: Any, work: Any, dependent: Any, system: Partial, places: Pattern, space: Factors, doubted: Any
) -> int:
    """Whether the rows themselves are weak, with all bodies alike, as `augmented.judge_rows` does; `doubted` if
    that cannot be told."""
    fill(tables, work, dependent, system, True)
    if factor(places, system.values, space, PIVOT_THRESHOLD) == OK:
        doubted = weak(work, weakest_share(space, 3 * system.inertia_pos.shape[0]), system.alike)
    fill(tables, work, dependent, system, False)
    if doubted:
        return SINGULAR
    return int(factor(places, system.values, space, PIVOT_THRESHOLD))


@kernel
def solve_system(tables: Any, work: Any, dependent: Any, system: Partial, space: Factors) -> int:
    """x and lambda, in the least-squares sense and of least norm for dependent rows."""
    nb, nc = work.x.shape[0] - 1, work.lam.shape[0]
    rhs, solution, J, x, lam, body = system.rhs, system.solution, work.J, work.x, work.lam, tables.body
    reduce_right_side(dependent, work.eta, work.coef[LEVEL].real != ACCELERATIONS, system.eta)
    for b in range(nb):
        for c in range(3):
            x[b, c], x[b, 3 + c] = 0.0, work.f[b, 3 + c] / body[b, 0]
    for k in range(nc):
        lam[k] = 0.0
    for _ in range(PASSES):
        # what the present x and lambda miss; translations follow lambda exactly
        for b in range(nb):
            for r in range(3):
                total = work.f[b, r]
                for c in range(3):
                    total -= body[b, 1 + 3 * r + c] * x[b, c]
                rhs[3 * b + r] = total
        for k in range(nc):
            rhs[3 * nb + k] = -lam[k]
            if not is_dropped(dependent, k):
                rhs[3 * nb + k] = system.eta[k]
                for side in range(2):
                    b = tables.row_int[k, 1 + side]
                    if b < nb:
                        for c in range(6):
                            rhs[3 * nb + k] -= J[k, 6 * side + c] * x[b, c]
                        for c in range(3):
                            rhs[3 * b + c] -= J[k, 6 * side + c] * lam[k]
        solve(space, rhs, solution)
        for b in range(nb):
            for c in range(3):
                x[b, c] += solution[3 * b + c]
        for k in range(nc):
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
