"""Numbers that are valid and hardly meant: degrees for radians, millimetres for metres, signs. Notes, never refusals.

Each threshold is beyond what a mechanism on a desk, in a vehicle or in space has, and within what the slip makes of it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from linkwork.mechanism.body import Body
from linkwork.mechanism.elements import Array
from linkwork.mechanism.forces.base import Force
from linkwork.mechanism.rotation import AxisAngle, EulerZXZ

FULL_CIRCLE = 2.0 * math.pi * (1.0 + 1e-9)
FAST = 3000.0  # m/s, twice that of a rifle bullet
SPINNING = 3.0e4  # rad/s, 290,000 turns a minute
HEAVY = 1e8  # kg
LIGHT_SOLID, DENSE_SOLID = 0.1, 3e4  # kg/m^3: aerogel has 1, osmium 22,600
WEIGHTY = 300.0  # m/s^2: the sun's surface has 274, and 9810 mm/s^2 is beyond
LONG, THIN = 50.0, 0.1  # m, kg/m: what is longer and weighs less than a thread of this is drawn in millimetres
UNEQUAL = (
    1e10  # of two masses: beyond it equilibria were found that are none, and methods took the light one for nothing
)
FAR_GYRATION = 10.0  # times the reach of a mechanism: no part of it is as large


def slips(gravity: Sequence[float], bodies: Sequence[Body], forces: Iterable[Any]) -> list[str]:
    """What in a description looks like a slip, in words."""
    found = []
    g = math.hypot(*gravity)
    if g > WEIGHTY:
        found.append(f"gravity is {g:.4g} m/s^2, {g / 9.81:.3g} times the earth's: lengths are in metres")
    reach, masses = _reach(bodies), [body.mass_properties()[0] for body in bodies]
    mass = math.fsum(one for one in masses if one is not None)
    if reach > LONG and None not in masses and mass < THIN * reach:
        found.append(f"it reaches over {reach:.4g} m and weighs {mass:.4g} kg; lengths are in metres")
    weighing = sorted((one, body.name) for one, body in zip(masses, bodies, strict=True) if one)
    if weighing and weighing[-1][0] > UNEQUAL * weighing[0][0]:
        (least, light), (most, heavy) = weighing[0], weighing[-1]
        found.append(
            f"body {heavy!r} has {most / least:.2g} times the mass of {light!r}: rounding of what acts on the one may "
            "be more than all that acts on the other"
        )
    for body in bodies:
        found += [f"body {body.name!r}: {text}" for text in _of_body(body, reach)]
    for force in forces:
        found += [f"force {force.name!r}: {text}" for text in _of_force(force)]
    return found


def hasty(name: str, velocity: Array, angular_velocity: Array) -> str | None:
    """A note on a body whose start velocity [m/s] or angular velocity [rad/s] is beyond what machines do."""
    speed, spin = math.hypot(*velocity), math.hypot(*angular_velocity)
    if speed <= FAST and spin <= SPINNING:
        return None
    rate = f"{speed:.4g} m/s" if speed > FAST else f"{spin:.4g} rad/s, {spin / FULL_CIRCLE * 60.0:.3g} turns a minute"
    return f"body {name!r} starts at {rate}; lengths are in metres, angles in radians"


def _reach(bodies: Sequence[Body]) -> float:
    """The largest distance of two bodies, m; 0 for one body."""
    places = np.array([body.position for body in bodies]).reshape(-1, 3)
    return float(np.linalg.norm(np.ptp(places, axis=0))) if len(places) > 1 else 0.0


def _of_body(body: Body, reach: float) -> list[str]:
    found = list(_angles(body.rotation))
    mass, J = body.mass_properties()
    if mass is None or mass == 0.0:
        return found
    if mass > HEAVY:
        found.append(f"its mass is {mass:.4g} kg; lengths are in metres and masses in kilograms")
    elif body.shape is not None and body.shape.unit == "kg/m^3":
        volume = body.shape.size_measure()
        density = mass / volume if volume else math.inf  # edges of 1e-110 m have a volume of 0
        if not LIGHT_SOLID <= density <= DENSE_SOLID:
            found.append(f"its mass and shape make a density of {density:.3g} kg/m^3; lengths are in metres")
    elif J is not None and reach > 0.0:
        gyration = math.sqrt(max(float(np.trace(J)), 0.0) / 2.0 / mass)
        if gyration > FAR_GYRATION * reach:
            found.append(
                f"its mass and inertia make a body of {gyration:.3g} m, {gyration / reach:.3g} times as large as the "
                "mechanism; inertias are in kg m^2"
            )
    return found


def _angles(rotation: Any) -> Iterable[str]:
    """Angles of more than a turn, which are degrees as a rule."""
    given: tuple[float, ...] = ()
    if isinstance(rotation, EulerZXZ):
        given = rotation.euler_zxz
    elif isinstance(rotation, AxisAngle):
        given = (rotation.angle,)
    for angle in given:
        if abs(angle) > FULL_CIRCLE:
            degrees = f"{angle:g} degrees are {math.radians(angle):.6g} rad"
            yield f"its rotation has the angle {angle:g} rad, more than a turn; {degrees}"


def _of_force(force: Force) -> Iterable[str]:
    """What feeds energy in or gives way, whatever the type of the element is."""
    stiffness, damping = getattr(force, "stiffness", 0.0), getattr(force, "damping", 0.0)
    if isinstance(stiffness, float) and stiffness < 0.0:
        yield f"its stiffness is negative ({stiffness:g}): it pushes away from where it is free, ever harder"
    if isinstance(damping, float) and damping < 0.0:
        yield f"its damping is negative ({damping:g}): it feeds energy into the motion"
