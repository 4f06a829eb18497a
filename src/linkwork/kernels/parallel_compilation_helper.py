"""What a helper process does: compile the entries it is told, one after the other (`kernels.parallel_compilation`)."""

from __future__ import annotations

import json
import os
import signal
import sys
from importlib import import_module
from queue import SimpleQueue
from threading import Thread


def help_out(cache: str) -> None:
    """Compile into this folder what the lines of standard input name. Ends with its input."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that it works for
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what anything else may print is not an answer
    from linkwork.kernels.jit import activate, cache_directory

    if str(cache_directory()) != cache:  # other sources
        return
    activate()
    told: SimpleQueue[str] = SimpleQueue()
    Thread(target=listen, args=(told,), daemon=True).start()
    print("ready", file=answers, flush=True)
    while True:
        module, name = json.loads(told.get())
        entry = getattr(import_module(module), name)
        entry.make()
        print("kept" if entry.kept else "not kept", file=answers, flush=True)


def listen(told: SimpleQueue[str]) -> None:
    """Pass lines on; without anybody to work for, end at once."""
    for line in sys.stdin:
        told.put(line)
    os._exit(0)
