"""Whole files or none: write beside, then rename; never over a file without being asked to."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path

from linkwork.errors import OutputExistsError, ResultFileError


class Target:
    """A file to be: a temporary one beside it until `publish`.

    Made before a long run, so that what would stop it at the end stops it at the start: OutputExistsError for an
    existing file without `force`; ResultFileError for a missing directory, one that cannot be written to, or a
    target that is no ordinary file.
    """

    def __init__(self, path: str | PathLike[str], *, force: bool = False) -> None:
        self.path = Path(os.fspath(path))
        self.force = force
        real = Path(os.path.realpath(self.path))  # a symbolic link keeps pointing where it did
        self._real = real
        try:
            if real.exists() and not real.is_file():
                raise ResultFileError("is not an ordinary file.", file=str(self.path), remedy="Name another file.")
            self._refuse_existing()
            if not real.parent.is_dir():
                raise ResultFileError(
                    f"the directory {str(self.path.parent)!r} does not exist.",
                    file=str(self.path),
                    remedy="Make it first, or write elsewhere.",
                )
            self.temporary = real.parent / f".{real.name[:100]}.{secrets.token_hex(4)}.part"
            # 0o666 less the user's mask, as any newly made file; O_EXCL: it is ours alone
            os.close(os.open(self.temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
        except (OSError, ValueError) as error:
            raise write_error(self.path, error) from error

    def _refuse_existing(self) -> None:
        if not self.force and self._real.exists():
            raise OutputExistsError(
                "exists already.", file=str(self.path), remedy="Use force (--force) to replace it, or another name."
            )

    def publish(self) -> None:
        """Give the temporary file its name, in one stroke."""
        try:
            self._refuse_existing()  # somebody may have written it meanwhile
        except OutputExistsError as error:
            error.remedy = f"It appeared during the run. What was written is kept as {str(self.temporary)!r}."
            raise
        try:
            self.temporary.replace(self._real)
        except OSError as error:
            self.discard()
            raise write_error(self.path, error) from error

    def discard(self) -> None:
        """Leave nothing behind."""
        self.temporary.unlink(missing_ok=True)


@contextmanager
def writing(path: str | PathLike[str], *, force: bool = False) -> Iterator[Path]:
    """A temporary path that becomes `path` when the block ends well, and vanishes when it does not."""
    target = Target(path, force=force)
    try:
        yield target.temporary
    except OSError as error:
        target.discard()
        raise write_error(path, error) from error
    except BaseException:
        target.discard()
        raise
    target.publish()


def check_target(path: str | PathLike[str], *, force: bool = False) -> None:
    """Raise now what writing `path` would raise at the end of a long run."""
    Target(path, force=force).discard()


def write_error(path: str | PathLike[str], error: Exception) -> ResultFileError:
    """What went wrong in writing, in words with a remedy."""
    reason = (getattr(error, "strerror", None) or str(error)).strip().rstrip(".") or type(error).__name__
    return ResultFileError(
        f"could not be written: {reason}.",
        file=os.fspath(path),
        remedy="Check the free space and the permissions, or write elsewhere.",
    )
