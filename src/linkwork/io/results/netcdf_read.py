"""Results out of NetCDF4 files: names and provenance at once, arrays when asked for.

No file handle stays open: each request opens the file, reads its slice and closes it, so results can be many,
can be sent to other processes, and the file can be moved away after use.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from time import sleep
from typing import Any

import numpy as np

from linkwork.arguments import path_of
from linkwork.errors import ResultFileError
from linkwork.header import VARIABLES, Array, Header, Variable
from linkwork.io.results.checkpoint import checkpoint_of, mend_part, part_of
from linkwork.io.results.schema import FORMAT, FORMAT_VERSION, STANDARD_DIMS
from linkwork.result import Result

RERUN = "Run the mechanism again, or look for an intact copy."
AGAIN = (0.02, 0.05, 0.1, 0.2, 0.4)  # s to wait before a part file that is being written is read once more


class StoredArray:
    """A variable in a file: has a shape, and reads what it is sliced for.

    Raises ResultFileError when the file has changed or gone since it was opened.
    """

    def __init__(self, path: Path, name: str, shape: tuple[int, ...], stamp: tuple[int, ...]) -> None:
        self.path, self.name, self.shape = path, name, shape
        self._stamp = stamp

    def __getitem__(self, key: Any) -> Array:
        with opened(self.path) as file:
            if stamp(self.path) != self._stamp:
                raise ResultFileError("has changed since it was opened.", file=str(self.path), remedy="Open it again.")
            values: Array = np.asarray(file[self.name][key])
        return values


class EmptyArray:
    """A variable along a dimension without entries, which the file leaves out."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.shape = shape

    def __getitem__(self, key: Any) -> Array:
        # no entries, hence no memory, however many samples there are
        values: Array = np.empty(self.shape)[key]
        return values


def stamp(path: Path) -> tuple[int, ...]:
    """What tells one state of a file from another."""
    found = path.stat()
    return found.st_size, found.st_mtime_ns, found.st_ino


@contextmanager
def opened(path: Path) -> Iterator[Any]:
    """The HDF5 file, for as long as the block lasts; whatever goes wrong in reading it is a ResultFileError."""
    import h5py

    try:
        if not path.exists():
            raise ResultFileError("does not exist.", file=str(path), remedy=_where_else(path))
        if not path.is_file():
            raise ResultFileError("is not an ordinary file.", file=str(path), remedy="Name a .nc file.")
        with path.open("rb"):  # a missing permission says so in plain words
            pass
        with h5py.File(path, "r") as file:
            yield file
    except ResultFileError:
        raise
    except MemoryError as error:
        raise ResultFileError("asks for more memory than there is.", file=str(path), remedy=RERUN) from error
    except PermissionError as error:
        raise ResultFileError("may not be read.", file=str(path), remedy="Check its permissions.") from error
    except Exception as error:  # a damaged file can fail anywhere in the library, with any exception
        reason = "is not a linkwork result, or is truncated or damaged."
        raise ResultFileError(reason, file=str(path), remedy=RERUN) from error


def read(path: str | PathLike[str]) -> Result:
    """Open a result file.

    A part file that another process is writing may be seen in the middle of a commit: it is read again a little later.
    Raises ResultFileError if it does not exist, is no linkwork result, is truncated or of a later format.
    """
    place = path_of(path, "the file of a result")
    for wait in AGAIN if place.suffix == ".part" and checkpoint_of(place).exists() else ():
        try:
            return _read(place)
        except ResultFileError:
            sleep(wait)
    return _read(place)


def _read(place: Path) -> Result:
    name = str(place)
    mend_part(place)
    with opened(place) as file:
        _check_format(file, name)
        run = json.loads(_text(file, "run_document"))
        header = _header(file, run)
        nt = file["time"].shape[0]
        if nt * 8 > 2000 * place.stat().st_size:  # deflate reaches 1000 at most: nobody wrote this
            raise ResultFileError("claims more samples than it can hold.", file=name, remedy=RERUN)
        mark = stamp(place)
        arrays: dict[str, Any] = {}
        for key in (*VARIABLES, *header.extras):
            if key in file and file[key].ndim > 0:
                arrays[key] = StoredArray(place, key, tuple(file[key].shape), mark)
            elif key in run["variables"]:
                arrays[key] = EmptyArray(header.shape(key, nt))
        arrays["time"] = np.asarray(file["time"][:], dtype=float)
        return Result(
            header,
            arrays,
            success=bool(_number(file, "success")),
            status=_number(file, "status"),
            message=str(file.attrs["message"]),
            messages=[str(line) for line in run["messages"]],
            path=name,
        )


def _where_else(path: Path) -> str:
    """What to do about a missing file."""
    part = part_of(path)
    if not part.exists():
        return "Check the name."
    return (
        f"A run that did not end, or is under way, keeps its samples in {str(part)!r}: open that, or go on with "
        f"`linkwork run --resume {path}` or linkwork.resume."
    )


def _check_format(file: Any, name: str) -> None:
    if file.attrs.get("format") != FORMAT:
        raise ResultFileError("is not a linkwork result.", file=name, remedy="Open it with another program.")
    version = _number(file, "format_version")
    if version > FORMAT_VERSION:
        raise ResultFileError(
            f"has format version {version}; this linkwork reads up to {FORMAT_VERSION}.",
            file=name,
            remedy="Update linkwork.",
        )


def _header(file: Any, run: dict[str, Any]) -> Header:
    names = {dim: _names(file, dim) for dim in STANDARD_DIMS}
    points = np.asarray(file["joint_point"][...]) if "joint_point" in file else np.zeros((0, 3))
    return Header(
        bodies=names["body"],
        joints=names["joint"],
        rows=names["row"],
        joint_bodies=_names(file, "joint_body"),
        joint_points=tuple((float(x), float(y), float(z)) for x, y, z in points),
        info=dict(run["info"]),
        mechanism_document=_text(file, "mechanism_document"),
        extras={key: Variable(tuple(along), units, meaning) for key, (along, units, meaning) in run["extras"].items()},
        coordinates={dim: tuple(labels) for dim, labels in run["coordinates"].items()},
    )


def _names(file: Any, name: str) -> tuple[str, ...]:
    return tuple(file[name].asstr()[...].tolist()) if name in file else ()


def _number(file: Any, key: str) -> int:
    return int(np.ravel(file.attrs[key])[0])  # NetCDF keeps numbers as arrays of one


def _text(file: Any, name: str) -> str:
    return str(file[name].asstr()[()])
