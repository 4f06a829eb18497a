"""Sweeps on a Dask cluster: two workers, the same bits, nothing left behind. Skipped where Dask is not installed."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import UsageError

MECHANISM = {
    "name": "pendulum",
    "parameters": {"k": 30.0},
    "bodies": [{"name": "rod", "mass": 2.0, "inertia": [0.1, 0.1, 0.001], "position": [0.1, 0, -0.2]}],
    "joints": [{"name": "hip", "type": "revolute", "first": "ground", "second": "rod", "point": [0, 0, 0],
                "axis": [0, 1, 0]}],
    "forces": [{"name": "spring", "type": "torsion", "joint": "hip", "stiffness": "k"}],
}  # fmt: skip


def run(**who: object) -> lw.Sweep:
    mech = lw.Mechanism.from_dict(MECHANISM)
    return lw.sweep(
        mech, {"k": lw.uniform(1.0, 50.0)}, runs=30, keep="min(rod.position.z)", t_end=0.05, step=1e-3, **who
    )


def test_two_workers_of_a_cluster_give_the_same_bits() -> None:
    distributed = pytest.importorskip("distributed", reason="dask.distributed is not installed")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as cluster,
        distributed.Client(cluster) as client,
    ):
        by_client, by_address = run(cluster=client), run(cluster=cluster.scheduler_address)
        assert client.status == "running"
    reference = run(threads=1)
    for found in (by_client, by_address):
        np.testing.assert_array_equal(found["min(rod.position.z)"], reference["min(rod.position.z)"])


@pytest.mark.skipif(importlib.util.find_spec("distributed") is not None, reason="dask.distributed is installed")
def test_without_dask_it_is_said_how_to_get_it() -> None:
    with pytest.raises(UsageError, match=r"linkwork\[cluster\]"):
        run(cluster="tcp://127.0.0.1:8786")


def test_a_cluster_that_nobody_reaches_leaves_nothing_behind(tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="dask.distributed is not installed")
    with pytest.raises(UsageError, match="no cluster is reached at 'nonsense'"):
        run(cluster="nonsense", out=tmp_path / "sweep.nc")
    assert not any(tmp_path.iterdir())
