"""Where a run stood, as files keep it; `linkwork.run.snapshot` takes it and goes on from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class Snapshot:
    """Where a run stood after its last sample.

    arrays : name of place -> copy of the array there. facts : plain data, as JSON has it.
    """

    arrays: Arrays
    facts: Mapping[str, Any]


@dataclass(frozen=True)
class Unfinished(PathLike[str]):
    """A result file whose run did not get to its end, with what it takes to go on; stands where a path for output does.

    path : the file's name when it is done. part : where its samples are now. asked : the call's arguments.
    mechanism : JSON text. snapshot : where the run stood after so many samples. size : bytes of `part` that hold them.
    """

    path: Path
    part: Path
    asked: Mapping[str, Any]
    mechanism: str
    snapshot: Snapshot = field(repr=False)
    samples: int
    size: int

    def __fspath__(self) -> str:
        return str(self.path)
