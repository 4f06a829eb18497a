"""docs/architecture.md: its three walks lead through files and names that are there, and so do its other paths."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "linkwork"
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
WALKS = PAGE.partition("## Three walks")[2].partition("\n## ")[0]
TABLES = re.findall(r"### (.+?):.*?\n\n((?:\|.*\n)+)", WALKS)
FOLDERS = (SOURCE, SOURCE / "kernels", SOURCE / "problems", SOURCE / "integrators", SOURCE / "run", ROOT, ROOT / "src")


def rows(table: str) -> list[tuple[str, list[str]]]:
    """File and names of each row."""
    cells = [line.split("|") for line in table.splitlines()[2:]]
    return [(re.findall(r"`(.+?)`", row[1])[0], re.findall(r"`(.+?)`", row[2])) for row in cells]


def defined(path: Path) -> set[str]:
    """Functions, classes and methods of a file."""
    found = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        if isinstance(node, ast.ClassDef):
            found |= {f"{node.name}.{item.name}" for item in node.body if isinstance(item, ast.FunctionDef)}
    return found


def test_there_are_three_walks_of_eight_files_at_most() -> None:
    assert len(TABLES) == 3
    for _, table in TABLES:
        files = [file for file, _ in rows(table)]
        assert 2 < len(set(files)) == len(files) <= 8


@pytest.mark.parametrize(("title", "table"), TABLES, ids=[title for title, _ in TABLES])
def test_files_and_names_of_a_walk_are_there(title: str, table: str) -> None:
    (example, _), *others = rows(table)
    assert "simulate" in (ROOT / "examples" / example).read_text(encoding="utf-8")
    for file, names in others:
        assert set(names) <= defined(SOURCE / file), file


@pytest.mark.parametrize(("title", "table"), TABLES, ids=[title for title, _ in TABLES])
def test_each_file_of_a_walk_says_the_names_that_the_next_ones_are_called_by(title: str, table: str) -> None:
    """A reader who stands in one file finds the way on: the run asks the formulation for a `problem`, which `build`
    makes, and loops call entries by their names."""
    texts = {file: (SOURCE / file).read_text(encoding="utf-8") for file, _ in rows(table)[1:]}
    assert "formulation.problem(" in (SOURCE / "run/starting.py").read_text(encoding="utf-8")
    assert "self.build(" in (SOURCE / "formulations/contract.py").read_text(encoding="utf-8")
    assert any("entries.evaluate(" in text or "entries.set_state(" in text for text in texts.values())


def test_every_path_of_the_page_is_there() -> None:
    paths = set(re.findall(r"`([\w.*<>-]+/(?:[\w./*<>-]*(?:\.py|/|\*))?)`", PAGE))
    there = {path: path.replace("<paper>", "*").rstrip("/") for path in paths}
    missing = [path for path, found in there.items() if not any(next(f.glob(found), None) for f in FOLDERS)]
    assert not missing
