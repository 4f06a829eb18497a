"""Runs made by hand whose bodies go where they are sent, for whatever shows them; nothing is compiled."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from linkwork.header import Header
from linkwork.mechanism import Mechanism
from linkwork.result import Result


def mechanism(name: str = "two bars", bodies: tuple[str, str] = ("upper", "lower"), **changed: Any) -> Mechanism:
    """Two bars on pins along y, hanging in the x-z plane; the upper is 1 m long, the lower a body without a shape."""
    mech = Mechanism(name)
    upper, lower = bodies
    shape = {"type": "box", "size": [1.0, 0.05, 0.05], "density": 7800}
    mech.body(upper, shape=shape, position=[0.5, 0, 0])
    mech.body(lower, mass=1.0, inertia=[0.1, 0.1, 0.1], position=[1.4, 0, 0], **changed)
    mech.joint("pivot", "revolute", "ground", upper, point=[0, 0, 0], axis=[0, -1, 0])
    mech.joint("elbow", "revolute", upper, lower, point=[1, 0, 0], axis=[0, -1, 0])
    mech.force("push", "force", body=lower, components=["2*cos(t)", 0, 5])
    return mech


def turned(angle: Any) -> Any:
    """Rotations by -angle about y, (n, 3, 3): x turns towards z."""
    c, s, zero, one = np.cos(angle), np.sin(angle), np.zeros_like(angle), np.ones_like(angle)
    return np.stack([c, zero, -s, zero, one, zero, s, zero, c], axis=-1).reshape(*angle.shape, 3, 3)


def run(mech: Mechanism, n: int = 201, t_end: float = 2.0, shift: float = 0.0, **info: Any) -> Result:
    """A motion that the pins allow, with forces that are known: of the pivot (10, 0, t), of the elbow (0, 0, 1)."""
    t = np.linspace(0.0, t_end, n)
    a, b = 2.0 * np.sin(2.0 * t), 5.0 * t
    A, B = turned(a), turned(b)
    position = np.stack([A @ [0.5, 0, 0], A @ [1.0, 0, 0] + B @ [0.4, 0, 0]], axis=1) + np.array([0.0, 0.0, shift])
    reaction = np.zeros((n, 2, 3))
    reaction[:, 0, 0], reaction[:, 0, 2], reaction[:, 1, 2] = 10.0, t, 1.0
    spin = np.zeros((n, 2, 3))
    spin[:, 0, 1], spin[:, 1, 1] = -4.0 * np.cos(2.0 * t), -5.0
    arrays = {
        "time": t, "position": position, "rotation": np.stack([A, B], axis=1),
        "velocity": np.gradient(position, t, axis=0),
        "angular_velocity": spin,
        "acceleration": np.gradient(np.gradient(position, t, axis=0), t, axis=0),
        "angular_acceleration": np.gradient(spin, t, axis=0),
        "reaction_force": reaction, "reaction_torque": 0.1 * reaction,
        "kinetic_energy": 3.0 + np.sin(t), "potential_energy": -np.sin(t), "position_violation": np.full(n, 1e-9),
    }  # fmt: skip
    lowered = mech.lower()
    header = Header(
        bodies=tuple(body.name for body in lowered.bodies), joints=tuple(joint.name for joint in lowered.joints),
        rows=tuple(row.name for row in lowered.rows), info={"formulation": "rA", "integrator": "rk4"} | info,
        mechanism_document=json.dumps(mech.to_dict()),
    )  # fmt: skip
    return Result(header, arrays)
