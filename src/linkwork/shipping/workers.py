"""Compiling entries in several processes, from both ends of their list: neighbours share kernels."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Sequence
from threading import Thread

from linkwork.problems.entry import Entry
from linkwork.shipping.found import said


def make_all(entries: Sequence[Entry], levels: Sequence[str], processes: int, tell: Callable[[str], None]) -> list[str]:
    """Compile these. tell : called with the name of each when it is done. Returns the names of those that failed."""
    waiting, failed = deque(entries), list[str]()
    count = max(1, min(processes, len(entries)))
    threads = [
        Thread(target=_give, args=(waiting.pop if k % 2 else waiting.popleft, levels, tell, failed))
        for k in range(count)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return failed + [said(entry) for entry in waiting]


def _give(take: Callable[[], Entry], levels: Sequence[str], tell: Callable[[str], None], failed: list[str]) -> None:
    """One process, and the entries that it is given."""
    process = subprocess.Popen(
        [sys.executable, "-m", "linkwork.shipping.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    with process:
        while True:
            try:
                entry = take()
            except IndexError:
                process.stdin.close()
                return
            try:
                process.stdin.write(json.dumps((entry.module, entry.name, levels)) + "\n")
                process.stdin.flush()
                made = process.stdout.readline().strip() == "made"
            except OSError:  # it has ended
                made = False
            if made:
                tell(said(entry))
            else:
                failed.append(said(entry))
                if process.poll() is not None:
                    return
