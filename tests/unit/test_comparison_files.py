"""Study files, folders and the commands that read and write them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from unit.comparison_case import MODEL, study

import linkwork as lw
from linkwork.cli.main import status_of
from linkwork.errors import OutputExistsError, StudyError, UsageError
from linkwork.studies.comparison import scheduler
from linkwork.studies.comparison.files import load_study, save_study, study_from
from linkwork.studies.comparison.plan import plan_of
from linkwork.studies.comparison.study import SCHEMA_FILE, schema_text
from linkwork.studies.comparison.study_run import mechanism_of, run_study


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
        ("study: 1\nmechanism: m\naccuracy: 2\n", "line 3.*cannot be asked for: an accuracy of 2.*ask for 1 or less"),
        (
            "study: 1\nmechanism: m\naccuracy: [1e-4, 1e-99]\n",
            r"accuracy\[1\].*below what rounding allows.*or more",
        ),
        (
            "study: 1\nmechanism: m\naccuracy: {position: 1e-6}\n",
            r"line 3.*accuracy must be a number or a list.*write accuracy: \[1e-4\].*linkwork plan",
        ),
        *(  # a list that asks for nothing, beside a formulation that would run
            (
                f"study: 1\nmechanism: m\nformulations: rA\n{key}: []\n",
                rf"line 4: {key} must be a number.*not \[\]; leave",
            )
            for key in ("steps", "rtol", "accuracy")
        ),
        ("study: 1\nmechanism: m\noutputs: []\n", r"line 3: outputs must be a list of names, not \[\]"),
        ("study: 1\nmechanism: m\nintegrators: []\n", r"must be 'suitable' or 'all' or a list of names, not \[\]"),
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
    monkeypatch.setattr(scheduler, "carry_out_all", lambda *_: pytest.fail("something ran"))
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
    planned = load_study(Path(__file__).parents[2] / "examples" / "accuracy_study.yaml")
    jsonschema.validate(planned.to_dict(), json.loads(schema_text()))
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
