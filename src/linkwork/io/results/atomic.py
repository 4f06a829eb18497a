"""Whole files or none: write beside, then rename; never over a file without being asked to."""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import Any

from linkwork.errors import OutputExistsError, ResultFileError
from linkwork.io.sources import writes


class Target:
    """A file to be: a temporary one beside it until `publish`.

    Made before a long run, so that what would stop it at the end stops it at the start: OutputExistsError for an
    existing file without `force`, or for one that the same command reads; ResultFileError for a missing directory, one
    that cannot be written to, or a target that is no ordinary file.

    lasting : the temporary file has a name that is found again, NAME.part. One that is there already is left from
        a run that did not end, and is refused without `force`.
    part : one that is there and is to be gone on with.
    """

    def __init__(
        self, path: str | PathLike[str], *, force: bool = False, lasting: bool = False, part: Path | None = None
    ) -> None:
        self.path = Path(os.fspath(path))
        self.force, self._lasting = force, lasting
        real = Path(os.path.realpath(self.path))  # a symbolic link keeps pointing where it did
        self._real = real
        try:
            writes(real)
            if real.exists() and not real.is_file():
                raise ResultFileError("is not an ordinary file.", file=str(self.path), remedy="Name another file.")
            self._refuse_existing()
            if not real.parent.is_dir():
                raise ResultFileError(
                    f"the directory {str(self.path.parent)!r} does not exist.",
                    file=str(self.path),
                    remedy="Make it first, or write elsewhere.",
                )
            if part is not None:
                self.temporary = part
                return
            unique = real.parent / f".{real.name[:100]}.{secrets.token_hex(4)}.part"
            self.temporary = real.with_name(f"{real.name}.part") if lasting else unique
            self._make()
        except (OSError, ValueError) as error:
            raise write_error(self.path, error) from error

    def _make(self) -> None:
        """An empty temporary file; 0o666 less the user's mask, as any newly made file; O_EXCL: it is ours alone."""
        try:
            descriptor = os.open(self.temporary, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o666)
        except FileExistsError:
            if not self.force:
                raise left_over(self.temporary, self.path) from None
            descriptor = os.open(self.temporary, os.O_RDWR)
            if not locked(descriptor):
                os.close(descriptor)
                raise self._busy() from None
            os.truncate(descriptor, 0)
        os.close(descriptor)

    def lock(self, file: Any) -> None:
        """Let no other process write the temporary file until `file`, which is open on it, is closed."""
        if not locked(file.fileno()):
            raise self._busy()

    def _busy(self) -> ResultFileError:
        return ResultFileError(
            f"another process is writing {str(self.temporary)!r}.",
            file=str(self.path),
            remedy="Wait until it is done, or name another file.",
        )

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
            said = write_error(self.path, error)
            if self._lasting:
                said.remedy = f"What was written is kept as {str(self.temporary)!r}."
            else:
                self.discard()
            raise said from error

    def discard(self) -> None:
        """Leave nothing behind."""
        self.temporary.unlink(missing_ok=True)


def locked(descriptor: int) -> bool:
    """Whether this process has an open file to itself from now on, until it closes it; always where no locks are."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno not in (errno.EACCES, errno.EAGAIN)  # others: a file system without locks
    return True


@contextmanager
def writing(path: str | PathLike[str], *, force: bool = False, part: Path | None = None) -> Iterator[Path]:
    """A temporary path that becomes `path` when the block ends well, and vanishes when it does not. part : this one."""
    target = Target(path, force=force, part=part)
    try:
        yield target.temporary
    except OSError as error:
        target.discard()
        raise write_error(path, error) from error
    except BaseException:
        target.discard()
        raise
    target.publish()


def check_target(path: str | PathLike[str], *, force: bool = False, lasting: bool = False) -> None:
    """Raise now what writing `path` would raise at the end of a long run. lasting : as of `Target`."""
    Target(path, force=force).discard()
    part = Path(f"{os.path.realpath(path)}.part")
    if lasting and not force and part.exists():
        raise left_over(part, path)


def left_over(part: Path, path: str | PathLike[str]) -> OutputExistsError:
    """That there is a part already."""
    return OutputExistsError(
        f"{str(part)!r} is left from a run that did not end, or another run is writing it.",
        file=os.fspath(path),
        remedy=f"Go on with it (`linkwork run --resume {os.fspath(path)}`, linkwork.resume), or use force (--force) to "
        "throw it away.",
    )


def write_error(path: str | PathLike[str], error: Exception) -> ResultFileError:
    """What went wrong in writing, in words with a remedy."""
    reason = (getattr(error, "strerror", None) or str(error)).strip().rstrip(".") or type(error).__name__
    return ResultFileError(
        f"could not be written: {reason}.",
        file=os.fspath(path),
        remedy="Check the free space and the permissions, or write elsewhere.",
    )
