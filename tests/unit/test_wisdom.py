"""What a file says that no machine can have taught is left out; a file that is of no use here is told why."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

import linkwork as lw
from linkwork.errors import OutputExistsError, UsageError
from linkwork.planner import wisdom

TOP = "muller2013_heavy_top"


@pytest.fixture(autouse=True)
def unwise(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wisdom, "path", lambda: tmp_path / "wisdom.json")
    wisdom.forget()


def test_numbers_that_nobody_measured_are_no_wisdom(tmp_path: Any) -> None:
    key, other = wisdom.key_of(lw.load(TOP)), tmp_path / "other.json"
    said = {"version": wisdom.__version__, "processor": wisdom.processor(), "format": wisdom.FORMAT}
    for number in (10**400, -1, 0, True, "3", None, float("nan"), float("inf"), 1e300, 1e-300):
        topologies = {key: {"nanoseconds": {"canonical": number, "lie-mixed": 0.5}}}
        other.write_text(json.dumps({**said, "topologies": topologies}))
        wisdom.forget()
        wisdom.merge(other)
        assert wisdom.known(lw.load(TOP)) == {"nanoseconds": {"lie-mixed": 0.5}}
    other.write_text("[" * 200_000)
    with pytest.raises(UsageError, match="is not JSON"):
        wisdom.merge(other)
    with pytest.raises(UsageError, match="there is no file"):
        wisdom.merge(tmp_path / "missing.json")


def document(**other: Any) -> str:
    """A file of wisdom of this machine, or one that differs in something."""
    said = {"version": wisdom.__version__, "processor": wisdom.processor(), "format": wisdom.FORMAT}
    topologies = {wisdom.key_of(lw.load(TOP)): {"nanoseconds": {"lie-mixed": 0.5}}}
    return json.dumps({**said, "topologies": topologies, **other})


USELESS = [
    ("{", "is not JSON"),
    ("3", "no wisdom of the form 'linkwork wisdom 1'"),
    (document(format="linkwork wisdom 0"), "no wisdom of the form"),
    (document(version="0.0.1"), f"of version '0.0.1', and this is '{wisdom.__version__}'"),
    (document(processor="Z80"), "of processor 'Z80', and this is "),
    (document(topologies=3), "lists no topologies"),
    (document(topologies={}), "holds no number"),
    (document(topologies={"a": {"nanoseconds": {"canonical": -1.0}}, "b": 3}), "holds no number"),
]


@pytest.mark.parametrize(("text", "words"), USELESS)
def test_a_file_that_is_of_no_use_here_says_why(tmp_path: Any, text: str, words: str) -> None:
    (tmp_path / "other.json").write_text(text)
    with pytest.raises(UsageError, match=re.escape(words)) as caught:
        wisdom.merge(tmp_path / "other.json")
    assert "other.json" in str(caught.value)
    assert wisdom.known(lw.load(TOP)) == {}


def test_a_plan_says_that_what_lies_there_is_not_used(tmp_path: Any) -> None:
    wisdom.path().write_text(document(version="0.0.1"))
    wisdom._read.clear()
    made = lw.plan(lw.load(TOP), 0.2, 0.01)
    assert "is not used: it is of version '0.0.1'" in str(made)
    assert made.run().success
    wisdom.learn_speed(lw.load(TOP), "canonical", 100, 0.3)
    wisdom.export()  # writes it anew
    assert "is not used" not in str(lw.plan(lw.load(TOP), 0.2, 0.01))
    assert json.loads(wisdom.path().read_text())["version"] == wisdom.__version__


def test_no_other_file_is_overwritten(tmp_path: Any) -> None:
    (tmp_path / "mine.yaml").write_text("linkwork: 1")
    with pytest.raises(OutputExistsError, match="is not JSON"):
        wisdom.export(tmp_path / "mine.yaml")
    assert (tmp_path / "mine.yaml").read_text() == "linkwork: 1"
    (tmp_path / "theirs.json").write_text(document())
    wisdom.export(tmp_path / "theirs.json")
    assert wisdom.known(lw.load(TOP)) == {"nanoseconds": {"lie-mixed": 0.5}}
