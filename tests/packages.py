"""What a recipe prints as a package of its own, installed as an installer does it, and used in a fresh process."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

RECIPES = Path(__file__).parents[1] / "docs" / "recipes"


def package_of(recipe: str, folder: Path) -> dict[str, dict[str, str]]:
    """Write my_package with the file that a recipe prints and its entry points into a folder; these, by group."""
    page = (RECIPES / f"{recipe}.md").read_text(encoding="utf-8")
    file = re.search(r"```python\n(.*?)```", page, re.DOTALL)
    project = re.search(r"```toml\n(.*?)```", page, re.DOTALL)
    assert file
    assert project
    groups: dict[str, dict[str, str]] = tomllib.loads(project[1])["project"]["entry-points"]
    ((module, _),) = [place.split(":") for group in groups.values() for place in group.values()]
    package, _, name = module.partition(".")
    (folder / package).mkdir()
    (folder / package / "__init__.py").touch()
    (folder / package / f"{name}.py").write_text(file[1], encoding="utf-8")
    about = folder / f"{package}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    lines = [f"[{group}]\n" + "\n".join(f"{a} = {b}" for a, b in points.items()) for group, points in groups.items()]
    (about / "entry_points.txt").write_text("\n\n".join(lines) + "\n")
    return groups
