"""Results in files: formats by ending, one door for writing and one for reading."""

from __future__ import annotations

from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from linkwork.errors import UsageError
from linkwork.registry import Registry

if TYPE_CHECKING:
    from linkwork.header import Header
    from linkwork.io.results.netcdf_write import ResultWriter
    from linkwork.result import Result

# ending -> the module's `save(result, path, *, force, **options)`
RESULT_FORMATS = Registry(
    "result format",
    {
        ".nc": "linkwork.io.results.netcdf_write:save",
        ".csv": "linkwork.io.results.table:save",
    },
)


def save_result(result: Result, path: str | PathLike[str], *, force: bool = False, **options: Any) -> None:
    """Write `result` in the format that the ending of `path` names.

    Raises UsageError for an unknown ending, OutputExistsError where a file stands and `force` is not given,
    ResultFileError where it cannot be written.
    """
    RESULT_FORMATS.load(ending(path))(result, path, force=force, **options)


def ending(path: str | PathLike[str]) -> str:
    """The ending of a result file's name, lower case; UsageError if it names no format."""
    suffix = Path(fspath(path)).suffix.lower()
    if suffix not in RESULT_FORMATS:
        known = ", ".join(RESULT_FORMATS)
        raise UsageError(
            f"no result format has the ending {suffix!r}.", file=fspath(path), remedy=f"Use one of {known}."
        )
    return suffix


def check_result(path: str | PathLike[str], *, force: bool) -> None:
    """Raise now what a run that streams into `path` would raise at its end; the same errors as `save_result`."""
    from linkwork.io.results.atomic import check_target

    check_target(path, force=force, lasting=ending(path) == ".nc")


def open_result(path: str | PathLike[str]) -> Result:
    """The result in a ``.nc`` file; arrays are read when asked for. ResultFileError if it is none."""
    from linkwork.io.results.netcdf_read import read

    return read(path)


def result_writer(path: str | PathLike[str], header: Header, **options: Any) -> ResultWriter:
    """The writer of a result file that grows during the run; see `ResultWriter` for options and errors."""
    from linkwork.io.results.netcdf_write import ResultWriter

    return ResultWriter(path, header, **options)
