"""The file beside a growing result file, NAME.resume: what takes the part file from commit to commit, and where the
run stood. A NumPy archive of plain arrays and one JSON text, replaced whole at each commit.

A commit is the moment in which this file is replaced. It holds every page of NAME.part that changes below the part's
earlier end; they are written over there afterwards. Who is killed in between leaves a part file that is mended from
here (`mend_part`), which may be done any number of times (decision 19).
"""

from __future__ import annotations

import json
import time as clock
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from linkwork.errors import ResultFileError
from linkwork.io.results.atomic import locked
from linkwork.io.results.snapshot import Arrays, Snapshot
from linkwork.io.results.steady_file import PAGE, write_pages

FORMAT = "linkwork resume"
FORMAT_VERSION = 1
PATIENCE = 100  # looks at a file while another process is in the middle of a commit


@dataclass(frozen=True)
class Checkpoint:
    """What is kept at a commit.

    size : bytes of the part file that belong to it. samples : how many of them there are. pages : number -> bytes.
    asked : the call's arguments, or None if the run cannot be gone on with. source : hash of linkwork's sources.
    """

    size: int
    samples: int
    pages: dict[int, bytearray]
    asked: Mapping[str, Any] | None = None
    source: str = ""
    snapshot: Snapshot | None = None

    def write(self, path: Path) -> None:
        """Replace the file, whole or not at all. Raises OSError."""
        arrays = {} if self.snapshot is None else self.snapshot.arrays
        about = {
            "format": FORMAT,
            "format_version": FORMAT_VERSION,
            "size": self.size,
            "samples": self.samples,
            "asked": self.asked,
            "source": self.source,
            "facts": None if self.snapshot is None else dict(self.snapshot.facts),
            "arrays": {name: [array.dtype.str, list(array.shape)] for name, array in arrays.items()},
        }
        new = path.with_name(f"{path.name}.new")
        try:
            with new.open("wb") as file:
                np.savez(
                    file,
                    about=_bytes(json.dumps(about).encode()),
                    state=_bytes(b"".join(array.tobytes() for array in arrays.values())),
                    page_numbers=np.array(list(self.pages), dtype=np.int64),
                    page_sizes=np.array([len(page) for page in self.pages.values()], dtype=np.int64),
                    pages=_bytes(b"".join(self.pages.values())),
                )
            new.replace(path)
        except BaseException:
            with suppress(OSError):
                new.unlink(missing_ok=True)
            raise

    @classmethod
    def read(cls, path: Path) -> Checkpoint:
        """Raises ResultFileError if it is missing, damaged, or of a later format."""
        try:
            with np.load(path, allow_pickle=False) as file:
                about = json.loads(file["about"].tobytes())
                if about["format"] != FORMAT or about["format_version"] > FORMAT_VERSION:
                    raise ResultFileError("was written by another version of linkwork.", file=str(path))
                pages = _split(file["pages"], file["page_sizes"])
                numbers = file["page_numbers"].tolist()
                return cls(
                    size=int(about["size"]),
                    samples=int(about["samples"]),
                    pages={int(n): bytearray(page) for n, page in zip(numbers, pages, strict=True)},
                    asked=about["asked"],
                    source=about["source"],
                    snapshot=_snapshot(about, file["state"].tobytes()),
                )
        except ResultFileError:
            raise
        except FileNotFoundError as error:
            raise ResultFileError("does not exist.", file=str(path), remedy="Run the mechanism again.") from error
        except Exception as error:  # a damaged archive can fail anywhere, with any exception
            raise ResultFileError("is damaged.", file=str(path), remedy="Run the mechanism again.") from error

    def matches(self, part: Path) -> bool:
        """Whether the part file holds all pages already."""
        with part.open("rb") as file:
            for number, page in self.pages.items():
                file.seek(number * PAGE)
                if file.read(len(page)) != page:
                    return False
        return True


def mend_part(path: Path) -> None:
    """See to it that a part file is as of its last commit, if its run was killed in the middle of one.

    Of a run that is under way nothing is written; it takes a moment only.
    """
    if path.suffix != ".part" or not path.is_file():
        return
    for _ in range(PATIENCE):
        with suppress(ResultFileError, OSError):
            kept = Checkpoint.read(checkpoint_of(path))
            if kept.matches(path):
                return
            with path.open("r+b") as file:
                if locked(file.fileno()):
                    write_pages(file.fileno(), kept.pages)
                    return
            clock.sleep(0.01)
            continue
        return  # what is there must do


def checkpoint_of(path: Path) -> Path:
    """The checkpoint of a result file, by its name or that of its part."""
    return path.with_name(f"{path.name.removesuffix('.part')}.resume")


def part_of(path: Path) -> Path:
    """Where a run keeps its samples before they get their name."""
    return path.with_name(f"{path.name}.part")


def _bytes(data: bytes) -> np.ndarray:
    return np.frombuffer(data, dtype=np.uint8)


def _split(data: np.ndarray, sizes: np.ndarray) -> list[bytes]:
    ends = np.cumsum(sizes)
    return [data[end - size : end].tobytes() for end, size in zip(ends.tolist(), sizes.tolist(), strict=True)]


def _snapshot(about: Mapping[str, Any], state: bytes) -> Snapshot | None:
    if about["facts"] is None:
        return None
    arrays: Arrays = {}
    place = 0
    for name, (kind, shape) in about["arrays"].items():
        dtype = np.dtype(kind)
        if dtype.kind not in "fiub" or any(n < 0 for n in shape):
            raise ValueError(name)
        count = int(np.prod(shape, dtype=np.int64))
        arrays[name] = np.frombuffer(state, dtype, count, place).reshape(shape)
        place += count * dtype.itemsize
    return Snapshot(arrays, about["facts"])
