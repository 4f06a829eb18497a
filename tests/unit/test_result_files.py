from __future__ import annotations

import csv
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from linkwork import header as header_module
from linkwork.errors import LinkworkError, OutputExistsError, ResultFileError, UsageError
from linkwork.header import STORED, Header, Variable
from linkwork.io.results import open_result, result_writer
from linkwork.result import Result

INFO = {
    "model": "four link",
    "formulation": "rp",
    "step": 1e-3,
    "redundant": True,
    "tolerance": None,
    "rows": ["a", "b"],
    "largest": float("inf"),
}


class Energies:
    """Derives what depends on the stored arrays alone, so that blocks and the whole must agree."""

    def derive(self, names: Any, time: Any, position: Any, rotation: Any, velocity: Any, *others: Any) -> Any:
        return {
            "kinetic_energy": (velocity**2).sum(axis=(1, 2)),
            "potential_energy": position[:, :, 2].sum(axis=1),
            "reaction_force": position[:, : others[-1].shape[1] - 1] * 2.0,
            "position_violation": np.abs(position[:, 0, 0]) * 1e-9,
        }


def make(nt: int = 300, nb: int = 3, **outcome: Any) -> Result:
    """A made-up run with one variable of the formulation's own."""
    t = np.arange(nt) * 1e-3
    wave = np.sin(t[:, None, None] * np.arange(1, 3 * nb + 1).reshape(nb, 3))
    header = Header(
        bodies=tuple(f"body {k}" for k in range(nb)),
        joints=tuple(f"joint {k}" for k in range(nb)),
        rows=tuple(f"row {k}" for k in range(nb + 1)),
        joint_bodies=tuple(f"body {k}" for k in range(nb)),
        joint_points=tuple((float(k), 0.5, 0.0) for k in range(nb)),
        info=INFO | {"wall_time": 0.123},
        mechanism_document='{"bodies": ["Ärmchen"]}' * 4000,
        extras={"momentum": Variable(("time", "coordinate"), "kg m2 s-1", "joint momenta")},
        coordinates={"coordinate": ("q1", "q2")},
    )
    arrays = {
        "time": t,
        "position": wave,
        "rotation": np.tile(np.eye(3), (nt, nb, 1, 1)),
        "velocity": np.cos(wave),
        "multiplier": np.tile(t[:, None], (1, nb + 1)),
        "iterations": np.full(nt, 3),
        "momentum": np.stack((t, -t), axis=1),
    }
    return Result(header, arrays, derive=Energies(), messages=("Euler angles rebased at 0.1 s",), **outcome)


def listing(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def assert_same(one: Result, other: Result) -> None:
    assert set(one.variables) == set(other.variables)
    for name in one:
        assert np.array_equal(one[name], other[name]), name
        assert one[name].dtype.kind == other[name].dtype.kind, name
    assert (one.success, one.status, one.message) == (other.success, other.status, other.message)
    assert one.messages == other.messages
    assert one.mechanism_document == other.mechanism_document
    for field in ("bodies", "joints", "rows", "joint_bodies", "joint_points", "extras", "coordinates"):
        assert getattr(one.header, field) == getattr(other.header, field), field


@pytest.mark.parametrize("nt", [0, 1, 300])
@pytest.mark.parametrize("compress", [False, True])
def test_round_trip(tmp_path: Path, nt: int, compress: bool) -> None:
    path = tmp_path / "run.nc"
    res = make(nt, success=nt > 1, status=int(nt <= 1), message="" if nt > 1 else "t=0 s: diverged")
    res.save(path, compress=compress)
    back = open_result(path)
    assert_same(res, back)
    assert back.path == str(path)
    assert dict(back.info) == INFO  # what only the clock knows is left out
    assert back.summary() == res.summary()
    assert listing(tmp_path) == ["run.nc"]


@pytest.mark.parametrize(("joints", "rows"), [((), ()), (("j",), ())])
def test_round_trip_without_joints_or_rows(tmp_path: Path, joints: tuple[str, ...], rows: tuple[str, ...]) -> None:
    data = {"time": np.arange(5.0), "position": np.ones((5, 1, 3)), "rotation": np.ones((5, 1, 3, 3))}
    data |= {"multiplier": np.zeros((5, len(rows))), "reaction_force": np.zeros((5, len(joints), 3))}
    res = Result(Header(bodies=("free",), joints=joints, rows=rows), data)
    res.save(tmp_path / "free.nc")
    back = open_result(tmp_path / "free.nc")
    assert_same(res, back)
    assert back["multiplier"].shape == (5, 0)


def test_the_same_run_gives_the_same_bytes(tmp_path: Path) -> None:
    make().save(tmp_path / "a.nc")
    make().save(tmp_path / "b.nc")
    assert (tmp_path / "a.nc").read_bytes() == (tmp_path / "b.nc").read_bytes()
    make().save(tmp_path / "c.nc", timings=True)
    assert open_result(tmp_path / "c.nc").info["wall_time"] == 0.123


@pytest.mark.parametrize("block", [1, 7, 300, 1000])
def test_streaming_in_blocks_equals_one_shot(tmp_path: Path, block: int) -> None:
    res = make(302)
    stored = [name for name in (*STORED, "momentum") if name in res]
    with result_writer(tmp_path / "run.nc", res.header, derive=Energies()) as writer:
        for start in range(0, 302, block):
            assert not (tmp_path / "run.nc").exists()
            writer.append({name: res.read(name, start, start + block) for name in stored})
        back = writer.finish(messages=res.messages, info={"steps": 301})
    assert_same(res, back)
    assert back.info["steps"] == 301
    assert open_result(tmp_path / "run.nc").info["steps"] == 301
    with pytest.raises(UsageError, match="finished"):
        writer.append({"time": np.zeros(1)})


def test_a_run_that_fails_keeps_what_it_had(tmp_path: Path) -> None:
    res = make(20)
    stored = [name for name in STORED if name in res]

    def interrupted_run() -> None:
        with result_writer(tmp_path / "run.nc", res.header) as writer:
            writer.append({name: res[name] for name in stored})
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted_run()
    back = open_result(tmp_path / "run.nc")
    assert not back.success
    assert back.message == "KeyboardInterrupt"
    assert np.array_equal(back["position"], res["position"])
    assert listing(tmp_path) == ["run.nc"]


def test_ctrl_c_waits_until_a_block_is_written(tmp_path: Path) -> None:
    res = make(20)
    stored = [name for name in STORED if name in res]

    writer = result_writer(tmp_path / "run.nc", res.header)
    writer.append({name: res.read(name, 0, 10) for name in stored})
    usual = writer._file.raise_error

    def interrupted() -> None:
        signal.raise_signal(signal.SIGINT)
        usual()

    writer._file.raise_error = interrupted
    with pytest.raises(KeyboardInterrupt):
        writer.append({name: res.read(name, 10, 20) for name in stored})
    back = writer.finish(success=False, message="interrupted")
    assert np.array_equal(back["position"], res["position"])


def test_blocks_must_fit(tmp_path: Path) -> None:
    res = make(20)
    writer = result_writer(tmp_path / "run.nc", res.header)
    block = {name: res[name] for name in STORED if name in res}
    with pytest.raises(UsageError, match="position"):
        writer.append(block | {"position": np.zeros((19, 3, 3))})
    writer.append(block)
    with pytest.raises(UsageError, match="same variables"):
        writer.append({name: values for name, values in block.items() if name != "velocity"})
    with pytest.raises(UsageError, match="no result variable"):
        writer.append(block | {"veloctiy": block["velocity"]})
    assert writer.finish().time.size == 20


@pytest.mark.parametrize("name", ["run.nc", "run.csv"])
def test_an_existing_file_is_refused_without_force(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text("precious")
    with pytest.raises(OutputExistsError, match="force"):
        make().save(path)
    assert path.read_text() == "precious"
    with pytest.raises(OutputExistsError):
        result_writer(tmp_path / name, make().header)  # before any step is made
    make().save(path, force=True)
    assert path.read_bytes() != b"precious"
    assert listing(tmp_path) == [name]


def test_a_file_that_appears_during_the_run_is_not_overwritten(tmp_path: Path) -> None:
    res = make(20)
    writer = result_writer(tmp_path / "run.nc", res.header)
    writer.append({name: res[name] for name in STORED if name in res})
    (tmp_path / "run.nc").write_text("precious")
    with pytest.raises(OutputExistsError, match="is kept as") as caught:
        writer.finish()
    assert (tmp_path / "run.nc").read_text() == "precious"
    kept = [name for name in listing(tmp_path) if name != "run.nc"]
    assert kept[0] in str(caught.value)
    assert open_result(tmp_path / kept[0]).time.size == 20


def test_where_nothing_can_be_written_nothing_is(tmp_path: Path) -> None:
    res = make(5)
    with pytest.raises(ResultFileError, match="directory"):
        res.save(tmp_path / "no" / "run.nc")
    (tmp_path / "dir.nc").mkdir()
    with pytest.raises(ResultFileError, match="ordinary"):
        res.save(tmp_path / "dir.nc", force=True)
    with pytest.raises(ResultFileError):
        res.save(tmp_path / ("x" * 300 + ".nc"))
    with pytest.raises(UsageError, match=r"\.nc, \.csv"):
        res.save(tmp_path / "run.xls")
    assert listing(tmp_path) == ["dir.nc"]


FULL_DISK = """
import resource, signal, sys
import numpy as np
from linkwork.errors import ResultFileError
from linkwork.header import Header
from linkwork.io.results import result_writer
from linkwork.result import Result

nt = 20000
header = Header(bodies=("a", "b"))
data = {"time": np.arange(nt) * 1e-3, "position": np.random.default_rng(0).normal(size=(nt, 2, 3)),
        "rotation": np.zeros((nt, 2, 3, 3))}
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (500_000, 500_000))
for attempt in (lambda: Result(header, data).save("run.nc"), lambda: Result(header, data).to_csv("run.csv")):
    try:
        attempt()
    except ResultFileError as error:
        print(error)
writer = result_writer("run.nc", header)
try:
    for start in range(0, nt, 500):
        writer.append({name: values[start:start + 500] for name, values in data.items()})
except ResultFileError as error:
    print(error, writer.finished)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGXFSZ"), reason="limits on file sizes are a Unix matter")
def test_a_full_disk_is_an_error_and_not_a_crash(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", FULL_DISK], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("LW-RESULT") == 3
    assert done.stderr == ""
    assert listing(tmp_path) == []


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("good") / "run.nc"
    make(40).save(path)
    return path.read_bytes()


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_junk_gives_result_file_errors_and_nothing_else(tmp_path: Path, good: bytes, data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(["bytes", "truncated", "header and bytes"]))
    if kind == "bytes":
        content = data.draw(st.binary(max_size=200))
    elif kind == "truncated":
        content = good[: data.draw(st.integers(0, len(good) - 1))]
    else:
        content = good[:8] + data.draw(st.binary(max_size=200))
    path = tmp_path / "junk.nc"
    path.write_bytes(content)
    with pytest.raises(ResultFileError) as caught:
        open_result(path)
    assert str(path) in str(caught.value)


CHANGED = """
import sys
from pathlib import Path
from linkwork.errors import LinkworkError
from linkwork.io.results import open_result

good, where = Path(sys.argv[1]).read_bytes(), Path("changed.nc")
for place in range(0, len(good), len(good) // 60):
    where.write_bytes(good[:place] + bytes(255 - b for b in good[place:place + 4]) + good[place + 4:])
    try:
        result = open_result(where)
        for name in result:
            result[name]
    except LinkworkError:
        pass
"""


def test_changed_bytes_never_give_anything_but_our_errors(tmp_path: Path, good: bytes) -> None:
    # in a process of its own: what the HDF5 library does with a damaged file is not in our hands
    (tmp_path / "good.nc").write_bytes(good)
    command = [sys.executable, "-c", CHANGED, "good.nc"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


def test_files_of_others_and_missing_files(tmp_path: Path) -> None:
    import h5py

    with pytest.raises(ResultFileError, match="does not exist"):
        open_result(tmp_path / "none.nc")
    with pytest.raises(ResultFileError, match="ordinary"):
        open_result(tmp_path)
    with h5py.File(tmp_path / "foreign.nc", "w") as file:
        file["time"] = np.arange(3.0)
    with pytest.raises(ResultFileError, match="not a linkwork result"):
        open_result(tmp_path / "foreign.nc")
    make(5).save(tmp_path / "later.nc")
    with h5py.File(tmp_path / "later.nc", "r+") as file:
        file.attrs["format_version"] = 99
    with pytest.raises(ResultFileError, match="99"):
        open_result(tmp_path / "later.nc")


def test_a_file_that_changes_under_an_open_result_is_noticed(tmp_path: Path) -> None:
    make(20).save(tmp_path / "run.nc")
    back = open_result(tmp_path / "run.nc")
    make(30).save(tmp_path / "run.nc", force=True)
    with pytest.raises(ResultFileError, match="changed"):
        back.position("body 0")
    (tmp_path / "run.nc").unlink()
    with pytest.raises(ResultFileError, match="does not exist"):
        back.position("body 0")


def test_a_stored_result_reads_only_what_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from linkwork.io.results.netcdf_read import StoredArray

    make(300).save(tmp_path / "run.nc")
    back = open_result(tmp_path / "run.nc")
    read: list[int] = []
    fetch = StoredArray.__getitem__

    def counted(self: StoredArray, key: Any) -> Any:
        values = fetch(self, key)
        read.append(values.size)
        return values

    monkeypatch.setattr(StoredArray, "__getitem__", counted)
    assert back.position("body 1").shape == (300, 3)
    assert back.read("rotation", 5, 7).shape == (2, 3, 3, 3)
    assert read == [900, 54]


def test_xarray_sees_the_same(tmp_path: Path) -> None:
    import xarray

    res = make(50, success=False, status=1, message="stopped $ here")
    res.save(tmp_path / "run.nc")
    with xarray.open_dataset(tmp_path / "run.nc", engine="h5netcdf") as data:
        xarray.testing.assert_identical(data, res.dataset)
        assert data.sizes == {
            "time": 50, "body": 3, "joint": 3, "row": 4, "xyz": 3, "xyz_body": 3, "coordinate": 2,
        }  # fmt: skip
        assert np.array_equal(data.position.sel(body="body 1"), res.position("body 1"))
        assert data.attrs["success"] == 0
        assert data.attrs["formulation"] == "rp"
        assert "second body" in data.attrs["frame_conventions"]
        assert data.joint_body.sel(joint="joint 2") == "body 2"
        for name in (*res.variables, "joint_point"):
            assert data[name].attrs["units"], name
            assert data[name].attrs["long_name"], name
        assert data.reaction_force.attrs["units"] == "N"
    with open_result(tmp_path / "run.nc").dataset as data:
        xarray.testing.assert_identical(data, res.dataset)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    names=st.lists(
        st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",)), min_size=1, max_size=12),
        min_size=1,
        max_size=4,
        unique=True,
    ),
    message=st.text(max_size=30),
)
def test_any_names_and_messages_come_back(tmp_path: Path, names: list[str], message: str) -> None:
    nb = len(names)
    data = {"time": np.zeros(2), "position": np.zeros((2, nb, 3)), "rotation": np.zeros((2, nb, 3, 3))}
    res = Result(Header(bodies=tuple(names)), data, message=message, messages=(message,))
    res.save(tmp_path / "names.nc", force=True)
    back = open_result(tmp_path / "names.nc")
    assert back.bodies == tuple(names)
    assert back.messages == (message,)
    assert back.message == message.replace("\0", "\ufffd").encode("utf-8", "replace").decode()


def test_csv_holds_the_numbers_to_the_last_bit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from linkwork.io.results import table

    monkeypatch.setattr(table, "BLOCK", 40)
    res = make(100)
    res.to_csv(tmp_path / "run.csv", variables=["position", "kinetic_energy", "momentum", "iterations"], every=7)
    with (tmp_path / "run.csv").open(newline="") as file:
        lines = list(csv.reader(file))
    assert lines[0][:2] == ["time [s]", "position[body 0].x [m]"]
    assert lines[0][-4:] == ["kinetic_energy [J]", "momentum[q1] [kg m2 s-1]", "momentum[q2] [kg m2 s-1]", "iterations"]
    values = np.array(lines[1:], dtype=float)
    assert np.array_equal(values[:, 0], res.time[::7])
    assert np.array_equal(values[:, 1:10], res["position"][::7].reshape(-1, 9))
    res.save(tmp_path / "usual.csv")
    assert (tmp_path / "usual.csv").read_text().splitlines()[0].count("reaction_force") == 9
    with pytest.raises(UsageError, match="Did you mean 'position'"):
        res.to_csv(tmp_path / "other.csv", variables=["positoin"])
    with pytest.raises(LinkworkError, match="every"):
        res.to_csv(tmp_path / "other.csv", every=0)
    assert not (tmp_path / "other.csv").exists()


def test_memory_stays_flat_when_saving(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from linkwork.io.results import netcdf_write

    monkeypatch.setattr(netcdf_write, "BLOCK", 64)
    monkeypatch.setattr(header_module, "BLOCK", 64)
    sizes: list[int] = []
    append = netcdf_write.ResultWriter.append

    def watched(self: Any, block: Any) -> None:
        sizes.append(block["time"].size)
        append(self, block)

    monkeypatch.setattr(netcdf_write.ResultWriter, "append", watched)
    res = make(150)
    res.save(tmp_path / "run.nc")
    assert sizes == [64, 64, 22]
    assert_same(res, open_result(tmp_path / "run.nc"))
