"""The limit on what is timed in a process of its own ends it, computing or not, and says so."""

from __future__ import annotations

import sys
import time

import pytest

from benchmarks.precision_cases import Point, killed_after

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no fork")
LATE = Point("case", "way", 1.0, float("nan"), 0.2, failure="longer than 0.2 s")
MADE = Point("case", "way", 1.0, 1e-6, 0.1)


def sleeping() -> Point:
    time.sleep(60.0)
    return MADE


def computing() -> Point:
    while True:
        pass


@pytest.mark.parametrize("work", [sleeping, computing])
def test_what_takes_too_long_is_ended_and_said(work: object) -> None:
    began = time.monotonic()
    assert killed_after(0.2, work, LATE) is LATE  # type: ignore[arg-type]
    assert time.monotonic() - began < 30.0


def test_what_is_in_time_is_handed_over() -> None:
    assert killed_after(20.0, lambda: MADE, LATE) == MADE
