"""The sensors of a description: a mapping of names to formulas, or to sensors of a type."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from linkwork.mechanism.elements import did_you_mean, shown
from linkwork.mechanism.parameters import WORD
from linkwork.mechanism.sensors import SENSORS
from linkwork.mechanism.sensors.base import TAKEN, Sensor, said_in_full
from linkwork.mechanism.validation_errors import InvalidValue, from_pydantic


def sensors_of(data: Any) -> tuple[dict[str, Sensor], list[InvalidValue]]:
    """The sensors that a mapping describes, and all that is wrong with it."""
    if data is None:
        return {}, []
    if not isinstance(data, Mapping):
        return {}, [InvalidValue(("sensors",), f"must be a mapping of names to formulas, not {shown(data)}")]
    found: dict[str, Sensor] = {}
    errors: list[InvalidValue] = []
    for name, said in data.items():
        if not isinstance(name, str) or not WORD.match(name):
            errors.append(InvalidValue(("sensors",), f"has the name {shown(name)}: letters, digits and _ alone"))
        elif name in TAKEN:
            errors.append(InvalidValue(("sensors", name), "has a name that results have for something else"))
        else:
            made = _sensor(name, said_in_full(said))
            if isinstance(made, Sensor):
                found[name] = made
            else:
                errors += made
    return found, errors


def _sensor(name: str, said: Any) -> Sensor | list[InvalidValue]:
    """One sensor, or what is wrong with it."""
    if isinstance(said, Sensor):
        return said
    if not isinstance(said, Mapping):
        return [InvalidValue(("sensors", name), f"must be a formula or a mapping of keys to values, not {shown(said)}")]
    kind = said["type"]
    if not isinstance(kind, str) or kind not in SENSORS:
        text = f"has the type {shown(kind)}, which does not exist{did_you_mean(kind, SENSORS)}"
        return [InvalidValue(("sensors", name), text)]
    try:
        made: Sensor = SENSORS.load(kind).model_validate(said)
    except ValidationError as error:
        return from_pydantic(error, ("sensors", name))
    return made
