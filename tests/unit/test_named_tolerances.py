"""One test on each side of the tolerances by which explicit problems decide: what is singular, dependent, unique, near
enough to the constraints, or stalled. Limits stand here as numbers, so that a change of one is noticed. Kernels run as
plain Python."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from unit.vector_space import motion_request, numbers

from linkwork.integrators import fixed_point
from linkwork.integrators.evaluation import Run
from linkwork.integrators.limit_stencil import LimitStencil
from linkwork.integrators.projection import project
from linkwork.kernels import dense_saddle, dependence
from linkwork.kernels.dense_qr import factor_rows, row_factors
from linkwork.kernels.sparse import factor as lu
from linkwork.kernels.sparse.refactor import refactor
from linkwork.kernels.sparse_lu import factors, pattern
from linkwork.problems import dependent
from linkwork.problems.implicit import PHI
from linkwork.problems.request import POSITION_LEVEL
from linkwork.run.uniqueness import touched
from linkwork.solvers import null_space, singularity_threshold
from linkwork.status import Status

BESIDE = 1.3  # how far beside a limit the two sides are
SIDES = (BESIDE, 1.0 / BESIDE)


def sparse(A: Any) -> tuple[Any, Any]:
    """Pattern and values of a full matrix."""
    rows, cols = np.indices(np.shape(A))
    made, where = pattern(rows.ravel(), cols.ravel(), len(A))
    values = np.zeros(len(made.indices) + 1)
    values[where] = np.ravel(A)
    return made, values


@pytest.mark.parametrize("beside", SIDES)
def test_sparse_lu_calls_a_pivot_none_below_its_tolerance(beside: float) -> None:
    left = beside * 1e-12
    made, values = sparse([[1.0, 1.0], [1.0, 1.0 + left]])
    assert (lu.factor(made, values, factors(made)) == Status.OK) == (beside > 1.0)


@pytest.mark.parametrize("beside", SIDES)
def test_sparse_lu_gives_old_pivots_up_beyond_the_multiplier_limit(beside: float) -> None:
    made, values = sparse([[1.0, 0.5], [0.5, 1.0]])
    space = factors(made)
    assert lu.factor(made, values, space) == Status.OK
    other = sparse([[0.5 / (beside * 1e3), 0.5], [0.5, 1.0]])[1]
    assert (refactor(made, other, space) == Status.OK) == (beside < 1.0)


@pytest.mark.parametrize("beside", SIDES)
def test_a_freedom_has_inertia_above_rounding(beside: float) -> None:
    space, report = dense_saddle.saddle_factors(2), np.zeros(2)
    space.values[:] = [1.0, 1.0, 0.0, 1.0 + beside * 1e-14]
    left = space.values[3] - 1.0  # as rounding leaves it
    found = dense_saddle.factor_saddle(space, 2, 2, 0.0, report)
    assert (found == Status.OK) == (left > 1e-14 * (1.0 + left))
    assert (found == Status.OK) == (beside > 1.0)


@pytest.mark.parametrize("beside", SIDES)
def test_a_row_depends_on_others_below_the_share_that_must_be_its_own(beside: float) -> None:
    G = np.array([[1.0, 0.0], [1.0, beside * 1e-9]])
    found = dependence.dependence(2, 2)
    rank = dependence.independent_rows(G, np.zeros(2), dependence.TOLERANCE, found)
    assert rank == (2 if beside > 1.0 else 1)


@pytest.mark.parametrize(("pose", "wanted"), [(0.0, 1e-7), (1e-9, 1e-6), (1e-3, 1e-4)])
def test_rows_are_judged_by_how_well_poses_are_met(pose: float, wanted: float) -> None:
    """Between the least and the largest tolerance, a thousand times how well."""
    mechanism = SimpleNamespace(nc=0, nb=0, length=1.0)
    room = dependent.new_dependence(mechanism, False, pose)  # type: ignore[arg-type]
    assert room.length[1] == room.length[2] == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize(("off", "wanted"), [(0.0, 1e-7), (1e-7, 1e-5), (1.0, 1e-3)])
def test_rows_are_judged_more_strictly_off_the_constraints(off: float, wanted: float) -> None:
    room = SimpleNamespace(length=np.array([1.0, 1e-7, 1e-7, 0.0]))
    dependent.ask_more(room, np.array([off]))
    assert room.length[1] == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("beside", SIDES)
def test_a_reaction_is_not_unique_above_its_share_in_a_combination(beside: float) -> None:
    assert touched(np.array([[1.0, 0.0, beside * 1e-6]])) == ([0, 2] if beside > 1.0 else [0])


@pytest.mark.parametrize("beside", SIDES)
def test_a_multiplier_is_unique_up_to_the_share_without_effect(beside: float) -> None:
    """Rows (1, s) / |..| of one unknown: the multipliers (-s, 1) have no effect."""
    s = np.sqrt(beside * 1e-9)
    arrays = split_rows(np.array([[1.0], [s]]))
    assert null_space.rows_not_unique(arrays) == ([0, 1] if beside > 1.0 else [1])


def split_rows(rows: Any) -> tuple[Any, ...]:
    """A null-space solver's arrays for rows that depend on each other, as its factorisation leaves them."""
    m = len(rows)
    space = null_space.NullSpace(*(np.zeros(1) for _ in null_space.NullSpace._fields))
    space = space._replace(row_scale=np.ones(m), sizes=np.array([0, 1, 1, 1, 0]))
    second = row_factors(1, m)
    second.A[0] = rows[:, 0]
    factor_rows(second, 1, m, np.ones(m, dtype=np.int64), 0.0, 1)
    return space, row_factors(m, 1), second, None


def placed(off: float, *, length: float = 1.0, level: Any = None) -> Any:
    """A work space with one row that is off by so much."""
    row, request = np.zeros((1, 6)), motion_request()
    row[0, PHI] = off
    if level is not None:
        request.level[0] = level
    return SimpleNamespace(row=row, request=request, length=np.full(1, length))


@pytest.mark.parametrize(("off", "wanted"), [(0.0, 3.2e-6), (1e-7, 1e-5), (1.0, 1e-4)])
def test_rank_is_trusted_by_how_far_off_a_stage_is(off: float, wanted: float) -> None:
    assert singularity_threshold.independence_threshold(placed(off)) == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("beside", SIDES)
def test_a_weak_row_is_weak_below_its_share(beside: float) -> None:
    work = placed(0.0)
    work.request.level[0] = POSITION_LEVEL
    share = beside * 3.2e-6
    assert singularity_threshold.lu_below_threshold(work, share, np.ones(1)) == (beside < 1.0)


class Pulled:
    """Entries of a problem whose corrections have the sizes that are given, one after the other."""

    def __init__(self, run: Any, sizes: list[float]) -> None:
        self.run, self.sizes, self.factored, self.solved = run, list(sizes), 0, 0

    def set_state(self, context: Any) -> int:
        return 0

    def factorise(self, context: Any) -> int:
        self.factored += 1
        return 0

    def solve(self, context: Any) -> int:
        self.solved += 1
        return 0

    def retract(self, context: Any) -> int:
        self.run.psi[0] = self.sizes.pop(0)
        return 0

    def accept_step(self, context: Any) -> int:
        return 0


def projected(sizes: list[float]) -> Pulled:
    run = SimpleNamespace(
        request=motion_request(), psi=np.zeros(1), weight=np.ones(1), **numbers(Run),
    )  # fmt: skip
    entries = Pulled(run, sizes)
    assert project(entries, None, run, 0.0) == Status.OK
    return entries


@pytest.mark.parametrize("beside", SIDES)
def test_positions_are_projected_until_a_correction_is_small(beside: float) -> None:
    """Below SMALL it leaves an error of its square: then come velocities, with one more correction."""
    found = projected([1e-3, beside * 1e-8, 0.0, 0.0])
    assert found.solved == (4 if beside > 1.0 else 3)


@pytest.mark.parametrize("beside", SIDES)
def test_factors_serve_again_after_a_small_correction(beside: float) -> None:
    assert projected([beside * 1e-7, 0.0, 0.0]).factored == (2 if beside > 1.0 else 1)


def test_positions_are_corrected_no_more_than_so_often() -> None:
    assert projected([1.0] * 9).solved == 9


class Noisy:
    """A slope whose rounding is as large as is said: the residual never becomes smaller."""

    def __init__(self, size: float) -> None:
        self.size, self.turn, self.run = size, 0, None

    def set_state(self, context: Any) -> int:
        return 0

    apply = factorise = solve = accept_step = set_state

    def rhs(self, context: Any) -> int:
        self.turn += 1
        self.run.psi_rate[:] = 2.0 * self.run.psi + 2.0 * self.size * (-1.0) ** self.turn
        return 0


@pytest.mark.parametrize("beside", SIDES)
def test_a_fixed_point_that_stalls_is_found_below_the_size_of_rounding(beside: float) -> None:
    entries = Noisy(beside * 1e-11)
    run = SimpleNamespace(
        psi=np.zeros(2), psi_rate=np.zeros(2), size=np.ones(2), weight=np.ones(2), request=motion_request(),
        stencil=SimpleNamespace(**numbers(LimitStencil)), **numbers(Run),
    )  # fmt: skip
    entries.run = run
    own = fixed_point.new_solver(2, 0, 1e-15, 40)
    status = fixed_point.solve_for(entries, None, run, own, 0.0, 1.0, 0, 2)
    assert status == (Status.OK if beside < 1.0 else Status.ITERATION_DIVERGED)
