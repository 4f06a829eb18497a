"""`motions.py` with the library for Windows, whose functions a process under Wine calls: python motions_under_wine.py
LEVEL FOLDER CALLER OUT.json

Everything but compiled code runs here. What `shared_heap.c` hands out is seen by both processes at one address, so that
tables and arrays need no copy. `scripts/check_windows` carries it out.
"""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import motions
import numpy as np

from linkwork.shipped import library
from linkwork.shipped.index import Library, ShippedEntry


class Caller:
    """The process under Wine, with one library in it."""

    def __init__(self, folder: Path, about: Library) -> None:
        words = ["wine", sys.argv[3], str(folder / about.file), os.environ["SHARED_HEAP"]]
        environment = {name: value for name, value in os.environ.items() if name not in ("LD_PRELOAD", "PYTHONMALLOC")}
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
        assert self.answer(8)

    def answer(self, size: int) -> bytes:
        """So many bytes of its output."""
        assert self.process.stdout is not None
        found = self.process.stdout.read(size)
        if len(found) < size:
            raise SystemExit(f"the process under Wine has ended: {self.process.wait()}")
        return found

    def ask(self, words: list[int], more: bytes = b"") -> None:
        """One request."""
        assert self.process.stdin is not None
        self.process.stdin.write(struct.pack("=17q", *words, *[0] * (17 - len(words))) + more)
        self.process.stdin.flush()


class Code:
    """An entry, in the place of `linkwork.shipped.library.Code`."""

    def __init__(self, caller: Caller, entry: ShippedEntry) -> None:
        self.caller, self.returns = caller, entry.returns
        caller.ask([-len(entry.symbol)], entry.symbol.encode())
        self.address = int.from_bytes(caller.answer(8), "little")
        if not self.address:
            raise AttributeError(entry.symbol)

    def __call__(self, *arguments: Any) -> Any:
        results = np.zeros(self.returns, dtype=np.int64)
        words = [self.address, results.ctypes.data]
        for each in arguments:
            words += [each.ctypes.data, each.size] if isinstance(each, np.ndarray) else [int(each)]
        self.caller.ask(words)
        self.caller.answer(1)
        return int(results[0]) if self.returns == 1 else tuple(results.tolist())


if __name__ == "__main__":
    library.levels = lambda: [sys.argv[1]]
    library.opened_file = Caller
    library.Code = Code
    os.environ[library.FOLDER] = sys.argv[2]
    motions.main(sys.argv[4])
