"""The script that plants mistakes: its list fits the sources, and what becomes of a mistake is told rightly."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parents[1] / "mistakes"
FEW = ("cylinder: moment about its axis", "generalized-alpha: gamma", "table: units left out")


def script() -> Any:
    """`tests/mistakes/plant.py` as a module."""
    spec = importlib.util.spec_from_file_location("plant", HERE / "plant.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["plant"] = module
    spec.loader.exec_module(module)
    return module


plant = script()
LISTED = plant.mistakes()


def test_the_list_is_long_and_spread_over_all_rooms() -> None:
    assert len(LISTED) >= 60
    assert len({one.name for one in LISTED}) == len(LISTED)
    rooms = {Path(one.file).parts[0].removesuffix(".py") for one in LISTED}
    wanted = "mechanism io result cli plots analysis studies reports system spaces kernels formulations integrators run"
    assert {*wanted.split()} <= rooms


def test_every_mistake_changes_something_and_names_tests_that_exist() -> None:
    for one in LISTED:
        assert one.right != one.wrong, one.name
        for test in one.tests:
            path = test.partition("::")[0]
            assert (plant.TOP / path).is_file(), f"{one.name}: {path}"
            assert Path(path).parts[1] in ("unit", "laws", "property", "order", "agreement"), one.name


def test_nearly_all_mistakes_still_fit_the_sources() -> None:
    """The others are to be brought up to date: `scripts/plant_mistakes --list` names them."""
    stale = [f"{one.room}: {one.name}" for one in LISTED if not plant.applies(one)]
    assert len(stale) <= 0.1 * len(LISTED), stale


def test_a_mistake_is_planted_where_it_stands_once_and_taken_out_again(tmp_path: Path) -> None:
    source = tmp_path / "src" / "linkwork" / "room.py"
    source.parent.mkdir(parents=True)
    source.write_text("x = 1\ny = 2\n")
    one = plant.Mistake("room", "a sign", "room.py", "x = 1", "x = -1", ())
    assert plant.applies(one, tmp_path)
    with plant.planted(one, tmp_path):
        assert source.read_text() == "x = -1\ny = 2\n"
        assert not plant.applies(one, tmp_path)
    assert source.read_text() == "x = 1\ny = 2\n"
    source.write_text("x = 1\nx = 1\n")
    assert not plant.applies(one, tmp_path)
    assert plant.tried(one, tmp_path).what == plant.STALE


def made(tmp_path: Path, test: str) -> Any:
    """A house of one function, and what becomes of a mistake in it under a test."""
    package = tmp_path / "src" / "linkwork"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "room.py").write_text("def half(x):\n    return x / 2\n")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_room.py").write_text(
        f"from linkwork.room import half\n\n\ndef test_it():\n    {test}\n"
    )
    return plant.tried(plant.Mistake("room", "factor", "room.py", "x / 2", "x * 2", ("tests/test_room.py",)), tmp_path)


@pytest.mark.parametrize(
    ("test", "what", "by"),
    [
        ("assert half(4) == 2", "caught", "test_room.py::test_it"),
        ("assert half(0) == 0", "SURVIVED", ""),
        ("assert half(4) == 5", "BROKEN", "test_room.py::test_it fails without it"),
    ],
)
def test_what_becomes_of_a_mistake(test: str, what: str, by: str, tmp_path: Path) -> None:
    found = made(tmp_path, test)
    assert (found.what, found.by) == (what, by)
    assert found.is_bad is (what != "caught")
    assert what in str(found)


def test_a_mistake_that_makes_tests_run_for_ever_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plant, "LIMIT", 3.0)
    found = made(tmp_path, "while half(4) != 2:\n        pass")
    assert found.what == plant.HANGS
    assert not found.is_bad


def test_the_summary_counts_what_was_planted() -> None:
    one, kept = plant.Mistake("a", "b", "c", "d", "e", ()), plant.Mistake("a", "b", "c", "d", "e", (), "it is harmless")
    outcomes = [
        plant.Outcome(one, plant.CAUGHT), plant.Outcome(one, plant.HANGS), plant.Outcome(kept, plant.SURVIVED),
        plant.Outcome(one, plant.STALE),
    ]  # fmt: skip
    lines = plant.summary(outcomes).splitlines()
    assert lines[0] == "2 of 3 caught (67 %)"
    assert "it is harmless" in lines[1]
    assert lines[2].startswith("STALE")
    assert [one.is_bad for one in outcomes] == [False, False, False, True]


def test_a_few_mistakes_are_planted_and_caught(capsys: pytest.CaptureFixture[str]) -> None:
    """The short form: three rooms in which nothing is compiled."""
    assert plant.main(["--name", *FEW]) == 0
    said = capsys.readouterr().out
    assert said.count("caught ") == len(FEW) + 1
    assert "3 of 3 caught (100 %)" in said
