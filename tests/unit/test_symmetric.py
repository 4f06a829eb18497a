"""Implicit midpoint and Störmer-Verlet in few variables: the kernels uncompiled, on a vector space.

The state is (q, p), halves of any length. Below, what users see of them on mechanisms.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from unit.vector_space import stand_in

import linkwork as lw
from linkwork.errors import ConvergenceError, UsageError
from linkwork.integrators import INTEGRATORS
from linkwork.integrators.evaluation import Entries
from linkwork.integrators.fixed_point import new_solver
from linkwork.integrators.runge_kutta_kernels import START
from linkwork.integrators.stabilisation import Stabilisation
from linkwork.integrators.symmetric import METHODS
from linkwork.integrators.symmetric_kernels import advance
from linkwork.integrators.symmetric_run import Plan, SymmetricRun
from linkwork.status import Status

Rate = Callable[[float, np.ndarray], Any]


class Plain:
    """x' = rate(t, x) on a vector space, as a problem for the kernels: state = base + psi."""

    def __init__(
        self, rate: Rate, start: Any, name: str, *, step: float, tolerance: float = 1e-15, most: int = 50
    ) -> None:
        self.rate, self.base = rate, np.array(start, dtype=float)
        n = len(self.base)
        problem = stand_in(n)
        held = Stabilisation.of(None, None, None, step)
        plan = Plan(new_solver(n, METHODS.index(name), tolerance, most))
        whole = SymmetricRun(problem, plan, step, 1.0, 1, None, np.inf, None, held)
        self.run, self.own, self.room = whole.run, whole.arrays, whole._room
        nothing = lambda context: 0  # noqa: E731
        self.entries = Entries(
            set_state=self.place, apply=nothing, detect_redundant_rows=nothing, factorise=nothing, solve=nothing,
            rhs=self.slope, accept_step=self.settle, retract=nothing, output=nothing, evaluate=nothing,
        )  # fmt: skip
        assert advance(self.entries, None, self.own, self.run, START, self.room(1))[0] == Status.OK

    def place(self, context: Any) -> int:
        self.run.motion[0, : len(self.base)] = self.base + self.run.psi
        return 0

    def slope(self, context: Any) -> int:
        self.run.psi_rate[:] = self.rate(self.run.request.time[0], self.run.motion[0, : len(self.base)])
        return 0 if np.all(np.isfinite(self.run.psi_rate)) else int(Status.NOT_FINITE)

    def settle(self, context: Any) -> int:
        self.base[:] = self.run.motion[0, : len(self.base)]
        return 0

    def steps(self, count: int) -> tuple[Status, np.ndarray, np.ndarray]:
        block = self.room(count + 1)
        status, n = advance(self.entries, None, self.own, self.run, count, block)
        return Status(status), block.time[:n], block.motion[:n, 0, : len(self.base)].copy()

    def end(self, count: int) -> np.ndarray:
        status, _, states = self.steps(count)
        assert status == Status.OK
        return states[-1]


def bent(t: float, x: np.ndarray) -> np.ndarray:
    """H = p^2 (1 + q^2) / 2 - cos q + q sin t: not separable, and driven."""
    q, p = x
    return np.array([p * (1.0 + q * q), -p * p * q - np.sin(q) - np.sin(t)])


def kepler(t: float, x: np.ndarray) -> np.ndarray:
    q, p = x[:2], x[2:]
    return np.concatenate([p, -q / (q @ q) ** 1.5])


def kepler_energy(x: np.ndarray) -> np.ndarray:
    return (x[:, 2:] ** 2).sum(axis=1) / 2.0 - 1.0 / np.hypot(x[:, 0], x[:, 1])


def linear(matrix: np.ndarray) -> Rate:
    return lambda t, x: matrix @ x


@pytest.mark.parametrize("name", METHODS)
def test_order_two_where_rates_depend_on_both_halves_and_on_time(name: str) -> None:
    from scipy.integrate import solve_ivp

    exact = solve_ivp(bent, (0.0, 2.0), [0.4, 0.7], method="DOP853", rtol=1e-13, atol=1e-13).y[:, -1]
    errors = [np.linalg.norm(Plain(bent, [0.4, 0.7], name, step=2.0 / n).end(n) - exact) for n in (40, 80, 160, 320)]
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert_allclose(orders, 2.0, atol=0.05)


def test_implicit_midpoint_of_a_linear_system_is_its_cayley_transform() -> None:
    M = np.random.default_rng(1).normal(size=(6, 6))
    h, x = 0.1, np.arange(1.0, 7.0)
    wanted = np.linalg.solve(np.eye(6) - h / 2 * M, (np.eye(6) + h / 2 * M) @ x)
    assert_allclose(Plain(linear(M), x, "implicit-midpoint", step=h).end(1), wanted, rtol=1e-13)


def test_stormer_verlet_of_a_separable_system_is_the_leapfrog() -> None:
    h, q, p = 0.1, np.array([1.0, 0.2]), np.array([-0.1, 0.8])
    half = p + h / 2 * kepler(0.0, np.concatenate([q, p]))[2:]
    q1 = q + h * half
    p1 = half + h / 2 * kepler(0.0, np.concatenate([q1, half]))[2:]
    found = Plain(kepler, [*q, *p], "stormer-verlet", step=h).end(1)
    assert_allclose(found, [*q1, *p1], rtol=1e-14)


@pytest.mark.parametrize("name", METHODS)
def test_a_step_is_symplectic(name: str) -> None:
    """The derivative S of a step of a canonical system meets S^T J S = J."""
    h, x, d = 0.3, np.array([0.4, 0.7]), 1e-5
    columns = [
        (Plain(bent, x + d * e, name, step=h).end(1) - Plain(bent, x - d * e, name, step=h).end(1)) / (2 * d)
        for e in np.eye(2)
    ]
    S, J = np.stack(columns, axis=1), np.array([[0.0, 1.0], [-1.0, 0.0]])
    assert_allclose(S.T @ J @ S, J, atol=1e-9)


@pytest.mark.parametrize("name", METHODS)
def test_back_again_by_the_same_way(name: str) -> None:
    """A step of -h from where a step of h arrives leads back to rounding, at any step size."""
    run = Plain(bent, [0.4, 0.7], name, step=0.2)
    there = run.end(1)
    run = Plain(lambda t, x: -bent(0.2 - t, x), there, name, step=0.2)
    assert_allclose(run.end(1), [0.4, 0.7], atol=2e-15)


@pytest.mark.parametrize("name", METHODS)
def test_energy_of_an_ellipse_stays_over_revolutions(name: str) -> None:
    """Eccentricity 0.6: the error swings between the same bounds in the first and in the last revolutions."""
    run = Plain(kepler, [0.4, 0.0, 0.0, 2.0], name, step=2 * np.pi / 200)
    error = np.abs(kepler_energy(run.steps(200 * 24)[2]) + 0.5)
    early, late = error[:800].max(), error[-800:].max()
    assert late < 1.02 * early
    angular = run.base[0] * run.base[3] - run.base[1] * run.base[2]
    assert angular == pytest.approx(0.8, abs=1e-12)  # quadratic, and kept by both


@pytest.mark.parametrize("name", METHODS)
def test_vibrations_that_plain_iteration_cannot_solve_are_solved(name: str) -> None:
    """h omega = 3.9 for the midpoint rule, where plain iteration grows by 1.95; 1.9 for Verlet, stable below 2."""
    w = 39.0 if name == "implicit-midpoint" else 19.0
    M = np.array([[0.0, 1.0], [-w * w, 0.0]])
    run = Plain(linear(M), [1.0, 0.0], name, step=0.1)
    _, _, x = run.steps(50)
    assert len(x) == 50
    if name == "implicit-midpoint":
        assert_allclose(x[:, 0] ** 2 + (x[:, 1] / w) ** 2, 1.0, atol=1e-12)
    assert run.own.iterations[0] < 10 * 50


def test_few_iterations_are_enough_where_steps_are_small() -> None:
    for name, most in (("implicit-midpoint", 6.0), ("stormer-verlet", 7.0)):
        run = Plain(bent, [0.4, 0.7], name, step=0.01)
        run.end(100)
        assert run.own.iterations[0] / 100 < most
        assert run.run.evaluations[0] == run.own.iterations[0] + 101  # one more at every recorded state


def test_what_does_not_converge_says_so_and_leaves_the_state_alone() -> None:
    M = np.random.default_rng(3).normal(size=(20, 20)) * 40.0
    run = Plain(linear(M), np.ones(20), "implicit-midpoint", step=0.5, most=8)
    status, times, _ = run.steps(3)
    assert status == Status.ITERATION_DIVERGED
    assert len(times) == 0
    assert_array_equal(run.base, np.ones(20))


def test_a_loose_tolerance_asks_for_fewer_iterations() -> None:
    counts = []
    for tolerance in (1e-15, 1e-6):
        run = Plain(bent, [0.4, 0.7], "implicit-midpoint", step=0.1, tolerance=tolerance)
        run.end(50)
        counts.append(run.own.iterations[0])
    assert counts[1] < 0.7 * counts[0]


@pytest.mark.parametrize("name", METHODS)
def test_at_rest_it_stays_at_rest(name: str) -> None:
    """Accelerations that are rounding alone, other ones at every evaluation, are no reason to go on."""
    noise = np.random.default_rng(0)

    def rate(t: float, x: np.ndarray) -> np.ndarray:
        return np.array([x[1], -x[0] + 1e-14 * noise.normal()])

    run = Plain(rate, [0.0, 0.0], name, step=1e-3)
    assert np.abs(run.end(100)).max() < 1e-14
    assert run.own.iterations[0] < 300


@pytest.mark.parametrize("name", METHODS)
def test_chunks_do_not_matter(name: str) -> None:
    whole = Plain(bent, [0.4, 0.7], name, step=0.05)
    parts = Plain(bent, [0.4, 0.7], name, step=0.05)
    wanted = whole.steps(20)[2]
    found = np.concatenate([parts.steps(n)[2] for n in (1, 7, 12)])
    assert_array_equal(found, wanted)


# on mechanisms ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", METHODS)
def test_listed_and_matched(name: str) -> None:
    described = INTEGRATORS.load(name).describe()
    assert (described["order"], described["shape"]) == (2, "explicit")
    mech = lw.load("muller2013_heavy_top")
    result = lw.simulate(mech, 0.02, 1e-3, "lie-se3", name, tolerance=1e-12, max_iterations=20)
    assert result.info["steps"] == 20
    assert result.info["evaluations"] == result.info["iterations"] + 21
    with pytest.raises(UsageError, match="rtol"):
        lw.simulate(mech, 0.02, 1e-3, "lie-se3", name, rtol=1e-6)
    with pytest.raises(UsageError, match="held over a step"):
        lw.simulate(mech, 0.02, 1e-3, "rotation-matrix", name, multipliers="step")


def test_a_step_far_too_large_is_told_with_a_remedy() -> None:
    mech = lw.Mechanism("stiff", gravity=[0, 0, -9.81])
    for k in range(12):
        mech.body(f"b{k}", mass=1.0 + k, inertia=[0.1, 0.1, 0.1], position=[float(k), 0, 0], velocity=[0, 0, 1.0])
        mech.force(f"s{k}", "spring", first="ground", second=f"b{k}", point=[float(k), 0, 2], point2=[float(k), 0, 0],
                   stiffness=1e6 * (1 + k))  # fmt: skip
    lw.simulate(mech, 0.01, 2e-4, "lie-product", "implicit-midpoint")
    with pytest.raises(ConvergenceError, match="did not converge") as caught:
        lw.simulate(mech, 1.0, 0.5, "lie-product", "implicit-midpoint", max_iterations=6)
    assert "smaller step" in str(caught.value)
    assert caught.value.result.time[-1] == 0.0
