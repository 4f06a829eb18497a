"""What the command writes to: encodings without its letters, closed and full streams, folders that take nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from linkwork.cli.main import OK, USAGE, status_of

MODEL = """linkwork: 1
name: épreuve
bodies: [{name: 臂, mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}]
joints: [{name: j, type: revolute, first: ground, second: 臂, point: [0, 0, 0], axis: [0, 1, 0]}]
"""


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.yaml").write_text(MODEL, encoding="utf-8")
    return "m.yaml"


def linkwork(*tokens: str, redirect: str = "", **environment: str) -> subprocess.CompletedProcess[bytes]:
    """The command in a shell, with streams redirected."""
    program = f'exec "{sys.executable}" -m linkwork "$@" {redirect}'
    return subprocess.run(["sh", "-c", program, "sh", *tokens], capture_output=True, env={**os.environ, **environment})


def test_letters_that_an_encoding_lacks_are_escaped(model: str) -> None:
    done = linkwork("check", model, "--graph", PYTHONIOENCODING="ascii")
    assert done.returncode == OK, done.stderr
    assert rb"\xe9preuve" in done.stdout
    assert rb"\u81c2" in done.stdout


def test_json_stays_json_in_any_encoding(model: str) -> None:
    for encoding in ("ascii", "latin-1", "utf-8"):
        done = linkwork("check", model, "--json", PYTHONIOENCODING=encoding)
        found = json.loads(done.stdout.decode(encoding))
        assert (found["name"], found["bodies"][0]["name"]) == ("épreuve", "臂")


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_closed_streams_take_nothing_and_fail_nothing(model: str, closed: str) -> None:
    done = linkwork("check", model, redirect=closed)
    assert done.returncode == OK, done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux has a device that is always full")
@pytest.mark.parametrize("wanted", ["check {}", "check {} --json", "models", "models --json", "--help"])
def test_a_full_stream_is_a_word_and_a_status(model: str, wanted: str) -> None:
    done = linkwork(*wanted.format(model).split(), redirect="> /dev/full")
    assert done.returncode == 1
    assert done.stderr.decode().startswith(
        "error: standard output cannot be written: No space left on device. Check the"
    )
    assert len(done.stderr.splitlines()) == 1


def test_doctor_finds_a_cache_in_which_nothing_can_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = linkwork("doctor", "--json", LINKWORK_CACHE_DIR=str(tmp_path / "file"))
    assert json.loads(done.stdout)["cache"]["writable"] is False


def test_robots_formats_hold_no_equilibrium(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("rest.urdf", "rest.xml", "rest.nc", "rest.sdf"):
        assert status_of(["equilibrium", model, "--out", name]) == USAGE
        assert f"{name}: cannot hold an equilibrium. Use .yaml" in capsys.readouterr().err
        assert not Path(name).exists()


def test_options_of_robots_files_are_no_options_of_runs(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of(["view", "run.nc", "--friction", "1"]) == USAGE
    assert "options of robots' files are of a MODEL" in capsys.readouterr().err


def test_frames_are_of_formulations_that_have_them(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of(["count", model, "--formulation", "lie-se3", "--frames", "joints"]) == USAGE
    assert "--frames is of recursive formulations, not of lie-se3" in capsys.readouterr().err
    assert status_of(["count", model, "--formulation", "canonical", "--frames", "joints"]) == OK
