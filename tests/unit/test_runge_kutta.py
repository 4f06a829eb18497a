"""Runge-Kutta in few variables, uncompiled: orders, dense output, projection, and that nothing depends on chunks."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from unit.vector_space import NAMES, PAIRS, Plain, logistic, logistic_solution, slopes, turned, turning

from linkwork.integrators.tableaux import load_tableau
from linkwork.status import Status

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
    """t_end is no multiple of the step: nothing is evaluated beyond it, whether little or most of a step is left."""
    for step in (0.3, 0.6):
        case = Plain(turning, (1.0, 0.0), name, step=step, t_end=1.0).begin()
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
