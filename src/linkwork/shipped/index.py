"""What libraries of compiled code there are, and what each entry in them was made of.

The file has two lines of JSON: its format with a checksum of the second line, and that line, the index itself. A wrong
number in it would have compiled code write beyond its results, so that none is believed without the checksum.
"""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

FORMAT = 2
INDEX = "index.json"


class ShippedEntry(NamedTuple):
    """An entry. symbol : its name in every library. files : numbers of those it is made of. returns : to Python, so
    many numbers; 0 if compiled code calls it."""

    symbol: str
    files: list[int]
    returns: int


class Library(NamedTuple):
    """A library for one kind of processor. sha256, size : of the file."""

    file: str
    sha256: str
    size: int


class Index(NamedTuple):
    """What a folder of libraries holds."""

    version: str  # of linkwork
    compiler: str
    files: dict[str, str]  # from linkwork's folder -> hash of the content
    entries: dict[str, ShippedEntry]  # module:name
    libraries: dict[str, Library]  # by level
    switches: dict[str, list[str]]  # module:name -> functions that it chooses from

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        plain = self._asdict()
        plain["entries"] = {name: list(each) for name, each in self.entries.items()}
        plain["libraries"] = {name: list(each) for name, each in self.libraries.items()}
        return plain


def write_index(folder: Path, index: Index) -> None:
    """Write the index of a folder."""
    body = json.dumps(index.to_dict())
    head = json.dumps({"format": FORMAT, "sha256": sha256(body.encode()).hexdigest()})
    (folder / INDEX).write_bytes(f"{head}\n{body}".encode())


def read_index(folder: Path) -> Index | None:
    """The index of a folder, None if there is none. Raises ValueError with words for one that cannot be used."""
    try:
        head, _, body = (folder / INDEX).read_bytes().partition(b"\n")
    except OSError:
        return None
    try:
        said = json.loads(head)
        if said["format"] != FORMAT:
            raise ValueError(f"its index has format {said['format']}, this linkwork reads {FORMAT}")
        if sha256(body).hexdigest() != said["sha256"]:
            raise ValueError(f"its index {INDEX} is damaged: it is not what was made")
        plain = json.loads(body)
        plain["entries"] = {name: ShippedEntry(*each) for name, each in plain["entries"].items()}
        plain["libraries"] = {name: Library(*each) for name, each in plain["libraries"].items()}
        return Index(**plain)
    except (KeyError, TypeError, AttributeError, json.JSONDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"its index {INDEX} is damaged ({type(error).__name__})") from error
