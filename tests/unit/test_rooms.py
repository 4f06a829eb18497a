"""`scripts/test` covers every room of the house, and what it names is there."""

from __future__ import annotations

from pathlib import Path

import rooms

import linkwork
from linkwork.formulations import FORMULATIONS

HOUSE = Path(linkwork.__file__).parent
ROOMS = {path.name for path in HOUSE.iterdir() if (path / "__init__.py").exists()} - {"mechanisms", "schema"}


def test_every_room_has_tests_in_the_list() -> None:
    assert set().union(*rooms.parts().values()) >= ROOMS


def test_the_tests_in_the_list_exist_and_stand_there_once() -> None:
    found = rooms.chosen()
    assert len(set(found)) == len(found)
    for test in found:
        file, _, name = test.partition("::")
        text = (rooms.TESTS.parent / file).read_text(encoding="utf-8")
        assert f"def {name}(" in text if name else "def test_" in text


def test_tests_of_other_formulations_are_left_out() -> None:
    known = set(FORMULATIONS)
    assert set(rooms.listed()["formulations"]) < known
    assert rooms.left_out({"formulation": "rp"}, known)
    assert not rooms.left_out({"formulation": "rA", "step": 0.1}, known)
    assert not rooms.left_out({}, known)
