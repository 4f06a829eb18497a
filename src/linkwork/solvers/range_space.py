"""The range-space way: S lambda = J M^-1 f - eta with S = J M^-1 J^T, then x = M^-1 (f - J^T lambda).

S couples rows that share a body, so it is as sparse as the graph of joints; every body needs an inverse inertia.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from linkwork.equations.jacobian_sparsity import rotations_used, translations_used
from linkwork.kernels.dense_ldl import clear_dense, dense_factors, dense_places, factor_dense, solve_dense
from linkwork.kernels.jit import kernel
from linkwork.kernels.sparse.pattern import Indices
from linkwork.kernels.sparse_ldl import clear_ldl, factor_ldl, ldl_factors, ldl_pattern, solve_ldl
from linkwork.kernels.tables import Floats, Ints
from linkwork.problems.dependent import expected, is_dropped, reduce_right_side, share_least
from linkwork.problems.explicit import ACCELERATIONS, LEVEL
from linkwork.solvers.choice import need_inertia
from linkwork.solvers.singularity_threshold import doubtful_pivot, least_pivot_beside
from linkwork.status import Status
from linkwork.system import CompiledMechanism
from linkwork.system.shared_bodies import sharing

OK, SINGULAR = int(Status.OK), int(Status.SINGULAR)
NATURAL = 0x7FFFFFFF  # an index masked by it is known not to be negative, which spares a test at every use
PASSES = 2  # the second removes what rounding left of the rows, which else adds up to drift


class RangeSpace(NamedTuple):
    """What the solver reads and writes besides the problem's own arrays."""

    inverse: Floats  # (nb + 1, 10) inverse inertia, inverse mass; zero for ground
    H: Floats  # (nc, 12) M^-1 J^T, by rows
    pair: Indices  # (n, 5) rows k and l, where their parts of a shared body begin in J, place in the factors' values
    diagonal: Indices  # (nc,) place of (k, k)
    rhs: Floats  # (nc,)
    eta: Floats  # (nc,) Work.eta, zero in dropped rows
    usual: Floats  # (1,) smallest pivot of the first matrix, 0 before


def admit(mechanism: CompiledMechanism, *, dense: bool = False) -> None:
    """Raise UnsupportedElementError for a body without mass, or without inertia about some axis."""
    need_inertia(mechanism, "the range space")


def new_arrays(
    mechanism: CompiledMechanism, group: Any, droppable: bool, room: int, *, dense: bool = False
) -> tuple[Any, ...]:
    """Arrays of the solver: a RangeSpace, then the pattern and the factors of S, or a dense matrix's factors."""
    nb, nc, rows = mechanism.nb, mechanism.nc, mechanism.system.rows
    pairs = sharing(rows, nb, np.any(translations_used(rows), axis=2) | rotations_used(rows))
    every = np.arange(nc)
    storage, where = stored(np.r_[every, pairs[:, 0]], np.r_[every, pairs[:, 1]], nc, dense)
    inverse = np.zeros((nb + 1, 10))
    inverse[:nb, :9] = np.linalg.inv(mechanism.system.bodies.inertia[:nb].reshape(-1, 3, 3)).reshape(-1, 9)
    inverse[:nb, 9] = 1.0 / mechanism.system.bodies.mass[:nb]
    arrays = RangeSpace(
        inverse=inverse,
        H=np.zeros((nc, 12)),
        pair=np.column_stack([pairs, where[nc:]]).astype(np.uint32).reshape(-1, 5),
        diagonal=np.asarray(where[:nc], dtype=np.uint32),
        rhs=np.zeros(nc),
        eta=np.zeros(nc),
        usual=np.zeros(1),
    )
    return (*arrays, *storage)


def stored(rows: Ints, cols: Ints, n: int, dense: bool) -> tuple[tuple[Any, ...], Ints]:
    """Arrays of a symmetric matrix with entries at these places, sparse or dense, and where each entry stands."""
    if dense:
        return tuple(dense_factors(n)), dense_places(rows, cols, n)
    made, where = ldl_pattern(rows, cols, n)
    return (*made, *ldl_factors(made)), where


@kernel
def factorise(tables: Any, work: Any, dependent: Any, space: RangeSpace, pattern: Any, factors: Any) -> int:
    """Form S at the placed state and factor it."""
    clear_ldl(factors)
    form(tables, work, dependent, space, factors.values)
    status = int(factor_ldl(pattern, factors, least_pivot_beside(work, space.usual)))
    return remember(work, status, space, factors.report)


@kernel
def factorise_dense(tables: Any, work: Any, dependent: Any, space: RangeSpace, factors: Any) -> int:
    """The same with a dense matrix."""
    clear_dense(factors)
    form(tables, work, dependent, space, factors.values)
    status = int(factor_dense(factors, least_pivot_beside(work, space.usual)))
    return remember(work, status, space, factors.report)


@kernel
def remember(work: Any, status: Any, space: RangeSpace, report: Any) -> int:
    """Keep the smallest pivot of the first matrix that could be factored, and judge by it."""
    if status == OK and space.usual[0] == 0.0:
        space.usual[0] = report[0]
    return SINGULAR if status == OK and doubtful_pivot(work, report[0], space.usual) else int(status)


@kernel
def form(tables: Any, work: Any, dependent: Any, space: RangeSpace, values: Any) -> None:
    """Add up S, with unit rows for dropped ones, in `values`."""
    J, H, inverse, pair = work.J, space.H, space.inverse, space.pair
    for k in range(J.shape[0]):
        for side in range(2):
            b, c = tables.row_int[k, 1 + side] & NATURAL, 6 * side
            j0, j1, j2 = J[k, c], J[k, c + 1], J[k, c + 2]
            H[k, c] = inverse[b, 0] * j0 + inverse[b, 1] * j1 + inverse[b, 2] * j2
            H[k, c + 1] = inverse[b, 3] * j0 + inverse[b, 4] * j1 + inverse[b, 5] * j2
            H[k, c + 2] = inverse[b, 6] * j0 + inverse[b, 7] * j1 + inverse[b, 8] * j2
            m = inverse[b, 9]
            H[k, c + 3] = m * J[k, c + 3]
            H[k, c + 4] = m * J[k, c + 4]
            H[k, c + 5] = m * J[k, c + 5]
    if expected(dependent):
        keep = dependent.found.keep
        for p in range(pair.shape[0]):
            if keep[pair[p, 0]] == 1 and keep[pair[p, 1]] == 1:
                values[pair[p, 4]] += product(J, H, pair, p)
        for k in range(J.shape[0]):
            if keep[k] == 0:
                values[space.diagonal[k]] = 1.0
    else:
        for p in range(pair.shape[0]):
            values[pair[p, 4]] += product(J, H, pair, p)


@kernel
def product(J: Any, H: Any, pair: Any, p: Any) -> Any:
    """What a shared body adds to the entry of S for two rows."""
    k, l, a, b = pair[p, 0], pair[p, 1], pair[p, 2], pair[p, 3]
    angular = J[k, a] * H[l, b] + J[k, a + 1] * H[l, b + 1] + J[k, a + 2] * H[l, b + 2]
    return angular + J[k, a + 3] * H[l, b + 3] + J[k, a + 4] * H[l, b + 4] + J[k, a + 5] * H[l, b + 5]


@kernel
def solve_sparse(tables: Any, work: Any, dependent: Any, space: RangeSpace, pattern: Any, factors: Any) -> int:
    """x and lambda, in the least-squares sense and of least norm for dependent rows."""
    begin(work, dependent, space)
    for _ in range(PASSES):
        miss(tables, work, dependent, space)
        solve_ldl(pattern, factors, space.rhs, space.rhs)
        correct(tables, work, space)
    share_least(dependent, work)
    return OK


@kernel
def solve_full(tables: Any, work: Any, dependent: Any, space: RangeSpace, factors: Any) -> int:
    """The same with a dense matrix."""
    begin(work, dependent, space)
    for _ in range(PASSES):
        miss(tables, work, dependent, space)
        solve_dense(factors, space.rhs, space.rhs)
        correct(tables, work, space)
    share_least(dependent, work)
    return OK


@kernel
def begin(work: Any, dependent: Any, space: RangeSpace) -> None:
    """x = M^-1 f, and the right side of the rows that are kept; no multipliers yet."""
    x, f, lam, inverse = work.x, work.f, work.lam, space.inverse
    for b in range(x.shape[0] - 1):
        f0, f1, f2 = f[b, 0], f[b, 1], f[b, 2]
        x[b, 0] = inverse[b, 0] * f0 + inverse[b, 1] * f1 + inverse[b, 2] * f2
        x[b, 1] = inverse[b, 3] * f0 + inverse[b, 4] * f1 + inverse[b, 5] * f2
        x[b, 2] = inverse[b, 6] * f0 + inverse[b, 7] * f1 + inverse[b, 8] * f2
        for c in range(3, 6):
            x[b, c] = inverse[b, 9] * f[b, c]
    blend = work.coef[LEVEL].real != ACCELERATIONS
    reduce_right_side(dependent, work.eta, blend, space.eta)
    for k in range(lam.shape[0]):
        lam[k] = 0.0


@kernel
def miss(tables: Any, work: Any, dependent: Any, space: RangeSpace) -> None:
    """By how much x misses the rows, into rhs."""
    for k in range(space.rhs.shape[0]):
        space.rhs[k] = 0.0 if is_dropped(dependent, k) else missing(tables, work.J, work.x, space.eta, k)


@kernel
def correct(tables: Any, work: Any, space: RangeSpace) -> None:
    """Let the multipliers in rhs act."""
    x, H, rhs = work.x, space.H, space.rhs
    for k in range(rhs.shape[0]):
        work.lam[k] += rhs[k]
        for side in range(2):
            b, c = tables.row_int[k, 1 + side] & NATURAL, 6 * side
            for d in range(6):
                x[b, d] -= H[k, c + d] * rhs[k]


@kernel
def missing(tables: Any, J: Any, x: Any, eta: Any, k: Any) -> Any:
    """J_k x - eta_k."""
    i, j = tables.row_int[k, 1] & NATURAL, tables.row_int[k, 2] & NATURAL
    total = -eta[k]
    for d in range(6):
        total += J[k, d] * x[i, d] + J[k, 6 + d] * x[j, d]
    return total
