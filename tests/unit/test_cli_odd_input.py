"""Every verb with input that it cannot take: a missing file, a folder, another kind of file, values that are none.

Verbs and their options are the parser's own. Errors that are not linkwork's are raised here, not told.
"""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from unit import handmade

from linkwork.cli.main import FAILED, OK, USAGE, VERBS, status_of
from linkwork.cli.parsing import parser_of

REFUSED = {FAILED, USAGE, 3}  # 3: the model is invalid
ALONE = ("doctor", "formulations", "models")  # take nothing that is read
FILES: dict[str, str] = {
    "empty.yaml": "", "list.yaml": "- 1\n- 2\n", "number.yaml": "42\n", "words.txt": "hello there\n",
    "text.nc": "hello\n", "empty.nc": "", "broken.xml": "<mujoco><oops>", "broken.json": "{", "text.csv": "a,b\n",
}  # fmt: skip
FOLDERS = ("folder", "folder.yaml", "folder.nc")
NAMES = ("nowhere.yaml", "nowhere.nc", "planar_four_ba", "/dev/null", "-", "*", "x" * 300)
VALUES = ("", "nix", "-1", "0", "nan", "1e999", "a=b", "nowhere.yaml")


@pytest.fixture
def odd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with what no verb should take, and a result that is one."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "binary.yaml").write_bytes(bytes(range(256)))
    for name in FOLDERS:
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LINKWORK_DEBUG", "1")
    return tmp_path


def function_of(verb: str) -> Any:
    return getattr(import_module(f"linkwork.cli.{verb}"), verb)


def options_of(verb: str) -> list[str]:
    """The verb's options that take a value."""
    parser, *_ = parser_of(verb, function_of(verb), every=True)
    return [one.option_strings[-1] for one in parser._actions if one.option_strings and one.nargs != 0]


def said(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().err


@pytest.mark.parametrize("verb", VERBS)
def test_what_a_verb_cannot_read_is_refused_in_words(verb: str, odd: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in (*FILES, "binary.yaml", *FOLDERS, *NAMES):
        status = status_of([verb, name])
        told = said(capsys)
        assert status in REFUSED, (name, status, told)
        assert told.startswith("error: "), name


@pytest.mark.parametrize("verb", VERBS)
def test_values_that_are_none_are_refused_in_words(verb: str, odd: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With a model that is not there, so that whatever is let through ends soon."""
    options = options_of(verb)
    for option in options:
        for value in VALUES:
            tokens = [verb, *([] if verb in ALONE else ["nowhere.yaml"]), option, value]
            status = status_of(tokens)
            assert status in REFUSED or verb in ALONE, (tokens, status)
            assert status == OK or said(capsys).startswith("error: "), tokens
    assert status_of([verb, "--nix", "3"]) == USAGE


@pytest.mark.parametrize(
    "verb", ["run", "check", "kinematics", "equilibrium", "modes", "plan", "count", "compare", "view"]
)
def test_a_document_without_bodies_is_refused_in_words(
    verb: str, odd: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (odd / "nothing.yaml").write_text("linkwork: 1\nname: nothing\n")
    more = {"run": ["--step", "0.1"], "kinematics": ["--step", "0.1"], "plan": ["--accuracy", "1e-3"]}
    timed = ["--t-end", "1"] if verb in ("run", "kinematics", "plan", "compare") else []
    before = set(odd.iterdir())
    assert status_of([verb, "nothing.yaml", *timed, *more.get(verb, [])]) in REFUSED
    assert "has no bodies" in said(capsys)
    assert set(odd.iterdir()) == before


@pytest.mark.parametrize("verb", ["plot", "view"])
def test_a_result_without_its_mechanism_is_drawn_or_refused(
    verb: str, odd: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    handmade.result().save(odd / "run.nc")
    assert status_of([verb, "run.nc"]) in {OK, FAILED, USAGE}


@pytest.mark.parametrize("verb", ["run", "check", "kinematics", "equilibrium", "modes", "plan", "count", "compare"])
def test_a_result_is_no_model_unless_it_holds_one(verb: str, odd: Path, capsys: pytest.CaptureFixture[str]) -> None:
    handmade.result().save(odd / "run.nc")
    assert status_of([verb, "run.nc"]) in REFUSED
    assert said(capsys).startswith("error: run.nc")


@pytest.mark.parametrize("verb", [verb for verb in VERBS if verb != "doctor"])
def test_in_a_process_of_its_own_nothing_is_raised(verb: str, odd: Path) -> None:
    command = [sys.executable, "-m", "linkwork", verb, "text.nc"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=odd, check=False, timeout=300)
    assert done.returncode in REFUSED, done.stderr
    assert "Traceback" not in done.stderr
