"""What result files promise: nothing is replaced unasked, the clock stays out, what is fixed has units."""

from __future__ import annotations

from pathlib import Path

import pytest

from linkwork.errors import OutputExistsError
from linkwork.header import Header
from linkwork.io.results.atomic import writing
from linkwork.io.results.schema import Outcome, attributes, documents, fixed, kept_info

CLOCK = ("wall_time", "run_seconds", "processor_seconds", "compile_time", "created")


def write(path: Path, *, meanwhile: str = "", fails: bool = False, force: bool = False) -> None:
    """Write "ours", while somebody else writes, or until it fails."""
    with writing(path, force=force) as temporary:
        temporary.write_text("ours")
        if meanwhile:
            path.write_text(meanwhile)
        if fails:
            raise ZeroDivisionError


def test_a_file_that_appeared_meanwhile_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "run.txt"
    with pytest.raises(OutputExistsError) as caught:
        write(path, meanwhile="theirs")
    assert path.read_text() == "theirs"
    (kept,) = set(tmp_path.iterdir()) - {path}
    assert kept.read_text() == "ours"
    assert str(kept) in str(caught.value)
    write(path, force=True)
    assert path.read_text() == "ours"


def test_a_file_that_fails_leaves_the_earlier_one_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "run.txt"
    path.write_text("good")
    with pytest.raises(ZeroDivisionError):
        write(path, fails=True, force=True)
    assert path.read_text() == "good"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", CLOCK)
def test_what_only_the_clock_knows_stays_out_unless_asked_for(name: str) -> None:
    header = Header(info={name: 1.5, "steps": 3})
    assert kept_info(header) == {"steps": 3}
    assert kept_info(header, timings=True) == {name: 1.5, "steps": 3}
    assert name not in attributes(header, Outcome())
    assert attributes(header, Outcome(), timings=True)[name] == 1.5
    assert name not in documents(header, Outcome(), ())["run_document"]


def test_what_is_fixed_has_units_and_meaning() -> None:
    header = Header(joints=("pin",), joint_bodies=("rod",), joint_points=((1.0, 2.0, 3.0),))
    found = {name: (dims, values.tolist(), attrs) for name, dims, values, attrs in fixed(header)}
    assert found["joint_body"][:2] == (("joint",), ["rod"])
    dims, values, attrs = found["joint_point"]
    assert (dims, values, attrs["units"]) == (("joint", "xyz"), [[1.0, 2.0, 3.0]], "m")
    assert all(attrs["long_name"] for _, _, attrs in found.values())


def test_attributes_are_numbers_and_short_texts() -> None:
    info = {"yes": True, "many": [1, 2], "long": "x" * 4000, "short": "x" * 3999, "status": 7}
    found = attributes(Header(info=info), Outcome(success=False, status=2, message="stopped"))
    assert (found["success"], found["status"], found["message"]) == (0, 2, "stopped")
    assert (found["yes"], found["short"]) == (1, "x" * 3999)
    assert "many" not in found
    assert "long" not in found
