"""The range-space way with S = J M^-1 J^T as a dense matrix, for comparison with the sparse one (`range_space`)."""

from __future__ import annotations

from typing import Any

from linkwork.kernels.dense_ldl import DenseFactors, clear_dense, factor_dense, solve_dense
from linkwork.kernels.jit import kernel
from linkwork.problems.dependent import share_least
from linkwork.solvers import range_space
from linkwork.solvers.range_space import OK, PASSES, RangeSpace, add_multipliers, admit, form, right_side, unconstrained
from linkwork.solvers.singularity_threshold import check_pivot, pivot_threshold
from linkwork.system import CompiledMechanism

__all__ = ["admit", "factorise", "new_arrays", "solve"]


def new_arrays(mechanism: CompiledMechanism, group: Any, droppable: bool, room: int) -> tuple[Any, ...]:
    """Records of the solver: RangeSpace, DenseFactors."""
    return range_space.new_arrays(mechanism, group, droppable, room, dense=True)


@kernel
def factorise(tables: Any, work: Any, dependent: Any, space: RangeSpace, factors: DenseFactors) -> int:
    """Form S at the state that is set and factor it; returns a Status."""
    clear_dense(factors)
    form(tables, work, dependent, space, factors.values)
    status = int(factor_dense(factors, pivot_threshold(work, space.first)))
    return check_pivot(work, status, factors.report[0], space.first)


@kernel
def solve(tables: Any, work: Any, dependent: Any, space: RangeSpace, factors: DenseFactors) -> int:
    """x and lambda, in the least-squares sense and of minimum norm for dependent rows."""
    unconstrained(work, dependent, space)
    for _ in range(PASSES):
        right_side(tables, work, dependent, space)
        solve_dense(factors, space.rhs, space.rhs)
        add_multipliers(tables, work, space)
    share_least(dependent, work)
    return OK
