"""What a recipe makes works in a process of its own, where nothing else was imported before."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from documented.fresh import Outcome, process
from documented.pages import ROOT

TESTS = ROOT / "tests" / "unit" / "test_package_recipes.py"
FOLLOWED = [
    node.name
    for node in ast.parse(TESTS.read_text(encoding="utf-8")).body
    if isinstance(node, ast.FunctionDef) and node.name.startswith("test_") and "made_by_the_recipe" in node.name
]


@pytest.mark.parametrize("test", FOLLOWED)
def test_a_recipe_alone(test: str, tmp_path: Path, good: Callable[[Outcome], Outcome]) -> None:
    words = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", f"{TESTS}::{test}"]
    good(process(f"pytest {TESTS.name}::{test}", words, ROOT))


def test_recipes_are_found() -> None:
    assert len(FOLLOWED) >= 6
