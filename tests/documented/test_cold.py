"""A few commands with nothing compiled: each compiles what it needs, and nothing a second time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from documented.fresh import ANNOUNCED, Outcome, linkwork

WAYS = {
    "kinematics": ["kinematics", "kissel2021_single_pendulum", "--t-end", "0.01", "--step", "1e-3"],
    "run": ["run", "kissel2021_slider_crank", "--t-end", "0.01", "--step", "1e-3"],
    "explicit": ["run", "muller2013_heavy_top", "--t-end", "0.01", "--step", "1e-3", "--formulation", "lie-mixed"],
}


def compiled(folder: Path) -> set[str]:
    """What is in a cache: files of machine code."""
    return {path.name for path in folder.rglob("*.code")}


@pytest.mark.parametrize("way", WAYS)
def test_an_empty_cache_is_filled_once(way: str, tmp_path: Path, good: Callable[[Outcome], Outcome]) -> None:
    cache = tmp_path / "cache"
    first = good(linkwork(WAYS[way], tmp_path, LINKWORK_CACHE_DIR=str(cache)))
    assert ANNOUNCED[0] in first.err
    made = compiled(cache)
    assert made
    second = good(linkwork(WAYS[way], tmp_path, LINKWORK_CACHE_DIR=str(cache)))
    assert compiled(cache) == made
    assert ANNOUNCED[0] not in second.err
    assert second.seconds < 0.5 * first.seconds
