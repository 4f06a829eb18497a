"""Studies of one mechanism: planned, run in processes, kept, measured; failures are rows; pages need nothing else."""

from __future__ import annotations

import json
import math
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import linkwork as lw
from linkwork.cli.main import status_of
from linkwork.cli.progress import Lines
from linkwork.errors import OutputExistsError, StudyError, UsageError
from linkwork.formulations import FORMULATIONS
from linkwork.matching import fitting
from linkwork.mechanism.rotation import turn
from linkwork.reports.comparison.scales import Scale
from linkwork.studies import independence
from linkwork.studies.comparison import desk, words, workers
from linkwork.studies.comparison.case import Case, Setting
from linkwork.studies.comparison.comparison import Comparison, most_accurate
from linkwork.studies.comparison.files import load_study, save_study, study_from
from linkwork.studies.comparison.lock import alone
from linkwork.studies.comparison.measures import Row
from linkwork.studies.comparison.plan import plan_of, sampling, suitable
from linkwork.studies.comparison.reference import conclude, turned
from linkwork.studies.comparison.store import Store
from linkwork.studies.comparison.story import mechanism_of, run_study
from linkwork.studies.comparison.study import SCHEMA_FILE, schema_text
from linkwork.studies.comparison.worker import carry_out
from linkwork.studies.motion import Motion, angle_between, at_grid, difference, digits

MODEL = "kissel2021_double_pendulum"
SETTING = {"t_end": 0.1, "repeats": 1, "samples": 20, "steps": [2e-3, 1e-3], "rtol": [1e-6]}
TRIO = ["rA", "lie-se3", "joint-rates"]


def study(**parts: Any) -> Any:
    return study_from({"study": 1, "mechanism": MODEL, "t_end": 0.1, **parts})


@pytest.fixture(scope="module")
def compared() -> Comparison:
    return lw.compare(lw.load(MODEL), formulations=TRIO, workers=2, **SETTING)


# what is run ------------------------------------------------------------------------------------------------


def test_every_formulation_is_planned_with_integrators_that_fit() -> None:
    plan = plan_of(study(steps=1e-3), lw.load(MODEL))
    assert {case.formulation for case in plan.cases} == set(FORMULATIONS)
    for case in plan.cases:
        assert case.integrator in fitting(case.formulation)
        assert case.integrator in suitable(case.formulation)
        assert not case.wanted


def test_tolerances_go_to_integrators_that_control_their_error() -> None:
    plan = plan_of(study(rtol=[1e-6], integrators="all", formulations=["rA", "lie-se3"]), lw.load(MODEL))
    assert {(case.formulation, case.integrator) for case in plan.cases} == {
        ("lie-se3", name) for name in ("bs32", "dp54", "ts54", "dop853")
    }


def test_single_runs_stand_beside_the_grid_or_alone() -> None:
    alone = plan_of(study(runs=[{"formulation": "rA", "step": 1e-3}]), lw.load(MODEL))
    assert [case.label for case in alone.cases] == ["rA, implicit-euler, h = 0.001 s"]
    beside = plan_of(study(runs=[{"formulation": "rA", "step": 1e-3}], formulations="rA", steps=2e-3), lw.load(MODEL))
    assert len(beside.cases) == 3


def test_shared_options_reach_those_that_have_them() -> None:
    plan = plan_of(study(steps=1e-3, options={"newton": "full"}, formulations=["rA", "augmented"]), lw.load(MODEL))
    assert {(case.formulation, case.options.get("newton")) for case in plan.cases} == {
        ("rA", "full"),
        ("augmented", None),
    }


def test_what_a_study_cannot_use_is_said() -> None:
    plan = plan_of(study(steps=1e-3, formulations=["rA", "augmented"], integrators="rk4"), lw.load(MODEL))
    assert plan.notes == ("rA has no run: no chosen integrator fits it at the steps or tolerances given",)
    with pytest.raises(UsageError, match=r"has the option 'newtn'.*'newton'"):
        plan_of(study(steps=1e-3, options={"newtn": "full"}), lw.load(MODEL))


def test_a_study_without_runs_is_refused() -> None:
    with pytest.raises(UsageError, match="no run"):
        plan_of(study(rtol=1e-6, formulations="rA"), lw.load(MODEL))


@pytest.mark.parametrize(
    ("t_end", "steps", "samples", "interval"),
    [(1.0, [1e-3, 2e-3], 200, 0.008), (3.0, [4e-3, 1e-2], 1000, 0.02), (1.0, [], 100, 0.01), (0.5, [1e-3], 1000, 1e-3)],
)
def test_samples_lie_where_all_steps_meet(t_end: float, steps: list[float], samples: int, interval: float) -> None:
    found, notes = sampling(t_end, steps, samples)
    assert_allclose(found, interval, rtol=1e-12)
    assert not notes


def test_steps_that_never_meet_are_refused() -> None:
    with pytest.raises(UsageError, match=r"meet first at 0\.021 s"):
        sampling(0.02, [3e-3, 7e-3], 100)


def test_a_step_longer_than_the_run_is_refused() -> None:
    with pytest.raises(UsageError, match=r"the step, 0\.01 s, is longer than the run, 0\.001 s"):
        sampling(0.001, [1e-2], 100)


def test_a_span_that_ends_between_samples_is_said() -> None:
    interval, notes = sampling(0.1, [3e-3], 200)
    assert interval == pytest.approx(3e-3)
    assert "up to t = 0.099 s" in notes[0]


def test_a_key_changes_with_everything_that_shapes_a_run() -> None:
    setting, case = Setting("{}", 1.0, 0.1), Case("rA", "implicit-euler", step=1e-3)
    others = [
        (Setting("{ }", 1.0, 0.1), case),
        (Setting("{}", 2.0, 0.1), case),
        (Setting("{}", 1.0, 0.2), case),
        (setting, Case("rp", "implicit-euler", step=1e-3)),
        (setting, Case("rA", "implicit-euler", step=2e-3)),
        (setting, case.with_options(newton="full")),
    ]
    keys = {setting.key(case), *(one.key(other) for one, other in others)}
    assert len(keys) == 1 + len(others)
    assert setting.key(case) == setting.key(Case("rA", "implicit-euler", step=1e-3, wanted=True))


# how it is measured -----------------------------------------------------------------------------------------


def motion(angle: float, n: int = 3) -> Motion:
    time = np.arange(n, dtype=float)
    R = np.array([[turn((0.6, 0.0, -0.8), angle * t)] for t in time]).reshape(n, 1, 3, 3)
    position = np.stack([[[t, 0.0, 0.0]] for t in time])
    return Motion(time, position, R, np.ones((n, 1, 3)), np.zeros((n, 1, 3)))


def test_angles_between_rotations_are_exact_when_small() -> None:
    for angle in (1e-12, 1e-6, 0.1, 3.0):
        one, other = np.eye(3), np.array(turn((0.6, -0.8, 0.0), angle)).reshape(3, 3)
        assert_allclose(angle_between(one, other), angle, rtol=1e-3 if angle < 1e-10 else 1e-9)


def test_a_difference_is_the_larger_of_distance_and_angle() -> None:
    found = difference(motion(1e-3), motion(2e-3), 2.0)
    assert_allclose(found.pose, [0.0, 1e-3, 2e-3], rtol=1e-6, atol=1e-15)
    assert found.largest_rate == 0.0


def test_digits() -> None:
    assert digits(1e-5) == pytest.approx(5.0)
    assert digits(0.0) == pytest.approx(17.0)
    assert digits(10.0) == 0.0
    assert math.isnan(digits(math.nan))


def test_samples_are_found_on_the_grid() -> None:
    time = np.array([0.0, 0.1, 0.2, 0.25, 0.3])
    assert list(at_grid(time, 0.1)) == [0, 1, 2, 4]
    assert list(at_grid(np.array([0.0, 0.1, 0.3]), 0.1)) == [0, 1]


def test_part_of_a_turn() -> None:
    R = np.array(turn((0.0, 0.6, -0.8), 0.3)).reshape(1, 3, 3)
    third = turned(R, 1.0 / 3.0)
    assert_allclose(third @ third @ third, R, atol=1e-14)
    assert_allclose(turned(np.eye(3)[None], 0.5), np.eye(3)[None], atol=0.0)


def test_richardson_gains_an_order() -> None:
    mech = lw.load(MODEL)
    setting = Setting(json.dumps(mech.to_dict()), 0.2, 0.02)
    pair = [Case("rA", "generalized-alpha", step=step) for step in (2e-3, 1e-3)]
    motions = {case: Motion.of(lw.simulate(mech, **setting.arguments(case))) for case in pair}
    truth = Motion.of(lw.simulate(mech, 0.2, 1e-3, "lie-se3", "dop853", every=20))
    found = conclude(pair, motions, 4.0)
    assert found is not None
    assert found.case is None
    assert "Richardson" in found.how
    plain = difference(motions[pair[1]], truth, 4.0).largest
    better = difference(found.motion, truth, 4.0).largest
    assert better < 0.1 * plain
    assert 0.3 < found.uncertainty / plain < 3.0


# how independent formulations are ---------------------------------------------------------------------------


def test_every_formulation_says_how_it_goes_about_it_or_counts_as_different() -> None:
    for name in FORMULATIONS:
        assert len(independence.ways(name)) == len(independence.WAYS)
    assert independence.differing("rA", "rA") == ()
    assert "solver" in independence.differing("augmented", "range-space")
    for name in FORMULATIONS:
        first = independence.by_independence([name])[0]
        assert len(independence.differing(name, first)) >= 3


def test_the_controlled_integrator_is_of_the_highest_order_and_another_one_where_asked() -> None:
    assert independence.controlled("rA") is None
    assert independence.controlled("lie-se3") == "dop853"
    assert independence.controlled("lie-se3", besides="dop853") not in (None, "dop853")


# running ----------------------------------------------------------------------------------------------------


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
    assert compared.row("rA", "implicit-euler").iterations_per_step > 1.0


def test_operations_are_counted_where_they_can_be(compared: Comparison) -> None:
    pytest.importorskip("linkwork.analysis.counts")
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


def test_failures_that_differ_in_numbers_only_are_one_line(compared: Comparison) -> None:
    reasons = ["t = 0.028 s, step 7: stops. Take less.", "t = 1e-05 s, step 12: stops. Take less.", "has no inertia."]
    rows = [row(math.nan, 0, status="failed", code="LW-X", reason=reason) for reason in reasons]
    found = words.shortfalls(replace(compared, rows=tuple(rows)))
    assert [(one.fineness, one.reason) for one in found] == [("2 runs", reasons[1]), ("h = 0.001 s", reasons[2])]


def test_memory_of_a_formulation_is_not_that_of_those_before_it(compared: Comparison) -> None:
    """All run in the same order, each formulation in a process of its own; compiled code differs by little."""
    most = [compared.row(name).peak_memory for name in TRIO]
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


def test_a_formulation_that_refuses_is_a_row_and_a_failure_only_if_it_was_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A massless axis keeps range-space from the four-link."""
    mech = lw.load("kissel2021_four_link")
    common: dict[str, Any] = {"steps": [5e-3], "integrators": ["rk4"], "repeats": 0, "reference": "none"}
    every = lw.compare(mech, 0.02, **common)
    refused = [row for row in every.rows if row.status == "refused"]
    assert {row.case.formulation for row in refused} >= {"range-space", "rotation-matrix"}
    assert all("'rotor' has no" in row.reason and row.code == "LW-UNSUPPORTED" for row in refused)
    assert every.exit_status == 0
    assert "refused: range-space (rk4, h = 0.005 s): mechanism 'kissel2021 four link'" in " ".join(
        every.table().split()
    )
    assert every.reference is None
    assert all(math.isnan(row.error) for row in every.rows)
    named = lw.compare(mech, 0.02, formulations=["range-space", "augmented"], **common)
    assert [row.status for row in named.rows] == ["failed", "done"]
    assert named.exit_status == 6


def test_a_run_that_does_not_get_through_is_a_row(capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        "compare",
        MODEL,
        "--formulation",
        "lie-se3",
        "--integrator",
        "implicit-euler",
        "--step",
        "0.5",
        "--step",
        "1e-3",
    ]
    assert status_of([*words, "--t-end", "2", "--no-reference", "--repeats", "0", "--json"]) == 6
    out, text = capsys.readouterr()
    coarse, fine = json.loads(out)["runs"]
    assert (coarse["status"], coarse["code"]) == ("failed", "LW-CONVERGENCE")
    assert "failed: lie-se3 (implicit-euler, h = 0.5 s)" in text
    assert fine["status"] == "done"


def test_a_study_goes_on_after_it_was_killed(tmp_path: Path) -> None:
    """The process is killed outright when a few runs are done: what is done is kept, and its workers end, too."""
    save_study(study(formulations=["rA", "lie-se3"], steps=[2e-3, 1e-3], repeats=0, t_end=0.5), tmp_path / "s.yaml")
    runs = tmp_path / "s-results" / "runs"
    words = [sys.executable, "-m", "linkwork", "study", str(tmp_path / "s.yaml"), "--workers", "1"]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 120.0
    while len(list(runs.glob("*.json"))) < 3:
        assert process.poll() is None, "it was done before it could be killed"
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.kill()
    process.wait()
    done = {path.name: path.stat().st_mtime_ns for path in runs.glob("*.json")}
    time.sleep(1.0)
    (runs / ".left.nc.0.part").touch()
    assert len(list(runs.glob("*.json"))) <= len(done) + 1  # what was being run, and nothing after it
    found = run_study(load_study(tmp_path / "s.yaml"), folder=tmp_path / "s-results")
    assert found.complete
    assert len(done) <= found.facts["kept_from_before"] < len(found.rows) + len(found.reference_tried)
    assert all((runs / name).stat().st_mtime_ns == when for name, when in done.items())
    assert not list(runs.glob(".*"))
    anew = run_study(load_study(tmp_path / "s.yaml"), folder=tmp_path / "s-results", fresh=True)
    assert anew.facts["kept_from_before"] == 0
    assert [row.pose_error for row in anew.rows] == [row.pose_error for row in found.rows]


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT to another process")
def test_ctrl_c_keeps_what_is_done_and_writes_it(tmp_path: Path) -> None:
    save_study(study(formulations=["rA", "lie-se3"], steps=[2e-3, 1e-3], repeats=0, t_end=0.5), tmp_path / "s.yaml")
    folder = tmp_path / "s-results"
    words = [sys.executable, "-m", "linkwork", "study", str(tmp_path / "s.yaml"), "--workers", "1"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while len(list((folder / "runs").glob("*.json"))) < 5 and process.poll() is None:  # the reference is three of them
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, text = process.communicate(timeout=60)
    assert process.returncode == 130, text
    assert "[LW-INTERRUPTED]" in text
    assert (folder / "report.html").is_file()
    assert json.loads((folder / "comparison.json").read_text())["complete"] is False


def test_an_interrupt_before_the_first_run_replaces_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_study(study(formulations=["rA"], steps=[2e-3], repeats=0), tmp_path / "s.yaml")
    (tmp_path / "s-results").mkdir()
    (tmp_path / "s-results" / "report.html").write_text("of an earlier call")

    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(desk, "carry_out_all", interrupted)
    assert status_of(["study", str(tmp_path / "s.yaml"), "--quiet"]) == 130
    assert (tmp_path / "s-results" / "report.html").read_text() == "of an earlier call"


def test_one_study_at_a_time_works_in_a_folder(tmp_path: Path) -> None:
    with alone(tmp_path / "results"):
        with pytest.raises(UsageError, match=r"results: another study works in this folder, process \d+") as error:
            run_study(study(formulations=["rA"]), folder=tmp_path / "results", fresh=True)
        assert "--out" in str(error.value)
    with alone(tmp_path / "results"):
        assert [path.name for path in (tmp_path / "results").iterdir()] == [".lock"]


def test_a_full_disk_is_not_kept_as_the_runs_failure(tmp_path: Path) -> None:
    setting = Setting(json.dumps(lw.load(MODEL).to_dict()), 0.02, 0.01)
    asked = {"setting": vars(setting), "case": Case("rA", "implicit-euler", step=1e-3).to_dict()}
    said = json.loads(carry_out(json.dumps({**asked, "file": str(tmp_path / "gone" / "run.nc")})))
    assert said["error"]["code"] == "LW-RESULT"
    store = Store(tmp_path)
    store.keep("key", said)
    assert store.outcome("key") is None


def test_what_a_worker_is_told_and_says_is_text() -> None:
    mech = lw.load(MODEL)
    setting = Setting(json.dumps(mech.to_dict()), 0.1, 0.01)
    asked = {"setting": vars(setting), "case": Case("rA", "rk4", step=1e-3).to_dict(), "file": "unused"}
    said = json.loads(carry_out(json.dumps(asked)))
    assert said["error"]["code"] == "LW-PAIR"


def test_a_worker_that_dies_is_an_error_and_the_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "carry_out", _dies_on_two)
    found: dict[str, Any] = {}
    workers.carry_out_all(
        {str(k): {"n": k} for k in range(4)}, 2, lambda key: None, lambda key, said: found.update({key: said})
    )
    assert sorted(found) == ["0", "1", "2", "3"]
    assert found["2"]["error"]["message"].startswith("its process died")
    assert [found[k]["n"] for k in "013"] == [0, 1, 3]


def _dies_on_two(text: str) -> str:
    import os
    import time

    what = json.loads(text)
    if what["n"] == 2:
        time.sleep(0.2)
        os._exit(1)
    return text


# files ------------------------------------------------------------------------------------------------------


def test_a_study_file_is_read_and_written(tmp_path: Path) -> None:
    said = study(formulations=["rA", "lie-se3"], steps=[1e-3], runs=[{"formulation": "rp", "rtol": 1e-5}])
    for ending in (".yaml", ".json"):
        path = save_study(said, tmp_path / f"s{ending}")
        assert load_study(path) == said
    with pytest.raises(OutputExistsError):
        save_study(said, tmp_path / "s.yaml")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "study: 1\nmechanism: m\nformulations: [lie-se2]\n",
            "names 'lie-se2', but there is no such formulation; did you",
        ),
        ("study: 1\nmechanism: m\nintegrators: [rk5]\n", "line 3.*did you mean 'rk4'"),
        ("study: 1\nmechanism: m\nstepps: [1]\n", "has no key 'stepps'; did you mean 'steps'"),
        ("study: 1\nt_end: 1\n", "the study needs 'mechanism'"),
        ("study: 1\nmechanism: m\nruns:\n  - {formulation: rA}\n", r"runs\[0\].*needs either a step or rtol"),
        ("study: 1\nmechanism: m\nruns:\n  - {formulation: r}\n", r"runs\[0\].*formulation is 'r'"),
        ("study: 1\nmechanism: m\nsteps: [-1]\n", "steps.*must be positive"),
        ("study: 1\nmechanism: m\nreference: maybe\n", "reference must be 'auto', 'none' or a run"),
        ("study: 1\nmechanism: m\noutputs: [pdf]\n", "there is no such output"),
        ("study: 2\nmechanism: m\n", "study must be 1"),
        ("mechanism: m\n", "has no format version"),
        ("[", "is not valid YAML"),
    ],
)
def test_errors_in_study_files_name_file_and_element(text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text(text)
    with pytest.raises(StudyError, match=words) as caught:
        load_study(path)
    assert caught.value.file == str(path)
    assert caught.value.exit_status == 2


def test_a_study_of_several_mechanisms_is_a_study_of_each() -> None:
    one = {"name": "a b", "bodies": []}
    found = study(mechanism=[MODEL, "files/arm.yaml", "other/arm.yaml", one, {}], name="all", steps=1e-3)
    parts = found.parts()
    assert list(parts) == [MODEL, "arm", "arm-2", "a-b", "mechanism"]
    assert [part.mechanism for part in parts.values()] == list(found.mechanism)
    assert parts["arm"].name == "all: arm"
    assert parts["arm"].steps == (1e-3,)
    assert study_from(found.to_dict()).parts() == parts
    assert list(study().parts().values()) == [study()]
    with pytest.raises(UsageError, match=r"study of 5 mechanisms.*study\.parts\(\)"):
        run_study(found)


def test_several_mechanisms_have_folders_and_an_index(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One of them has no masses: it is named, and stops no other."""
    (tmp_path / "bare.yaml").write_text("linkwork: 1\nname: bare\nbodies: [{name: bar}]\n")
    grid = {"formulations": ["rA", "lie-se3"], "integrators": ["generalized-alpha"], "steps": [2e-3, 1e-3]}
    several = study(mechanism=["bare.yaml", MODEL, "gyroscope"], reference="none", t_end=0.02, **grid)
    save_study(several, tmp_path / "s.yaml")
    assert status_of(["study", str(tmp_path / "s.yaml"), "--json"]) == 6
    out, text = capsys.readouterr()
    found = json.loads(out)["mechanisms"]
    assert found["bare"]["error"]["code"] == "LW-MASS"
    assert len(found["gyroscope"]["runs"]) == 4
    assert "gyroscope: mechanism 3 of 3" in text
    folder = tmp_path / "s-results"
    page = (folder / "index.html").read_text()
    for name in (MODEL, "gyroscope"):
        assert (folder / name / "report.html").is_file()
        assert f'href="{name}/report.html"' in page
    assert "missing for" in page
    assert status_of(["study", str(tmp_path / "s.yaml"), "--report", str(tmp_path / "r.html"), "--quiet"]) == 2
    assert "leave out --report" in capsys.readouterr().err


def test_formats_and_folders_are_looked_at_before_anything_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk, "carry_out_all", lambda *_: pytest.fail("something ran"))
    (tmp_path / "file").touch()
    for options, said in (
        (["--report", str(tmp_path / "r.pdf")], "a comparison does not end in '.pdf'"),
        (["--report", str(tmp_path / "no" / "r.html")], "does not exist"),
        (["--out", str(tmp_path / "file")], "file: is no folder"),
    ):
        assert status_of(["compare", MODEL, "--formulation", "rA", "--quiet", *options]) in (1, 2)
        assert said in capsys.readouterr().err


def test_the_example_and_the_schema_are_up_to_date() -> None:
    import jsonschema

    assert SCHEMA_FILE.read_text(encoding="utf-8") == schema_text()
    example = load_study(Path(__file__).parents[2] / "examples" / "double_pendulum_study.yaml")
    jsonschema.validate(example.to_dict(), json.loads(schema_text()))
    assert len(plan_of(example, lw.load(MODEL)).cases) > 40
    several = load_study(Path(__file__).parents[2] / "examples" / "several_mechanisms_study.yaml")
    jsonschema.validate(several.to_dict(), json.loads(schema_text()))
    for part in several.parts().values():
        assert len(plan_of(part, mechanism_of(part)).cases) > 10


def test_a_study_file_is_neither_missing_nor_of_another_kind(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="does not exist"):
        load_study(tmp_path / "no.yaml")
    with pytest.raises(StudyError, match="does not end"):
        load_study(tmp_path / "no.toml")


def test_the_command_compares_and_saves_what_it_ran(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        "compare", MODEL, "--formulation", "rA", "--formulation", "lie-se3", "--integrator", "implicit-euler",
        "--step", "2e-3", "--step", "1e-3", "--t-end", "0.1", "--repeats", "1", "--out", str(tmp_path / "f"),
        "--save-study", str(tmp_path / "s.yaml"), "--json",
    ]  # fmt: skip
    assert status_of(words) == 0
    out, _ = capsys.readouterr()
    said = json.loads(out)
    assert len(said["runs"]) == 4
    assert {path.name for path in (tmp_path / "f").iterdir()} >= {"report.html", "comparison.json", "comparison.nc"}
    assert status_of(["study", str(tmp_path / "s.yaml"), "--out", str(tmp_path / "f"), "--json"]) == 0
    again = json.loads(capsys.readouterr().out)
    assert again["facts"]["kept_from_before"] == len(again["runs"]) + len(again["reference_runs"])
    assert [run["pose_error"] for run in again["runs"]] == [run["pose_error"] for run in said["runs"]]
