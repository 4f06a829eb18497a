"""Results into NetCDF4 files (HDF5 inside), block by block.

Measured on 30 000 steps of a three-body mechanism (28 MB) on one core: 0.05 s as it is, 0.4 s with the lightest
deflate, which saves a fifth. So files are not compressed unless asked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from types import TracebackType
from typing import Any

import numpy as np

from linkwork.errors import ResultFileError, UsageError
from linkwork.header import BLOCK, Array, Deriver, Header, derive_blockwise
from linkwork.io.results.growing_file import GrowingFile
from linkwork.io.results.netcdf_layout import lay_out, write_outcome
from linkwork.io.results.netcdf_read import read
from linkwork.io.results.schema import Outcome
from linkwork.io.results.snapshot import Snapshot
from linkwork.io.results.steady_file import undisturbed
from linkwork.result import Result

NOT_ENDED = "the run has not come to its end: it is under way, was killed, or could not write any more."


class ResultWriter:
    """A result file that grows while the run goes on; memory holds one block at a time.

    Made before the run: an existing file (without `force`), a missing directory or missing permission is refused
    here. The file has its name only after `finish`; a run that fails still finishes, with `success=False`. As a
    context manager it finishes by itself, with the error's message when one passes through.

    Parameters
    ----------
    path, force : the file; whether it may replace another. An `Unfinished` one is gone on with.
    header : what is known of the run beforehand.
    derive : adds reactions, energies and violations to each block; without it the file holds what is appended.
    expected : how many samples are to come, if known; a short run then makes a small file.
    compress : deflate; a smaller file for some eight times the writing time.
    timings : write down wall time and date as well; files of equal runs then differ.
    lasting : what `keep` commits survives the process, in NAME.part (`growing_file`).
    asked : the call that the run answers, as plain data, for those who go on with it; None if it cannot be repeated.
    """

    def __init__(
        self,
        path: str | PathLike[str],
        header: Header,
        *,
        force: bool = False,
        derive: Deriver | None = None,
        expected: int | None = None,
        compress: bool = False,
        timings: bool = False,
        lasting: bool = False,
        asked: Mapping[str, Any] | None = None,
    ) -> None:
        self.header, self.nt = header, 0
        self._derive, self._compress, self._timings = derive, compress, timings
        self._longest_chunk = 1024 if expected is None else max(1, min(1024, expected))
        self._names: tuple[str, ...] = ()
        self._data: dict[str, Any] = {}
        self._said: tuple[str, ...] | None = None
        self._file = GrowingFile(path, force=force, lasting=lasting)
        self._path = str(self._file.target.path)
        if self._file.samples:
            self.nt = self._file.samples
            self._names = read(self._file.target.temporary).variables
            self._data = {name: self._file.h5[name] for name in self._names if name in self._file.h5}
        else:
            self._file.asked_for(asked)

    @property
    def finished(self) -> bool:
        """Whether the file is closed, be it with its name or given up."""
        return self._file.h5 is None

    def recorded(self, name: str, start: int, stop: int) -> Array:
        """Samples of a stored variable that are in the file already."""
        self._refuse_finished()
        with undisturbed():
            shape = self.header.shape(name, max(0, min(stop, self.nt) - start))
            return np.asarray(self._data[name][start:stop]) if name in self._data else np.zeros(shape)

    def append(self, block: Mapping[str, Array]) -> None:
        """Add samples: `time` (n,) and the same stored variables (n, ...) every time.

        Raises UsageError for other variables or shapes than before, ResultFileError when writing fails; then
        only what `keep` has kept is left on disk.
        """
        self._refuse_finished()
        time = np.asarray(block["time"], dtype=float)
        stored: dict[str, Array] = dict(block)
        if self._derive is not None:
            stored |= derive_blockwise(self._derive, self.header, block, time)
        for name, values in stored.items():
            if np.shape(values) != self.header.shape(name, time.size):
                wanted = self.header.shape(name, time.size)
                raise UsageError(f"result variable {name!r} has shape {np.shape(values)}, expected {wanted}.")
        try:
            if not self._names:
                self._create(stored)
            if set(stored) != set(self._names):
                raise UsageError(f"every block must hold the same variables: {', '.join(self._names)}.")
            with undisturbed():
                self._write(stored, self.nt + time.size)
        except (OSError, RuntimeError) as error:
            self._file.fail(error)

    def keep(self, snapshot: Callable[[], Snapshot]) -> None:
        """Now and then, see to it that what was appended survives the process; `snapshot` tells where the run stands.

        Raises ResultFileError when writing fails; then only what was kept before is left on disk.
        """
        if not self.finished and self.nt and self._file.due:
            try:
                self._keep(snapshot())
            except (OSError, RuntimeError) as error:
                self._file.fail(error)

    def finish(
        self,
        *,
        success: bool = True,
        status: int = 0,
        message: str = "",
        messages: Sequence[str] = (),
        info: Mapping[str, Any] | None = None,
        snapshot: Snapshot | None = None,
        to_be_continued: bool = False,
    ) -> Result:
        """Write how the run ended, give the file its name, and return the result, read from the file.

        `info` adds what only the end tells (counts, largest violations) to the header's. `snapshot` tells where the run
        stands; to_be_continued : it stays beside the file, so that the run can be gone on with.
        """
        self._refuse_finished()
        header = Header(**{**vars(self.header), "info": {**self.header.info, **(info or {})}})
        try:
            if not self._names:
                self._create({name: np.zeros(header.shape(name, 0)) for name in ("time", "position", "rotation")})
            if self.nt and snapshot is not None:
                self._keep(snapshot)  # whether or not there is room for closing words
            self._say(header, Outcome(success, status, message, tuple(messages)))
            self._file.publish(self.nt, snapshot if to_be_continued else None)
        except (OSError, RuntimeError) as error:
            self._file.fail(error)
        result = read(self._path)
        # what only the clock knows stays in memory
        result.header = header
        return result

    def abandon(self) -> None:
        """Close and leave nothing on disk."""
        self._file.discard()

    def __enter__(self) -> ResultWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.finished:
            return
        if error is None:
            self.finish()
        else:
            text = str(error) or type(error).__name__
            self.finish(success=False, message=text)

    # ------------------------------------------------------------------------------------------------------

    def _refuse_finished(self) -> None:
        if self.finished:
            raise UsageError("this result file is finished already.", file=self._path)

    def _create(self, block: Mapping[str, Array]) -> None:
        with undisturbed():
            self._names = lay_out(
                self._file.h5, self.header, block, longest=self._longest_chunk, compress=self._compress
            )
            self._data = {name: self._file.h5[name] for name in self._names if name in self._file.h5}

    def _write(self, block: Mapping[str, Array], stop: int) -> None:
        """Samples up to `stop`. What is beyond the last commit is not there for anybody else."""
        for name, data in self._data.items():
            data.resize(stop, axis=0)
            data[self.nt : stop] = block[name]
        self._file.raise_error()
        self.nt = stop

    def _keep(self, snapshot: Snapshot) -> None:
        messages = tuple(snapshot.facts.get("messages", ()))
        if messages != self._said:
            self._say(self.header, Outcome(False, 0, NOT_ENDED, messages))
            self._said = messages
        self._file.commit(self.nt, snapshot)

    def _say(self, header: Header, outcome: Outcome) -> None:
        with undisturbed():
            write_outcome(self._file.h5, header, outcome, self._names, timings=self._timings)


def save(
    result: Result,
    path: str | PathLike[str],
    *,
    force: bool = False,
    compress: bool = False,
    timings: bool = False,
) -> None:
    """Write a whole result as NetCDF, in blocks of `BLOCK` samples."""
    names = result.variables
    writer = ResultWriter(
        path, result.header, force=force, expected=result.time.size, compress=compress, timings=timings
    )
    try:
        for start in range(0, max(result.time.size, 1), BLOCK):
            writer.append({name: result.read(name, start, start + BLOCK) for name in names})
        writer.finish(success=result.success, status=result.status, message=result.message, messages=result.messages)
    except ResultFileError:
        raise
    except BaseException:
        writer.abandon()
        raise
