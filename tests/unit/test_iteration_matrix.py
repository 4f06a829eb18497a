"""The whole Newton matrix of rA, rp and re against the complex-step derivative of the residual it belongs to.

Nothing is compiled here: the residual kernels run on complex work arrays, unknown by unknown, and the matrix is
assembled by its own kernels on floats, scattered through the sparse structure as a run does it. The mechanism has
every kind of row (velocity-level ones included), loads in both axes, springs and torsion springs; the state is off
the solution and the multipliers are large, so that a wrong sign or a missing term shows.
"""

from __future__ import annotations

from importlib import import_module

import numpy as np
import pytest
from numpy.testing import assert_allclose
from oracles.complex_step import assert_matches, dense, derivative
from oracles.everything import everything

import linkwork as lw
from linkwork.equations.index_3.structure import build_kinematic_structure, build_structure
from linkwork.equations.index_3.variations import apply, vary_forces, vary_reactions
from linkwork.equations.index_3.work import Layout, new_work
from linkwork.problems.implicit import Q
from linkwork.problems.request import ACCELERATION_LEVEL, POSITION_LEVEL, VELOCITY_LEVEL

FORMULATIONS = {
    "rA": ("equations.index_3.rotation_matrix", "rotation_matrix"),
    "rp": ("formulations.absolute.euler_parameter_kernels", "euler_parameters"),
    "re": ("formulations.absolute.euler_angle_kernels", "euler_angles"),
}


class Case:
    """A formulation's kernels on the mechanism that has everything, at a state off the solution."""

    def __init__(self, name: str, seed: int, *, kinematic: bool = False, mechanism: object = None) -> None:
        kernels, space = FORMULATIONS[name]
        self.kernels = import_module(f"linkwork.{kernels}").KERNELS
        self.space = import_module(f"linkwork.spaces.{space}")
        self.mechanism = mechanism or everything(seed, position_rows_only=kinematic)
        self.tables = self.mechanism.tables
        m = self.mechanism
        self.layout = Layout(m.nb, m.nc, self.space.SIZE, self.space.NORMALISED, self.space.ALGEBRA)
        self.work = new_work(m, self.layout, self.space)
        self.rng = np.random.default_rng(seed + 100)

    def set_known_parts(self, h: float) -> None:
        """What the step has of rates before the unknowns are known."""
        self.work.step_star[:] = h * self.work.rate
        self.work.rate_star[:] = self.work.rate

    def at_level(self, level: float, c_v: float, c_q: float) -> None:
        request = self.work.request
        request.c_v[0], request.c_q[0], request.level[0], request.time[0], request.has_forces[0] = (
            c_v,
            c_q,
            level,
            0.37,
            1.0,
        )
        self.kernels.begin(self.tables, self.work)
        self.set_known_parts(c_v)
        self.work.z[:] = self.rng.normal(size=self.layout.total)
        self.work.z[self.layout.multipliers] *= 5.0

    def residual(self, work) -> np.ndarray:
        """As integrators/newton.py evaluates it."""
        self.kernels.set_state(self.tables, work)
        apply(self.tables, work)
        self.kernels.evaluate(self.tables, work)
        return work.residual.copy()

    def derivative(self, evaluate, columns: int) -> np.ndarray:
        """d(evaluate)/dz by complex steps."""
        return derivative(self.work, evaluate, columns)

    def matrix(self, structure) -> np.ndarray:
        """As integrators/newton.py forms it (full variant), dense."""
        matrix = structure.matrix
        matrix.blocks[:] = 0.0
        matrix.values[:] = np.nan  # whatever is not written again shows
        if self.work.request.level[0] == POSITION_LEVEL:
            vary_forces(self.tables, self.work, matrix)
            if matrix.flags[0] == 1:
                vary_reactions(self.tables, self.work, matrix)
        self.kernels.assemble(self.tables, self.work, matrix)
        return dense(structure)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", FORMULATIONS)
def test_the_full_matrix_is_the_exact_derivative_of_the_residual(name, seed):
    case = Case(name, seed)
    case.at_level(POSITION_LEVEL, 0.3, 0.09)
    wanted = case.derivative(case.residual, case.layout.total)
    case.residual(case.work)
    structure = build_structure(case.mechanism, case.layout, reaction_variation=True, droppable=False)
    assert_matches(case.matrix(structure), wanted)


@pytest.mark.parametrize("name", FORMULATIONS)
def test_it_is_exact_for_any_ratio_of_the_step_factors(name):
    """c_q need not be c_v squared: other implicit methods have other factors."""
    case = Case(name, 9)  # with 7, a torsion spring turns so far that its angle is in doubt, and its torque no number
    case.at_level(POSITION_LEVEL, 0.21, 0.13)
    wanted = case.derivative(case.residual, case.layout.total)
    case.residual(case.work)
    structure = build_structure(case.mechanism, case.layout, reaction_variation=True, droppable=True)
    assert_matches(case.matrix(structure), wanted)


@pytest.mark.parametrize("name", FORMULATIONS)
def test_without_reaction_variation_only_that_is_missing(name):
    """With zero multipliers both matrices are the same; with others they differ, and by O(h^2) only."""
    case = Case(name, 1)
    structures = [
        build_structure(case.mechanism, case.layout, reaction_variation=full, droppable=False) for full in (True, False)
    ]
    case.at_level(POSITION_LEVEL, 0.3, 0.09)
    case.residual(case.work)
    full, without = (case.matrix(s) for s in structures)
    assert np.abs(full - without).max() > 0.01
    bodies = slice(0, case.layout.multipliers.start)
    difference = (full - without).copy()
    difference[bodies, bodies] = 0.0
    assert not difference.any()
    case.work.z[case.layout.multipliers] = 0.0
    case.residual(case.work)
    full, without = (case.matrix(s) for s in structures)
    assert_allclose(full, without, rtol=0, atol=1e-14 * np.abs(full).max())


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", FORMULATIONS)
def test_the_matrix_of_the_accelerations_is_the_exact_derivative(name, seed):
    """The index-1 equations are linear in the unknowns: this matrix solves them in one step."""
    case = Case(name, seed)
    case.at_level(ACCELERATION_LEVEL, 0.0, 0.0)
    wanted = case.derivative(case.residual, case.layout.total)
    case.residual(case.work)
    structure = build_structure(case.mechanism, case.layout, reaction_variation=True, droppable=False)
    assert_matches(case.matrix(structure), wanted)


@pytest.mark.parametrize("level", [POSITION_LEVEL, VELOCITY_LEVEL, ACCELERATION_LEVEL])
@pytest.mark.parametrize("bordered", [False, True])
@pytest.mark.parametrize("name", FORMULATIONS)
def test_the_kinematic_matrix_is_the_exact_derivative_at_every_level(name, bordered, level):
    """phi_q serves positions, velocities and accelerations alike."""
    case = Case(name, 3, kinematic=True)
    case.at_level(level, 1.0 if level == VELOCITY_LEVEL else 0.0, 1.0 if level == POSITION_LEVEL else 0.0)
    layout = case.layout
    moving = layout.multipliers.start
    first = moving if bordered else 0
    equations = slice(first, first + layout.total - moving)
    case.work.request.first_row[0] = first
    case.set_known_parts(0.0)
    if level == VELOCITY_LEVEL:  # the unknowns are the rates themselves
        case.work.rate_star[:] = 0.0
    case.work.z[:moving] = 0.0 if level == POSITION_LEVEL else case.rng.normal(size=moving)

    def rows(work) -> np.ndarray:
        case.kernels.set_state(case.tables, work)
        if level != POSITION_LEVEL:
            work.request.level[0] = POSITION_LEVEL
            case.kernels.constrain(case.tables, work)  # fills G
            work.request.level[0] = level
        case.kernels.constrain(case.tables, work)
        return work.residual[equations].copy()

    wanted = case.derivative(rows, moving)
    rows(case.work)
    structure = build_kinematic_structure(case.mechanism, layout, bordered=bordered)
    case.kernels.assemble_kinematic(case.tables, case.work, structure.matrix)
    actual = dense(structure)
    if bordered:
        assert_matches(actual[moving:, :moving], wanted)
        assert_matches(actual[:moving, moving:], wanted.T)
        weights = np.ones(moving)  # of the least change: a typical length counts as much as 1 rad
        for c in range(3):
            weights[c :: layout.stride] = 1.0 / case.mechanism.length**2
        assert_allclose(actual[:moving, :moving], np.diag(weights), rtol=0, atol=0)
        assert not actual[moving:, moving:].any()
    else:
        assert actual.shape == (moving, moving)
        assert_matches(actual, wanted)


@pytest.mark.parametrize("name", FORMULATIONS)
def test_newton_converges_quadratically_with_the_full_matrix(name):
    """Over one large step of the spring-driven slider crank each correction is of the order of the last one's square.

    Without the variation of the reactions corrections shrink by a constant factor only.
    """
    from linkwork.run.starting import prepare

    mechanism = prepare(lw.load("spatial_slider_crank_spring"), dynamics=True).compiled
    corrections = {}
    for full in (True, False):
        case = Case(name, 0, mechanism=mechanism)
        h = 0.02
        case.at_level(POSITION_LEVEL, h, h * h)
        case.work.z[:] = 0.0  # no prediction at all
        case.residual(case.work)
        if name == "re":  # away from the singularity, as a run starts
            assert not any(case.space.needs_rebase(tuple(q)) for q in case.work.motion[:-1, Q : Q + 4])
        structure = build_structure(mechanism, case.layout, reaction_variation=full, droppable=False)
        moving = case.layout.multipliers.start
        sizes = []
        for _ in range(7):
            residual = case.residual(case.work)
            delta = np.linalg.solve(case.matrix(structure), residual)
            case.work.z[:] -= delta
            sizes.append(h * h * np.linalg.norm(delta[:moving]))
        corrections[full] = np.array(sizes)
    e = corrections[True]
    assert e[3] < 1e-13 + 10 * e[2] ** 2
    assert e[2] < 1e-13 + 10 * e[1] ** 2
    assert np.count_nonzero(e > 1e-11) <= 4
    assert np.count_nonzero(corrections[False] > 1e-11) > np.count_nonzero(e > 1e-11)
