"""A result as an xarray.Dataset, the same as xarray would open from its file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from linkwork.header import STORED
from linkwork.io.data_sets import need_xarray
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

if TYPE_CHECKING:
    import xarray

    from linkwork.result import Result


def dataset(result: Result) -> xarray.Dataset:
    """All variables with dimensions, coordinates, units and provenance.

    A result in a file comes as xarray opens it: arrays are read when they are used.
    """
    need_xarray()
    import xarray

    if result.path is not None:
        return xarray.open_dataset(result.path, engine="h5netcdf")
    header = result.header
    outcome = Outcome(result.success, result.status, result.message, result.messages)
    coordinates: dict[str, object] = {
        dim: (dim, np.array([plain_text(name) for name in names], dtype=object)) for dim, names in dims(header).items()
    }
    coordinates["time"] = ("time", result.time, variable_attributes(header, "time"))
    # names that the header knows, so that each has a variable
    data: dict[str, object] = {
        name: (header.dims(name), result[name], variable_attributes(header, name))
        for name in _order(result)
        if name != "time" and has_entries(header, name)
    }
    data |= {name: (along, values, attrs) for name, along, values, attrs in fixed(header)}
    data |= {
        name: ((), np.array(text, dtype=object), {"long_name": DOCUMENT_NAMES[name]})
        for name, text in documents(header, outcome, _order(result)).items()
    }
    return xarray.Dataset(data, coordinates, attributes(header, outcome))


def _order(result: Result) -> tuple[str, ...]:
    """The variables in the order in which a file holds them."""
    return tuple(dict.fromkeys(name for name in (*STORED, *result.variables) if name in result))
