"""Worker processes: fresh interpreters that get text and give text back, and that end when we do.

They run nothing of the caller's script, so that a study may be called from a script without a guard around its main
part. Jobs are handed out one per process, so that what is running is known and stopping is prompt.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import connection
from typing import Any

from linkwork.interrupts import Interrupts
from linkwork.studies.comparison.worker import carry_out

LOOK = 0.2  # s between looks at Ctrl-C
DIED = {"error": {"code": "LW-ERROR", "message": "its process died, perhaps for want of memory."}, "passing": True}
Began = Callable[[str], None]
Ended = Callable[[str, dict[str, Any]], None]


def cores() -> int:
    """How many cores this process may use."""
    usable = getattr(os, "sched_getaffinity", None)
    return len(usable(0)) if usable is not None else os.cpu_count() or 1


def carry_out_all(jobs: Mapping[str, Mapping[str, Any]], count: int, began: Began, ended: Ended) -> None:
    """Do all jobs in up to `count` processes at once.

    began(key) and ended(key, outcome) are called here, in this process. A job whose process dies ends as an error,
    and the others go on: those that were running then are tried again one by one, so that it is known whose fault it
    was. Ctrl-C and SIGTERM end the processes and come out as KeyboardInterrupt: the pool's semaphores are given back.
    """
    left = {key: json.dumps(job) for key, job in jobs.items()}
    while left:
        for key in _round(left, min(count, len(left)), began, ended):
            alone = {key: left.pop(key)}
            if _round(alone, 1, began, ended):
                ended(key, dict(DIED))


def _round(left: dict[str, str], count: int, began: Began, ended: Ended) -> list[str]:
    """Work until all is done or a process dies. What is done leaves `left`; returns what was running at a death."""
    context = multiprocessing.get_context("spawn")
    before = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(count, mp_context=context, initializer=_begin)
    running: dict[Future[str], str] = {}
    waiting, interrupts = dict(left), Interrupts(terminate=True)
    try:
        with interrupts:
            while waiting or running:
                interrupts.check()
                while waiting and len(running) < count:
                    key = next(iter(waiting))
                    began(key)
                    with _apart_from_main():
                        running[pool.submit(carry_out, waiting[key])] = key
                    del waiting[key]
                done, _ = wait(running, timeout=LOOK, return_when=FIRST_COMPLETED)
                for future in done:
                    said = json.loads(future.result())
                    key = running.pop(future)
                    del left[key]
                    ended(key, said)
    except BrokenProcessPool:
        pool.shutdown(wait=False, cancel_futures=True)
        interrupts.check()  # a signal to the whole group ends workers, too
        return list(running.values()) or list(left)[:1]
    except BaseException:
        _stop(pool, before)
        raise
    pool.shutdown()
    return []


def _stop(pool: ProcessPoolExecutor, before: set[Any]) -> None:
    """End the processes of a pool at once."""
    pool.shutdown(wait=False, cancel_futures=True)
    for process in set(multiprocessing.active_children()) - before:
        process.terminate()


def _begin() -> None:
    """In a new worker: Ctrl-C is the parent's business, and without a parent there is nothing left to do."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    connection.wait([sentinel])
    os._exit(1)


@contextmanager
def _apart_from_main() -> Iterator[None]:
    """Processes started within do not import the caller's main module, which they have no use for."""
    main: dict[str, Any] = vars(sys.modules["__main__"])
    hidden: dict[str, Any] = {name: main.pop(name) for name in ("__file__", "__spec__") if name in main}
    main["__spec__"] = None
    try:
        yield
    finally:
        main.pop("__spec__", None)
        main.update(hidden)
