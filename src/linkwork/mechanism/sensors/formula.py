"""A sensor that reads a formula of time and state."""

from __future__ import annotations

from typing import Literal

from linkwork.mechanism.elements import Law, Text, law
from linkwork.mechanism.expressions import Expression
from linkwork.mechanism.lowered import LoweredSensor
from linkwork.mechanism.measuring import Measuring
from linkwork.mechanism.sensors.base import Sensor


class FormulaSensor(Sensor):
    """`value`: a number or a formula of time and state; `unit` is what results call its unit."""

    type: Literal["formula"] = "formula"
    value: Law
    unit: Text = "1"

    def lower(self, name: str, scope: Measuring) -> LoweredSensor:
        found = law(self.value)
        f = found.resolved(scope) if isinstance(found, Expression) else Expression.parse(found)
        return LoweredSensor(name, self.unit, self.description or str(self.value), f)
