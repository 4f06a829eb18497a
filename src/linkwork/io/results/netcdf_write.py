"""Results into NetCDF4 files (HDF5 inside), block by block.

Measured on 30 000 steps of a three-body mechanism (28 MB) on one core: 0.05 s as it is, 0.4 s with the lightest
deflate, which saves a fifth. So files are not compressed unless asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from os import PathLike
from types import TracebackType
from typing import Any

import numpy as np

from linkwork.errors import ResultFileError, UsageError
from linkwork.header import BLOCK, STORED, Array, Deriver, Header, derive_blockwise
from linkwork.io.results.atomic import Target, write_error
from linkwork.io.results.netcdf_read import read
from linkwork.io.results.schema import (
    DOCUMENT_NAMES,
    Outcome,
    attributes,
    dims,
    documents,
    fixed,
    plain_text,
    present,
    variable_attributes,
)
from linkwork.io.results.steady_file import SteadyFile, undisturbed
from linkwork.result import Result

CHUNK_BYTES = 65536


class ResultWriter:
    """A result file that grows while the run goes on; memory holds one block at a time.

    Made before the run: an existing file (without `force`), a missing directory or missing permission is refused
    here. The file has its name only after `finish`; a run that fails still finishes, with `success=False`. As a
    context manager it finishes by itself, with the error's message when one passes through.

    Parameters
    ----------
    path, force : the file; whether it may replace another.
    header : what is known of the run beforehand.
    derive : adds reactions, energies and violations to each block; without it the file holds what is appended.
    expected : how many samples are to come, if known; a short run then makes a small file.
    compress : deflate; a smaller file for some eight times the writing time.
    timings : write down wall time and date as well; files of equal runs then differ.
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
    ) -> None:
        import h5netcdf

        self.header, self.nt = header, 0
        self._derive, self._compress, self._timings = derive, compress, timings
        self._longest_chunk = 1024 if expected is None else max(1, min(1024, expected))
        self._names: tuple[str, ...] = ()
        self._variables: dict[str, Any] = {}
        self._target = Target(path, force=force)
        self._file: Any = None
        try:
            self._disk = SteadyFile(self._target.temporary)
            with undisturbed():
                self._file = h5netcdf.File(self._disk, "w")
                self._write_fixed()
        except BaseException as error:
            self._fail(error)

    @property
    def finished(self) -> bool:
        """Whether the file is closed, be it with its name or given up."""
        return self._file is None

    def append(self, block: Mapping[str, Array]) -> None:
        """Add samples: `time` (n,) and the same stored variables (n, ...) every time.

        Raises UsageError for other variables or shapes than before, ResultFileError when writing fails; then
        nothing is left on disk.
        """
        if self.finished:
            raise UsageError("this result file is finished already.", file=str(self._target.path))
        time = np.asarray(block["time"], dtype=float)
        whole: dict[str, Array] = dict(block)
        if self._derive is not None:
            whole |= derive_blockwise(self._derive, self.header, block, time)
        for name, values in whole.items():
            if np.shape(values) != self.header.shape(name, time.size):
                wanted = self.header.shape(name, time.size)
                raise UsageError(f"result variable {name!r} has shape {np.shape(values)}, expected {wanted}.")
        try:
            if not self._names:
                with undisturbed():
                    self._create(whole)
            if set(whole) != set(self._names):
                raise UsageError(f"every block must hold the same variables: {', '.join(self._names)}.")
            with undisturbed():
                stop = self.nt + time.size
                self._file.resize_dimension("time", stop)
                for name, variable in self._variables.items():
                    variable[self.nt : stop] = whole[name]
                self._disk.raise_error()
                self.nt = stop
        except (OSError, RuntimeError) as error:
            self._fail(error)

    def finish(
        self,
        *,
        success: bool = True,
        status: int = 0,
        message: str = "",
        messages: Sequence[str] = (),
        info: Mapping[str, Any] | None = None,
    ) -> Result:
        """Write how the run ended, give the file its name, and return the result, read from the file.

        `info` adds what only the end tells (counts, largest violations) to the header's.
        """
        if self.finished:
            raise UsageError("this result file is finished already.", file=str(self._target.path))
        header = Header(**{**vars(self.header), "info": {**self.header.info, **(info or {})}})
        outcome = Outcome(success, status, message, tuple(messages))
        try:
            with undisturbed():
                self._close(header, outcome)
        except BaseException as error:
            self._fail(error)
        self._file = None
        self._target.publish()
        result = read(self._target.path)
        # what only the clock knows stays in memory
        result.header = header
        return result

    def abandon(self) -> None:
        """Close and leave nothing on disk."""
        file, self._file = self._file, None
        if file is not None:
            with suppress(Exception), undisturbed():  # the file goes anyway
                file.close()
            self._disk.close()
        self._target.discard()

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

    def _write_fixed(self) -> None:
        labels = dims(self.header)
        self._file.dimensions = {"time": None} | {dim: len(names) for dim, names in labels.items()}
        for dim, names in labels.items():
            self._text(dim, (dim,), np.array([plain_text(name) for name in names], dtype=object), {})
        for name, along, values, attrs in fixed(self.header):
            if values.dtype == object:
                self._text(name, along, values, attrs)
            else:
                self._file.create_variable(name, along, data=values).attrs.update(attrs)

    def _text(self, name: str, along: tuple[str, ...], value: Any, attrs: Mapping[str, str]) -> None:
        import h5py

        variable = self._file.create_variable(name, along, dtype=h5py.string_dtype())
        variable[...] = value
        variable.attrs.update(attrs)

    def _create(self, block: Mapping[str, Array]) -> None:
        """Make the variables that grow in time, in the order of the schema."""
        order = [name for name in (*STORED, *block) if name in block]
        self._names = tuple(dict.fromkeys(order))
        packing = {"compression": "gzip", "compression_opts": 1, "shuffle": True} if self._compress else {}
        for name in self._names:
            if not present(self.header, name):
                continue
            kind = np.asarray(block[name]).dtype.kind
            if kind not in "fiub":
                raise UsageError(f"result variable {name!r} does not hold real numbers.")
            shape = self.header.shape(name, 1)
            steps = min(self._longest_chunk, max(32, CHUNK_BYTES // (8 * int(np.prod(shape)))))
            # header.shape has refused names without a variable
            variable = self._file.create_variable(
                name,
                self.header.variable(name).dims,  # type: ignore[union-attr]
                dtype="f8" if kind == "f" else "i8",
                chunks=(steps, *shape[1:]),
                **packing,
            )
            variable.attrs.update(variable_attributes(self.header, name))
            self._variables[name] = variable

    def _close(self, header: Header, outcome: Outcome) -> None:
        if not self._names:
            self._create({name: np.zeros(header.shape(name, 0)) for name in ("time", "position", "rotation")})
        for key, value in attributes(header, outcome, timings=self._timings).items():
            self._file.attrs[key] = value
        for name, text in documents(header, outcome, self._names, timings=self._timings).items():
            self._text(name, (), text, {"long_name": DOCUMENT_NAMES[name]})
        self._file.close()
        self._disk.raise_error()
        self._disk.close()

    def _fail(self, error: BaseException) -> None:
        """Clean up and raise: writing errors in words, anything else as it came."""
        self.abandon()
        if isinstance(error, (OSError, RuntimeError)):
            raise write_error(self._target.path, error) from error
        raise error


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
