"""Step control in few variables, uncompiled: tolerances, rejected steps, and steps that fail."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from unit.vector_space import PAIRS, Plain, slopes, turned, turning

from linkwork.status import Status


def accepted_steps(name: str, times: Any, **how: Any) -> tuple[list[float], Plain]:
    """Where steps began, from the times at which the base was settled."""
    case = Plain(turning, (1.0, 0.0), name, step=0.01, t_end=3.0, **how)
    settled: list[float] = []
    settle = case.entries.accept_step
    case.entries = case.entries._replace(accept_step=lambda c: (settled.append(case.run.request.time[0]), settle(c))[1])
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
        settle = case.entries.accept_step
        case.entries = case.entries._replace(
            accept_step=lambda c, keep=settled, go=settle, case=case: (keep.append(case.run.request.time[0]), go(c))[1]
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
    assert case.run.now[0] == pytest.approx(1.0, abs=1e-2)


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("why", [Status.NOT_FINITE, Status.ROTATION_TOO_LARGE])
def test_stages_that_cannot_be_evaluated_shorten_the_step(name: str, why: Status) -> None:
    """The state may be evaluated only below 2: a trial step beyond it is taken back, the run goes on."""

    def fails(t: float, x: np.ndarray) -> Status:
        return why if x[0] > 1.0 + 1e-3 else Status.OK

    case = Plain(
        lambda t, x: 40.0 * (1.0 - x), (0.0,), name, step=0.5, t_end=1.0, tolerances=(1e-4, 1e-4), fails=fails
    ).begin()
    case.run.next_step[0] = 0.5  # a first step that is far too long
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
    assert 0.4 <= case.run.now[0] <= 0.55
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
@pytest.mark.parametrize("entry", ["set_state", "factorise"])
def test_a_step_whose_end_fails_is_not_lost(entry: str, name: str) -> None:
    """The state or the slope at a new base cannot be found at first: the sample there must still come, once."""
    broken = True
    why = Status.NOT_FINITE if entry == "set_state" else Status.SINGULAR

    def failing(context: Any) -> int:
        ends = abs(case.run.request.time[0] - 0.5) < 1e-9 and (entry == "set_state" or not np.any(case.run.psi))
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


@pytest.mark.parametrize("name", ["euler", "rk4", "dp54"])
def test_one_entry_evaluates_where_there_is_one(name: str) -> None:
    """The same slopes at the same states, and nothing is placed twice."""
    case = Plain(turning, (1.0, 0.0), name, step=0.1, t_end=1.0)

    def evaluate(context: Any) -> int:
        status = 0 if case.run.request.state_is_set[0] == 1 else case.place(context)
        return status or case.solve(context) or case.slope(context)

    def unwanted(context: Any) -> int:
        raise AssertionError("is done by evaluate")

    case.run.in_one[0] = 1
    case.entries = case.entries._replace(
        evaluate=evaluate, apply=unwanted, detect_redundant_rows=unwanted, factorise=unwanted, solve=unwanted
    )
    found = case.begin().steps(10)
    whole = Plain(turning, (1.0, 0.0), name, step=0.1, t_end=1.0)
    wanted = whole.begin().steps(10)
    assert found[0] == wanted[0] == Status.OK
    assert_array_equal(found[2], wanted[2])
    assert case.placements == whole.placements
