"""The workers of a Dask cluster; and where these are gone, or their scheduler is, that is said."""

from __future__ import annotations

import logging
import time as clock
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from typing import Any, NamedTuple

from linkwork.errors import UsageError
from linkwork.header import Array
from linkwork.sweeps.shards import compute
from linkwork.sweeps.task import Task

EVERY, ALONE = 2.0, 60.0  # s between two looks at the cluster; without any worker, after which none is waited for
OF_CLIENTS = "distributed.client", "distributed.batched"  # Dask's logs of what a client sends and receives
LOST = "CommClosedError", "FutureCancelledError", "CancelledError"  # Dask's, where the scheduler is gone


class LostError(BrokenExecutor):
    """Nobody is left to compute. remedy : what to do."""

    def __init__(self, message: str, remedy: str) -> None:
        super().__init__(message)
        self.remedy = remedy


class AtWork(NamedTuple):
    """Those who compute. submit : gives a future of a shard. workers : how many there are. look : is called now and
    then, and raises BrokenExecutor where they are gone."""

    submit: Callable[[Task, int, Array], Any]
    workers: int
    look: Callable[[], None] = lambda: None


def meant(error: Exception) -> Exception:
    """What an error of Dask's means to a sweep."""
    name = type(error).__name__
    if name == "KilledWorker":
        return BrokenExecutor(str(error))
    return gone() if name in LOST else error


def gone() -> LostError:
    """The scheduler is."""
    return LostError("the cluster's scheduler is gone", "Start the cluster again; without it: threads, processes.")


class Watched:
    """A cluster that is looked at while it computes."""

    def __init__(self, client: Any) -> None:
        self.client, self._looked, self._alone = client, clock.monotonic(), 0.0

    def submit(self, task: Task, first: int, values: Array) -> Any:
        """A future of a shard, whatever was computed before."""
        try:
            return self.client.submit(compute, task, first, values, pure=False)
        except (OSError, RuntimeError) as error:
            raise gone() from error

    def look(self) -> None:
        """Raise LostError where the scheduler is gone, or has had no worker for a minute."""
        since = clock.monotonic() - self._looked
        if since < EVERY:
            return
        try:
            workers = len(self.client.nthreads()) if self.client.status == "running" else None
        except (OSError, RuntimeError):
            workers = None
        self._looked = clock.monotonic()
        if workers is None:
            raise gone()
        self._alone = 0.0 if workers else self._alone + since
        if self._alone >= ALONE:
            raise LostError(
                f"the cluster has had no worker for {ALONE:.0f} s", "Start some: dask worker ADDRESS; and go on."
            )


@contextmanager
def cluster(said: Any) -> Iterator[AtWork]:
    """On the workers of a Dask cluster: its address, or a `dask.distributed.Client`."""
    try:
        from distributed import Client
    except ImportError:
        raise UsageError(
            "a cluster needs the package dask.distributed.", remedy="pip install 'linkwork[cluster]'"
        ) from None
    if not isinstance(said, str | Client):
        raise UsageError(f"a cluster is an address or a dask.distributed.Client, not {type(said).__name__}.")
    if not isinstance(said, str):
        yield _at_work(said)
        return
    with _quiet_client():
        try:
            client = Client(said, timeout="30s")
        except (ValueError, OSError) as error:  # among them that nobody answers in time
            message = f"no cluster is reached at {said!r}: {error}."
            raise UsageError(message, remedy="cluster='tcp://HOST:PORT'") from error
        try:
            yield _at_work(client)
        finally:
            client.close()


def _at_work(client: Any) -> AtWork:
    """Those who compute for a client. Raises UsageError where there is nobody."""
    count = sum(client.nthreads().values())
    if not count:
        raise UsageError("the cluster has no workers.", remedy="Start some: dask worker ADDRESS.")
    watched = Watched(client)
    return AtWork(watched.submit, count, watched.look)


@contextmanager
def _quiet_client() -> Iterator[None]:
    """Nothing of Dask's log of a client of ours, whose tracebacks tell that the scheduler is gone: a sweep says so."""
    logs = [logging.getLogger(name) for name in OF_CLIENTS]
    before = [log.level for log in logs]
    for log in logs:
        log.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for log, level in zip(logs, before, strict=True):
            log.setLevel(level)
