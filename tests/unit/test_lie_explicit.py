"""The index-1 system of the Lie-group formulations, kernel by kernel, uncompiled [Müller 2013, eqs. 3, 36-42].

Every body is given a group at random. The system that `place` and `apply` write is solved by dense algebra and compared
with Newton-Euler equations that know no groups; rates of increments are compared with complex steps of the motion.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mechanism_generator import random_mechanism
from numpy.testing import assert_allclose
from oracles import newton_euler_dense
from oracles.everything import everything

import linkwork as lw
from linkwork.equations.index_1 import accept_step as ending
from linkwork.equations.index_1 import set_state as placing
from linkwork.equations.index_1.forces import apply
from linkwork.equations.index_1.rhs import retract, rhs
from linkwork.equations.index_1.work import initialise_state, new_work, weights
from linkwork.equations.time import unwrap_angles
from linkwork.errors import UsageError
from linkwork.formulations.lie.groups import automatic, chosen, in_words
from linkwork.kernels.mat33 import IDENTITY
from linkwork.kernels.rows.table import evaluate_rows, rows_nu
from linkwork.mechanism.joints import JOINTS
from linkwork.mechanism.rotation import turn
from linkwork.problems.explicit import A_0, ACC, ALPHA, R_0, TWIST_0, A, R, V, W
from linkwork.problems.implicit import GAMMA, NU, PHI
from linkwork.problems.request import ACCELERATION_LEVEL, POSITION_LEVEL, VELOCITY_LEVEL
from linkwork.status import Status
from linkwork.system import compile_mechanism
from linkwork.system.dense import drives

TINY = 1e-30
NONHOLONOMIC = (3, 1)  # column and value in row_int of a row that holds velocities alone
LOWER_PAIRS = ("spherical", "revolute", "translational", "cylindrical", "planar", "fixed")


class Case:
    """A mechanism with a group for each body, and the work space of its index-1 system."""

    def __init__(self, mechanism: Any, seed: int, group: Any = None, dtype: type = float) -> None:
        self.rng = np.random.default_rng(seed)
        self.mechanism, self.tables = mechanism, mechanism.tables
        self.nb = mechanism.nb
        self.group = self.rng.integers(0, 2, self.nb) if group is None else np.asarray(group)
        self.work = new_work(mechanism, self.group, dtype)

    def placed(self, t: float = 0.0, level: float = ACCELERATION_LEVEL) -> Case:
        self.work.request.time[0], self.work.request.level[0] = t, level
        assert placing.set_state(self.tables, self.work) == Status.OK
        self.work.counted_angles[:] = 0.0
        unwrap_angles(self.tables, self.work)  # far from the base: within a step they would be in doubt
        apply(self.tables, self.work)
        return self

    def matrix(self) -> np.ndarray:
        """J (nc, 6 nb), of the twists."""
        out = np.zeros((self.mechanism.nc, 6 * (self.nb + 1)))
        for k in range(self.mechanism.nc):
            for side in range(2):
                b = self.tables.row_int[k, 1 + side]
                out[k, 6 * b : 6 * b + 6] += self.work.J[k, 6 * side : 6 * side + 6]
        return out[:, : 6 * self.nb]

    def inertia(self) -> np.ndarray:
        """M (6 nb, 6 nb), angular first."""
        out = np.zeros((6 * self.nb, 6 * self.nb))
        for b, body in enumerate(self.mechanism.lowered.bodies):
            out[6 * b : 6 * b + 3, 6 * b : 6 * b + 3] = body.inertia
            out[6 * b + 3 : 6 * b + 6, 6 * b + 3 : 6 * b + 6] = body.mass * np.eye(3)
        return out

    def solve(self) -> Case:
        """x and lambda by Gauss's principle, as the dense oracle does it."""
        M, J = self.inertia(), self.matrix()
        f, eta = self.work.f[:-1].ravel(), self.work.eta
        root = np.linalg.inv(np.linalg.cholesky(M).T)
        free = np.linalg.solve(M, f)
        x = free + root @ np.linalg.lstsq(J @ root, eta - J @ free, rcond=1e-10)[0]
        self.work.x[:-1] = x.reshape(-1, 6)
        self.work.lam[:] = np.linalg.lstsq(J.T, f - M @ x, rcond=1e-10)[0] if len(eta) else 0.0
        return self


def drifting(seed: int) -> Case:
    """All kinds of rows, at a state that meets none of them."""
    case = Case(everything(seed), seed)
    case.work.psi[:] = 0.3 * case.rng.normal(size=12 * case.nb)
    return case


class Rows(NamedTuple):
    """What rows are at a placed state, in global and body-fixed velocities."""

    phi: np.ndarray  # (nc,)
    G: np.ndarray  # (nc, 6 (nb + 1)) for (rdot global, omega body)
    nu: np.ndarray  # (nc,)
    rate: np.ndarray  # (nc,) G u - nu


def rows_of(case: Case, t: float) -> Rows:
    m, rows, nc = case.work.motion, case.mechanism.system.rows, case.mechanism.nc
    drive = drives(case.mechanism, t)
    phi, G_i, G_j, nu = np.zeros(nc), np.zeros((nc, 6)), np.zeros((nc, 6)), np.zeros(nc)
    r, A_ = m[:, R : R + 3].copy(), m[:, A : A + 9].copy()
    evaluate_rows(rows, r, A_, drive, phi, G_i, G_j)
    rows_nu(rows, r, A_, drive, nu)
    G = np.zeros((nc, case.nb + 1, 6))
    G[np.arange(nc), rows.body_i] += G_i
    G[np.arange(nc), rows.body_j] += G_j
    G = G.reshape(nc, -1)
    return Rows(phi, G, nu, G @ np.hstack([m[:, V : V + 3], m[:, W : W + 3]]).ravel() - nu)


def assert_near(found: Any, wanted: Any, within: float = 1e-10) -> None:
    size = max(1.0, float(np.linalg.norm(wanted)))
    assert np.linalg.norm(np.asarray(found) - wanted) < within * size


# the system ---------------------------------------------------------------------------------------------------


@settings(max_examples=60)
@given(seed=st.integers(0, 2**31))
def test_the_system_of_any_choice_of_groups_is_that_of_newton_and_euler(seed: int) -> None:
    """Springs, torsions, loads in both axes, drivers, velocity-level and redundant rows, as the generator has them."""
    mechanism = compile_mechanism(random_mechanism(seed).lower())
    case = Case(mechanism, seed).placed().solve()
    wanted = newton_euler_dense.accelerations(mechanism, 0.0)
    assert rhs(case.tables, case.work) == Status.OK
    found = np.hstack([case.work.motion[:-1, ACC : ACC + 3], case.work.motion[:-1, ALPHA : ALPHA + 3]])
    assert_near(found, wanted.udot)
    assert_near(wanted.G.T @ case.work.lam, wanted.G.T @ wanted.multipliers)
    if not np.any(case.group):  # the groups scale columns, not rows: least multipliers are the same for all groups
        assert_near(case.work.lam, wanted.multipliers)


@settings(max_examples=20)
@given(seed=st.integers(0, 2**31))
def test_least_multipliers_do_not_depend_on_the_groups(seed: int) -> None:
    mechanism = compile_mechanism(random_mechanism(seed).lower())
    wanted = newton_euler_dense.accelerations(mechanism, 0.0).multipliers
    for group in (np.zeros(mechanism.nb, int), np.ones(mechanism.nb, int)):
        assert_near(Case(mechanism, seed, group).placed().solve().work.lam, wanted, 1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_forces_are_those_of_the_oracle_at_any_state_and_time(seed: int) -> None:
    """All kinds of loads, with formulas of time; weight and gyroscopic terms besides."""
    case = drifting(seed).placed(t=0.37)
    m = case.work.motion
    r, A_ = m[:, R : R + 3], m[:, A : A + 9].reshape(-1, 3, 3)
    v, w = m[:, V : V + 3], m[:, W : W + 3]
    wanted = newton_euler_dense.forces(case.mechanism, r, A_, np.hstack([v, w]), 0.37).reshape(-1, 6)
    for b in range(case.nb):
        torque, force = case.work.f[b, :3], case.work.f[b, 3:]
        if case.group[b] == 1:
            mass = case.mechanism.lowered.bodies[b].mass
            force = A_[b] @ force + mass * np.cross(A_[b] @ w[b], v[b])
        assert_near(np.r_[force, torque], wanted[b], 1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_rows_times_twists_are_rows_times_velocities(seed: int) -> None:
    case = drifting(seed).placed(t=0.37)
    rows = rows_of(case, 0.37)
    assert_allclose(case.work.row[:, PHI], rows.phi, atol=1e-13)
    wanted = rows.rate + rows.nu
    assert_near(case.matrix() @ case.work.twist[:-1].ravel(), wanted, 1e-13)
    for k in range(case.mechanism.nc):
        assert placing.row_times(case.tables, case.work, k, case.work.twist) == pytest.approx(wanted[k], abs=1e-11)


@pytest.mark.parametrize("seed", range(3))
def test_gamma_belongs_to_twist_rates(seed: int) -> None:
    """eta - J Vdot = gamma - G udot for any Vdot, by d/dt of v = A^T rdot."""
    case = drifting(seed).placed(t=0.37)
    gamma = case.work.row[:, GAMMA].copy()
    x = case.rng.normal(size=(case.nb, 6))
    case.work.x[:-1] = x
    rhs(case.tables, case.work)
    m = case.work.motion
    udot = np.hstack([m[:, ACC : ACC + 3], m[:, ALPHA : ALPHA + 3]])
    udot[-1] = 0.0
    assert_near(case.work.eta - case.matrix() @ x.ravel(), gamma - rows_of(case, 0.37).G @ udot.ravel(), 1e-12)


# Baumgarte and projection ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_baumgartes_terms_are_those_of_a_damped_oscillator(seed: int) -> None:
    """phi'' + 2 alpha phi' + beta^2 phi = 0; a row that holds velocities alone: its violation fades with alpha."""
    alpha, beta = 3.0, 7.0
    case = drifting(seed).placed(t=0.37)
    plain = case.work.eta.copy()
    rows = rows_of(case, 0.37)
    assert np.abs(rows.rate).min() > 1e-4
    case.work.request.damping[0], case.work.request.stiffness[0] = 2.0 * alpha, beta**2
    case.placed(t=0.37)
    velocity_level = case.tables.row_int[:, NONHOLONOMIC[0]] == NONHOLONOMIC[1]
    assert 0 < velocity_level.sum() < len(plain)
    wanted = np.where(velocity_level, alpha * rows.rate, 2.0 * alpha * rows.rate + beta**2 * rows.phi)
    assert_near(plain - case.work.eta, wanted, 1e-12)
    assert np.all(rows.phi[velocity_level] == 0.0)


@pytest.mark.parametrize("seed", range(2))
def test_corrections_have_no_forces_and_ask_for_what_is_missing(seed: int) -> None:
    case = drifting(seed).placed(t=0.37, level=POSITION_LEVEL)
    rows = rows_of(case, 0.37)
    assert np.all(case.work.f == 0.0)
    assert_allclose(case.work.eta, -rows.phi, atol=1e-13)
    case.placed(t=0.37, level=VELOCITY_LEVEL)
    assert np.all(case.work.f == 0.0)
    assert_near(case.work.eta, -rows.rate, 1e-12)
    assert_near(case.work.row[:, NU], rows.nu, 1e-13)


@pytest.mark.parametrize(("level", "half"), [(POSITION_LEVEL, 0), (VELOCITY_LEVEL, 1)])
def test_corrections_become_increments_of_their_own_half(level: float, half: int) -> None:
    case = drifting(0)
    case.work.request.level[0] = level
    case.work.x[:-1] = case.rng.normal(size=(case.nb, 6))
    assert retract(case.tables, case.work) == Status.OK
    halves = case.work.psi.reshape(2, -1)
    assert_allclose(halves[half], case.work.x[:-1].ravel(), rtol=0)
    assert np.all(halves[1 - half] == 0.0)


# increments ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_slopes_of_increments_move_bodies_with_their_twists(seed: int) -> None:
    """Complex step along the slope: d/dt of base exp(psi) is the velocity, also far from the base [eq. 36]."""
    case = Case(everything(seed), seed, dtype=complex)
    work = case.work
    work.psi[:] = case.rng.normal(size=12 * case.nb)
    theta = work.psi[: 6 * case.nb].reshape(-1, 6)[:, :3]
    angles = case.rng.uniform(1.9, 3.1, case.nb) if seed % 2 else case.rng.uniform(0.0, 1.0, case.nb)
    theta *= (angles / np.linalg.norm(theta, axis=1))[:, None]
    work.x[:-1] = case.rng.normal(size=(case.nb, 6))
    assert placing.set_bodies(work) == Status.OK
    assert rhs(case.tables, work) == Status.OK
    motion, k = work.motion.real.copy(), work.psi_rate.copy()
    work.psi[:] = work.psi + 1j * TINY * k
    assert placing.set_bodies(work) == Status.OK
    rate = work.motion.imag / TINY
    for b in range(case.nb):
        A_b = motion[b, A : A + 9].reshape(3, 3)
        w = motion[b, W : W + 3]
        assert_allclose(rate[b, R : R + 3], motion[b, V : V + 3], atol=2e-12)
        turning = A_b @ np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
        assert_allclose(rate[b, A : A + 9].reshape(3, 3), turning, atol=5e-12)
        assert_allclose(rate[b, V : V + 3], motion[b, ACC : ACC + 3], atol=1e-11)
        assert_allclose(rate[b, W : W + 3], motion[b, ALPHA : ALPHA + 3], atol=1e-12)


def test_the_slope_at_the_base_is_the_twist_itself() -> None:
    case = Case(everything(1), 1)
    case.work.x[:-1] = case.rng.normal(size=(case.nb, 6))
    placing.set_bodies(case.work)
    rhs(case.tables, case.work)
    assert_allclose(case.work.psi_rate.reshape(2, -1, 6)[0], case.work.twist[:-1], rtol=0)
    assert_allclose(case.work.psi_rate.reshape(2, -1, 6)[1], case.work.x[:-1], rtol=0)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_slopes_that_are_no_numbers_are_told(bad: float) -> None:
    case = Case(everything(1), 1)
    placing.set_bodies(case.work)
    case.work.x[0, 4] = bad
    with np.errstate(invalid="ignore"):
        assert rhs(case.tables, case.work) == Status.NOT_FINITE


@pytest.mark.parametrize(
    ("angle", "status"),
    [(np.pi * (1 - 1e-12), Status.OK), (np.pi, Status.ROTATION_TOO_LARGE), (np.nan, Status.ROTATION_TOO_LARGE)],
)
def test_half_a_revolution_in_a_step_is_too_much(angle: float, status: Status) -> None:
    case = Case(everything(0), 0)
    case.work.psi[6:9] = angle * np.array([0.6, 0.0, 0.8])
    assert placing.set_bodies(case.work) == status


@pytest.mark.parametrize("seed", range(3))
def test_settling_makes_the_placed_state_the_base(seed: int) -> None:
    case = drifting(seed).placed()
    before = case.work.motion.copy()
    assert ending.accept_step(case.tables, case.work) == Status.OK
    case.work.psi[:] = 0.0
    case.placed()
    assert_allclose(case.work.motion[:-1, :18], before[:-1, :18], atol=1e-14)
    base = case.work.base[:-1]
    assert_allclose(base[:, R_0 : R_0 + 3], before[:-1, R : R + 3], rtol=0)
    A_ = base[:, A_0 : A_0 + 9].reshape(-1, 3, 3)
    assert_allclose(A_ @ np.swapaxes(A_, 1, 2), np.broadcast_to(np.eye(3), A_.shape), atol=1e-15)
    speeds = np.abs(base[:, TWIST_0 : TWIST_0 + 6]) / np.r_[np.ones(3), np.full(3, case.work.length[0])]
    assert_allclose(case.work.size.reshape(2, -1)[1], speeds.max(), rtol=1e-14)
    assert_allclose(case.work.size.reshape(2, -1)[0], 1.0, rtol=0)


def test_rounding_does_not_walk_away_from_twists() -> None:
    """Many small increments to a large twist: the sum is exact to rounding, a plain sum is not."""
    case = Case(everything(0), 0)
    n, start, step = 4000, 1e3 / 3.0, 1e-4 / 7.0
    case.work.base[0, TWIST_0] = start
    plain = start
    for _ in range(n):
        ending.add_compensated(case.work.base, 0, 0, step)
        plain += step
    exact = math.fsum([start] + [step] * n)
    assert abs(plain - exact) > 20 * np.spacing(exact)
    assert abs(case.work.base[0, TWIST_0] - exact) <= np.spacing(exact)


def test_a_state_written_is_the_state_placed() -> None:
    case = Case(everything(2), 2)
    m = case.mechanism
    r, A_ = m.r + 0.3, m.A.copy()
    A_[0] = np.ravel(turn(np.array([0.0, 0.6, 0.8]), 2.0) @ A_[0].reshape(3, 3))
    r[-1], A_[-1] = 0.0, IDENTITY
    initialise_state(case.work, r, A_, m.v, m.w)
    placing.set_bodies(case.work)
    assert_allclose(case.work.motion[:, :18], np.hstack([r, A_, m.v, m.w]), atol=1e-14)


def test_weights_make_metres_comparable_with_radians() -> None:
    mechanism = everything(0)
    w = weights(mechanism).reshape(2, -1, 2, 3)
    assert_allclose(w[:, :, 0], 1.0, rtol=0)
    assert_allclose(w[:, :, 1], 1.0 / mechanism.length, rtol=0)


# groups -------------------------------------------------------------------------------------------------------


def joined(kind: str, first: str, second: str) -> lw.Mechanism:
    m = lw.Mechanism("joined")
    m.body("a", mass=1.0, inertia=[0.1, 0.2, 0.25])
    m.body("b", mass=1.0, inertia=[0.1, 0.2, 0.25], position=(1, 0.2, 0))
    given: dict[str, Any] = {
        "point": (0.3, 0.2, 0.1), "axis": (0, 0, 1), "axis2": (1, 0, 0), "point2": (0.3, 0.9, 0.1)
    }  # fmt: skip
    m.joint("joint", kind, first, second, **JOINTS.load(kind).example(given))
    return m


def groups_of(m: lw.Mechanism) -> list[int]:
    return [int(g) for g in automatic(compile_mechanism(m.lower()))]


@pytest.mark.parametrize("kind", LOWER_PAIRS)
def test_a_lower_pair_to_ground_chooses_se3_in_either_order(kind: str) -> None:
    assert groups_of(joined(kind, "ground", "b")) == [0, 1]
    assert groups_of(joined(kind, "b", "ground")) == [0, 1]
    assert groups_of(joined(kind, "a", "b")) == [0, 0]


@pytest.mark.parametrize("kind", ["universal", "point-in-line", "point-in-plane", "distance", "perpendicular-1"])
def test_other_joints_leave_the_product(kind: str) -> None:
    assert groups_of(joined(kind, "ground", "b")) == [0, 0]


def test_what_else_hangs_on_a_body_does_not_matter() -> None:
    """As the shipped double pendulum and three-bar show [errata: Müller 2013, 4]."""
    for name, wanted in (
        ("muller2013_heavy_top", [1]),
        ("muller2013_spherical_double_pendulum", [1, 0]),
        ("muller2013_floating_pair", [0, 0]),
        ("muller2013_three_bar", [1, 1]),
    ):
        assert groups_of(lw.load(name)) == wanted, name


def test_groups_are_overridden_body_by_body() -> None:
    mechanism = compile_mechanism(lw.load("muller2013_spherical_double_pendulum").lower())
    found = chosen(mechanism, "mixed", {"body 2": "se3", "body 1": "product"})
    assert list(found) == [0, 1]
    assert in_words(mechanism, found) == {"body 1": "product", "body 2": "se3"}
    assert list(chosen(mechanism, "se3")) == [1, 1]
    assert list(chosen(mechanism, "product")) == [0, 0]


@pytest.mark.parametrize(
    ("groups", "words"),
    [
        ({"bdy 1": "se3"}, "Did you mean 'body 1'"),
        ({"ground": "se3"}, "does not exist"),
        ({"body 1": "so3"}, "'se3', 'product'"),
        ({"body 1": 1}, "'se3', 'product'"),
        (["body 1"], "groups"),
        ("body 1=se3", "groups"),
    ],
)
def test_unknown_groups_and_bodies_are_named(groups: Any, words: str) -> None:
    mechanism = lw.load("muller2013_spherical_double_pendulum")
    with pytest.raises(UsageError, match=words):
        lw.simulate(mechanism, 0.01, 1e-3, "lie-mixed", groups=groups)


@pytest.mark.parametrize("name", ["lie-se3", "lie-product"])
def test_only_lie_mixed_takes_groups(name: str) -> None:
    with pytest.raises(UsageError, match="lie-mixed"):
        lw.simulate(lw.load("muller2013_heavy_top"), 0.01, 1e-3, name, groups={"top": "product"})
