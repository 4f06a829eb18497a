"""The implicit problem on groups: its whole Newton matrix against complex steps, its relation to rA's, its start.

Nothing is compiled here (but for the last tests): kernels run as plain Python, at states off the solution and with
large multipliers, so that a wrong sign or a missing term shows.
"""

from __future__ import annotations

import numpy as np
import pytest
from mechanism_generator import random_mechanism
from numpy.testing import assert_allclose
from oracles.complex_step import assert_matches, dense, derivative
from oracles.everything import everything

from linkwork.equations.index_3 import rotation_matrix as rA
from linkwork.equations.index_3.structure import build_structure
from linkwork.equations.index_3.variations import apply, vary_forces, vary_reactions
from linkwork.equations.index_3.work import Layout
from linkwork.formulations.lie.implicit import iteration_matrix as on_groups
from linkwork.formulations.lie.implicit import set_state as motion
from linkwork.formulations.lie.implicit.maps import MAPS
from linkwork.formulations.lie.implicit.problem import build_implicit, work_on
from linkwork.formulations.rA import FORMULATION
from linkwork.integrators.implicit_euler import IMPLICIT_EULER
from linkwork.problems.implicit import ACC, ALPHA, A, R, V, W
from linkwork.problems.request import ACCELERATION_LEVEL, POSITION_LEVEL
from linkwork.run.starting import started
from linkwork.system import compile_mechanism

SEEDS = range(4)


class Case:
    """The kernels on one mechanism, with some bodies on SE(3) and some on SO(3) x R^3."""

    def __init__(self, mechanism, group, seed: int) -> None:
        self.mechanism, self.tables = mechanism, mechanism.tables
        self.group = np.append(group, 0)
        self.layout = Layout(mechanism.nb, mechanism.nc, 3, False, algebra=True)
        self.work = work_on(mechanism, self.layout, self.group)
        self.rng = np.random.default_rng(seed)

    def at_level(self, level: float, c_v: float, c_q: float) -> None:
        work, request = self.work, self.work.request
        request.c_v[0], request.c_q[0], request.level[0], request.time[0], request.has_forces[0] = (
            c_v,
            c_q,
            level,
            0.37,
            1.0,
        )
        motion.begin(self.tables, work)
        spread = self.rng.normal(size=len(work.rate)) * (c_q > 0.0)
        work.step_star[:] = c_v * work.rate + 0.1 * spread
        work.rate_star[:] = work.rate
        work.z[:] = self.rng.normal(size=self.layout.total)
        work.z[self.layout.multipliers] *= 5.0

    def residual(self, work) -> np.ndarray:
        """As integrators/newton.py evaluates it."""
        motion.set_state(self.tables, work, self.group)
        apply(self.tables, work)
        motion.evaluate(self.tables, work, self.group)
        return work.residual.copy()

    def structure(self, *, full: bool = True, droppable: bool = False):
        return build_structure(
            self.mechanism, self.layout, reaction_variation=full, droppable=droppable,
            twisted=[bool(g) for g in self.group[:-1]], tangent=MAPS,
        )  # fmt: skip

    def matrix(self, structure) -> np.ndarray:
        """As integrators/newton.py forms it, dense."""
        matrix = structure.matrix
        matrix.blocks[:] = 0.0
        matrix.values[:] = np.nan  # whatever is not written again shows
        if self.work.request.level[0] == POSITION_LEVEL:
            vary_forces(self.tables, self.work, matrix)
            if matrix.flags[0] == 1:
                vary_reactions(self.tables, self.work, matrix)
        on_groups.assemble(self.tables, self.work, matrix, self.group)
        return dense(structure)


def random_case(seed: int) -> Case:
    mechanism = compile_mechanism(random_mechanism(seed).lower())
    return Case(mechanism, np.random.default_rng(seed).integers(0, 2, mechanism.nb), seed)


def everything_case(seed: int) -> Case:
    mechanism = everything(seed)
    groups = np.array([[1, 1, 1], [0, 1, 0], [1, 0, 1], [0, 0, 1]])[seed % 4]
    return Case(mechanism, groups, seed)


@pytest.mark.parametrize("make", [random_case, everything_case])
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("factors", [(0.3, 0.09), (0.21, 0.13)], ids=["Euler's", "others"])
def test_the_full_matrix_is_the_exact_derivative_of_the_residual(make, seed, factors):
    case = make(seed)
    case.at_level(POSITION_LEVEL, *factors)
    wanted = derivative(case.work, case.residual, case.layout.total)
    case.residual(case.work)
    assert_matches(case.matrix(case.structure(droppable=seed % 2 == 0)), wanted)


@pytest.mark.parametrize("make", [random_case, everything_case])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_matrix_of_the_accelerations_is_the_exact_derivative(make, seed):
    case = make(seed)
    case.at_level(ACCELERATION_LEVEL, 0.0, 0.0)
    wanted = derivative(case.work, case.residual, case.layout.total)
    case.residual(case.work)
    assert_matches(case.matrix(case.structure()), wanted)


@pytest.mark.parametrize("make", [random_case, everything_case])
def test_without_reaction_variation_only_that_is_missing(make):
    case = make(5)
    case.at_level(POSITION_LEVEL, 0.3, 0.09)
    case.work.z[case.layout.multipliers] = 0.0
    case.residual(case.work)
    full, without = (case.matrix(case.structure(full=full)) for full in (True, False))
    assert_allclose(without, full, rtol=0, atol=1e-14 * np.abs(full).max())


@pytest.mark.parametrize("level", [POSITION_LEVEL, ACCELERATION_LEVEL])
def test_on_the_product_group_residual_and_matrix_are_those_of_rA(level):
    """The same unknowns and equations, by other kernels."""
    case = Case(everything(2), np.zeros(3, dtype=np.int64), 2)
    case.at_level(level, *((0.3, 0.09) if level == POSITION_LEVEL else (0.0, 0.0)))
    residual = case.residual(case.work)
    matrix = case.matrix(case.structure())
    apply(case.tables, case.work)
    rA.KERNELS.evaluate(case.tables, case.work)
    assert_allclose(case.work.residual, residual, rtol=1e-15, atol=0)
    structure = build_structure(case.mechanism, case.layout, reaction_variation=True, droppable=False)
    structure.matrix.blocks[:] = 0.0
    if level == POSITION_LEVEL:
        vary_forces(case.tables, case.work, structure.matrix)
        vary_reactions(case.tables, case.work, structure.matrix)
    rA.KERNELS.assemble(case.tables, case.work, structure.matrix)
    assert_allclose(matrix, dense(structure), rtol=1e-14, atol=1e-13)


@pytest.mark.parametrize("seed", SEEDS)
def test_velocities_and_accelerations_are_the_derivatives_of_poses(seed):
    """Along z(t) = z + t^2/2 and its like: poses placed at three times differ as the recorded rates say."""
    case = everything_case(seed)
    work, nb = case.work, case.layout.nb
    motion.begin(case.tables, work)
    v, x = work.rate.copy(), case.rng.normal(size=case.layout.coordinates)
    h = 1e-4
    poses = []
    for t in (-h, 0.0, h):
        work.request.c_v[0] = work.request.c_q[0] = 0.0
        work.step_star[:], work.rate_star[:] = t * v + t * t / 2 * x, v + t * x
        work.z[: len(x)] = x
        motion.set_state(case.tables, work, case.group)
        poses.append(work.motion[:nb].copy())
    before, now, after = poses
    assert_allclose((after - before)[:, R : R + 3] / (2 * h), now[:, V : V + 3], atol=1e-6)
    second = (after - 2 * now + before)[:, R : R + 3] / h**2
    assert_allclose(second, now[:, ACC : ACC + 3], atol=1e-5)
    for b in range(nb):
        start, end = (pose[b, A : A + 9].reshape(3, 3) for pose in (before, after))
        turned = start.T @ end
        axis = np.array([turned[2, 1] - turned[1, 2], turned[0, 2] - turned[2, 0], turned[1, 0] - turned[0, 1]]) / 2
        assert_allclose(axis / (2 * h), now[b, W : W + 3], atol=1e-5)
    assert_allclose(now[:, ALPHA : ALPHA + 3].ravel(), np.concatenate([x[6 * b + 3 : 6 * b + 6] for b in range(nb)]))


@pytest.mark.parametrize("seed", range(8))
def test_runs_start_with_the_accelerations_and_multipliers_of_rA(seed):
    """Compiled, through the index-1 equations in each problem's own unknowns; redundant mechanisms among them."""
    compiled = compile_mechanism(random_mechanism(seed).lower())
    groups = np.maximum(np.random.default_rng(seed).integers(0, 2, compiled.nb), np.arange(compiled.nb) == 0)

    def new(build):
        return lambda c, droppable: IMPLICIT_EULER.new_run(build(c, droppable=droppable), step=1e-3, t_end=1.0)

    wanted = started(compiled, new(FORMULATION.build)).sample()
    found = started(compiled, new(lambda c, droppable: build_implicit(c, groups, droppable=droppable))).sample()
    for name in ("motion", "multiplier"):
        assert_allclose(found[name], wanted[name], rtol=0, atol=1e-9 * max(1.0, np.abs(wanted[name]).max(initial=0)))
