"""Planned runs in a study: what was asked, what the run says of itself, what the reference says of that."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from unit.comparison_case import MODEL, study

import linkwork as lw
from linkwork.reports.comparison.index import index
from linkwork.studies.comparison import words
from linkwork.studies.comparison.case import Case
from linkwork.studies.comparison.comparison import Comparison

ASKED = (1e-2, 1e-5, 1e-8)


@pytest.fixture(scope="module")
def compared() -> Comparison:
    """Planned runs beside one pair."""
    return lw.compare(
        lw.load(MODEL), 0.3, formulations=["lie-mixed"], integrators=["dop853"], rtol=1e-6, accuracy=ASKED,
        repeats=1, samples=20, workers=2,
    )  # fmt: skip


def test_the_reference_says_whether_an_accuracy_is_kept(compared: Comparison) -> None:
    planned = [row for row in compared.done if row.accuracy is not None]
    assert [row.case.accuracy for row in planned] == list(ASKED)
    assert compared.reference is not None
    for row, asked in zip(planned, ASKED, strict=True):
        assert row.accuracy is not None
        assert row.accuracy.reached
        assert not row.accuracy.missed
        assert row.pose_error <= asked
        assert row.accuracy.estimate <= asked
        assert row.accuracy.until == pytest.approx(0.3)
        assert row.accuracy.runs >= 1
        assert row.us_per_second > 0.0
        assert compared.curves[row.key].error is not None
    assert planned[0].pose_error > planned[-1].pose_error
    assert compared.exit_status == 0


def test_planned_runs_are_told_as_such(compared: Comparison) -> None:
    text = compared.table()
    assert "planned" in text
    assert "asked 1e-05" in text
    for line, asked in zip(words.accuracies(compared), ASKED, strict=True):
        assert line.startswith(f"accuracy of {asked:.2g} asked: reached; estimated")
        assert "by the reference" in line
        assert "dop853" in line or "ts54" in line
    assert [case.formulation for case in compared.agreement.cases] == [
        "lie-mixed"
    ]  # a planned run is one of the others


def test_files_and_pages_hold_what_was_asked(compared: Comparison, tmp_path: Path) -> None:
    np.testing.assert_array_equal(compared.dataset["accuracy"].values[-3:], ASKED)
    assert np.isnan(compared.dataset["accuracy"].values[0])
    for name in ("found.json", "found.html"):
        compared.save(tmp_path / name)
    runs = json.loads((tmp_path / "found.json").read_text())["runs"]
    assert [run["accuracy"] for run in runs] == [None, *ASKED]
    assert runs[0]["proof"] is None
    assert runs[-1]["proof"]["asked"] == ASKED[-1]
    page = (tmp_path / "found.html").read_text()
    assert "Accuracy of 1e-05 asked: reached" in page
    assert "<b>1</b><span>formulations" in page


def short(compared: Comparison, **proof: object) -> Comparison:
    """The same, where the last run says other things of itself."""
    last = compared.rows[-1]
    assert last.accuracy is not None
    made = replace(last, accuracy=replace(last.accuracy, **proof))  # type: ignore[arg-type]
    return replace(compared, rows=(*compared.rows[:-1], made))


def test_what_is_not_reached_or_missed_has_a_status_and_words(compared: Comparison) -> None:
    honest = short(compared, reached=False, reason="neighbouring motions part", until=0.2)
    assert honest.exit_status == 6
    assert not honest.missed
    assert "NOT reached, as the run says: neighbouring motions part (kept to 0.2 s)" in words.accuracies(honest)[-1]
    wrong = short(compared, missed=True)
    assert wrong.exit_status == 6
    assert wrong.missed
    assert "MISSED, though the run says that it is reached" in words.accuracies(wrong)[-1]
    assert "1 short of the accuracy asked for" in words.heading(wrong)
    (section,) = index(study(accuracy=1e-3), {MODEL: wrong}).sections
    assert section.badge is not None
    assert (section.badge.text, section.badge.tone) == ("an accuracy is not reached", "bad")


def test_a_run_that_errs_by_more_than_it_says_is_missed(tmp_path: Path) -> None:
    """A kept run of which is said that it was asked for far more than it has."""
    found = lw.run_study(study(accuracy=1e-3, repeats=0, samples=20), folder=tmp_path, workers=1)
    assert not found.missed
    (row,) = (one for one in found.rows if one.accuracy is not None)
    motion = tmp_path / "runs" / f"{row.key}.nc"
    claimed = lw.run_study(study(accuracy=1e-9, repeats=0, samples=20), folder=tmp_path, workers=1)
    (other,) = (one for one in claimed.rows if one.accuracy is not None)
    (tmp_path / "runs" / f"{other.key}.nc").write_bytes(motion.read_bytes())
    again = lw.run_study(study(accuracy=1e-9, repeats=0, samples=20), folder=tmp_path, workers=1)
    assert again.missed
    assert again.exit_status == 6


def test_a_motion_that_cannot_be_followed_is_no_success() -> None:
    found = lw.compare(
        lw.load("muller2013_spherical_double_pendulum"), 3.0, formulations=None, accuracy=1e-6, repeats=0, samples=30,
        workers=2,
    )  # fmt: skip
    assert [row.case for row in found.rows] == [Case.planned(1e-6)]
    (row,) = found.done
    assert row.accuracy is not None
    assert not row.accuracy.reached
    assert not row.accuracy.missed
    assert 0.3 < row.accuracy.until < 3.0
    assert math.isfinite(row.pose_error)
    assert found.exit_status == 6
