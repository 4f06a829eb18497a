"""Sweeps on a Dask cluster: two workers, the same bits, nothing left behind, and what is told where workers or the
scheduler are gone. Skipped where Dask is not installed."""

from __future__ import annotations

import importlib.util
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import RunInterruptedError, UsageError
from linkwork.sweeps import clusters

MECHANISM = {
    "name": "pendulum",
    "parameters": {"k": 30.0},
    "bodies": [{"name": "rod", "mass": 2.0, "inertia": [0.1, 0.1, 0.001], "position": [0.1, 0, -0.2]}],
    "joints": [{"name": "hip", "type": "revolute", "first": "ground", "second": "rod", "point": [0, 0, 0],
                "axis": [0, 1, 0]}],
    "forces": [{"name": "spring", "type": "torsion", "joint": "hip", "stiffness": "k"}],
}  # fmt: skip


KEPT = "min(rod.position.z)"


def run(runs: int = 30, **who: Any) -> lw.Sweep:
    mech = lw.Mechanism.from_dict(MECHANISM)
    return lw.sweep(mech, {"k": lw.uniform(1.0, 50.0)}, runs=runs, keep=KEPT, t_end=0.05, step=1e-3, **who)


@pytest.fixture
def cluster() -> Iterator[Any]:
    distributed = pytest.importorskip("distributed", reason="dask.distributed is not installed")
    quiet = {"dashboard_address": None, "silence_logs": logging.CRITICAL}
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, **quiet) as cluster:
        yield cluster


def test_two_workers_of_a_cluster_give_the_same_bits(cluster: Any) -> None:
    from distributed import Client

    with Client(cluster) as client:
        by_client, by_address = run(cluster=client), run(cluster=cluster.scheduler_address)
        assert client.status == "running"
    reference = run(threads=1)
    for found in (by_client, by_address):
        np.testing.assert_array_equal(found[KEPT], reference[KEPT])


@pytest.mark.parametrize("killed", [1, 2])
def test_workers_that_are_killed_cost_nothing(cluster: Any, killed: int) -> None:
    """Others, and those that Dask starts in their place, do what they had."""
    workers, seen = [one.pid for one in cluster.workers.values()], list[int]()

    def kill(done: int, *_: float) -> None:
        seen.append(done)
        for pid in workers[:killed] if len(seen) == 3 else ():
            os.kill(pid, signal.SIGKILL)

    found = run(600, judge=False, cluster=cluster.scheduler_address, progress=kill)
    assert len(seen) == 60
    assert not found.failed.size
    np.testing.assert_array_equal(found[KEPT], run(600, judge=False, threads=1)[KEPT])


def test_a_cluster_without_workers_is_waited_for_and_given_up(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clusters, "EVERY", 0.1)
    monkeypatch.setattr(clusters, "ALONE", 1.0)
    seen, how = list[int](), {"judge": False, "out": tmp_path / "sweep.nc"}

    def leave(done: int, *_: float) -> None:
        seen.append(done)
        if len(seen) == 3:
            cluster.scale(0)

    with pytest.raises(RunInterruptedError, match=r"has had no worker for 1 s, after \d+ of 600 runs") as caught:
        run(600, cluster=cluster.scheduler_address, progress=leave, **how)
    assert "dask worker" in str(caught.value)
    began = list[int]()
    found = run(600, threads=1, progress=lambda done, *_: began.append(done), **how)
    assert began[0] == seen[-1] + 10
    np.testing.assert_array_equal(found[KEPT], run(600, judge=False, threads=1)[KEPT])


@pytest.mark.parametrize("by_address", [True, False])
def test_a_scheduler_that_is_gone_ends_the_sweep_with_what_was_done(
    by_address: bool, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    distributed = pytest.importorskip("distributed", reason="dask.distributed is not installed")
    seen, processes = list[int](), list[subprocess.Popen[bytes]]()

    def start(what: str, *options: str) -> None:
        command = [sys.executable, "-m", f"distributed.cli.{what}", "--no-dashboard", *options]
        processes.append(subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))

    def end(done: int, *_: float) -> None:
        seen.append(done)
        if len(seen) == 3:
            processes[0].kill()

    try:
        start("dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(tmp_path / "scheduler"))
        with distributed.Client(scheduler_file=str(tmp_path / "scheduler"), timeout=60) as client:
            address = client.scheduler.address
            start("dask_worker", address, "--nthreads", "1", "--no-nanny")
            client.wait_for_workers(1, timeout=60)
            log = logging.getLogger("distributed.client")
            log.addHandler(caplog.handler)
            with pytest.raises(RunInterruptedError, match=r"scheduler is gone, after \d+ of 600 runs; what") as caught:
                run(600, judge=False, cluster=address if by_address else client, progress=end)
            log.removeHandler(caplog.handler)
            assert not by_address or not caplog.records  # a client of ours tells nothing by itself
            assert log.getEffectiveLevel() < logging.CRITICAL
    finally:
        for process in processes:
            process.kill()
            process.wait()
    found = caught.value.result
    done = found.status == 0
    assert np.sum(done) == seen[-1] >= 30
    np.testing.assert_array_equal(found[KEPT][done], run(600, judge=False, threads=1)[KEPT][done])


@pytest.mark.skipif(importlib.util.find_spec("distributed") is not None, reason="dask.distributed is installed")
def test_without_dask_it_is_said_how_to_get_it() -> None:
    with pytest.raises(UsageError, match=r"linkwork\[cluster\]"):
        run(cluster="tcp://127.0.0.1:8786")


def test_a_cluster_that_nobody_reaches_leaves_nothing_behind(tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="dask.distributed is not installed")
    with pytest.raises(UsageError, match="no cluster is reached at 'nonsense'"):
        run(cluster="nonsense", out=tmp_path / "sweep.nc")
    assert not any(tmp_path.iterdir())
