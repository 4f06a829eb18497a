"""The mechanisms that come with linkwork, one YAML file each, by name."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path


def shipped() -> dict[str, Path]:
    """Name and file of every shipped mechanism, in alphabetical order."""
    folder = Path(str(files(__name__)))
    return {path.stem: path for path in sorted(folder.glob("*.yaml"))}
