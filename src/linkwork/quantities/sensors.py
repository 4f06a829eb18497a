"""What a sensor of the description read over a run."""

from __future__ import annotations

from dataclasses import dataclass

from linkwork.errors import UsageError
from linkwork.header import near_names
from linkwork.quantities.curves import Curves
from linkwork.quantities.model import mechanism_of
from linkwork.result import Result

UNITS = ("acceleration", "angular_velocity")


@dataclass(frozen=True, repr=False)
class SensorReading(Curves):
    """A sensor: of a formula ``value``; of a measuring unit ``acceleration`` and ``angular_velocity``, (nt, 3).

    type : of the sensor.
    """

    type: str = ""


def sensor(result: Result, name: str) -> SensorReading:
    """The readings of a sensor. Raises UsageError for other names."""
    sensors = mechanism_of(result).sensors
    if name not in sensors:
        raise UsageError(f"this result has no sensor {name!r}.", remedy=near_names(name, tuple(sensors)))
    extras = result.header.extras
    words = {"value": name} | {word: f"{name}.{word}" for word in UNITS}
    read = {word: full for word, full in words.items() if full in extras and full in result}
    arrays = {word: result[full] for word, full in read.items()}
    variables = {word: extras[full] for word, full in read.items()}
    return SensorReading(name, result.time, arrays, variables, type=sensors[name].type)
