"""Packages of others: what a recipe prints, and those of examples/packages, installed as an installer does it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import linkwork

ROOT = Path(__file__).parents[1]
RECIPES, EXAMPLES = ROOT / "docs" / "recipes", ROOT / "examples" / "packages"
SOURCES = Path(linkwork.__file__).parents[1]
Groups = dict[str, dict[str, str]]


def package_of(recipe: str, folder: Path) -> Groups:
    """Write my_package with the file that a recipe prints and its entry points into a folder; these, by group."""
    page = (RECIPES / f"{recipe}.md").read_text(encoding="utf-8")
    file = re.search(r"```python\n(.*?)```", page, re.DOTALL)
    project = re.search(r"```toml\n(.*?)```", page, re.DOTALL)
    assert file
    assert project
    groups = installed("my_package", project[1], folder)
    ((module, _),) = [place.split(":") for group in groups.values() for place in group.values()]
    package, _, name = module.partition(".")
    (folder / package).mkdir()
    (folder / package / "__init__.py").touch()
    (folder / package / f"{name}.py").write_text(file[1], encoding="utf-8")
    return groups


def installed(package: str, project: str, folder: Path) -> Groups:
    """Write what an installer leaves of a pyproject.toml; its entry points, by group."""
    groups: Groups = tomllib.loads(project)["project"]["entry-points"]
    about = folder / f"{package}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    lines = [f"[{group}]\n" + "\n".join(f"{a} = {b}" for a, b in points.items()) for group, points in groups.items()]
    (about / "entry_points.txt").write_text("\n\n".join(lines) + "\n")
    return groups


def alone(words: list[str], *folders: Path) -> str:
    """What a fresh Python prints that finds packages in these folders."""
    paths = os.pathsep.join(map(str, (*folders, SOURCES, ROOT / "tests")))
    done = subprocess.run(
        [sys.executable, *words],
        env={**os.environ, "PYTHONPATH": paths, "LINKWORK_COMPILE_PROCESSES": "1"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout
