"""One study, or one sweep, at a time in a folder: a lock that the system gives back however its process ends."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from linkwork.errors import ResultFileError, UsageError
from linkwork.io.results.atomic import write_error

NAME = ".lock"


@contextlib.contextmanager
def alone(folder: Path, what: str = "study") -> Iterator[None]:
    """While this lasts, no other study (or whatever it is) works in the folder, which is made if need be.

    Raises UsageError if one does, ResultFileError where the folder cannot be made or written to.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = (folder / NAME).open("a+", encoding="ascii")
    except (FileExistsError, NotADirectoryError):
        raise ResultFileError("is no folder.", file=str(folder), remedy="Name another one.") from None
    except OSError as error:
        raise write_error(folder, error) from error
    with file:
        if not _taken(file):
            raise UsageError(
                f"another {what} works in this folder{_by(file)}.",
                file=str(folder),
                remedy="Wait until it is done, or write elsewhere (--out).",
            )
        _sign(file)
        yield


def _taken(file: IO[str]) -> bool:
    """Whether the lock is ours now; file systems that know no locks let everybody in."""
    if sys.platform == "win32":
        import msvcrt

        try:
            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        pass
    return True


def _sign(file: IO[str]) -> None:
    """Leave the number of this process, for the words of whoever comes next."""
    with contextlib.suppress(OSError):
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()


def _by(file: IO[str]) -> str:
    with contextlib.suppress(OSError, ValueError):
        file.seek(0)
        return f", process {int(file.read())}"
    return ""
