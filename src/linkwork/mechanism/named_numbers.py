"""Parameters, inputs, tables and sensors of a mechanism: how they are added, and how parameters take other values."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Mapping
from typing import Any, Self

from linkwork.errors import ModelError
from linkwork.mechanism.elements import did_you_mean
from linkwork.mechanism.kept import Kept
from linkwork.mechanism.naming import with_parameters
from linkwork.mechanism.parameters import Input, Parameter, named, values_of
from linkwork.mechanism.sensors.base import Sensor, said_in_full
from linkwork.mechanism.sensors.reading import sensors_of
from linkwork.mechanism.tables import Table
from linkwork.mechanism.validation_errors import InvalidValue, Locate, refuse

WORD = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")


class NamedNumbers(ABC):
    """What of a mechanism has a name and is no element."""

    file: str | None
    parameters: dict[str, Parameter]
    inputs: dict[str, Input]
    tables: dict[str, Table]
    sensors: dict[str, Sensor]
    parameter_values: dict[str, float]
    _kept: Kept
    _said_besides: dict[str, Any]  # what was said besides elements, with formulas of parameters in it

    @classmethod
    @abstractmethod
    def from_dict(cls, data: Any, *, file: str | None = None, locate: Locate | None = None) -> Self:
        """The mechanism a plain document describes."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """The plain document that describes it."""

    def with_parameters(self, /, **values: float | str) -> Self:
        """The mechanism with other values of parameters. Raises ModelError for other names, and beyond bounds."""
        data = self.to_dict()
        for name, value in values.items():
            if name in self.inputs:
                raise ModelError(
                    f"{name!r} is an input, not a parameter: its value is given to a run from outside.",
                    file=self.file,
                    remedy=f"Change its default in the description (inputs: {{{name}: ...}}), or give it while "
                    f'stepping: sim.step({{"{name}": 1.0}}), or lw.control; docs/stepping.md.',
                )
            if name not in self.parameters:
                raise ModelError(f"has no parameter {name!r}{did_you_mean(name, self.parameters)}", file=self.file)
            data["parameters"][name] = data["parameters"][name] | {"value": value}
        return self.from_dict(data, file=self.file, locate=self._kept.locate)

    def parameter(self, name: str, value: float | str, **fields: Any) -> None:
        """Add a named number, for elements to use: its value, or a formula of other parameters; unit, min, max."""
        self._add_named("parameters", name, {"value": value, **fields})

    def input(self, name: str, default: float = 0.0, **fields: Any) -> None:
        """Add a channel whose value a run is given from outside; formulas read it as input('name')."""
        self._add_named("inputs", name, {"default": default, **fields})

    def table(self, name: str, x: Any, y: Any, **fields: Any) -> None:
        """Add a table of numbers, x ascending: between='linear', 'cubic' or 'pchip'; formulas read table('name', u)."""
        self._add_named("tables", name, {"x": x, "y": y, **fields})

    def sensor(self, name: str, value: float | str | None = None, **fields: Any) -> None:
        """Add a sensor: a formula of time and state with its unit, or type='imu' with body, point and rotation."""
        self._add_named("sensors", name, said_in_full(fields if value is None else {"value": value, **fields}))

    def _add_named(self, kind: str, name: str, data: dict[str, Any]) -> None:
        cls: type[Any] = {"parameters": Parameter, "inputs": Input, "tables": Table, "sensors": Sensor}[kind]
        with with_parameters({} if kind == "parameters" else self.parameter_values):
            found, errors = sensors_of({name: data}) if kind == "sensors" else named(kind, cls, {name: data})
        if name in getattr(self, kind):
            errors.append(InvalidValue((kind, name), "exists already"))
        refuse(errors, {kind: {name: data}}, file=self.file)
        trial = getattr(self, kind) | found
        if kind == "parameters":
            values, errors = values_of(trial)
            refuse(errors, {kind: {name: data}}, file=self.file)
            self.parameter_values = values
        else:
            self._said_besides[kind] = {**(self._said_besides.get(kind) or {}), name: data}
        setattr(self, kind, trial)


READ: dict[str, Callable[[Any], tuple[dict[str, Any], list[InvalidValue]]]] = {
    "inputs": lambda said: named("inputs", Input, said, "default"),
    "tables": lambda said: named("tables", Table, said),
    "sensors": sensors_of,
}


def read_again(besides: Mapping[str, Any], moved: Container[str], *also: str) -> dict[str, Any] | None:
    """Inputs, tables and sensors in which words of these parameters stand, and these ones, read with the values that
    parameters have now (`with_parameters`); None where something is wrong with them. besides : as they are said."""
    found: dict[str, Any] = {}
    for kind, read in READ.items():
        if kind in also or names_any(besides.get(kind), moved):
            found[kind], errors = read(besides.get(kind))
            if errors:
                return None
    return found


def names_any(said: Any, names: Container[str]) -> bool:
    """Whether one of these names stands in a text of the data."""
    if isinstance(said, str):
        return any(word in names for word in WORD.findall(said))
    if isinstance(said, Mapping):
        return any(names_any(one, names) for one in said.values())
    return isinstance(said, list | tuple) and any(names_any(one, names) for one in said)


def as_said(data: Any, said: Any) -> Any:
    """Data with the formulas that parameters stand in, where these were said instead of numbers."""
    if isinstance(said, str) and isinstance(data, float | int | str):
        return said
    if isinstance(said, Mapping) and isinstance(data, dict):
        return {key: as_said(value, said.get(key)) for key, value in data.items()}
    if isinstance(said, list | tuple) and isinstance(data, list | tuple) and len(said) == len(data):
        return [as_said(one, two) for one, two in zip(data, said, strict=True)]
    return data
