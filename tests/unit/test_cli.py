"""The command line keeps its contract: what goes where, what is refused, and how it ends. Runs are faked here."""

from __future__ import annotations

import json
from inspect import signature
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest

import linkwork
from linkwork.cli import output
from linkwork.cli.main import VERBS, status_of
from linkwork.cli.progress import progress
from linkwork.errors import (
    AssemblyError,
    ConvergenceError,
    DriverError,
    IncompatiblePairError,
    LinkworkError,
    ModelError,
    NotDrivenError,
    ResultFileError,
    RunInterruptedError,
    SingularPositionError,
)

MODEL = "kissel2021_slider_crank"


class FakeResult:
    """As much of a result as the command line touches."""

    status = 0
    info: ClassVar[dict[str, Any]] = {}

    def __init__(self) -> None:
        self.drawn: list[Path] = []

    def summary(self) -> str:
        return "a summary in words"

    def to_dict(self) -> dict[str, Any]:
        return {"success": True, "samples": np.int64(3), "worst": float("nan"), "time": np.array([0.0, 0.5])}

    def plot(self, kind: str = "overview", path: Path | None = None, *, force: bool = False) -> None:
        assert path is not None
        self.drawn.append(path)


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What `load` and `simulate` were called with; they compute nothing."""
    seen: dict[str, Any] = {"result": FakeResult()}

    def load(model: str, **options: Any) -> Any:
        seen["load"] = (model, options)
        return SimpleNamespace(name=model, run=SimpleNamespace(t_end=3.0, step=1e-3), notes=())

    def compute(mechanism: Any, *args: Any, **options: Any) -> FakeResult:
        seen["compute"] = (args, options)
        if "raises" in seen:
            raise seen["raises"]
        return seen["result"]

    monkeypatch.setitem(vars(linkwork), "load", load)
    monkeypatch.setitem(vars(linkwork), "simulate", compute)
    monkeypatch.setitem(vars(linkwork), "kinematics", compute)
    return seen


def test_help_and_version_answer_on_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of(["--help"]) == 0
    text = capsys.readouterr().out
    assert all(verb in text for verb in VERBS)
    assert status_of(["--version"]) == 0
    assert capsys.readouterr().out.strip() == linkwork.__version__


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help_and_json(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of([verb, "--help"]) == 0
    assert "--json" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("tokens", "hint"),
    [
        (["kinematic", MODEL], '"kinematics"'),
        (["simulate", MODEL], "run"),
        (["run", MODEL, "--t-ent", "1"], "--t-end"),
        (["run"], "MODEL"),
        (["run", MODEL, "--step", "0"], "--step"),
        (["run", MODEL, "--step", "nan"], "--step"),
        (["run", MODEL, "--t-end", "soon"], "--t-end"),
        (["run", MODEL, "--every", "0"], "--every"),
        (["run", MODEL, "--newton", "frosen"], "frozen"),
        (["run", MODEL, "--out", "run.xls"], ".nc"),
        (["run", MODEL, "--plot", "run.xls"], ".png"),
    ],
)
def test_usage_errors_exit_with_2_and_say_what_helps(
    tokens: list[str], hint: str, calls: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    assert status_of(tokens) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("error: ")
    assert hint in captured.err
    assert "compute" not in calls


def test_a_usage_error_is_a_document_with_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of(["run", MODEL, "--json", "--step", "-1"]) == 2
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "LW-USAGE"


def test_run_takes_the_models_own_span_and_passes_every_option(calls: dict[str, Any], tmp_path: Path) -> None:
    assert status_of(["run", MODEL]) == 0
    args, options = calls["compute"]
    assert args == (3.0, None, None, None), "a plan says how often samples are taken"
    assert not {"newton", "tolerance"} & set(options), "what is not asked for is left to its owner"
    assert (options["every"], options["out"]) == (1, None)

    side, out = tmp_path / "side.yaml", tmp_path / "run.nc"
    words = f"run {MODEL} --formulation rp --integrator x --t-end 2 --step 0.5 --newton full --tolerance 1e-8"
    assert status_of([*words.split(), "--every", "5", "--out", str(out), "--side", str(side)]) == 0
    args, options = calls["compute"]
    assert args == (2.0, 0.5, "rp", "x")
    assert (options["newton"], options["tolerance"], options["every"], options["out"]) == ("full", 1e-8, 5, out)
    assert calls["load"] == (MODEL, {"side": side})


def test_kinematics_takes_the_librarys_tolerance_unless_told(calls: dict[str, Any]) -> None:
    from linkwork.analysis.kinematics import kinematics

    assert status_of(["kinematics", MODEL]) == 0
    assert calls["compute"][1]["tolerance"] == signature(kinematics).parameters["tolerance"].default
    assert status_of(["kinematics", MODEL, "--tolerance", "1e-6"]) == 0
    assert calls["compute"][1]["tolerance"] == 1e-6


def test_run_has_the_librarys_defaults(calls: dict[str, Any]) -> None:
    from linkwork.run.samples import Acceptance, Samples
    from linkwork.run.simulate import simulate

    assert status_of(["run", MODEL]) == 0
    library = signature(simulate).parameters
    args, options = calls["compute"]
    assert args[2:] == (library["formulation"].default, library["integrator"].default)
    usual = {name: getattr(owner, name) for owner in (Samples(), Acceptance()) for name in owner.options}
    usual |= {name: one.default for name, one in library.items()} | {"options": None}
    for name, value in options.items():
        assert name == "progress" or value == usual[name]


def test_a_model_that_says_nothing_of_its_span_needs_the_options(
    calls: dict[str, Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bare = SimpleNamespace(name="m", run=SimpleNamespace(t_end=None, step=None))
    monkeypatch.setitem(vars(linkwork), "load", lambda model, **options: bare)
    assert status_of(["run", MODEL, "--formulation", "rA", "--t-end", "1"]) == 2
    error = capsys.readouterr().err
    assert "--step" in error
    assert "--t-end" not in error
    assert status_of(["run", MODEL]) == 2
    error = capsys.readouterr().err
    assert "--t-end" in error
    assert "--step" not in error
    assert status_of(["run", MODEL, "--t-end", "1"]) == 0
    assert status_of(["run", MODEL, "--t-end", "1", "--step", "0.1"]) == 0


def test_words_go_to_standard_error_and_nothing_is_written_unasked(
    calls: dict[str, Any], capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert status_of(["run", MODEL]) == 0
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "a summary in words" in captured.err
    assert "\x1b" not in captured.err
    assert list(tmp_path.iterdir()) == []
    assert status_of(["run", MODEL, "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")


def test_json_is_one_document_with_the_files(
    calls: dict[str, Any], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    out, picture = tmp_path / "run.nc", tmp_path / "run.png"
    assert status_of(["run", MODEL, "--json", "--out", str(out), "--plot", str(picture)]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["files"] == {"out": str(out), "plot": str(picture)}
    assert (document["samples"], document["worst"], document["time"]) == (3, None, [0.0, 0.5])
    assert calls["result"].drawn == [picture]


@pytest.mark.parametrize("option", ["--out", "--plot"])
def test_a_file_is_not_overwritten_unless_forced(
    option: str, calls: dict[str, Any], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / ("run.nc" if option == "--out" else "run.png")
    path.write_text("mine")
    assert status_of(["run", MODEL, option, str(path)]) == 2
    error = capsys.readouterr().err
    assert "LW-EXISTS" in error
    assert "--force" in error
    assert "compute" not in calls
    assert path.read_text() == "mine"
    assert status_of(["run", MODEL, option, str(path), "--force"]) == 0


def test_a_folder_that_is_not_there_is_said_before_the_run(
    calls: dict[str, Any], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert status_of(["run", MODEL, "--out", str(tmp_path / "none" / "run.nc")]) == 1
    assert "does not exist" in capsys.readouterr().err
    assert "compute" not in calls


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (LinkworkError("x"), 1),
        (ResultFileError("x"), 1),
        (IncompatiblePairError("x"), 2),
        (ModelError("x"), 3),
        (DriverError("x"), 3),
        (AssemblyError("x"), 4),
        (NotDrivenError("x"), 4),
        (ConvergenceError("x"), 5),
        (SingularPositionError("x"), 5),
        (RunInterruptedError("x"), 130),
        (KeyboardInterrupt(), 130),
        (OSError("disk full"), 1),
        (ZeroDivisionError("oops"), 1),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else str(value),
)
def test_how_a_run_fails_decides_the_exit_status(
    error: BaseException, status: int, calls: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    calls["raises"] = error
    assert status_of(["run", MODEL]) == status
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("error: ")
    assert "Traceback" not in captured.err


def test_an_error_is_a_document_with_json(calls: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    calls["raises"] = ModelError("body 'crnak' does not exist.", file="m.yaml", element="joints[2]", remedy="Fix it.")
    assert status_of(["run", MODEL, "--json"]) == 3
    captured = capsys.readouterr()
    assert json.loads(captured.out)["error"] == {
        "code": "LW-MODEL",
        "message": "body 'crnak' does not exist.",
        "file": "m.yaml",
        "element": "joints[2]",
        "remedy": "Fix it.",
    }
    assert "error: m.yaml: joints[2]: body 'crnak' does not exist. Fix it. [LW-MODEL]" in captured.err


@pytest.mark.parametrize("failure", [ConvergenceError, RunInterruptedError])
def test_a_run_that_stops_early_tells_and_draws_what_there_is(
    failure: type[ConvergenceError], calls: dict[str, Any], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    calls["raises"] = failure("stopped at t = 0.4 s.", result=calls["result"])
    picture = tmp_path / "run.png"
    assert status_of(["run", MODEL, "--json", "--plot", str(picture)]) == failure.exit_status
    captured = capsys.readouterr()
    document = json.loads(captured.out)
    assert document["samples"] == 3
    assert document["error"]["code"] == failure.code
    assert "a summary in words" in captured.err
    assert f"error: stopped at t = 0.4 s. [{failure.code}]" in captured.err
    assert calls["result"].drawn == [picture]


def test_an_unforeseen_error_offers_its_traceback(
    calls: dict[str, Any], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    calls["raises"] = ZeroDivisionError("oops")
    monkeypatch.delenv("LINKWORK_DEBUG", raising=False)
    assert status_of(["run", MODEL]) == 1
    assert "LINKWORK_DEBUG=1" in capsys.readouterr().err
    monkeypatch.setenv("LINKWORK_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        status_of(["run", MODEL])


def test_square_brackets_and_long_lines_come_out_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    text = "joints[2] [bold]" + " word" * 60 + " end"
    output.fail(text)
    assert capsys.readouterr().err == f"error: {text}\n"


def test_colours_come_on_demand_and_no_color_is_honoured(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    output.fail("text")
    assert "31m" in capsys.readouterr().err
    monkeypatch.setenv("NO_COLOR", "1")
    output.fail("text")
    assert "31m" not in capsys.readouterr().err


def test_a_bar_moves_on_a_terminal_and_nowhere_else(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with progress("label", quiet=False) as report:
        assert report is None
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("FORCE_COLOR", "1")
    with progress("label", quiet=True) as report:
        assert report is None
    assert capsys.readouterr().err == ""
    with progress("label", quiet=False) as report:
        assert report is not None
        report(1.5, 3.0)
    shown = capsys.readouterr().err
    assert "label  t = 1.5 s" in shown
    assert "50%" in shown


def test_a_table_in_a_pipe_cuts_nothing_off(capsys: pytest.CaptureFixture[str]) -> None:
    output.table(("name", "text"), [("a", "word " * 60 + "[end]"), ("longer", "x")])
    lines = capsys.readouterr().out.splitlines()
    assert lines == ["name    text", "a       " + "word " * 60 + "[end]", "longer  x"]


def test_plain_turns_arrays_and_numbers_into_what_json_has() -> None:
    data = {"a": (np.float64(1.5), float("inf")), 2: np.eye(2), "p": Path("x"), "n": None, "b": True}
    assert output.plain(data) == {"a": [1.5, None], "2": [[1, 0], [0, 1]], "p": "x", "n": None, "b": True}


def test_doctor_reports_versions_and_a_broken_cache_folder(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LINKWORK_CACHE_DIR", str(tmp_path))
    assert status_of(["doctor", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["linkwork"] == linkwork.__version__
    assert facts["packages"]["numpy"] == np.__version__
    assert facts["cache"]["folder"].startswith(str(tmp_path))
    assert facts["problems"] == []

    (tmp_path / "file").write_text("")
    monkeypatch.setenv("LINKWORK_CACHE_DIR", str(tmp_path / "file"))
    assert status_of(["doctor"]) == 1
    captured = capsys.readouterr()
    assert f"linkwork {linkwork.__version__}" in captured.out
    assert "LINKWORK_CACHE_DIR" in captured.err
