"""Named curves over time with units: what every quantity of a result comes as."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from linkwork.attached import attached
from linkwork.errors import UsageError
from linkwork.header import Array, Variable, frozen, near_names
from linkwork.shown import counted

if TYPE_CHECKING:
    import xarray

PER_SECOND = {"rad": ("rad s-1", "rad s-2"), "m": ("m s-1", "m s-2")}


@dataclass(frozen=True, repr=False)
class Curves:
    """Arrays over time by name, read-only, ``curves["power"]`` (nt,), with unit and meaning of each.

    name : of the element or body that they belong to. time : (nt,) s. variables : name -> dimensions, unit, meaning.
    """

    name: str
    time: Array
    arrays: Mapping[str, Array]
    variables: Mapping[str, Variable]
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: {"xyz": tuple("xyz")})

    def __post_init__(self) -> None:
        object.__setattr__(self, "time", frozen(self.time))
        object.__setattr__(self, "arrays", {name: frozen(values) for name, values in self.arrays.items()})

    def __getitem__(self, name: str) -> Array:
        """The array of one variable; time comes first. Raises UsageError with the nearest name if there is none."""
        if name not in self.arrays:
            raise UsageError(f"{self.name!r} has no curve {name!r}.", remedy=near_names(name, tuple(self.arrays)))
        return self.arrays[name]

    def __contains__(self, name: object) -> bool:
        return name in self.arrays

    def __iter__(self) -> Iterator[str]:
        return iter(self.arrays)

    def __repr__(self) -> str:
        units = ", ".join(f"{name} [{self.variables[name].units}]" for name in self.arrays)
        return f"<{type(self).__name__} of {self.name!r}: {units}; {counted(self.time.size, 'sample')}>"

    @property
    def dataset(self) -> xarray.Dataset:
        """The curves as an xarray.Dataset with units and names (imports xarray)."""
        made: xarray.Dataset = attached("Curves.to_xarray")(self)
        return made
