"""Many runs: plans, what is kept, who computes, what fails, what an interruption leaves."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import linkwork as lw
from linkwork.cli.main import status_of
from linkwork.errors import LinkworkError, OutputExistsError, ResultFileError, RunInterruptedError, UsageError
from linkwork.sweeps import sweep as story
from linkwork.sweeps.batch import RUNNERS
from linkwork.sweeps.plans import PLANS, from_plain, points
from linkwork.sweeps.shards import compute
from linkwork.sweeps.store import Folder, folder_of

DOCUMENT = {
    "name": "pendulum",
    "run": {"t_end": 0.02, "step": 1e-3},
    "parameters": {"L": {"value": 0.4, "min": 0.1}, "k": {"value": 30.0, "min": 0.0}},
    "bodies": [{"name": "rod", "mass": 2.0, "inertia": [0.1, 0.1, 0.001], "position": [0.1, 0, "-L/2"]}],
    "joints": [{"name": "hip", "type": "revolute", "first": "ground", "second": "rod", "point": [0, 0, 0],
                "axis": [0, 1, 0]}],
    "forces": [{"name": "spring", "type": "torsion", "joint": "hip", "stiffness": "2*k"}],
}  # fmt: skip
KEEP = {
    "low": "min(rod.position.z)",
    "angle": "hip.angle",
    "work": "integral(rod.velocity.x**2 + 1)",
    "place": "final(rod.position)",
}


def pendulum() -> lw.Mechanism:
    return lw.Mechanism.from_dict(DOCUMENT)


def the_same(a: lw.Sweep, b: lw.Sweep) -> None:
    assert a.names == b.names
    for name in a.names:
        np.testing.assert_array_equal(a[name], b[name], err_msg=name)
    np.testing.assert_array_equal(a.status, b.status)
    assert a.errors == b.errors


@pytest.mark.parametrize("plan", PLANS)
def test_plans_fill_their_space_and_repeat_with_their_seed(plan: str) -> None:
    lists = plan in ("grid", "list")
    over: dict[str, Any] = {"a": [1.0, 2.0, 4.0], "b": [5.0, 6.0, 7.0]} if lists else {
        "a": lw.uniform(1.0, 3.0), "b": lw.normal(0.0, 2.0), "c": [7.0, 9.0]}  # fmt: skip
    runs = None if lists else 256
    seed = None if lists else 3
    found = points(over, plan, runs, seed)
    np.testing.assert_array_equal(found, points(over, plan, runs, seed))
    assert found.shape == {"grid": (9, 2), "list": (3, 2)}.get(plan, (256, 3))
    if not lists:
        assert not np.array_equal(found, points(over, plan, runs, seed=4))
        np.testing.assert_array_equal(points(over, plan, runs), points(over, plan, runs, seed=0))
        assert 1.0 <= found[:, 0].min() < 1.1
        assert 2.9 < found[:, 0].max() < 3.0
        assert np.mean(found[:, 1]) == pytest.approx(0.0, abs=0.5 if plan == "random" else 0.05)
        assert np.std(found[:, 1]) == pytest.approx(2.0, rel=0.2)
        assert set(found[:, 2]) == {7.0, 9.0}


@pytest.mark.parametrize("plan", ["grid", "list", None])
@pytest.mark.parametrize("seed", [0, 3])
def test_a_seed_of_nothing_random_is_refused(plan: str | None, seed: int) -> None:
    with pytest.raises(UsageError, match=f"a {plan or 'grid'} has nothing random, and no seed"):
        lw.sweep(pendulum(), {"k": [10.0, 40.0]}, plan=plan, seed=seed)


def test_an_accuracy_is_that_of_one_run() -> None:
    """What the error says to do works."""
    mech = lw.load("kissel2021_slider_crank")
    over = {"crank.mass": [0.5, 1.0]}
    with pytest.raises(UsageError, match="a sweep takes no accuracy") as refused:
        lw.sweep(mech, over, t_end=0.05, step=0.01, accuracy=1e-6)
    assert "stabilisation='projection'" in (refused.value.remedy or "")
    info = lw.simulate(mech, 0.05, 0.01, accuracy=1e-6).info
    how = {name: info[name] for name in ("formulation", "integrator", "rtol", "atol", "max_step", "stabilisation")}
    found = lw.sweep(mech, over, keep="final(slider.position.x)", t_end=0.05, step=0.01, **how)
    assert not len(found.failed)


def test_force_without_a_file_is_refused(tmp_path: Any) -> None:
    with pytest.raises(UsageError, match="force replaces a file, and no file is written"):
        lw.sweep(pendulum(), {"k": [10.0]}, force=True)
    with pytest.raises(UsageError, match="force must be true or false"):
        lw.sweep(pendulum(), {"k": [10.0]}, out=tmp_path / "a.nc", force="no")  # type: ignore[arg-type]
    for _ in range(2):
        assert lw.sweep(pendulum(), {"k": [10.0]}, out=tmp_path / "a.nc", force=True).runs == 1


def test_distributions_are_what_they_are_called() -> None:
    share = (np.arange(1000) + 0.5) / 1000
    assert np.median(lw.log_uniform(0.01, 100.0).at(share)) == pytest.approx(1.0, rel=0.01)
    assert np.var(lw.triangular(-1.0, 1.0).at(share)) == pytest.approx(1 / 6, rel=1e-3)
    assert np.var(lw.uniform(-1.0, 1.0).at(share)) == pytest.approx(1 / 3, rel=1e-3)
    assert np.var(lw.normal(3.0, 0.5).at(share)) == pytest.approx(0.25, rel=0.01)
    assert from_plain({"k": {"uniform": [1, 2]}, "m": 3}) == {"k": lw.uniform(1, 2), "m": 3}


def test_runs_are_those_of_simulate_and_reductions_those_of_numpy() -> None:
    mech = pendulum()
    found = lw.sweep(mech, {"k": [10.0, 40.0], "rod.mass": [1.0, 3.0]}, keep=KEEP, threads=1)
    assert found.runs == 4
    for k in range(4):
        changed = mech.with_parameters(k=found["k"][k])
        changed.change("rod", mass=found["rod.mass"][k])
        run = lw.simulate(changed, formulation="rA")
        np.testing.assert_array_equal(found["angle"][k], run.joint("hip")["angle"])
        assert found["low"][k] == run.position("rod")[:, 2].min()
        np.testing.assert_array_equal(found["place"][k], run.position("rod")[-1])
        expected = np.trapezoid(run.velocity("rod")[:, 0] ** 2 + 1.0, run.time)
        assert found["work"][k] == pytest.approx(expected, rel=1e-14)


def test_numbers_that_are_not_plain_and_starts_run_too() -> None:
    mech = pendulum()
    found = lw.sweep(mech, {"L": [0.3, 0.5], "hip_rate": [0.5]}, keep=["final(rod.position.x)", "final(energy)"])
    for k in range(2):
        run = lw.simulate(mech.with_parameters(L=found["L"][k]), state={"hip": (0.0, 0.5)}, formulation="rA")
        assert found["final(rod.position.x)"][k] == run.position("rod")[-1, 0]
        assert found["final(energy)"][k] == run.energy[-1]


def test_nothing_depends_on_who_computes_nor_on_the_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    mech, over = pendulum(), {"k": lw.uniform(0.0, 50.0), "rod.mass": lw.log_uniform(1.0, 9.0)}

    def run(**who: Any) -> lw.Sweep:
        return lw.sweep(mech, over, runs=40, plan="sobol", keep=KEEP, **who)

    first = run(threads=1)
    the_same(run(threads=3), first)
    monkeypatch.setattr("linkwork.sweeps.shards.BATCH_BYTES", 1.0)
    monkeypatch.setattr(story, "LARGEST_SHARD", 7)
    monkeypatch.setattr(story, "LEAST_SHARDS", 1)
    the_same(run(threads=2), first)
    monkeypatch.setattr("linkwork.sweeps.batch.RUNNERS", [lambda held, batch, room: room.status.fill(1) or True])
    the_same(run(threads=1), first)
    assert len(RUNNERS) >= 1


def test_runs_that_fail_are_kept_as_such_and_others_go_on() -> None:
    found = lw.sweep(pendulum(), {"L": [0.4, 0.05, 0.6]}, keep=KEEP)
    assert list(found.failed) == [1]
    assert found.completed
    assert "below its min" in found.errors[1]
    assert "LW-MODEL" in found.errors[1]
    assert np.isnan(found["low"][1])
    assert np.isfinite(found["low"][[0, 2]]).all()


def test_some_hundred_runs_are_judged_and_what_is_wrong_is_told() -> None:
    """Implicit Euler at a coarse step loses energy: every run is judged wrong where it is looked at."""
    coarse = {"t_end": 2.0, "step": 0.05, "integrator": "implicit-euler", "keep": "final(energy)"}
    every = lw.sweep(pendulum(), {"k": [1.0, 20.0, 30.0]}, **coarse)
    assert list(every.wrong) == list(every.judged) == [0, 1, 2]
    assert "3 judged: 3 wrong" in repr(every)
    fine = lw.sweep(pendulum(), {"k": lw.uniform(10.0, 30.0)}, 150, keep="final(energy)")
    np.testing.assert_array_equal(fine.judged, np.arange(0, 150, 2))
    assert not fine.doubtful.size
    none = lw.sweep(pendulum(), {"k": [1.0]}, judge=False, **coarse)
    assert "judgement" not in none.names
    assert "none judged" in repr(none)


def test_the_exit_status_tells_failed_and_wrong_runs(tmp_path: Path) -> None:
    (tmp_path / "pendulum.json").write_text(json.dumps({"linkwork": 1, **DOCUMENT}))
    asked = {"mechanism": "pendulum.json", "over": {"L": [0.4, 0.05]}, "keep": ["final(energy)"]}
    coarse = {"over": {"k": [1.0]}, "t_end": 2.0, "step": 0.05, "integrator": "implicit-euler"}
    for change, status in (({}, 6), ({"over": {"L": [0.4]}}, 0), (coarse, 7)):
        (tmp_path / "sweep.json").write_text(json.dumps(asked | change))
        assert status_of(["sweep", str(tmp_path / "sweep.json"), "--force", "--quiet"]) == status


def test_a_mechanism_that_cannot_be_assembled_is_a_record() -> None:
    mech = lw.load("planar_four_bar")
    name = next(f"{body.name}.position.y" for body in mech.bodies)
    found = lw.sweep(mech, {name: [1e3, 0.0]}, keep="energy", t_end=1e-3, step=1e-3)
    assert found.runs == 2
    assert all("LW-" in text for text in found.errors.values())


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"over": {"kk": [1.0]}}, "did you mean 'k'"),
        ({"over": {"k": []}}, "finite numbers"),
        ({"over": {"k": lw.uniform(0, 1)}}, "how many runs"),
        ({"over": {"k": lw.uniform(0, 1)}, "plan": "grid"}, "random"),
        ({"plan": "spiral"}, "no plan 'spiral'"),
        ({"keep": []}, "nothing is kept"),
        ({"keep": "max(rod.positon.x)"}, "did you mean 'position'"),
        ({"keep": "max(road.position.x)"}, "did you mean 'rod'"),
        ({"keep": "max(3)"}, "one quantity over time"),
        ({"keep": {"in_lanes": "energy"}}, "name of something else"),
        ({"keep": {"rotation": "energy"}}, "name of something else"),
        ({"keep": {"": "energy"}}, "no name of its own"),
        ({"keep": {"a/b": "energy", "a over b": "energy"}}, "no name of its own"),
        ({"seed": -1}, "seed must be a whole number"),
        ({"seed": 1.5}, "seed must be a whole number"),
        ({"keep": "__import__('os')"}, "nothing else"),
        ({"keep": "eval(rod.position.x)"}, "no function"),
        ({"keep": "hip.angel"}, "did you mean 'angle'"),
        ({"keep": {"k": "hip.angle"}}, "name of something else"),
        ({"keep": "[1, 2]"}, "nothing else"),
        ({"threads": 1, "processes": 1}, "exclude each other"),
        ({"threads": 0}, "threads"),
        ({"over": {"k": lw.uniform(0, 1)}, "runs": 20_000_000, "keep": "rod.position"}, "GB are free"),
        ({"formulation": lw.RA()}, "by name"),
        ({"over": {"k": [True, 2.0]}}, "must go over numbers"),
        ({"over": {"k": [1.0, "2"]}}, "must go over numbers"),
        ({"over": {"k": "2"}}, "must go over numbers"),
        ({"over": {"k": True}}, "must go over numbers"),
        ({"over": {3: [1.0]}}, "3 is no name"),
        ({"keep": 5}, "formulas in texts, not 5"),
        ({"keep": [["hip.angle"]]}, "a formula in a text"),
        ({"lanes": "no"}, "lanes must be true or false"),
        ({"judge": 0.5}, "judge must be true or false"),
        ({"t_end": "soon"}, "t_end must be a number of seconds"),
    ],
)
def test_what_makes_no_sense_is_said_before_anything_is_run(change: dict[str, Any], text: str) -> None:
    asked: dict[str, Any] = {"over": {"k": [1.0, 2.0]}, "keep": "hip.angle"} | change
    with pytest.raises(UsageError, match=text):
        lw.sweep(pendulum(), **asked)


def test_a_file_holds_the_sweep_and_is_not_overwritten(tmp_path: Path) -> None:
    out = tmp_path / "sweep.nc"
    seen: list[tuple[int, int]] = []
    found = lw.sweep(
        pendulum(), {"L": [0.4, 0.05]}, keep=KEEP, out=out, progress=lambda done, runs, *_: seen.append((done, runs))
    )
    the_same(found, lw.sweep(pendulum(), {"L": [0.4, 0.05]}, keep=KEEP))
    assert seen[-1] == (2, 2)
    assert not out.with_name("sweep.nc.parts").exists()
    with pytest.raises(OutputExistsError):
        lw.sweep(pendulum(), {"L": [0.4]}, keep=KEEP, out=out)
    memory = lw.sweep(pendulum(), {"L": [0.4, 0.05]}, keep=KEEP)
    memory.save(tmp_path / "saved.nc")
    the_same(lw.open_sweep(tmp_path / "saved.nc"), found)
    with pytest.raises(LinkworkError, match=r"none\.nc: does not exist"):
        lw.open_sweep(tmp_path / "none.nc")


def test_a_sweep_is_a_data_set(tmp_path: Path) -> None:
    xarray = pytest.importorskip("xarray")
    over = {"k": [1.0, 2.0]}
    memory = lw.sweep(pendulum(), over, keep=KEEP).dataset
    file = lw.sweep(pendulum(), over, keep=KEEP, out=tmp_path / "sweep.nc").dataset
    assert dict(memory.sizes) == {"run": 2, "time": 21, "xyz": 3}
    assert set(memory.coords) == {"k", "time"}
    xarray.testing.assert_equal(memory.drop_vars("error"), file.drop_vars("error"))
    file.close()


def test_ctrl_c_keeps_what_is_done_and_the_same_call_goes_on(tmp_path: Path) -> None:
    out, over = tmp_path / "sweep.nc", {"k": lw.uniform(1.0, 9.0)}

    def stop(done: int, *_: Any) -> None:
        if done == 20:
            os.kill(os.getpid(), signal.SIGINT)

    asked: dict[str, Any] = {"runs": 60, "keep": KEEP, "threads": 1}
    with pytest.raises(RunInterruptedError, match="of 60 runs") as caught:
        lw.sweep(pendulum(), over, progress=stop, **asked)
    part = caught.value.result
    done = part.status == 0
    assert 20 <= done.sum() < 60
    whole = lw.sweep(pendulum(), over, **asked)
    np.testing.assert_array_equal(part["low"][done], whole["low"][done])
    with pytest.raises(RunInterruptedError, match="goes on from there"):
        lw.sweep(pendulum(), over, progress=stop, out=out, **asked)
    with pytest.raises(OutputExistsError, match="another sweep"):
        lw.sweep(pendulum(), over, out=out, **(asked | {"seed": 1}))
    counted: list[int] = []
    the_same(lw.sweep(pendulum(), over, out=out, progress=lambda n, *_: counted.append(n), **asked), whole)
    assert counted[0] > 20


SCRIPT = """
import json, sys
import linkwork as lw
if __name__ == "__main__":
    mech = lw.Mechanism.from_dict(json.loads(sys.argv[1]))
    lw.sweep(mech, {"k": lw.uniform(1.0, 9.0)}, runs=600, keep=["max(rod.position.x)"], t_end=1.0, out=sys.argv[2],
             **json.loads(sys.argv[3]))
"""


LANES = {"lanes": True, "formulation": "articulated-body", "integrator": "rk4"}


def test_names_are_the_same_in_files_and_in_memory(tmp_path: Path) -> None:
    """Slashes, which would make a group of a file, and blanks, at which a list of coordinates ends."""
    document = json.loads(json.dumps(DOCUMENT).replace('"rod"', '"the rod"'))
    over, keep = {"the rod.mass": [1.0, 2.0]}, ["max(energy)/2", "final('the rod'.position)"]
    mech = lw.Mechanism.from_dict(document)
    memory = lw.sweep(mech, over, keep=keep)
    file = lw.sweep(mech, over, keep=keep, out=tmp_path / "sweep.nc")
    the_same(memory, file)
    assert [*file.arrays] == [*memory.arrays] == [*keep, "judgement"]
    for one in (memory, file):
        data = one.dataset
        assert "the rod.mass" in data.coords
        assert not any("/" in name for name in data.variables)
        np.testing.assert_array_equal(data["max(energy) over 2"], memory["max(energy)/2"])
    memory.save(tmp_path / "again.nc")
    the_same(memory, lw.open_sweep(tmp_path / "again.nc"))


@pytest.mark.parametrize("who", [{"threads": 2, **LANES}, {"processes": 2}], ids=["threads", "processes"])
def test_a_killed_sweep_goes_on_to_the_same_bits(tmp_path: Path, who: dict[str, Any]) -> None:
    """Twenty kills, and some while the file is written: `python -m benchmarks.killed`."""
    out = tmp_path / "sweep.nc"
    words = [sys.executable, "-c", SCRIPT, json.dumps(DOCUMENT), str(out), json.dumps(who)]
    script = tmp_path / "script.py"
    script.write_text(SCRIPT, "utf-8")
    words[1:3] = [str(script)]
    parts = out.with_name("sweep.nc.parts")
    random = np.random.default_rng(5)
    for _ in range(3):
        known = len(list(parts.glob("0*.npz")))
        process = subprocess.Popen(words, start_new_session=True)
        while process.poll() is None and len(list(parts.glob("0*.npz"))) <= known:
            time.sleep(0.01)
        time.sleep(random.uniform(0.0, 0.2))
        process.kill()
        process.wait()
        end = time.monotonic() + 30.0
        while of_group(process.pid):  # workers end with the process that they work for
            assert time.monotonic() < end
            time.sleep(0.02)
    if not out.exists() or parts.exists():  # it may be killed when the file is whole, before its parts are removed
        subprocess.run(words, check=True)
    reference = lw.sweep(
        pendulum(), {"k": lw.uniform(1.0, 9.0)}, runs=600, keep=["max(rod.position.x)"], t_end=1.0,
        **(who | {"threads": 1, "processes": None}),
    )  # fmt: skip
    the_same(lw.open_sweep(out), reference)
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith((".", "sweep"))] == [out.name]


def of_group(group: int) -> bool:
    """Whether there are processes of this group."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_sweep_that_was_killed_when_it_was_written_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out, over = tmp_path / "sweep.nc", {"k": [1.0, 2.0]}
    with monkeypatch.context() as change:
        change.setattr(Folder, "discard", lambda self: None)
        lw.sweep(pendulum(), over, keep=KEEP, out=out)
    assert folder_of(out).exists()
    with pytest.raises(OutputExistsError):
        lw.sweep(pendulum(), {"k": [1.0, 3.0]}, keep=KEEP, out=out)
    the_same(lw.sweep(pendulum(), over, keep=KEEP, out=out), lw.sweep(pendulum(), over, keep=KEEP))
    assert not folder_of(out).exists()


def test_arrays_of_a_file_are_read_when_they_are_asked_for(tmp_path: Path) -> None:
    out = tmp_path / "sweep.nc"
    found = lw.sweep(pendulum(), {"k": [1.0, 2.0]}, keep=KEEP, out=out)
    assert found["low"].shape == (2,)
    lw.sweep(pendulum(), {"k": [3.0, 4.0]}, keep=KEEP, out=out, force=True)
    with pytest.raises(ResultFileError, match="replaced by another sweep"):
        found["low"]
    out.unlink()
    with pytest.raises(ResultFileError, match="could not be read"):
        found["low"]


def test_a_disk_that_is_too_small_is_told_before_anything_is_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("linkwork.sweeps.space.free_disk", lambda path: 1e6)
    with pytest.raises(UsageError, match="of the disk"):
        lw.sweep(pendulum(), {"k": lw.uniform(1.0, 2.0)}, 2000, keep=KEEP, out=tmp_path / "sweep.nc")
    assert not list(tmp_path.iterdir())


def test_a_worker_with_another_version_is_refused() -> None:
    values, task = story._task(
        pendulum(),
        {"k": [1.0]},
        None,
        None,
        None,
        KEEP,
        (None, None),
        "rA",
        None,
        {"judge": False, "lanes": False, "gpu": False},
    )
    assert compute(task, 0, values).status[0] == 0
    for change in ({"version": "0.0.1"}, {"sources": "others"}):
        with pytest.raises(UsageError, match="a worker has linkwork"):
            compute(replace(task, **change), 0, values)


@pytest.mark.parametrize("name", ["sweep.csv", "sweep"])
def test_a_sweep_is_written_as_netcdf_alone(name: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="a sweep is written as NetCDF"):
        lw.sweep(pendulum(), {"L": [0.4]}, keep=KEEP, out=tmp_path / name)


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("options: 3", "`options:` are names"),
        ("options: {keep: 5}", "'keep' is no option .* Write keep: beside options:"),
        ("options: {threads: 5}", "'threads' is no option"),
        ("out: [1]", "`out:` is the name of a file"),
        ("lanes: 'no'", "lanes must be true or false"),
        ("keep: {low: [1]}", "a formula in a text"),
        ("over: {crank.mass: [true, 1]}", "must go over numbers"),
        ("over: {crank.mass: {normal: [one, two]}}", "normal needs a mean"),
        ("over: {crank.mass: {log_uniform: [one, two]}}", "two finite numbers"),
        ("over: {crank.mass: {uniform: [-1.0e308, 1.0e308]}}", "two finite numbers"),
        ("mechanism: [1]", "`mechanism:` is the name of a file"),
    ],
)
def test_what_makes_no_sense_in_a_file_is_said(
    line: str, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "sweep.yaml"
    said = {"mechanism": "kissel2021_slider_crank", "over": "{crank.mass: [1.0]}"}
    key, value = line.split(": ", 1)
    file.write_text("".join(f"{name}: {one}\n" for name, one in {**said, key: value}.items()))
    assert status_of(["sweep", str(file)]) == 2
    assert re.search(text, capsys.readouterr().err.replace("\n", " "))
    assert not file.with_suffix(".nc").exists()


def test_which_plot_is_asked_for_before_anything_is_run(tmp_path: Path) -> None:
    file = tmp_path / "sweep.yaml"
    file.write_text("mechanism: kissel2021_slider_crank\nover: {crank.mass: [1.0]}\n")
    assert status_of(["sweep", str(file), "--kind", "pairs"]) == 2  # of no picture
    assert status_of(["sweep", str(file), "--plot", str(tmp_path / "a.png"), "--kind", "spiral"]) == 2
    assert not file.with_suffix(".nc").exists()


def test_formulas_without_a_finite_value_are_told_and_fail_no_run(tmp_path: Path, capsys: Any) -> None:
    """sqrt(angle) of a pendulum that starts at -0.2, -0.1, 0.1 and 0.2: two have no root."""
    over = {"hip": [-0.2, -0.1, 0.1, 0.2]}
    keep = {"root": "sqrt(start(hip.angle))", "curve": "log(hip.angle + 0.15)", "z": "final(rod.position.z)"}
    given: dict[str, Any] = {"t_end": 0.002, "step": 1e-3, "judge": False}
    found = lw.sweep(pendulum(), over, keep=keep, **given)
    assert found.not_finite == {"root": (2, 0), "curve": (1, 0)}
    assert not found.failed.size
    assert "'root' is not finite in 2 of 4 runs, run 0 the first" in repr(found)
    assert np.isnan(found["root"]).tolist() == [True, True, False, False]
    file = tmp_path / "roots.nc"
    kept = lw.sweep(pendulum(), over, keep=keep, out=file, **given)
    assert kept.not_finite == found.not_finite == lw.open_sweep(file).not_finite
    again = tmp_path / "again.nc"
    found.save(again)
    assert lw.open_sweep(again).not_finite == found.not_finite
    assert not lw.sweep(pendulum(), over, keep=["final(rod.position.z)"], **given).not_finite
    (tmp_path / "pendulum.json").write_text(json.dumps({"linkwork": 1, **DOCUMENT}))
    asked = {"mechanism": "pendulum.json", "over": over, "keep": keep, **given}
    (tmp_path / "roots.json").write_text(json.dumps(asked))
    assert status_of(["sweep", str(tmp_path / "roots.json"), "--force"]) == 0
    assert "'curve' is not finite in 1 of 4 runs, run 0 the first." in capsys.readouterr().err
    assert status_of(["sweep", str(tmp_path / "roots.json"), "--force", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["not_finite"]["root"] == {"runs": 2, "first": 0}


def test_runs_that_failed_are_none_without_a_finite_value() -> None:
    over = {"L": [0.4, 0.01, 0.4], "k": [30.0, 30.0, 31.0]}
    found = lw.sweep(pendulum(), over, keep={"root": "sqrt(-1 - final(t))"}, plan="list")
    assert found.failed.tolist() == [1]
    assert found.not_finite == {"root": (2, 0)}


def test_a_sweep_says_what_all_its_runs_say() -> None:
    mech = pendulum()
    found = lw.sweep(mech, {"k": [1.0, 2.0]}, keep="t", t_end=0.01, step=3e-3)
    assert found.messages == ("t_end 0.01 s is not a whole number of steps: the run ends at 0.012 s",)
    assert found.messages[0] in repr(found)
    assert lw.sweep(mech, {"k": [1.0, 2.0]}, keep="t", t_end=0.01, step=1e-3).messages == ()
    rod = {
        **DOCUMENT["bodies"][0],
        "position": [0, 0, "-L/2"],
        "velocity": ["-L/2", 0, 0],
        "angular_velocity": [0, 1, 0],
    }  # type: ignore[index]
    moving = lw.Mechanism.from_dict(DOCUMENT | {"bodies": [rod]})
    told = lw.sweep(moving, {"hip": [0.1]}, keep="start(rod.velocity)", t_end=0.01, step=1e-3)
    assert any("velocities of the description are left out" in text for text in told.messages)
    np.testing.assert_allclose(told["start(rod.velocity)"], [[0, 0, 0]], atol=1e-15)


def test_what_judged_runs_say_besides_is_counted_and_kept(tmp_path: Path) -> None:
    """A note with other numbers in each run, of the runs that have it: of an inertia that no body can have."""
    mech, over = pendulum(), {"rod.inertia.x": [0.1, 0.5, 0.1, 0.9]}
    how: dict[str, Any] = {"keep": "final(energy)", "t_end": 0.01, "step": 1e-3}
    found = lw.sweep(mech, over, out=tmp_path / "sweep.nc", processes=2, **how)
    (text,) = found.messages
    assert text.startswith("body 'rod': no real body has its inertia")
    assert "0.5 kg m^2" in text
    assert text.endswith("(run 1; so say 2 of 4 judged runs)")
    assert lw.open_sweep(tmp_path / "sweep.nc").messages == found.messages
    for other in ({"threads": 1}, {"threads": 2, **LANES}):
        assert lw.sweep(mech, over, **how, **other).messages == found.messages
    assert text in repr(found)
    assert lw.sweep(mech, over, judge=False, **how).messages == ()
    coarse = lw.sweep(mech, {"k": [1.0, 2.0]}, keep="t", t_end=0.01, step=3e-3)
    assert len(coarse.messages) == 1  # all runs say it, and judged ones no second time


@pytest.mark.parametrize(
    ("over", "idle"),
    [({"spare": [1.0, 2.0]}, ["spare"]), ({"k": [1.0, 2.0]}, []), ({"k": [1.0], "spring.stiffness": [3.0]}, ["k"])],
)
def test_parameters_that_nothing_takes_are_told(over: Any, idle: list[str]) -> None:
    mech = pendulum()
    mech.parameter("spare", 1.0)
    found = lw.sweep(mech, over, keep="t", t_end=0.01, step=1e-3, plan="list")
    assert [*found.messages] == [
        f"nothing in the description takes {name!r}: runs do not depend on it" for name in idle
    ]


def test_failed_runs_are_shown_with_their_numbers(tmp_path: Path, capsys: Any) -> None:
    found = lw.sweep(pendulum(), {"L": [0.4, 0.05], "k": 2.0}, keep=KEEP)
    assert "(run 1, L = 0.05, k = 2: parameters.L" in repr(found)
    (tmp_path / "pendulum.json").write_text(json.dumps({"linkwork": 1, **DOCUMENT}))
    asked = {"mechanism": "pendulum.json", "over": {"L": [0.4, 0.05]}, "keep": ["final(energy)"]}
    (tmp_path / "sweep.json").write_text(json.dumps(asked))
    assert status_of(["sweep", str(tmp_path / "sweep.json")]) == 6
    told = capsys.readouterr().err
    assert "run 1, L = 0.05: " in told
    assert "pendulum.json: parameters.L is 0.05, below its min 0.1" in told


def test_one_coordinate_under_two_names_is_refused() -> None:
    with pytest.raises(UsageError, match="are one number"):
        lw.sweep(pendulum(), {"hip": [0.1], "hip.angle": [0.2]}, keep="t", plan="list", t_end=0.01, step=1e-3)
