"""A saved plan is read and run as the plan itself; files are not trusted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.cli.main import status_of
from linkwork.errors import LinkworkError, ModelError, UsageError
from linkwork.planner import wisdom

CRANK = "kissel2021_slider_crank"


@pytest.fixture(autouse=True)
def unwise(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wisdom, "path", lambda: tmp_path / "wisdom.json")
    wisdom.forget()


@pytest.mark.parametrize("ending", [".yaml", ".json"])
@pytest.mark.parametrize("how", [{}, {"formulation": "lie-mixed", "integrator": "radau5", "max_iterations": 12}])
def test_a_saved_plan_runs_as_the_plan(tmp_path: Path, ending: str, how: dict[str, Any]) -> None:
    file = tmp_path / f"plan{ending}"
    made = lw.plan(lw.load(CRANK), 0.5, 0.01, accuracy={"position": {"slider": "0.01 mm"}}, every=2, **how)
    made.save(file)
    result, again = made.run(), lw.load_plan(file, out=tmp_path / "run.nc").run()
    assert again.accuracy is not None
    assert again.accuracy.reached
    assert again.accuracy["position"].error == result.accuracy["position"].error  # type: ignore[index]  # both have one
    for name in ("position", "rotation", "reaction_force"):
        np.testing.assert_array_equal(result[name], again[name])
    kept = lw.open_result(tmp_path / "run.nc")
    assert {name: kept.info[name] for name in how if name != "max_iterations"} == {
        name: value for name, value in how.items() if name != "max_iterations"
    }
    assert lw.load_plan(file).chosen.method.integrator.given().get("max_iterations") == how.get("max_iterations")
    assert kept.accuracy == again.accuracy


def test_a_plan_with_a_start_state_begins_there(tmp_path: Path) -> None:
    mech = lw.load("kissel2021_double_pendulum")
    made = lw.plan(mech, 0.5, 0.01, state=lw.simulate(mech, 0.2, 0.01).state(-1))
    made.save(tmp_path / "plan.yaml")
    np.testing.assert_array_equal(lw.load_plan(tmp_path / "plan.yaml").run()["position"], made.run()["position"])


def test_the_command_line_runs_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan, out = str(tmp_path / "plan.yaml"), tmp_path / "run.nc"
    assert status_of(["plan", CRANK, "--t-end", "0.2", "--step", "0.01", "--out", plan]) == 0
    assert status_of(["run", "--plan", plan, "--out", str(out), "--quiet"]) == 0
    assert lw.open_result(out).time[-1] == pytest.approx(0.2)
    capsys.readouterr()
    assert status_of(["run", CRANK, "--plan", plan, "--step", "0.1"]) == 2
    assert "--plan takes these from the file: leave out MODEL, --step" in capsys.readouterr().err
    assert status_of(["run", plan]) != 0
    assert "linkwork run --plan FILE" in capsys.readouterr().err
    with pytest.raises(ModelError, match="holds a plan, not a mechanism"):
        lw.load(plan)


SPOILT: list[tuple[str, Any, str]] = [
    ("plan", 2, "version 2"),
    ("formulation", None, "formulation: must be a name"),
    ("integrator", ["rk4"], "integrator: must be a name"),
    ("formulation", "none", "none"),
    ("call", 3, "call: must be a mapping"),
    ("call.t_end", "1 s", "call.t_end: must be a number"),
    ("call.t_end", -1.0, "t_end"),
    ("call.step", 10**400, "step"),
    ("call.time_limit", True, "call.time_limit: must be a number"),
    ("call.every", 0, "call.every: must be a whole number"),
    ("call.accept_drivers", "yes", "call.accept_drivers: must be true or false"),
    ("call.accuracy", ["1e-4"], "accuracy"),
    ("call.accuracy", {"position": {"nobody": 1.0}}, "nobody"),
    ("call.state", "there", "call.state: must be a mapping"),
    ("call.state", {"position": [1]}, "State|state"),
    ("call.limits", {"energy": "much"}, "energy"),
    ("call.out", "elsewhere.nc", "call.out: is not for a file to say"),
    ("call.nonsense", 1, "nonsense"),
    ("model", [], "mechanism"),
    ("model.bodies", 3, "bodies"),
]


@pytest.mark.parametrize(("field", "value", "words"), SPOILT)
def test_a_spoilt_file_is_told_with_its_field(tmp_path: Path, field: str, value: Any, words: str) -> None:
    file = tmp_path / "plan.json"
    lw.plan(lw.load(CRANK), 0.2, 0.01).save(file)
    data = json.loads(file.read_text())
    *outer, last = field.split(".")
    place = data[outer[0]] if outer else data
    place[last] = value
    file.write_text(json.dumps(data))
    with pytest.raises(LinkworkError, match=words) as caught:
        lw.load_plan(file)
    assert "plan.json" in str(caught.value)


def test_what_is_no_plan_or_a_record_only_says_so(tmp_path: Path) -> None:
    for name, text in (
        ("a.yaml", "[1, 2]"),
        ("b.yaml", "linkwork: 1\n"),
        ("c.json", "{"),
        ("d.yaml", "a: !!x 1"),
    ):
        (tmp_path / name).write_text(text)
        with pytest.raises(UsageError, match=name):
            lw.load_plan(tmp_path / name)
    with pytest.raises(UsageError, match=r"not '\.txt'"):
        lw.load_plan(tmp_path / "plan.txt")
    with pytest.raises(UsageError, match=r"nothing\.yaml"):
        lw.load_plan(tmp_path / "nothing.yaml")
    made = lw.plan(lw.load(CRANK), 0.2, 0.01)
    made.asked = None  # as of a call with an object that is no plain data
    made.save(tmp_path / "record.yaml")
    with pytest.raises(UsageError, match="is a record only"):
        lw.load_plan(tmp_path / "record.yaml")


@pytest.mark.parametrize("name", ["there.yaml", "plan.txt", "plan", "nowhere/plan.yaml"])
def test_where_a_plan_cannot_go_is_told_before_it_is_made(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "there.yaml").write_text("mine")
    assert status_of(["plan", CRANK, "--t-end", "0.2", "--out", str(tmp_path / name)]) != 0
    told = capsys.readouterr()
    assert not told.out
    assert name in told.err
    assert [file.name for file in tmp_path.iterdir()] == ["there.yaml"]
    assert (tmp_path / "there.yaml").read_text() == "mine"


def test_a_file_cut_short_is_not_told_to_be_elsewhere(tmp_path: Path) -> None:
    lw.plan(lw.load(CRANK), 0.2, 0.01).save(tmp_path / "plan.json")
    text = (tmp_path / "plan.json").read_text()
    (tmp_path / "plan.json").write_text(text[: len(text) // 2])
    with pytest.raises(UsageError, match="Make it anew"):
        lw.load_plan(tmp_path / "plan.json")
    with pytest.raises(UsageError, match="Check the path"):
        lw.load_plan(tmp_path / "none.json")
