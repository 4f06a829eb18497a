"""What a driver does: the coordinate that it prescribes, and the torque or force and the power that this takes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkwork.errors import UsageError
from linkwork.header import Array, Variable, near_names
from linkwork.quantities.curves import PER_SECOND, Curves
from linkwork.quantities.joints import coordinates_of, described_joint
from linkwork.quantities.model import lowered_of, mechanism_of, motion, turned
from linkwork.result import Result


@dataclass(frozen=True, repr=False)
class DriverMotion(Curves):
    """A driver: its coordinate with rates, ``effort`` along the coordinate, and ``power``.

    coordinate : what it prescribes, ``angle`` or ``displacement``.
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
    joint = described_joint(result, drivers[name].joint)
    carrier = next(one for one in lowered_of(result).joints if one.name == name)
    coordinate = carrier.type
    unit, (value, rate, second) = coordinates_of(result, joint)[coordinate]
    reaction = result.reaction(name)
    assert joint.markers is not None, "a joint has markers"
    i, _ = joint.markers
    axis = turned(motion(result, joint.body_i).A, np.array(i.z))
    along = reaction.torque if unit == "rad" else reaction.force
    effort = np.einsum("ti,ti->t", along, axis) * (1.0 if carrier.reacts_on is None else -1.0)
    units = (unit, *PER_SECOND[unit])
    words = (coordinate, f"{coordinate}_rate", f"{coordinate}_acceleration")
    variables = {
        w: Variable(("time",), u, f"driven {w} of joint {joint.name}") for w, u in zip(words, units, strict=True)
    }
    what = "N m" if unit == "rad" else "N"
    variables |= {
        "effort": Variable(("time",), what, f"of driver {name} on the second body along its coordinate"),
        "power": Variable(("time",), "W", f"that driver {name} delivers"),
    }
    arrays = dict(zip(words, (value, rate, second), strict=True)) | {"effort": effort, "power": effort * rate}
    return DriverMotion(name, result.time, arrays, variables, coordinate=coordinate)
