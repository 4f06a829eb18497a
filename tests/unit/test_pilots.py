"""Pilot runs: which of them record all samples, and that one that did is handed over without its steps once more."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.integrators.runge_kutta_run import RungeKuttaRun
from linkwork.planner import wisdom

TOP, CHAOTIC = "muller2013_heavy_top", "muller2013_spherical_double_pendulum"


@pytest.fixture(autouse=True)
def unwise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wisdom, "path", lambda: tmp_path / "wisdom.json")
    wisdom.forget()


@pytest.fixture
def starts(monkeypatch: pytest.MonkeyPatch) -> Counter[float]:
    """How many runs took their first steps, by rtol."""
    found: Counter[float] = Counter()
    advance = RungeKuttaRun.advance

    def counted(run: RungeKuttaRun, units: int) -> Any:
        if run.done == 0:
            found[run.settings["rtol"]] += 1
        return advance(run, units)

    monkeypatch.setattr(RungeKuttaRun, "advance", counted)
    return found


def test_a_pilot_with_all_samples_is_handed_over_and_its_steps_are_taken_once(starts: Counter[float]) -> None:
    mech = lw.load(TOP)
    first = lw.simulate(mech, 2.0, 0.005)  # 401 samples, of which pilots otherwise record 201
    assert first.accuracy is not None
    assert first.accuracy.reached
    assert [*starts.values()] == [1] * len(first.accuracy.trials)
    again = lw.simulate(mech, 2.0, 0.005)  # begins with what the first call found, and takes the steps
    assert starts[again.info["rtol"]] == 2
    assert first.time.size == again.time.size == 401
    assert set(first.variables) == set(again.variables)
    for name in ("time", "position", "rotation", "acceleration", "reaction_force", "kinetic_energy"):
        np.testing.assert_array_equal(first[name], again[name])
    plain = ("steps", "evaluations", "rejected", "rtol", "atol", "max_step", "judgement", "verdicts", "accuracy")
    assert {name: first.info[name] for name in plain} == {name: again.info[name] for name in plain}
    assert first.messages == again.messages
    assert first.info["run_seconds"] > 0.0  # of the steps, which were taken before


def test_the_finer_run_of_a_pair_that_missed_is_handed_over_as_it_is(starts: Counter[float]) -> None:
    result = lw.simulate(lw.load("kissel2021_slider_crank"), 3.0, 0.01)
    assert result.accuracy is not None
    assert result.info["rtol"] == result.accuracy.trials[1].value
    assert [*starts.values()] == [1, 1, 1]


def test_a_file_is_written_by_a_run_of_its_own(starts: Counter[float], tmp_path: Path) -> None:
    out = tmp_path / "top.nc"
    written = lw.simulate(lw.load(TOP), 2.0, 0.005, out=out)
    assert starts[written.info["rtol"]] == 2  # whose state after every sample a file may be gone on with from
    kept = lw.simulate(lw.load(TOP), 2.0, 0.005)
    np.testing.assert_array_equal(lw.open_result(out)["position"], kept["position"])


def test_many_samples_of_few_steps_are_left_to_the_run_that_is_handed_over(starts: Counter[float]) -> None:
    result = lw.simulate(lw.load("kissel2021_four_link"), 1.0, 0.0005)  # 2001 samples of some twenty steps
    assert starts[result.info["rtol"]] == 2
    assert result.time.size == 2001


def test_what_cannot_be_followed_is_handed_over_as_the_tightest_run(starts: Counter[float]) -> None:
    result = lw.simulate(lw.load(CHAOTIC), 3.0, 0.01)
    assert result.accuracy is not None
    assert not result.success
    assert [one.value for one in result.accuracy.trials][2:] == [1e-12, pytest.approx(1e-13)]
    assert [*starts.values()] == [1, 1, 1, 1]
    assert result.time.size == 301
