"""Runs made by hand, whose every difference, energy and reaction is a number that can be written down."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.header import Header
from linkwork.result import Result

N, DT = 11, 0.1
BODIES, JOINTS = ("crank", "rod"), ("pin", "slide")


def arrays(**changed: Any) -> dict[str, Any]:
    """A crank that rests and a rod that moves along x at 2 m/s and turns with 3 rad/s; nothing is rounded."""
    time = np.arange(N) * DT
    data = {
        "time": time,
        "position": np.zeros((N, 2, 3)),
        "rotation": np.tile(np.eye(3), (N, 2, 1, 1)),
        "velocity": np.zeros((N, 2, 3)),
        "angular_velocity": np.zeros((N, 2, 3)),
        "acceleration": np.zeros((N, 2, 3)),
        "angular_acceleration": np.zeros((N, 2, 3)),
        "reaction_force": np.zeros((N, 2, 3)),
        "reaction_torque": np.zeros((N, 2, 3)),
        "kinetic_energy": np.full(N, 8.0),
        "potential_energy": np.full(N, 5.0),
    }
    data["position"][:, 1, 0] = 2.0 * time
    data["velocity"][:, 1, 0] = 2.0
    data["angular_velocity"][:, 1, 2] = 3.0
    data["acceleration"][:, 1, 1] = 4.0
    data["reaction_force"][:, 0, 2] = 10.0
    return data | changed


def result(*changes: tuple[Any, ...], info: Any = None, bodies: Any = BODIES, drop: Any = (), **more: Any) -> Result:
    """The run with some entries changed: (variable, index, value to add), some variables dropped."""
    data = arrays()
    for name, index, value in changes:
        data[name][index] += value
    for name in drop:
        del data[name]
    made = {"formulation": "rA", "integrator": "rk4", "step": DT} | (info or {})
    return Result(Header(bodies=bodies, joints=JOINTS, info=made), data, **more)
