"""An inertial measuring unit: what an accelerometer and a gyroscope on a body read."""

from __future__ import annotations

from typing import Literal

import numpy as np

from linkwork.mechanism.elements import Name, Vector
from linkwork.mechanism.lowered import LoweredImu, LoweredSensor
from linkwork.mechanism.measuring import Measuring
from linkwork.mechanism.rotation import IDENTITY, Rotation, rotation_matrix
from linkwork.mechanism.sensors.base import Sensor


class ImuSensor(Sensor):
    """At `point` of `body` (its origin if left out), with axes turned against the body's by `rotation`.

    It reads `acceleration`, that of the point less gravity (m/s^2), and `angular_velocity` (rad/s), in its own axes.
    At rest it reads an acceleration of g upwards, as such devices do.
    """

    type: Literal["imu"] = "imu"
    body: Name
    point: Vector = (0.0, 0.0, 0.0)
    rotation: Rotation = IDENTITY

    def lower(self, name: str, scope: Measuring) -> LoweredSensor:
        k = scope.body(self.body)
        A, _ = rotation_matrix(self.rotation)
        unit = LoweredImu(k, scope.point(k, self.point), np.array(A))
        return LoweredSensor(name, "", self.description or f"on body {self.body}, in the axes of the sensor", imu=unit)
