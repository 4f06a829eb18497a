"""No command writes over a file that it reads, by whatever name and in whatever order; in Python one may."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from unit.test_io_formats_kissel import BAR

import linkwork as lw
from linkwork.cli.main import OK, USAGE, status_of
from linkwork.errors import OutputExistsError
from linkwork.io.formats import load, save
from linkwork.io.sources import of_one_command, reads, writes

MODEL = """linkwork: 1
tables: {pull: {file: pull.csv}}
bodies: [{name: bar, mass: 1, inertia: [1, 1, 1]}]
joints: [{name: slide, type: translational, first: ground, second: bar, point: [0, 0, 0], axis: [1, 0, 0]}]
forces: [{name: push, type: force, body: bar, components: ["table('pull', t)", 0, 0]}]
run: {t_end: 0.01, step: 1e-3}
"""
STUDY = {"study": 1, "name": "s", "mechanism": "m.yaml", "t_end": 0.01, "outputs": ["json"]}
LINES = {  # what would be written over, and by which command
    "m.yaml": [
        "plan m.yaml --out m.yaml",
        "convert m.yaml m.yaml",
        "convert m.yaml ./folder/../m.yaml",
        "convert m.yaml link.yaml",
        "equilibrium m.yaml --out m.yaml",
        "compare m.yaml --save-study m.yaml",
    ],
    "pull.csv": ["run m.yaml --out pull.csv", "kinematics m.yaml --out pull.csv"],
    "r.nc": ["run m.yaml --after r.nc --out r.nc", "run r.nc --out r.nc"],
    "k.side.yaml": ["convert k.json k.side.yaml", "convert k.json k.side.yaml --side k.side.yaml"],
    "comparison.json": ["study comparison.json --out .", "study comparison.json --report comparison.json"],
    "included.xml": ["convert robot.xml included.xml"],
}


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Everything that the lines name."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "m.yaml").write_text(MODEL)
    (tmp_path / "link.yaml").symlink_to("m.yaml")
    (tmp_path / "pull.csv").write_text("t,F\n0,1\n1,2\n")
    (tmp_path / "comparison.json").write_text(json.dumps(STUDY))
    (tmp_path / "k.side.yaml").write_text("bodies: {}\n")
    (tmp_path / "k.json").write_text(json.dumps(BAR))
    (tmp_path / "robot.xml").write_text('<mujoco><include file="included.xml"/></mujoco>')
    (tmp_path / "included.xml").write_text(
        '<mujoco><worldbody><body><joint/><geom size="1"/></body></worldbody></mujoco>'
    )
    lw.simulate(lw.load("m.yaml"), out="r.nc", formulation="rA", t_end=0.01, step=1e-3)
    return tmp_path


@pytest.mark.parametrize(("name", "line"), [(name, line) for name, lines in LINES.items() for line in lines])
def test_what_a_command_reads_is_not_written_over(
    name: str, line: str, files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {one: one.read_bytes() for one in files.iterdir() if one.is_file()}
    assert status_of([*line.split(), "--force"]) == USAGE
    assert "is read by this command, and would be written over. Name another file." in capsys.readouterr().err
    assert {one: one.read_bytes() for one in files.iterdir() if one.is_file()} == before
    assert name in {one.name for one in before}


def test_other_files_are_written_and_a_later_command_writes_what_an_earlier_one_read(files: Path) -> None:
    assert status_of(["convert", "m.yaml", "n.yaml", "--quiet"]) == OK
    assert status_of(["plan", "m.yaml", "--out", "plan.yaml", "--json"]) == OK
    assert status_of(["convert", "m.yaml", "plan.yaml", "--force", "--quiet"]) == OK
    assert load("plan.yaml").to_dict() == load("n.yaml").to_dict()


def test_a_file_that_was_only_looked_at_is_written(files: Path) -> None:
    """Beside a URDF a YAML file may stand that belongs to it; one of ours does not."""
    Path("arm.urdf").write_text('<robot name="r"><link name="base"/></robot>')
    for _ in range(2):
        assert status_of(["convert", "arm.urdf", "arm.yaml", "--force", "--quiet"]) == OK
    Path("arm.yaml").write_text("closed_loop: []\ntype: []\n")
    assert status_of(["convert", "arm.urdf", "arm.yaml", "--force", "--quiet"]) == USAGE
    assert Path("arm.yaml").read_text().startswith("closed_loop")


def test_in_python_a_description_is_saved_over_the_file_that_it_came_from(files: Path) -> None:
    save(load("m.yaml"), "m.yaml", force=True)
    with of_one_command():
        reads("m.yaml")
        writes("not there yet.yaml")
        reads("not there yet.yaml")
        with pytest.raises(OutputExistsError):
            save(load("folder/../link.yaml"), "m.yaml", force=True)
