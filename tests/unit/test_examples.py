"""Every script in examples/ runs from any folder, prints something, and writes only where it is told to."""

from __future__ import annotations

import json
import re
import runpy
import sys
from itertools import pairwise
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.py"))
SHORTER = {
    "adaptive_steps": ["--t-end", "0.2"],
    "choosing_groups": ["--t-end", "0.5"],
    "compare_formulations": ["--t-end", "0.1"],
    "streaming_long_run": ["--t-end", "2"],
}
SAYS = {
    "adaptive_steps": "3 samples or 3001",
    "choosing_groups": "projection, every 10th step",
    "compare_formulations": "no-reaction-variation",
    "driven_kinematics": "largest difference from the closed form",
    "four_bar": "degrees of freedom: 0",
    "import_kissel": "[LW-MASS]",
    "redundant_loop": "21 rows of rank 18",
    "spring_and_damper": "generalized-alpha is of second order",
    "streaming_long_run": "20000 steps, 2001 samples kept",
}


def run(path: Path, arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """As `python path arguments` does."""
    monkeypatch.setattr(sys, "argv", [str(path), *arguments])
    runpy.run_path(str(path), run_name="__main__")


def test_all_examples_are_known() -> None:
    assert [path.stem for path in EXAMPLES] == sorted(SAYS)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs_and_leaves_nothing_behind(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    run(path, SHORTER.get(path.stem, []), monkeypatch)
    assert SAYS[path.stem] in capsys.readouterr().out
    assert not list(tmp_path.iterdir())


def test_four_bar_writes_where_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = next(path for path in EXAMPLES if path.stem == "four_bar")
    run(path, ["--out", str(tmp_path / "here")], monkeypatch)
    assert {p.name for p in (tmp_path / "here").iterdir()} == {"four_bar.yaml", "four_bar.nc", "four_bar.png"}


def test_spring_and_damper_quarters_its_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = next(path for path in EXAMPLES if path.stem == "spring_and_damper")
    run(path, [], monkeypatch)
    errors = [float(line.split()[2]) for line in capsys.readouterr().out.splitlines() if " s " in line and "e-" in line]
    assert len(errors) == 5
    assert errors[-2] / errors[-1] == pytest.approx(4.0, abs=0.1)


def test_choosing_groups_shows_where_se3_pays(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = next(path for path in EXAMPLES if path.stem == "choosing_groups")
    run(path, ["--t-end", "0.5"], monkeypatch)
    first = capsys.readouterr().out.split("spherical double pendulum")[0]
    found = re.findall(r"^  (\S+) +lie-se3 +(\S+) \|.*lie-product +(\S+) \|.* (\w+)$", first, re.MULTILINE)
    rows = {joint: (float(se3), float(product), chosen) for joint, se3, product, chosen in found}
    for joint in ("spherical", "revolute", "cylindrical"):
        assert rows[joint][0] < 1e-13 < 1e-11 < rows[joint][1]
    kept = {joint for joint, (*_, chosen) in rows.items() if chosen == "se3"}
    assert kept == {"spherical", "revolute", "cylindrical", "translational", "planar"}


def test_adaptive_steps_get_better_with_the_tolerance(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = next(path for path in EXAMPLES if path.stem == "adaptive_steps")
    run(path, ["--t-end", "0.2"], monkeypatch)
    lines = [line for line in capsys.readouterr().out.splitlines() if "rtol" in line]
    for pair in ("bs32", "dp54", "ts54", "dop853"):
        errors = [float(re.search(rf"{pair} +(\S+) \|", line)[1]) for line in lines]  # type: ignore[index]
        assert len(errors) == 4
        assert all(finer < 0.1 * coarser for coarser, finer in pairwise(errors)), pair


def test_a_published_model_can_be_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = next(path for path in EXAMPLES if path.stem == "import_kissel")
    names = runpy.run_path(str(path))
    model, side = tmp_path / "mine.json", tmp_path / "mine.side.yaml"
    model.write_text(json.dumps(names["pendulum"]()))
    side.write_text("bodies:\n  bar: {mass: 3, inertia: [0.01, 0.25, 0.25]}\n")
    run(path, [str(model), "--side", str(side)], monkeypatch)
