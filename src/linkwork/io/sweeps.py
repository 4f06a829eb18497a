"""A sweep as NetCDF and as an xarray.Dataset: a run per row, swept numbers as coordinates."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork.arguments import path_of
from linkwork.errors import ResultFileError
from linkwork.header import Array, frozen, stored_name
from linkwork.io.data_sets import need_xarray
from linkwork.io.results.atomic import writing
from linkwork.io.results.schema import plain_text

if TYPE_CHECKING:
    import xarray

FORMAT, FORMAT_VERSION = "linkwork sweep", 1
STATUS = "0: carried out; other numbers: why a run failed, in words in error; -2: not carried out"


def dataset(sweep: Any) -> xarray.Dataset:
    """As xarray has it; of a sweep in a file, read when it is used."""
    need_xarray()
    import xarray

    if sweep.path is not None:
        found = xarray.open_dataset(sweep.path, engine="h5netcdf")
        return found.set_coords([stored_name(name) for name in sweep.values])  # names with blanks are none in the file
    coordinates: dict[str, Any] = {stored_name(name): ("run", values) for name, values in sweep.values.items()}
    if any("time" in dims for dims in sweep.dims.values()):
        coordinates["time"] = ("time", sweep.time, {"units": "s"})
    data: dict[str, Any] = {stored_name(name): (sweep.dims[name], values) for name, values in sweep.arrays.items()}
    data["status"] = ("run", sweep.status, {"long_name": STATUS})
    data["error"] = ("run", np.array([plain_text(sweep.errors.get(k, "")) for k in range(sweep.runs)], dtype=object))
    return xarray.Dataset(data, coordinates, _attributes(sweep.info))


def _attributes(info: Mapping[str, Any]) -> dict[str, Any]:
    return {"format": FORMAT, "format_version": FORMAT_VERSION, "info": plain_text(json.dumps(info, sort_keys=True))}


def save(sweep: Any, path: str | PathLike[str], *, force: bool = False) -> None:
    """Write a sweep that is in memory."""
    shapes = {name: array.shape[1:] for name, array in sweep.arrays.items()}
    parts = [(0, sweep.arrays, sweep.status, sweep.errors)]
    write(path, sweep.values, parts, sweep.dims, shapes, sweep.time, sweep.info, force=force)


def write(
    path: str | PathLike[str],
    values: Mapping[str, Any],
    parts: Iterable[tuple[int, Mapping[str, Any], Any, Mapping[int, str]]],
    dims: Mapping[str, tuple[str, ...]],
    shapes: Mapping[str, tuple[int, ...]],
    time: Any,
    info: Mapping[str, Any],
    *,
    force: bool = False,
    part: Path | None = None,
) -> None:
    """Write a file part by part: first run, arrays, status and errors of each. info : written when all parts have been
    made, and may be added to meanwhile. part : where the file stands until it is whole."""
    import h5netcdf
    import h5py

    runs = len(next(iter(values.values())))
    with writing(path, force=force, part=part) as temporary, h5netcdf.File(temporary, "w") as file:
        sizes = {"run": runs, "time": len(time), "xyz": 3, "rotation": 9}
        used = {"run", *(dim for name in shapes for dim in dims[name])}
        file.dimensions = {dim: size for dim, size in sizes.items() if dim in used}
        if "time" in used:
            file.create_variable("time", ("time",), data=np.asarray(time)).attrs["units"] = "s"
        for name, one in values.items():
            file.create_variable(stored_name(name), ("run",), data=np.asarray(one))
        made = {name: file.create_variable(stored_name(name), dims[name], float) for name in shapes}
        status = file.create_variable("status", ("run",), np.int64, fillvalue=-2)
        status.attrs["long_name"] = STATUS
        error = file.create_variable("error", ("run",), h5py.string_dtype())
        for variable in (*made.values(), status, error):
            variable.attrs["coordinates"] = " ".join(map(stored_name, values))
        for first, arrays, states, errors in parts:
            rows = slice(first, first + len(states))
            status[rows] = states
            for name, array in arrays.items():
                made[name][rows] = array
            error[rows] = np.array([errors.get(k, "") for k in range(rows.start, rows.stop)], dtype=object)
        file.attrs.update(_attributes(info))  # now that all parts have been seen


def read(path: str | PathLike[str]) -> dict[str, Any]:
    """What a file holds, as `Sweep` takes it. Raises ResultFileError where it holds none."""
    path = path_of(path, "the file of a sweep")
    import h5netcdf

    if not path.exists():
        raise ResultFileError("does not exist.", file=fspath(path))
    try:
        with h5netcdf.File(fspath(path), "r") as file:
            if file.attrs.get("format") != FORMAT:
                raise ResultFileError("holds no sweep.", file=fspath(path))
            info = json.loads(file.attrs["info"])
            names = list(info["keep"])
            errors = {k: _text(text) for k, text in enumerate(file["error"][...]) if len(text)}
            return {
                "values": {name: file[stored_name(name)][...] for name in info["over"]},
                "arrays": InFile(fspath(path), tuple(names), str(file.attrs["info"])),
                "dims": {name: tuple(file[stored_name(name)].dimensions) for name in names},
                "time": file["time"][...] if "time" in file.variables else np.zeros(0),
                "status": file["status"][...],
                "errors": errors,
                "info": info,
                "path": fspath(path),
            }
    except (OSError, KeyError, ValueError) as error:
        raise ResultFileError(f"could not be read as a sweep: {error}", file=fspath(path)) from error


class InFile(Mapping[str, Array]):
    """Arrays of a file by name, read when they are asked for: together they may be larger than memory.

    info : what the file says of itself; raises ResultFileError where it says something else later."""

    def __init__(self, path: str, names: tuple[str, ...], info: str) -> None:
        self.path, self.names, self.info = path, names, info

    def __getitem__(self, name: str) -> Array:
        import h5netcdf

        if name not in self.names:
            raise KeyError(name)
        try:
            with h5netcdf.File(self.path, "r") as file:
                if file.attrs["info"] != self.info:
                    raise ValueError("it was replaced by another sweep")
                return frozen(file[stored_name(name)][...])
        except (OSError, KeyError, ValueError) as error:
            raise ResultFileError(f"could not be read as a sweep: {error}", file=self.path) from error

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)
