"""The linear equations of a problem: its matrix factored, its residual solved for, dependent rows taken care of.

These are entries of every problem: integrators and analyses call them through `context` and know nothing of
sparse factors.
"""

from __future__ import annotations

from linkwork.kernels.jit import kernel
from linkwork.kernels.records import new_record
from linkwork.kernels.sparse.pattern import Factors, Pattern
from linkwork.kernels.sparse_lu import factor, refactor, solve
from linkwork.problems.context import DEPENDENT, FACTORS, LINEAR, MATRIX, PATTERN, TABLES, WORK
from linkwork.problems.dependent import Dependent, find_dependent, minimum_norm_multipliers, reduce_rows, take_out_rows
from linkwork.problems.entry import entry
from linkwork.problems.implicit import Linear, Matrix, Work
from linkwork.status import Status
from linkwork.system.packed import Tables

OK = int(Status.OK)
PIVOT_THRESHOLD = 0.1


def new_linear(size: int, droppable: bool, first_row: int) -> Linear:
    """Arrays for `size` unknowns."""
    linear = new_record(Linear, N=size)
    linear.droppable[0], linear.first_row[0] = droppable, first_row
    return linear


@kernel
def detect_redundant_rows(tables: Tables, work: Work, dependent: Dependent) -> int:
    """Decide which rows are independent at the pose last evaluated; returns how many changed sides."""
    return find_dependent(tables, work, dependent)


@kernel
def factorise(matrix: Matrix, pattern: Pattern, factors: Factors, dependent: Dependent, linear: Linear) -> int:
    """Factor the assembled matrix, with fresh pivots where the old ones fail. Returns a Status."""
    if linear.droppable[0] == 1:
        take_out_rows(matrix, dependent)
    if refactor(pattern, matrix.values, factors) == OK:
        return OK
    return factor(pattern, matrix.values, factors, PIVOT_THRESHOLD)


@kernel
def solve_residual(work: Work, factors: Factors, dependent: Dependent, linear: Linear) -> int:
    """delta with matrix delta = residual, in the least-squares sense for dependent rows."""
    if linear.droppable[0] == 1:
        reduce_rows(work, linear.first_row[0], dependent, linear.rhs)
        solve(factors, linear.rhs, linear.delta)
    else:
        solve(factors, work.residual, linear.delta)
    return OK


@kernel
def share_multipliers(work: Work, dependent: Dependent, linear: Linear) -> int:
    """Give the multipliers among the unknowns the distribution of least norm."""
    minimum_norm_multipliers(work.z, linear.first_row[0], dependent)
    return OK


FACTORISE = entry(factorise, MATRIX, PATTERN, FACTORS, DEPENDENT, LINEAR)
SOLVE = entry(solve_residual, WORK, FACTORS, DEPENDENT, LINEAR)
DETECT_REDUNDANT_ROWS = entry(detect_redundant_rows, TABLES, WORK, DEPENDENT)
MINIMUM_NORM_MULTIPLIERS = entry(share_multipliers, WORK, DEPENDENT, LINEAR)
