"""A study of one mechanism: every run measured, files and pages that need nothing else."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from numpy.testing import assert_allclose
from unit.comparison_case import MODEL, SETTING, TRIO

import linkwork as lw
from linkwork.cli.progress import Lines
from linkwork.errors import OutputExistsError, StartStateError, UsageError
from linkwork.reports.comparison.scales import Scale
from linkwork.studies.comparison import words
from linkwork.studies.comparison.case import Case
from linkwork.studies.comparison.comparison import Comparison, most_accurate
from linkwork.studies.comparison.files import study_from
from linkwork.studies.comparison.measures import Row


@pytest.fixture(scope="module")
def compared() -> Comparison:
    return lw.compare(lw.load(MODEL), formulations=TRIO, workers=2, **SETTING)


def test_a_comparison_measures_every_run(compared: Comparison) -> None:
    assert {row.case.formulation for row in compared.rows} == set(TRIO)
    assert not compared.failures
    assert compared.complete
    assert compared.reference is not None
    assert compared.reference.uncertainty < 1e-11
    for row in compared.done:
        assert row.error < 0.1
        assert row.us_per_step > 0.0
        assert row.timed
        assert row.energy_drift >= 0.0
        assert row.position_violation < 1e-4
        assert ("iterations" in row.counts) == math.isfinite(row.iterations_per_step)
        assert compared.curves[row.key].error is not None
    assert compared.row("rA", "generalized-alpha").iterations_per_step > 1.0


def test_operations_are_counted_where_they_can_be(compared: Comparison) -> None:
    for row in compared.done:
        assert (row.operations is None) == (row.case.integrator in ("implicit-euler", "generalized-alpha"))
    assert "operations/eval" in compared.table()
    assert compared.dataset["operations"].notnull().sum() > 0


def test_errors_fall_with_the_order_of_the_method(compared: Comparison) -> None:
    def errors(integrator: str) -> list[float]:
        return [
            row.error
            for row in compared.done
            if row.case.step is not None and (row.case.formulation, row.case.integrator) == ("lie-se3", integrator)
        ]

    for integrator, order in (("implicit-euler", 1), ("generalized-alpha", 2), ("rk4", 4)):
        coarse, fine = errors(integrator)
        assert math.log2(coarse / fine) == pytest.approx(order, abs=0.35), integrator


def test_formulations_agree_with_each_other(compared: Comparison) -> None:
    table = compared.agreement
    assert [case.formulation for case in table.cases] == TRIO
    assert table.digits[1][2] > 11.0
    assert table.digits[0][1] > 4.0


def row(error: float, evaluations: int, step: float = 1e-3, **more: Any) -> Row:
    case = Case("augmented", "rk4", step=step)
    return Row(
        case,
        "key",
        more.pop("status", "done"),
        pose_error=error,
        rate_error=0.0,
        **more,
        counts={"evaluations": evaluations},
    )


def test_the_most_accurate_run_is_the_cheapest_of_those_that_are_alike() -> None:
    rows = [row(1e-3, 10, 4e-3), row(6.1e-15, 20, 2e-3), row(6.0e-15, 40)]
    assert most_accurate(rows) is rows[1]
    assert most_accurate([row(2e-4, 10), row(1e-4, 20)]).error == 1e-4
    unknown = [row(math.nan, 10, 4e-3), row(math.nan, 20, 2e-3)]
    assert most_accurate(unknown) is unknown[1]


def test_a_start_that_joints_do_not_allow_is_refused_unless_it_may_change() -> None:
    mech = lw.load(MODEL)
    mech.change(mech.bodies[0].name, velocity=(1.0, 2.0, 3.0))
    few = {"formulations": ["rA"], "steps": [1e-2], "reference": "none", "repeats": 0, "samples": 2, "workers": 1}
    with pytest.raises(StartStateError):
        lw.compare(mech, t_end=0.02, **few)
    found = lw.compare(mech, t_end=0.02, accept_changes=True, **few)
    assert [row.status for row in found.rows] == ["done"]
    assert found.rows[0].judgement in ("good", "doubtful")


def test_failures_that_differ_in_numbers_only_are_one_line(compared: Comparison) -> None:
    reasons = ["t = 0.028 s, step 7: stops. Take less.", "t = 1e-05 s, step 12: stops. Take less.", "has no inertia."]
    rows = [row(math.nan, 0, status="failed", code="LW-X", reason=reason) for reason in reasons]
    found = words.shortfalls(replace(compared, rows=tuple(rows)))
    assert [(one.fineness, one.reason) for one in found] == [("2 runs", reasons[1]), ("h = 0.001 s", reasons[2])]


def test_memory_of_a_formulation_is_not_that_of_those_before_it(compared: Comparison) -> None:
    """Each formulation has a process of its own. In it later methods hold the code of earlier ones, 15 MB each, so that
    the first of each formulation are compared."""
    most = [next(row for row in compared.rows if row.case.formulation == name).peak_memory for name in TRIO]
    if None in most:
        pytest.skip("the system does not say how much memory a process holds")
    known = [value for value in most if value is not None]
    assert max(known) - min(known) < 0.15 * min(known)


def test_progress_is_told_in_lines_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    tell = Lines(every=0.0)
    tell("phase", "running", 3)
    tell("kept", "a", 1)
    tell("began", "b", 1)
    tell("ended", "b", 1)
    tell("phase", "timing", 0)
    lines = capsys.readouterr().err.splitlines()
    assert lines == ["running: 3 runs", "running: 1 of 3 after 0 s, began b", "running: 2 of 3 after 0 s, ended b"]


def test_data_set_and_files(compared: Comparison, tmp_path: Path) -> None:
    import xarray

    for ending in (".nc", ".json", ".html"):
        compared.save(tmp_path / f"c{ending}")
    with pytest.raises(OutputExistsError):
        compared.save(tmp_path / "c.nc")
    with pytest.raises(UsageError, match="does not end"):
        compared.save(tmp_path / "c.txt")
    data = xarray.open_dataset(tmp_path / "c.nc", engine="h5netcdf")
    assert data.sizes["run"] == len(compared.rows)
    assert_allclose(data["pose_error"], [row.pose_error for row in compared.rows])
    assert data["us_per_step"].attrs["units"] == "us"
    assert data["error_over_time"].dims == ("run", "time")
    assert_allclose(data["error_over_time"].max("time"), [row.error for row in compared.rows])
    said = json.loads((tmp_path / "c.json").read_text())
    assert [run["label"] for run in said["runs"]] == [row.case.label for row in compared.rows]
    assert said["agreement"]["digits"][0][0] is None
    assert study_from(said["study"]) == compared.study


def test_the_report_needs_nothing_else_and_is_small(compared: Comparison, tmp_path: Path) -> None:
    compared.save(tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert len(text.encode()) < 3_000_000
    assert "://" not in text.replace(compared.description, "")
    assert not re.search(r"<script|<link|<img|@import|url\(", text)
    assert 'name="viewport"' in text
    assert text.count("<figure>") == 5
    for name in TRIO:
        assert name in text
    assert "@media print" in text


def test_names_are_escaped_in_the_report(compared: Comparison) -> None:
    from dataclasses import replace

    from linkwork.reports.comparison import page

    text = page(replace(compared, mechanism="<b>&", notes=("a <script> note",)))
    assert "<b>&" not in text
    assert "<script" not in text
    assert "&lt;b&gt;&amp;" in text


def test_scales_have_ticks_to_read() -> None:
    wide = Scale.of([1e-16, 1.0], 0.0, 100.0, log=True)
    assert 3 <= len(wide.ticks()) <= 8
    narrow = Scale.of([1e-3, 4e-3], 0.0, 100.0, log=True)
    assert {"0.002", "0.001"} <= {label for _, label in narrow.ticks()}
    assert [label for _, label in Scale.of([0.0, 1.0], 0.0, 1.0, log=False).ticks()] == [
        "0",
        "0.2",
        "0.4",
        "0.6",
        "0.8",
        "1",
    ]
    assert wide(0.0) == wide.start
