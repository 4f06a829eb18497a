"""`linkwork tune`: which entries are compiled here in place of shipped ones, and when that holds."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from linkwork.analysis import warm as warming
from linkwork.cli.main import status_of
from linkwork.errors import CompilerMissingError, UsageError
from linkwork.shipped import library, tuned
from linkwork.shipped.index import Index, Library, ShippedEntry, write_index

ENTRIES = {name: ShippedEntry(name, [], 0) for name in ("a:ONE", "a:TWO", "b:THREE")}


def index(content: str = "0") -> Index:
    return Index("1", "numba", {"a.py": content}, ENTRIES, {"x86-64-v2": Library("none.so", "", 0)}, {})


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("LINKWORK_CACHE_DIR", str(tmp_path / "cache"))
    shipped = tmp_path / "shipped"
    shipped.mkdir()
    monkeypatch.setenv("LINKWORK_SHIPPED", str(shipped))
    library.opened.cache_clear()
    yield shipped
    monkeypatch.undo()
    library.opened.cache_clear()


def test_entries_add_up_and_are_forgotten() -> None:
    assert tuned.tuned(index()) == frozenset()
    assert tuned.keep(index(), ["a:ONE", "of no library:X"]) == 1
    assert tuned.keep(index(), ["b:THREE"]) == 2
    assert tuned.tuned(index()) == {"a:ONE", "b:THREE"}
    assert tuned.forget()
    assert not tuned.forget()
    assert tuned.tuned(index()) == frozenset()


def test_it_holds_for_the_same_sources_processor_and_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    tuned.keep(index(), ["a:ONE"])
    assert tuned.tuned(index("changed")) == frozenset()
    with monkeypatch.context() as patch:
        patch.setattr(tuned, "flags", lambda: frozenset(["other"]))
        assert tuned.tuned(index()) == frozenset()
    with monkeypatch.context() as patch:
        patch.setattr(tuned, "find_spec", lambda name: None)
        assert tuned.tuned(index()) == frozenset()
    assert tuned.tuned(index()) == {"a:ONE"}


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"written_for": 1, "entries": 2}', "\x00"])
def test_a_damaged_file_means_nothing(text: str) -> None:
    tuned.keep(index(), ["a:ONE"])
    tuned.marker().write_text(text)
    assert tuned.tuned(index()) == frozenset()


def opened_with(entries: list[str]) -> library.Opened:
    """A library that has been opened, but for its machine code."""
    tuned.keep(index(), entries)
    now = library.Opened(None)
    now.index, now.library, now.why = index(), object(), ""  # type: ignore[assignment]
    now.tuned = tuned.tuned(index())
    return now


def test_tuned_entries_are_not_taken_from_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    now = opened_with(["a:ONE"])
    monkeypatch.setattr(library, "Code", lambda which, entry: entry.symbol)
    assert now.find("a:ONE") is None
    assert now.find("a:TWO") == "a:TWO"
    assert (now.tuned_used, now.compiled_here) == ({"a:ONE"}, set())
    now.level = "x86-64-v2"
    monkeypatch.setattr(library, "opened", lambda: now)
    assert "1 functions tuned for this processor by numba" in library.compiled_code()


def test_what_is_asked_for_while_tuning_is_compiled_and_kept(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    write_index(folder, index())
    before = os.environ["LINKWORK_SHIPPED"]

    def warm(wanted: object, tell: object) -> list[warming.Warmed]:
        assert library.find("a", "ONE") is None
        return [warming.Warmed("rA", "rk4", functions=1)]

    monkeypatch.setattr(warming, "warm", warm)
    assert warming.tune([("rA", "rk4")]) == (1, 1)
    assert os.environ["LINKWORK_SHIPPED"] == before
    assert tuned.tuned(index()) == {"a:ONE"}


def test_without_a_compiler_or_shipped_code_it_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="no compiled code came with"):
        warming.tune([])
    monkeypatch.setattr(warming, "find_spec", lambda name: None)
    with pytest.raises(CompilerMissingError):
        warming.tune([])


def test_off(capsys: pytest.CaptureFixture[str]) -> None:
    tuned.keep(index(), ["a:ONE"])
    assert status_of(["tune", "--off"]) == 0
    assert "used again" in capsys.readouterr().err
    assert status_of(["tune", "--off"]) == 0
    assert "nothing was tuned" in capsys.readouterr().err
    assert status_of(["tune", "rA", "--off"]) == 2


def test_in_the_background_a_process_does_it(monkeypatch: pytest.MonkeyPatch) -> None:
    from linkwork.cli import tune

    asked: list[list[str]] = []

    class Process:
        pid = 7

        def __init__(self, words: list[str], **_: object) -> None:
            asked.append(words)

    monkeypatch.setattr(tune.subprocess, "Popen", Process)
    assert status_of(["tune", "rA", "--integrator", "rk4", "--background"]) == 0
    assert asked[0][3:] == ["tune", "rA", "--integrator", "rk4", "--quiet"]
