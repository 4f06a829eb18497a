"""Registries: visible dictionaries from a name to the place that implements it, loaded when asked for."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.machinery import PathFinder
from typing import Any

from linkwork.attached import found_at
from linkwork.errors import UsageError, nearest

GROUP = "[linkwork."  # begins a group of entry points of ours
_FILE = "entry_points.txt"
POINTS = {".dist-info": _FILE, ".egg-info": _FILE, ".egg": f"EGG-INFO/{_FILE}"}  # by the ends of folders' names


def may_add(folder: str) -> bool:
    """Whether a package in a folder of the path may add something: what finds packages takes 30 ms to import. True for
    what is not a folder, such as a zip file."""
    try:
        with os.scandir(folder or ".") as entries:
            points = [f"{each.path}/{POINTS[end]}" for each in entries for end in POINTS if each.name.endswith(end)]
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return any(GROUP in text_of(file) for file in points)


def text_of(file: str) -> str:
    """What is in a file; nothing if it is not there."""
    try:
        with open(file, encoding="utf-8", errors="replace") as stream:  # noqa: PTH123  # pathlib takes longer
            return stream.read()
    except OSError:
        return ""


@cache
def of_other_packages(path: tuple[str, ...]) -> Mapping[str, list[tuple[str, str]]]:
    """Names and places that installed packages add, by group: one look at all of them serves every registry of a
    process, as long as the path stays. Of several versions of a package the first on the path counts."""
    found: dict[str, list[tuple[str, str]]] = {}
    finders = [finder for finder in sys.meta_path if hasattr(finder, "find_distributions")]
    if finders == [PathFinder] and not any(may_add(folder) for folder in path):
        return found
    from importlib.metadata import distributions

    seen: set[str] = set()
    for package in distributions():
        if "linkwork." not in (package.read_text("entry_points.txt") or "") or package.name in seen:
            continue
        seen.add(package.name)
        for point in package.entry_points:
            if point.group.startswith("linkwork."):
                found.setdefault(point.group, []).append((point.name, point.value))
    return found


class Registry(Mapping[str, str]):
    """Names of one kind of thing and where each lives, as ``"package.module:attribute"``.

    Other packages add entries through an entry-point group, ``linkwork.<kinds>``: ``linkwork.joints``,
    ``linkwork.formulations``, ``linkwork.result_formats``, ... (the singular is found, too). Nothing is imported before
    `load`.
    """

    def __init__(self, kind: str, entries: dict[str, str], *, plural: str | None = None) -> None:
        """kind : in words, for messages. plural : of the kind, where it is not made by an s."""
        self.kind = kind
        singular = kind.replace(" ", "_")
        self.groups = (
            f"linkwork.{plural or f'{singular}s'}",
            f"linkwork.{singular}",
        )
        self._entries = dict(entries)
        self._looked_outside = False

    def _all(self) -> dict[str, str]:
        if not self._looked_outside:
            self._looked_outside = True
            for group in self.groups:
                for name, place in of_other_packages(tuple(sys.path)).get(group, ()):
                    self._entries.setdefault(name, place)
        return self._entries

    def __getitem__(self, name: str) -> str:
        return self._all()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def load(self, name: str) -> Any:
        """The object registered under `name`. Raises UsageError with the nearest names if there is none."""
        entries = self._all()
        if not isinstance(name, str):
            raise UsageError(f"a {self.kind} is named by a word, not {name!r}.", remedy=f"Known: {', '.join(entries)}.")
        if name not in entries:
            near = nearest(name, entries)
            hint = f"Did you mean {near!r}?" if near else f"Known: {', '.join(entries)}."
            raise UsageError(f"there is no {self.kind} {name!r}.", remedy=hint)
        return found_at(entries[name])
