"""Files that one command reads and files that it writes: whichever comes second, none may be both.

In Python a description may be saved over the file that it was read from. Of a command line, whose `--force` is meant
for other files, that is a slip: what was written by hand would be lost.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path

from linkwork.errors import OutputExistsError

_commands: list[tuple[set[str], set[str]]] = []  # of each that goes on: what was read, what is to be written


@contextmanager
def of_one_command() -> Iterator[None]:
    """Until the block ends, `reads` and `writes` raise OutputExistsError for a file that is read and written."""
    _commands.append((set(), set()))
    try:
        yield
    finally:
        _commands.pop()


def reads(path: str | PathLike[str]) -> None:
    """That a file is read. Raises OutputExistsError within a command that was to write it."""
    _told(path, written=False)


def writes(path: str | PathLike[str]) -> None:
    """That a file is to be written. Raises OutputExistsError within a command that reads it."""
    _told(path, written=True)


def _told(path: str | PathLike[str], *, written: bool) -> None:
    if not _commands:
        return
    real = os.path.realpath(path)
    _commands[-1][written].add(real)
    if all(real in files for files in _commands[-1]) and Path(real).exists():
        raise OutputExistsError(
            "is read by this command, and would be written over.", file=os.fspath(path), remedy="Name another file."
        )
