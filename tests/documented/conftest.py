"""Processor time of every process that a documented command or block took, told at the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from documented.fresh import Outcome

SHOWN = 12


@pytest.fixture
def done(record_property: Callable[[str, object], None]) -> Callable[[Outcome], Outcome]:
    """Note an outcome's processor time."""

    def note(outcome: Outcome) -> Outcome:
        record_property("process", (outcome.what.splitlines()[0], round(outcome.seconds, 1)))
        return outcome

    return note


@pytest.fixture
def good(done: Callable[[Outcome], Outcome]) -> Callable[[Outcome], Outcome]:
    """Note it, and fail with what is wrong with it."""

    def check(outcome: Outcome) -> Outcome:
        said = done(outcome).complaint()
        if said is not None:
            pytest.fail(said, pytrace=False)
        return outcome

    return check


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """The sum, and what took most of it."""
    took = [
        said
        for reports in terminalreporter.stats.values()
        for report in reports
        if getattr(report, "when", "") == "call"
        for name, said in report.user_properties
        if name == "process"
    ]
    if not took:
        return
    total = sum(seconds for _, seconds in took)
    terminalreporter.write_sep("-", f"{len(took)} processes, {total:.0f} s of processor time")
    for what, seconds in sorted(took, key=lambda one: -one[1])[:SHOWN]:
        terminalreporter.write_line(f"{seconds:8.1f} s  {what}")
