"""What a file says that no machine can have taught is ignored."""

from __future__ import annotations

import json
from typing import Any

import pytest

import linkwork as lw
from linkwork.errors import UsageError
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
    assert wisdom.merge(other) == 0
    with pytest.raises(UsageError, match="there is no file"):
        wisdom.merge(tmp_path / "missing.json")
