"""Where mesh files are: beside the file that names them, in its package, or on a search path that was given.

Nothing else is looked at: a path that leads out of these folders is not followed.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

INSIDE = ("urdf", "robots", "robot", "xacro", "mjcf", "xml", "sdf")  # folders that stand in a package
SCHEMES = ("package://", "model://")


class Found(NamedTuple):
    """A mesh file, or why there is none."""

    path: Path | None
    why: str = ""


class Folders:
    """The folders in which meshes are looked for."""

    def __init__(self, file: Path, search: Sequence[str | Path] = ()) -> None:
        self.here = file.resolve().parent
        self.search = [Path(one).resolve() for one in search]
        self._known: dict[str, Found] = {}

    def find(self, name: str) -> Found:
        """The file that a model calls `name`."""
        if name not in self._known:
            try:
                self._known[name] = self._find(name)
            except (OSError, ValueError) as error:  # a name too long, a null character
                self._known[name] = Found(None, f"is no path ({error})"[:200])
        return self._known[name]

    def _find(self, name: str) -> Found:
        for scheme in SCHEMES:
            if name.startswith(scheme):
                return self._in_package(PurePosixPath(name.removeprefix(scheme)))
        plain = name.removeprefix("file://")
        if "://" in plain:
            return Found(None, "is not a file's path")
        path = Path(plain)
        tries = [path] if path.is_absolute() else [base / path for base in (self.here, *self.search)]
        return self._first([(one, self._allowed()) for one in tries])

    def _in_package(self, path: PurePosixPath) -> Found:
        if len(path.parts) < 2:
            return Found(None, "names a package and no file in it")
        package, rest = path.parts[0], Path(*path.parts[1:])
        tries = [(folder / rest, [folder]) for folder in self.here.parents if folder.name == package]
        if self.here.name == package:
            tries.insert(0, (self.here / rest, [self.here]))
        for base in self.search:
            inside = base if base.name == package else base / package
            tries.append((inside / rest, [base]))
        if not tries:
            return Found(
                None,
                f"package {package!r} is not a folder above the file; give its folder in search (--meshes)",
            )
        return self._first(tries)

    def _allowed(self) -> list[Path]:
        folders = [self.here, *self.search]
        if self.here.name in INSIDE:
            folders.append(self.here.parent)
        return folders

    def _first(self, tries: list[tuple[Path, list[Path]]]) -> Found:
        outside = False
        for path, allowed in tries:
            real = path.resolve()
            if not any(real.is_relative_to(folder) for folder in allowed):
                outside = True
            elif real.is_file():
                return Found(real)
        if outside:
            return Found(None, "lies outside the model's folder; give its folder in search (--meshes) to have it read")
        return Found(None, "there is no such file")
