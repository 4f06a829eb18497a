"""Dependent constraint rows inside a run: found at every step, taken out of the matrix, shared out in the results.

Of rows that depend on others only the independent ones are solved for, with the right side of the least-squares
solution; the multipliers are then given the distribution of least norm (`kernels.dependence`).
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from linkwork.kernels.dependence import (
    ND,
    Dependence,
    dependence,
    exchange,
    independent_rows,
    least_squares_rhs,
    minimum_norm,
)
from linkwork.kernels.jit import kernel
from linkwork.kernels.pose_error import OFF_LARGEST, OFF_MARGIN
from linkwork.kernels.records import Shape
from linkwork.kernels.tables import Floats, Ints
from linkwork.problems.explicit import Work
from linkwork.problems.implicit import Matrix
from linkwork.problems.implicit import Work as ImplicitWork
from linkwork.problems.request import ACCELERATION_LEVEL
from linkwork.problems.sparse_redundancy import (
    SparseRedundancy,
    detect_sparsely,
    is_sparse,
    new_sparse_redundancy,
    without_null,
)
from linkwork.system import CompiledMechanism
from linkwork.system.dense import row_sizes
from linkwork.system.packed import Tables

LEAST_TOLERANCE, LARGEST_TOLERANCE, MARGIN = 1e-7, 1e-4, 1e3
LARGEST_DENSE = 150_000  # entries of the matrices of a dense search; larger mechanisms are searched sparsely


class Dependent(NamedTuple):
    """What was found, and the work space to find it. Without dependent rows to expect it is empty."""

    found: Dependence
    G: Annotated[Floats, Shape("nc", "6 nb"), "translations in units of the mechanism's length"]
    row_scale: Annotated[Floats, Shape("nc"), "size of each row at the start: what is much smaller has vanished"]
    before: Annotated[Ints, Shape("nc"), "which rows were kept at the step before"]
    length: Annotated[
        Floats,
        Shape(4),
        "the mechanism's length; how much of a row must be its own for it to count, now and at least; how far off "
        "the last predicted pose was",
    ]
    sparse: Annotated[
        SparseRedundancy, "for large mechanisms, which the dense arrays of `found` and G would be too large for"
    ]


def new_dependence(mechanism: CompiledMechanism, wanted: bool, pose_tolerance: float = 0.0) -> Dependent:
    """Work space for a mechanism's rows, or an empty one where dependent rows are not expected.

    pose_tolerance : to what share of the mechanism's length poses will be met: rows that differ by no more
        than a multiple of it from dependence are dependent.
    """
    nc, m = (mechanism.nc, 6 * mechanism.nb) if wanted else (0, 0)
    wide = nc * (m + nc) > LARGEST_DENSE
    made = Dependent(
        found=without_matrices(nc) if wide else dependence(nc, m),
        G=np.zeros((0, 0) if wide else (nc, m)),
        row_scale=np.zeros(nc),
        before=np.ones(nc, dtype=np.int64),
        length=np.zeros(4),
        sparse=new_sparse_redundancy(mechanism if wide else None),
    )
    set_sizes(made, mechanism, pose_tolerance)
    return made


def set_sizes(dependent: Dependent, mechanism: CompiledMechanism, pose_tolerance: float) -> None:
    """What the mechanism's rows are measured against, at its start; `pose_tolerance` as in `new_dependence`."""
    if len(dependent.row_scale):  # a row that has shrunk to nothing against its size there is dependent, too
        dependent.row_scale[:] = row_sizes(mechanism, mechanism.length, 1.0)
    tolerance = min(max(LEAST_TOLERANCE, MARGIN * pose_tolerance), LARGEST_TOLERANCE)
    numbers = dependent.length  # written one by one in a third of the time
    numbers[0], numbers[1], numbers[2], numbers[3] = mechanism.length, tolerance, tolerance, 0.0


def without_matrices(nc: int) -> Dependence:
    """What `kernels.dependence` finds, for nc rows that another search decides."""
    many = dependence(0, 0)
    return many._replace(
        keep=np.ones(nc, dtype=np.int64),
        kept=np.arange(nc, dtype=np.int64),
        dropped=np.zeros(nc, dtype=np.int64),
        sizes=np.array((nc, 0), dtype=np.int64),
    )


@kernel
def find_dependent(tables: Tables, work: Work | ImplicitWork, dependent: Dependent) -> int:
    """Decide which rows are independent at the present pose. Returns how many rows changed sides,
    -1 if the rows are not finite."""
    if sort_rows(tables, work, dependent) < 0:
        return -1
    return count_changes(dependent)


@kernel
def sort_rows(tables: Tables, work: Work | ImplicitWork, dependent: Dependent) -> int:
    """Write to dependent.found which rows are independent at the present pose. Returns the rank, -1 if the rows are not
    finite."""
    if is_sparse(dependent.sparse):
        length = dependent.length
        return int(
            detect_sparsely(work.G, length[0], dependent.row_scale, length[1], dependent.found, dependent.sparse)
        )
    return int(find_densely(tables, work.G, dependent))


@kernel
def count_changes(dependent: Dependent) -> int:
    """How many rows changed sides since the last count."""
    found, changed = dependent.found, 0
    for k in range(dependent.before.shape[0]):
        if found.keep[k] != dependent.before[k]:
            changed += 1
            dependent.before[k] = found.keep[k]
    return changed


@kernel
def find_densely(tables: Tables, G: Floats, dependent: Dependent) -> int:
    """By elimination on G as a dense matrix. Returns the rank, -1 if the rows are not finite."""
    dense, found = dependent.G, dependent.found
    nb = tables.body.shape[0] - 1
    length = dependent.length[0]
    for k in range(dense.shape[0]):
        for c in range(dense.shape[1]):
            dense[k, c] = 0.0
        for side in range(2):
            b = tables.row_int[k, 1 + side]
            if b < nb:
                for c in range(3):
                    dense[k, 6 * b + c] += length * G[k, 6 * side + c]
                    dense[k, 6 * b + 3 + c] += G[k, 6 * side + 3 + c]
    rank = int(independent_rows(dense, dependent.row_scale, dependent.length[1], found))
    if rank >= 0:
        exchange(found)
    return rank


@kernel
def in_least_squares(dependent: Dependent, phi: Floats, y: Floats) -> None:
    """The right side of the kept rows for a solution in the least-squares sense, zero in dropped rows; y may be phi.

    Rows that are searched sparsely: the kept rows' own.
    """
    found = dependent.found
    if is_sparse(dependent.sparse):
        for k in range(y.shape[0]):
            y[k] = phi[k] if found.keep[k] == 1 else 0.0
    else:
        least_squares_rhs(found, phi, y)


@kernel
def of_least_norm(dependent: Dependent, lam: Floats) -> None:
    """Multipliers lam (nc,) become those of least norm with the same reactions."""
    if is_sparse(dependent.sparse):
        without_null(dependent.sparse, lam, lam)
    else:
        minimum_norm(dependent.found, lam, lam)


@kernel
def take_out_rows(matrix: Matrix, dependent: Dependent) -> None:
    """Put the unit equation 'this multiplier does not change' in the place of every dependent row."""
    found, values = dependent.found, matrix.values
    waste = values.shape[0] - 1
    for d in range(found.sizes[ND]):
        k = found.dropped[d]
        for side in range(2):
            for c in range(7):
                values[matrix.G_pos[k, side, c]] = 0.0
                values[matrix.GT_pos[k, side, c]] = 0.0
        values[matrix.drop_pos[k]] = 1.0
    values[waste] = 0.0


@kernel
def reduce_rows(work: ImplicitWork, first: int, dependent: Dependent, rhs: Floats) -> None:
    """The residual with the rows' part replaced by its least-squares equivalent."""
    residual = work.residual
    nc = dependent.row_scale.shape[0]
    for c in range(residual.shape[0]):
        rhs[c] = residual[c]
    in_least_squares(dependent, residual[first : first + nc], rhs[first : first + nc])


@kernel
def minimum_norm_multipliers(z: Floats, first: int, dependent: Dependent) -> None:
    """Give the multipliers the distribution of least norm among those with the same reactions."""
    nc = dependent.row_scale.shape[0]
    of_least_norm(dependent, z[first : first + nc])


@kernel
def expected(dependent: Dependent) -> bool:
    """Whether the problem has room for dependent rows."""
    return bool(dependent.before.shape[0] > 0)


@kernel
def is_dropped(dependent: Dependent, k: int) -> bool:
    """Whether row k depends on others and is taken out."""
    return expected(dependent) and dependent.found.keep[k] == 0


@kernel
def reduce_right_side(dependent: Dependent, eta: Floats, blend: bool, out: Floats) -> None:
    """The rows' right side with zeros in dropped rows.

    blend : let dropped rows weigh in, for a solution in the least-squares sense. That is right for corrections. For
        accelerations the kept rows decide alone: how rows depend on each other was found at the start of a step, and
        at a later stage their blend would be off by O(h), though the rows themselves agree.
    """
    if blend and expected(dependent):
        in_least_squares(dependent, eta, out)
    else:
        for k in range(eta.shape[0]):
            out[k] = 0.0 if is_dropped(dependent, k) else eta[k]


@kernel
def share_least(dependent: Dependent, work: Work) -> None:
    """Give work.lam the distribution of least norm among those with the same reactions.

    Only at states that can be a sample: nothing else reads the multipliers.
    """
    if expected(dependent) and work.request.first_stage[0] == 1 and work.request.level[0] == ACCELERATION_LEVEL:
        of_least_norm(dependent, work.lam)


@kernel
def find_dependent_adrift(tables: Tables, work: Work | ImplicitWork, dependent: Dependent, phi: Floats) -> int:
    """`find_dependent` at a pose that need not meet the rows."""
    ask_more(dependent, phi)
    return find_dependent(tables, work, dependent)


@kernel
def ask_more(dependent: Dependent, phi: Floats) -> None:
    """The further off a pose is, the more of a row must be its own.

    Where rows are redundant, they depend on each other only at poses that meet them all.
    """
    off = 0.0
    for k in range(phi.shape[0]):
        off = max(off, abs(phi[k]))
    dependent.length[1] = max(dependent.length[2], min(OFF_MARGIN * off / dependent.length[0], OFF_LARGEST))


@kernel
def share_densely(tables: Tables, work: Work, dependent: Dependent, phi: Floats) -> None:
    """Find dependent rows as `find_dependent_adrift` does, and give work.lam the distribution of least norm; of rows
    that are searched densely. What is compiled for these need not know the sparse search."""
    ask_more(dependent, phi)
    if find_densely(tables, work.G, dependent) >= 0:
        count_changes(dependent)
    minimum_norm(dependent.found, work.lam, work.lam)


@kernel
def share_sparsely(work: Work, dependent: Dependent, phi: Floats) -> None:
    """The same of rows that are searched sparsely."""
    ask_more(dependent, phi)
    length = dependent.length
    if detect_sparsely(work.G, length[0], dependent.row_scale, length[1], dependent.found, dependent.sparse) >= 0:
        count_changes(dependent)
    without_null(dependent.sparse, work.lam, work.lam)
