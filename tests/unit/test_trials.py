"""Trials keep within a tenth of what is planned, and what they taught is no condition of a plan."""

from __future__ import annotations

from itertools import count
from time import monotonic, sleep, thread_time
from typing import Any

import pytest

import linkwork as lw
from linkwork.planner import one_run, trials, wisdom
from linkwork.planner.candidates import COUNTED, GROWTH

FOUR_BARS = "kissel2021_four_link"


@pytest.fixture(autouse=True)
def unwise(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wisdom, "path", lambda: tmp_path / "wisdom.json")
    wisdom.forget()


def noted(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, float | None]]:
    """Pairs that are tried, each with its deadline, of `time.thread_time`."""
    made: list[tuple[str, float | None]] = []
    whole = trials.trial

    def trial(setting: Any, method: Any, deadline: float | None = None, busy_until: float | None = None) -> Any:
        made.append((method.label, busy_until))
        return whole(setting, method, deadline, busy_until)

    monkeypatch.setattr(trials, "trial", trial)
    return made


def test_a_run_too_short_for_trials_is_predicted_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    made = noted(monkeypatch)
    short = lw.plan(lw.load(FOUR_BARS), 3.0, effort="measure")
    assert made == []
    assert "no pair was tried" in str(short)
    assert "a longer run, effort 'patient' or a time limit leaves room" in str(short)
    assert {one.known for one in short.considered if one.operations} == {GROWTH}  # counting takes as long as trials
    limited = lw.plan(lw.load(FOUR_BARS), 3.0, effort="patient", time_limit=0.1)
    assert made == []
    assert "a tenth of the time limit of 0.1 s is 0.01 s" in str(limited)


def test_a_long_run_leaves_room_for_four_trials_within_a_tenth_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    made = noted(monkeypatch)
    began = thread_time()
    long = lw.plan(lw.load(FOUR_BARS), 20_000.0, effort="measure")
    assert 1 <= len(made) <= 4
    predicted = trials.SHARE * trials.PROVED * max(one.predicted for one in long.considered)
    assert all(deadline is not None and began < deadline for _, deadline in made)
    assert min(deadline or 0.0 for _, deadline in made) < thread_time() + predicted


@pytest.mark.parametrize(("counting", "known"), [(trials.COUNTING, COUNTED), (1e9, GROWTH)])
def test_operations_of_a_pair_are_counted_where_trials_leave_room(
    monkeypatch: pytest.MonkeyPatch, counting: float, known: str
) -> None:
    """By a clock that a look at it moves, and nothing else."""
    looked = count()
    for module in (trials, one_run):
        monkeypatch.setattr(module, "thread_time", lambda: 1e-9 * next(looked))
    monkeypatch.setattr(trials, "COUNTING", counting)
    plan = lw.plan(lw.load(FOUR_BARS), 20_000.0, effort="measure")
    assert plan.chosen.seconds is not None
    assert plan.chosen.known == known


def test_a_deadline_ends_a_trial_that_has_begun() -> None:
    plan = lw.plan(lw.load(FOUR_BARS), 2e5)
    trials.trial(lw.plan(lw.load(FOUR_BARS), 0.1).setting, plan.chosen.method)  # its code is there
    began = monotonic()
    assert trials.trial(plan.setting, plan.chosen.method, began + 0.05) is None
    assert monotonic() - began < 0.9  # MOST_SECONDS is 1.0


def test_a_deadline_in_seconds_of_computing_ends_a_trial_that_has_begun() -> None:
    plan = lw.plan(lw.load(FOUR_BARS), 2e5)
    trials.trial(lw.plan(lw.load(FOUR_BARS), 0.1).setting, plan.chosen.method)
    began = thread_time()
    assert trials.trial(plan.setting, plan.chosen.method, busy_until=began + 0.05) is None
    assert thread_time() - began < 0.9  # MOST_SECONDS is 1.0


@pytest.mark.parametrize("limit", [None, 300.0])
def test_what_else_a_machine_does_does_not_choose(monkeypatch: pytest.MonkeyPatch, limit: float | None) -> None:
    """Where a second passes by the clock whenever somebody looks, trials of a stiff mechanism come to their end."""
    said = lw.load("spatial_slider_crank_spring").to_dict()
    (spring,) = (force for force in said["forces"] if force["type"] == "spring")
    spring["damping"] = 1e6
    passed = count()

    def hastened() -> float:
        return monotonic() + next(passed)

    for module in (trials, one_run):
        monkeypatch.setattr(module, "monotonic", hastened)
    plan = lw.plan(lw.Mechanism.from_dict(said), 0.2, time_limit=limit)
    assert plan.traits.stiff
    assert plan.chosen.seconds is not None
    assert not plan.chosen.method.explicit


def test_first_use_of_a_pair_is_no_planning_and_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trials, "_used", set())
    monkeypatch.setattr(trials, "WORTH_SAYING", 0.0)
    made = noted(monkeypatch)
    plan = lw.plan(lw.load(FOUR_BARS), 3.0, effort="measure", time_limit=3.0)
    told = [remark for remark in plan.remarks if "compiling or loading its code took" in remark]
    assert len(told) == len(made) > 0
    deadlines = [deadline or 0.0 for _, deadline in made]
    assert deadlines == sorted(set(deadlines))  # each first use moves what is left on


def test_what_listing_the_pairs_takes_is_no_trial(monkeypatch: pytest.MonkeyPatch) -> None:
    made, listed = noted(monkeypatch), trials.promising

    def slow(able: Any, *, stiff: bool) -> Any:
        sleep(0.5)
        return listed(able, stiff=stiff)

    monkeypatch.setattr(trials, "promising", slow)
    lw.plan(lw.load(FOUR_BARS), 3.0, effort="measure", time_limit=4.0)
    assert made


def test_a_directory_that_cannot_be_written_leaves_the_plan_as_it_is(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("no directory")
    monkeypatch.setattr(wisdom, "path", lambda: tmp_path / "file" / "wisdom.json")
    plan = lw.plan(lw.load(FOUR_BARS), 0.5, effort="patient")
    assert plan.chosen.seconds is not None
    assert plan.run().success
    assert sum("cannot be written" in remark for remark in plan.remarks) == 1
    with pytest.raises(OSError, match="file"):
        wisdom.export()
