"""The HDF5 file of a run under way: NAME.part, readable as of its last commit, until it gets its name."""

from __future__ import annotations

import time as clock
from collections.abc import Mapping
from contextlib import suppress
from os import PathLike
from typing import Any, NoReturn

from linkwork.errors import LinkworkError, ResultFileError
from linkwork.io.results.atomic import Target, write_error
from linkwork.io.results.checkpoint import Checkpoint, checkpoint_of
from linkwork.io.results.snapshot import Snapshot, Unfinished
from linkwork.io.results.steady_file import SteadyFile, undisturbed
from linkwork.source import source_hash

SECONDS = 1.0  # between two commits, in general
CACHE = 2**20  # bytes of each variable that wait for their chunk to be full
SHARE = 0.05  # of the time that commits may take


class GrowingFile:
    """A file that is not there before `publish`; what was committed before survives the process.

    lasting : keep commits, under a name that can be found again; else a temporary file that nobody looks for.
    """

    def __init__(self, path: str | PathLike[str], *, force: bool, lasting: bool) -> None:
        unfinished = path if isinstance(path, Unfinished) else None
        self.target = Target(path, force=force, lasting=lasting, part=None if unfinished is None else unfinished.part)
        self.lasting = lasting
        self._h5: Any = None
        self.samples = 0 if unfinished is None else unfinished.samples
        self._began = self._last = clock.perf_counter()
        self._took = 0.0
        self._checkpoint = checkpoint_of(self.target.temporary)
        self._asked: Mapping[str, Any] | None = None if unfinished is None else unfinished.asked
        try:
            self._disk = SteadyFile(self.target.temporary, 0 if unfinished is None else unfinished.size)
            if lasting:
                self.target.lock(self._disk)
                if unfinished is None:
                    self._checkpoint.unlink(missing_ok=True)  # of an earlier run
            self._open("w" if unfinished is None else "r+")
        except BaseException as error:
            self.fail(error)

    def _open(self, mode: str) -> None:
        import h5py

        if mode == "r+":
            self._disk.truncate(self._disk.committed)
        with undisturbed():
            self._h5 = h5py.File(self._disk, mode, track_order=True, rdcc_nbytes=CACHE)

    @property
    def h5(self) -> Any:
        """The HDF5 file, None when it is closed."""
        return self._h5

    def raise_error(self) -> None:
        """Raise the failure that HDF5 was spared, if there was one."""
        self._disk.raise_error()

    def asked_for(self, arguments: Mapping[str, Any] | None) -> None:
        """What call the run answers; None if it cannot be repeated."""
        self._asked = arguments

    @property
    def due(self) -> bool:
        """Whether it is time for the next commit: after a second, sooner in a run's first two."""
        now = clock.perf_counter()
        wait = max(min(SECONDS, 0.5 * (now - self._began)), self._took / SHARE)
        return self.lasting and now - self._last >= wait

    def commit(self, samples: int, snapshot: Snapshot | None) -> None:
        """All that was written so far becomes what the disk holds. Raises OSError or RuntimeError."""
        began = clock.perf_counter()
        with undisturbed():
            self._h5.flush()
            self._commit(samples, snapshot)
        self._last = clock.perf_counter()
        self._took = self._last - began

    def _commit(self, samples: int, snapshot: Snapshot | None) -> None:
        """The checkpoint is replaced, then the pages that it holds are written over."""
        self._disk.raise_error()
        if self.lasting:
            kept = Checkpoint(self._disk.size, samples, self._disk.pending, self._asked, source_hash(), snapshot)
            kept.write(self._checkpoint)
            self.samples = samples
        self._disk.apply()

    def publish(self, samples: int, snapshot: Snapshot | None) -> None:
        """Close and give the file its name. With a snapshot the checkpoint stays beside it, for the run to go on."""
        with undisturbed():
            self._h5.close()
            self._commit(samples, snapshot)
            self._h5 = None
            self._disk.close()
        if snapshot is None:
            self._checkpoint.unlink(missing_ok=True)
        self.target.publish()

    def discard(self) -> None:
        """Close and leave nothing on disk."""
        self._close()
        self.target.discard()
        if self.lasting:
            self._checkpoint.unlink(missing_ok=True)

    def fail(self, error: BaseException) -> NoReturn:
        """Close, keep what was committed, and raise: errors of writing in words, anything else as it came."""
        if not self.samples:
            self.discard()
        else:
            with suppress(OSError):
                self._disk.forget()
            self._close()
        if isinstance(error, (OSError, RuntimeError)) and not isinstance(error, LinkworkError):
            raise self._in_words(error) from error
        raise error

    def _close(self) -> None:
        h5, self._h5 = self._h5, None
        disk = getattr(self, "_disk", None)
        if disk is not None:
            disk.error = disk.error or OSError("given up")  # so that nothing more is written
            with suppress(Exception), undisturbed():
                if h5 is not None:
                    h5.close()
            disk.close()

    def _in_words(self, error: Exception) -> ResultFileError:
        said = write_error(self.target.path, error)
        if self.samples:
            part = str(self.target.temporary)
            said.remedy = (
                f"The first {self.samples} samples are kept in {part!r}. Make room, and go on with "
                f"`linkwork run --resume {self.target.path}` or linkwork.resume."
            )
        return said
