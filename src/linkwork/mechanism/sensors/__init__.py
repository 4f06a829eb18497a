"""Sensors, by type; one file each. What they read stands in results, and in the outputs of simulators."""

from __future__ import annotations

from linkwork.registry import Registry

_HERE = "linkwork.mechanism.sensors"

SENSORS = Registry(
    "sensor",
    {
        "formula": f"{_HERE}.formula:FormulaSensor",
        "imu": f"{_HERE}.imu:ImuSensor",
    },
)
