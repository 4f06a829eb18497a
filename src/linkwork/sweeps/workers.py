"""Handing shards out: to threads, to processes, to a Dask cluster; in any order, since none depends on another."""

from __future__ import annotations

import multiprocessing
import os
import time as clock
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, contextmanager
from threading import Thread
from typing import Any, NamedTuple

import numpy as np

from linkwork.header import Array
from linkwork.interrupts import Interrupts
from linkwork.sweeps.clusters import AtWork, LostError, meant
from linkwork.sweeps.shards import Shard, compute
from linkwork.sweeps.task import Task

AHEAD = 2  # shards that wait for each worker
FETCHED = 10.0  # s in which the result of a shard that is done is there
LOOK = 0.1  # s between two looks at Ctrl-C
Piece = tuple[int, Array]  # where a shard begins in the plan, and its numbers


class Hands(NamedTuple):
    """Who computes. workers : how many are thought to be there. at_work : a context in which they are."""

    workers: int
    at_work: Callable[[], AbstractContextManager[AtWork]]

    @property
    def ahead(self) -> int:
        """Shards that are under way at once."""
        return (1 + AHEAD) * self.workers


def carry_out(task: Task, pieces: Sequence[Piece], done: Callable[[Shard], None], who: AtWork) -> None:
    """Compute all pieces; `done` is called in this thread with each as it comes.

    Where one fails, no more are begun, what is under way is done, and the first error is raised. Raises
    KeyboardInterrupt, likewise, where Ctrl-C (or SIGTERM) came, and BrokenExecutor where workers were killed.
    """
    waiting, running, failures = list(reversed(pieces)), set[Any](), list[Exception]()
    interrupts = Interrupts(terminate=True)

    def collect(finished: Iterable[Any]) -> set[Any]:
        """Those whose results are gone with the worker that had them: they are computed again."""
        gone = set[Any]()
        for future in finished:
            try:
                done(future.result(timeout=FETCHED))
            except Exception as error:  # the others are taken all the same
                if type(error).__name__ == "TimeoutError":
                    gone.add(future)
                else:
                    failures.append(meant(error))
        return gone

    with interrupts:
        try:
            while (waiting or running) and not (interrupts.number or failures):
                try:
                    while waiting and len(running) < AHEAD * who.workers:
                        running.add(who.submit(task, *waiting.pop()))
                    who.look()
                except BrokenExecutor as error:
                    failures.append(error)
                finished, running = wait_for(running)
                running |= collect(finished)
        finally:
            for future in running:
                if not future.done():
                    future.cancel()
        lost = any(isinstance(one, LostError) for one in failures)
        collect(wait_for({one for one in running if not one.cancelled()}, LOOK if lost else None)[0])
        if failures:
            raise failures[0]
        if interrupts.number:
            raise KeyboardInterrupt


def wait_for(running: set[Any], timeout: float | None = LOOK) -> tuple[set[Any], set[Any]]:
    """(finished, others) after at most so many seconds; of all, without. Futures may be of any library."""
    if all(isinstance(one, Future) for one in running):
        found = wait(running, timeout, return_when="ALL_COMPLETED" if timeout is None else FIRST_COMPLETED)
        return set(found.done), set(found.not_done)
    end = clock.monotonic() + (timeout or 1e9)
    while clock.monotonic() < end:
        finished = {one for one in running if one.done()}
        if finished == running or (finished and timeout is not None):
            return finished, running - finished
        clock.sleep(0.005)
    return set(), running


@contextmanager
def threads(count: int) -> Iterator[AtWork]:
    """On threads of this process."""
    with ThreadPoolExecutor(count, thread_name_prefix="sweep") as pool:
        yield AtWork(lambda *piece: pool.submit(compute, *piece), count)


@contextmanager
def processes(count: int) -> Iterator[AtWork]:
    """On processes of this machine, started afresh."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(count, mp_context=context, initializer=_begin) as pool:
        yield AtWork(lambda *piece: pool.submit(compute, *piece), count)


def _begin() -> None:
    """Ctrl-C goes to the process that hands out shards; where that is killed, this one ends, too."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def pieces_of(values: Array, size: int, known: Sequence[int]) -> list[Piece]:
    """The plan in shards of `size` runs, those that begin at `known` left out."""
    left_out = set(known)
    return [(k, np.ascontiguousarray(values[k : k + size])) for k in range(0, len(values), size) if k not in left_out]
