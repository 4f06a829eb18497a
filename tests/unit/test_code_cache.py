"""Compiled code on disk: what it is made of is its key; damage, other writers and missing room do no harm."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from inspect import CO_NESTED, CO_VARARGS
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from linkwork.kernels import kept_files
from linkwork.kernels.closure import SOURCES, key_of
from linkwork.kernels.code_cache import HEAD, VERSIONS, CodeCache, MachineCode

SOURCE = """
    from linkwork.kernels.jit import compiled, kernel

    RATE = 3.0

    @kernel
    def inner(x):
        '''What it is.'''
        return RATE * x

    def outer(x):
        '''Twice inner, and one.'''
        return inner(x) + inner(x) + 1.0

    def unused(x):
        return -x

    run = compiled(outer)
"""


def module_of(folder: Path, text: str, name: str = "linkwork_test_kernels") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{name}.py"
    file.write_text(textwrap.dedent(text))
    return file


def run(folder: Path, cache: Path, code: str = "print(m.run(2.0))", **more: str) -> subprocess.CompletedProcess[str]:
    """In a process of its own."""
    environment = {**os.environ, "LINKWORK_CACHE_DIR": str(cache), **more}
    path = f"import sys; sys.path.insert(0, {str(folder)!r}); import linkwork_test_kernels as m; "
    command = [sys.executable, "-c", path + code]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=120)


def files(cache: Path) -> list[Path]:
    """Those of functions."""
    return sorted(file for file in cache.rglob("*.code") if not file.name.startswith(SOURCES))


def test_what_is_compiled_is_found_from_another_folder_without_a_word(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    module_of(tmp_path / "a", SOURCE)
    first = run(tmp_path / "a", cache)
    assert first.stdout.strip() == "13.0"
    assert "compiling outer, once per machine" in first.stderr
    (kept,) = files(cache)
    before = kept.read_bytes()
    module_of(tmp_path / "b", "\n\n# moved\n" + textwrap.dedent(SOURCE).replace("What it is.", "Something else."))
    second = run(tmp_path / "b", cache)
    assert second.stdout.strip() == "13.0"
    assert second.stderr == ""
    assert files(cache) == [kept]
    assert kept.read_bytes() == before


def test_a_change_behind_a_function_is_seen_and_a_damaged_file_is_made_anew(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    module_of(tmp_path, SOURCE)
    assert run(tmp_path, cache).stdout.strip() == "13.0"
    (first,) = files(cache)
    module_of(tmp_path, SOURCE.replace("RATE = 3.0", "RATE = 4.0"))
    shutil.rmtree(tmp_path / "__pycache__", ignore_errors=True)
    assert run(tmp_path, cache).stdout.strip() == "17.0"
    (second,) = set(files(cache)) - {first}
    second.write_bytes(second.read_bytes()[:-100])
    again = run(tmp_path, cache)
    assert (again.stdout.strip(), again.returncode) == ("17.0", 0)
    assert "compiled" in again.stderr


def test_only_what_was_written_whole_is_read(tmp_path: Path) -> None:
    file = tmp_path / "some.code"
    whole = sha256(b"content").digest() + b"content"
    file.write_bytes(whole)
    assert kept_files.read(file) == b"content"
    for damaged in (b"", whole[:20], whole[:32], whole[:-1], whole[:-1] + b"T", whole + b"!", b"not code"):
        file.write_bytes(damaged)
        assert kept_files.read(file) is None
    assert kept_files.read(tmp_path / "absent.code") is None


def test_several_write_one_file_at_once(tmp_path: Path) -> None:
    """As two builds do; the loser's part was gone, and it ended with a FileNotFoundError."""
    file = tmp_path / "here" / "code"
    together = Barrier(4)

    def write(k: int) -> None:
        together.wait()
        for _ in range(50):
            kept_files.write(file, bytes([k]) * 1000)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(4)))  # raises what one of them raised
    assert kept_files.read(file) in [bytes([k]) * 1000 for k in range(4)]
    assert list(file.parent.iterdir()) == [file]


def test_two_processes_fill_one_empty_cache(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    module_of(tmp_path, SOURCE)
    path = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import linkwork_test_kernels as m; print(m.run(2.0))"
    environment = {**os.environ, "LINKWORK_CACHE_DIR": str(cache)}
    both = [
        subprocess.Popen([sys.executable, "-c", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
        for _ in range(2)
    ]
    assert [process.communicate(timeout=120)[0].strip() for process in both] == [b"13.0", b"13.0"]
    assert len(files(cache)) == 1
    assert run(tmp_path, cache).stderr == ""


def test_where_nothing_can_be_written_it_runs_all_the_same(tmp_path: Path) -> None:
    module_of(tmp_path, SOURCE)
    (tmp_path / "taken").write_text("a file, not a folder")
    found = run(tmp_path, tmp_path / "taken" / "cache", LINKWORK_QUIET="1")
    assert (found.stdout.strip(), found.stderr, found.returncode) == ("13.0", "", 0)


def test_an_interrupted_compilation_can_be_done_again_in_the_same_process(tmp_path: Path) -> None:
    module_of(tmp_path, SOURCE)
    code = """
        import os, signal, threading, time
        from linkwork.kernels.compiling import listening
        def interrupt(state):
            if not state.ended and state.done == 0:
                threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            with listening(interrupt):
                m.run(2.0)
            time.sleep(1.0)
        except KeyboardInterrupt:
            print("interrupted")
        print(m.run(2.0))
    """
    file = tmp_path / "script.py"
    file.write_text(textwrap.dedent(code))
    found = run(tmp_path, tmp_path / "cache", f"exec(open({str(file)!r}).read())")
    assert found.stdout.split() == ["interrupted", "13.0"], found.stderr


def test_old_versions_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINKWORK_CACHE_DIR", str(tmp_path))
    cache = CodeCache(test_old_versions_go, {}, "of this test")
    (tmp_path / "code").mkdir()
    names = [tmp_path / "code" / f"{cache.name}-{k:032x}.code" for k in range(VERSIONS + 3)]
    for k, name in enumerate(names):
        name.write_bytes(b"")
        os.utime(name, (k, k))
    kept_files.tidy(names[-1], cache.name, VERSIONS)
    assert files(tmp_path) == names[3:]


def test_kept_code_is_loaded_without_the_compiler(tmp_path: Path) -> None:
    """And what cannot be loaded, because it calls what is not here, or is no whole file, is compiled anew."""
    code = (
        "import json, sys; from linkwork.problems.linear import SOLVE; "
        "print(json.dumps([SOLVE.kept, SOLVE.address > 0, 'numba' in sys.modules]))"
    )

    def asked() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            env={**os.environ, "LINKWORK_CACHE_DIR": str(tmp_path), "LINKWORK_SHIPPED": "0"},
            check=True,
            timeout=120,
        )

    first = asked()
    assert first.stdout.strip() == "[false, true, true]"
    assert "compiled solve" in first.stderr
    assert (asked().stdout.strip(), asked().stderr) == ("[true, true, false]", "")
    (file,) = files(tmp_path)
    data = kept_files.read(file)
    assert data is not None
    (length,) = HEAD.unpack_from(data)
    symbol, calls = json.loads(data[HEAD.size : HEAD.size + length])
    line = json.dumps([symbol, [*calls, "a_function_that_no_library_has"]]).encode()
    kept_files.write(file, HEAD.pack(len(line)) + line + data[HEAD.size + length :])
    assert asked().stdout.strip() == "[true, true, true]"
    assert asked().stdout.strip() == "[true, true, false]"  # that was written over
    file.write_bytes(file.read_bytes()[:-1])
    assert asked().stdout.strip() == "[false, true, true]"


def test_calls_of_machine_code_see_whether_they_can_be_made() -> None:
    assert MachineCode("any", ["a_function_that_no_library_has"], b"").load() is None
    with pytest.raises(RuntimeError, match="a_function_that_no_library_has"):
        MachineCode("any", ["a_function_that_no_library_has"], b"").need_loaded()


def test_settings_of_the_compiler_are_part_of_the_key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    cache = CodeCache(outer, {}, "of this test")
    found = {cache.file}
    for name, value in (("NUMBA_CPU_NAME", "generic"), ("NUMBA_OPT", "0")):
        monkeypatch.setenv(name, value)
        found.add(cache.file)
    Path(".numba_config.yaml").write_text("loop_vectorize: 0")
    found |= {cache.file, CodeCache(outer, {}, "another").file, CodeCache(outer, {"fastmath": True}, "another").file}
    assert len(found) == 6


def test_a_profiler_changes_no_key() -> None:
    """Numba's calls clear flags of a function's code while one watches: everything was compiled anew."""
    from linkwork.kernels.closure import label_of_code

    def one(x: Any) -> Any:
        return x

    code = one.__code__
    assert label_of_code(code) == label_of_code(code.replace(co_flags=code.co_flags & ~CO_NESTED))
    assert label_of_code(code) != label_of_code(
        code.replace(co_flags=code.co_flags | CO_VARARGS, co_nlocals=2, co_varnames=("x", "y"))
    )


def outer(x: Any) -> Any:
    return helper(x) + ONE


def helper(x: Any) -> Any:
    return (lambda y: y * TABLE[0](y))(x)


def leaf(x: Any) -> Any:
    return x


ONE, TABLE = 1.0, (leaf,)


def test_a_key_depends_on_all_that_stands_behind_a_function(monkeypatch: pytest.MonkeyPatch) -> None:
    from linkwork.kernels import closure

    here = sys.modules[__name__]

    def key(marks: Any = None) -> str:
        closure._known.clear()
        closure.label_of_function.cache_clear()
        return key_of(outer, marks or {})

    usual = key()
    assert key() == usual
    for name, value in (("ONE", 2.0), ("TABLE", (abs,)), ("helper", leaf)):
        monkeypatch.setattr(here, name, value)
        assert key() != usual, name
        monkeypatch.undo()
    assert key({leaf: (helper, {})}) != usual  # compiled code runs another function instead
    assert key({leaf: (leaf, {"forceinline": True})}) != key({leaf: (leaf, {"forceinline": False})})
    assert key() == usual


def test_interrupting_the_command_line_ends_it_in_good_time(tmp_path: Path) -> None:
    """Ctrl-C while the first run compiles: one function is finished, then the command ends with 130."""
    command = [
        sys.executable,
        "-m",
        "linkwork",
        "run",
        "kissel2021_single_pendulum",
        "--t-end",
        "0.1",
        "--step",
        "1e-2",
    ]
    environment = {**os.environ, "LINKWORK_CACHE_DIR": str(tmp_path)}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    assert process.stderr is not None
    assert "compiling" in process.stderr.readline()
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    _, words = process.communicate(timeout=120)
    assert process.returncode == 130, words
    assert "Traceback" not in words


def test_a_cache_that_cannot_be_written_is_told_where_the_compilation_ends(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    cache.write_text("a file where the folder should be")
    module_of(tmp_path / "a", SOURCE)
    done = run(tmp_path / "a", cache)
    assert done.stdout.strip() == "13.0"
    assert f"; not kept, {cache / 'code'} cannot be written: see `linkwork doctor`" in done.stderr


def test_a_version_that_another_process_removes_meanwhile_is_no_trouble(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever saved a file was told that nothing can be kept there."""
    names = [tmp_path / f"entry-{k:032x}.code" for k in range(4)]
    for file in names[:3]:
        file.write_bytes(b"x")
    glob = Path.glob
    monkeypatch.setattr(Path, "glob", lambda folder, pattern: [*glob(folder, pattern), names[3]])
    kept_files.tidy(names[2], "entry", 2)
    assert len([*glob(tmp_path, "*.code")]) == 2
