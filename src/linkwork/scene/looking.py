"""Where a picture is taken from: straight at the plane of motion, else from above at an angle."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linkwork.header import Array
from linkwork.scene.scene import Scene


class Look(NamedTuple):
    """Directions of a picture, unit vectors (3,): to the right, up, and towards who looks."""

    right: Array
    up: Array
    towards: Array


def look_at(scene: Scene) -> Look:
    """The usual look at a scene."""
    gravity = np.asarray(scene.lowered.gravity, dtype=float)
    size = float(np.linalg.norm(gravity))
    up = -gravity / size if size > 0.0 else np.array([0.0, 0.0, 1.0])
    if scene.plane is not None:
        normal = scene.plane / np.linalg.norm(scene.plane)
        over = across(up, normal)
        right = np.cross(over, normal)
        if right @ [1.0, 0.5, 0.25] < 0.0:
            normal, right = -normal, -right
        return Look(right, over, normal)
    axes = np.eye(3)[[1, 0, 2]] * [[-1.0], [1.0], [1.0]]
    front = across(axes[int(np.argmin(np.abs(axes @ up)))], up)
    right = np.cross(up, front)
    if right @ [1.0, 0.5, 0.25] < 0.0:
        front, right = -front, -right
    towards = 0.82 * front + 0.5 * right + 0.42 * up
    towards /= np.linalg.norm(towards)
    over = across(up, towards)
    return Look(np.cross(over, towards), over, towards)


def across(direction: Array, normal: Array) -> Array:
    """The part of a direction that is perpendicular to a normal, as a unit vector; along the normal, any such one."""
    for other in (direction, np.array([0.0, 1.0, 0.0]), np.array([1.0, 0.0, 0.0])):
        flat = other - (other @ normal) * normal
        size = float(np.linalg.norm(flat))
        if size > 0.1:
            return np.asarray(flat / size)
    raise AssertionError("two of three directions are not along a normal")
