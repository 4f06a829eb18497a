"""Compiled code that comes with the package: built here of a few entries, read, and refused where it does not fit."""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import linkwork.kernels.rows.table
from linkwork.errors import CompilerMissingError
from linkwork.problems import entry as entries
from linkwork.problems.layout import slots
from linkwork.problems.nothing import NOTHING
from linkwork.shipped import library, processor
from linkwork.shipped.index import FORMAT, INDEX
from linkwork.shipped.library import Code, Opened

LEVELS = processor.levels()
pytestmark = pytest.mark.skipif("x86-64-v2" not in LEVELS, reason="libraries are built for x86-64 here, on Linux")
NAME, FILE = "linkwork.problems.nothing:NOTHING", "linkwork-x86-64-v2.so"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library of one entry, made by a process of its own, as a wheel's are."""
    folder = tmp_path_factory.mktemp("built") / "code"
    code = (
        "import sys; from pathlib import Path; from linkwork.shipping.build import build; "
        "build(Path(sys.argv[1]), ['x86-64-v2'], processes=1, only='linkwork.problems.nothing:')"
    )
    done = subprocess.run([sys.executable, "-c", code, str(folder)], capture_output=True, text=True, timeout=300)
    if "is linked with Zig" in done.stderr:
        pytest.skip("there is neither Zig nor a C compiler to link with")
    assert done.returncode == 0, done.stderr
    return folder / "manylinux_2_17_x86_64"


@pytest.fixture
def folder(built: Path, tmp_path: Path) -> Path:
    """A copy of it, to be spoilt."""
    copy = tmp_path / "code"
    copy.mkdir()
    for file in built.iterdir():
        (copy / file.name).write_bytes(file.read_bytes())
    return copy


def refused(folder: Path) -> str:
    """Why a library is not used, as it is told once."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        now = Opened(folder)
        for _ in range(2):
            assert now.find(NAME) is None
    assert [each.category for each in told] == [RuntimeWarning]
    assert now.why in str(told[0].message)
    assert NAME in now.compiled_here
    return now.why


def altered(folder: Path, change: Callable[[dict[str, Any]], object], format: int = FORMAT) -> None:
    """Write another index, with its checksum."""
    index = json.loads((folder / INDEX).read_text().splitlines()[1])
    change(index)
    body = json.dumps(index)
    head = {"format": format, "sha256": sha256(body.encode()).hexdigest()}
    (folder / INDEX).write_text(f"{json.dumps(head)}\n{body}")


def test_an_entry_of_the_library_is_called_as_a_compiled_one(built: Path) -> None:
    found = Opened(built).find(NAME)
    assert isinstance(found, Code)
    of_seven_words = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * 7)
    assert of_seven_words(found.address)(0, 0, 0, 8, 0, 0, 8) == 0


def test_an_entry_takes_its_address_from_there(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = Opened(built)
    monkeypatch.setattr(entries, "find", lambda module, name: now.find(f"{module}:{name}"))
    monkeypatch.delitem(vars(NOTHING), "shipped", raising=False)
    monkeypatch.delitem(vars(NOTHING), "compiled", raising=False)
    assert NOTHING.made
    assert NOTHING.kept
    assert NOTHING.address == now.find(NAME).address  # type: ignore[union-attr]
    assert "compiled" not in vars(NOTHING)


def test_an_entry_that_is_not_there_is_compiled(built: Path) -> None:
    now = Opened(built)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert now.find("somebody.else:KERNEL") is None
    assert now.compiled_here == {"somebody.else:KERNEL"}


def test_a_damaged_library_is_refused(folder: Path) -> None:
    content = bytearray((folder / FILE).read_bytes())
    content[len(content) // 2] ^= 1
    (folder / FILE).write_bytes(content)
    assert "damaged" in refused(folder)


def test_the_next_level_stands_in_for_a_damaged_library(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    altered(folder, lambda index: index["libraries"].update({"x86-64-v3": [FILE, "0" * 64, 1]}))
    monkeypatch.setattr(library, "levels", lambda: ["x86-64-v3", "x86-64-v2"])
    with pytest.warns(RuntimeWarning, match=r"is damaged: it is not what was made\. x86-64-v2 is used in its place"):
        now = Opened(folder)
    assert now.level == "x86-64-v2"
    assert now.find(NAME) is not None
    assert "damaged" in now.why
    monkeypatch.setenv(library.LEVEL, "x86-64-v3")  # no other was asked for
    assert "damaged" in refused(folder)


def test_a_library_that_is_cut_off_or_gone_is_refused(folder: Path) -> None:
    (folder / FILE).write_bytes((folder / FILE).read_bytes()[:-1])
    assert "damaged" in refused(folder)
    (folder / FILE).unlink()
    assert "cannot be opened" in refused(folder)


def test_a_library_of_another_machine_is_refused(folder: Path) -> None:
    content = bytearray((folder / FILE).read_bytes())
    content[18:20] = (0xB7).to_bytes(2, "little")  # ELF: 64-bit Arm
    (folder / FILE).write_bytes(content)
    altered(folder, lambda index: index["libraries"]["x86-64-v2"].__setitem__(1, sha256(content).hexdigest()))
    assert "cannot be opened" in refused(folder)


def test_an_index_that_is_damaged_or_of_another_format_is_refused(folder: Path) -> None:
    whole = (folder / INDEX).read_text()
    altered(folder, lambda index: None, format=0)
    assert "format 0" in refused(folder)
    altered(folder, lambda index: index.pop("files"))
    assert "damaged" in refused(folder)
    (folder / INDEX).write_text(whole[:-3])
    assert "damaged" in refused(folder)
    (folder / INDEX).write_text(whole.replace(", 0]", ", 3]", 1))  # how many numbers an entry returns
    assert "is damaged: it is not what was made" in refused(folder)
    (folder / INDEX).write_text("{")
    assert "damaged" in refused(folder)


def test_an_entry_that_the_library_lacks_is_compiled(folder: Path) -> None:
    altered(folder, lambda index: index["entries"][NAME].__setitem__(0, "lw_of_no_library"))
    assert f"{FILE} holds no lw_of_no_library" in refused(folder)


def test_code_of_other_sources_is_refused(folder: Path) -> None:
    altered(folder, lambda index: index["files"].update({"problems/nothing.py": "0" * 16}))
    assert "problems/nothing.py is not as it was" in refused(folder)


def test_code_that_knows_too_few_kinds_of_row_is_refused(folder: Path) -> None:
    """Another package may add one (entry points): the switch of compiled code would take it for the last."""
    assert linkwork.kernels.rows.table.row.functions
    altered(folder, lambda index: index["switches"].update({"linkwork.kernels.rows.table:row": ["one"]}))
    assert "another package adds to what linkwork.kernels.rows.table" in refused(folder)


def test_no_library_for_this_machine(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "levels", lambda: ["aarch64"])
    assert "it is for x86-64-v2; this machine runs aarch64" in refused(folder)


def test_a_level_may_be_asked_for(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(library.LEVEL, "x86-64-v2")
    assert Opened(folder).level == "x86-64-v2"
    monkeypatch.setenv(library.LEVEL, "x86-64-v9")
    assert "it is for x86-64-v2" in refused(folder)


def test_a_level_that_this_processor_lacks_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its code would end the process with an illegal instruction."""
    altered(folder, lambda index: index["libraries"].update({"x86-64-v4": index["libraries"]["x86-64-v2"]}))
    monkeypatch.setattr(library, "levels", lambda: ["x86-64-v3", "x86-64-v2"])
    assert Opened(folder).level == "x86-64-v2"
    monkeypatch.setenv(library.LEVEL, "x86-64-v4")
    assert "runs x86-64-v3, x86-64-v2; LINKWORK_LEVEL asks for x86-64-v4" in refused(folder)


def test_nothing_shipped_is_no_reason_for_a_warning(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        now = Opened(tmp_path)
    assert (now.why, now.library) == ("none came with this installation", None)


def test_an_installation_that_cannot_be_written_does(folder: Path) -> None:
    """Root writes whatever rights a folder has, but for a process that has given this away."""
    code = (
        "import sys, warnings; from pathlib import Path; from linkwork.shipped.library import Opened\n"
        "folder = Path(sys.argv[1]); warnings.simplefilter('error')\n"
        "try: (folder / 'more').touch()\n"
        "except PermissionError: print('read-only,', Opened(folder).find(sys.argv[2]) is not None)"
    )
    without = ["setpriv", "--bounding-set=-dac_override"] if os.geteuid() == 0 else []
    if without and (not shutil.which(without[0]) or subprocess.run([*without, "true"], capture_output=True).returncode):
        pytest.skip("root may write everything here, and cannot give that away")
    for each in (*folder.iterdir(), folder):
        each.chmod(each.stat().st_mode & 0o555)
    command = [*without, sys.executable, "-c", code, str(folder), NAME]
    done = subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, "LINKWORK_CACHE_DIR": str(folder)}
    )
    folder.chmod(0o755)
    assert (done.stdout.strip(), done.stderr) == ("read-only, True", "")


def test_two_processes_at_once(built: Path) -> None:
    code = "from linkwork.problems.nothing import NOTHING as n; print(n.made, n.address > 0)"
    environment = {**os.environ, "LINKWORK_SHIPPED": str(built)}
    running = [
        subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=environment)
        for _ in range(2)
    ]
    assert [each.communicate(timeout=120)[0].split() for each in running] == [["True", "True"]] * 2


def test_levels_of_processors() -> None:
    v2, v3, v4 = (words.split() for words in processor.X86.values())
    assert processor.x86_levels({*v2, *v3, *v4, "more"}) == ["x86-64-v4", "x86-64-v3", "x86-64-v2"]
    assert processor.x86_levels({*v2, *v3[1:], *v4}) == ["x86-64-v2"]  # one feature short
    assert processor.x86_levels(v2[1:]) == []
    assert processor.x86_levels(()) == ["x86-64-v2"]  # it does not say


def test_a_processor_that_is_not_known(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that does not say what it can do gets the lowest level; one that lacks something of that, none."""
    monkeypatch.setattr(processor, "CPUINFO", tmp_path / "none")
    assert processor.levels() == ["x86-64-v2"]
    assert Opened(built).find(NAME) is not None
    monkeypatch.setattr(processor, "CPUINFO", tmp_path / "cpuinfo")
    processor.CPUINFO.write_text("processor\t: 0\nflags\t\t: fpu vme cx16 of_tomorrow\n")
    assert processor.levels() == []
    assert "this machine runs none of what is made" in refused(built)
    for machine in ("riscv64", ""):
        monkeypatch.setattr(processor.platform, "machine", lambda machine=machine: machine)
        assert processor.levels() == []


@pytest.mark.parametrize(("system", "begin"), [("darwin", "macos-"), ("win32", "windows-")])
def test_other_systems_are_told_by_numpy(built: Path, monkeypatch: pytest.MonkeyPatch, system: str, begin: str) -> None:
    """Which finds in this processor what the system's own file says; a library for Linux is none of theirs."""
    monkeypatch.setattr(processor.sys, "platform", system)
    assert processor.levels() == [begin + level for level in LEVELS if level in processor.NUMPY]
    assert f"it is for x86-64-v2; this machine runs {begin}x86-64" in refused(built)
    monkeypatch.delattr("numpy._core._multiarray_umath.__cpu_features__")
    assert processor.levels() == [f"{begin}x86-64-v2"]
    monkeypatch.setattr(processor.platform, "machine", lambda: "arm64")
    assert processor.levels() == [f"{begin}aarch64"]


def test_without_numba_the_error_names_what_would_be_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    def twice(x: Any) -> Any:
        return 2 * x

    monkeypatch.setattr(entries, "find_spec", lambda name: None)
    made = entries.entry(twice, *slots(np.ndarray))
    with pytest.raises(CompilerMissingError, match=r"twice.*linkwork\[jit\]"):
        _ = made.address


def test_header_and_status_say_what_is_used(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = Opened(built)
    monkeypatch.setattr(library, "opened", lambda: now)
    said = sha256((built / FILE).read_bytes()).hexdigest()
    assert library.compiled_code().startswith("x86-64-v2, numba ")
    assert library.compiled_code().endswith(said[:16])
    assert library.status()["sha256"] == said
    now.find("somebody.else:KERNEL")
    assert library.compiled_code().endswith("just in time: somebody.else:KERNEL")
    monkeypatch.setattr(library, "opened", lambda: Opened(None))
    assert library.compiled_code().startswith("just in time, ")
    assert library.status()["used"] is False
