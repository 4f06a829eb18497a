"""Runge-Kutta in few variables: the kernels that run mechanisms, uncompiled, on equations solved in closed form.

The entries are Python functions and the group is a vector space, so that nothing but the integrator is under test:
orders, dense output, step control, and that nothing depends on chunks or on where samples are asked for. Below, the
same promises on mechanisms, compiled.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import linkwork as lw
from linkwork.chunks import Chunks
from linkwork.errors import ConvergenceError, UsageError
from linkwork.integrators.dense_output_kernels import advance_to, guess_step
from linkwork.integrators.evaluation import EVALUATIONS, NEXT_STEP, NOW, REJECTED, STEPS, Entries
from linkwork.integrators.runge_kutta import RungeKutta, RungeKuttaRun
from linkwork.integrators.runge_kutta_kernels import START, advance
from linkwork.integrators.stabilisation import Stabilisation
from linkwork.integrators.tableaux import TABLEAUX, load_tableau
from linkwork.problems.explicit import ACCELERATIONS, LEVEL, POSITIONS, TIME
from linkwork.status import Status

NAMES = tuple(TABLEAUX)
PAIRS = tuple(name for name in NAMES if load_tableau(name).e is not None)
FSAL = tuple(name for name in NAMES if load_tableau(name).fsal)


class Plain:
    """x' = rate(t, x) on a vector space, as a problem for the kernels: state = base + psi.

    What is placed is recorded where mechanisms record the motion of one body, so there may be up to 24 variables.
    """

    def __init__(
        self,
        rate: Callable[[float, np.ndarray], Any],
        start: Any,
        name: str,
        *,
        step: float,
        t_end: float,
        tolerances: tuple[float, float] | None = None,
        max_step: float = np.inf,
        every: int = 1,
        fails: Callable[[float, np.ndarray], Status] | None = None,
        project_every: int | None = None,
    ) -> None:
        self.rate, self.fails = rate, fails
        self.base = np.array(start, dtype=float)
        self.tableau = load_tableau(name)
        n = len(self.base)
        self.placements: list[tuple[float, float]] = []
        work = SimpleNamespace(
            psi=np.zeros(n), slope=np.zeros(n), size=np.ones(n), coef=np.zeros(12), motion=np.zeros((1, 24)),
            lam=np.zeros(0),
        )  # fmt: skip
        problem: Any = SimpleNamespace(
            work=work, weight=np.ones(n), droppable=False, remembers=False, extra=np.zeros((2, 0)),
            mechanism=SimpleNamespace(nb=1, nc=0),
        )  # fmt: skip
        held = Stabilisation.of(None, None, project_every, step)
        whole = RungeKuttaRun(problem, self.tableau, step, t_end, every, tolerances, max_step, None, held)
        self.run, self.arrays, self.room = whole.run, whole.arrays, whole._room
        self.entries = Entries(
            place=self.place,
            apply=self.nothing,
            seek=self.nothing,
            factorise=self.nothing,
            solve=self.solve,
            slope=self.slope,
            settle=self.settle,
            shift=self.shift,
            present=lambda c: 0,
        )
        self.x = np.zeros(n)

    # entries, all of a context they do not need
    def nothing(self, context: Any) -> int:
        return 0

    def place(self, context: Any) -> int:
        run = self.run
        run.motion[0, : len(self.base)] = self.base + run.psi
        self.placements.append((run.coef[TIME], run.motion[0, 0]))
        if self.fails is not None:
            return int(self.fails(run.coef[TIME], run.motion[0, : len(self.base)]))
        return 0

    def solve(self, context: Any) -> int:
        state = self.run.motion[0, : len(self.base)]
        if self.run.coef[LEVEL] == ACCELERATIONS:
            self.x[:] = self.rate(self.run.coef[TIME], state)
        else:
            self.x[:] = self.correction(state)
        return 0

    def correction(self, state: np.ndarray) -> np.ndarray:
        """Towards the unit circle, for tests of projection."""
        if self.run.coef[LEVEL] == POSITIONS:
            return state * (1.0 - state @ state) / (2.0 * (state @ state))
        return np.zeros_like(state)

    def slope(self, context: Any) -> int:
        self.run.slope[:] = self.x
        return 0 if np.all(np.isfinite(self.x)) else int(Status.NOT_FINITE)

    def shift(self, context: Any) -> int:
        self.run.psi[:] = self.x
        return 0

    def settle(self, context: Any) -> int:
        self.base[:] = self.run.motion[0, : len(self.base)]
        return 0

    # runs
    def begin(self, guess: bool = False) -> Plain:
        assert advance(self.entries, None, self.arrays, self.run, START, self.room(1))[0] == Status.OK
        if guess:
            assert guess_step(self.entries, None, self.run) == Status.OK
            assert advance(self.entries, None, self.arrays, self.run, START, self.room(1))[0] == Status.OK
        return self

    def steps(self, count: int) -> tuple[Status, np.ndarray, np.ndarray]:
        block = self.room(count + 1)
        status, n = advance(self.entries, None, self.arrays, self.run, count, block)
        return Status(status), block.time[:n], block.motion[:n, 0, : len(self.base)]

    def samples(self, times: Any, most: int = 10**9) -> tuple[Status, np.ndarray, np.ndarray]:
        """Samples at these times, or as far as `most` steps go."""
        block, targets = self.room(len(times)), np.asarray(times, dtype=float)
        status, n = advance_to(self.entries, None, self.arrays, self.run, targets, most, block)
        return Status(status), block.time[:n], block.motion[:n, 0, : len(self.base)]

    @property
    def done(self) -> int:
        return int(self.run.counts[STEPS])

    @property
    def evaluations(self) -> int:
        return int(self.run.counts[EVALUATIONS])

    @property
    def rejected(self) -> int:
        return int(self.run.counts[REJECTED])


# a nonlinear, non-autonomous pair that is drawn to the unit circle
def turning(t: float, x: np.ndarray) -> np.ndarray:
    """Its solution from (1, 0) is (cos, sin)(t + t^2/2)."""
    return (1.0 + t) * np.array([-x[1], x[0]]) + 2.0 * (1.0 - x @ x) * x


def turned(t: Any) -> np.ndarray:
    phase = np.asarray(t) + 0.5 * np.asarray(t) ** 2
    return np.stack([np.cos(phase), np.sin(phase)], axis=-1)


def logistic(t: float, x: np.ndarray) -> np.ndarray:
    """Growth with the seasons; the leading error of every method shows early."""
    return x * (1.0 - x) * np.cos(3.0 * t)


def logistic_solution(t: np.ndarray) -> np.ndarray:
    odds = 0.25 * np.exp(np.sin(3.0 * t) / 3.0)
    return odds / (1.0 + odds)


def slopes(errors: list[float], steps: list[float]) -> np.ndarray:
    return np.diff(np.log(errors)) / np.diff(np.log(steps))


# orders -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_a_method_has_its_order_on_a_vector_space(name: str) -> None:
    order = load_tableau(name).order
    counts = {1: (400, 1600), 8: (8, 16)}.get(order, (60, 240))
    errors = []
    for n in counts:
        case = Plain(logistic, (0.2,), name, step=3.0 / n, t_end=3.0).begin()
        status, time, x = case.steps(n)
        assert status == Status.OK
        assert len(time) == n
        errors.append(np.abs(x[:, 0] - logistic_solution(time)).max())
    assert_allclose(slopes(errors, [1 / n for n in counts])[0], order, atol=0.3 if order == 8 else 0.1)


@pytest.mark.parametrize("name", NAMES)
def test_polynomials_of_its_order_are_exact(name: str) -> None:
    """x' = p t^(p-1) for every p up to the order, in one step of 2 from time zero."""
    order = load_tableau(name).order
    powers = np.arange(1, order + 1)
    case = Plain(lambda t, x: powers * t ** (powers - 1), np.zeros(order), name, step=2.0, t_end=2.0).begin()
    _, _, x = case.steps(1)
    assert_allclose(x[0], 2.0**powers, rtol=2e-14)


@pytest.mark.parametrize("name", NAMES)
def test_dense_output_has_its_order_everywhere_and_is_continuous(name: str) -> None:
    extension = load_tableau(name).extension
    theta = np.linspace(0.03, 1.0, 14)
    errors = []
    steps = (0.2, 0.1) if extension.order > 4 else (0.05, 0.025)
    for h in steps:
        case = Plain(turning, (1.0, 0.0), name, step=h, t_end=h).begin()
        status, time, x = case.samples(h * theta)
        assert status == Status.OK
        errors.append(np.abs(x - turned(time)).max())
    found = np.log2(errors[0] / errors[1])
    assert found > extension.order + 1 - 0.25, "the error of one step"
    end = Plain(turning, (1.0, 0.0), name, step=steps[-1], t_end=1.0).begin().steps(1)[2]
    assert_allclose(x[-1], end[-1], atol=1e-15)
    # from one step into the next, close on both sides of the joint
    h = 0.1
    case = Plain(turning, (1.0, 0.0), name, step=h, t_end=1.0).begin()
    _, _, x = case.samples([h * (1 - 1e-9), h, h * (1 + 1e-9)])
    assert np.abs(np.diff(x, axis=0)).max() < 1e-8


@pytest.mark.parametrize("name", NAMES)
def test_steps_of_one_size_sampled_on_their_grid_are_those_steps(name: str) -> None:
    n, h = 20, 0.05
    _, time, x = Plain(turning, (1.0, 0.0), name, step=h, t_end=n * h).begin().steps(n)
    case = Plain(turning, (1.0, 0.0), name, step=h, t_end=n * h).begin()
    _, sampled, y = case.samples(h * np.arange(1, n + 1))
    assert_allclose(sampled, time, rtol=1e-14)
    assert_allclose(y, x, atol=1e-13)


@pytest.mark.parametrize(("t_end", "h"), [(5.0, 1e-3), (1.0, 0.1), (0.7, 1e-3), (3.0, 1.0 / 3.0), (10.0, 1e-2)])
def test_steps_add_up_to_the_end_without_a_sliver(t_end: float, h: float) -> None:
    """Thousands of sums of h miss t_end by rounding; no step may be made of that."""
    n = round(t_end / h)
    case = Plain(lambda t, x: np.ones(1), (0.0,), "euler", step=h, t_end=t_end).begin()
    status, _, x = case.samples([t_end])
    assert status == Status.OK
    assert_allclose(x[-1], t_end, rtol=1e-12)
    assert case.evaluations <= n + 3


@pytest.mark.parametrize("name", NAMES)
def test_a_last_step_is_cut_to_end_on_time(name: str) -> None:
    """t_end is no multiple of the step: nothing is evaluated beyond it."""
    case = Plain(turning, (1.0, 0.0), name, step=0.3, t_end=1.0).begin()
    status, _, _ = case.samples([1.0])
    assert status == Status.OK
    assert max(t for t, _ in case.placements) <= 1.0 + 1e-15


@pytest.mark.parametrize("name", NAMES)
def test_stages_that_end_a_step_are_not_evaluated_again(name: str) -> None:
    """Of a method whose last stage is the new state, each step costs one evaluation less."""
    tableau = load_tableau(name)
    case = Plain(turning, (1.0, 0.0), name, step=0.01, t_end=1.0).begin()
    before = case.evaluations
    case.steps(50)
    assert case.evaluations - before == 50 * (tableau.stages - (1 if tableau.fsal else 0))


def test_a_record_every_so_many_steps_changes_no_step() -> None:
    one = Plain(turning, (1.0, 0.0), "rk4", step=0.01, t_end=1.0).begin().steps(100)
    two = Plain(turning, (1.0, 0.0), "rk4", step=0.01, t_end=1.0, every=7).begin().steps(100)
    assert_array_equal(two[1], one[1][6::7])
    assert_array_equal(two[2], one[2][6::7])


# nothing depends on chunks ------------------------------------------------------------------------------------


def in_chunks(case: Plain, times: np.ndarray, size: int) -> tuple[np.ndarray, np.ndarray]:
    found = [case.samples(times[k : k + size]) for k in range(0, len(times), size)]
    assert all(status == Status.OK for status, _, _ in found)
    return np.concatenate([time for _, time, _ in found]), np.concatenate([x for _, _, x in found])


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("size", [1, 2, 5])
def test_adaptive_runs_do_not_depend_on_chunks(name: str, size: int) -> None:
    times = np.sort(np.random.default_rng(0).uniform(0.0, 2.0, 40))

    def new() -> Plain:
        return Plain(turning, (1.0, 0.0), name, step=0.01, t_end=2.0, tolerances=(1e-7, 1e-9)).begin(guess=True)

    whole, parts = new(), new()
    _, _, x = whole.samples(times)
    _, y = in_chunks(parts, times, size)
    assert_array_equal(y, x)
    assert (parts.done, parts.rejected) == (whole.done, whole.rejected)
    assert_array_equal(parts.run.settings, whole.run.settings)


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("most", [1, 2, 7])
def test_runs_may_stop_to_look_at_the_clock(name: str, most: int) -> None:
    """After so many steps, whether a sample has come or not."""
    times = np.array([0.001, 0.002, 0.7, 0.70001, 1.1, 1.99, 2.0])

    def new() -> Plain:
        return Plain(turning, (1.0, 0.0), name, step=0.01, t_end=2.0, tolerances=(1e-7, 1e-9)).begin(guess=True)

    whole, parts = new(), new()
    _, _, x = whole.samples(times)
    found, calls = [], 0
    while len(found) < len(times):
        before = parts.done
        status, _, y = parts.samples(times[len(found) :], most)
        assert status == Status.OK
        assert parts.done - before <= most
        found += list(y)
        calls += 1
    assert calls >= whole.done // most
    assert_array_equal(np.array(found), x)
    assert_array_equal(parts.run.settings, whole.run.settings)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("size", [1, 3])
def test_fixed_runs_do_not_depend_on_chunks(name: str, size: int) -> None:
    whole = Plain(turning, (1.0, 0.0), name, step=0.02, t_end=1.0).begin()
    parts = Plain(turning, (1.0, 0.0), name, step=0.02, t_end=1.0).begin()
    _, _, x = whole.steps(30)
    y = np.concatenate([parts.steps(size)[2] for _ in range(0, 30, size)])
    assert_array_equal(y, x)
    sampled = Plain(turning, (1.0, 0.0), name, step=0.07, t_end=1.0).begin()
    times = np.linspace(0.01, 1.0, 31)
    _, _, x = Plain(turning, (1.0, 0.0), name, step=0.07, t_end=1.0).begin().samples(times)
    assert_array_equal(in_chunks(sampled, times, size)[1], x)


# step control -------------------------------------------------------------------------------------------------


def accepted_steps(name: str, times: Any, **how: Any) -> tuple[list[float], Plain]:
    """Where steps began, from the times at which the base was settled."""
    case = Plain(turning, (1.0, 0.0), name, step=0.01, t_end=3.0, **how)
    settled: list[float] = []
    settle = case.entries.settle
    case.entries = case.entries._replace(settle=lambda c: (settled.append(case.run.coef[TIME]), settle(c))[1])
    case.begin(guess=True)
    assert case.samples(times)[0] == Status.OK
    return settled, case


@pytest.mark.parametrize("name", PAIRS)
def test_steps_do_not_depend_on_where_samples_are(name: str) -> None:
    few, _ = accepted_steps(name, [3.0], tolerances=(1e-7, 1e-9))
    many, _ = accepted_steps(name, np.linspace(0.001, 3.0, 777), tolerances=(1e-7, 1e-9))
    assert len(few) > 10
    assert_allclose(many, few, rtol=1e-13)


@pytest.mark.parametrize("name", PAIRS)
def test_the_last_steps_share_what_is_left(name: str) -> None:
    """No sliver before the end, whose error estimate would mean nothing."""
    for t_end in (0.2, 0.5, 0.9, 1.3, 1.7, 2.2, 2.9):
        settled: list[float] = []
        case = Plain(turning, (1.0, 0.0), name, step=0.01, t_end=t_end, tolerances=(1e-6, 1e-8))
        settle = case.entries.settle
        case.entries = case.entries._replace(
            settle=lambda c, keep=settled, go=settle, case=case: (keep.append(case.run.coef[TIME]), go(c))[1]
        )
        assert case.begin(guess=True).samples([t_end])[0] == Status.OK
        steps = np.diff([0.0, *settled, t_end])
        assert steps[-1] > 0.3 * steps[-2], steps[-3:]


@pytest.mark.parametrize("name", PAIRS)
def test_errors_follow_the_tolerance(name: str) -> None:
    """Four decades of tolerance: the error falls with it (tolerance proportionality), and stays near it."""
    errors, tolerances = [], [1e-5, 1e-7, 1e-9]
    for tol in tolerances:
        case = Plain(turning, (1.0, 0.0), name, step=0.01, t_end=3.0, tolerances=(tol, tol)).begin(guess=True)
        status, time, x = case.samples(np.linspace(0.0, 3.0, 61)[1:])
        assert status == Status.OK
        errors.append(np.abs(x - turned(time)).max())
    found = slopes(errors, tolerances)
    assert 0.75 < found.mean() < 1.3, (errors, found)
    assert all(tol / 10 < error < 500 * tol for error, tol in zip(errors, tolerances, strict=True)), errors


@pytest.mark.parametrize("name", PAIRS)
def test_no_step_is_longer_than_the_longest_allowed(name: str) -> None:
    settled, case = accepted_steps(name, [3.0], tolerances=(1e-2, 1e-2), max_step=0.03)
    assert np.diff([0.0, *settled]).max() <= 0.03 * (1 + 1e-12)
    assert case.rejected == 0


def spiked(t: float, x: np.ndarray) -> np.ndarray:
    """Even but for a bump of 10 ms at t = 1."""
    return np.array([1.0 + 300.0 * np.exp(-(((t - 1.0) / 1e-2) ** 2))])


@pytest.mark.parametrize("name", PAIRS)
def test_steps_are_rejected_where_the_slope_jumps_up(name: str) -> None:
    case = Plain(spiked, (0.0,), name, step=0.01, t_end=2.0, tolerances=(1e-6, 1e-8), max_step=0.02).begin(guess=True)
    status, _, x = case.samples([2.0])
    assert status == Status.OK
    assert case.rejected > 0
    assert x[-1, 0] == pytest.approx(2.0 + 300.0 * np.sqrt(np.pi) * 1e-2, abs=1e-4)
    # every rejection costs its stages, and nothing else is evaluated
    stages = case.tableau.stages
    new = stages - 1
    assert case.evaluations >= new * (case.rejected + case.done)


@pytest.mark.parametrize("name", PAIRS)
def test_a_wall_no_step_can_pass_is_reported(name: str) -> None:
    """x' = x^2 from 1 has no solution beyond t = 1."""
    case = Plain(lambda t, x: x * x, (1.0,), name, step=0.01, t_end=2.0, tolerances=(1e-3, 1e-3)).begin(guess=True)
    with np.errstate(all="ignore"):
        status, time, x = case.samples([0.5, 1.5])
    assert status == Status.STEP_TOO_SMALL
    assert_array_equal(time, [0.5])
    assert x[0, 0] == pytest.approx(2.0, rel=1e-2)
    assert case.run.settings[NOW] == pytest.approx(1.0, abs=1e-2)


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("why", [Status.NOT_FINITE, Status.ROTATION_TOO_LARGE])
def test_stages_that_cannot_be_evaluated_shorten_the_step(name: str, why: Status) -> None:
    """The state may be evaluated only below 2: a trial step beyond it is taken back, the run goes on."""

    def fails(t: float, x: np.ndarray) -> Status:
        return why if x[0] > 1.0 + 1e-3 else Status.OK

    case = Plain(
        lambda t, x: 40.0 * (1.0 - x), (0.0,), name, step=0.5, t_end=1.0, tolerances=(1e-4, 1e-4), fails=fails
    ).begin()
    case.run.settings[NEXT_STEP] = 0.5  # a first step that is far too long
    status, _, x = case.samples([1.0])
    assert status == Status.OK
    assert case.rejected > 0
    assert x[0, 0] == pytest.approx(1.0, abs=1e-3)


def test_other_failures_end_the_run_where_they_are() -> None:
    case = Plain(
        lambda t, x: np.ones(1), (0.0,), "dp54", step=0.1, t_end=1.0, tolerances=(1e-6, 1e-6), max_step=0.1,
        fails=lambda t, x: Status.SINGULAR if t > 0.55 else Status.OK,
    ).begin(guess=True)  # fmt: skip
    status, time, _ = case.samples([0.2, 0.4, 0.6])
    assert status == Status.SINGULAR
    assert_array_equal(time, [0.2, 0.4])
    assert 0.4 <= case.run.settings[NOW] <= 0.55
    fixed = Plain(
        lambda t, x: np.ones(1), (0.0,), "rk4", step=0.1, t_end=1.0,
        fails=lambda t, x: Status.ROTATION_TOO_LARGE if t > 0.55 else Status.OK,
    ).begin()  # fmt: skip
    status, time, _ = fixed.steps(10)
    assert status == Status.ROTATION_TOO_LARGE
    assert_allclose(time, 0.1 * np.arange(1, 6))


def test_a_failed_step_can_be_taken_again() -> None:
    """What is settled stays settled: a run that failed goes on as if nothing had happened."""
    broken = [True]

    def fails(t: float, x: np.ndarray) -> Status:
        return Status.NOT_FINITE if broken[0] and t > 0.52 else Status.OK

    for name in ("rk4", "dp54"):
        broken[0] = True
        case = Plain(turning, (1.0, 0.0), name, step=0.1, t_end=1.0, fails=fails).begin()
        status, first, x = case.steps(10)
        assert status == Status.NOT_FINITE
        assert case.done == len(first) == 5
        broken[0] = False
        status, rest, y = case.steps(5)
        assert status == Status.OK
        wanted = Plain(turning, (1.0, 0.0), name, step=0.1, t_end=1.0).begin().steps(10)
        assert_allclose(np.r_[first, rest], wanted[1], rtol=1e-14)
        assert_allclose(np.vstack([x, y]), wanted[2], atol=1e-15)


@pytest.mark.parametrize("name", ["rk4", "dp54", "dop853"])
def test_a_step_with_a_stage_at_a_rank_loss_is_taken_in_parts(name: str) -> None:
    """What stands at the middle of the step is avoided; steps stay as long as asked for."""

    def fails(t: float, x: np.ndarray) -> Status:
        return Status.SINGULAR if met and abs(t - met[0]) < 1e-6 else Status.OK

    for share in (0.5, 0.2, 1.0 / 3.0):
        met = [0.4 + 0.1 * share]
        case = Plain(turning, (1.0, 0.0), name, step=0.1, t_end=1.0, fails=fails).begin()
        status, times, x = case.steps(10)
        assert status == Status.OK
        assert_allclose(times, 0.1 * np.arange(1, 11), rtol=1e-14)
        met = []
        whole = Plain(turning, (1.0, 0.0), name, step=0.1, t_end=1.0).begin().steps(10)
        assert_allclose(x, whole[2], atol=2e-5)


@pytest.mark.parametrize("share", [0.0, 0.1])
def test_a_rank_loss_over_a_stretch_of_time_ends_the_run(share: float) -> None:
    """Parts do not help there; what was done of the step is kept, and the run can go on from it."""
    lost = [True]

    def fails(t: float, x: np.ndarray) -> Status:
        return Status.SINGULAR if lost[0] and t > 0.4 + share * 0.1 else Status.OK

    case = Plain(turning, (1.0, 0.0), "rk4", step=0.1, t_end=1.0, fails=fails).begin()
    status, first, _ = case.steps(10)
    assert status == Status.SINGULAR
    assert case.done == len(first) == 4
    lost[0] = False
    status, rest, x = case.steps(6)
    assert status == Status.OK
    assert_allclose(np.r_[first, rest], 0.1 * np.arange(1, 11), rtol=1e-14)
    whole = Plain(turning, (1.0, 0.0), "rk4", step=0.1, t_end=1.0).begin().steps(10)
    assert_allclose(x[-1], whole[2][-1], atol=2e-5)


@pytest.mark.parametrize("name", ["euler", "rk4", "dp54"])
@pytest.mark.parametrize("entry", ["place", "factorise"])
def test_a_step_whose_end_fails_is_not_lost(entry: str, name: str) -> None:
    """The state or the slope at a new base cannot be found at first: the sample there must still come, once."""
    broken = True
    why = Status.NOT_FINITE if entry == "place" else Status.SINGULAR

    def failing(context: Any) -> int:
        ends = abs(case.run.coef[TIME] - 0.5) < 1e-9 and (entry == "place" or not np.any(case.run.psi))
        return int(why) if broken and ends else usual(context)

    case = Plain(turning, (1.0, 0.0), name, step=0.1, t_end=1.0).begin()
    usual = getattr(case.entries, entry)
    case.entries = case.entries._replace(**{entry: failing})
    status, first, x = case.steps(10)
    if name == "dp54" and entry == "factorise":  # whose slope there is that of its last stage
        assert status == Status.OK
        return
    assert status == why
    assert len(first) == 4
    broken = False
    status, rest, y = case.steps(6)
    assert status == Status.OK
    assert_allclose(np.r_[first, rest], 0.1 * np.arange(1, 11), rtol=1e-14)
    wanted = Plain(turning, (1.0, 0.0), name, step=0.1, t_end=1.0).begin().steps(10)[2]
    assert_allclose(np.vstack([x, y]), wanted, atol=1e-15)


# projection ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("every", [1, 3])
def test_projection_comes_every_so_many_steps(name: str, every: int) -> None:
    case = Plain(turning, (1.0, 0.0), name, step=0.02, t_end=1.0, project_every=every).begin()
    _, time, x = case.steps(12)
    off = np.abs(np.linalg.norm(x, axis=1) - 1.0)
    assert np.all(off[every - 1 :: every] < 1e-14)
    if every > 1 and load_tableau(name).order < 8:
        assert np.all(off[: every - 1] > 1e-15)
    assert np.abs(x - turned(time)).max() < 0.1


# settings -----------------------------------------------------------------------------------------------------


def test_integrators_describe_themselves() -> None:
    for name in NAMES:
        found = RungeKutta(name).describe()
        assert found["name"] == name
        assert found["order"] == load_tableau(name).order
        assert ("error estimate" in found["summary"]) == (name in PAIRS)


TOP = "muller2013_heavy_top"


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"t_eval": []}, "t_eval"),
        ({"t_eval": ["soon"]}, "t_eval"),
        ({"t_eval": [0.02, 0.01]}, "ascend"),
        ({"t_eval": [0.01, 0.01]}, "ascend"),
        ({"t_eval": [0.01, 0.2]}, "between 0 and t_end"),
        ({"t_eval": [-0.01, 0.02]}, "between 0 and t_end"),
        ({"t_eval": [np.nan]}, "t_eval"),
        ({"t_eval": [0.01, np.inf]}, "t_eval"),
        ({"rtol": 1e-6}, "dp54"),
        ({"atol": 1e-6, "integrator": "euler"}, "bs32"),
        ({"rtol": 0.0, "integrator": "dp54"}, "rtol"),
        ({"rtol": -1e-3, "integrator": "dp54"}, "rtol"),
        ({"atol": "fine", "integrator": "dp54"}, "atol"),
        ({"max_step": 1e-3, "integrator": "dp54"}, "rtol"),
        ({"max_step": 0.0, "rtol": 1e-6, "integrator": "dp54"}, "max_step"),
        ({"stabilisation": "some"}, "projection"),
        ({"stabilisation": "none", "baumgarte": (1, 1)}, "baumgarte"),
        ({"stabilisation": "projection", "baumgarte": (1, 1)}, "baumgarte"),
        ({"stabilisation": "baumgarte", "project_every": 2}, "project_every"),
        ({"baumgarte": (1.0,)}, "two gains"),
        ({"baumgarte": 3.0}, "two gains"),
        ({"baumgarte": (1.0, -1.0)}, "gains"),
        ({"baumgarte": (np.nan, 1.0)}, "gains"),
        ({"project_every": 0}, "project_every"),
        ({"project_every": 1.5}, "project_every"),
    ],
    ids=str,
)
def test_settings_that_make_no_sense_are_refused_in_words(how: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        lw.simulate(lw.load(TOP), 0.1, 1e-3, "lie-se3", **{"integrator": "rk4", **how})


# mechanisms, compiled -----------------------------------------------------------------------------------------


def top(integrator: str = "dp54", t_end: float = 0.3, step: float = 1e-2, **how: Any) -> lw.Result:
    return lw.simulate(lw.load(TOP), t_end, step, "lie-se3", integrator, **how)


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("size", [1, 7])
def test_chunks_leave_no_trace(name: str, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = top(name, rtol=1e-7)
    fixed = top(name, step=1e-3)
    monkeypatch.setattr(Chunks, "next", lambda self, left: min(left, size))
    for one, two in ((whole, top(name, rtol=1e-7)), (fixed, top(name, step=1e-3))):
        for variable in ("time", "position", "rotation", "angular_velocity", "acceleration", "multiplier"):
            assert_array_equal(two[variable], one[variable], err_msg=variable)
        assert {k: two.info[k] for k in ("steps", "evaluations", "rejected")} == {
            k: one.info[k] for k in ("steps", "evaluations", "rejected")
        }


@pytest.mark.parametrize("name", PAIRS)
def test_neither_samples_nor_every_change_the_steps(name: str) -> None:
    often = top(name, step=1e-3, rtol=1e-7)
    for other in (
        top(name, step=1e-1, rtol=1e-7),
        top(name, step=1e-3, every=7, rtol=1e-7),
        top(name, rtol=1e-7, t_eval=[0.3]),
        top(name, rtol=1e-7, t_eval=np.linspace(0, 0.3, 11)),
    ):
        assert other.info["steps"] == often.info["steps"]
        assert other.info["rejected"] == often.info["rejected"]
        assert other.time[-1] == 0.3
        assert_allclose(other["position"][-1], often["position"][-1], atol=1e-12)
        for k, t in enumerate(other.time):
            at = np.flatnonzero(np.abs(often.time - t) < 1e-9)
            if len(at):
                assert_allclose(other["position"][k], often["position"][at[0]], atol=1e-12)


@pytest.mark.parametrize("how", [{}, {"rtol": 1e-9, "atol": 1e-11}], ids=["fixed", "adaptive"])
def test_samples_come_at_the_times_asked_for(how: dict[str, float]) -> None:
    fine = top("dp54", t_end=0.1, step=1e-4)
    for times in ([0.0], [0.1], 0.05, [0.0, 0.1], [1e-12, 0.03, 0.1], [0.0123, 0.0124, 0.0777]):
        result = top("dp54", t_end=0.1, step=1e-3, t_eval=times, **how)
        assert_array_equal(result.time, np.ravel(times))
        for k, t in enumerate(result.time):
            on_grid = round(t / 1e-4)
            if abs(on_grid * 1e-4 - t) < 1e-10:
                assert_allclose(result["position"][k], fine["position"][on_grid], atol=1e-8)
                assert_allclose(result["velocity"][k], fine["velocity"][on_grid], atol=1e-6)


def test_times_that_miss_the_end_by_rounding_are_taken_to_be_the_end() -> None:
    times = 0.1 * np.arange(4)  # 0.30000000000000004
    for how in ({}, {"rtol": 1e-12, "atol": 1e-13}):
        result = top("dp54", t_end=0.3, t_eval=times, **how)
        assert_allclose(result.time, times, rtol=1e-15)
    result = top("dp54", t_end=0.3, t_eval=[0.3 * (1 + 9e-13)])
    assert_allclose(result.time, 0.3, rtol=1e-12)


@pytest.mark.parametrize(("t_end", "step"), [(0.1, 0.03), (1e-9, 1e-3), (1e-3, 1e-2), (0.05, 0.05)])
def test_adaptive_runs_end_on_time_whatever_the_samples(t_end: float, step: float) -> None:
    result = top("dp54", t_end=t_end, step=step, rtol=1e-8)
    assert result.time[0] == 0.0
    assert result.time[-1] == t_end
    assert_allclose(np.diff(result.time)[:-1], step, rtol=1e-9)
    assert np.diff(result.time)[-1] > 1e-9 * step
    assert result.info["steps"] >= 1


def test_a_run_counts_its_steps() -> None:
    fixed = top("rk4", step=1e-3)
    assert (fixed.info["steps"], fixed.info["rejected"]) == (300, 0)
    assert fixed.info["evaluations"] == 4 * 300 + 1
    sampled = top("rk4", step=1e-3, t_eval=[0.1, 0.3])
    assert sampled.info["steps"] == 300
    adaptive = top("dp54", rtol=1e-8)
    assert adaptive.info["rtol"] == 1e-8
    assert adaptive.info["atol"] == 1e-9
    assert adaptive.info["steps"] > 10


def test_half_a_turn_in_a_step_is_refused_with_the_body() -> None:
    """70 rad/s: 40 ms are too long for a fixed step; adaptive ones find that out themselves."""
    with pytest.raises(ConvergenceError, match="body 'top' at") as error:
        top("rk4", step=0.05)
    assert "half a revolution" in str(error.value)
    assert error.value.result is not None
    assert len(error.value.result.time) == 1
    assert top("dp54", step=0.1, rtol=1e-2, atol=1e-2).time[-1] == 0.3


def spent(**how: Any) -> lw.Result:
    """A thrust that has no value beyond t = 0.1 s."""
    m = lw.Mechanism("spent", gravity=(0, 0, 0))
    m.body("ship", mass=1.0, inertia=[0.1, 0.1, 0.1])
    m.force("thrust", "force", body="ship", components=("sqrt(0.1 - t)", 0.0, 0.0))
    return lw.simulate(m, 0.3, 1e-2, "lie-product", **how)


def test_forces_that_are_no_numbers_end_a_run_in_words() -> None:
    with pytest.raises(ConvergenceError, match="no step was small enough") as error:
        spent(integrator="dp54", rtol=1e-8)
    result = error.value.result
    assert_allclose(result.time, 1e-2 * np.arange(len(result.time)), atol=1e-15)
    assert result.time[-1] == pytest.approx(0.09)
    assert "0.1 s" in str(error.value)
    wanted = (0.1**1.5 - (0.1 - result.time) ** 1.5) / 1.5
    assert_allclose(result.velocity("ship")[:, 0], wanted, atol=1e-6)
    with pytest.raises(ConvergenceError, match="not finite") as error:
        spent(integrator="rk4")
    assert error.value.result.time[-1] == pytest.approx(0.1)
