"""Every script and study of examples/, in a process of its own, says what it is there for."""

from __future__ import annotations

import json
import re
import runpy
import shlex
import shutil
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from documented.fresh import Outcome, linkwork, process
from documented.pages import ROOT

EXAMPLES = ROOT / "examples"
SCRIPTS = sorted(EXAMPLES.glob("*.py"))
STUDIES = sorted(EXAMPLES.glob("*_study.yaml"))
MECHANISMS = sorted({*EXAMPLES.glob("*.yaml")} - {*STUDIES})
SHORTER = {
    "adaptive_steps": ["--t-end", "0.2"],
    "choosing_groups": ["--t-end", "0.5"],
    "compare_formulations": ["--t-end", "0.1"],
    "streaming_long_run": ["--t-end", "2"],
}


def better_with_the_tolerance(out: str) -> None:
    lines = [line for line in out.splitlines() if "rtol" in line]
    for pair in ("bs32", "dp54", "ts54", "dop853"):
        errors = [float(re.search(rf"{pair} +(\S+) \|", line)[1]) for line in lines]  # type: ignore[index]
        assert len(errors) == 4
        assert all(finer < 0.1 * coarser for coarser, finer in pairwise(errors)), pair
    assert "3 samples or 3001" in out


def shows_where_se3_pays(out: str) -> None:
    first = out.split("spherical double pendulum")[0]
    found = re.findall(r"^  (\S+) +lie-se3 +(\S+) \|.*lie-product +(\S+) \|.* (\w+)$", first, re.MULTILINE)
    rows = {joint: (float(se3), float(product), chosen) for joint, se3, product, chosen in found}
    for joint in ("spherical", "revolute", "cylindrical"):
        assert rows[joint][0] < 1e-13 < 1e-11 < rows[joint][1]
    kept = {joint for joint, (*_, chosen) in rows.items() if chosen == "se3"}
    assert kept == {"spherical", "revolute", "cylindrical", "translational", "planar"}
    assert "projection, every 10th step" in out


def quarters_its_error(out: str) -> None:
    errors = [float(line.split()[2]) for line in out.splitlines() if " s " in line and "e-" in line]
    assert len(errors) == 5
    assert errors[-2] / errors[-1] == pytest.approx(4.0, abs=0.1)


def says(words: str) -> Callable[[str], None]:
    def check(out: str) -> None:
        assert words in out

    return check


SAYS: dict[str, Callable[[str], None]] = {
    "adaptive_steps": better_with_the_tolerance,
    "bicycle": says("it rights itself between 4.292 and 6.024 m/s"),
    "cam": says("120.0 rad/s: least force    -4.0 N, at 4.19 rad; leaves it"),
    "cart_pole_policy": says("gains: k_x = "),
    "cart_pole": says("by law: 0.30 rad at the start, at most 0.30, 0.0047 at the end"),
    "choosing_groups": shows_where_se3_pays,
    "compare_formulations": says("no-reaction-variation"),
    "driven_kinematics": says("largest difference from the closed form"),
    "four_bar": says("degrees of freedom: 0"),
    "gravity_field": says("libration: 1.2247"),
    "identify_spring": says("runs with their derivatives"),
    "import_kissel": says("[LW-MASS]"),
    "path_synthesis": says("by 0.53 mm now"),
    "redundant_loop": says("21 rows of rank 18"),
    "tune_suspension": says("times less"),
    "four_bar_tolerances": says("64 linkages, 0 of them impossible"),
    "suspension_map": says("80 suspensions"),
    "servo_arm": says("reflected inertia of the rotor: 0.050 kg m^2"),
    "shaken_pendulum": says("1.2 of it: lowest height +1.00 l, stands"),
    "spring_and_damper": quarters_its_error,
    "walking_leg": says("degrees of freedom: 1\nspeed: 5.5"),
    "streaming_long_run": says("20000 steps, 2001 samples kept"),
}


def test_all_examples_are_known() -> None:
    assert {path.stem for path in SCRIPTS} == set(SAYS)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_runs_and_leaves_nothing_behind(
    path: Path, tmp_path: Path, good: Callable[[Outcome], Outcome]
) -> None:
    words = [sys.executable, str(path), *SHORTER.get(path.stem, [])]
    SAYS[path.stem](good(process(f"examples/{path.name}", words, tmp_path)).out)
    assert not list(tmp_path.iterdir())


def test_four_bar_writes_where_it_is_told(tmp_path: Path, good: Callable[[Outcome], Outcome]) -> None:
    words = [sys.executable, str(EXAMPLES / "four_bar.py"), "--out", "here"]
    good(process("examples/four_bar.py --out here", words, tmp_path))
    assert {p.name for p in (tmp_path / "here").iterdir()} == {"four_bar.yaml", "four_bar.nc", "four_bar.png"}


def test_a_published_model_can_be_given(tmp_path: Path, good: Callable[[Outcome], Outcome]) -> None:
    path = EXAMPLES / "import_kissel.py"
    (tmp_path / "mine.json").write_text(json.dumps(runpy.run_path(str(path))["pendulum"]()))
    (tmp_path / "mine.side.yaml").write_text("bodies:\n  bar: {mass: 3, inertia: [0.01, 0.25, 0.25]}\n")
    words = [sys.executable, str(path), "mine.json", "--side", "mine.side.yaml"]
    good(process("examples/import_kissel.py mine.json --side mine.side.yaml", words, tmp_path))


@pytest.mark.parametrize("path", STUDIES, ids=lambda path: path.stem)
def test_a_study_runs_by_the_command_in_its_first_line(
    path: Path, tmp_path: Path, good: Callable[[Outcome], Outcome]
) -> None:
    said = re.match(r"# (linkwork study examples/\S+)\n", path.read_text(encoding="utf-8"))
    assert said is not None
    verb, file, *options = shlex.split(said[1])[1:]
    short = tmp_path / path.name
    for mechanism in MECHANISMS:  # a study names them by where they are beside it
        shutil.copy(mechanism, tmp_path)
    short.write_text(a_tenth((ROOT / file).read_text(encoding="utf-8")) + "repeats: 1\n")
    good(linkwork([verb, str(short), *options, "--out", str(tmp_path / "results")], tmp_path))


def a_tenth(study: str) -> str:
    """The study over a tenth of its time."""
    return re.sub(r"(?<=^t_end: )\S+", lambda span: repr(float(span[0]) / 10), study, flags=re.MULTILINE)
