"""What a device refuses: fewer instances at once, and errors with their cure that lose nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import DeviceError, DeviceMemoryError, RunInterruptedError, UsageError
from linkwork.lanes.gpu import device as devices
from linkwork.lanes.gpu import runner
from linkwork.lanes.gpu.device import SIMULATED, Nvidia, Simulated
from linkwork.sweeps import sweep as sweeping
from linkwork.sweeps import task

CRANK = "kissel2021_slider_crank"
WAYS = (("canonical", "rk4"), ("rA", "generalized-alpha"))
RUNS = 150


@pytest.fixture(autouse=True)
def simulated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SIMULATED, "1")
    monkeypatch.setattr(task, "_MODELS", {})


def swept(formulation: str = "canonical", integrator: str = "rk4", **how: Any) -> lw.Sweep:
    over = {"crank.mass": lw.uniform(0.5, 2.0), "slider.mass": lw.uniform(0.5, 2.0)}
    keep = ["final(slider.position.y)", "max(energy)"]
    how = {"gpu": True, **how}
    return lw.sweep(
        lw.load(CRANK), over, RUNS, keep, t_end=0.02, step=1e-3, formulation=formulation, integrator=integrator,
        judge=False, **how,
    )  # fmt: skip


def the_same(found: lw.Sweep, wanted: lw.Sweep) -> None:
    for name in wanted.arrays:
        np.testing.assert_array_equal(found[name], wanted[name], err_msg=name)


class Small(Simulated):
    """A device that has no room for more than so many bytes at once; how often it said so."""

    largest, refused = 0, 0

    def room(self, size: int) -> Any:
        if size > self.largest:
            Small.refused += 1
            raise DeviceMemoryError("the driver of the graphics processor refused cuMemAlloc: out of memory.")
        return super().room(size)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    def holds(largest: int) -> None:
        Small.largest, Small.refused = largest, 0
        monkeypatch.setattr(runner, "device", Small)

    return holds


@pytest.mark.parametrize(("formulation", "integrator"), WAYS)
def test_where_there_is_no_room_fewer_go_at_once(
    formulation: str, integrator: str, small: Callable[[int], None]
) -> None:
    wanted = swept(formulation, integrator)
    task._MODELS.clear()
    small(1_000_000 if integrator == "rk4" else 600_000)
    found = swept(formulation, integrator)
    assert Small.refused
    assert np.all(found["in_lanes"] == 2)
    the_same(found, wanted)


def test_parts_go_down_to_a_warp_and_lose_no_instance() -> None:
    asked: list[tuple[int, int]] = []

    def carry(first: int, end: int) -> list[int]:
        asked.append((first, end))
        if end - first > 64:
            raise DeviceMemoryError("full")
        return list(range(first, end))

    assert runner.in_parts(300, 256, carry) == list(range(300))
    assert asked[:4] == [(0, 256), (0, 128), (0, 64), (64, 128)]
    with pytest.raises(DeviceMemoryError):
        runner.in_parts(300, 256, lambda first, end: carry(0, 65))


@pytest.mark.parametrize(("formulation", "integrator"), WAYS)
def test_without_room_for_any_it_is_an_error(formulation: str, integrator: str, small: Callable[[int], None]) -> None:
    small(1000)
    with pytest.raises(DeviceMemoryError, match="out of memory"):
        swept(formulation, integrator)


class Failing(Simulated):
    """A device that fails after some launches."""

    left = 0

    def kernels(self, functions: str) -> Any:
        kernels = super().kernels(functions)

        class Some:
            def launch(self, *taken: Any) -> None:
                if Failing.left == 0:
                    raise DeviceError("the driver refused cuLaunchKernel: an illegal address.", remedy="Another way.")
                Failing.left -= 1
                kernels.launch(*taken)

        return Some()


@pytest.mark.parametrize("in_a_file", [False, True])
def test_runs_that_are_done_are_kept(in_a_file: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted, out = swept(), tmp_path / "sweep.nc" if in_a_file else None
    task._MODELS.clear()
    monkeypatch.setattr(sweeping, "LARGEST_ON_DEVICE", 50)
    monkeypatch.setattr(runner, "device", Failing)
    Failing.left = 6  # two shards' worth: begin, sample, gather; advance, gather; and one more
    with pytest.raises(DeviceError, match=r"illegal address, after 50 of 150 runs; .*Another way") as caught:
        swept(out=out)
    if not in_a_file:
        kept = caught.value.result
        done = kept.status == 0
        assert done.sum() == 50
        the_same_rows = np.array_equal(kept["max(energy)"][done], wanted["max(energy)"][done])
        assert the_same_rows
        return
    assert caught.value.result is None
    Failing.left = -1
    task._MODELS.clear()
    the_same(swept(out=out), wanted)


def test_ctrl_c_on_a_device_and_the_same_call_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = swept()
    monkeypatch.setattr(sweeping, "LARGEST_ON_DEVICE", 25)

    def stop(done: int, *_: Any) -> None:
        if done >= 50:
            import signal

            signal.raise_signal(signal.SIGINT)

    with pytest.raises(RunInterruptedError):
        swept(out=tmp_path / "sweep.nc", progress=stop)
    assert len(list((tmp_path / "sweep.nc.parts").glob("[0-9]*.npz"))) < 6
    the_same(swept(out=tmp_path / "sweep.nc"), wanted)


@pytest.mark.parametrize("who", [{"threads": 3}, {"processes": 2}], ids=str)
def test_who_hands_batches_over_changes_nothing(who: dict[str, int], monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = swept()
    monkeypatch.setattr(sweeping, "LARGEST_ON_DEVICE", 40)
    found = swept(**who)
    assert np.all(found["in_lanes"] == 2)
    the_same(found, wanted)


def test_a_worker_without_a_device_ends_the_sweep(monkeypatch: pytest.MonkeyPatch) -> None:
    swept()
    task._MODELS.clear()

    def none() -> Any:
        raise UsageError("no graphics processor of NVIDIA's is found: a worker.")

    monkeypatch.setattr(runner, "device", none)
    monkeypatch.setattr(runner, "device_name", lambda: "that of who began")
    with pytest.raises(UsageError, match="no graphics processor"):
        swept()


class Driver:
    """NVIDIA's, of a device that refuses one function."""

    def __init__(self, refuses: str, status: int) -> None:
        self.refuses, self.status = refuses, status

    def __getattr__(self, name: str) -> Any:
        if name == "cuGetErrorString":
            return lambda status: (0, {2: b"out of memory", 218: b"a PTX JIT compilation failed"}[status])
        if name == self.refuses:
            return lambda *_: (self.status, None)
        return lambda *_: (0, b"H\0" if name == "cuDeviceGetName" else 1)


def test_what_the_driver_says_is_an_error_of_ours() -> None:
    full = Nvidia(Driver("cuMemAlloc", 2))
    with pytest.raises(DeviceMemoryError, match=re.escape("refused cuMemAlloc: out of memory.")) as caught:
        full.room(8)
    assert "lanes=True" in str(caught.value)
    with pytest.raises(DeviceError, match="cuModuleLoadData: a PTX JIT compilation failed") as other:
        devices.NvidiaKernels(Nvidia(Driver("cuModuleLoadData", 218)), "")
    assert not isinstance(other.value, DeviceMemoryError)
    assert "lanes=True" in str(other.value)
