"""How a result lies in a NetCDF4 file: dimensions, what does not change in time, variables over time, closing words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from linkwork.errors import UsageError
from linkwork.header import STORED, Array, Header
from linkwork.io.results.schema import (
    DOCUMENT_NAMES,
    Outcome,
    attributes,
    dims,
    documents,
    fixed,
    has_entries,
    plain_text,
    variable_attributes,
)

CHUNK_BYTES = 65536


def lay_out(h5: Any, header: Header, block: Mapping[str, Array], *, longest: int, compress: bool) -> tuple[str, ...]:
    """Everything but samples, in a new file. Returns the names of all variables over time, in the order of the schema.

    block : the first samples, which tell what there is. longest : samples in a chunk at most.
    """
    import h5netcdf

    names = tuple(dict.fromkeys(name for name in (*STORED, *block) if name in block))
    with h5netcdf.File(h5, "w") as file:
        labels = dims(header)
        file.dimensions = {"time": None} | {dim: len(names) for dim, names in labels.items()}
        for dim, entries in labels.items():
            _text(file, dim, (dim,), np.array([plain_text(name) for name in entries], dtype=object), {})
        for name, along, values, attrs in fixed(header):
            if values.dtype == object:
                _text(file, name, along, values, attrs)
            else:
                file.create_variable(name, along, data=values).attrs.update(attrs)
        packing = {"compression": "gzip", "compression_opts": 1, "shuffle": True} if compress else {}
        for name in names:
            _over_time(file, header, name, np.asarray(block[name]).dtype.kind, longest, packing)
    return names


def _over_time(file: Any, header: Header, name: str, kind: str, longest: int, packing: Mapping[str, Any]) -> None:
    if not has_entries(header, name):
        return
    if kind not in "fiub":
        raise UsageError(f"result variable {name!r} does not hold real numbers.")
    shape = header.shape(name, 1)
    steps = min(longest, max(32, CHUNK_BYTES // (8 * int(np.prod(shape)))))
    variable = file.create_variable(
        name,
        header.dims(name),
        dtype="f8" if kind == "f" else "i8",
        chunks=(steps, *shape[1:]),
        **packing,
    )
    variable.attrs.update(variable_attributes(header, name))


def write_outcome(h5: Any, header: Header, outcome: Outcome, names: Sequence[str], *, timings: bool) -> None:
    """How a run ended, or how it stands, and its provenance; what was said before is replaced."""
    import h5netcdf

    with h5netcdf.File(h5, "a") as file:
        for key, value in attributes(header, outcome, timings=timings).items():
            file.attrs[key] = value
        for name, text in documents(header, outcome, names, timings=timings).items():
            if name in h5:
                h5[name][()] = text
            else:
                _text(file, name, (), text, {"long_name": DOCUMENT_NAMES[name]})


def _text(file: Any, name: str, along: tuple[str, ...], value: Any, attrs: Mapping[str, str]) -> None:
    import h5py

    variable = file.create_variable(name, along, dtype=h5py.string_dtype())
    variable[...] = value
    variable.attrs.update(attrs)
