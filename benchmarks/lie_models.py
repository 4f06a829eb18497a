"""Mechanisms for the Lie-group benchmarks: those shipped after Müller 2013, and some without joints.

Exudyn's explicit integrators refuse joints, so that explicit methods can be compared on bodies that are free or hang
on springs only. All data are this project's own but for the top, which is the paper's.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.kissel import bar_inertia
from benchmarks.models import GROUND, Array, BodyData, JointData, ModelData, SpringData
from benchmarks.translate import translate

SHIPPED = (
    "muller2013_heavy_top",
    "muller2013_spherical_double_pendulum",
    "muller2013_floating_pair",
    "muller2013_three_bar",
)
COMPARED_UNTIL = 1.0  # s
SENSITIVE = {"muller2013_spherical_double_pendulum": 0.25}  # s; later a second-order run at 1 ms is another motion
NO_WEIGHT = (0.0, 0.0, 0.0)
TOP_MASS, TOP_INERTIA = 21.6, np.diag([0.36, 0.306, 0.09])
BOX_MASS, BOX_INERTIA = 2.7, np.diag([2.8125e-3, 9.5625e-3, 1.125e-2])
LENGTH, WIDTH, MASS = 0.2, 0.02, 0.6  # of a link of a chain
SWING, TURN = np.radians(10.0), np.radians(20.0)


def shipped(lw: Any, name: str) -> ModelData:
    """A shipped mechanism as plain data."""
    return translate(lw.load(name))


def until(name: str) -> float:
    """How long (s) runs of a mechanism can be compared with its true motion."""
    return SENSITIVE.get(name, COMPARED_UNTIL)


def free_top() -> ModelData:
    """The paper's top with its spins and without its pivot."""
    spin, drift = np.array([0.0, 20.0 * np.pi, 10.0 * np.pi]), np.array([0.0, 1.0, 0.0])
    top = BodyData("top", TOP_MASS, TOP_INERTIA, np.zeros(3), np.eye(3), drift, spin)
    return ModelData("free top", (top,), (), gravity=NO_WEIGHT)


def top_on_spring() -> ModelData:
    """The top hangs on a stiff spring of 0.1 m instead of its pivot, under gravity."""
    spin = np.array([30.0, 0.0, 10.0])
    top = BodyData("top", TOP_MASS, TOP_INERTIA, np.array([0.5, 0.0, 0.0]), np.eye(3), np.zeros(3), spin)
    spring = SpringData(GROUND, "top", (-0.1, 0.0, 0.0), (-0.5, 0.0, 0.0), 5e3, 0.0, 0.09)
    return ModelData("top on a spring", (top,), (), springs=(spring,))


def pair_on_spring() -> ModelData:
    """The two boxes of the floating pair, a stiff spring of 0.1 m in the place of the ball."""
    first = BodyData(
        "body 1", BOX_MASS, BOX_INERTIA, np.array([0.1, 0.0, 0.0]), np.eye(3), np.zeros(3), np.array([0.0, 0.0, -10.0])
    )
    velocity, spin = np.array([0.0, -0.3716814692820414, 0.1]), np.array([1.0, -1.0, 2.0 * np.pi])
    second = BodyData("body 2", BOX_MASS, BOX_INERTIA, np.array([0.3, 0.0, 0.0]), np.eye(3), velocity, spin)
    spring = SpringData("body 1", "body 2", (0.05, 0.0, 0.0), (-0.05, 0.0, 0.0), 5e3, 0.0, 0.1)
    return ModelData("pair on a spring", (first, second), (), springs=(spring,), gravity=NO_WEIGHT)


JOINTLESS = (free_top, top_on_spring, pair_on_spring)


def ball_chain(count: int) -> ModelData:
    """Bars on ball joints, released at rest; they lean by turns up and down and left and right."""
    bodies, joints, end, before = [], [], np.zeros(3), GROUND
    for k in range(count):
        A = turned(SWING * (-1) ** k, TURN * (-1) ** (k // 2))
        along = A @ np.array([LENGTH, 0.0, 0.0])
        name = f"bar {k + 1}"
        here = (float(end[0]), float(end[1]), float(end[2]))
        joints.append(JointData(f"ball {k + 1}", "spherical", before, name, here))
        inertia = bar_inertia(MASS, LENGTH, WIDTH)
        bodies.append(BodyData(name, MASS, inertia, end + 0.5 * along, A, np.zeros(3), np.zeros(3)))
        end, before = end + along, name
    return ModelData(f"chain of {count} balls", tuple(bodies), tuple(joints))


def turned(about_y: float, about_z: float) -> Array:
    """Turned about z, then about the new y."""
    c, s, e, f = np.cos(about_y), np.sin(about_y), np.cos(about_z), np.sin(about_z)
    first = np.array([[e, -f, 0.0], [f, e, 0.0], [0.0, 0.0, 1.0]])
    return np.asarray(first @ np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]]))
