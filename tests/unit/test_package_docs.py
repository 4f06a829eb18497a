"""The documented examples run as printed."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from linkwork.cli.main import status_of

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs" / "formulations").glob("*.md")),
    *sorted((ROOT / "docs" / "mechanisms").glob("*.md")),
]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def blocks(page: Path, *languages: str) -> list[str]:
    """The contents of the page's blocks in these languages."""
    return [text for language, text in BLOCK.findall(page.read_text()) if language in languages]


def commands(page: Path) -> list[str]:
    """The page's command lines, placeholders (MODEL, ...) left out."""
    lines = [line.partition("#")[0].strip() for text in blocks(page, "", "sh") for line in text.splitlines()]
    return [line for line in lines if line.startswith("linkwork ") and not re.search(r"\b[A-Z]{2,}\b|\.\.\.", line)]


RUNNABLE = [page for page in PAGES if blocks(page, "python") or commands(page)]


@pytest.mark.parametrize("page", RUNNABLE, ids=lambda page: str(page.relative_to(ROOT)))
def test_what_a_page_prints_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "__main__"}
    for text in blocks(page, "python"):
        exec(compile(text, page.name, "exec"), names)
    for path in tmp_path.iterdir():  # the commands may write the same names, and read what Python wrote
        if path.suffix in (".nc", ".png"):
            path.unlink()
    for line in commands(page):
        assert status_of(shlex.split(line)[1:]) == 0, line


def test_pages_with_examples_are_found() -> None:
    names = {page.name for page in RUNNABLE}
    assert {"README.md", "results.md", "runge-kutta.md", "kissel2021_slider_crank.md"} <= names
    assert "linkwork run kissel2021_slider_crank --t-end 1 --step 1e-3 --out run.nc --plot run.png" in commands(
        RUNNABLE[0]
    )
