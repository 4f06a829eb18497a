"""Studies that do not get through: failures are rows, what is done is kept, and workers end."""

from __future__ import annotations

import json
import math
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from unit.comparison_case import MODEL, study

import linkwork as lw
from linkwork.cli.main import status_of
from linkwork.errors import ResultFileError, UsageError
from linkwork.io.results.lock import alone
from linkwork.studies.comparison import scheduler, workers, writing
from linkwork.studies.comparison.case import Case, Setting
from linkwork.studies.comparison.files import load_study, save_study
from linkwork.studies.comparison.store import Store
from linkwork.studies.comparison.study_run import run_study
from linkwork.studies.comparison.worker import carry_out
from linkwork.studies.folder import OURS


def test_a_formulation_that_refuses_is_a_row_and_a_failure_only_if_it_was_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A massless axis keeps penalty from the four-link; range-space is left out of comparisons, being lie-product."""
    mech = lw.load("kissel2021_four_link")
    common: dict[str, Any] = {"steps": [5e-3], "integrators": ["rk4"], "repeats": 0, "reference": "none"}
    every = lw.compare(mech, 0.02, **common)
    refused = [row for row in every.rows if row.status == "refused"]
    assert {row.case.formulation for row in refused} >= {"penalty", "rotation-matrix"}
    assert all("'rotor' has no" in row.reason and row.code == "LW-UNSUPPORTED" for row in refused)
    assert every.exit_status == 0
    assert "refused: penalty (rk4, h = 0.005 s): mechanism 'kissel2021 four link'" in " ".join(every.table().split())
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


@pytest.mark.skipif(sys.platform == "win32", reason="no signals to another process")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_keeps_what_is_done_and_writes_it(number: signal.Signals, tmp_path: Path) -> None:
    """Ctrl-C, and what batch systems send; nothing of the system's is left behind for Python to complain of."""
    save_study(study(formulations=["rA", "lie-se3"], steps=[2e-3, 1e-3], repeats=0, t_end=0.5), tmp_path / "s.yaml")
    folder = tmp_path / "s-results"
    words = [sys.executable, "-m", "linkwork", "study", str(tmp_path / "s.yaml"), "--workers", "1"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while len(list((folder / "runs").glob("*.json"))) < 5 and process.poll() is None:  # the reference is three of them
        time.sleep(0.01)
    process.send_signal(number)
    _, text = process.communicate(timeout=60)
    assert process.returncode == 130, text
    assert "[LW-INTERRUPTED]" in text
    assert "leaked" not in text
    assert (folder / "report.html").is_file()
    assert json.loads((folder / "comparison.json").read_text())["complete"] is False


def test_an_interrupt_before_the_first_run_replaces_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_study(study(formulations=["rA"], steps=[2e-3], repeats=0), tmp_path / "s.yaml")
    (tmp_path / "s-results").mkdir()
    (tmp_path / "s-results" / "report.html").write_text(f"{OURS} of an earlier call")

    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(scheduler, "carry_out_all", interrupted)
    assert status_of(["study", str(tmp_path / "s.yaml"), "--quiet"]) == 130
    assert (tmp_path / "s-results" / "report.html").read_text() == f"{OURS} of an earlier call"


def test_outputs_do_not_replace_what_is_not_ours(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("report.html", "comparison.json"):
        (tmp_path / name).write_text("{}")
        assert status_of(["compare", MODEL, "--formulation", "rA", "--out", str(tmp_path), "--quiet"]) == 2
        assert f"{name}: exists already." in capsys.readouterr().err
        assert not (tmp_path / "runs").exists()
        (tmp_path / name).unlink()


def test_what_was_found_is_shown_even_if_it_cannot_be_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise ResultFileError("could not be written: no space left.")

    monkeypatch.setattr(writing, "save", full)
    words = ["compare", MODEL, "--formulation", "rA", "--step", "2e-3", "--t-end", "0.02", "--no-reference"]
    assert status_of([*words, "--repeats", "0", "--report", str(tmp_path / "r.html")]) == 1
    out, text = capsys.readouterr()
    assert "generalized-alpha" in out
    assert "no space left. [LW-RESULT]" in text


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


@pytest.mark.parametrize(
    "said",
    [
        {"counts": 7, "messages": [], "run_seconds": 1.0},
        {"counts": {"steps": 10**400}, "messages": [], "run_seconds": 1.0},
        {"counts": {"steps": 10}, "messages": "none", "run_seconds": 1.0},
        {"counts": {"steps": 10}, "messages": [], "run_seconds": "1"},
        {"error": "it failed"},
        {"error": {"code": "LW-ERROR"}},
    ],
)
def test_what_is_kept_of_a_run_and_is_not_whole_counts_as_not_there(said: dict[str, Any], tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.motion_file("key").touch()
    for timing in (False, True):
        store.keep("key", {"counts": {"steps": 10}, "messages": [], "run_seconds": 1.0}, timing=timing)
    assert store.outcome("key") is not None
    assert store.timing("key") is not None
    for timing in (False, True):
        store.keep("key", said, timing=timing)
    assert store.outcome("key") is None
    assert (store.timing("key") is None) is not isinstance(said.get("run_seconds"), float)
