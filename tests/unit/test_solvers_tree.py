"""Solving along a spanning tree: joint_rates, barycentric and cut_joint, against dense algebra and closed forms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mechanism_generator import _Builder
from numpy.testing import assert_allclose
from oracles.redundant import bricard, n_four_bar
from oracles.rows_naive import tilde
from unit.test_solvers import Solved, assert_near, gauss

import linkwork as lw
from linkwork.equations.index_1.set_state import set_state
from linkwork.equations.index_1.work import new_work
from linkwork.errors import UnsupportedElementError, UsageError
from linkwork.formulations.newton_euler.methods import BARYCENTRIC, CUT_JOINT, JOINT_RATES
from linkwork.kernels.dense_saddle import factor_saddle, saddle_factors, solve_saddle
from linkwork.problems.request import POSITION_LEVEL
from linkwork.solvers import augmented_bodies, choice
from linkwork.solvers.tree.joint import solve_joints
from linkwork.solvers.tree.parts import Tree
from linkwork.solvers.tree.reduced import form
from linkwork.status import Status
from linkwork.system import compile_mechanism

SOLVERS = ("joint_rates", "barycentric", "cut_joint", "null_space_graph")
FORMULATIONS = (JOINT_RATES, BARYCENTRIC, CUT_JOINT)
JOINTS = ("spherical", "universal", "revolute", "translational", "cylindrical", "planar", "fixed")


def solved(name: str, mechanism: lw.Mechanism, droppable: bool = False) -> Solved:
    made = compile_mechanism(mechanism.lower())
    return Solved(name, made, 0, droppable=droppable, group=np.zeros(made.nb, dtype=np.int64))


def large(seed: int) -> lw.Mechanism:
    """A tree of six to fifteen bodies with every kind of joint, loops, drivers and raw constraints closed over it."""
    builder = _Builder(seed)
    builder.tree(int(builder.rng.integers(6, 16)))
    for part, make, tries in (
        ("joints", builder.loop, 2),
        ("constraints", builder.raw, 1),
        ("drivers", builder.driver, 2),
    ):
        for _ in range(tries):
            builder.attempt(part, make())
    return lw.assemble(builder.mechanism()).mechanism


def against_dense(case: Solved, seed: int, within: float = 1e-10) -> None:
    M, J = case.dense()
    rng = np.random.default_rng(seed)
    f, eta = rng.normal(size=len(M)), J @ rng.normal(size=len(M))
    assert case.factorise() == Status.OK
    x, lam = case.solve(f.reshape(-1, 6), eta)
    wanted, multipliers = gauss(M, J, f, eta)
    assert_near(x, wanted, within)
    assert_near(lam, multipliers, within)
    assert_allclose(J @ x, eta, atol=1e-11 * max(1.0, np.abs(eta).max(initial=0.0)))


@pytest.mark.parametrize("name", SOLVERS)
@settings(max_examples=6)
@given(seed=st.integers(0, 2**31))
def test_larger_mechanisms_agree_with_dense_algebra(name: str, seed: int) -> None:
    against_dense(solved(name, large(seed), droppable=True), seed)


def held(kind: str, driven: bool = False, floating: bool = False) -> lw.Mechanism:
    """Three bodies in a row, the joint in question twice, at a pose without symmetries."""
    m = lw.Mechanism(kind)
    for k in range(3):
        m.body(
            f"b{k}", mass=1.0 + k, inertia=[0.1, 0.2, 0.25], position=(k + 0.5, 0.1 * k, -0.2 * k),
            rotation={"axis": (1, k, 2), "angle": 0.4 + k}, angular_velocity=(0, 0, 0),
        )  # fmt: skip
    if not floating:
        m.joint("base", "revolute", "ground", "b0", point=(0, 0, 0), axis=(0, 1, 1))
    for k in (1, 2):
        place: dict[str, Any] = {"point": (k, 0, 0.1)}
        if kind != "spherical":
            place["axis"] = (1, 1, k)
        if kind == "universal":
            place["axis2"] = (1, -1, 0)
        m.joint(f"j{k}", kind, f"b{k - 1}", f"b{k}", **place)
    if driven:
        m.driver("motor", "base", "0.3*sin(2*t)", coordinate="angle")
    return m


@pytest.mark.parametrize("name", SOLVERS)
@pytest.mark.parametrize("kind", JOINTS)
def test_every_joint_on_a_driven_base_and_floating(name: str, kind: str) -> None:
    """A base that moves as prescribed [Mufti 1983, Remark 3] is a base with a driver."""
    for mechanism in (held(kind, driven=True), held(kind, floating=True)):
        against_dense(solved(name, mechanism), 3)


@pytest.mark.parametrize("name", SOLVERS)
@pytest.mark.parametrize("make", [bricard, lambda: n_four_bar(2)], ids=["bricard", "A02"])
def test_redundant_loops(name: str, make: Any) -> None:
    """Rows of tree joints are among those that depend on others; A02 with bars without inertia about their lines."""
    case = solved(name, make(), droppable=True)
    assert case.found.sizes[1] > 0
    M, J = case.dense()
    assert case.factorise() == Status.OK
    rng = np.random.default_rng(1)
    f, eta = rng.normal(size=len(M)), J @ rng.normal(size=len(M))
    x, lam = case.solve(f.reshape(-1, 6), eta)
    assert_near(J @ x, eta)
    assert_near(M @ x + J.T @ lam, f)
    least = np.linalg.lstsq(J.T, J.T @ lam, rcond=1e-10)[0]
    assert_near(lam, least)
    strict = solved(name, make())
    assert strict.factorise() == Status.SINGULAR
    row = int(strict.problem.solver.report[1])
    others = np.delete(J, row, axis=0)
    assert np.linalg.norm(J[row] - np.linalg.lstsq(others.T, J[row], rcond=1e-12)[0] @ others) < 1e-9


@pytest.mark.parametrize("name", SOLVERS)
def test_projections_of_contradicting_rows_are_least_squares(name: str) -> None:
    case = solved(name, bricard(), droppable=True)
    M, J = case.dense()
    eta = 1e-3 * np.random.default_rng(1).normal(size=len(J))
    case.work.request.level[0] = POSITION_LEVEL
    assert case.factorise() == Status.OK
    x, _ = case.solve(np.zeros((len(M) // 6, 6)), eta)
    wanted, _ = gauss(M, J, np.zeros(len(M)), J @ np.linalg.lstsq(J, eta, rcond=1e-10)[0])
    assert_near(x / 1e-3, wanted / 1e-3, 1e-9)


@pytest.mark.parametrize("name", SOLVERS)
def test_bodies_without_inertia(name: str) -> None:
    """What joints or rows hold runs (the four link of Kissel 2021); what turns freely is singular."""
    mechanism = lw.assemble(lw.load("kissel2021_four_link")).mechanism
    case = solved(name, mechanism, droppable=True)
    M, J = case.dense()
    assert case.factorise() == Status.OK
    rng = np.random.default_rng(0)
    f, eta = rng.normal(size=len(M)), J @ rng.normal(size=len(M))
    x, lam = case.solve(f.reshape(-1, 6), eta)
    scale = float(np.linalg.norm(f)) + float(np.linalg.norm(J.T @ lam))
    assert np.linalg.norm(J @ x - eta) < 1e-9 * max(1.0, float(np.linalg.norm(eta)))
    assert np.linalg.norm(M @ x + J.T @ lam - f) < 1e-9 * scale
    m = lw.Mechanism("needle")
    m.body("needle", mass=1.0, inertia=[0.1, 0.1, 0.0])
    m.joint("pin", "spherical", "ground", "needle", point=(0, 0, 0))
    assert solved(name, m).factorise() == Status.SINGULAR


def balls(grounded: bool) -> lw.Mechanism:
    """A branched tree of ball joints in a general pose."""
    rng = np.random.default_rng(4)
    m = lw.Mechanism("balls")
    for k, parent in enumerate(["ground" if grounded else None, "b0", "b1", "b0", "b3", "b3"]):
        a, b = rng.uniform(0.1, 0.3, 2)
        turned = {"axis": rng.normal(size=3).tolist(), "angle": 1.0}
        place, mass = rng.normal(size=3).tolist(), float(rng.uniform(1, 3))
        m.body(f"b{k}", mass=mass, inertia=[a, b, 0.8 * (a + b)], position=place, rotation=turned)
        if parent:
            m.joint(f"j{k}", "spherical", parent, f"b{k}", point=rng.normal(size=3).tolist())
    return m


def reduced(name: str, mechanism: lw.Mechanism) -> tuple[Solved, Tree, np.ndarray]:
    """The matrix before it is factored, by the kernels as plain Python."""
    case = solved(name, mechanism)
    tree, space, factors = case.problem.solver.records
    assert solve_joints(case.tables, case.work, case.problem.dependence, tree) == Status.OK
    form(case.tables, case.work, tree, space, factors)
    size = int(tree.sizes.sum())
    upper = np.triu(factors.values[: size * size].reshape(size, size))
    return case, tree, upper + np.triu(upper, 1).T


@pytest.mark.parametrize("grounded", [False, True], ids=["floating", "grounded"])
def test_K_is_that_of_augmented_bodies_about_their_barycentres(grounded: bool) -> None:
    """[Mufti 1983, eqs. 30, 31, 35; with S in place of C where the base is held]."""
    mechanism = balls(grounded)
    case, tree, K = reduced("barycentric", mechanism)
    n, lowered = 6, case.mechanism.lowered
    if not grounded:  # the base's translation comes first; what it leaves is K
        assert_allclose(K[:3, :3], sum(b.mass for b in lowered.bodies) * np.eye(3), atol=1e-12)
        K = K[3:, 3:] - K[3:, :3] @ np.linalg.solve(K[:3, :3], K[:3, 3:])
    r, A = case.mechanism.r[:n], case.mechanism.A[:n].reshape(n, 3, 3)
    mass = np.array([b.mass for b in lowered.bodies])
    hinge = {k: np.array(mechanism.joints[k - (0 if grounded else 1)].point) for k in range(0 if grounded else 1, n)}
    parent = [-1, 0, 1, 0, 3, 3]
    path = [[k] for k in range(n)]  # bodies from k to the base
    for k in range(n):
        while parent[path[k][-1]] >= 0:
            path[k].append(parent[path[k][-1]])

    def towards(i: int, k: int) -> np.ndarray:
        """From C_i to the hinge behind which body k lies."""
        below = [b for b in path[k] if parent[b] == i]
        return (hinge[below[0]] if i in path[k] else hinge[i]) - r[i]

    d = np.zeros((n, n, 3))
    for i in range(n):
        if grounded:
            for k in (k for k in range(n) if i in path[k]):
                d[i, k] = (towards(i, k) if k != i else 0.0) - (hinge[i] - r[i])
        else:
            to = np.array([towards(i, k) if k != i else np.zeros(3) for k in range(n)])
            d[i] = to - mass @ to / mass.sum()
    for i in range(n):
        for j in range(n):
            wanted = -sum(mass[k] * tilde(d[i, k]) @ tilde(d[j, k]) for k in range(n))
            if not grounded and i != j:
                assert_allclose(wanted, mass.sum() * tilde(d[i, j]) @ tilde(d[j, i]), atol=1e-12)
            wanted = A[i].T @ wanted @ A[j] + (lowered.bodies[i].inertia if i == j else 0.0)
            label_i, label_j = tree.label[i], tree.label[j]
            shift = 0 if grounded else 3
            columns = [
                [
                    tree.unknown[k, e] - shift
                    for e in range(6 - tree.taken_count[k])
                    if tree.component[k, tree.taken_count[k] + e] < 3
                ]
                for k in (label_i, label_j)
            ]
            assert_allclose(K[np.ix_(*columns)], wanted, atol=1e-12)


class Closed:
    """A mechanism's system by the closed form, plain Python, with right sides at random."""

    def __init__(self, mechanism: lw.Mechanism, root: str | None = None, seed: int = 0) -> None:
        made = compile_mechanism(mechanism.lower())
        self.work = new_work(made, np.zeros(made.nb, dtype=np.int64))
        assert set_state(made.tables, self.work) == Status.OK
        self.space, self.factors = augmented_bodies.new_arrays(made, None, False, 1, root=root)
        self.M, J = np.zeros((6 * made.nb, 6 * made.nb)), np.zeros((made.nc, 6 * (made.nb + 1)))
        for b, body in enumerate(made.lowered.bodies):
            self.M[6 * b : 6 * b + 3, 6 * b : 6 * b + 3] = body.inertia
            self.M[6 * b + 3 : 6 * b + 6, 6 * b + 3 : 6 * b + 6] = body.mass * np.eye(3)
        for k in range(made.nc):
            for side in range(2):
                b = made.tables.row_int[k, 1 + side]
                J[k, 6 * b : 6 * b + 6] += self.work.J[k, 6 * side : 6 * side + 6]
        self.J, rng = J[:, : 6 * made.nb], np.random.default_rng(seed)
        self.f, self.eta = rng.normal(size=6 * made.nb), self.J @ rng.normal(size=6 * made.nb)
        self.work.f[:-1], self.work.eta[:] = self.f.reshape(-1, 6), self.eta
        assert augmented_bodies.factorise(made.tables, self.work, self.space, self.factors) == Status.OK
        assert augmented_bodies.solve(made.tables, self.work, self.space, self.factors) == Status.OK


@pytest.mark.parametrize("root", [None, "b3", "b5"])
@pytest.mark.parametrize("grounded", [False, True], ids=["floating", "grounded"])
def test_barycentres_in_closed_form_solve_the_whole_system(grounded: bool, root: str | None) -> None:
    """[Mufti 1983, eqs. 28-38]: accelerations and all multipliers, from any root; a second floating tree beside."""
    mechanism = balls(grounded)
    if not grounded:
        mechanism.body("alone", mass=2.0, inertia=[0.3, 0.4, 0.5], position=(5, 0, 0))
    case = Closed(mechanism, None if grounded else root)
    x, lam = gauss(case.M, case.J, case.f, case.eta)
    assert_near(case.work.x[:-1].ravel(), x)
    assert_near(case.work.lam, lam)


@pytest.mark.parametrize("kind", ["spherical", "universal", "revolute"])
def test_rotational_rows_keep_their_multipliers_beside_K(kind: str) -> None:
    """[Mufti 1983, eq. 51]"""
    case = Closed(held(kind))
    assert len(case.space.kept_rows) == {"spherical": 2, "universal": 4, "revolute": 6}[kind]
    x, lam = gauss(case.M, case.J, case.f, case.eta)
    assert_near(case.work.x[:-1].ravel(), x)
    assert_near(case.work.lam, lam)


def test_barycentres_of_augmented_bodies_have_no_mean() -> None:
    """d_ik weighed by mass sums up to nothing over all bodies of a floating tree [eq. 26]; K_ij = m d~_ij d~_ji."""
    case = Closed(balls(False))
    n, space = len(case.space.body), case.space
    d = space.d.reshape(n, n, 3)
    mass = np.array([case.M[6 * b + 3, 6 * b + 3] for b in space.body])
    assert_allclose(np.einsum("k,ikc->ic", mass, d), 0.0, atol=1e-13)
    for i in range(n):
        for j in range(n):
            if i != j:
                wanted = -sum(mass[k] * tilde(d[i, k]) @ tilde(d[j, k]) for k in range(n))
                assert_allclose(mass.sum() * tilde(d[i, j]) @ tilde(d[j, i]), wanted, atol=1e-12)


def test_the_closed_form_says_what_it_does_not_hold_for() -> None:
    for mechanism, what in (
        (held("translational"), "holds no point"),
        (lw.load("planar_four_bar"), "closes a loop"),
        (lw.load("kissel2021_four_link"), "no inertia about an axis"),
    ):
        compiled = compile_mechanism(mechanism.lower())
        with pytest.raises(UnsupportedElementError, match=what) as error:
            BARYCENTRIC.with_options(form="closed").build(compiled)
        assert "28 to 38" in str(error.value)
        assert BARYCENTRIC.build(compiled, droppable=True).solver.name == "barycentric"
    tree = compile_mechanism(balls(True).lower())
    assert BARYCENTRIC.build(tree).solver.name == "augmented_bodies"
    assert BARYCENTRIC.settings(tree, "explicit")["form"] == "closed"
    assert BARYCENTRIC.with_options(form="reduced").build(tree).solver.name == "barycentric"
    assert BARYCENTRIC.with_options(rebuild=True).build(tree).solver.name == "barycentric"
    assert BARYCENTRIC.with_options(rebuild=True).settings(tree, "explicit")["form"] == "reduced"
    with pytest.raises(UsageError, match="reduced"):
        BARYCENTRIC.with_options(form="open").build(tree)
    with pytest.raises(UsageError, match="rebuilt"):
        BARYCENTRIC.with_options(form="closed", rebuild=True).build(tree)


def test_both_forms_run_alike() -> None:
    one, other = (
        lw.simulate(balls(False), 0.05, 1e-3, "barycentric", "rk4", options={"form": form})
        for form in ("closed", "reduced")
    )
    assert (one.info["form"], other.info["form"]) == ("closed", "reduced")
    for name in ("position", "rotation", "velocity", "multiplier"):
        assert_allclose(one[name], other[name], atol=1e-10 * max(1.0, np.abs(other[name]).max()))


def test_what_is_taken_and_what_is_left() -> None:
    m = held("revolute")
    m.joint("close", "spherical", "b2", "ground", point=(3, 0, 0))
    for name, unknowns, rows in (("joint_rates", 3, 3), ("barycentric", 9, 9), ("cut_joint", 3, 3)):
        case = solved(name, m)
        case.factorise()
        tree = case.problem.solver.records[0]
        assert tuple(tree.sizes) == (unknowns, rows)


def test_roots() -> None:
    mechanism = compile_mechanism(balls(False).lower())
    for root in range(6):
        problem = CUT_JOINT.with_options(root=f"b{root}").build(mechanism)
        tree = problem.solver.records[0]
        assert tree.body[0] == root
    with pytest.raises(UsageError, match="b9"):
        CUT_JOINT.with_options(root="b9").build(mechanism)
    with pytest.raises(UnsupportedElementError):
        choice.new_solver(mechanism, np.ones(6, dtype=np.int64), False, 1, "cut_joint")


@pytest.mark.parametrize(("n", "m"), [(1, 0), (5, 0), (7, 3), (20, 11)])
def test_dense_saddle_points(n: int, m: int) -> None:
    rng = np.random.default_rng(n)
    half, H = rng.normal(size=(n, n)), rng.normal(size=(m, n))
    K = half @ half.T + np.eye(n)
    whole = np.block([[K, H.T], [H, np.zeros((m, m))]])
    factors, report, z = saddle_factors(n + m), np.zeros(2), rng.normal(size=n + m)
    wanted = np.linalg.solve(whole, z)
    factors.values[:] = whole.ravel()
    factors.reference[n:] = 1.0
    assert factor_saddle(factors, n + m, n, 1e-12, report) == Status.OK
    solve_saddle(factors, n + m, z)
    assert_allclose(z, wanted, rtol=1e-9, atol=1e-9)
    if m:
        whole[n + m - 1, :n] = whole[:n, n + m - 1] = H[0]  # the last row again the first
        factors.values[:] = whole.ravel()
        assert factor_saddle(factors, n + m, n, 1e-12, report) == Status.SINGULAR
        assert report[1] == n + m - 1
    K[0] = K[:, 0] = 0.0
    factors.values[: n * n] = K.ravel()
    assert factor_saddle(factors, n, n, 1e-12, report) == Status.SINGULAR


@pytest.mark.parametrize("formulation", FORMULATIONS, ids=lambda f: f.name)
def test_a_short_run_keeps_its_energy(formulation: Any) -> None:
    result = lw.simulate(lw.load("muller2013_three_bar"), 0.2, 1e-3, formulation.name, "rk4")
    assert np.ptp(result.energy) < 1e-6 * np.abs(result["kinetic_energy"]).max()
    assert np.abs(result["position_violation"]).max() < 1e-7


def test_rebuilt_positions_of_ball_joints_do_not_drift() -> None:
    """Of a tree; a step's order is not touched [Mufti 1983, text after eq. 14]."""
    mechanism = balls(True)
    plain, rebuilt = (
        lw.simulate(mechanism, 1.0, 5e-3, "cut-joint", "rk4", options={"rebuild": on}) for on in (False, True)
    )
    assert np.abs(rebuilt["position_violation"]).max() < 1e-13 < np.abs(plain["position_violation"]).max()
    ends = [np.concatenate([run.position(b)[-1] for b in run.bodies]) for run in (plain, rebuilt)]
    assert_allclose(ends[0], ends[1], atol=1e-5)
    with pytest.raises(UsageError, match="rebuild"):
        lw.simulate(mechanism, 0.1, 5e-3, "cut-joint", "rk4", options={"rebuild": 1})
