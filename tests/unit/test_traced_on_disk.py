"""Machine code of recorded steps on disk: found by all that it is made of, whole or absent."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

import pytest

from linkwork.lanes.traced import engine


def test_engine_of_long_texts_is_kept_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is made once, found by its whole text, and made again where the file is damaged."""
    monkeypatch.setenv("LINKWORK_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(engine, "LEAST", 10)
    made: list[str] = []
    of_text = engine._module

    def told(text: str) -> Any:
        if "add" in text:
            made.append(text)
        return of_text(text)

    monkeypatch.setattr(engine, "_module", told)

    def three(by: float) -> float:
        text = f"define double @more(double %x) {{\n  %y = fadd double %x, {by}\n  ret double %y\n}}"
        found = engine.engine_of(text)
        more = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(found.get_function_address("more"))
        return more(3.0)

    assert [three(0.5), three(0.5), three(1.5), three(0.5)] == [3.5, 3.5, 4.5, 3.5]
    assert len(made) == 2
    files = list(Path(tmp_path, "code").glob("linkwork.lanes.traced-*.code"))
    assert len(files) == 2
    for file in files:
        file.write_bytes(file.read_bytes()[:-1] + b"x")
    assert three(0.5) == 3.5
    assert len(made) == 3
