"""Named curves as an xarray.Dataset, with units and meaning as in a result's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from linkwork.io.data_sets import need_xarray
from linkwork.io.results.schema import plain_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    import xarray

    from linkwork.header import Array, Variable


class Named(Protocol):
    """What has curves: `quantities.curves.Curves`."""

    @property
    def name(self) -> str:
        """Of the element that they belong to."""

    @property
    def time(self) -> Array:
        """(nt,) s."""

    @property
    def arrays(self) -> Mapping[str, Array]:
        """By name, time first."""

    @property
    def variables(self) -> Mapping[str, Variable]:
        """What each is."""

    @property
    def labels(self) -> Mapping[str, tuple[str, ...]]:
        """Names along dimensions other than time."""


def dataset(curves: Named) -> xarray.Dataset:
    """All curves with dimensions, coordinates and units."""
    need_xarray()
    import xarray

    told = curves.variables
    used = {dim for variable in told.values() for dim in variable.dims[1:]}
    coordinates: dict[str, object] = {
        dim: (dim, np.array(names, dtype=object)) for dim, names in curves.labels.items() if dim in used
    }
    coordinates["time"] = ("time", curves.time, {"units": "s", "long_name": "time"})
    data = {
        name: (told[name].dims, values, {"units": told[name].units, "long_name": plain_text(told[name].long_name)})
        for name, values in curves.arrays.items()
    }
    return xarray.Dataset(data, coordinates, {"element": plain_text(curves.name)})
