"""`--set NAME=VALUE` of the commands that load a model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from linkwork.cli.main import status_of

MODEL = """linkwork: 1
name: bar
parameters: {m: 2}
bodies: [{name: rod, mass: m, inertia: [1, 1, 1], position: [0, 0, -1]}]
joints: [{name: pivot, type: revolute, first: ground, second: rod, point: [0, 0, 0], axis: [0, 1, 0]}]
"""


@pytest.fixture
def model(tmp_path: Path) -> str:
    path = tmp_path / "bar.yaml"
    path.write_text(MODEL, encoding="utf-8")
    return str(path)


def test_convert_writes_what_was_set(model: str, tmp_path: Path) -> None:
    target = tmp_path / "other.json"
    assert status_of(["convert", model, str(target), "--set", "m=3.5", "--quiet"]) == 0
    assert json.loads(target.read_text(encoding="utf-8"))["parameters"]["m"]["value"] == 3.5


def test_modes_are_those_of_the_mechanism_that_was_set(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = []
    for mass in ("2", "5"):
        assert status_of(["modes", model, "--set", f"m={mass}", "--json"]) == 0
        found.append(json.loads(capsys.readouterr().out)["modes"][0]["frequency"])
    assert found[1] / found[0] == pytest.approx(((5 * 3) / (6 * 2)) ** 0.5, rel=1e-9)


@pytest.mark.parametrize("verb", ["check", "count", "equilibrium", "modes", "kinematics", "run", "plan", "view"])
def test_other_names_are_refused(verb: str, model: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of([verb, model, "--set", "n=3"]) == 3
    assert "has no parameter 'n'; there is 'm'" in capsys.readouterr().err
    assert status_of([verb, model, "--set", "m"]) == 2
    assert "not of the form NAME=VALUE" in capsys.readouterr().err
    capsys.readouterr()
    assert status_of([verb, model, "--set", "m=3", "--set", "m=4"]) == 2
    assert "--set gives 'm' twice" in capsys.readouterr().err
    assert status_of([verb, model, "--set", "self=3"]) == 3
    assert "has no parameter 'self'; there is 'm'" in capsys.readouterr().err
