"""Handing shards out: where one fails, the others are kept."""

from __future__ import annotations

from concurrent.futures import Future
from threading import Timer
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from linkwork.errors import DeviceError, ResultFileError
from linkwork.sweeps.workers import carry_out


def test_what_is_done_when_a_shard_fails_is_kept() -> None:
    """Of shards that end together one fails: the others are handed on, no more are begun, and the error comes last."""
    begun, kept = list[int](), list[int]()

    def submit(task: Any, first: int, values: Any) -> Future[Any]:
        begun.append(first)
        future: Future[Any] = Future()
        if first == 1:
            future.set_exception(DeviceError("the driver refused.", remedy="Another way."))
        elif first == 3:  # is under way when it fails
            future.set_running_or_notify_cancel()
            Timer(0.2, future.set_result, [SimpleNamespace(first=first)]).start()
        else:
            future.set_result(SimpleNamespace(first=first))
        return future

    pieces = [(k, np.zeros((1, 1))) for k in range(10)]
    with pytest.raises(DeviceError, match="the driver refused"):
        carry_out(None, pieces, lambda shard: kept.append(shard.first), submit, 2)  # type: ignore[arg-type]
    assert begun == [0, 1, 2, 3]
    assert sorted(kept) == [0, 2, 3]


def test_a_shard_that_cannot_be_written_leaves_the_others() -> None:
    kept = list[int]()

    def keep(shard: Any) -> None:
        if shard.first == 2:
            raise ResultFileError("could not be written: no space.", file="x")
        kept.append(shard.first)

    def submit(task: Any, first: int, values: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(SimpleNamespace(first=first))
        return future

    with pytest.raises(ResultFileError, match="no space"):
        carry_out(None, [(k, np.zeros((1, 1))) for k in range(40)], keep, submit, 8)  # type: ignore[arg-type]
    assert sorted(kept) == [0, 1, *range(3, 16)]
