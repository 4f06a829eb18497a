"""`--set NAME=VALUE` of the commands that load a model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import linkwork as lw
from linkwork import load
from linkwork.cli.main import status_of
from linkwork.errors import UsageError

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
    assert status_of([verb, model, "--set", "n=3"]) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert "gives no number 'n'. It gives m, gravity.x to .z, rod.inertia.x to .z," in said
    assert status_of([verb, model, "--set", "m"]) == 2
    assert "not of the form NAME=VALUE" in capsys.readouterr().err
    capsys.readouterr()
    assert status_of([verb, model, "--set", "m=3", "--set", "m=4"]) == 2
    assert "--set gives 'm' twice" in capsys.readouterr().err
    assert status_of([verb, model, "--set", "rod.position.z=m"]) == 2
    assert "'rod.position.z' must be a finite number, not 'm'" in capsys.readouterr().err
    assert status_of([verb, model, "--set", "rod.mass=-1"]) == 3
    assert "mass must not be negative" in capsys.readouterr().err


def test_any_number_may_be_set_beside_parameters(model: str, tmp_path: Path) -> None:
    target = tmp_path / "other.json"
    words = ["--set", "rod.position.z=-0.5", "--set", "m=2*3", "--set", "gravity.z=-1.6"]
    assert status_of(["convert", model, str(target), *words, "--quiet"]) == 0
    found = json.loads(target.read_text(encoding="utf-8"))
    assert found["parameters"]["m"]["value"] == "2*3"
    assert found["bodies"][0]["mass"] == "m"
    assert found["bodies"][0]["position"] == [0, 0, -0.5]
    assert found["gravity"] == [0, 0, -1.6]
    before = load(model)
    other = before.with_numbers({"rod.position.z": -0.5, "m": 6.0, "gravity.z": -1.6})
    document = found | {"parameters": {"m": {"value": 6}}}
    assert other.to_dict() == type(before).from_dict(document).to_dict() | {"parameters": other.to_dict()["parameters"]}
    assert other.element("rod").mass == load(target).element("rod").mass == 6.0
    assert before.to_dict() == load(model).to_dict()


@pytest.mark.parametrize(
    "words",
    [
        ["--state", "pivot=1", "--state", "pivot=2"],
        ["--rate", "pivot=1", "--rate", "pivot=1"],
        ["--limit", "energy=1", "--limit", "energy=0.1"],
        ["--option", "sigma=grow", "--option", "sigma=reset"],
    ],
)
def test_a_name_that_is_given_twice_is_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """The last one counted, without a word."""
    run = ["run", "kissel2021_double_pendulum", "--t-end", "0.02", "--step", "0.01", "--formulation", "canonical"]
    assert status_of([*run, *words]) == 2
    name = words[1].partition("=")[0]
    assert f"{words[0]} gives {name!r} twice" in capsys.readouterr().err


def test_an_option_by_itself_and_among_options_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    run = ["run", "kissel2021_double_pendulum", "--t-end", "0.02", "--step", "0.01", "--formulation", "canonical"]
    assert status_of([*run, "--option", "frames=joints", "--frames", "screws"]) == 2
    assert "option frames is given twice" in capsys.readouterr().err
    mech = load("kissel2021_double_pendulum")
    with pytest.raises(UsageError, match="option frames is given twice"):
        lw.simulate(mech, 0.02, 0.01, "canonical", frames="joints", options={"frames": "screws"})
    assert lw.simulate(mech, 0.02, 0.01, "canonical", options={"frames": "joints"}).info["frames"] == "joints"
