"""Slopes at a rank loss, of a bead whose slope is 0/0 there: kernels as Python, entries in closed form.

A bead of 1 kg in a plane is held by phi = x (y - q(x)): along the curve y = q(x) that is one row, J = x (-q', 1), and
nothing is left of it at x = 0. Forces are such that the bead follows the curve with a multiplier c(x) all the way.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.integrate import solve_ivp
from unit.vector_space import motion_request

from linkwork.integrators.dense_output_kernels import sample
from linkwork.integrators.evaluation import Entries, evaluate_here
from linkwork.integrators.runge_kutta_kernels import advance, show
from linkwork.integrators.runge_kutta_run import RungeKuttaRun
from linkwork.integrators.singular_configurations import PAIRS, STRIDE, WAIT, evaluate, evaluate_at_rank_loss
from linkwork.integrators.stabilisation import Stabilisation
from linkwork.integrators.stages import first_stage, later_stages
from linkwork.integrators.tableaux import load_tableau
from linkwork.problems.explicit import ACC
from linkwork.problems.request import ACCELERATION_LEVEL, POSITION_LEVEL, RATES_ALONE, VELOCITY_LEVEL
from linkwork.status import Status

OK, SINGULAR = Status.OK, Status.SINGULAR
LEAST = 0.05  # m, of x: nearer to the loss nothing is believed


def q(x: float) -> tuple[float, float, float]:
    """The curve, its slope and its curvature."""
    return 0.3 * x + 0.2 * x * x, 0.3 + 0.4 * x, 0.4


def c(x: float) -> float:
    """The multiplier."""
    return 2.0 + x - 0.5 * x**3


def force(x: float, v: np.ndarray) -> np.ndarray:
    """What leaves a = f - J^T c on the curve."""
    _, q1, q2 = q(x)
    fx = 1.0 - x**2
    return np.array([fx, q1 * fx + q2 * v[0] ** 2 + x * c(x) * (1.0 + q1 * q1)])


def acceleration(x: float, v: np.ndarray) -> np.ndarray:
    return force(x, v) - c(x) * x * np.array([-q(x)[1], 1.0])


class Bead:
    """The entries of `problems.explicit` for it. momenta : the state holds p = v + J^T sigma instead of v."""

    least = LEAST

    def __init__(self, x: float, speed: float, *, momenta: bool = False, off: float = 0.0, name: str = "rk4") -> None:
        y, q1, _ = q(x)
        self.momenta, self.calls = momenta, 0
        self.base = np.array([[x, 0.0], [y + off, 0.0], [speed, 0.0], [q1 * speed, 0.0]])
        work = SimpleNamespace(
            psi=np.zeros(4), psi_rate=np.zeros(4), size=np.ones(4), request=motion_request(), motion=np.zeros((2, 24)),
            dropped=np.zeros(1, dtype=np.int64), lam=np.zeros(1), counted_angles=np.zeros(0),
        )  # fmt: skip
        self.problem: Any = SimpleNamespace(
            work=work, weight=np.ones(4), droppable=False, remembers=False, extra=np.zeros((2, 1)),
            mechanism=SimpleNamespace(nb=1, nc=1), bases=(self.base,), solves_extra=True,
            momenta=self.base[2:] if momenta else np.zeros((0, 2)), evaluate=None,
        )  # fmt: skip
        self.tableau = load_tableau(name)
        self.whole = RungeKuttaRun(
            self.problem, self.tableau, 0.05, 1.0, 1, None, np.inf, None, Stabilisation.of(None, None, None, 0.05)
        )
        self.run, self.work = self.whole.run, work
        self.run.stencil.not_before[0] = 0
        nothing = lambda _: 0  # noqa: E731
        self.entries = Entries(
            self.place, nothing, nothing, self.factorise, self.solve, self.slope, self.settle, self.shift, self.present,
            nothing,
        )  # fmt: skip

    def place(self, _: Any) -> int:
        z = self.base[:, 0] + self.work.psi
        self.r, self.p = z[:2], z[2:]
        y, q1, _ = q(self.r[0])
        self.phi = self.r[0] * (self.r[1] - y)
        self.J = np.array([self.r[1] - y - self.r[0] * q1, self.r[0]])
        self.v, self.sigma = self.p.copy(), 0.0
        return int(OK)

    def factorise(self, _: Any) -> int:
        self.calls += 1
        care = self.work.request.least_independence[0]
        return int(OK if care < 0.0 or abs(self.r[0]) > (care if care > 0.0 else self.least) else SINGULAR)

    def solve(self, _: Any) -> int:
        J, level = self.J, self.work.request.level[0]
        if level == POSITION_LEVEL:
            self.x = -J * self.phi / (J @ J)
        elif level == VELOCITY_LEVEL:
            self.x = -J * (J @ self.p) / (J @ J)
        else:
            if self.momenta:
                self.sigma = float(J @ self.p / (J @ J))
                self.v = self.p - J * self.sigma
            self.accelerate()
        return int(OK)

    def accelerate(self) -> None:
        """0/0 where J vanishes."""
        x, v, J = self.r[0], self.v, self.J
        _, q1, q2 = q(x)
        turning = 2.0 * v[0] * (v[1] - q1 * v[0]) - x * q2 * v[0] ** 2  # Jdot v
        with np.errstate(invalid="ignore", divide="ignore"):
            self.lam = (J @ force(x, v) + turning) / (J @ J)
            self.a = force(x, v) - J * self.lam

    def slope(self, _: Any) -> int:
        s, v = self.work.psi_rate, self.v
        if (
            self.momenta
            and self.work.request.level[0] == RATES_ALONE
            and self.work.request.least_independence[0] < abs(self.r[0])
        ):
            self.solve(_)
            v = self.v
        s[:2] = v
        if self.momenta:
            q1, q2 = q(self.r[0])[1:]
            Jdot = np.array([v[1] - 2.0 * q1 * v[0] - self.r[0] * q2 * v[0], v[0]])
            s[2:] = force(self.r[0], v) + Jdot * self.sigma
        elif self.work.request.level[0] != RATES_ALONE:
            s[2:] = self.a
        return int(OK)

    def settle(self, _: Any) -> int:
        self.base[:, 0] += self.work.psi
        return 0

    def shift(self, _: Any) -> int:
        first = 0 if self.work.request.level[0] == POSITION_LEVEL else 2
        self.work.psi[:] = 0.0
        self.work.psi[first : first + 2] = self.x
        return 0

    def present(self, _: Any) -> int:
        self.accelerate()
        self.work.motion[0, :2] = self.r
        self.work.motion[0, ACC : ACC + 2] = self.a
        self.work.lam[0], self.problem.extra[0, 0] = self.lam, 3.0 * self.lam
        if self.momenta and self.work.request.least_independence[0] > 0.0:  # beside
            self.work.psi_rate[2:] -= self.J * self.lam
        return 0

    def found(self) -> tuple[np.ndarray, np.ndarray, float]:
        """The slope, and what is recorded."""
        show(self.entries, None, self.run)
        return self.work.psi_rate.copy(), self.work.motion[0, ACC : ACC + 2].copy(), float(self.work.lam[0])


def test_weights_of_states_beside_are_exact_to_the_fifth_degree() -> None:
    for power in range(6):
        total = sum(w * (k**power + (-k) ** power) for k, w in enumerate(PAIRS, 1))
        assert total == pytest.approx(1.0 if power == 0 else 0.0, abs=1e-15)


@pytest.mark.parametrize("momenta", [False, True])
@pytest.mark.parametrize("speed", [1.7, -0.4])
def test_where_a_slope_is_0_by_0_it_is_the_limit_of_both_sides(speed: float, momenta: bool) -> None:
    bead = Bead(0.0, speed, momenta=momenta)
    run, e = bead.run, bead.entries
    bead.place(None)
    bead.accelerate()
    assert np.isnan(bead.a).all()
    assert evaluate_here(e, None, run, 0.3, True) == SINGULAR
    assert evaluate(e, None, run, 0.3, True) == OK
    slope, a, lam = bead.found()
    v = speed * np.array([1.0, 0.3])
    assert_allclose(slope, [*v, *(force(0.0, v) if momenta else acceleration(0.0, v))], atol=1e-11)
    assert_allclose(a, acceleration(0.0, v), atol=1e-11)
    assert lam == pytest.approx(2.0, abs=1e-9)
    assert bead.problem.extra[0, 0] == pytest.approx(6.0, abs=1e-9)
    assert (run.stencil.limits[0], run.stencil.projection_due[0], run.stencil.output_done[0]) == (1, 1, 1)


def test_the_run_stands_where_it_stood() -> None:
    bead = Bead(0.004, 1.0)
    run = bead.run
    run.psi[:] = (0.001, 0.0003, 0.2, 0.1)
    before = [x.copy() for x in (bead.base, run.psi, run.size)]
    counts = run.rhs_known[0], run.projections[0]
    run.now[0] = 0.7
    assert evaluate_at_rank_loss(bead.entries, None, run, 0.7, True) == OK
    for x, y in zip((bead.base, run.psi, run.size), before, strict=True):
        assert_array_equal(x, y)
    assert (run.rhs_known[0], run.projections[0]) == counts
    assert (run.request.level[0], run.request.least_independence[0]) == (ACCELERATION_LEVEL, 0.0)
    assert run.stencil.first_loss[0] == 0.0  # no limit: rank is back at the state itself once it is projected
    assert run.stencil.limits[0] == 0


def test_next_to_a_loss_the_nearest_state_on_the_constraints_speaks() -> None:
    off = 1e-6
    bead, there = Bead(0.005, 1.0, off=off), Bead(0.005, 1.0)
    assert evaluate(bead.entries, None, bead.run, 0.0, True) == OK
    slope, a, lam = bead.found()
    assert_allclose(slope[:2], there.base[2:, 0])  # velocities are the state's own
    assert_allclose(a, acceleration(0.005, there.base[2:, 0]), atol=20 * off)
    assert lam == pytest.approx(c(0.005), abs=1e-3)  # by itself off by 0.03 N
    bead.place(None)
    bead.accelerate()
    assert abs(bead.lam - c(0.005)) > 0.03
    assert bead.run.stencil.limits[0] == 0


def test_where_nothing_moves_there_is_no_limit_and_no_new_trial_for_a_while() -> None:
    bead = Bead(0.0, 0.0)
    assert evaluate_at_rank_loss(bead.entries, None, bead.run, 0.0, False) == SINGULAR
    evaluate(bead.entries, None, bead.run, 0.0, True)
    assert bead.run.stencil.not_before[0] == WAIT
    calls = bead.calls
    evaluate(bead.entries, None, bead.run, 0.0, True)
    assert bead.calls == calls + 2  # as it is, and as kindly as can be
    assert bead.run.request.least_independence[0] == 0.0


def test_a_stride_is_longer_where_rank_has_not_come_back() -> None:
    """Where x must be 0.03 m, one stride is too short."""
    bead = Bead(0.0, 0.05)
    seen: list[float] = []
    place = bead.place
    bead.entries = bead.entries._replace(
        set_state=lambda k: (seen.append(bead.base[0, 0] + bead.work.psi[0]), place(k))[1]
    )
    assert evaluate_at_rank_loss(bead.entries, None, bead.run, 0.0, False) == OK
    assert max(seen) == pytest.approx(3 * STRIDE, rel=1e-2)


def test_impulses_of_a_row_that_vanishes_are_taken_out_of_momenta() -> None:
    """p = v + J^T sigma next to the loss: J^T is small there, but not nothing, and sigma cannot be told."""
    bead = Bead(1e-5, 1.3, momenta=True)
    v = bead.base[2:, 0].copy()
    bead.base[2:, 0] += 4.0 * 1e-5 * np.array([-q(1e-5)[1], 1.0])
    assert evaluate(bead.entries, None, bead.run, 0.0, True) == OK
    assert_allclose(bead.base[2:, 0], v, atol=1e-11)
    assert_allclose(bead.found()[0], [*v, *force(1e-5, v)], atol=1e-10)
    assert evaluate_at_rank_loss(bead.entries, None, bead.run, 0.0, True) == OK
    assert_allclose(bead.found()[0], [*v, *acceleration(1e-5, v)], atol=1e-10)


def along_the_curve(x: float, speed: float, t_end: float) -> np.ndarray:
    """x and its rate after t_end."""
    rate = lambda _, z: [z[1], acceleration(z[0], z[1] * np.array([1.0, q(z[0])[1]]))[0]]  # noqa: E731
    return solve_ivp(rate, (0.0, t_end), [x, speed], "DOP853", rtol=1e-13, atol=1e-14).y[:, -1]


def test_momenta_with_and_without_impulses_are_not_mixed_in_dense_output() -> None:
    """A further stage is on the loss where none of the step's own stages is: those are found again."""
    h, speed = 0.1, 1.0
    bead = Bead(-0.0201, speed, momenta=True, name="dop853")  # near nothing at c_extra[1] = 0.2
    bead.least = 1.5e-3
    e, run, tableau = bead.entries, bead.run, bead.whole.arrays
    run.step[0] = h
    assert first_stage(e, None, run, 0.0) == OK
    assert later_stages(e, None, run, tableau, 0.0, h, False) == OK
    assert run.stencil.limits[0] == run.stencil.reacting[0] == 0
    for theta in (0.15, 0.5, 0.9):
        assert sample(e, None, run, tableau, theta * h, 0.0, h) == OK
        assert_allclose(bead.r[0], along_the_curve(-0.0201, speed, theta * h)[0], atol=1e-9)
    assert run.stencil.projection_due[0] == 1
    assert run.stencil.reacting[0] == 1


@pytest.mark.parametrize("momenta", [False, True])
@pytest.mark.parametrize(("name", "order"), [("heun", 2), ("rk4", 4), ("dp54", 5)])
def test_a_method_keeps_its_order_through_a_loss(name: str, order: int, momenta: bool) -> None:
    """From x = -0.2 in steps with stages near and on the loss: against the motion along the curve itself."""
    x0, t_end = -0.2, 0.4
    exact = along_the_curve(x0, 0.8, t_end)
    errors = []
    for steps in (60, 120):
        bead = Bead(x0, 0.8, momenta=momenta, name=name)
        bead.run.step[0] = t_end / steps
        tableau = bead.whole.arrays
        status, _ = advance(bead.entries, None, tableau, bead.run, -1, bead.whole._room(1))
        assert status == OK
        status, _ = advance(bead.entries, None, tableau, bead.run, steps, bead.whole._room(steps))
        assert status == OK
        errors.append(np.hypot(bead.base[0, 0] - exact[0], bead.work.psi_rate[0] - exact[1]))
        assert bead.run.stencil.projection_due[0] == 0
    assert errors[1] < max(errors[0] / 2 ** (order - 0.7), 3e-12), errors
