"""The null-space solver: dense kernels as plain Python beside NumPy, each basis compiled beside dense algebra, runs.

Random matrices of less than full rank, random mechanisms with redundant rows, loops of hinges.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mechanism_generator import random_mechanism
from mechanism_generator_couplings import mechanism_with_couplings
from numpy.testing import assert_allclose
from oracles.calling import caller
from oracles.redundant import BRICARD_PATH, bricard, n_four_bar

import linkwork as lw
from linkwork.equations.index_1.problem import index_1_problem
from linkwork.errors import UsageError
from linkwork.kernels import dense_lu, dense_qr, jacobi_svd
from linkwork.problems.request import ACCELERATION_LEVEL, POSITION_LEVEL
from linkwork.solvers.choice import new_solver
from linkwork.solvers.null_space import rows_not_unique, smallest_trusted
from linkwork.status import Status
from linkwork.system import compile_mechanism

BASES = ("qr", "svd", "partition")
matrices = st.tuples(st.integers(0, 2**31), st.integers(1, 9), st.integers(1, 12), st.integers(0, 9))


def deficient(seed: int, m: int, n: int, rank: int) -> tuple[np.ndarray, int]:
    """A random m x n matrix of at most this rank, with scattered zeros where that leaves the rank alone."""
    rng = np.random.default_rng(seed)
    rank = min(rank, m, n)
    A = rng.normal(size=(m, rank)) @ rng.normal(size=(rank, n))
    A[:, : rng.integers(0, n)] = 0.0  # rows begin and end somewhere
    return A, int(np.linalg.matrix_rank(A, 1e-9))


@settings(max_examples=60, deadline=None)
@given(case=matrices)
def test_rows_are_split_into_a_triangle_and_an_orthogonal_matrix(case: tuple[int, int, int, int]) -> None:
    A, rank = deficient(*case)
    m, n = A.shape
    f = dense_qr.row_factors(m, n)
    f.A[:] = A
    assert dense_qr.factor_rows(f, m, n, np.ones(m, dtype=int), 1e-9, -1) == rank
    L = np.array([[dense_qr.lower(f, rank, j, i) for i in range(rank)] for j in range(m)]).reshape(m, rank)
    Q = np.eye(n)
    for k in range(n):
        column = Q[:, k].copy()
        dense_qr.apply_Q(f, rank, column)
        Q[:, k] = column
    assert_allclose(L @ Q[:, :rank].T, A[f.order], atol=1e-12)
    assert_allclose(Q.T @ Q, np.eye(n), atol=1e-13)
    assert sorted(f.order) == list(range(m))
    w = np.random.default_rng(case[0]).normal(size=n)
    turned = w.copy()
    dense_qr.apply_Q_transposed(f, rank, turned)
    assert_allclose(turned, Q.T @ w, atol=1e-12)
    c = L[:rank] @ np.arange(1.0, rank + 1.0)
    dense_qr.solve_lower(f, rank, c)
    assert_allclose(c, np.arange(1.0, rank + 1.0), rtol=1e-6)
    c = L[:rank].T @ np.arange(1.0, rank + 1.0)
    dense_qr.solve_upper(f, rank, c)
    assert_allclose(c, np.arange(1.0, rank + 1.0), rtol=1e-6)


def test_rows_may_be_excluded_or_kept_in_their_order() -> None:
    A, _ = deficient(3, 5, 6, 5)
    A[:, :2] = np.random.default_rng(0).normal(size=(5, 2))
    f = dense_qr.row_factors(5, 6)
    f.A[:] = A
    assert dense_qr.factor_rows(f, 5, 6, np.array([1, 0, 1, 0, 1]), 1e-9, -1) == 3
    assert sorted(f.order[:3]) == [0, 2, 4]
    f.A[:], f.order[:] = A, [4, 1, 0, 2, 3]
    assert dense_qr.factor_rows(f, 5, 6, np.ones(5, dtype=int), 1e-9, 2) == 2
    assert f.order.tolist() == [4, 1, 0, 2, 3]
    assert abs(f.diagonal[0]) == pytest.approx(np.linalg.norm(A[4]), rel=1e-13)
    f.A[2, 3] = np.nan
    assert dense_qr.factor_rows(f, 5, 6, np.ones(5, dtype=int), 1e-9, -1) == -1


@settings(max_examples=40, deadline=None)
@given(case=matrices)
def test_singular_values_are_those_of_numpy(case: tuple[int, int, int, int]) -> None:
    A, _ = deficient(*case)
    n, m = A.shape
    G, V, squares, place = A.copy(), np.zeros((n, n)), np.zeros(n), np.zeros(n, dtype=int)
    assert jacobi_svd.orthogonalise(G, V, squares, place, n, m) >= 0
    values = np.zeros(n)
    found = np.linalg.svd(A, compute_uv=False)
    values[: len(found)] = found
    assert_allclose(np.sqrt(squares[place]), values, atol=1e-12 * max(1.0, values.max()))
    assert_allclose(V @ A, G, atol=1e-12)
    assert_allclose(V @ V.T, np.eye(n), atol=1e-13)
    gram = G @ G.T
    assert np.abs(gram - np.diag(np.diag(gram))).max() < 1e-11 * max(1.0, np.diag(gram).max())


@settings(max_examples=60, deadline=None)
@given(case=matrices)
def test_rows_are_split_into_two_triangles(case: tuple[int, int, int, int]) -> None:
    A, rank = deficient(*case)
    m, n = A.shape
    F, order, columns, pivots = A.copy(), np.zeros(m, dtype=int), np.zeros(n, dtype=int), np.zeros(m)
    taken = np.ones(m, dtype=int)
    assert dense_lu.factor_complete(F, order, columns, pivots, taken, 1e-9, -1) == rank
    P = F[np.ix_(order, columns)]
    L, U = np.tril(P, -1)[:, :rank] + np.eye(m, rank), np.triu(P)[:rank]
    assert_allclose(L @ U, A[np.ix_(order, columns)], atol=1e-12)
    assert_allclose(pivots[:rank], np.diag(U)[:rank], rtol=1e-14)
    assert np.abs(np.tril(P, -1)[:, :rank]).max(initial=0.0) <= 1.0, "pivots are the largest entries left"
    again, kept = A.copy(), order.copy()
    assert dense_lu.factor_complete(again, order, columns, pivots, taken, 1e-9, rank) == rank
    assert order.tolist() == kept.tolist()
    assert_allclose(again, F)


class Solved:
    """A mechanism's system with right sides of its own, solved with one of the bases."""

    def __init__(self, mechanism: Any, basis: str, *, droppable: bool = False) -> None:
        group = np.zeros(mechanism.nb, dtype=np.int64)
        solver = new_solver(mechanism, group, droppable, 1, "null_space", basis=basis)
        self.problem = index_1_problem(mechanism, group, solver, droppable=droppable, pose_tolerance=0.0)
        self.mechanism, self.work = mechanism, self.problem.work
        assert self.call("set_state") == Status.OK
        assert self.call("detect_redundant_rows") >= 0

    def call(self, entry: str) -> int:
        return int(caller()(getattr(self.problem, entry), self.problem.context))

    def solve(self, f: Any, eta: Any) -> tuple[np.ndarray, np.ndarray]:
        assert self.call("factorise") == Status.OK
        self.work.f[:-1], self.work.eta[:] = f.reshape(-1, 6), eta
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
                b = self.mechanism.tables.row_int[k, 1 + side]
                J[k, 6 * b : 6 * b + 6] += self.work.J[k, 6 * side : 6 * side + 6]
        return M, J[:, : 6 * nb]


def gauss(M: Any, J: Any, f: Any, eta: Any) -> tuple[np.ndarray, np.ndarray]:
    """By the SVD of J alone: no inverse of M is needed. Nearest to eta, of least multipliers."""
    _, s, Vt = np.linalg.svd(J)
    rank = int(np.sum(s > 1e-9))
    Z = Vt[rank:].T
    x = np.linalg.lstsq(J, eta, rcond=1e-10)[0]
    x = x + Z @ np.linalg.solve(Z.T @ M @ Z, Z.T @ (f - M @ x))
    return x, np.linalg.lstsq(J.T, f - M @ x, rcond=1e-10)[0]


def assert_near(found: Any, wanted: Any, within: float = 1e-10) -> None:
    assert np.linalg.norm(found - wanted) < within * max(1.0, float(np.linalg.norm(wanted)))


@pytest.mark.parametrize("droppable", [False, True])
@pytest.mark.parametrize("basis", BASES)
@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 2**31))
def test_every_basis_finds_what_dense_algebra_finds(basis: str, droppable: bool, seed: int) -> None:
    """Redundant rows are found inside, or by the problem if it looks for them."""
    mechanism = compile_mechanism(random_mechanism(seed).lower())
    case = Solved(mechanism, basis, droppable=droppable)
    M, J = case.dense()
    rng = np.random.default_rng(seed)
    f, eta = rng.normal(size=len(M)), J @ rng.normal(size=len(M))
    x, lam = case.solve(f, eta)
    x_wanted, lam_wanted = gauss(M, J, f, eta)
    assert_near(x, x_wanted)
    assert_near(lam, lam_wanted)
    assert_allclose(J @ x, eta, atol=1e-11 * max(1.0, np.abs(eta).max(initial=0.0)))


@pytest.mark.parametrize("basis", BASES)
@pytest.mark.parametrize("model", ["bricard", "A02"])
def test_redundant_loops_and_bodies_without_inertia_about_an_axis(basis: str, model: str) -> None:
    """Right sides that contradict each other are met in the least-squares sense where positions are corrected."""
    mechanism = compile_mechanism({"bricard": bricard, "A02": lambda: n_four_bar(2)}[model]().lower())
    case = Solved(mechanism, basis)
    M, J = case.dense()
    rng = np.random.default_rng(1)
    eta = 1e-3 * rng.normal(size=len(J))
    case.work.request.level[0] = POSITION_LEVEL
    x, _ = case.solve(np.zeros(len(M)), eta)
    assert_near(x / 1e-3, gauss(M, J, np.zeros(len(M)), eta)[0] / 1e-3, 1e-9)
    case.work.request.level[0] = ACCELERATION_LEVEL
    f, eta = rng.normal(size=len(M)), J @ rng.normal(size=len(M))
    x, lam = case.solve(f, eta)
    for found, wanted in zip((x, lam), gauss(M, J, f, eta), strict=True):
        assert_near(found, wanted, 1e-9)


@pytest.mark.parametrize("basis", BASES)
def test_it_says_which_multipliers_are_not_unique(basis: str) -> None:
    mechanism = compile_mechanism(n_four_bar(2).lower())
    case = Solved(mechanism, basis)
    assert rows_not_unique(case.problem.solver.records) == []
    assert case.call("factorise") == Status.OK
    _, J = case.dense()
    _, s, Vt = np.linalg.svd(J.T)
    idle = Vt[int(np.sum(s > 1e-9)) :]  # multipliers without effect
    wanted = np.nonzero(np.abs(idle).max(axis=0) > 1e-6)[0]
    assert 0 < len(wanted) < len(J)
    assert rows_not_unique(case.problem.solver.records) == wanted.tolist()
    tree = Solved(compile_mechanism(lw.load("muller2013_heavy_top").lower()), basis)
    assert tree.call("factorise") == Status.OK
    assert rows_not_unique(tree.problem.solver.records) == []


def test_a_free_body_without_inertia_about_an_axis_is_singular() -> None:
    m = lw.Mechanism("needle")
    m.body("needle", mass=1.0, inertia=[0.1, 0.1, 0.0])
    m.joint("pin", "spherical", "ground", "needle", point=(0, 0, 0))
    for basis in BASES:
        assert Solved(compile_mechanism(m.lower()), basis).call("factorise") == Status.SINGULAR


@pytest.mark.parametrize("basis", BASES)
def test_very_unlike_bodies_share_a_chain(basis: str) -> None:
    """Masses from 1e-4 to 1e3 kg one on another: the residuals stay at rounding, and no rank is lost."""
    m = lw.Mechanism("chain")
    for k, mass in enumerate((1e3, 1e-4, 10.0, 1e-2, 1.0)):
        size = mass * 0.01
        m.body(f"b{k}", mass=mass, inertia=[size, 2 * size, 2.5 * size], position=(k + 0.5, 0, 0))
        m.joint(f"j{k}", "spherical", f"b{k - 1}" if k else "ground", f"b{k}", point=(k, 0, 0))
    case = Solved(compile_mechanism(m.lower()), basis)
    M, J = case.dense()
    rng = np.random.default_rng(0)
    f, eta = M @ rng.normal(size=len(M)) + J.T @ rng.normal(size=len(J)), J @ rng.normal(size=len(M))
    x, lam = case.solve(f, eta)
    assert_allclose(J @ x, eta, atol=1e-12)
    assert_near(M @ x + J.T @ lam, f, 1e-12)


def test_singular_positions_are_passed_without_stabilisation() -> None:
    """Bars in line twice a swing: accelerations close by are not trusted, and a step is taken on fewer rows."""
    result = lw.simulate(n_four_bar(2), 1.0, 4e-3, "null-space", "rk4")
    assert np.ptp(result.energy) < 1e-3
    assert any("lose rank" in message for message in result.messages)


def test_a_basis_that_does_not_exist_is_refused() -> None:
    with pytest.raises(UsageError, match="basis"):
        Solved(compile_mechanism(bricard().lower()), "graham")


@pytest.mark.parametrize("basis", BASES)
def test_bricard_moves_as_published(basis: str) -> None:
    result = lw.simulate(
        bricard(), 0.5, 5e-3, "null-space", "rk4", stabilisation="projection", options={"basis": basis}
    )
    assert np.ptp(result.energy) < 1e-7
    end = result.position("bar 2")[-1] - result.rotation("bar 2")[-1] @ np.array([0.0, 0.0, 0.5])
    assert_allclose(end, BRICARD_PATH[0.5], atol=2e-6)


@pytest.mark.parametrize("basis", BASES)
def test_a_planar_four_bar_with_spatial_hinges_runs(basis: str) -> None:
    """Along with the augmented system, which has dependent rows taken out beforehand."""
    runs = [
        lw.simulate(n_four_bar(1), 0.5, 2e-3, name, "rk4", stabilisation="projection", options=options)
        for name, options in (("null-space", {"basis": basis}), ("augmented", {}))
    ]
    assert np.ptp(runs[0].energy) < 1e-6
    for body in runs[0].bodies:
        assert_allclose(runs[0].position(body), runs[1].position(body), atol=1e-9)


def test_a_pivot_that_falls_slowly_from_the_start_is_no_rank_loss() -> None:
    """The smallest singular value falls from 1.8e-3 to 9e-4: an independent row was left out, 6 mm came of it."""
    mech = mechanism_with_couplings(5060)
    runs = [
        lw.simulate(mech, 1.0, 0.1, "null-space", "dop853", rtol=1e-9, accept_changes=True, basis=basis)
        for basis in ("qr", "svd")
    ]
    np.testing.assert_allclose(runs[0]["position"], runs[1]["position"], atol=1e-7)
    assert runs[1].messages == runs[0].messages
    assert smallest_trusted(np.array([2e-3])) == pytest.approx(2e-4)
    assert smallest_trusted(np.array([0.5])) == 1e-3
