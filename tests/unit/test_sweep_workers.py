"""Handing shards out: where one fails, the others are kept; and what is said of what is wrong."""

from __future__ import annotations

import multiprocessing
import os
import signal
from concurrent.futures import Future
from pathlib import Path
from threading import Timer
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import DeviceError, ResultFileError, RunInterruptedError, UsageError
from linkwork.sweeps import space
from linkwork.sweeps.clusters import AtWork
from linkwork.sweeps.files import load_sweep
from linkwork.sweeps.store import folder_of, held
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
        carry_out(None, pieces, lambda shard: kept.append(shard.first), AtWork(submit, 2))  # type: ignore[arg-type]
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
        carry_out(None, [(k, np.zeros((1, 1))) for k in range(40)], keep, AtWork(submit, 8))  # type: ignore[arg-type]
    assert sorted(kept) == [0, 1, *range(3, 16)]


@pytest.mark.parametrize("in_a_file", [False, True])
def test_a_worker_that_is_killed_costs_what_was_under_way(in_a_file: bool, tmp_path: Path) -> None:
    """It is said, what was done is kept, and with a file the same call goes on."""
    mech, out = lw.load("kissel2021_slider_crank"), tmp_path / "sweep.nc" if in_a_file else None
    over, name = {"crank.mass": lw.uniform(0.5, 2.0)}, "final(slider.position.y)"

    def killed(done: int, runs: int, *_: float) -> None:
        for process in multiprocessing.active_children()[:1]:
            assert process.pid is not None
            os.kill(process.pid, signal.SIGKILL)

    def swept(**more: Any) -> lw.Sweep:
        return lw.sweep(mech, over, 400, name, t_end=0.5, step=1e-3, judge=False, out=out, **more)

    with pytest.raises(RunInterruptedError, match=r"a worker ended in the middle .* after \d+ of 400 runs") as caught:
        swept(processes=1, progress=killed)
    assert caught.value.exit_status == 137
    wanted = lw.sweep(mech, over, 400, name, t_end=0.5, step=1e-3, judge=False)
    if not in_a_file:
        found, done = caught.value.result, caught.value.result.status == 0
        assert 0 < done.sum() < 400
        np.testing.assert_array_equal(found[name][done], wanted[name][done])
        return
    np.testing.assert_array_equal(swept(processes=1)[name], wanted[name])


def test_an_option_that_stands_elsewhere_is_told_its_place(tmp_path: Path) -> None:
    file = tmp_path / "sweep.yaml"
    file.write_text("mechanism: kissel2021_slider_crank\nover: {crank.mass: [1.0]}\naccept_changes: true\n")
    with pytest.raises(UsageError, match=r"no 'accept_changes'.*`options:`"):
        load_sweep(file)


def test_a_sweep_says_why_its_first_run_failed() -> None:
    found = lw.sweep(lw.load("kissel2021_slider_crank"), {"crank.mass": [1.0, -1.0]}, keep="t", t_end=0.01, step=1e-3)
    told = repr(found)
    assert "1 failed (run 1, crank.mass = -1: " in told
    assert "kissel2021_slider_crank.yaml: bodies[0] 'crank' (line 12): mass must not be negative" in told


def test_a_file_that_is_not_there_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(ResultFileError, match=r"gone\.nc: does not exist"):
        lw.open_sweep(tmp_path / "gone.nc")


def test_a_sweep_that_is_refused_leaves_one_that_has_written_nothing_yet_its_folder(tmp_path: Path) -> None:
    """It took the folder away, lock and all, and the first had nowhere to write."""
    out = tmp_path / "sweep.nc"
    with held(out):
        with pytest.raises(UsageError, match="another sweep works"), held(out):
            pass
        assert folder_of(out).is_dir()
        with pytest.raises(UsageError, match="another sweep works"), held(out):  # nor is the lock gone
            pass
    assert not folder_of(out).exists()


def test_two_sweeps_at_once_do_not_go_into_one_file(tmp_path: Path) -> None:
    """The second is refused, whether it would throw the first away or not; the first goes on, and leaves no lock."""
    mech, out = lw.load("kissel2021_slider_crank"), tmp_path / "sweep.nc"
    over, keep, refused = {"crank.mass": lw.uniform(0.5, 2.0)}, "final(slider.position.y)", list[str]()

    def swept(**more: Any) -> lw.Sweep:
        return lw.sweep(mech, over, 130, keep, t_end=0.02, step=1e-3, judge=False, threads=1, out=out, **more)

    def another(done: int, *_: float) -> None:
        for force in (False, True):
            with pytest.raises(UsageError, match=r"another sweep works in this folder, process \d+") as caught:
                swept(force=force)
            refused.append(str(caught.value))

    found = swept(progress=another)
    assert len(refused) >= 80
    assert [one.name for one in tmp_path.iterdir()] == ["sweep.nc"]
    alone = lw.sweep(mech, over, 130, keep, t_end=0.02, step=1e-3, judge=False)
    np.testing.assert_array_equal(found[keep], alone[keep])


def test_a_sweep_that_was_interrupted_leaves_its_file_to_the_next_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though the error, and with it all that the call held, is still there. What is done needs no room on the disk."""
    mech, out = lw.load("kissel2021_slider_crank"), tmp_path / "sweep.nc"

    def swept(**more: Any) -> lw.Sweep:
        over = {"crank.mass": lw.uniform(0.5, 2.0)}
        return lw.sweep(mech, over, 130, "final(t)", t_end=0.02, step=1e-3, judge=False, threads=1, out=out, **more)

    def stop(done: int, *_: float) -> None:
        if done > 50:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(RunInterruptedError) as caught:
        swept(progress=stop)
    monkeypatch.setattr(space, "free_disk", lambda path: 0.0)
    began = list[int]()
    assert swept(progress=lambda done, *_: began.append(done)).completed
    assert began[0] > 50
    with pytest.raises(UsageError, match="are free"):
        swept(force=True)
    assert caught.value.exit_status == 130


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ({"over": ["k"]}, "goes over numbers by name"),
        ({"over": {"crank.mass": [[1.0, 2.0], [3.0, 4.0]]}}, "one list of numbers"),
        ({"over": {"crank.mass": [1.0]}, "progress": 3}, "progress is a function"),
    ],
)
def test_what_a_sweep_cannot_be_told_is_refused(how: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        lw.sweep(lw.load("kissel2021_slider_crank"), t_end=0.01, step=1e-3, **how)


def test_axes_that_are_no_longer_perpendicular_say_what_to_do() -> None:
    mech = lw.Mechanism("cross")
    mech.body("rod", mass=1.0, inertia=[0.1, 0.1, 0.1], position=[0, 0, -1])
    mech.joint("cross", "universal", "ground", "rod", point=[0, 0, 0], axis=[1, 0, 0], axis2=[0, 1, 0])
    how = {"keep": "max(energy)", "t_end": 0.01, "step": 1e-3, "plan": "list"}
    alone = lw.sweep(mech, {"cross.axis.y": [0.1]}, **how)
    assert "give all of their components together" in alone.errors[0]
    together = lw.sweep(mech, {"cross.axis.y": [0.0, 0.1], "cross.axis2.x": [0.0, -0.1]}, **how)
    assert not together.failed.size, together.errors
