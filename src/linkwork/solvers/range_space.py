"""The range-space way: S lambda = J M^-1 f - eta with S = J M^-1 J^T, then x = M^-1 (f - J^T lambda) [Mufti 1983, eq.
14].

S couples rows that share a body, so it is as sparse as the graph of joints; every body needs an inverse inertia.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from linkwork.equations.jacobian_sparsity import rotations_used, translations_used
from linkwork.kernels.jit import kernel
from linkwork.kernels.records import Shape, new_record
from linkwork.kernels.sparse.pattern import Indices
from linkwork.kernels.sparse_ldl import (
    LdlFactors,
    LdlPattern,
    clear_ldl,
    factor_ldl,
    ldl_factors,
    ldl_pattern,
    solve_ldl,
)
from linkwork.kernels.tables import Bodies, Floats, Ints, Rows
from linkwork.problems.dependent import Dependent, expected, is_dropped, reduce_right_side, share_least
from linkwork.problems.entry import entry
from linkwork.problems.explicit import Work
from linkwork.problems.explicit_context import DEPENDENT, TABLES, WORK
from linkwork.problems.layout import slots
from linkwork.problems.request import ACCELERATION_LEVEL
from linkwork.remembered import remembered
from linkwork.solvers.choice import inverse_masses
from linkwork.solvers.residuals import NONNEGATIVE, row_residual
from linkwork.solvers.singularity_threshold import check_pivot, pivot_threshold
from linkwork.status import Status
from linkwork.system import CompiledMechanism
from linkwork.system.packed import Tables
from linkwork.system.shared_bodies import sharing

OK = int(Status.OK)
PASSES = 2  # the second removes the rounding of the first in the rows, which would add up to drift


class RangeSpace(NamedTuple):
    """What the solver reads and writes besides the arrays of the problem."""

    inverse: Annotated[Floats, Shape("nb + 1", 10), "inverse inertia, inverse mass; zero for ground"]
    H: Annotated[Floats, Shape("nc", 12), "M^-1 J^T, by rows"]
    pair: Annotated[
        Indices,
        Shape("n", 5),
        "rows k and l, columns of J with their parts for a shared body, place in the factors' values",
    ]
    diagonal: Annotated[Indices, Shape("nc"), "place of (k, k)"]
    rhs: Annotated[Floats, Shape("nc"), "J x - eta, then the change of lambda"]
    eta: Annotated[Floats, Shape("nc"), "Work.eta, zero in dropped rows"]
    first: Annotated[Floats, Shape(1), "smallest pivot of the first matrix, 0 before"]


def new_arrays(
    mechanism: CompiledMechanism, group: Ints, droppable: bool, room: int, *, dense: bool = False
) -> tuple[Any, ...]:
    """Records of the solver: RangeSpace, LdlPattern, LdlFactors. dense : S with all its entries, as `stored`."""
    nb, nc, rows = mechanism.nb, mechanism.nc, mechanism.pattern_rows
    pair, diagonal, storage = _analysed(rows, nb, dense)
    given = {"inverse": inverse_masses(mechanism.system.bodies), "pair": pair, "diagonal": diagonal}
    return new_record(RangeSpace, given=given, nc=nc), *storage


def renew(records: tuple[Any, ...], mechanism: CompiledMechanism, bodies: Bodies) -> None:
    """The inverses, of other masses and inertias."""
    records[0].inverse[:] = inverse_masses(bodies)


@remembered
def _analysed(rows: Rows, nb: int, dense: bool) -> tuple[Indices, Indices, tuple[Any, ...]]:
    """RangeSpace.pair and diagonal of these rows on so many bodies, and what `stored` makes of them."""
    nc = len(rows.kind)
    pairs = sharing(rows, nb, np.any(translations_used(rows), axis=2) | rotations_used(rows))
    every = np.arange(nc)
    storage, where = stored(np.r_[every, pairs[:, 0]], np.r_[every, pairs[:, 1]], nc, dense)
    pair: Indices = np.column_stack([pairs, where[nc:]]).astype(np.uint32).reshape(-1, 5)
    return pair, np.asarray(where[:nc], dtype=np.uint32), storage


def stored(rows: Ints, cols: Ints, n: int, dense: bool) -> tuple[tuple[Any, ...], Ints]:
    """Pattern and factors of a symmetric matrix with entries at these places, and where each entry stands.

    dense : with all other entries, too, which are zero: for comparison. The supernodes make that faster than a loop
    over rows of a dense matrix (decision record 22).
    """
    count = len(rows)
    if dense:
        every = np.tril_indices(n)
        rows, cols = np.r_[rows, every[0]], np.r_[cols, every[1]]
    made, where = ldl_pattern(rows, cols, n)
    return (made, ldl_factors(made)), where[:count]


@kernel
def factorise(
    tables: Tables, work: Work, dependent: Dependent, space: RangeSpace, pattern: LdlPattern, factors: LdlFactors
) -> int:
    """Form S at the state that is set and factor it; returns a Status."""
    clear_ldl(factors)
    form(tables, work, dependent, space, factors.values)
    status = int(factor_ldl(pattern, factors, pivot_threshold(work, space.first)))
    return check_pivot(work, status, factors.report[0], space.first)


@kernel
def form(tables: Tables, work: Work, dependent: Dependent, space: RangeSpace, values: Floats) -> None:
    """Add up S in `values`, with rows of the unit matrix for dropped ones; writes space.H."""
    J, H, inverse, pair = work.J, space.H, space.inverse, space.pair
    for k in range(J.shape[0]):
        for side in range(2):
            b, c = tables.row_int[k, 1 + side] & NONNEGATIVE, 6 * side
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
def product(J: Floats, H: Floats, pair: Indices, p: int) -> Any:
    """J_k M_b^-1 J_l^T: what body b that rows k and l share adds to S[k, l]."""
    k, l, a, b = pair[p, 0], pair[p, 1], pair[p, 2], pair[p, 3]
    angular = J[k, a] * H[l, b] + J[k, a + 1] * H[l, b + 1] + J[k, a + 2] * H[l, b + 2]
    return angular + J[k, a + 3] * H[l, b + 3] + J[k, a + 4] * H[l, b + 4] + J[k, a + 5] * H[l, b + 5]


@kernel
def solve(
    tables: Tables, work: Work, dependent: Dependent, space: RangeSpace, pattern: LdlPattern, factors: LdlFactors
) -> int:
    """x and lambda, in the least-squares sense and of minimum norm for dependent rows."""
    unconstrained(work, dependent, space)
    for _ in range(PASSES):
        right_side(tables, work, dependent, space)
        solve_ldl(pattern, factors, space.rhs, space.rhs)
        add_multipliers(tables, work, space)
    share_least(dependent, work)
    return OK


@kernel
def unconstrained(work: Work, dependent: Dependent, space: RangeSpace) -> None:
    """x = M^-1 f, lambda = 0, and space.eta, the right side of the rows that are kept."""
    x, f, lam, inverse = work.x, work.f, work.lam, space.inverse
    for b in range(x.shape[0] - 1):
        f0, f1, f2 = f[b, 0], f[b, 1], f[b, 2]
        x[b, 0] = inverse[b, 0] * f0 + inverse[b, 1] * f1 + inverse[b, 2] * f2
        x[b, 1] = inverse[b, 3] * f0 + inverse[b, 4] * f1 + inverse[b, 5] * f2
        x[b, 2] = inverse[b, 6] * f0 + inverse[b, 7] * f1 + inverse[b, 8] * f2
        for c in range(3, 6):
            x[b, c] = inverse[b, 9] * f[b, c]
    reduce_right_side(dependent, work.eta, work.request.level[0] != ACCELERATION_LEVEL, space.eta)
    for k in range(lam.shape[0]):
        lam[k] = 0.0


@kernel
def right_side(tables: Tables, work: Work, dependent: Dependent, space: RangeSpace) -> None:
    """rhs = J x - eta at the present x, 0 in dropped rows."""
    for k in range(space.rhs.shape[0]):
        space.rhs[k] = 0.0 if is_dropped(dependent, k) else -row_residual(tables, work, space.eta, k)


@kernel
def add_multipliers(tables: Tables, work: Work, space: RangeSpace) -> None:
    """lambda += rhs, x -= M^-1 J^T rhs."""
    x, H, rhs = work.x, space.H, space.rhs
    for k in range(rhs.shape[0]):
        work.lam[k] += rhs[k]
        for side in range(2):
            b, c = tables.row_int[k, 1 + side] & NONNEGATIVE, 6 * side
            for d in range(6):
                x[b, d] -= H[k, c + d] * rhs[k]


SPACE, PATTERN, FACTORS = slots(RangeSpace, LdlPattern, LdlFactors, after=DEPENDENT)
FACTORISE = entry(factorise, TABLES, WORK, DEPENDENT, SPACE, PATTERN, FACTORS)
SOLVE = entry(solve, TABLES, WORK, DEPENDENT, SPACE, PATTERN, FACTORS)
