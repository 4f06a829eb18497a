"""Entries are made when needed; those of a first run by several processes, whatever becomes of these."""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from linkwork.kernels import parallel_compilation
from linkwork.kernels.parallel_compilation import PROCESSES, Helper, make_ready, processes

MODULE = "linkwork_entries_of_a_test"


class Fake:
    """What `make_ready` asks of an entry."""

    def __init__(self, name: str, *, kept: bool = False) -> None:
        self.made, self.kept = False, kept
        self.__wrapped__ = lambda: None
        self.__wrapped__.__module__, self.__wrapped__.__name__ = MODULE, name

    def make(self) -> None:
        self.made = True


@pytest.fixture
def fakes(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Entries of a module that no other process finds."""
    module = ModuleType(MODULE)
    names = ["accept_step", "set_state", "output", "solve", "rhs"]
    for name in names:
        setattr(module, name, Fake(name))
    monkeypatch.setitem(sys.modules, MODULE, module)
    monkeypatch.setenv(PROCESSES, "2")
    return [getattr(module, name) for name in names]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Processes that helpers have begun."""
    begun: list[Any] = []
    usual = subprocess.Popen

    def popen(*args: Any, **named: Any) -> Any:
        begun.append(usual(*args, **named))
        return begun[-1]

    monkeypatch.setattr(subprocess, "Popen", popen)
    return begun


def test_what_a_helper_cannot_do_is_done_here(fakes: list[Any], started: list[Any]) -> None:
    make_ready(*fakes)
    assert all(entry.made for entry in fakes)
    assert len(started) == 1
    assert started[0].poll() is not None


def test_helpers_that_are_killed_are_missed_by_nobody(
    fakes: list[Any], started: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = Helper.say

    def killed(self: Helper, line: str) -> None:
        if not line.startswith("{"):
            self.process.kill()
        usual(self, line)

    monkeypatch.setattr(Helper, "say", killed)
    make_ready(*fakes)
    assert all(entry.made for entry in fakes)
    assert started[0].poll() is not None


def test_the_longest_come_first(fakes: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    monkeypatch.setattr(Fake, "make", lambda self: order.append(self.__wrapped__.__name__))
    monkeypatch.setattr(Helper, "run", lambda self: None)
    make_ready(*fakes, fakes[0])
    assert order == ["output", "solve", "rhs", "set_state", "accept_step"]


def test_nothing_is_started_for_what_is_there(
    fakes: list[Any], started: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    for entry in fakes[:-1]:
        entry.kept = True
    make_ready(*fakes)  # one alone is made here, as all are where one process may compile
    assert [entry.made for entry in fakes] == [False] * (len(fakes) - 1) + [True]
    monkeypatch.setenv(PROCESSES, "1")
    for entry in fakes:
        entry.kept = False
    make_ready(*fakes)
    assert not started
    assert all(entry.made for entry in fakes)


def test_where_no_process_can_be_started_entries_are_made_here(
    fakes: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*args: Any, **named: Any) -> Any:
        raise BlockingIOError("no more processes")

    monkeypatch.setattr(subprocess, "Popen", refused)
    make_ready(*fakes)
    assert all(entry.made for entry in fakes)


def test_an_interrupt_leaves_no_process(fakes: list[Any], started: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(self: Fake) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Fake, "make", interrupted)
    with pytest.raises(KeyboardInterrupt):
        make_ready(*fakes)
    assert started[0].poll() is not None


def test_how_many_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PROCESSES, "3")
    assert processes() == 3
    monkeypatch.setenv(PROCESSES, "many")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(64)), raising=False)
    monkeypatch.setattr(sys, "executable", "/usr/bin/python3")
    monkeypatch.setattr(os, "getloadavg", lambda: (1.0, 0.0, 0.0), raising=False)
    assert processes() == parallel_compilation.MOST
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0})
    assert processes() == 1
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    assert processes() == 2
    monkeypatch.setattr(os, "getloadavg", lambda: (1.7, 0.0, 0.0))
    assert processes() == 1, "somebody else has the other core"
    monkeypatch.setattr(os, "getloadavg", lambda: (0.2, 0.0, 0.0))
    for where, name, value in (
        (sys, "executable", "/usr/bin/blender"),
        (sys, "executable", ""),
        (sys, "platform", "win32"),
        (sys, "frozen", True),
        (multiprocessing, "parent_process", object),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(where, name, value, raising=False)
            assert processes() == 1, name


RUN = """
import json, sys
from linkwork.kernels.parallel_compilation import make_ready
from linkwork.problems.nothing import NOTHING
from linkwork.problems.linear import FACTORISE, SOLVE
from linkwork.integrators.start import SOLVE_ACCELERATIONS
entries = [NOTHING, FACTORISE, SOLVE, SOLVE_ACCELERATIONS]
before = [entry.made or entry.kept for entry in entries]
make_ready(*entries)
print(json.dumps([before, [entry.made for entry in entries], [entry.kept for entry in entries]]))
addresses = [entry.address for entry in entries[:3]]
assert all(addresses), addresses
SOLVE_ACCELERATIONS.make()
"""


def outcome(cache: Path) -> Any:
    environment = dict(os.environ, LINKWORK_CACHE_DIR=str(cache), **{PROCESSES: "2"})
    done = subprocess.run([sys.executable, "-c", RUN], env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_entries_are_shared_out_and_kept(tmp_path: Path) -> None:
    before, made, kept = outcome(tmp_path)
    assert not any(before)
    assert all(kept)
    assert any(made)
    assert not all(made), "the helper has made none"
    assert not list(tmp_path.rglob("*.tmp.*"))
    before, made, kept = outcome(tmp_path)
    assert all(before)
    assert not any(made)  # a table alone reads them
