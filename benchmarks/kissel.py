"""The four mechanisms of Kissel 2021, section 4, for a peer: numbers and start states from their geometry.

Dimensions, masses and drivers are the paper's (four link and slider crank after Haug 1989, chapter 10). The driven
mechanisms' poses are closed forms of t, so the start velocities are consistent to rounding and the end states
can be checked.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.models import GROUND, BodyData, DriverData, JointData, ModelData, columns, complex_rate, unit

NAMES = ("kissel2021_single_pendulum", "kissel2021_double_pendulum", "kissel2021_four_link", "kissel2021_slider_crank")
X, Y = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)


def bar_inertia(mass: float, length: float, width: float = 0.05) -> np.ndarray:
    """A square bar along its x axis."""
    across = mass * (width**2 + length**2) / 12.0
    return np.diag([mass * width**2 / 6.0, across, across])


def turn_x(angle: Any) -> Any:
    """Rotation about global x."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[1.0 + 0.0 * c, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])


def pendulum_pose(t: Any) -> Any:
    """The driven bar: theta = (pi/4) cos 2t from the downward vertical, in the y-z plane."""
    theta = np.pi / 4.0 * np.cos(2.0 * t)
    along = np.array([0.0, np.sin(theta), -np.cos(theta)])
    across = np.array([0.0, np.cos(theta), np.sin(theta)])
    return 2.0 * along, columns(along, across, np.array(X))


def crank_poses(t: Any) -> dict[str, Any]:
    """The crank turns about x at -2 pi rad/s."""
    return crank_at(np.pi / 2.0 - 2.0 * np.pi * t)


def crank_at(angle: Any) -> dict[str, Any]:
    """Crank, rod and slider at the crank's angle; the rod's y axis stays across the slider's line, the x axis."""
    pivot = np.array([0.0, 0.1, 0.12])
    pin = pivot + 0.08 * np.array([0.0, np.cos(angle), np.sin(angle)])
    slider = np.array([np.sqrt(0.09 - pin[1] ** 2 - pin[2] ** 2), 0.0, 0.0])
    along = (slider - pin) / 0.3
    y = unit(np.array([0.0, -along[2], along[1]]))
    rod = columns(along, y, np.cross(along, y))
    fixed = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])
    return {
        "crank": (pivot + 0.0 * angle, turn_x(angle)),
        "rod": ((pin + slider) / 2.0, rod),
        "slider": (slider, fixed + 0.0 * angle),
    }


def link_poses(t: Any) -> dict[str, Any]:
    """Rotor about x at pi rad/s, B at 2 m; C at 7.4 m from D and 12.2 m from B (Haug 1989, p. 456)."""
    u = np.pi * t
    B, D = np.array([0.0, -2.0 * np.sin(u), 2.0 * np.cos(u)]), np.array([-4.0, -8.5, 0.0])
    p = B - D
    K = (p @ p + 7.4**2 - 12.2**2) / (2.0 * 7.4)
    lean = -np.pi / 2.0 - np.arctan(p[2] / -p[0]) + np.arccos(K / np.sqrt(p[0] ** 2 + p[2] ** 2))
    C = D + 7.4 * np.array([-np.sin(lean), 0.0, np.cos(lean)])
    rotor = turn_x(u) @ columns(np.array([0.0, 0.0, -1.0]), np.array(Y), np.array(X))
    y = (B - C) / 12.2
    z = unit(np.cross(rotor @ np.array([0.0, -0.662, 0.75]), y))
    link = columns(np.cross(y, z), y, z)
    y = (D - C) / 7.4
    x = np.array([0.0, -1.0, 0.0])
    follower = columns(x, y, np.cross(x, y))
    return {"rotor": (0.0 * B, rotor), "link": ((B + C) / 2.0, link), "follower": ((C + D) / 2.0, follower)}


def body(name: str, mass: float, inertia: Any, poses: Any) -> BodyData:
    """The body with its start state from poses(t)[name]."""
    return BodyData(name, mass, np.asarray(inertia, dtype=float), *complex_rate(lambda t: poses(t)[name]))


def single_pendulum() -> ModelData:
    """A bar of 4 m and 78 kg, its angle prescribed."""
    bar = body("bar", 78.0, bar_inertia(78.0, 4.0), lambda t: {"bar": pendulum_pose(t)})
    pivot = JointData("pivot", "revolute", GROUND, "bar", (0.0, 0.0, 0.0), X)
    driver = DriverData("pivot", swing=np.pi / 4.0, frequency=2.0)
    return ModelData(NAMES[0], (bar,), (pivot,), (driver,))


def double_pendulum() -> ModelData:
    """Bars of 4 m and 2 m, released at rest, the first along y, the second hanging."""
    first, rest = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]), np.zeros(3)
    second = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])
    bodies = (
        BodyData("bar 1", 78.0, bar_inertia(78.0, 4.0), np.array([0.0, 2.0, 0.0]), first, rest, rest),
        BodyData("bar 2", 39.0, bar_inertia(39.0, 2.0), np.array([0.0, 4.0, -1.0]), second, rest, rest),
    )
    joints = (
        JointData("pivot 1", "revolute", GROUND, "bar 1", (0.0, 0.0, 0.0), X),
        JointData("pivot 2", "revolute", "bar 1", "bar 2", (0.0, 4.0, 0.0), X),
    )
    return ModelData(NAMES[1], bodies, joints)


def four_link() -> ModelData:
    """Rotor, link and follower; universal joint at B, ball at C, the rotor driven at pi rad/s."""
    masses = {"rotor": (2.0, (4.0, 2.0, 0.0)), "link": (1.0, (12.4, 0.01, 0.0)), "follower": (1.0, (4.54, 0.01, 0.0))}
    bodies = tuple(body(name, m, np.diag(J), link_poses) for name, (m, J) in masses.items())
    link, rotor = bodies[1], bodies[0]
    cross = rotor.rotation @ np.array([0.0, -0.662, 0.75])
    C = link.position + link.rotation @ np.array([0.0, -6.1, 0.0])
    joints = (
        JointData("rotor pivot", "revolute", GROUND, "rotor", (0.0, 0.0, 0.0), X),
        JointData("universal", "universal", "rotor", "link", (0.0, 0.0, 2.0), tuple(cross), tuple(link.rotation[:, 2])),
        JointData("ball", "spherical", "link", "follower", tuple(C)),
        JointData("follower pivot", "revolute", GROUND, "follower", (-4.0, -8.5, 0.0), Y),
    )
    return ModelData(NAMES[2], bodies, joints, (DriverData("rotor pivot", rate=np.pi),))


def slider_crank() -> ModelData:
    """Crank, rod and slider; the crank driven at -2 pi rad/s. At the slider: a universal joint in effect."""
    masses = {
        "crank": (0.12, (1e-4, 1e-5, 1e-4)),
        "rod": (0.5, (4e-3, 4e-4, 4e-3)),
        "slider": (2.0, (1e-4, 1e-4, 1e-4)),
    }
    bodies = tuple(body(name, m, np.diag(J), crank_poses) for name, (m, J) in masses.items())
    y = bodies[1].rotation[:, 1]
    joints = (
        JointData("crank pivot", "revolute", GROUND, "crank", (0.0, 0.1, 0.12), X),
        JointData("crank pin", "spherical", "crank", "rod", (0.0, 0.1, 0.2)),
        JointData("slider pin", "universal", "rod", "slider", (0.2, 0.0, 0.0), tuple(y), X),
        JointData("guide", "translational", GROUND, "slider", (0.2, 0.0, 0.0), X),
    )
    return ModelData(NAMES[3], bodies, joints, (DriverData("crank pivot", rate=-2.0 * np.pi),))


MODELS = dict(zip(NAMES, (single_pendulum, double_pendulum, four_link, slider_crank), strict=True))
