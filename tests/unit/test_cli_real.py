"""The command line on real mechanisms, nothing faked."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.cli.main import status_of
from linkwork.formulations import FORMULATIONS

MODEL = "kissel2021_slider_crank"
SHORT = ["--t-end", "0.02", "--step", "1e-3"]


def document(tokens: list[str], capsys: pytest.CaptureFixture[str]) -> Any:
    """What a command prints on standard output, read as one JSON document."""
    assert status_of([*tokens, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_models_lists_what_load_takes(capsys: pytest.CaptureFixture[str]) -> None:
    found = document(["models"], capsys)
    names = [model["name"] for model in found]
    assert MODEL in names
    assert names == sorted(names)
    for model in found:
        assert len(lw.load(model["name"]).bodies) == model["bodies"] > 0
        assert model["description"]
        assert model["t_end"] > model["step"] > 0
    assert status_of(["models"]) == 0
    words = capsys.readouterr().out
    assert all(name in words for name in names)


def test_formulations_lists_the_registry(capsys: pytest.CaptureFixture[str]) -> None:
    found = document(["formulations"], capsys)
    assert [entry["name"] for entry in found] == list(FORMULATIONS)
    for entry in found:
        assert entry["paper"]
        assert entry["integrators"]
        assert isinstance(entry["needs"], list)
    assert status_of(["formulations"]) == 0
    assert "implicit-euler" in capsys.readouterr().out


@pytest.mark.parametrize("verb", ["formulations", "models", f"check {MODEL}"])
def test_listing_and_checking_never_load_the_compiler(verb: str) -> None:
    code = (
        "import sys; from linkwork.cli.main import status_of\n"
        f"status = status_of({verb.split()!r})\n"
        "assert status == 0 and 'numba' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


def test_check_says_in_words_what_json_says_in_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of(["check", "planar_four_bar"]) == 0
    words = capsys.readouterr().out
    assert "redundant" in words
    assert document(["check", "planar_four_bar"], capsys)


@pytest.mark.parametrize("ending", [".yaml", ".json"])
def test_convert_writes_a_mechanism_that_loads_again(
    ending: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    target = tmp_path / f"copy{ending}"
    assert status_of(["convert", MODEL, str(target)]) == 0
    assert lw.load(target).to_dict() == lw.load(MODEL).to_dict()
    assert status_of(["convert", MODEL, str(target)]) == 2
    assert "LW-EXISTS" in capsys.readouterr().err
    assert status_of(["convert", MODEL, str(target), "--force"]) == 0


@pytest.mark.parametrize("verb", ["run", "kinematics"])
def test_a_run_is_saved_drawn_told_and_read_again(
    verb: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    out, picture = tmp_path / "run.nc", tmp_path / "run.png"
    told = document([verb, MODEL, *SHORT, "--out", str(out), "--plot", str(picture)], capsys)
    assert told["success"] is True
    assert told["files"] == {"out": str(out), "plot": str(picture)}
    assert picture.read_bytes().startswith(b"\x89PNG")
    result = lw.open_result(out)
    assert told["samples"] == result.time.size == 21
    np.testing.assert_allclose(told["end_state"]["slider"]["position"], result.position("slider")[-1])

    drawn = tmp_path / "energy.svg"
    assert status_of(["plot", str(out), "--kind", "energy", "--out", str(drawn)]) == 0
    assert "<svg" in drawn.read_text()
    assert status_of(["plot", str(out), "--kind", "positions"]) == 0
    assert (tmp_path / "run-positions.png").exists()
    assert status_of(["plot", str(out), "--kind", "enrgy"]) == 2
    assert "energy" in capsys.readouterr().err


@pytest.mark.parametrize("formulation", list(FORMULATIONS))
def test_every_formulation_runs_from_the_command_line(formulation: str, capsys: pytest.CaptureFixture[str]) -> None:
    told = document(["run", MODEL, *SHORT, "--formulation", formulation], capsys)
    reference = lw.simulate(lw.load(MODEL), t_end=0.02, step=1e-3, formulation="rA")
    np.testing.assert_allclose(
        told["end_state"]["slider"]["position"], reference.position("slider")[-1], rtol=0, atol=1e-7
    )


@pytest.mark.parametrize(
    ("tokens", "status", "hint"),
    [
        (["run", "kissel2021_slider_cranc"], 3, MODEL),
        (["run", "nowhere.yaml"], 3, "nowhere.yaml"),
        (["run", MODEL, "--formulation", "rq"], 2, "rp"),
        (["run", MODEL, "--integrator", "implicit-eular"], 2, "implicit-euler"),
        (["kinematics", "kissel2021_double_pendulum"], 4, "LW-UNDRIVEN"),
        (["plot", "nowhere.nc"], 1, "nowhere.nc"),
    ],
)
def test_what_cannot_be_done_is_said_with_its_status(
    tokens: list[str], status: int, hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status_of(tokens) == status
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("error: ")
    assert hint in captured.err


@pytest.mark.parametrize("verb", ["run", "kinematics", "check", "convert"])
@pytest.mark.parametrize(
    "content",
    [
        b"\x00\xff\x00",
        b"linkwork: 1\nbodies: [",
        b"linkwork: 1\nbodies: [{name: a, mass: -1}]\n",
        b"linkwork: 99\n",
        b"",
    ],
    ids=["binary", "truncated", "negative mass", "version", "empty"],
)
def test_a_bad_file_is_one_error_that_names_it(
    verb: str, content: bytes, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "bad.yaml"
    path.write_bytes(content)
    target = [str(tmp_path / "out.yaml")] if verb == "convert" else []
    assert status_of([verb, str(path), *target]) == 3
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("error: ") == 1
    assert "bad.yaml" in captured.err
    assert "[LW-MODEL]" in captured.err
    assert [file.name for file in tmp_path.iterdir()] == ["bad.yaml"]


def test_a_step_too_large_keeps_what_came_before(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "run.nc"
    assert (
        status_of(["run", MODEL, "--formulation", "rA", "--t-end", "3", "--step", "0.6", "--out", str(out), "--json"])
        == 5
    )
    captured = capsys.readouterr()
    told = json.loads(captured.out)
    assert told["error"]["code"] == "LW-CONVERGENCE"
    assert told["success"] is False
    assert "error: " in captured.err
    assert lw.open_result(out).time.size == told["samples"] >= 1


def samples_in(folder: Path) -> int:
    """Samples in the file of a run that is still going on; 0 where none is flushed yet."""
    return lw.open_result(folder / "run.nc.part").time.size if (folder / "run.nc.resume").exists() else 0


@pytest.mark.skipif(os.name != "posix", reason="sends a signal as terminals on POSIX systems do")
def test_ctrl_c_saves_what_there_is(tmp_path: Path) -> None:
    assert status_of(["run", MODEL, *SHORT]) == 0  # compiled, so that the run below starts at once
    out = tmp_path / "run.nc"
    command = [sys.executable, "-m", "linkwork", "run", MODEL, "--formulation", "rA", "--t-end", "1e6"]
    command += ["--step", "1e-4", "--every", "1000"]
    process = subprocess.Popen([*command, "--out", str(out)], stderr=subprocess.PIPE, text=True)
    give_up = time.monotonic() + 60
    while samples_in(tmp_path) < 2 and process.poll() is None and time.monotonic() < give_up:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, words = process.communicate(timeout=60)
    assert process.returncode == 130, words
    assert "LW-INTERRUPTED" in words
    assert "Traceback" not in words
    result = lw.open_result(out)
    assert result.time.size > 1
    assert result.success is False
