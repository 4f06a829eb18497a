"""What a driver does: the coordinate that it prescribes, and the torque or force and the power that this takes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkwork.errors import UsageError
from linkwork.header import Array, Variable, near_names
from linkwork.mechanism.drivers import Driver
from linkwork.mechanism.joint_coordinates import CARDAN
from linkwork.quantities.curves import PER_SECOND, Curves
from linkwork.quantities.joints import Coordinate, Values, coordinates_of, described_joint, seen_from_first
from linkwork.quantities.model import lowered_of, mechanism_of, motion
from linkwork.result import Result


@dataclass(frozen=True, repr=False)
class DriverMotion(Curves):
    """A driver: its coordinate with rates, ``effort`` along the coordinate, and ``power``.

    coordinate : what it prescribes, ``angle``, ``displacement_2``, ``yaw`` or, of a body's point, ``x``, ``y``, ``z``.
    """

    coordinate: str = ""

    @property
    def effort(self) -> Array:
        """(nt,) N m or N, that the driver exerts on the joint's second body along the coordinate."""
        return self.arrays["effort"]

    @property
    def power(self) -> Array:
        """(nt,) W, that it delivers to the mechanism."""
        return self.arrays["power"]


def driver(result: Result, name: str) -> DriverMotion:
    """Coordinate, torque or force, and power of a driver. Raises UsageError for other names, and without reactions."""
    drivers = {one.name: one for one in mechanism_of(result).drivers}
    if name not in drivers:
        raise UsageError(f"this result has no driver {name!r}.", remedy=near_names(name, tuple(drivers)))
    described = drivers[name]
    coordinate = described.coordinate or ""
    measured: dict[str, Coordinate] = {}
    if described.joint is not None:
        joint = described_joint(result, described.joint)
        measured = coordinates_of(result, joint)
        coordinate = next(one.type for one in lowered_of(result).joints if one.name == name)
    if coordinate in measured:
        unit, values = measured[coordinate].unit, measured[coordinate].values
    else:
        unit, values = "rad" if coordinate in CARDAN else "m", _prescribed(described, result.time)
    value, rate, second = values
    effort = -result.multiplier(name) * _row_per_unit(result, described, coordinate, value)
    units = (unit, *PER_SECOND[unit])
    words = (coordinate, f"{coordinate}_rate", f"{coordinate}_acceleration")
    of = f"joint {described.joint}" if described.joint is not None else f"a point of body {described.body}"
    variables = {w: Variable(("time",), u, f"driven {w} of {of}") for w, u in zip(words, units, strict=True)}
    what = "N m" if unit == "rad" else "N"
    variables |= {
        "effort": Variable(("time",), what, f"of driver {name} on the second body along its coordinate"),
        "power": Variable(("time",), "W", f"that driver {name} delivers"),
    }
    arrays = dict(zip(words, (value, rate, second), strict=True)) | {"effort": effort, "power": effort * rate}
    return DriverMotion(name, result.time, arrays, variables, coordinate=coordinate)


def _prescribed(described: Driver, time: Array) -> Values:
    """What the driver prescribes, with both rates: of what results have no measured coordinate of."""
    f = described.prescribed
    if isinstance(f, float):
        return np.full(time.size, f), np.zeros(time.size), np.zeros(time.size)
    value, rate, second = (np.broadcast_to(np.asarray(part, dtype=float), time.shape) for part in f.jet(time))
    return value, rate, second


def _row_per_unit(result: Result, described: Driver, coordinate: str, value: Array) -> Array | float:
    """G u of the driver's row for a unit of the coordinate's rate: not one for a ball's angles."""
    if coordinate == "pitch":
        return np.cos(value)
    if coordinate not in CARDAN:
        return 1.0
    joint = described_joint(result, described.joint or "")
    R = seen_from_first(motion(result, joint.body_i), motion(result, joint.body_j), joint).R
    return np.asarray(np.hypot(R[0, 0], R[1, 0]))
