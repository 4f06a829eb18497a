"""Where parts of a mechanism stand in its file, in plain data that other processes are told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from linkwork.mechanism import Mechanism

Path = tuple[str | int, ...]
ELEMENT = 2  # parts of a path to an element: its kind and its place


@dataclass(frozen=True)
class Lines:
    """The line of each part of a description that has one, by its path; called as what locates parts of a file."""

    known: Mapping[Path, int]

    def __call__(self, path: Path) -> int | None:
        """The line of a part, or of the element that it belongs to; None where that stands in no file."""
        for size in range(len(path), min(ELEMENT, len(path)) - 1, -1):
            if path[:size] in self.known:
                return self.known[path[:size]]
        return None


def lines_of(mech: Mechanism, document: Mapping[str, Any]) -> Lines | None:
    """Those of a mechanism that was read from a file; None of others. document : the mechanism in plain data."""
    locate = mech._kept.locate
    if mech.file is None or locate is None:
        return None
    found = ((path, locate(path)) for path in paths_in(document))
    return Lines({path: line for path, line in found if line is not None})


def paths_in(data: Any, path: Path = ()) -> Iterator[Path]:
    """Paths to all parts of plain data."""
    if path:
        yield path
    if isinstance(data, Mapping):
        for name, part in data.items():
            yield from paths_in(part, (*path, str(name)))
    elif isinstance(data, list | tuple):
        for k, part in enumerate(data):
            yield from paths_in(part, (*path, k))
