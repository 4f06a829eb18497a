"""Compiling what a run needs on several cores.

Other processes, helpers, compile entries into the disk cache, while this one compiles others; then it reads theirs.
Each entry is handed to one process. Whatever a helper does not finish is compiled here, so that helpers may fail as
they like. A helper ends with the process that it works for: its input is closed then.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Any

from linkwork.kernels.compiling import compilation, is_worker
from linkwork.kernels.jit import cache_directory

PROCESSES = "LINKWORK_COMPILE_PROCESSES"
MOST = 4  # each takes some 300 MB, and has to compile what its entries have in common with others' once more
PATIENCE = 120.0  # s that a helper may take longer than this process
BEGIN = (
    "import sys, json; given = json.loads(sys.stdin.readline()); sys.path[:] = given['path']; "
    "from linkwork.kernels.parallel_compilation_helper import help_out; help_out(given['cache'])"
)
LONGEST_FIRST = (
    "output", "evaluate", "solve", "factorise", "rhs", "advance", "set_state", "advance_to", "assemble",
)  # fmt: skip


def make_ready(*entries: Any) -> None:
    """Compile those that are not in the disk cache. What is on disk is read when first needed."""
    missing = [entry for entry in dict.fromkeys(entries) if not getattr(entry, "made", True) and not entry.kept]
    if missing:
        with compilation(len(missing)) as advance:
            share_out(missing, advance)


def share_out(missing: list[Any], advance: Callable[[], None]) -> None:
    """Compile these, here and in helpers. advance : called after each."""
    waiting = deque(sorted((entry for entry in missing if can_be_found(entry)), key=rank))
    helpers: list[Helper] = []
    try:
        with suppress(OSError):  # no process can be started
            helpers.extend(Helper(waiting, advance) for _ in range(min(processes(), len(waiting)) - 1))
            for helper in helpers:
                helper.start()
        work_off(waiting, helpers, advance)
    finally:
        for helper in helpers:
            helper.stop()
    for entry in missing:
        if not can_be_found(entry):
            entry.make()
            advance()


def work_off(waiting: deque[Any], helpers: list[Helper], advance: Callable[[], None]) -> None:
    """Make entries until none waits and no helper is at one."""
    end = None
    while True:
        try:
            entry = waiting.popleft()
        except IndexError:
            if not any(helper.is_alive() for helper in helpers):
                if waiting:  # the last of them gave up just now
                    continue
                return
            end = end or time.monotonic() + PATIENCE
            if time.monotonic() > end:
                return
            next(helper for helper in helpers if helper.is_alive()).join(0.02)
        else:
            entry.make()
            advance()


class Helper(Thread):
    """A process, and the thread that gives it entries to compile."""

    def __init__(self, waiting: deque[Any], advance: Callable[[], None]) -> None:
        super().__init__(daemon=True)
        self.waiting, self.advance = waiting, advance
        import subprocess  # nothing is compiled in most processes

        self.process = subprocess.Popen(
            [sys.executable, "-c", BEGIN],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=dict(os.environ, **{PROCESSES: "1"}),
        )

    def run(self) -> None:
        """Give one entry after the other, until there is none or something goes wrong."""
        entry = None
        try:
            self.say(json.dumps({"path": sys.path, "cache": str(cache_directory())}))
            if self.hears() != "ready":
                return
            while True:
                try:
                    entry = self.waiting.popleft()
                except IndexError:
                    return
                self.say(json.dumps(name_of(entry)))
                if self.hears() != "kept":
                    break
                entry = None
                self.advance()
        except (OSError, ValueError):  # it has ended
            pass
        if entry is not None:
            self.waiting.append(entry)

    def say(self, line: str) -> None:
        """One line to the process."""
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def hears(self) -> str:
        """Its next line, nothing if it has ended."""
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def stop(self) -> None:
        """End the process, whatever it is at: what it has not saved whole is not there for anybody."""
        self.process.kill()
        self.process.wait()
        if self.is_alive():
            self.join()
        for pipe in (self.process.stdin, self.process.stdout):
            try:
                if pipe is not None:
                    pipe.close()
            except OSError:
                pass


def processes() -> int:
    """How many processes may compile, this one counted in."""
    said = os.environ.get(PROCESSES, "")
    if said.isdigit() and int(said) > 0:
        return int(said)
    # elsewhere it was not tried; a frozen or embedding program is no interpreter; in a pool all cores have work already
    if sys.platform == "win32" or getattr(sys, "frozen", False) or is_worker():
        return 1
    if not Path(sys.executable or "").name.startswith("python"):
        return 1
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(cores, MOST, round(cores - others())))


def others() -> float:
    """How many cores are busy with something else: the last minute's load but for one, which may be the user's own."""
    try:
        return max(0.0, os.getloadavg()[0] - 1.0)
    except (AttributeError, OSError):
        return 0.0


def name_of(entry: Any) -> tuple[str, str]:
    """Module and name."""
    if hasattr(entry, "module"):  # `problems.entry`
        return entry.module, entry.name
    return entry.__wrapped__.__module__, entry.__wrapped__.__name__


def can_be_found(entry: Any) -> bool:
    """Whether another process finds it under its name."""
    module, name = name_of(entry)
    return module != "__main__" and getattr(sys.modules.get(module), name, None) is entry


def rank(entry: Any) -> int:
    """What takes longest comes first."""
    name = name_of(entry)[1].lower()
    return LONGEST_FIRST.index(name) if name in LONGEST_FIRST else len(LONGEST_FIRST)
