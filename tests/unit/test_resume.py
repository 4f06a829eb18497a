"""Runs that are killed, interrupted or out of disk space keep what they recorded, and go on to the same bits."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import OutputExistsError, ResultFileError, RunInterruptedError, UsageError
from linkwork.io.results import checkpoint, growing_file, netcdf_read
from linkwork.io.results.snapshot import Snapshot
from linkwork.io.results.steady_file import SteadyFile
from linkwork.run.chunks import Chunks
from linkwork.run.snapshot import arrays_in
from tests.agreement.test_trajectories import parallelogram

CLOCK = ("wall_time", "run_seconds", "processor_seconds")


class Killed(BaseException):
    """In the place of a signal that nobody can catch: nothing is tidied up."""


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks of few steps, and a commit after each."""
    monkeypatch.setattr(growing_file, "SECONDS", 0.0)
    monkeypatch.setattr(growing_file, "SHARE", np.inf)
    monkeypatch.setattr(Chunks, "took", lambda self, steps, seconds: None)
    monkeypatch.setattr(Chunks, "of", classmethod(lambda cls, nb, size: cls(size, 7)))


def at(instant: float, act: Callable[[], Any]) -> Callable[[float, float], None]:
    """As `progress`: does something once the run has come so far."""

    def progress(reached: float, t_end: float) -> None:
        if reached >= instant:
            act()

    return progress


def listing(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def kill() -> None:
    raise Killed


def assert_same(found: lw.Result, wanted: lw.Result) -> None:
    """All arrays to the last bit, and what is said of the run."""
    assert set(found) == set(wanted)
    for name in wanted:
        assert np.array_equal(found[name], wanted[name], equal_nan=True), name
    assert found.messages == wanted.messages
    assert (found.success, found.status, found.message) == (wanted.success, wanted.status, wanted.message)
    for key, value in wanted.info.items():
        assert key in CLOCK or found.info[key] == value, key


def four_bar() -> lw.Mechanism:
    return lw.load("planar_four_bar")


def wound() -> lw.Mechanism:
    """A torsion spring that is wound up over more than two turns."""
    m = lw.Mechanism("wound", gravity=(0, 0, 0))
    m.body("wheel", mass=1.0, inertia=[0.1, 0.1, 0.1], angular_velocity=(0, 0, 20.0))
    m.joint("axle", "revolute", "ground", "wheel", point=(0, 0, 0), axis=(0, 0, 1))
    m.force("spring", "torsion", joint="axle", stiffness=0.2, damping=0.01, angle=0.5, actuator="0.3*cos(2*t)")
    return m


# (mechanism, formulation, integrator, end, further options): what is carried from step to step differs in each
RUNS: dict[str, tuple[Callable[[], lw.Mechanism], str, str | None, float, dict[str, Any]]] = {
    "accelerations carried along, a frozen matrix": (four_bar, "rA", "generalized-alpha", 0.1, {}),
    "turns of a torsion spring": (wound, "rA", "generalized-alpha", 1.2, {"step": 1e-2}),
    "Euler angles with new references": (wound, "re", "implicit-euler", 1.2, {"step": 1e-2}),
    "fixed steps": (four_bar, "lie-product", "rk4", 0.1, {"every": 3}),
    "steps of their own size": (four_bar, "lie-product", None, 0.1, {"rtol": 1e-8}),
    "times asked for": (four_bar, "lie-product", None, 0.1, {"rtol": 1e-8, "t_eval": np.linspace(0.001, 0.1, 77)}),
    "a guess from the last step": (four_bar, "lie-product", "implicit-midpoint", 0.1, {}),
    "stages of the last step, and matrices kept": (four_bar, "rA", "radau5", 0.1, {"rtol": 1e-7}),
    "accelerations carried along, steps of their own size": (four_bar, "rA", "generalized-alpha", 0.1, {"rtol": 1e-5}),
    "momenta on constraints": (wound, "lie-product", "rattle4", 1.2, {"step": 1e-2}),
    "momenta with what rounding took": (wound, "canonical", "rk4", 1.2, {"step": 1e-2}),
    "rank losses passed": (parallelogram, "lie-product", "rk4", 1.2, {"step": 1e-2}),
}


@pytest.mark.parametrize("name", RUNS)
def test_a_killed_run_goes_on_to_the_same_bits(name: str, tmp_path: Path, often: None) -> None:
    made, formulation, integrator, t_end, how = RUNS[name]
    how = {"step": 1e-3, **how}
    step = how.pop("step")
    wanted = lw.simulate(made(), t_end, step, formulation, integrator, **how)
    file = tmp_path / "run.nc"
    for part in (0.3, 0.6):  # killed, gone on with and killed again
        stop = at(part * t_end, kill)
        begin = partial(lw.simulate, made(), t_end, step, formulation, integrator, out=file, **how)
        with pytest.raises(Killed):
            begin(progress=stop) if part == 0.3 else lw.resume(file, progress=stop)
        kept = lw.open_result(f"{file}.part")
        assert kept.time[-1] >= part * t_end - 2 * 7 * step
        for variable in kept:
            assert np.array_equal(kept[variable], wanted[variable][: kept.time.size], equal_nan=True), variable
        assert not kept.success
        assert "not come to its end" in kept.message
    assert_same(lw.resume(file), wanted)
    assert listing(tmp_path) == ["run.nc"]
    assert_same(lw.open_result(file), wanted)


def test_a_repeated_call_that_is_killed_goes_on_to_the_same_bits(tmp_path: Path, often: None) -> None:
    """Its run is one that is kept with the mechanism."""
    mech, file = four_bar(), str(tmp_path / "run.nc")
    begin = partial(lw.simulate, mech, 0.1, 1e-3, "rA", out=file, force=True)
    begin()
    with pytest.raises(Killed):
        begin(progress=at(0.05, kill))
    assert_same(lw.resume(file), lw.simulate(mech, 0.1, 1e-3, "rA"))


def test_a_killed_kinematics_run_goes_on_to_the_same_bits(tmp_path: Path, often: None) -> None:
    file, mech = tmp_path / "run.nc", lw.load("kissel2021_slider_crank")
    wanted = lw.kinematics(mech, 0.2, 1e-3)
    with pytest.raises(Killed):
        lw.kinematics(mech, 0.2, 1e-3, out=file, progress=at(0.1, kill))
    assert_same(lw.resume(file), wanted)


WORK = """
import linkwork as lw

lw.simulate(lw.load("planar_four_bar"), 2000.0, 1e-3, "lie-product", "rk4", every=10, out="run.nc")
"""


def test_a_part_that_is_seen_in_the_middle_of_a_commit_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While another process writes it; a file without a run is not waited for."""
    part, seen = tmp_path / "run.nc.part", []

    def torn(place: Path) -> str:
        seen.append(place)
        if len(seen) < 3:
            raise ResultFileError("is in the middle of a commit.")
        return "whole"

    monkeypatch.setattr(netcdf_read, "_read", torn)
    with pytest.raises(ResultFileError):
        lw.open_result(part)
    assert len(seen) == 1
    (tmp_path / "run.nc.resume").touch()
    assert lw.open_result(part) == "whole"
    assert seen == [part] * 3


def test_what_a_process_recorded_is_there_after_kill_9(tmp_path: Path) -> None:
    import xarray

    process = subprocess.Popen([sys.executable, "-c", WORK], cwd=tmp_path)
    try:
        deadline = time.monotonic() + 120
        reached = np.zeros(0)
        while reached.size < 100 and time.monotonic() < deadline:
            time.sleep(0.05)
            if (tmp_path / "run.nc.resume").exists():
                reached = lw.open_result(tmp_path / "run.nc.part").time  # of a run under way
    finally:
        process.kill()
        process.wait()
    with xarray.open_dataset(tmp_path / "run.nc.part") as data:
        assert data.sizes["time"] >= reached.size >= 100
        assert np.array_equal(data.time, 0.01 * np.arange(data.sizes["time"]))
        assert np.all(np.abs(data.position_violation) < 1e-6)
    with pytest.raises(ResultFileError, match=r"keeps its samples in .*run.nc.part"):
        lw.open_result(tmp_path / "run.nc")
    left = lw.open_result(tmp_path / "run.nc.part")
    wanted = lw.simulate(four_bar(), float(left.time[-1]) + 0.05, 1e-3, "lie-product", "rk4", every=10)
    with pytest.raises(Killed):
        lw.resume(tmp_path / "run.nc", progress=at(wanted.time[-1], kill))
    last = lw.open_result(tmp_path / "run.nc.part")
    both = min(last.time.size, wanted.time.size)
    assert both > left.time.size - 1
    for name in wanted:
        assert np.array_equal(last[name][:both], wanted[name][:both]), name


@pytest.mark.parametrize("when", ["before", "between", "half way"])
def test_who_is_killed_in_the_middle_of_a_commit_loses_nothing(
    when: str, tmp_path: Path, often: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A commit is the moment in which the checkpoint is replaced; pages are written over afterwards."""
    file, how = tmp_path / "run.nc", ("lie-product", "rk4")
    wanted = lw.simulate(four_bar(), 0.1, 1e-3, *how)
    commits = [0]

    def now() -> bool:
        commits[0] += 1
        return commits[0] == 6

    write, apply = checkpoint.Checkpoint.write, SteadyFile.apply

    def written(self: checkpoint.Checkpoint, path: Path) -> None:
        if when == "before" and now():
            raise Killed
        write(self, path)

    def applied(self: SteadyFile) -> None:
        if when != "before" and now():
            if when == "half way":
                os.pwrite(self.fileno(), bytes(self.pending[0][:100]), 0)
            raise Killed
        apply(self)

    monkeypatch.setattr(checkpoint.Checkpoint, "write", written)
    monkeypatch.setattr(SteadyFile, "apply", applied)
    with pytest.raises(Killed):
        lw.simulate(four_bar(), 0.1, 1e-3, *how, out=file)
    kept = lw.open_result(f"{file}.part")
    assert kept.time.size == 1 + 7 * (4 if when == "before" else 5)
    assert np.array_equal(kept["position"], wanted["position"][: kept.time.size])
    assert_same(lw.resume(file), wanted)


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signals_save_what_there_is_and_the_run_can_go_on(
    number: signal.Signals, status: int, tmp_path: Path, often: None
) -> None:
    file, how = tmp_path / "run.nc", ("lie-product", "rk4")
    wanted = lw.simulate(four_bar(), 0.1, 1e-3, *how)
    with pytest.raises(RunInterruptedError) as caught:
        lw.simulate(four_bar(), 0.1, 1e-3, *how, out=file, progress=at(0.05, lambda: signal.raise_signal(number)))
    assert caught.value.exit_status == status
    assert listing(tmp_path) == ["run.nc", "run.nc.resume"]
    kept = lw.open_result(file)
    assert kept.time[-1] >= 0.05
    assert "interrupted at" in kept.message
    assert_same(lw.resume(file), wanted)
    assert listing(tmp_path) == ["run.nc"]
    assert_same(lw.resume(file), wanted)  # of a complete run: it is opened


def test_another_file_of_the_name_is_not_gone_on_with(tmp_path: Path, often: None) -> None:
    file, how = tmp_path / "run.nc", ("lie-product", "rk4")
    press = at(0.05, lambda: signal.raise_signal(signal.SIGINT))
    with pytest.raises(RunInterruptedError):
        lw.simulate(four_bar(), 0.1, 1e-3, *how, out=file, progress=press)
    lw.simulate(four_bar(), 0.03, 1e-3, *how).save(file, force=True)
    with pytest.raises(ResultFileError, match="is not the file"):
        lw.resume(file)
    assert lw.open_result(file).time.size == 31


def test_no_part_is_thrown_away_or_written_twice_unasked(tmp_path: Path, often: None) -> None:
    file, how = tmp_path / "run.nc", ("lie-product", "rk4")
    with pytest.raises(Killed):
        lw.simulate(four_bar(), 0.1, 1e-3, *how, out=file, progress=at(0.05, kill))
    with pytest.raises(OutputExistsError, match="--resume"):
        lw.simulate(four_bar(), 0.1, 1e-3, *how, out=file)
    code = f"import fcntl, time; f = open({str(file) + '.part'!r}, 'r+b'); fcntl.lockf(f, fcntl.LOCK_EX)"
    holder = subprocess.Popen(
        [sys.executable, "-c", f"{code}; print(1, flush=True); time.sleep(60)"], stdout=subprocess.PIPE
    )
    try:
        assert holder.stdout is not None
        holder.stdout.readline()
        for attempt in (
            lambda: lw.simulate(four_bar(), 0.1, 1e-3, *how, out=file, force=True),
            lambda: lw.resume(file),
        ):
            with pytest.raises(ResultFileError, match="another process"):
                attempt()
    finally:
        holder.kill()
        holder.wait()
        holder.stdout.close()
    assert lw.simulate(four_bar(), 0.02, 1e-3, *how, out=file, force=True).time.size == 21
    assert listing(tmp_path) == ["run.nc"]


def test_other_sources_do_not_go_on_with_a_run(tmp_path: Path, often: None, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "run.nc"
    with pytest.raises(Killed):
        lw.simulate(four_bar(), 0.1, 1e-3, "lie-product", "rk4", out=file, progress=at(0.05, kill))
    monkeypatch.setattr("linkwork.io.results.unfinished.source_hash", lambda: "another")
    with pytest.raises(ResultFileError, match="other sources"):
        lw.resume(file)
    assert lw.open_result(f"{file}.part").time.size > 40


def test_a_missing_and_a_failed_run_cannot_be_gone_on_with(tmp_path: Path) -> None:
    with pytest.raises(ResultFileError, match="does not exist"):
        lw.resume(tmp_path / "none.nc")


@pytest.fixture
def full_disk():
    """A function that leaves so many bytes for files to grow."""
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    yield lambda size: resource.setrlimit(resource.RLIMIT_FSIZE, (size, usual[1]))
    resource.setrlimit(resource.RLIMIT_FSIZE, usual)


@pytest.mark.parametrize("when", ["on the way", "at close"])
def test_a_full_disk_keeps_what_was_written_and_the_earlier_file(
    when: str, tmp_path: Path, often: None, full_disk: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    file, how = tmp_path / "run.nc", ("lie-product", "rk4")
    wanted = lw.simulate(four_bar(), 0.1, 1e-3, *how)
    lw.simulate(four_bar(), 0.01, 1e-3, *how, out=file)
    earlier = file.read_bytes()

    def fill() -> None:
        full_disk(Path(f"{file}.part").stat().st_size if when == "on the way" else 4096)

    write = growing_file.GrowingFile.publish

    def publish(self: growing_file.GrowingFile, *args: Any) -> None:
        fill()
        write(self, *args)

    if when == "at close":
        monkeypatch.setattr(growing_file.GrowingFile, "publish", publish)
    progress = at(0.05, fill) if when == "on the way" else None
    with pytest.raises(ResultFileError, match="could not be written") as caught:
        lw.simulate(four_bar(), 0.1, 1e-3, *how, out=file, force=True, progress=progress)
    monkeypatch.undo()
    full_disk(resource.RLIM_INFINITY)
    assert f"{file}.part" in str(caught.value)
    assert file.read_bytes() == earlier
    kept = lw.open_result(f"{file}.part")
    assert kept.time.size > (40 if when == "on the way" else 100)
    assert f"first {kept.time.size} samples" in str(caught.value)
    assert np.array_equal(kept["position"], wanted["position"][: kept.time.size])
    assert_same(lw.resume(file), wanted)


def test_existing_output_is_noticed_before_anything_is_computed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert lw.simulate
    assert lw.kinematics  # both are imported

    def never(*args: Any, **kwargs: Any) -> None:
        raise AssertionError("the run began")

    monkeypatch.setattr(sys.modules["linkwork.run.simulate"], "shared_start", never)
    monkeypatch.setattr(sys.modules["linkwork.analysis.kinematics"], "prepare", never)
    for name in ("run.nc", "run.csv"):
        (tmp_path / name).write_text("precious")
        for analyse in (lw.simulate, lw.kinematics):
            with pytest.raises(OutputExistsError):
                analyse(four_bar(), 1.0, 1e-3, out=tmp_path / name)
    with pytest.raises(UsageError, match="ending"):
        lw.simulate(four_bar(), 1.0, 1e-3, "rA", out=tmp_path / "run.xyz")
    with pytest.raises(ResultFileError, match="directory"):
        lw.simulate(four_bar(), 1.0, 1e-3, "rA", out=tmp_path / "no" / "run.nc")


def test_a_table_is_written_as_a_table(tmp_path: Path) -> None:
    result = lw.simulate(four_bar(), 0.01, 1e-3, "lie-product", "rk4", out=tmp_path / "run.csv")
    lines = (tmp_path / "run.csv").read_text().splitlines()
    assert lines[0].startswith("time [s],")
    assert len(lines) == 1 + result.time.size


def test_all_that_compiled_code_writes_is_kept() -> None:
    """Every array whose address an entry receives belongs to the snapshot, or to the mechanism's own tables."""
    from linkwork.formulations import FORMULATIONS
    from linkwork.problems.layout import NOWHERE
    from linkwork.run.matching import pair
    from linkwork.run.starting import new_run, prepare

    compiled = prepare(lw.load("planar_four_bar"), dynamics=True).compiled
    constant = {array.ctypes.data for array in compiled.tables if isinstance(array, np.ndarray)}
    for name in FORMULATIONS:
        chosen, method = pair(name, None, None)
        run = new_run(chosen, method, compiled, step=1e-3, t_end=1.0, every=1)
        found = arrays_in(run)
        spans = [(a.ctypes.data, a.ctypes.data + max(1, a.nbytes)) for a in found.values()]
        words = run.problem.context.reshape(-1, 4)
        for k, (address, *extents) in enumerate(words.tolist()):
            if any(extents) and address not in (*constant, NOWHERE):  # there is nothing in what is nowhere
                assert any(first <= address < last for first, last in spans), (name, k)
        for place, array in found.items():  # addresses would point anywhere in another process
            assert array.dtype.kind != "i" or np.all(np.abs(array.astype(np.int64)) < 2**40), (name, place)


def test_a_checkpoint_comes_back_as_it_was_or_not_at_all(tmp_path: Path) -> None:
    arrays = {"a.b": np.arange(6.0).reshape(2, 3), "c": np.array([1, 2], dtype=np.int32), "e": np.zeros((0, 3))}
    snapshot = Snapshot(arrays, {"messages": ["Ä"], "run": {"done": 3}})
    kept = checkpoint.Checkpoint(8192, 5, {0: bytearray(b"x" * 4096), 1: bytearray(b"y")}, {"t": 0.1}, "s", snapshot)
    path = tmp_path / "run.nc.resume"
    kept.write(path)
    back = checkpoint.Checkpoint.read(path)
    assert (back.size, back.samples, back.pages, back.asked) == (8192, 5, kept.pages, {"t": 0.1})
    assert back.snapshot is not None
    assert back.snapshot.facts == snapshot.facts
    for name, array in arrays.items():
        assert back.snapshot.arrays[name].dtype == array.dtype
        assert np.array_equal(back.snapshot.arrays[name], array)
    data = path.read_bytes()
    for cut in (0, 10, len(data) // 2, len(data) - 1):
        path.write_bytes(data[:cut])
        with pytest.raises(ResultFileError):
            checkpoint.Checkpoint.read(path)
    assert listing(tmp_path) == ["run.nc.resume"]


def test_a_second_certificate_replaces_the_first_in_the_file(tmp_path: Path) -> None:
    from linkwork.io.results.amend import amend

    file = tmp_path / "run.nc"
    lw.simulate(four_bar(), 0.01, 1e-3, "lie-product", "rk4", out=file)
    for digits in (4.5, 9.25):
        amend(file, {"certificate": {"digits": digits, "statement": f"to {digits}"}, "confirmed_digits": digits})
        info = lw.open_result(file).info
        assert info["certificate"] == {"digits": digits, "statement": f"to {digits}"}
        assert info["confirmed_digits"] == digits
        with lw.open_result(file).dataset as data:
            assert data.attrs["confirmed_digits"] == digits
    assert listing(tmp_path) == ["run.nc"]


def test_the_command_line_goes_on_after_sigterm(tmp_path: Path) -> None:
    """What a batch system does to a run: SIGTERM, and the same again until it is done."""
    command = [sys.executable, "-m", "linkwork", "run"]
    how = ["planar_four_bar", "--formulation", "lie-product", "--integrator", "rk4", "--step", "1e-3", "--every", "100"]
    file = tmp_path / "run.nc"
    process = subprocess.Popen(
        [*command, *how, "--t-end", "200", "--out", str(file)], stderr=subprocess.PIPE, text=True
    )
    while not file.with_name("run.nc.resume").exists() and process.poll() is None:
        time.sleep(0.02)
    process.terminate()
    _, said = process.communicate(timeout=120)
    assert process.returncode == 143, said
    assert "LW-INTERRUPTED" in said
    reached = lw.open_result(file).time
    assert 0 < reached.size < 2001
    done = subprocess.run([*command, "--resume", str(file), "--json"], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    found = lw.open_result(file)
    assert found.success
    assert np.array_equal(found.time, lw.simulate(four_bar(), 200.0, 1e-3, "lie-product", "rk4", every=100).time)
    assert listing(tmp_path) == ["run.nc"]
    wrong = subprocess.run([*command, "planar_four_bar", "--resume", str(file)], capture_output=True, text=True)
    assert wrong.returncode == 2
    assert "leave out MODEL" in wrong.stderr
