"""All solvers of M x + J^T lambda = f, J x = eta, compiled, against dense algebra: right sides at random.

Rows between every pair of bodies, redundant ones, groups at random; then what only one of the solvers can do.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mechanism_generator import random_mechanism
from numpy.testing import assert_allclose
from oracles.calling import caller
from oracles.redundant import bricard, n_four_bar

import linkwork as lw
from linkwork.equations.index_1.problem import index_1_problem
from linkwork.problems.request import ACCELERATION_LEVEL, POSITION_LEVEL
from linkwork.solvers import choice
from linkwork.status import Status
from linkwork.system import compile_mechanism

SOLVERS = ("range_space", "range_space_dense", "augmented")
WITHIN = 1e-10  # relative, norm-wise


class Solved:
    """A mechanism's system with right sides of its own, solved by one of the solvers."""

    def __init__(self, name: str, mechanism: Any, seed: int, *, droppable: bool, group: Any = None) -> None:
        rng = np.random.default_rng(seed)
        self.mechanism, self.tables = mechanism, mechanism.tables
        group = rng.integers(0, 2, mechanism.nb) if group is None else group
        solver = choice.new_solver(mechanism, group, droppable, 1, name)
        self.problem = index_1_problem(mechanism, group, solver, droppable=droppable, pose_tolerance=0.0)
        assert self.problem.solver.name == name
        self.work, self.found = self.problem.work, self.problem.dependence.found
        assert self.call("set_state") == Status.OK
        assert self.call("detect_redundant_rows") >= 0

    def call(self, entry: str) -> int:
        return int(caller()(getattr(self.problem, entry), self.problem.context))

    def factorise(self) -> Status:
        return Status(self.call("factorise"))

    def solve(self, f: Any, eta: Any) -> tuple[np.ndarray, np.ndarray]:
        self.work.f[:-1], self.work.eta[:] = f, eta
        self.call("solve")
        return self.work.x[:-1].ravel().copy(), self.work.lam.copy()

    def dense(self) -> tuple[np.ndarray, np.ndarray]:
        """M and J."""
        nb, nc = self.mechanism.nb, self.mechanism.nc
        M, J = np.zeros((6 * nb, 6 * nb)), np.zeros((nc, 6 * (nb + 1)))
        for b, body in enumerate(self.mechanism.lowered.bodies):
            M[6 * b : 6 * b + 3, 6 * b : 6 * b + 3] = body.inertia
            M[6 * b + 3 : 6 * b + 6, 6 * b + 3 : 6 * b + 6] = body.mass * np.eye(3)
        for k in range(nc):
            for side in range(2):
                b = self.tables.row_int[k, 1 + side]
                J[k, 6 * b : 6 * b + 6] += self.work.J[k, 6 * side : 6 * side + 6]
        return M, J[:, : 6 * nb]


def gauss(M: Any, J: Any, f: Any, eta: Any) -> tuple[np.ndarray, np.ndarray]:
    """x with the least (x - M^-1 f)^T M (x - M^-1 f) of those nearest to J x = eta; the least multipliers."""
    root = np.linalg.inv(np.linalg.cholesky(M).T)
    free = np.linalg.solve(M, f)
    x = free + root @ np.linalg.lstsq(J @ root, eta - J @ free, rcond=1e-10)[0]
    return x, np.linalg.lstsq(J.T, f - M @ x, rcond=1e-10)[0]


def assert_near(found: Any, wanted: Any, within: float = WITHIN) -> None:
    assert np.linalg.norm(found - wanted) < within * max(1.0, float(np.linalg.norm(wanted)))


@pytest.mark.parametrize("name", SOLVERS)
@settings(max_examples=30)
@given(seed=st.integers(0, 2**31))
def test_a_solver_finds_what_dense_algebra_finds(name: str, seed: int) -> None:
    """Right sides that fit the rows (redundant ones agree), as accelerations have them."""
    mechanism = compile_mechanism(random_mechanism(seed).lower())
    case = Solved(name, mechanism, seed, droppable=True)
    M, J = case.dense()
    rng = np.random.default_rng(seed)
    f, eta = rng.normal(size=6 * mechanism.nb), J @ rng.normal(size=6 * mechanism.nb)
    assert case.factorise() == Status.OK
    x, lam = case.solve(f.reshape(-1, 6), eta)
    x_wanted, lam_wanted = gauss(M, J, f, eta)
    assert_near(x, x_wanted)
    assert_near(lam, lam_wanted)
    assert_allclose(J @ x, eta, atol=1e-11 * max(1.0, np.abs(eta).max()))


@pytest.mark.parametrize("name", SOLVERS)
@pytest.mark.parametrize("make", [bricard, lambda: n_four_bar(2)], ids=["bricard", "A02"])
def test_corrections_meet_contradicting_rows_in_the_least_squares_sense(name: str, make: Any) -> None:
    """Redundant rows that are off by different amounts: positions to be projected have such right sides."""
    m = make()
    for body in m.bodies:  # A02's bars have no inertia about their lines
        m.change(body.name, inertia=[0.02, 0.08, 0.09])
    mechanism = compile_mechanism(m.lower())
    case = Solved(name, mechanism, 3, droppable=True)
    assert case.found.sizes[1] > 0
    M, J = case.dense()
    eta = 1e-3 * np.random.default_rng(1).normal(size=mechanism.nc)
    case.work.request.level[0] = POSITION_LEVEL
    assert case.factorise() == Status.OK
    x, _ = case.solve(np.zeros((mechanism.nb, 6)), eta)
    # of all x, those with J x nearest to eta; of these, the least in the kinetic metric
    nearest = np.linalg.lstsq(J, eta, rcond=1e-10)[0]
    wanted, _ = gauss(M, J, np.zeros(len(x)), J @ nearest)
    assert_near(x / 1e-3, wanted / 1e-3, 1e-9)
    case.work.request.level[0] = ACCELERATION_LEVEL  # where the kept rows decide alone
    x, _ = case.solve(np.zeros((mechanism.nb, 6)), eta)
    kept = case.found.keep == 1
    assert_allclose(J[kept] @ x, eta[kept], atol=1e-13)
    assert np.abs(J[~kept] @ x - eta[~kept]).max() > 1e-5


@pytest.mark.parametrize("name", SOLVERS)
def test_dependent_rows_are_singular_where_they_are_not_expected(name: str) -> None:
    """At planar mechanisms and loops of hinges alike; the range space says which row is to blame."""
    for make in (bricard, lambda: lw.load("planar_four_bar")):
        m = make()
        mechanism = compile_mechanism(lw.assemble(m).mechanism.lower())
        case = Solved(name, mechanism, 0, droppable=False)
        assert case.factorise() in (Status.SINGULAR, Status.NOT_FINITE)
        if name != "augmented":
            row = int(case.problem.solver.report[1])
            _, J = case.dense()
            others = np.delete(J, row, axis=0)
            rest = J[row] - np.linalg.lstsq(others.T, J[row], rcond=1e-12)[0] @ others
            assert np.linalg.norm(rest) < 1e-9, "a row that others imply"


@pytest.mark.parametrize("name", SOLVERS)
def test_very_unlike_bodies_share_a_chain(name: str) -> None:
    """Masses from 1e-4 to 1e3 kg one on another: the residuals of the rows stay at rounding."""
    m = lw.Mechanism("chain")
    masses = (1e3, 1e-4, 10.0, 1e-2, 1.0)
    for k, mass in enumerate(masses):
        size = mass * 0.01
        m.body(f"b{k}", mass=mass, inertia=[size, 2 * size, 2.5 * size], position=(k + 0.5, 0, 0))
        m.joint(f"j{k}", "revolute" if k % 2 else "spherical", f"b{k - 1}" if k else "ground", f"b{k}", point=(k, 0, 0),
                **({"axis": (0, 1, 0)} if k % 2 else {}))  # fmt: skip
    mechanism = compile_mechanism(m.lower())
    case = Solved(name, mechanism, 1, droppable=False, group=np.array([1, 0, 1, 0, 1]))
    M, J = case.dense()
    rng = np.random.default_rng(0)
    accelerations = rng.normal(size=len(M))
    f, eta = M @ rng.normal(size=len(M)) + J.T @ rng.normal(size=len(J)), J @ accelerations
    assert case.factorise() == Status.OK
    x, lam = case.solve(f.reshape(-1, 6), eta)
    assert_allclose(J @ x, eta, atol=1e-12)
    assert_near(M @ x + J.T @ lam, f, 1e-12)


def test_bodies_without_inertia_about_an_axis_get_the_augmented_solver() -> None:
    """As the four-link mechanism of Kissel 2021 has them: joints hold the axis, the system is regular."""
    mechanism = compile_mechanism(lw.load("kissel2021_four_link").lower())
    assert not choice.invertible(mechanism)
    assert choice.new_solver(mechanism, np.zeros(mechanism.nb, int), False, 1).name == "augmented"
    regular = compile_mechanism(lw.load("muller2013_three_bar").lower())
    assert choice.invertible(regular)
    assert choice.new_solver(regular, np.zeros(2, int), False, 1).name == "range_space"


def test_a_free_body_without_inertia_about_an_axis_is_singular() -> None:
    m = lw.Mechanism("needle")
    m.body("needle", mass=1.0, inertia=[0.1, 0.1, 0.0])
    m.joint("pin", "spherical", "ground", "needle", point=(0, 0, 0))
    case = Solved("augmented", compile_mechanism(m.lower()), 0, droppable=False)
    assert case.factorise() == Status.SINGULAR


@pytest.mark.parametrize(
    ("mass", "inertia", "has"),
    [
        (1.0, (0.1, 0.1, 0.1), True),
        (1.0, (0.1, 0.1, 1e-6), True),
        (1.0, (0.1, 0.1, 1e-13), False),
        (1.0, (0.1, 0.1, 0.0), False),
        (1.0, (0.0, 0.0, 0.0), False),
        (0.0, (0.1, 0.1, 0.1), False),
        (1e-9, (1e-12, 1e-12, 1e-12), True),
    ],
)
def test_which_bodies_have_an_inverse_inertia(mass: float, inertia: tuple[float, ...], has: bool) -> None:
    bodies = SimpleNamespace(mass=np.array([mass, 0.0]), inertia=np.array([np.diag(inertia), np.zeros((3, 3))]))
    assert choice.invertible(SimpleNamespace(system=SimpleNamespace(bodies=bodies))) is has  # type: ignore[arg-type]


def test_no_rows_at_all_are_no_trouble() -> None:
    m = lw.Mechanism("free")
    m.body("a", mass=2.0, inertia=[0.1, 0.2, 0.25])
    for name in SOLVERS:
        case = Solved(name, compile_mechanism(m.lower()), 0, droppable=False)
        assert case.factorise() == Status.OK
        x, lam = case.solve(np.arange(6.0)[None], np.zeros(0))
        assert_allclose(x, np.arange(6.0) / [0.1, 0.2, 0.25, 2.0, 2.0, 2.0], rtol=1e-14)
        assert lam.shape == (0,)


@pytest.mark.parametrize("seed", range(3))
def test_prices_of_penalty_are_its_factor_over_what_moves_in_a_row(seed: int) -> None:
    """D_k (J M^-1 J^T)_kk, moments and masses alike; one solve leaves 1 / factor of the multipliers, passes take it."""
    solved = Solved("penalty", compile_mechanism(random_mechanism(seed).lower()), seed, droppable=False)
    assert solved.factorise() == Status.OK
    M, J = solved.dense()
    moved = np.einsum("kb,kb->k", J, np.linalg.solve(M, J.T).T)
    (space,) = (one for one in solved.problem.solver.records if hasattr(one, "D"))
    assert_allclose(space.D * moved, 1e6, rtol=1e-12)
    rng = np.random.default_rng(seed)
    f, eta = rng.normal(size=(solved.mechanism.nb, 6)), rng.normal(size=solved.mechanism.nc)
    x, _ = solved.solve(f, eta)
    passed = np.abs(J @ x - eta).max()
    space.most_solves[0] = 1
    x, _ = solved.solve(f, eta)
    assert passed < 1e-9 < 1e-2 * np.abs(J @ x - eta).max()
